"""The web server of `./run`: gunicorn on a socket that the parent holds.

The socket outlives the server. While a killed one is being replaced, connections wait in the queue
of the socket instead of being refused, and none of its left-over processes can hold the port.
"""

import contextlib
import errno
import http.client
import ipaddress
import select
import socket
import time
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from mteval_site import environment
from mteval_site.local.errors import StartProblem
from mteval_site.version import COMMAND

HOST = "127.0.0.1"
# Of each process, half of them for judging (lanes.py); each has a connection to the database, and
# at times one more, for a moment that it reads (judgments/models/moments.py).
THREADS = 8
WAITING = 1024  # connections that the system keeps until somebody takes them
SILENT_SECONDS = 3  # after which a connection without a request is given to the server all the same
# As Django's address would say it (mteval_site/health.py), without a page: there is nobody to ask.
AWAY = b"The site is being started again. Try again in a few seconds.\n"
ANSWER = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nCache-Control: no-store\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s"
) % (len(AWAY), AWAY)


def listen(port: int, patience: float = 0.0, host: str = HOST) -> socket.socket:
    """Return a socket that takes connections to the port of an address of this machine; Raise
    StartProblem when somebody else has it for longer than `patience` seconds, or when there is no
    such address."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    until = time.monotonic() + patience
    while True:
        try:
            listener.bind((host, port))
            listener.listen(WAITING)
            _accept_with_data(listener)
            return listener
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                listener.close()
                raise StartProblem(
                    f"This machine does not have the address {host}; --host takes one of its own, "
                    "or 0.0.0.0 for all of them."
                ) from None
            if time.monotonic() > until:
                listener.close()
                raise StartProblem(
                    f"Port {port} cannot be used ({error.strerror}); choose another one: "
                    f"{COMMAND} --port {port + 1 if 1023 < port < 65535 else 8001}"
                ) from None
        time.sleep(0.05)


def _accept_with_data(listener: socket.socket) -> None:
    """Have Linux give a connection to the server once its request has begun: the server chooses a
    thread by the request's first bytes."""
    with contextlib.suppress(AttributeError, OSError):  # there is no such option elsewhere
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SILENT_SECONDS)


def command(listener: socket.socket, *, is_exposed: bool = False) -> list[str]:
    """Return what Python is called with to serve what comes in at the socket; is_exposed: other
    machines reach it."""
    worker = "web_worker.ProxiedWorker" if is_exposed else "lanes.WebWorker"
    arguments = ["-m", "gunicorn", "mteval_site.wsgi", "--bind", f"fd://{listener.fileno()}"]
    arguments += ["--worker-class", f"mteval_site.local.{worker}"]
    arguments += ["--threads", str(THREADS), "--preload"]
    arguments += ["--no-control-socket"]
    arguments += ["--workers", str(n_processes()), "--graceful-timeout", "1"]
    if Path("/dev/shm").is_dir():  # noqa: S108 the heartbeat must not wait for a busy disk
        arguments += ["--worker-tmp-dir", "/dev/shm"]  # noqa: S108
    return arguments


def n_processes() -> int:
    """Return how many processes the web server has; raises ImproperlyConfigured."""
    found = environment.integer("WEB_CONCURRENCY", 2)
    if not 1 <= found <= 64:
        raise ImproperlyConfigured(f"WEB_CONCURRENCY={found} should be from 1 to 64.")
    return found


def n_connections() -> int:
    """To the database, at most; some are left for workers and people."""
    return max(100, 2 * n_processes() * THREADS + 40)


def nearest(host: str) -> str:
    """Where this machine itself reaches a server that listens at the address."""
    address = ipaddress.ip_address(host)
    if not address.is_unspecified:
        return host
    return HOST if address.version == 4 else "::1"


def url(host: str, port: int) -> str:
    name = nearest(host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def health(port: int, patience: float = 1.0, host: str = HOST) -> int | None:
    """Return the status of the page that says whether the site serves; None without an answer."""
    connection = http.client.HTTPConnection(nearest(host), port, timeout=patience)
    try:
        with contextlib.closing(connection):
            connection.request("GET", "/health/ready/")
            return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None


def stand_in(listener: socket.socket, seconds: float) -> None:
    """Answer what comes in with 503 and Retry-After, for so long."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if not select.select([listener], [], [], left)[0]:
            return
        with contextlib.suppress(OSError):
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(0.1)
                connection.recv(65_536)  # what was not read would take the answer with it
                connection.sendall(ANSWER)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65_536):
                    pass
