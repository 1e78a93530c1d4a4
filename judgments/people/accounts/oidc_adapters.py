"""How django-allauth is used: for one provider of OpenID Connect, and nothing else of it.

Imported only where the operator has set up a provider.
"""

import logging

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.core.exceptions import PermissionDenied
from django.shortcuts import render
from django.urls import reverse

log = logging.getLogger(__name__)


def failed(request, problem=""):
    """Return the page after a sign-in that came to nothing. The log knows why; the page does not
    say it, since the reason may have been written by whoever made the link."""
    log.warning("Sign-in by OpenID Connect failed: %s", problem)
    return render(request, "registration/oidc_failed.html", status=403)


class AccountAdapter(DefaultAccountAdapter):
    def respond_user_inactive(self, request, user):
        return failed(request, f"account {user.pk} is closed")


class ProviderAdapter(DefaultSocialAccountAdapter):
    def pre_social_login(self, request, sociallogin):
        """The identity is that of the signed token; what the provider says beside it must be of
        the same person. No address is kept as proof of anything: accounts are not matched by
        e-mail, because providers differ in what they call verified, and whoever got the address of
        a manager there would get the manager's account here."""
        told = sociallogin.account.extra_data
        token, beside = told.get("id_token"), told.get("userinfo")
        if not token or (beside and beside.get("sub") != token.get("sub")):
            raise PermissionDenied("no signed identity, or another one beside it")
        sociallogin.email_addresses = []

    def populate_user(self, request, sociallogin, data):
        user = super().populate_user(request, sociallogin, data)
        told = sociallogin.account.extra_data
        claims = told.get("userinfo") or told.get("id_token") or {}
        if claims.get("email_verified") is not True:
            user.email = ""
        return user

    def on_authentication_error(
        self, request, provider, error=None, exception=None, extra_context=None
    ):
        raise ImmediateHttpResponse(failed(request, f"{error or ''} {exception or ''}"))

    def get_connect_redirect_url(self, request, socialaccount):
        return reverse("account")


class Adapter(OpenIDConnectOAuth2Adapter):
    """Checks the signature of every identity token, also of one that came directly."""

    def get_provider(self):
        provider = super().get_provider()
        provider.oauth2_adapter_class = type(self)
        return provider

    def get_access_token_data(self, request, app, client, pkce_code_verifier=None):
        data = super().get_access_token_data(request, app, client, pkce_code_verifier)
        self.did_fetch_access_token = False
        return data

    def get_callback_url(self, request, app):
        return request.build_absolute_uri(reverse("oidc-return"))
