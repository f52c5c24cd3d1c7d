"""The one base of every error this project raises on purpose."""


class CourtPieceError(ValueError):
    """Something was asked that the laws, the notation or the site do not allow.

    Each subclass carries the facts as attributes; its message is for people.
    """
