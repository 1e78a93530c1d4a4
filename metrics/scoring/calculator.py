"""A process of its own that computes, so that what it computes can be ended, whatever it does.

It is forked from the worker, which costs some milliseconds, and lives as long as its worker works
on a job: scorers remember the words that they have met. It has no business with the database.
"""

import ctypes
import logging
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from django.db import connections

logger = logging.getLogger(__name__)

POLL = 0.25
"""Seconds between two looks at whether the result is still wanted."""
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
MEGABYTE = 1024**2


class ProcessEnded(Exception):
    """The process died while it computed, with how it ended in words."""


class OutOfMemory(Exception):
    """What was asked for needs more memory than the process may have."""


class Calculator:
    """One process that calls functions, one after the other. For one thread.

    A function is given a dictionary that lasts as long as the process, and its own arguments.
    """

    def __init__(self, memory_mb: int) -> None:
        """Start the process; it may take `memory_mb` megabytes more than it was born with."""
        self._pipe, theirs = multiprocessing.Pipe()
        self._status: int | None = None
        parent = os.getpid()
        self.pid = os.fork()
        if not self.pid:
            try:
                self._pipe.close()
                settle(parent, memory_mb)
                serve(theirs)
            except BaseException:
                logger.exception("The process that computes scores failed")
            finally:  # without the worker's own farewells, such as that of its connections
                os._exit(1)
        theirs.close()

    @property
    def is_alive(self) -> bool:
        return self._wait(os.WNOHANG) is None

    def call(self, function: Callable, *arguments: Any, watch: Callable[[], object]) -> Any:
        """``function(kept, *arguments)``, computed by the process; `watch` is called meanwhile.

        Raises ValueError as the function does and Defect for whatever else it raises, ProcessEnded
        and OutOfMemory; and what `watch` raises, which ends the process.
        """
        try:
            self._send((function, arguments))
            while not self._pipe.poll(POLL):
                watch()
            kind, value = self._pipe.recv()
        except (EOFError, ConnectionError):
            raise ProcessEnded(self._last_words()) from None
        except BaseException:  # whoever waited does so no longer: do not compute on
            self.stop()
            raise
        if kind == "result":
            return value
        if isinstance(value, OutOfMemory):
            self.stop()  # and give back what it has taken
        raise value

    def stop(self) -> None:
        """End the process at once."""
        if self.is_alive:
            os.kill(self.pid, signal.SIGKILL)
            self._wait()
        self._pipe.close()

    def _wait(self, options: int = 0) -> int | None:
        """Return the exit code, negative for a signal; None while the process lives."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, options)
            self._status = os.waitstatus_to_exitcode(status) if pid else None
        return self._status

    def _send(self, request: tuple) -> None:
        """From another thread, for a process that does not read would hold up this one for good."""
        data = pickle.dumps(request)
        threading.Thread(target=_write, args=(self._pipe, data), daemon=True).start()

    def _last_words(self) -> str:
        code = self._wait() or 0
        self.stop()
        if code >= 0:
            return f"Its process ended with exit code {code}."
        why = ", perhaps because memory ran out" if code == -signal.SIGKILL else ""
        return f"Its process was ended by signal {-code} ({signal.Signals(-code).name}){why}."


def _write(pipe: Connection, data: bytes) -> None:
    with suppress(OSError):  # it has ended, which its reader tells
        pipe.send_bytes(data)


def serve(pipe: Connection) -> None:
    """What the process does: answer requests until there is nobody to answer."""
    kept: dict[str, Any] = {}
    while True:
        try:
            function, arguments = pipe.recv()
        except EOFError:
            return
        answer(pipe, function, arguments, kept)


def answer(pipe: Connection, function: Callable, arguments: tuple, kept: dict[str, Any]) -> None:
    try:
        reply: tuple[str, Any] = ("result", function(kept, *arguments))
    except MemoryError:
        reply = ("error", OutOfMemory())
    except ValueError as error:
        reply = ("error", ValueError(str(error)))
    except Exception as error:
        # With its traceback here, for it does not travel; and by name, as not all can be unpickled.
        logger.exception("%s could not be computed", arguments[0] if arguments else function)
        reply = ("error", Defect(f"{type(error).__name__}: {error}"))
    pipe.send(reply)


class Defect(Exception):
    """A defect of what was computed, with its name and its words."""


def settle(parent: int, memory_mb: int) -> None:
    """Make a forked worker a process that only computes."""
    # The worker ends it; signals to the whole group are the worker's to answer.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it died in between
            os._exit(1)
        with suppress(OSError):  # where memory runs out, this process is the one to go
            Path("/proc/self/oom_score_adj").write_text("1000")
    leave_database()
    limit_memory(memory_mb)


def leave_database() -> None:
    """Let go of the worker's connections without a word to the server, which is theirs."""
    for alias in connections:
        wrapper = connections[alias]
        if wrapper.connection is not None and not wrapper.connection.closed:
            os.close(wrapper.connection.fileno())


def limit_memory(megabytes: int) -> None:
    """Allow so many megabytes more than there are now; a request for more is a MemoryError."""
    with suppress(OSError, ValueError):  # not every system counts or limits it
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + megabytes * MEGABYTE,) * 2)
