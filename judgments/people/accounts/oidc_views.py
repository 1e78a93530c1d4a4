"""Signing in by OpenID Connect: to the provider and back. Imported with the first request."""

import time

import requests
from allauth.account.adapter import get_adapter
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from judgments.people.accounts.oidc_adapters import Adapter, failed

CONNECTING = "oidc_connecting"  # in the session: until when
MINUTES = 10
# What a provider that does not follow the standard leads to.
FAULTS = (requests.RequestException, KeyError, TypeError, ValueError)


@never_cache
@require_GET
def start(request):
    """Send the browser to the provider."""
    wanted = request.GET.get("next", "")
    connects = request.session.pop(CONNECTING, 0) > time.time() and request.user.is_authenticated
    adapter = Adapter(request, settings.OIDC_PROVIDER)
    try:
        return adapter.get_provider().redirect(
            request,
            process="connect" if connects else "login",
            next_url=wanted if get_adapter(request).is_safe_url(wanted) else None,
        )
    except FAULTS as problem:
        return failed(request, repr(problem))


@never_cache
@require_GET
def come_back(request):
    """Where the provider sends the browser."""
    adapter = Adapter(request, settings.OIDC_PROVIDER)
    try:
        return OAuth2CallbackView.adapter_view(adapter)(request)
    except FAULTS as problem:
        return failed(request, repr(problem))


@login_required
@require_POST
def connect(request):
    """Return the next sign-in at the provider is to be connected with this account. A page with a
    link, because a browser would follow no form to another site (the policy says form-action
    'self')."""
    request.session[CONNECTING] = time.time() + 60 * MINUTES
    return render(request, "registration/oidc_connect.html", {"provider": settings.OIDC_NAME})
