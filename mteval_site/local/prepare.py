"""The part of a start that needs Django: migrations, static files, demo, in one process.

Reports to the parent with one JSON object per line on standard output. The parent starts it when
`upkeep` sees that something has changed.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mteval_site.local import upkeep


def main(arguments: list[str]) -> None:
    report = sys.stdout
    sys.stdout = sys.stderr  # output of commands belongs in the log

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
    if "--static-files" in arguments:  # of a running site (mteval_site/local/readiness.py)
        step("static files", collect_static)
        return
    step("migrations", migrate)
    step("static files", collect_static)
    if "--no-demo" not in arguments:
        step("demo", load_demo)
        tell(**demo_facts())


def migrate() -> str:
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        # Not by `migrate`, which fails on a database that is too old before it checks anything.
        call_command("check", "--tag", "database", "--database", "default")
        call_command("migrate", interactive=False, verbosity=1)
    # If both are the second role, the site of another machine migrates.
    if settings.WEB_DATABASE is not None and (
        settings.WEB_DATABASE["USER"] != settings.DATABASE_OWNER
    ):
        call_command("grant_web_role")
    return f"{len(plan)} applied" if plan else "up to date"


def collect_static() -> str:
    """Collect static files if one was added, removed or changed since the last time, or a collected
    one is missing."""
    from django.conf import settings
    from django.core.management import call_command

    stamp = Path(settings.STATIC_ROOT) / "collected"
    now = upkeep.static_state(settings)
    if stamp.exists() and stamp.read_text() == now and not upkeep.missing_static(settings):
        return "up to date"
    call_command("collectstatic", interactive=False, verbosity=1)
    stamp.write_text(now)
    return "collected"


def load_demo() -> str:
    from django.conf import settings
    from django.core.management import call_command
    from django.utils.module_loading import import_string

    recorded = import_string(settings.COMMAND_RECORDER)
    with recorded(["manage.py", "load_demo"]):
        return call_command("load_demo")


def demo_facts() -> dict:
    """Return the demo's test set, and (user name, password, role) of its accounts."""
    from mteval_site.demo_accounts import SIGN_INS, TEST_SET

    return {"demo": TEST_SET, "sign_ins": SIGN_INS}


if __name__ == "__main__":
    main(sys.argv[1:])
