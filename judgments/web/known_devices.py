"""Devices on which somebody has signed in before.

Others can try wrong passwords for a name until it is closed to strangers; the cookie of a device
that has signed in under that name keeps the door open there, with a counter of its own (OWASP,
"Slow Down Online Guessing Attacks with Device Cookies"). It opens nothing without the password.
"""

import secrets

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

COOKIE = "device"
YEAR = 365 * 24 * 60 * 60


def signature(nonce: str, name: str) -> str:
    return salted_hmac("known device", f"{nonce}\n{name}", algorithm="sha256").hexdigest()


def known_device(request: HttpRequest, name: str) -> str:
    """Return what tells this device from others, if that name has signed in on it; else empty."""
    nonce, _, signed = request.COOKIES.get(COOKIE, "").partition(".")
    if nonce and constant_time_compare(signed, signature(nonce, name)):
        return nonce
    return ""


@receiver(user_logged_in, dispatch_uid="known device")
def note_device(sender: object, request: HttpRequest, user, **kwargs: object) -> None:
    if user.has_usable_password():
        request.signed_in_as = user.get_username()  # type: ignore[attr-defined]


def remember_device(request: HttpRequest, response: HttpResponse) -> None:
    """Give the device its cookie, if somebody has signed in with this request."""
    name = getattr(request, "signed_in_as", "")
    if not name or known_device(request, name):
        return
    nonce = secrets.token_urlsafe(18)
    response.set_cookie(
        COOKIE,
        f"{nonce}.{signature(nonce, name)}",
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )
