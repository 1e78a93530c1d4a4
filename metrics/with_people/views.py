"""Metrics against the people of a project's campaigns: averages over tasks.

A worker computes each campaign's contribution, once somebody has requested it by POST; the page
shows its progress, and the averages when everything is computed.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from judgments.files.attachments import CSV, attachment
from judgments.models import Campaign, Project
from judgments.people import access
from judgments.results import exports
from judgments.results.projects.pages import project_pages
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.audit.acting import acting
from judgments.web.heavy import heavy
from metrics import with_people as agreement
from metrics.scoring import task_state as queued
from metrics.with_people import average_tables
from metrics.with_people.board import Board
from metrics.with_people.project_page import PAGE

from . import tasks as with_people_tasks


@dataclass(frozen=True)
class Chosen:
    """The campaigns of a project that the reader may see, and the `n_hidden` others. `tasks`,
    `selections`, `boards`: contributions of the computed ones, and their judgments and scores;
    `by`: the statistic for clusters of metrics; the other campaigns are `lacking`, `failed`,
    `coming` (queued) or `missing` (not requested)."""

    project: Project
    campaigns: list[Campaign]
    n_hidden: int
    preset: str
    by: str
    selections: list[Selection] = field(default_factory=list)
    tasks: list[agreement.Tasks] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    lacking: list[Campaign] = field(default_factory=list)
    failed: list[Campaign] = field(default_factory=list)
    coming: list[Campaign] = field(default_factory=list)
    missing: list[Campaign] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        return bool(self.campaigns) and not self.coming and not self.missing

    @property
    def query(self) -> str:
        by = [("by", self.by)] if self.by != agreement.BY[0] else []
        return urlencode([("preset", self.preset), *by])

    @property
    def address(self) -> str:
        return f"{reverse('project-metrics', args=[self.project.slug])}?{self.query}"


@login_required
@require_http_methods(["GET", "POST"])
def project_metrics(request, project):
    """Return the page; for htmx, the part that waits for a worker. POST queues what is not computed
    yet."""
    if request.method == "POST":
        chosen = chosen_of(request.user, project, request.POST)
        with acting(request):
            for campaign in chosen.missing + chosen.failed:
                with_people_tasks.run_agreement.enqueue(campaign.pk, chosen.preset)
        return redirect(chosen.address)
    chosen = chosen_of(request.user, project, request.GET)
    context: dict[str, Any] = {
        "project": chosen.project,
        "n_hidden": chosen.n_hidden,
        "pages": project_pages(),
        "tab": PAGE.slug,
        "may_manage": access.may_manage_project(request.user, chosen.project),
        "presets": {key: _(preset.name) for key, preset in agreement.PRESETS.items()},
        "preset": chosen.preset,
        "statistics": {key: _(agreement.COMPARED[key].name) for key in agreement.BY},
        "by": chosen.by,
        "found": chosen,
        "shared": shared_test_sets(chosen.campaigns),
    }
    if chosen.is_done:
        averages = agreement.averages_of(chosen.tasks)
        context |= {
            "sentence": average_tables.average_lead(averages),
            "chart": average_tables.average_chart(averages),
            "averages": average_tables.average_table(averages),
        }
        context |= many_context(chosen)
    is_fragment = request.headers.get("HX-Request") == "true"
    name = "_averages" if is_fragment else "project_metrics"
    return render(request, f"metrics/{name}.html", context)


def many_context(chosen: Chosen) -> dict[str, Any]:
    """Return the metrics of all campaigns with their clusters, and the systems of each."""
    if not chosen.tasks:
        return {}
    found = metrics_of(chosen)
    return {
        "many_lead": agreement.many_lead(found),
        "many": agreement.many_table(found, chosen.by),
        "systems": [
            agreement.systems_by_metrics(selection, chosen.preset, board)
            for selection, board in zip(chosen.selections, chosen.boards, strict=True)
        ],
    }


def metrics_of(chosen: Chosen) -> list[agreement.CampaignMetrics]:
    return [
        agreement.campaign_metrics(selection, chosen.preset, board, chosen.by)
        for selection, board in zip(chosen.selections, chosen.boards, strict=True)
    ]


@login_required
@require_GET
@heavy
def project_metrics_file(request, project):
    """Return the averages, or with `table=metric-many` the clusters of metrics, as CSV, once a
    worker has computed them; the last column says which judgments they use."""
    chosen = chosen_of(request.user, project, request.GET)
    if not chosen.is_done:
        raise Http404(_("The averages are not computed yet."))
    if request.GET.get("table") == "metric-many":
        table = agreement.many_table(metrics_of(chosen), chosen.by)
    else:
        table = average_tables.average_table(agreement.averages_of(chosen.tasks))
    said = "; ".join(f"{each.campaign.name}: {each.sentence}" for each in chosen.selections)
    text = exports.table_file(table, said, request.build_absolute_uri(chosen.address))
    return attachment(text, CSV, f"{table.slug}.csv")


def chosen_of(user, slug: str, data: QueryDict) -> Chosen:
    """Return the campaigns of a project, as far as they are computed. Raise Http404 for a project
    that the user may not see."""
    project = access.readable_project(user, slug)
    campaigns, n_hidden = access.campaigns_of_project(user, project)
    asked = data.get("preset", "")
    preset = asked if asked in agreement.PRESETS else "page"
    by = data.get("by", "")
    by = by if by in agreement.BY else agreement.BY[0]
    found = Chosen(project, campaigns, n_hidden, preset, by)
    for campaign in found.campaigns:
        selection = Selection.of(campaign)
        board = agreement.board_of(campaign.test_set)
        if not board.table.columns or not agreement.is_judged(selection):
            found.lacking.append(campaign)
        elif agreement.is_ready(selection, preset, board):
            found.selections.append(selection)
            found.tasks.append(agreement.preset_tasks(selection, preset, board))
            found.boards.append(board)
        elif with_people_tasks.is_agreement_coming(campaign.pk, preset):
            found.coming.append(campaign)
        elif queued.has_failed(with_people_tasks.run_agreement, campaign.pk, preset):
            found.failed.append(campaign)
        else:
            found.missing.append(campaign)
    return found


def shared_test_sets(campaigns: list[Campaign]) -> list[str]:
    """Return a warning for every test set that several of the campaigns judged."""
    n = Counter(campaign.test_set_id for campaign in campaigns)
    names: dict[int, list[str]] = {}
    for campaign in campaigns:
        if n[campaign.test_set_id] > 1:
            names.setdefault(campaign.test_set_id, []).append(campaign.name)
    return [
        _(
            "%(names)s judged one test set: the same outputs and metric scores count "
            "%(n)s times in the averages."
        )
        % {"names": counted.names(each), "n": len(each)}
        for each in names.values()
    ]
