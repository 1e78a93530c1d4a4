"""Clients that reach the port past the proxy hold nobody up with unfinished requests."""

import contextlib
import http.client
import socket
from ipaddress import ip_network

import pytest

from mteval_site.local.web_worker import serves

from .conftest import Site

PROXY, STRANGER = "127.0.0.9", "127.0.0.5"
HELD_OPEN = 80  # more than the threads of a site


@pytest.mark.proof
def test_unfinished_heads_of_a_stranger_keep_nobody_out(site: Site):
    site.start("--host", "0.0.0.0", TRUSTED_PROXIES=PROXY)
    with contextlib.ExitStack() as stack:
        strangers = []
        for _ in range(HELD_OPEN):
            connection = socket.create_connection(
                ("127.0.0.1", site.port), timeout=20, source_address=(STRANGER, 0)
            )
            strangers.append(stack.enter_context(connection))
            with contextlib.suppress(OSError):  # closed already
                connection.sendall(b"GET /sign-in/ HTTP/1.1\r\nHost: local")
        for source in (PROXY, "127.0.0.1"):
            assert page_for(site, source) == 200
        assert all(is_closed(each) for each in strangers)


def page_for(site: Site, source: str) -> int:
    """Return the status of a page for a client from an address; waits for 10 s."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", site.port, timeout=10, source_address=(source, 0)
    )
    with contextlib.closing(connection):
        connection.request("GET", "/sign-in/")
        return connection.getresponse().status


def is_closed(connection: socket.socket) -> bool:
    """Return whether the other side has closed it silently."""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize(
    ("client", "server", "expected"),
    [
        ("127.0.0.1", "10.0.0.1", True),
        ("::1", "::1", True),
        ("10.0.0.1", "10.0.0.1", True),
        ("10.0.0.2", "10.0.0.1", True),
        ("::ffff:10.0.0.2", "::ffff:10.0.0.1", True),
        ("2001:db8::7", "2001:db8::1", True),
        ("10.0.0.3", "10.0.0.1", False),
        ("::ffff:10.0.0.3", "::ffff:10.0.0.1", False),
        ("2001:db9::7", "2001:db8::1", False),
    ],
)
def test_who_is_served(client, server, expected):
    proxies = ["unix", ip_network("10.0.0.2"), ip_network("2001:db8::/64")]
    assert serves(client, server, proxies) is expected
