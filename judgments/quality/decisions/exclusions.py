"""The exclusions of a release, many at once: annotators, dimensions, segments, systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.db import transaction

from judgments.models import Campaign, Decision, RemovedItem
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members
from judgments.protocols import protocol_of

from .decisions import give_to_others

LONGEST_REASON = 2000
MOST_ROWS = 200_000
MOST_PROBLEMS = 100


class ExclusionRow(NamedTuple):
    """What is left out, by the names of files. With an annotator: their judgments, or those on a
    dimension. With a segment: that segment, or one system's translation of it."""

    annotator: str = ""
    dimension: str = ""
    segment: str = ""
    system: str = ""
    reason: str = ""


class NotExcluded(ValueError):
    """Some rows cannot be used, and nothing was stored. problems: the first hundred, each with the
    number of its row, from 1; n: how many there are."""

    def __init__(self, problems: list[str], n: int) -> None:
        self.problems, self.n = problems, n
        super().__init__("\n".join(problems))


@transaction.atomic
def add_exclusions(campaign: Campaign, decided_by: Any, rows: Iterable[tuple[str, ...]]) -> int:
    """Return log decisions to leave out what the rows (in the order of `ExclusionRow`) name; how
    many are new.

    What is left out already, or is named twice, is passed over. Raise NotExcluded, which names
    every row that cannot be used.
    """
    lock_campaign(campaign.pk)
    read = [ExclusionRow(*row) for row in islice(rows, MOST_ROWS + 1)]
    if len(read) > MOST_ROWS:
        raise NotExcluded([f"There are more than {MOST_ROWS:,} rows."], 1)
    known = _Known(campaign)
    people: dict[tuple[int, str], str] = {}
    items: dict[tuple[int, int | None], str] = {}
    problems = []
    for number, row in enumerate(read, 1):
        if problem := known.problem(row):
            problems.append(f"Row {number}: {problem}")
        elif row.annotator:
            people.setdefault((known.users[row.annotator], row.dimension), row.reason.strip())
        else:
            system = known.systems[row.system] if row.system else None
            items.setdefault((known.segments[row.segment], system), row.reason.strip())
    if problems:
        raise NotExcluded(problems[:MOST_PROBLEMS], len(problems))
    lock_members(campaign, [user for user, _dimension in people])
    return _log(campaign, decided_by, people, items)


def _log(campaign: Campaign, by: Any, people: dict, items: dict) -> int:
    from judgments.results.selection.exclusions import Exclusions

    known = {"campaign": campaign, "decided_by": by}
    now = Exclusions.of(campaign)
    whole = {user for user, dimension in people if not dimension} | set(now.annotators)
    segments = {segment for segment, system in items if system is None} | set(now.segment_ids)
    outputs = {row[:2] for row in now.outputs}
    decisions = [
        Decision(**known, annotator_id=user, dimension=dimension, excluded=True, reason=reason)
        for (user, dimension), reason in people.items()
        if (user, dimension) not in now.partly
        and user not in (whole if dimension else now.annotators)
    ]
    removed = [
        RemovedItem(**known, segment_id=segment, system_id=system, reason=reason)
        for (segment, system), reason in items.items()
        if (segment, system) not in outputs
        and segment not in (segments if system else now.segment_ids)
    ]
    Decision.objects.bulk_create(decisions, batch_size=1000)
    RemovedItem.objects.bulk_create(removed, batch_size=1000)
    act = "exclusions brought"
    record.note(campaign.pk, act, "decision", ids=[each.pk for each in decisions])
    record.note(campaign.pk, act, "removed", ids=[each.pk for each in removed])
    give_to_others(campaign, [each.annotator_id for each in decisions if not each.dimension])
    return len(decisions) + len(removed)


class _Known:
    """The names of a campaign, by which rows are read."""

    def __init__(self, campaign: Campaign) -> None:
        test_set = campaign.test_set
        self.users = dict(campaign.memberships.values_list("alias", "user"))
        self.segments = dict(test_set.segments.values_list("key", "pk"))
        self.systems = dict(test_set.systems.values_list("name", "pk"))
        self.dimensions = [each.slug for each in protocol_of(campaign).dimensions()]

    def problem(self, row: ExclusionRow) -> str:
        """Return why a row cannot be used; empty where it can."""
        for what, name, names in (
            ("annotator", row.annotator, self.users),
            ("segment", row.segment, self.segments),
            ("system", row.system, self.systems),
            ("dimension", row.dimension, self.dimensions),
        ):
            if name and name not in names:
                return f"there is no {what} {name[:80]!r}."
        if bool(row.annotator) == bool(row.segment):
            return "it names either an annotator or a segment."
        if row.annotator and row.system:
            return "an annotator is left out of all systems or of a dimension."
        if row.segment and row.dimension:
            return "a segment is left out of all dimensions."
        if not row.reason.strip():
            return "it has no reason."
        if len(row.reason) > LONGEST_REASON:
            return f"its reason is longer than {LONGEST_REASON:,} characters."
        return ""


def exclusions_in_force(campaign: Campaign) -> Iterator[ExclusionRow]:
    """Yield what is left out now, as `add_exclusions` reads it."""
    aliases = dict(campaign.memberships.values_list("user", "alias"))
    for decision in campaign.decisions.latest_of_each():
        if decision.excluded and decision.annotator_id in aliases:
            alias = aliases[decision.annotator_id]
            yield ExclusionRow(alias, decision.dimension, reason=decision.reason)
    items = campaign.removed_items.latest_of_each()
    for key, system, removed, reason in items.values_list(
        "segment__key", "system__name", "removed", "reason"
    ):
        if removed:
            yield ExclusionRow(segment=key, system=system or "", reason=reason)
