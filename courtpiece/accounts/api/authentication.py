"""``Authorization: Bearer cp_…``: how a program signs in to the API."""

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from courtpiece.accounts import operations
from courtpiece.accounts.models import User
from courtpiece.accounts.permissions import TokenGrant

KEYWORD = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """Yields a token's user, and as ``request.auth`` what the token stands for; 401 for any other token."""

    def authenticate(self, request: Request) -> tuple[User, TokenGrant] | None:
        """Return None without such a header.

        :raises AuthenticationFailed: if there is one, and no token in it that is known and not revoked.
        """
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != KEYWORD.lower().encode():
            return None
        try:
            return operations.use_token(b" ".join(words[1:]).decode("ascii", "replace"), at=timezone.now())
        except operations.TokenRefused as error:
            raise AuthenticationFailed(str(error)) from error

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that goes with 401."""
        return f'{KEYWORD} realm="api"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # it has half its types
    """Describes the header in the API's schema."""

    target_class = "courtpiece.accounts.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "cp_…"}
