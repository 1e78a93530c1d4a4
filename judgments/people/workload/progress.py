"""Progress of campaigns, from counts that the database keeps: for lists of campaigns, and for one
that is watched. Nothing here reads a judgment's answers or needs the analysis."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import TruncHour

from judgments.models import Campaign, Item, Judgment, Membership, Note, Role, Task, is_finished

from .valid import Out, ValidCounts, valid_counts
from .words import words_of_items

NOTHING = {"judged": 0, "items": 0, "last": None}
# Values for an annotator without tasks.
NO_TASKS: dict[str, Any] = {
    **{"items": 0, "judged": 0, "active_ms": 0},
    **{"last": None, "claimed": None, "batches": 0},
}
# Annotators who have judged within this time are at work.
AT_WORK = timedelta(minutes=10)
PACE_OF = timedelta(days=7)
# The curve is by the hour for this long, and by the day from then on.
BY_HOUR = timedelta(days=4)


def with_progress(campaigns: Iterable[Campaign]) -> list[Campaign]:
    """Return the campaigns, each with `progress`: items, judged (counts) and last, when somebody
    last judged, None if nobody has. One statement for any number of campaigns."""
    found = list(campaigns)
    tasks = Task.objects.planned().filter(campaign__in=[campaign.pk for campaign in found])
    sums = tasks.order_by()
    rows = sums.values_list("campaign").annotate(
        Sum("n_judged"), Sum("n_items"), Max("last_judged_at")
    )
    names = tuple(NOTHING)
    by_campaign = {row[0]: dict(zip(names, row[1:], strict=True)) for row in rows}
    for campaign in found:
        campaign.progress = by_campaign.get(campaign.pk, NOTHING)  # type: ignore[attr-defined]
    return found


@dataclass(frozen=True)
class Counters:
    """Counts of a campaign, and active milliseconds."""

    n_items: int
    n_judged: int
    n_at_work: int
    n_free: int
    active_ms: int
    last: datetime | None
    valid: ValidCounts

    @property
    def n_left(self) -> int:
        return self.n_items - self.n_judged

    @property
    def n_judgments(self) -> int:
        """Judgments without superseded ones: each judged item has one that no other supersedes.
        Counting the judgments themselves takes seconds for millions."""
        return self.n_judged


def counters(campaign: Campaign, now: datetime) -> Counters:
    """Return the counters, in two statements and those of `valid_counts`. (Counting distinct people
    in the first would make PostgreSQL sort the tasks.)"""
    at_work = campaign.tasks.order_by().filter(last_judged_at__gte=now - AT_WORK)
    sums = (
        campaign.tasks.planned()
        .order_by()
        .aggregate(
            items=Sum("n_items", default=0),
            judged=Sum("n_judged", default=0),
            active_ms=Sum("active_ms", default=0),
            last=Max("last_judged_at"),
            free=Count("pk", filter=Q(annotator=None, n_items__gt=0)),
        )
    )
    return Counters(
        n_items=sums["items"],
        n_judged=sums["judged"],
        n_at_work=at_work.values("annotator").distinct().count(),
        n_free=sums["free"],
        active_ms=sums["active_ms"],
        last=sums["last"],
        valid=valid_counts(campaign),
    )


def annotator_rows(campaign: Campaign) -> list[dict[str, Any]]:
    """Return one dict per annotator, with sums over their tasks, without removed ones who have
    judged nothing."""
    rows = rows_of(campaign, campaign.memberships.filter(role=Role.ANNOTATOR))
    return [row for row in rows if row["judged"] or row["removed_at"] is None]


def rows_of(campaign: Campaign, people: QuerySet[Membership]) -> list[dict[str, Any]]:
    """Return one dict for each of these members of a campaign, with sums over their tasks, in two
    statements: a join with the members would read every task for each. batches: number of fully
    judged ones."""
    of_people = campaign.tasks.filter(annotator__isnull=False).order_by().values_list("annotator")
    found = of_people.annotate(
        Sum("n_items"),
        Sum("n_judged"),
        Sum("active_ms"),
        Max("last_judged_at"),
        Max("claimed_at"),
        of_done=Count("pk", filter=is_finished()),
    )
    sums = {row[0]: dict(zip(NO_TASKS, row[1:], strict=True)) for row in found}
    members = people.order_by("alias")
    columns = ("pk", "user_id", "alias", "removed_at", "link_used_at")
    return [row | sums.get(row["user_id"], NO_TASKS) for row in members.values(*columns)]


def watched_rows(campaign: Campaign, now: datetime) -> list[dict[str, Any]]:
    """Return the same, each with pace_ms, seen (last sign of activity), status in a word, n_notes
    and the number of their next item, in three statements."""
    of_campaign = Note.objects.filter(item__task__campaign=campaign, resolved_at=None).order_by()
    counted = of_campaign.values("annotator").annotate(n=Count("pk"))
    notes = dict(counted.values_list("annotator", "n"))
    rows = annotator_rows(campaign)
    for row in rows:
        row["pace_ms"] = row["active_ms"] / row["judged"] if row["judged"] else None
        heard = [row[name] for name in ("last", "claimed", "link_used_at") if row[name]]
        row["seen"] = max(heard, default=None)
        row["status"] = status_of(row, now)
        row["n_notes"] = notes.get(row["user_id"], 0)
        row["next"] = min(row["judged"] + 1, row["items"])
    return rows


def status_of(row: dict[str, Any], now: datetime) -> str:
    if row["removed_at"]:
        return "removed"
    if row["last"] and row["last"] >= now - AT_WORK:
        return "at work"
    if not row["items"]:
        return "has no batch"
    if row["judged"] == row["items"]:
        return "done"
    return "away" if row["judged"] else "not begun"


@dataclass(frozen=True)
class Curve:
    """Items judged in each hour or day (UTC) that had any, without imported judgments that have no
    times. first: time of the first; recent: number in the hours that began within PACE_OF."""

    step: str
    times: list[datetime]
    counts: list[int]
    first: datetime | None = None
    recent: int = 0


def curve(campaign: Campaign, now: datetime) -> Curve:
    """Return the curve of people who count; reads each judgment once. Revisions do not count: an
    item is judged once."""
    judged = Judgment.objects.filter(campaign=campaign, revision=1, submitted_at__isnull=False)
    judged = judged.filter(item__task__is_adjudication=False)
    judged = judged.exclude(annotator__in=Out.of(campaign).everybody)
    rows = judged.order_by().annotate(at=TruncHour("submitted_at")).values("at")
    hours = list(
        rows.annotate(n=Count("pk"), first=Min("submitted_at"), last=Max("submitted_at"))
        .order_by("at")
        .values_list("at", "n", "first", "last")
    )
    if not hours:
        return Curve("day", [], [])
    first, last = hours[0][2], hours[-1][3]
    counts: Counter[datetime] = Counter()
    step = "hour" if last - first < BY_HOUR else "day"
    for at, n, _, _ in hours:
        counts[at if step == "hour" else at.replace(hour=0)] += n
    recent = sum(n for at, n, _, _ in hours if at >= now - PACE_OF)
    return Curve(step, list(counts), list(counts.values()), first, recent)


@dataclass(frozen=True)
class WordsLeft:
    """Words of the sources and outputs of items: judged by people who count, and left, including
    items of people who are left out."""

    judged: float
    left: float


def words_left(campaign: Campaign) -> WordsLeft:
    """Return the words of all tasks of a campaign; reads all its texts, which takes seconds for
    100,000 items."""
    words = words_of_items(campaign.tasks.planned())
    out = Out.of(campaign)
    judged = replaced = 0.0
    items = Item.objects.filter(task__campaign=campaign, is_judged=True).order_by()
    for task, position, user in items.values_list("task", "position", "task__annotator").iterator():
        n = words.get(task, {}).get(position, 0.0)
        replaced += n if user in out.replaced else 0.0
        judged += n if user not in out.everybody else 0.0
    every = sum(sum(of_task.values()) for of_task in words.values())
    return WordsLeft(judged, every - replaced - judged)


@dataclass(frozen=True)
class Forecast:
    """``words`` still to be read, ``hours`` of work that they take at the time per word so far, and
    when they are done at the pace of the last days; None if unknown."""

    words: float
    hours: float | None
    done_at: datetime | None


def forecast(campaign: Campaign, words: WordsLeft, now: datetime, curve: Curve | None) -> Forecast:
    valid = valid_counts(campaign)
    hours = done_at = None
    if words.judged and valid.active_ms:
        hours = valid.active_ms / 3_600_000 * words.left / words.judged
    is_new = curve and curve.times and curve.times[-1] > now - PACE_OF - timedelta(days=1)
    if curve and is_new and curve.first and curve.recent and valid.n_counting and words.judged:
        span = max(min(now - curve.first, PACE_OF), timedelta(hours=1))
        per_second = curve.recent * words.judged / valid.n_counting / span.total_seconds()
        seconds = words.left / per_second
        if campaign.is_open and seconds < 10 * 365 * 24 * 3600:
            done_at = now + timedelta(seconds=seconds)
    return Forecast(words.left, hours, done_at)
