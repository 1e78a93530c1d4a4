"""Judgments that count: not those of people who are left out or replaced, nor those of segments and
translations that are left out. Items judged by people who are left out are missing until they are
planned again for others; then these people are replaced."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from judgments.models import Campaign, Item, ItemOutput, Kind, Output
from judgments.people.states import LEFT_OUT, REPLACED, states_of


@dataclass(frozen=True)
class Out:
    """left_out, replaced: users (ids) whose judgments do not count."""

    left_out: frozenset[int]
    replaced: frozenset[int]

    @property
    def everybody(self) -> frozenset[int]:
        return self.left_out | self.replaced

    @classmethod
    def of(cls, campaign: Campaign) -> Out:
        """Return them, in two statements."""
        of_name = defaultdict(set)
        for user, state in states_of(campaign).items():
            of_name[state.name].add(user)
        return cls(frozenset(of_name[LEFT_OUT]), frozenset(of_name[REPLACED]))


@dataclass(frozen=True)
class ValidCounts:
    """Numbers of items: n_counting are judged and count; n_wanted are in the plan, without those of
    replaced people; n_missing were judged by people who are left out. active_ms: of people who
    count."""

    n_wanted: int
    n_counting: int
    n_missing: int
    active_ms: int

    @property
    def is_complete(self) -> bool:
        return bool(self.n_wanted) and self.n_counting == self.n_wanted


def valid_counts(campaign: Campaign) -> ValidCounts:
    """Return the counts in four statements, and two more if segments or translations are left
    out."""
    out = Out.of(campaign)
    tasks = campaign.tasks.planned().order_by()
    every = tasks.progress()
    of_out = tasks.filter(annotator__in=out.everybody).progress()
    replaced = tasks.filter(annotator__in=out.replaced).aggregate(n=Sum("n_judged", default=0))["n"]
    wanted = every["items"] - replaced
    counting = every["judged"] - of_out["judged"]
    missing = of_out["judged"] - replaced
    gone = removed_from(campaign)
    if gone is not None:
        items = items_planned(campaign).filter(gone).order_by()
        n_judged = items.filter(is_judged=True).exclude(task__annotator__in=out.everybody).count()
        n_missing = items.filter(is_judged=True, task__annotator__in=out.left_out).count()
        wanted -= n_judged + n_missing + items.filter(is_judged=False).count()
        counting, missing = counting - n_judged, missing - n_missing
    return ValidCounts(wanted, counting, missing, every["active_ms"] - of_out["active_ms"])


def items_planned(campaign: Campaign) -> QuerySet[Item]:
    """Return the items of a campaign without those for adjudication."""
    return Item.objects.filter(task__campaign=campaign, task__is_adjudication=False)


def removed_from(campaign: Campaign) -> Q | None:
    """Return a condition for items that show only outputs left out of the results; None if nothing
    is."""
    whole: set[int] = set()
    pairs: set[tuple[int, int]] = set()
    decided = campaign.removed_items.latest_of_each()
    for segment, system, removed in decided.values_list("segment", "system", "removed"):
        if removed and system is None:
            whole.add(segment)
        elif removed:
            pairs.add((segment, system))
    if not whole and not pairs:
        return None
    of_segments = Output.objects.filter(segment__in={segment for segment, _ in pairs})
    rows = of_segments.values_list("pk", "segment", "system")
    outputs = [pk for pk, segment, system in rows if (segment, system) in pairs]
    shown = ItemOutput.objects.filter(item=OuterRef("pk"))
    nothing_else = ~Exists(shown.exclude(output__in=outputs)) & Exists(shown)
    return Q(segment__in=whole) | Q(nothing_else) if outputs else Q(segment__in=whole)


def missing_items(campaign: Campaign, users: frozenset[int]) -> QuerySet[Item]:
    """Return items judged by these users, without those left out of the results for everybody."""
    found = items_planned(campaign).filter(task__annotator__in=users, is_judged=True)
    gone = removed_from(campaign)
    return found if gone is None else found.exclude(gone)


@dataclass(frozen=True)
class ValidCoverage:
    """n_covered of n_segments planned ones have a rating that counts for every system planned for
    them; outputs: (number of raters who count, number of outputs) pairs, from none on."""

    n_segments: int
    n_covered: int
    outputs: tuple[tuple[int, int], ...]


def coverage(campaign: Campaign) -> ValidCoverage:
    """Return the coverage over all regular screens, which takes seconds for 100,000."""
    out = Out.of(campaign).everybody
    shown = ItemOutput.objects.filter(item__task__campaign=campaign, item__kind=Kind.REGULAR)
    gone = removed_from(campaign)
    if gone is not None:
        shown = shown.filter(item__in=Item.objects.filter(task__campaign=campaign).exclude(gone))
    raters: dict[tuple[int, int], set[int]] = defaultdict(set)
    columns = ("output__segment", "output", "item__is_judged", "item__task__annotator")
    for segment, output, is_judged, user in shown.order_by().values_list(*columns).iterator():
        found = raters[segment, output]
        if is_judged and user not in out:
            found.add(user)
    least: dict[int, int] = {}
    for (segment, _), found in raters.items():
        least[segment] = min(least.get(segment, len(found)), len(found))
    n_covered = sum(n > 0 for n in least.values())
    by_raters = Counter(len(found) for found in raters.values())
    return ValidCoverage(len(least), n_covered, tuple(sorted(by_raters.items())))


def lacking(campaign: Campaign) -> QuerySet[ItemOutput]:
    """Return each translation on a regular screen without a rating that counts from its seat: not
    judged yet, or judged by somebody who is left out."""
    is_missing = Q(item__is_judged=False) | Q(item__task__annotator__in=Out.of(campaign).left_out)
    found = ItemOutput.objects.filter(
        is_missing, item__task__campaign=campaign, item__kind=Kind.REGULAR
    )
    gone = removed_from(campaign)
    if gone is not None:
        found = found.filter(item__in=Item.objects.filter(task__campaign=campaign).exclude(gone))
    return found.order_by("item__task__batch", "item__task__seat", "item__position", "position")
