"""Kept connections are looked at before they are asked.

With CONN_HEALTH_CHECKS Django sends `SELECT 1` before the first statement of every request: a way
to the server and back that a request on a judging page notices. A server that ends a connection,
because it stops, crashes or is told to, says so on the socket, where nothing else arrives while
nobody asks; so a look at the socket is enough. Only after some seconds of silence is the server
asked, as Django does: hosts and firewalls between may have forgotten the connection without a word.
"""

import select
import time

from django.db.backends.postgresql import base

SILENT_SECONDS = 5.0


class DatabaseWrapper(base.DatabaseWrapper):
    health_check_done: bool
    asked_at = float("-inf")  # on the clock of `time.monotonic`

    def close_if_health_check_failed(self):
        now = time.monotonic()
        is_fresh = now - self.asked_at < SILENT_SECONDS
        self.asked_at = now
        is_due = self.connection is not None and not self.health_check_done
        if is_due and is_fresh and is_quiet(self.connection):
            self.health_check_done = True
            return
        super().close_if_health_check_failed()


def is_quiet(connection) -> bool:
    """Whether a connection of the driver is open and nothing has arrived that nobody asked for:
    that the server has ended it, or a notice."""
    if connection.closed:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return not poll.poll(0)
