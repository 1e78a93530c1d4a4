"""Log lines: plain or JSON, each with its request, none with people's texts or tokens.

URLs are left out because those of invitations and personal links are keys; the URL name is logged
instead. An exception is logged with its type and traceback; with its message only if messages are
about code and machines, since others quote the values that were sent.
"""

import json
import logging
import re
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

QUOTED = re.compile(r"'(?:[^']|'')*'")
LONGEST_SQL = 2000


@dataclass
class Trace:
    """One request, and its database cost so far."""

    request_id: str
    path: str = ""
    n_statements: int = 0
    sql_seconds: float = 0.0


trace: ContextVar[Trace | None] = ContextVar("trace", default=None)


class Cleaner(logging.Filter):
    """Removes URLs from Django's and gunicorn's messages on a request, and adds its id."""

    def filter(self, record: logging.LogRecord) -> bool:
        if hasattr(record, "request_id"):  # another handler's filter was here
            return True
        current = trace.get()
        request = getattr(record, "request", None)
        # Django reports its answer when the request has passed all middleware.
        known = current.request_id if current else getattr(request, "request_id", "")
        record.request_id = known
        if hasattr(request, "resolver_match"):
            record.msg, record.args = about(record, request), ()
        elif record.name.startswith("gunicorn") and isinstance(record.msg, str):
            for start in ("Invalid request", "Error handling request", "Ignoring"):
                if record.msg.startswith(start):
                    record.msg, record.args = start, ()
        elif current and len(current.path) > 1 and current.path in record.getMessage():
            record.msg = record.getMessage().replace(current.path, "(address)")
            record.args = ()
        return True


def about(record: logging.LogRecord, request: Any) -> str:
    """Return the status and the kind of request; for a rejected form, why."""
    status = getattr(record, "status_code", "") or record.levelname
    said = f"{status} {request.method} {name_of(request)}"
    if record.name == "django.security.csrf" and record.args:
        reason = record.args[0] if isinstance(record.args, tuple) else ""
        said += f": {str(reason).partition(' - ')[0]}"
    return said


def name_of(request: Any) -> str:
    """Return the name of the requested URL."""
    match = request.resolver_match
    return (match.view_name if match else "") or "(no such page)"


class Formatter(logging.Formatter):
    """A plain-text line."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        # Not the text that another, more verbose formatter has stored on the record.
        record.exc_text = None
        text = super().format(record)
        facts = getattr(record, "facts", None) or {}
        if request_id := getattr(record, "request_id", ""):
            facts = facts | {"request_id": request_id}
        head, line_break, rest = text.partition("\n")
        pairs = "".join(f" {name}={value}" for name, value in facts.items())
        return head + pairs + line_break + rest

    def formatException(self, ei: Any) -> str:
        return "\n".join(traceback_lines(ei[1]))


class JSONFormatter(Formatter):
    """A line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := getattr(record, "request_id", ""):
            line["request_id"] = request_id
        line |= getattr(record, "facts", None) or {}
        if record.exc_info and record.exc_info[1] is not None:
            line["traceback"] = "\n".join(traceback_lines(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=False, default=str)


def traceback_lines(problem: BaseException | None) -> list[str]:
    """Return an exception with its causes, the first one first."""
    if problem is None:
        return []
    earlier = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)
    frames = "".join(traceback.format_tb(problem.__traceback__)).rstrip()
    kind = type(problem)
    said = f"{kind.__module__}.{kind.__qualname__}{details_of(problem)}"
    before = [*traceback_lines(earlier), "which led to"] if earlier else []
    return [*before, "Traceback (most recent call last):", *([frames] if frames else []), said]


def details_of(problem: BaseException) -> str:
    """Return the first line of a message that cannot quote sent values; else an empty text."""
    if type(problem).__module__ == "smtplib":  # an OSError, but one that quotes addresses
        code = getattr(problem, "smtp_code", None)
        return f": {code}" if code else ""
    lines = str(problem).strip().splitlines() if isinstance(problem, tuple(speaking())) else []
    return f": {lines[0][:300]}" if lines else ""


def speaking() -> Iterator[type[BaseException]]:
    from django.core.exceptions import ImproperlyConfigured
    from django.db import InterfaceError, OperationalError
    from django.template import TemplateDoesNotExist

    yield from (ImportError, AttributeError, NameError, TypeError, OSError, MemoryError)
    yield from (RecursionError, NotImplementedError, AssertionError, ImproperlyConfigured)
    yield from (OperationalError, InterfaceError, TemplateDoesNotExist)


def without_values(sql: Any) -> str:
    """Return a statement as prepared, without the texts written into it."""
    text = sql.decode(errors="replace") if isinstance(sql, bytes) else str(sql)
    return QUOTED.sub("'…'", text)[:LONGEST_SQL]


def configuration(layout: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: everything goes to standard error, through the cleaner."""
    formatter = (
        "mteval_site.logs.JSONFormatter" if layout == "JSON" else "mteval_site.logs.Formatter"
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"clean": {"()": "mteval_site.logs.Cleaner"}},
        "formatters": {"line": {"()": formatter}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["clean"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        # Instead of Django's own: mail to administrators contains the whole form that was sent.
        "loggers": {"django": {"handlers": [], "level": "NOTSET", "propagate": True}},
    }
