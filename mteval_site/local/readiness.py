"""Whether the running site serves, asked all the time, and what is repaired when it does not."""

import re
import select
import socket
import time
from collections.abc import Callable, Sequence

from mteval_site.local import web
from mteval_site.local.parts import DatabasePart, Part, say
from mteval_site.local.processes import Child

ASK_EVERY, PATIENCE = 2.0, 10.0  # seconds between questions, and for an answer
UNREADY_SECONDS = 30.0  # after which something is started again; doubles while that does not help
LONGEST_UNREADY = 600.0
COLLECT_EVERY = 30.0  # seconds between attempts
STATUS = re.compile(rb"HTTP/1\.\d (\d{3}) ")
# As mteval_site/health.py has them, which cannot be imported without Django.
NO_DATABASE = "the database does not answer"
NO_STATIC_FILES = "static files are missing"
NO_DISK = "the disk is full or cannot be written"
NO_ANSWER = "the web server does not answer"


class HealthRequest:
    """One request for /health/ready/, which keeps nobody waiting."""

    def __init__(self, host: str, port: int) -> None:
        self.until = time.monotonic() + PATIENCE
        self.received = b""
        self.is_sent = False
        name = web.nearest(host)
        self.socket = socket.socket(socket.AF_INET6 if ":" in name else socket.AF_INET)
        self.socket.setblocking(False)
        self.socket.connect_ex((name, port))

    def look(self) -> tuple[int, str] | None:
        """Return status and text once they are there; 0 where none will come."""
        if time.monotonic() > self.until:
            return self._end(0, NO_ANSWER)
        try:
            if not self.is_sent and select.select([], [self.socket], [], 0)[1]:
                self.socket.sendall(b"GET /health/ready/ HTTP/1.0\r\n\r\n")
                self.is_sent = True
            while self.is_sent:
                piece = self.socket.recv(65_536)
                self.received += piece
                if not piece:
                    return self._read()
        except BlockingIOError:
            pass
        except OSError:
            return self._end(0, NO_ANSWER)
        return None

    def _read(self) -> tuple[int, str]:
        status = STATUS.match(self.received)
        if status is None:
            return self._end(0, NO_ANSWER)
        text = self.received.partition(b"\r\n\r\n")[2].decode(errors="replace")
        return self._end(int(status[1]), text.strip())

    def _end(self, status: int, text: str) -> tuple[int, str]:
        self.socket.close()
        return status, text


class Readiness:
    """`look` is called again and again, and never waits for long.

    collect: starts a process that collects the static files again.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        ask: Callable[[], HealthRequest],
        collect: Callable[[], Child],
    ) -> None:
        self.parts = parts
        self.ask = ask
        self.collect = collect
        self.question: HealthRequest | None = None
        self.next_question = 0.0
        self.collecting: Child | None = None
        self.next_collecting = 0.0
        self.unready_since: float | None = None
        self.patience = UNREADY_SECONDS

    def look(self) -> None:
        now = time.monotonic()
        if self.collecting is not None and self.collecting.ended:
            self._collected(self.collecting)
        if self.question is None and now >= self.next_question:
            self.question = self.ask()
        answer = self.question.look() if self.question else None
        if answer:
            self.question, self.next_question = None, now + ASK_EVERY
            self._heard(*answer, now)

    def _heard(self, status: int, text: str, now: float) -> None:
        if status == 200:
            self.unready_since, self.patience = None, UNREADY_SECONDS
            return
        if self.collecting is not None or any(part.is_away for part in self._needed()):
            self.unready_since = None  # something is being done about it
            return
        self.unready_since = self.unready_since or now
        if text == NO_STATIC_FILES and now >= self.next_collecting:
            say("Static files are missing; collecting them again.")
            self.next_collecting = now + COLLECT_EVERY
            self.collecting = self.collect()
        elif now - self.unready_since >= self.patience:
            self._start_again(text, self.patience)
            self.unready_since = None
            self.patience = min(2 * self.patience, LONGEST_UNREADY)

    def _collected(self, child: Child) -> None:
        """The web server reads the list of the files when it starts."""
        self.collecting = None
        if child.process.returncode:
            say(f"Static files could not be collected; {child.log} says why.")
        else:
            self._web().retire()

    def _start_again(self, text: str, seconds: float) -> None:
        """What may help; nothing does where there is no room, migrations are to be applied, or
        another one's database is away."""
        part: Part | None = None if text == NO_DISK or "migrations" in text else self._web()
        if text == NO_DATABASE:
            part = self._database()
            if part is not None and part.cluster.takes_connections():
                part = self._web()
        what = f"starting the {part.name} again" if part else "this needs a person"
        say(f"The site has not been ready for {seconds:.0f} s ({text}); {what}.")
        if part is not None:
            part.retire()

    def _needed(self) -> list[Part]:
        """Return the parts without which the site is not ready."""
        return [part for part in (self._database(), self._web()) if part is not None]

    def _web(self) -> Part:
        return next(part for part in self.parts if part.name == "web server")

    def _database(self) -> DatabasePart | None:
        return next((part for part in self.parts if isinstance(part, DatabasePart)), None)
