"""A check in every test that sends a request: everything an act writes is written within `acting`,
so that it is stored with its row in the log or not at all."""

import re
from contextvars import ContextVar

from django.db import connection
from django.http import HttpRequest

from judgments.web.audit import middleware, recorder
from judgments.web.audit.words import TAKEN

WRITES = re.compile(
    r"(?<!FOR )(?<!KEY )\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)"
    r"|\b(judgments_erase|judgments_delete_campaign)\("
)
# The log itself, counts of attempts, sessions, and when a token was last used.
BESIDE = {"judgments_act", "judgments_refusals", "judgments_attempts", "django_session"}
LAST_USED = 'UPDATE "judgments_apitoken" SET "last_used_at"'
# Writes outside of acts: each test must leave this empty (conftest.py), also one whose page has
# answered with 500.
violations: list[str] = []
# Of this thread: a live server's threads may share a connection, including the watching wrapper.
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class WatchedActs(middleware.AuditMiddleware):
    def __call__(self, request):
        token = _request.set(request)
        try:
            with connection.execute_wrapper(watch):
                return super().__call__(request)
        finally:
            _request.reset(token)


def watch(execute, sql, params, many, context):
    act = getattr(_request.get(), "act", None)
    if act is not None and is_outside(act) and writes(str(sql)):
        violations.append(f"{act.name} writes outside of an act: {str(sql)[:300]}")
        raise AssertionError(violations[-1])
    return execute(sql, params, many, context)


def writes(sql: str) -> bool:
    """Return whether a statement may write an act."""
    found = WRITES.search(sql)
    return bool(found) and found[1] not in BESIDE and not sql.startswith(LAST_USED)


def is_outside(act: recorder.Draft) -> bool:
    """Return whether the current write belongs to an act and is not recorded with it. In the admin
    Django writes; judgments.web.audit.model_admins records it."""
    if act.is_open or act.is_recorded or act.name.startswith("admin:"):
        return False
    return act.name not in recorder.COMING_IN | TAKEN
