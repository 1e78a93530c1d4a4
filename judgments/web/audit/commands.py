"""Management commands as acts of the operator: `manage.py` and the start of the site use this."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from judgments.web.audit.facts import KEPT_BACK, SECRET, short

# Commands that change no row, or run for as long as the site. All others are recorded.
READ_ONLY = {
    *("help", "version", "check", "diffsettings", "inspectdb", "showmigrations", "sqlmigrate"),
    *("sqlflush", "sqlsequencereset", "makemigrations", "squashmigrations", "optimizemigration"),
    *("makemessages", "compilemessages", "collectstatic", "findstatic", "spectacular"),
    *("startapp", "startproject", "sendtestemail", "test", "testserver", "runserver"),
    *("db_worker", "verify_judgments"),
}
OPERATOR = "operator"
# What the command that runs has said of itself.
_concerns: ContextVar[dict[str, int] | None] = ContextVar("concerns", default=None)


def is_recorded(arguments: Sequence[str]) -> bool:
    """Return whether a command line (`manage.py` first) may change something."""
    if len(arguments) < 2 or arguments[1].startswith("-") or arguments[1] in READ_ONLY:
        return False
    # `--join` is a process of a command that is recorded.
    return not {"-h", "--help", "--list", "--join"} & set(arguments[2:])


def concerning(row: Any) -> None:
    """Say which campaign or test set the running command is about; nothing without a command."""
    known = _concerns.get()
    if known is not None:
        known[row._meta.model_name] = row.pk


@contextmanager
def recorded(arguments: Sequence[str]) -> Iterator[None]:
    """Record a command: that it begins, and then how it ended.

    What cannot be recorded does not begin. A database without the log's table, as before the first
    migration or a restored backup, gets the second row only.
    """
    # Two rows, each stored at once: many commands store their work in steps, and one that is
    # killed should not have left no trace.
    known: dict[str, int] = {}
    token = _concerns.set(known)
    if log_exists():
        _write(arguments, "begun", known)
    try:
        yield
    except BaseException as problem:
        ended_well = isinstance(problem, SystemExit) and problem.code in (0, None)
        if log_exists():
            _write(arguments, "done" if ended_well else "failed", known)
        raise
    else:
        if log_exists():
            _write(arguments, "done", known)
    finally:
        _concerns.reset(token)


def log_exists() -> bool:
    from django.db import connection

    from judgments.models import Act

    return Act._meta.db_table in connection.introspection.table_names()


def _write(arguments: Sequence[str], result: str, known: dict[str, int]) -> None:
    from judgments.models import Act

    Act.objects.create(
        account=system_account()[:150],
        role=OPERATOR,
        act=f"manage.py {arguments[1]}"[:100],
        result=result,
        campaign=known.get("campaign"),
        test_set=known.get("testset"),
        facts={"arguments": shown(arguments[2:])},
    )


def shown(arguments: Sequence[str]) -> list[str]:
    """Return the arguments, without the values of those that are secret by their names."""
    found: list[str] = []
    hide = False
    for argument in arguments:
        name, equals, _value = argument.partition("=")
        secret = name.startswith("-") and bool(SECRET.search(name))
        found.append(
            KEPT_BACK if hide else f"{name}={KEPT_BACK}" if secret and equals else short(argument)
        )
        hide = secret and not equals
    return found


def system_account() -> str:
    """Return the user of the operating system, and on whose behalf, where `sudo` says so."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a number without a name, as in a container
        name = f"user {os.getuid()}"
    behind = os.environ.get("SUDO_USER")
    return f"{behind} as {name}" if behind and behind != name else name
