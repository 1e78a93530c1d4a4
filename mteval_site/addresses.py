"""From which address a request comes, also behind proxies."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

UNIX = "unix"  # in TRUSTED_PROXIES: a proxy that connects through a socket, which has no address


def client_address(request: HttpRequest) -> str:
    """Return the address that a request comes from: an IPv4 address, or the network of 64 bits of
    an IPv6 address, which is what one customer has; empty if there is none.

    `X-Forwarded-For` is read from right to left, and only as long as the address to the right is
    that of a proxy in TRUSTED_PROXIES: everything further left may have been made up.
    """
    address = request.META.get("REMOTE_ADDR", "")
    for before in reversed(request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")):
        if not is_trusted(address):
            break
        if (read := parsed(before)) is None:
            break
        address = str(read)
    return counted_as(address)


def is_trusted(address: str) -> bool:
    if not address:
        return UNIX in settings.TRUSTED_PROXIES
    read = parsed(address)
    return any(read in network for network in settings.TRUSTED_PROXIES if read and network != UNIX)


def parsed(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address, also with a port as some proxies write it; None for anything else."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def counted_as(address: str) -> str:
    read = parsed(address)
    if isinstance(read, IPv6Address):
        return str(ip_network((int(read), 64), strict=False))
    return str(read) if read else ""
