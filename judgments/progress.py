"""How far campaigns are, in counts that the database keeps: for the lists of campaigns, and for one
that is watched. Nothing here reads a judgment's answers, or needs the analysis."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Max, Min, Q, Sum
from django.db.models.functions import TruncDay, TruncHour

from .assignment.words import words_of_items
from .models import Campaign, Item, Judgment, Note, Role, Task

NOTHING = {"judged": 0, "items": 0, "last": None}
# Who has judged within it is at work.
AT_WORK = timedelta(minutes=10)
PACE_OF = timedelta(days=7)
# The curve is by the hour for as long, and by the day from then on.
BY_HOUR = timedelta(days=4)


def with_progress(campaigns: Iterable[Campaign]) -> list[Campaign]:
    """The campaigns, each with `progress`: items, judged (counts) and last, when somebody last
    judged, None where nobody has. One statement, however many there are."""
    found = list(campaigns)
    sums = Task.objects.filter(campaign__in=[campaign.pk for campaign in found]).order_by()
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

    @property
    def n_left(self) -> int:
        return self.n_items - self.n_judged

    @property
    def n_judgments(self) -> int:
        """Without revised ones: an item that was judged has one that no other supersedes. Counting
        the judgments themselves takes seconds where there are millions."""
        return self.n_judged


def counters(campaign: Campaign, now: datetime) -> Counters:
    """In one statement."""
    sums = campaign.tasks.order_by().aggregate(
        items=Sum("n_items", default=0),
        judged=Sum("n_judged", default=0),
        active_ms=Sum("active_ms", default=0),
        last=Max("last_judged_at"),
        free=Count("pk", filter=Q(annotator=None, n_items__gt=0)),
        at_work=Count("annotator", distinct=True, filter=Q(last_judged_at__gte=now - AT_WORK)),
    )
    return Counters(
        n_items=sums["items"],
        n_judged=sums["judged"],
        n_at_work=sums["at_work"],
        n_free=sums["free"],
        active_ms=sums["active_ms"],
        last=sums["last"],
    )


def annotator_rows(campaign: Campaign):
    """One dict per annotator, with sums over their tasks; in one statement. batches: how many they
    have judged to the end."""
    mine = Q(user__tasks__campaign=campaign)
    done = Q(user__tasks__n_items__gt=0, user__tasks__n_judged=F("user__tasks__n_items"))
    return (
        campaign.memberships.filter(role=Role.ANNOTATOR)
        .annotate(
            items=Sum("user__tasks__n_items", filter=mine, default=0),
            judged=Sum("user__tasks__n_judged", filter=mine, default=0),
            active_ms=Sum("user__tasks__active_ms", filter=mine, default=0),
            batches=Count("user__tasks", filter=mine & done),
            last=Max("user__tasks__last_judged_at", filter=mine),
            claimed=Max("user__tasks__claimed_at", filter=mine),
        )
        .exclude(removed_at__isnull=False, judged=0)
        .order_by("alias")
        .values(
            *("pk", "user_id", "alias", "items", "judged", "batches", "active_ms", "last"),
            "claimed",
            *("removed_at", "link_used_at"),
        )
    )


def watched_rows(campaign: Campaign, now: datetime) -> list[dict[str, Any]]:
    """The same, each with pace_ms, seen (when something was last heard of them), status in a word,
    n_notes and the number of the item that is next for them; in two statements."""
    of_campaign = Note.objects.filter(item__task__campaign=campaign, resolved_at=None).order_by()
    counted = of_campaign.values("annotator").annotate(n=Count("pk"))
    notes = dict(counted.values_list("annotator", "n"))
    rows = list(annotator_rows(campaign))
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
    """Items judged in each hour or day (UTC) in which there were any; imported judgments without
    times are not among them."""

    step: str
    times: list[datetime]
    counts: list[int]
    first: datetime | None = None


def curve(campaign: Campaign) -> Curve:
    """In two statements. Revisions do not count: an item is judged once."""
    judged = Judgment.objects.filter(campaign=campaign, revision=1, submitted_at__isnull=False)
    ends = judged.order_by().aggregate(first=Min("submitted_at"), last=Max("submitted_at"))
    if ends["first"] is None:
        return Curve("day", [], [])
    is_short = ends["last"] - ends["first"] < BY_HOUR
    step, truncate = ("hour", TruncHour) if is_short else ("day", TruncDay)
    rows = judged.order_by().annotate(at=truncate("submitted_at")).values("at")
    rows = rows.annotate(n=Count("pk"))
    found = list(rows.order_by("at").values_list("at", "n"))
    return Curve(step, [at for at, _ in found], [n for _, n in found], ends["first"])


def recent_items(campaign: Campaign, now: datetime) -> int:
    """Items judged within PACE_OF."""
    recent = Judgment.objects.filter(campaign=campaign, revision=1)
    return recent.filter(submitted_at__gte=now - PACE_OF).count()


@dataclass(frozen=True)
class WordsLeft:
    """Words of the sources and outputs of items, as in `assignment.words`."""

    judged: float
    left: float


def words_left(campaign: Campaign) -> WordsLeft:
    """Of all tasks of a campaign; reads all its texts, which takes seconds for 100,000 items."""
    words = words_of_items(campaign.tasks.all())
    judged = 0.0
    items = Item.objects.filter(task__campaign=campaign, is_judged=True).order_by()
    for task, position in items.values_list("task", "position").iterator():
        judged += words.get(task, {}).get(position, 0.0)
    every = sum(sum(of_task.values()) for of_task in words.values())
    return WordsLeft(judged, every - judged)


@dataclass(frozen=True)
class Forecast:
    """``words`` still to be read, ``hours`` of work that they take at the time that a word has
    taken so far, and when they are done at the pace of the last days; None where unknown."""

    words: float
    hours: float | None
    done_at: datetime | None


def forecast(
    campaign: Campaign, words: WordsLeft, now: datetime, first: datetime | None
) -> Forecast:
    """`first`: when the first item was judged."""
    counted = counters(campaign, now)
    hours = done_at = None
    if words.judged and counted.active_ms:
        hours = counted.active_ms / 3_600_000 * words.left / words.judged
    recent = recent_items(campaign, now)
    if first and recent and counted.n_judged and words.judged:
        span = max(min(now - first, PACE_OF), timedelta(hours=1))
        per_second = recent * words.judged / counted.n_judged / span.total_seconds()
        seconds = words.left / per_second
        if campaign.is_open and seconds < 10 * 365 * 24 * 3600:
            done_at = now + timedelta(seconds=seconds)
    return Forecast(words.left, hours, done_at)
