"""Sending JSON to a webhook: only to hosts that the operator lists, and nowhere else.

An owner of a campaign types the address, so it must not reach what only the site itself can reach:
https only, no redirects, private addresses refused, and the connection goes to the address that was
looked at, whatever the name resolves to a moment later. `http` is for a program on the same
machine, and only where its host is listed.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

SECONDS = 5
PORTS = {"https": 443, "http": 80}
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class WebhookRefused(ValueError):
    """The address may not be sent to. The message says why."""


class WebhookFailed(OSError):
    """The host could not be reached, or answered with no success."""


@dataclass(frozen=True)
class Target:
    scheme: str
    host: str
    port: int
    path: str


def target_of(address: str) -> Target:
    """Parse and validate the address of a webhook, without a DNS lookup. Raise WebhookRefused."""
    target = parsed(address)
    if not is_listed(target):
        raise WebhookRefused(
            f"{target.host} is not among the hosts that the operator of this site allows "
            "(WEBHOOK_HOSTS)."
        )
    return target


def parsed(address: str) -> Target:
    """Parse an address of http or https. Raise WebhookRefused."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise WebhookRefused("This is not a valid address.") from None
    host = (parts.hostname or "").lower()
    if parts.scheme not in PORTS or not host or not address.isascii() or not address.isprintable():
        raise WebhookRefused("Give an address such as https://hooks.example.org/mteval.")
    if parts.username is not None or parts.password is not None:
        raise WebhookRefused("Leave names and passwords out of the address.")
    return Target(
        parts.scheme,
        host,
        port or PORTS[parts.scheme],
        (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )


def is_listed(target: Target) -> bool:
    """Return an entry is a host, which allows the usual port of https and of http, or host:port."""
    usual = target.port == PORTS[target.scheme]
    name = f"[{target.host}]" if ":" in target.host else target.host
    return any(
        entry.lower() == f"{name}:{target.port}" or (usual and entry.lower() in (name, target.host))
        for entry in settings.WEBHOOK_HOSTS
    )


def resolved(target: Target) -> Address:
    """Return the address to connect to. Raise WebhookRefused where any that the name has is
    private."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise WebhookFailed(f"{target.host} cannot be found: {error}") from None
    addresses = [plain(ipaddress.ip_address(row[4][0])) for row in found]
    for address in addresses:
        if target.scheme == "http" and not address.is_loopback:
            raise WebhookRefused("Only https addresses are possible for other machines.")
        if not may_connect(target, address):
            raise WebhookRefused(f"{target.host} is at a private address, {address}.")
    return addresses[0]


def plain(address: Address) -> Address:
    """Return an IPv4 address that is written as one of IPv6 is what it is."""
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def may_connect(target: Target, address: Address) -> bool:
    """Return whether an address is public, or was listed by itself."""
    if address.is_global and not address.is_multicast:
        return True
    return target.host == str(address) or (target.host == "localhost" and address.is_loopback)


def signature(secret: str, moment: int, body: bytes) -> str:
    """Return HMAC-SHA256 of "moment.body" in hexadecimal; the moment keeps an old message from
    being sent again by somebody else."""
    return hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()


def post(address: str, body: bytes, secret: str) -> None:
    """Send a body; any answer of 2xx is success. Raise WebhookRefused and WebhookFailed."""
    target = target_of(address)
    ip = resolved(target)
    moment = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "mteval",
        "X-Mteval-Time": str(moment),
        "X-Mteval-Signature": f"sha256={signature(secret, moment, body)}",
    }
    connection = http.client.HTTPConnection(target.host, target.port, timeout=SECONDS)
    try:
        connection.sock = connected(target, ip, SECONDS)
        connection.request("POST", target.path, body, headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise WebhookFailed(f"{target.host} cannot be reached: {error}") from None
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise WebhookFailed(f"{target.host} answered with {status}.")


def connected(target: Target, ip: Address, seconds: float) -> socket.socket:
    """Return a connection to the address that was looked at, its certificate checked for the
    name."""
    plain_socket = socket.create_connection((str(ip), target.port), timeout=seconds)
    if target.scheme == "http":
        return plain_socket
    try:
        context = ssl.create_default_context()
        return context.wrap_socket(plain_socket, server_hostname=target.host)
    except BaseException:
        plain_socket.close()
        raise
