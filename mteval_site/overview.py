"""Views for operators: their page, and the metrics for Prometheus."""

import hmac

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from mteval_site import measures, state
from mteval_site.version import COMMAND

from . import operators


@never_cache
@login_required
@require_GET
def operator(request: HttpRequest) -> HttpResponse:
    """Show versions, queue, disk, backup, processes, and what needs attention."""
    operators.require_operator(request.user)
    connections = state.connections()
    context = {
        "versions": state.versions(),
        "queues": state.queues(),
        "has_limits": bool(settings.RESOURCE_LIMITS),
        "disk": state.disk(),
        "database": state.database(),
        "backup": state.last_backup(),
        "connections": [(name, connections.get(name, 0)) for name in (*state.PROGRAMS, "others")],
        "n_connections": sum(connections.values()),
        "has_worker": connections.get(state.WORKER, 0) > 0,
        "migrations": state.pending_migrations(),
        "findings": state.findings(),
        "command": COMMAND,
    }
    return render(request, "mteval_site/operator.html", context)


@never_cache
@require_GET
def prometheus(request: HttpRequest) -> HttpResponse:
    """Return the metrics to clients that send `Authorization: Bearer PROMETHEUS_TOKEN`; 404 to all
    others."""
    expected = f"Bearer {settings.PROMETHEUS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode()
    if not settings.PROMETHEUS_TOKEN or not hmac.compare_digest(given, expected):
        raise Http404("No such page.")
    text, content_type = measures.exposition()
    return HttpResponse(text, content_type=content_type)
