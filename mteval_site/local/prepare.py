"""The part of a start that needs Django: migrations, static files, demo, in one process.

Reports to the parent with one JSON object a line on standard output.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path


def main(arguments: list[str]) -> None:
    report = sys.stdout
    sys.stdout = sys.stderr  # what commands print belongs into the log

    def tell(**facts: object) -> None:
        print(json.dumps(facts), file=report, flush=True)

    def step(name: str, action: Callable[[], str]) -> None:
        started = time.monotonic()
        note = action()
        tell(step=name, seconds=time.monotonic() - started, note=note)

    started = time.monotonic()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    import django

    django.setup()
    tell(step="application", seconds=time.monotonic() - started, note="")
    step("migrations", migrate)
    step("static files", collect_static)
    if "--no-demo" not in arguments:
        step("demo", load_demo)
        tell(sign_ins=sign_ins())


def migrate() -> str:
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        call_command("migrate", interactive=False, verbosity=1)
    if settings.EMBEDDED_DATABASE:
        requeue_tasks()
    return f"{len(plan)} applied" if plan else "up to date"


def requeue_tasks() -> None:
    """Tasks that a killed worker has left behind start again.

    Only right where no other worker can be at work: on the embedded database, before our own.
    """
    from django_tasks_db.models import DBTaskResult

    DBTaskResult.objects.running().update(status="READY", started_at=None)


def collect_static() -> str:
    """Collect when a static file has come, gone or changed since the last time."""
    from django.conf import settings
    from django.core.management import call_command

    stamp = Path(settings.STATIC_ROOT) / "collected"
    now = static_fingerprint()
    if stamp.exists() and stamp.read_text() == now:
        return "up to date"
    call_command("collectstatic", interactive=False, verbosity=1)
    stamp.write_text(now)
    return "collected"


def static_fingerprint() -> str:
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders

    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            status = os.stat(storage.path(path))
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def load_demo() -> str:
    from django.core.management import call_command, get_commands

    if "load_demo" not in get_commands():
        return "none"
    return call_command("load_demo") or "loaded"


def sign_ins() -> list[list[str]]:
    """(user name, password, role) of the people in the demo."""
    try:
        from judgments.demo import SIGN_INS
    except ImportError:
        return []
    return [[str(part) for part in entry] for entry in SIGN_INS]


if __name__ == "__main__":
    main(sys.argv[1:])
