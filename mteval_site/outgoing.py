"""On a public demo server nothing leaves: its processes connect to this machine only.

All that the operator could set up to send something is off there (`environment.withhold`). This is
the second lock: Python tells an audit hook of every connection and of every name that is looked up,
whichever library asks. The database is not among them, as its driver connects by itself.
"""

import sys
from ipaddress import ip_address

CONNECTIONS = {"socket.connect", "socket.sendto", "socket.sendmsg"}
NAMES = {"socket.getaddrinfo", "socket.gethostbyname"}
HERE = {"", "localhost"}


class NothingLeaves(PermissionError):
    """A connection to another machine was refused."""


def refuse() -> None:
    """Refuse connections to other machines, for as long as this process lives."""
    sys.addaudithook(hook)


def hook(event: str, arguments: tuple) -> None:
    if event in CONNECTIONS:
        address = arguments[1]
        if isinstance(address, tuple) and not is_here(address[0]):
            raise NothingLeaves("This is a public demo server: it connects to no other machine.")
    elif event in NAMES and not is_here(arguments[0]):
        raise NothingLeaves("This is a public demo server: it looks up no other machine.")


def is_here(host: object) -> bool:
    """Whether a host, as sockets name it, is this machine."""
    if host is None:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name in HERE:
        return True
    try:
        address = ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
