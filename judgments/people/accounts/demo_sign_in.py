"""One-click sign-in to the demo, only on the machine that the site runs on.

The passwords of the demo are public, and `./run` prints them for anybody at this machine. So this
sign-in only saves typing; it must not exist for anybody else. It is open only if all of this holds:
`./run` has loaded the demo and listens at a loopback address (DEMO_SIGN_IN), nothing in the
settings makes the site public, no proxy is configured, the request comes directly from a loopback
address and names this machine, and the account still has the password of the demo.
"""

from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.request import split_domain_port

from mteval_site import public
from mteval_site.addresses import parsed
from mteval_site.demo_accounts import SIGN_INS

# Headers that proxies add, named as in Django.
OF_PROXIES = ("HTTP_FORWARDED", "HTTP_X_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA", "HTTP_X_CLIENT")


class DemoEntry(NamedTuple):
    name: str
    role: str


def entries(request: HttpRequest) -> list[DemoEntry]:
    """Return the accounts that this request may sign in as; empty unless the demo sign-in is open
    to it."""
    if not is_open(request):
        return []
    return [DemoEntry(name, role) for name, _password, role in SIGN_INS if person(request, name)]


def person(request: HttpRequest, name: str) -> User | None:
    """Return the demo account that this request may sign in as without a password."""
    passwords = {known: password for known, password, _role in SIGN_INS}
    if name not in passwords or not is_open(request):
        return None
    found = get_user_model().objects.filter(username=name, is_active=True).first()
    if found is None or not still_has(passwords[name], found.password):
        return None
    return found


def is_open(request: HttpRequest) -> bool:
    return (
        settings.DEMO_SIGN_IN
        and not public.is_public(settings)
        and not settings.TRUSTED_PROXIES
        and comes_from_here(request)
    )


def comes_from_here(request: HttpRequest) -> bool:
    """Return whether the request comes directly from a browser on this machine, not through a
    proxy."""
    address = parsed(request.META.get("REMOTE_ADDR", ""))
    is_passed_on = any(name.startswith(OF_PROXIES) for name in request.META)
    host, _port = split_domain_port(request.get_host())
    is_here = address is not None and address.is_loopback
    return is_here and not is_passed_on and public.is_loopback(host)


@lru_cache(maxsize=8)
def still_has(password: str, encoded: str) -> bool:
    """Return whether the password still fits; cached, since a check takes as long as a sign-in and
    the page makes three."""
    return check_password(password, encoded)
