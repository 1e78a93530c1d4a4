"""The database for the duration of a command: the running one, or the embedded one, started for
it."""

import contextlib
import os
from collections.abc import Iterator

from django.conf import settings
from django.db import connection

from mteval_site import environment
from mteval_site.backup import BackupProblem
from mteval_site.checks import embedded_database_is_down
from mteval_site.local import postgres, stack
from mteval_site.local.errors import ServerError


@contextlib.contextmanager
def running() -> Iterator[None]:
    """Start and stop the embedded database around the block if the site is stopped."""
    if not embedded_database_is_down():
        yield
        return
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    lock = None
    cluster = postgres.Cluster(settings.VAR_DIR / "postgres")
    try:
        lock, _ = stack.take_lock(settings.VAR_DIR / "run.lock", 0)
        cluster.start()
        # The settings were read before the server had its socket.
        connection.settings_dict.update(environment.database(cluster.url()))
        yield
    except (stack.StartProblem, ServerError) as problem:
        raise BackupProblem(str(problem)) from None
    finally:
        connection.close()
        cluster.stop(patience=30)
        if lock is not None:
            os.ftruncate(lock, 0)  # as `./run` does when it was stopped in order
            os.close(lock)
