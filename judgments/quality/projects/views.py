"""Watch of a project, and its tables as CSV."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from judgments.people import access
from judgments.quality.projects import page as pages
from judgments.quality.projects.tasks import ask_for_verdicts
from judgments.results.exports import table_file
from judgments.results.projects.pages import project_pages


def _asked(request, project):
    """Return the project, what of it the reader may watch, and the campaigns that they may read."""
    found = access.readable_project(request.user, project)
    readable, _ = access.campaigns_of_project(request.user, found)
    watched = access.watched_campaigns(request.user, found, readable)
    return found, pages.watched(watched), {campaign.pk for campaign in readable}


@never_cache
@login_required
@require_GET
def project_watch(request, project):
    found, watched, readable = _asked(request, project)
    if watched.whole.n_judged:
        ask_for_verdicts(found.pk)
    context = {
        "project": found,
        "pages": project_pages(),
        "tab": pages.PAGE.slug,
        "may_manage": access.may_manage_project(request.user, found),
        "n_hidden": found.joined.count() - len(watched.of),
        "watched": watched,
        "sentence": pages.sentence(watched),
        "tables": [make(watched, readable) for make in pages.TABLES.values()],
        "now": timezone.now(),
    }
    return render(request, "judgments/quality/project_watch.html", context)


@never_cache
@login_required
@require_GET
def project_watch_file(request, project, table):
    found, watched, readable = _asked(request, project)
    if table not in pages.TABLES:
        raise Http404("There is no such table.")
    made = pages.TABLES[table](watched, readable)
    address = request.build_absolute_uri(reverse("project-watch", args=[found.slug]))
    content = table_file(made, pages.sentence(watched), address)
    response = HttpResponse(content.encode(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.slug}-watch-{table}.csv"'
    return response
