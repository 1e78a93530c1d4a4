"""A campaign while it is judged: a page of parts that refresh themselves."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from judgments.files.csv_files import csv_file
from judgments.judging.notes.notes import notes_of
from judgments.judging.practice import gate
from judgments.models import Campaign, ItemOutput, Status
from judgments.people import access
from judgments.people.states import State, states_of
from judgments.people.workload import progress
from judgments.people.workload.valid import lacking, valid_counts
from judgments.plans.choice import draws_systems
from judgments.protocols import protocol_of
from judgments.quality.rules.figures import FLAGS
from judgments.quality.watch import figures as latest
from judgments.quality.watch import page as pages
from judgments.quality.watch.figures import Latest
from judgments.quality.watch.forms import StateForm
from judgments.quality.watch.tasks import compute_latest
from judgments.results.agreement.page import MEASURES
from judgments.results.scores import page as score_pages
from judgments.results.selection.selection import Selection
from judgments.web.tables import figure

MOST_NOTES = MOST_LACKING = 20
CURVE_AT_ONCE = 50_000  # judged items; more take longer than a fifth of a second
# Figures are no older than this if there is anything new and a worker is free.
AGAIN = timedelta(seconds=20)


@dataclass(frozen=True)
class Shown:
    """``latest``: None while nothing has been computed yet; ``is_old``: a worker was asked for
    newer figures."""

    latest: Latest | None
    is_old: bool


def last_figures(campaign: Campaign, name: str, now: datetime) -> Shown:
    """Return the last figures; for a small campaign compute new ones, for a large one ask a
    worker."""
    found = latest.last(campaign, name)
    if found and (now - found.at < AGAIN or found.mark == latest.mark_of(campaign)):
        return Shown(found, False)
    if latest.is_small(campaign):
        return Shown(latest.compute(campaign, name), False)
    if latest.may_ask(campaign, name):
        compute_latest.enqueue(campaign.pk, name)
    return Shown(found, True)


def counters_part(campaign: Campaign) -> dict[str, Any]:
    now = timezone.now()
    return {"counters": progress.counters(campaign, now), "now": now}


def progress_part(campaign: Campaign) -> dict[str, Any]:
    now = timezone.now()
    counted = progress.counters(campaign, now)
    curve = curve_of(campaign, counted.n_judged, now)
    words = last_figures(campaign, "words", now).latest if counted.n_left else None
    found = progress.forecast(campaign, words.value, now, curve) if words else None
    return {
        "sentence": pages.forecast_sentence(counted, found),
        "chart": pages.progress_chart(curve, counted.n_items) if curve else None,
        "is_planned": bool(counted.n_items),
        "n_judged": counted.n_judged,
        "is_read": curve is not None,
    }


def curve_of(campaign: Campaign, n_judged: int, now: datetime) -> progress.Curve | None:
    """Return the curve of all judgments, or the last one if reading them takes long; None until a
    worker has read them once."""
    if n_judged <= CURVE_AT_ONCE:
        return progress.curve(campaign, now)
    found = last_figures(campaign, "curve", now).latest
    return found.value if found else None


def valid_part(campaign: Campaign) -> dict[str, Any]:
    shown = last_figures(campaign, "coverage", timezone.now())
    return {
        "shown": shown,
        "coverage": shown.latest.value if shown.latest else None,
        "valid": valid_counts(campaign),
        "rows": list(lacking_rows(lacking(campaign)[:MOST_LACKING])),
    }


def lacking_rows(found: QuerySet[ItemOutput]) -> Iterator[tuple]:
    """Yield (document, segment, system, batch, seat, why) for each."""
    columns = ("document__name", "key")
    rows = found.values_list(
        *(f"output__segment__{name}" for name in columns),
        *("output__system__name", "item__task__batch", "item__task__seat", "item__is_judged"),
    )
    for *row, is_judged in rows.iterator():
        yield (*row, "judged by somebody left out" if is_judged else "not judged yet")


def annotators_part(campaign: Campaign) -> dict[str, Any]:
    now = timezone.now()
    shown = last_figures(campaign, "annotators", now)
    figures = shown.latest.value if shown.latest else latest.AnnotatorFigures()
    rows = progress.watched_rows(campaign, now)
    known = states_of(campaign)
    names = dict(
        campaign.memberships.filter(user__in=[each.by for each in known.values()]).values_list(
            "user", "alias"
        )
    )
    for row in rows:
        user = row["user_id"]
        row["flags"] = [str(FLAGS[flag]) for flag in figures.flags.get(user, ())]
        row["verdict"] = figures.verdicts.get(user, "")
        mean, n_shared = figures.agreement.get(user, (float("nan"), 0))
        row["agreement"], row["n_shared"] = figure(mean, 2), n_shared
        state = row["state"] = known.get(user, State())
        row["state_by"] = names.get(state.by, "an owner") if state.by else "the rule"
        row["form"] = StateForm(state.name, prefix=f"state-{row['pk']}")
    return {
        "rows": rows,
        "shown": shown,
        "measure": MEASURES.get(figures.measure, ""),
        "gate": gate.gate_of(campaign),
        "tested": Counter(result for _, result, *_ in gate.results_of(campaign)).items(),
    }


def ranks_part(campaign: Campaign) -> dict[str, Any]:
    shown = last_figures(campaign, "ranks", timezone.now())
    figures = shown.latest.value if shown.latest else latest.RankFigures()
    selection, scores = Selection.of(campaign), figures.scores
    return {
        "shown": shown,
        "has_looks": not draws_systems(campaign),
        "lead": score_pages.lead(selection, scores) if scores else "",
        "table": score_pages.score_table(selection, scores) if scores else None,
        "sentences": pages.pair_sentences(figures.power),
        "note": pages.pair_note(figures.power),
        "is_open": bool(figures.power and figures.power.open),
    }


def notes_part(campaign: Campaign) -> dict[str, Any]:
    waiting = [note for note in notes_of(campaign) if note.resolved_at is None]
    return {"notes": waiting[:MOST_NOTES], "n_notes": len(waiting)}


# Part → its context, its title, and after how many seconds it is refreshed.
PARTS: dict[str, tuple[Callable[[Campaign], dict[str, Any]], str, int]] = {
    "counters": (counters_part, "Now", 10),
    "progress": (progress_part, "Progress", 60),
    "valid": (valid_part, "What counts", 60),
    "annotators": (annotators_part, "Annotators", 15),
    "ranks": (ranks_part, "Ranks so far", 30),
    "notes": (notes_part, "Skipped and flagged", 30),
}


def page_context(request, campaign: Campaign) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "tab": "watch",
        "has_scores": protocol_of(campaign).has_page("scores"),
        "may_manage": access.may_manage(request.user, campaign),
        "is_live": campaign.status != Status.CLOSED,
    }


@never_cache
@login_required
@require_GET
def watch(request, campaign_id):
    """Return the page: its parts are loaded one by one, so that a slow or a broken one delays
    none."""
    campaign = access.readable_campaign(request.user, campaign_id)
    context = page_context(request, campaign)
    context["parts"] = [(name, title, None) for name, (_, title, _) in PARTS.items()]
    return render(request, "judgments/quality/watch.html", context)


@never_cache
@login_required
@require_GET
def watch_part(request, campaign_id, part):
    """Return one part: alone for the page's script, and within the page for a browser without
    scripts."""
    campaign = access.readable_campaign(request.user, campaign_id)
    if part not in PARTS:
        raise Http404("There is no such part.")
    make, title, seconds = PARTS[part]
    context = page_context(request, campaign) | make(campaign)
    context |= {
        "part": part,
        "title": title,
        "seconds": seconds if context["is_live"] else None,
        "part_template": f"judgments/quality/watch/{part}.html",
    }
    if request.headers.get("HX-Request"):
        return render(request, "judgments/quality/watch/part.html", context)
    context["parts"] = [(part, title, context["part_template"])]
    return render(request, "judgments/quality/watch.html", context)


@login_required
@require_GET
def lacking_file(request, campaign_id):
    """Return every translation that lacks a counted rating for a seat, as CSV."""
    campaign = access.readable_campaign(request.user, campaign_id)
    head = ["document", "segment", "system", "batch", "seat", "why"]
    return csv_file("lacking.csv", head, list(lacking_rows(lacking(campaign))))


@login_required
@require_GET
def tutorial_file(request, campaign_id):
    """Return the results of the tutorial as a test, for each annotator, as CSV."""
    campaign = access.readable_campaign(request.user, campaign_id)
    head = ["annotator", "result", "right", "answers", "tries", "passed_at"]
    rows = [(*row, at and at.isoformat()) for *row, at in gate.results_of(campaign)]
    return csv_file("tutorial.csv", head, rows)
