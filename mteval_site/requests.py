"""What every request passes first: its id, its line in the log, its place in the metrics."""

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, HttpResponse

from mteval_site import logs, measures

requests = logging.getLogger("mteval.requests")
statements = logging.getLogger("mteval.slow")
# What proxies send; anything else could write into the log.
GIVEN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


def traced(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Return middleware, the first: `request.request_id`, X-Request-ID in the answer, a line of
    INFO."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if GIVEN_ID.fullmatch(given) else uuid.uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        current = logs.Trace(request_id, request.path)
        token = logs.trace.set(current)
        started = time.perf_counter()
        status = 500
        try:
            response = get_response(request)
            status = response.status_code
            response["X-Request-ID"] = request_id
            return response
        finally:
            tell(request, status, time.perf_counter() - started, current)
            logs.trace.reset(token)

    return middleware


def tell(request: HttpRequest, status: int, seconds: float, current: logs.Trace) -> None:
    """To the log and to the metrics, where they are wanted."""
    if settings.PROMETHEUS_TOKEN:
        measures.observe(logs.name_of(request), request.method or "", status, seconds)
    if not requests.isEnabledFor(logging.INFO):
        return
    # Only a user that the request has asked for; the log does not ask the database.
    user = vars(request).get("_cached_user")
    facts = {
        "method": request.method,
        "view": logs.name_of(request),
        "status": status,
        "ms": round(1000 * seconds, 1),
        "sql": current.n_statements,
        "sql_ms": round(1000 * current.sql_seconds, 1),
        "user": getattr(user, "pk", None),
    }
    requests.info("request", extra={"facts": facts})


def time_statements(connection: BaseDatabaseWrapper, **named: object) -> None:
    """Receiver of `connection_created`: all statements of the connection are timed."""
    if timed not in connection.execute_wrappers:
        connection.execute_wrappers.append(timed)


def timed(execute: Callable, sql: Any, params: Any, many: bool, context: dict) -> Any:
    """Run a statement; one that takes SLOW_QUERY_MS or longer is logged, without its values."""
    started = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        seconds = time.perf_counter() - started
        current = logs.trace.get()
        if current is not None:
            current.n_statements += 1
            current.sql_seconds += seconds
        if 0 < settings.SLOW_QUERY_MS <= 1000 * seconds:
            facts = {"ms": round(1000 * seconds, 1), "sql": logs.without_values(sql)}
            statements.warning("slow statement", extra={"facts": facts})
