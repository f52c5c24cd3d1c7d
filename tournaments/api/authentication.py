"""``Authorization: Table …``: how a device at a table signs in to the API, by the link of the table."""

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from courtpiece.accounts.api.throttles import Throttle
from courtpiece.accounts.permissions import TableGrant
from tournaments import queries
from tournaments.errors import LinkRevoked

KEYWORD = "Table"


class RevokedLink(AuthenticationFailed):
    """The link was revoked: whoever has it is told so, since only who had it can ask."""

    problem_type = "urn:courtpiece:link-revoked"


class TableAuthentication(BaseAuthentication):
    """Yields nobody, and as ``request.auth`` what the link stands for; 401 for any that is not good."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, TableGrant] | None:
        """Return None without such a header.

        :raises RevokedLink: if the link was revoked.
        :raises AuthenticationFailed: if there is no such link.
        """
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != KEYWORD.lower().encode():
            return None
        try:
            grant = queries.grant_of(b" ".join(words[1:]).decode("ascii", "replace"))
        except LinkRevoked as error:
            raise RevokedLink(str(error)) from error
        if grant is None:
            raise AuthenticationFailed(_("There is no such link of a table."))
        return AnonymousUser(), grant

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that goes with 401."""
        return f'{KEYWORD} realm="api"'


class TableScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # it has half its types
    """Describes the header in the API's schema."""

    target_class = "tournaments.api.authentication.TableAuthentication"
    name = "table"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Table`, a space, and the secret of a table link: what stands behind its `#`.",
        }


class AtATable(BasePermission):
    """Whoever comes with a table link."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return whether it is so."""
        return isinstance(request.auth, TableGrant)


class UserOrAtATable(AtATable):
    """Whoever comes with a table link, or is a user; what they may do is decided by operations."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return whether it is so."""
        return super().has_permission(request, view) or request.user.is_authenticated


class TableThrottle(Throttle):
    """So many requests of a link, however many devices have it; of a user as elsewhere."""

    def who(self, request: Request) -> str:
        """Return whose requests are counted together."""
        if isinstance(request.auth, TableGrant):
            return f"link-{request.auth.link_id}"
        return super().who(request)


class LookThrottle(TableThrottle):
    """Enough for some devices that look every few seconds."""

    scope = "table"
    rate = "240/min"


class SyncThrottle(TableThrottle):
    """Enough for some devices that send each deal by itself, and again where an answer was lost."""

    scope = "sync"
    rate = "120/min"
