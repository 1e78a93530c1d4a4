"""Authentication of programs: `Authorization: Bearer mteval_…`."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException, PermissionDenied, Throttled
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated

from judgments.models import ApiToken, Scope
from judgments.people.tokens import tokens as api_tokens
from judgments.web import limits
from mteval_site.addresses import client_address


class WrongToken(APIException):
    status_code = 401
    default_detail = "This token is not known, or it has expired or been revoked."
    default_code = "wrong_token"
    auth_header = 'Bearer error="invalid_token"'


class TokenAuthentication(BaseAuthentication):
    """Bearer tokens; without one the session decides, as on pages."""

    def authenticate(self, request):
        kind, _, text = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = api_tokens.find(text.strip())
        if token is None:
            self.count_guess(request)
            raise WrongToken
        return token.user, token

    def count_guess(self, request) -> None:
        """Count a wrong token. Only these count, so that nobody can block the address for valid
        tokens."""
        try:
            limits.hit(limits.GUESSES, client_address(request))
        except limits.Exceeded as exceeded:
            raise Throttled(exceeded.seconds) from None


class IsSignedInWithScope(IsAuthenticated):
    """A token can read, and write if it was made for that, but never do what its owner may not:
    every view checks the person by judgments/people/access.py."""

    def has_permission(self, request, view):
        if not super().has_permission(request, view):
            return False
        token = request.auth
        reads = request.method in SAFE_METHODS
        if isinstance(token, ApiToken) and token.scope != Scope.WRITE and not reads:
            raise PermissionDenied("This token may only read. Create one that may write.")
        return True


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema):
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from the page API tokens of your account. It may do what "
            "your account may do; a token for reading refuses everything but GET.",
        }
