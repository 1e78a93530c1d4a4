#!/usr/bin/env python
"""Django's command line. `./run manage COMMAND` calls it inside the right environment."""

import contextlib
import os
import sys
from collections.abc import Iterator


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    # The name of this program for PostgreSQL, by which the operator's page knows its processes.
    is_worker = sys.argv[1:2] == ["db_worker"]
    os.environ.setdefault("PGAPPNAME", "mteval worker" if is_worker else "mteval command")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    from judgments.web.audit import commands

    try:
        if commands.is_recorded(sys.argv):
            import django

            django.setup()
            with database_of(sys.argv[1]), commands.recorded(sys.argv):
                execute_from_command_line(sys.argv)
        else:
            execute_from_command_line(sys.argv)
    except OperationalError:
        from mteval_site import checks

        if not checks.embedded_database_is_down():
            raise
        sys.exit(f"The embedded database is not running. {checks.START}")


@contextlib.contextmanager
def database_of(command: str) -> Iterator[None]:
    """These two work while the site is stopped, and are recorded then, too."""
    if command not in {"backup", "restore"}:
        yield
        return
    from mteval_site.backup import BackupProblem, server

    try:
        with server.running():
            yield
    except BackupProblem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
