"""Watch of a project, and its tables as CSV."""

from typing import NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from judgments.files.attachments import CSV, attachment
from judgments.models import Campaign, Project
from judgments.people import access
from judgments.quality.projects import page as pages
from judgments.quality.projects.tasks import ask_for_verdicts
from judgments.results.exports import table_file
from judgments.results.projects.pages import project_pages
from judgments.web.list_form import ListForm


class SearchedProject(NamedTuple):
    """n_watched: how many campaigns the reader may watch; shown: the requested ones; readable:
    numbers of those whose results the reader may read."""

    project: Project
    list_form: ListForm
    n_watched: int
    shown: pages.WatchedProject
    readable: set[int]


def asked_for(request, project: str) -> SearchedProject:
    """Return the project's campaigns that match the request. Raise Http404 for a project that the
    user may not see."""
    found = access.readable_project(request.user, project)
    readable, _ = access.campaigns_of_project(request.user, found)
    watched = access.watched_campaigns(request.user, found, readable)
    list_form = ListForm(request.GET)
    asked = list_form.of(Campaign.objects.filter(pk__in=[campaign.pk for campaign in watched]))
    wanted = set(asked.values_list("pk", flat=True))
    shown = pages.watched([campaign for campaign in watched if campaign.pk in wanted])
    return SearchedProject(
        found, list_form, len(watched), shown, {campaign.pk for campaign in readable}
    )


@never_cache
@login_required
@require_GET
def project_watch(request, project):
    asked = asked_for(request, project)
    found, watched = asked.project, asked.shown
    if watched.whole.n_judged:
        ask_for_verdicts(found.pk)
    context = {
        "project": found,
        "pages": project_pages(),
        "tab": pages.PAGE.slug,
        "may_manage": access.may_manage_project(request.user, found),
        "n_hidden": found.joined.count() - asked.n_watched,
        "n_watched": asked.n_watched,
        "list_form": asked.list_form,
        "query": request.GET.urlencode(),
        "watched": watched,
        "sentence": pages.sentence(watched),
        "tables": [make(watched, asked.readable) for make in pages.TABLES.values()],
        "now": timezone.now(),
    }
    return render(request, "judgments/quality/project_watch.html", context)


@never_cache
@login_required
@require_GET
def project_watch_file(request, project, table):
    asked = asked_for(request, project)
    found, watched = asked.project, asked.shown
    if table not in pages.TABLES:
        raise Http404("There is no such table.")
    made = pages.TABLES[table](watched, asked.readable)
    address = request.build_absolute_uri(reverse("project-watch", args=[found.slug]))
    content = table_file(made, pages.sentence(watched), address)
    return attachment(content, CSV, f"{found.slug}-watch-{table}.csv")
