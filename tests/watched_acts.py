"""A gate in every test that sends a request: whatever an act writes, it writes within `acting`, so
that it is stored with its row in the log or not at all."""

import re

from django.db import connection

from judgments.audit import middleware, recorder
from judgments.audit.words import TAKEN

WRITES = re.compile(r"\s*(INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)")
# The log itself, what counts how often somebody tries, sessions, and when a token was last used.
BESIDE = {"judgments_act", "judgments_refusals", "judgments_attempts", "django_session"}
LAST_USED = re.compile(r'UPDATE "judgments_apitoken" SET "last_used_at"')


class WatchedActs(middleware.AuditMiddleware):
    def __call__(self, request):
        def watch(execute, sql, params, many, context):
            found = WRITES.match(str(sql))
            is_beside = found and (found[2] in BESIDE or LAST_USED.match(str(sql)))
            if found and not is_beside and is_outside(getattr(request, "act", None)):
                raise AssertionError(f"{request.act.name} writes outside of an act: {sql[:300]}")
            return execute(sql, params, many, context)

        with connection.execute_wrapper(watch):
            return super().__call__(request)


def is_outside(act: recorder.Draft | None) -> bool:
    """Whether what is written now is of an act and not recorded with it. In the admin Django
    writes; judgments.audit.model_admins records it."""
    if act is None or act.is_open or act.is_told or act.name.startswith("admin:"):
        return False
    return act.name not in recorder.COMING_IN | TAKEN
