"""Something that is kept and is not what is derived from the records."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something stored that is not what is derived today."""

    where: str
    """``scoresheet UID, deal 3, revision 2``, or less of it."""
    what: str
    """A column, a key of the finding, ``text``, ``revisions`` or ``problems of the record``."""
    stored: str
    derived: str
