"""The web server's threads, some of which serve judging and nothing else.

gunicorn's worker asks for its pool of threads (`get_thread_pool`, the method that its documentation
leaves to subclasses) and gives it each connection on which a request has begun. The pool looks at
the first bytes without taking them: judging, and what must be answered whatever else goes on, has
threads of its own. Everything else waits for the other threads, as it did before.
"""

import contextlib
import socket
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

# Judging, its scripts and styles, and the pages by which a supervisor sees that the site is up.
KEPT_FREE_FOR = (b"/judge/", b"/static/", b"/health/")
METHODS = (b"GET ", b"HEAD ", b"POST ")
LONGEST_START = max(map(len, METHODS)) + max(map(len, KEPT_FREE_FOR))


class WebWorker(ThreadWorker):
    def get_thread_pool(self) -> Executor:
        """Return a pool with half of the threads for judging, and half for all else."""
        return Lanes(self.cfg.threads)


class Lanes(Executor):
    """Two pools; `n_threads` of both together."""

    def __init__(self, n_threads: int) -> None:
        n_judging = max(1, n_threads // 2)
        self.judging = ThreadPoolExecutor(n_judging, "judging")
        self.others = ThreadPoolExecutor(max(1, n_threads - n_judging), "others")

    def submit(  # type: ignore[override]
        self, handle: Callable[[Any], Any], connection: Any, /
    ) -> Future:
        """Have a connection of gunicorn's handled, and return what becomes of it."""
        pool = self.judging if is_judging(first_bytes(connection.sock)) else self.others
        return pool.submit(handle, connection)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.judging.shutdown(wait, cancel_futures=cancel_futures)
        self.others.shutdown(wait, cancel_futures=cancel_futures)


def first_bytes(connection: socket.socket) -> bytes:
    """Return what has come in of a request's first line, and leave it there; empty where nothing
    has. It does not wait: this is the thread that accepts connections."""
    with contextlib.suppress(OSError):
        return connection.recv(LONGEST_START, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    return b""


def is_judging(start: bytes) -> bool:
    """Return whether a request that begins with these bytes has threads kept free for it."""
    method, _, address = start.partition(b" ")
    return method + b" " in METHODS and address.startswith(KEPT_FREE_FOR)
