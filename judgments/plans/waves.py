"""Waves: late systems, or further segments, are added to a plan that stands, linked to what people
have judged before.

The new batches hold the late systems' outputs for the segments that are planned, a share of the
outputs of earlier systems, block by block in turn, and some screens that people have judged. So
whoever judges the new batches judges earlier systems, too, and a mixed model can tell how strict
they are from how good a late system is. Further segments show all systems of the plan, which links
them. Each task has the number of its wave.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from django.db import transaction
from django.db.models import Count, Exists, Max, Min, OuterRef, Q, Sum

from judgments.models import (
    Campaign,
    Item,
    ItemOutput,
    Kind,
    Output,
    RegisteredPlan,
    System,
    Task,
)
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members
from judgments.people.states import may_work_now
from judgments.people.workload.valid import Out
from judgments.protocols import protocol_of
from judgments.test_sets.word_links.asking import ask_for_plan

from . import blocks, layout, pool, rows
from .choice import draws_systems
from .composition import Composition, WaveTexts, check, compose, hidden_reference
from .controls.settings import allowed, settings_of
from .design import order_rng
from .errors import PlanError, check_size
from .layout import Candidates, PlannedScreen
from .seats import screen_of, shown_on
from .settings import PlanSettings

MOST_LINKS = 100


@dataclass(frozen=True)
class Wave:
    """What is added. systems: ids of late ones. segments: how many further ones, drawn in whole
    blocks. share: of the outputs of earlier systems, how many are judged again with late ones.
    links: how many screens that people have judged are in every batch. people:
    ids of the annotators who get the batches, in turn; without any, whoever asks for work."""

    systems: tuple[int, ...] = ()
    share: float = 0.2
    links: int = 5
    segments: int = 0
    people: tuple[int, ...] = ()


def late_systems(campaign: Campaign):
    """Return the systems of the test set of which the campaign shows nothing to anybody."""
    shown = ItemOutput.objects.filter(output__system=OuterRef("pk"), item__task__campaign=campaign)
    outputs = Output.objects.filter(system=OuterRef("pk"))
    found = System.objects.filter(Exists(outputs), ~Exists(shown), test_set=campaign.test_set_id)
    return found.without_copies().order_by("name")


def planned_systems(campaign: Campaign):
    """Return the systems that regular items show, without copies of references."""
    regular = Item.objects.filter(task__campaign=campaign, kind=Kind.REGULAR)
    shown = ItemOutput.objects.filter(output__system=OuterRef("pk"), item__in=regular)
    return System.objects.filter(Exists(shown), test_set=campaign.test_set_id).without_copies()


def further_segments(campaign: Campaign):
    """Return the segments that the plan has not, also not as calibration items, and of which its
    systems have as many outputs as a screen needs."""
    asked = Item.objects.filter(task__campaign=campaign, kind__in=(Kind.REGULAR, Kind.CONTROL))
    segments = campaign.test_set.segments.exclude(pk__in=asked.order_by().values("segment"))
    own = Count("outputs", filter=Q(outputs__system__in=planned_systems(campaign)))
    fewest = protocol_of(campaign).outputs_per_item()[0]
    return segments.annotate(n_own=own).filter(n_own__gte=fewest)


def why_no_wave(campaign: Campaign) -> str:
    """Return why nothing can be added to the plan of a campaign, in words; empty where it can."""
    protocol = protocol_of(campaign)
    if protocol.unit != "segment" or allowed(protocol, settings_of(campaign)).design != "paired":
        return (
            "Waves are only for paired plans of segments. In this campaign annotators see a "
            "document in one version, or judge something other than segments."
        )
    if draws_systems(campaign):
        return (
            "Blocks of this plan show some of the systems, drawn from those that existed when it "
            "was made."
        )
    if RegisteredPlan.objects.filter(campaign=campaign).exists():
        return "A stopping plan is registered for the systems that existed then."
    return ""


def composed_wave(campaign: Campaign, wave: Wave, *, write: bool = False) -> Composition:
    """Return the batches of the wave that comes next. write: whether a hidden reference is stored.
    Raises PlanError."""
    if reason := why_no_wave(campaign):
        raise PlanError(reason)
    if not wave.systems and not wave.segments:
        raise PlanError("Choose at least one system, or some segments.")
    protocol = protocol_of(campaign)
    check(campaign, protocol)
    settings = settings_for(campaign, next_wave(campaign))
    hidden = hidden_reference(campaign, settings, write=write)
    planned = planned_outputs(campaign)
    if not planned:
        raise PlanError("Nothing is planned yet: first plan who judges what.")
    earlier = sorted(set(planned.values()))
    texts = pool.read(campaign, [*earlier, *wave.systems], hidden)
    rng = np.random.default_rng([settings.seed, 2])
    links = linking_screens(campaign, wave.links, texts, rng)
    # Where outputs are compared, a late one meets an earlier one on every segment.
    least = 1 if protocol.outputs_per_item()[0] > 1 else 0
    turns = Turns(earlier, wave.share, least, rng)
    late = set(wave.systems)
    added = [
        *with_some(texts, planned, late, turns, settings.block_length),
        *further(campaign, texts, wave.segments, settings.block_length, rng),
    ]
    if wave.systems and not links and not turns.n_taken:
        raise PlanError(
            "Nothing would link the wave to earlier judgments. Ask for screens that people have "
            "judged, or for outputs of earlier systems."
        )
    return compose(
        campaign,
        replace(settings, calibration=len(links)),
        hidden=hidden,
        given=WaveTexts(replace(texts, segments=in_order(texts, added)), links),
    )


def settings_for(campaign: Campaign, number: int) -> PlanSettings:
    """Return those of the plan, with chance of its own for every wave."""
    settings = settings_of(campaign)
    seed = (settings.seed + number) % 2**31
    return replace(settings, segments=None, systems=(), seed=seed)


def next_wave(campaign: Campaign) -> int:
    return (campaign.tasks.aggregate(last=Max("wave"))["last"] or 0) + 1


def planned_outputs(campaign: Campaign) -> dict[int, int]:
    """Return {output: its system} of all regular items, without copies of references."""
    shown = ItemOutput.objects.filter(
        item__task__campaign=campaign,
        item__kind=Kind.REGULAR,
        output__system__copies_reference="",
    )
    columns = ("output", "output__system")
    return dict(shown.order_by().values_list(*columns).distinct().iterator())


class Turns:
    """Which earlier systems are judged again: over all blocks the share of their outputs that is
    asked for, each system as often as another. least: in every block."""

    def __init__(self, systems: Sequence[int], share: float, least: int, rng) -> None:
        self.order = [systems[i] for i in rng.permutation(len(systems))]
        self.each = share * len(systems)
        self.least = least
        self.due = 0.0
        self.n_taken = 0

    def next(self) -> set[int]:
        self.due += self.each
        n = min(max(int(self.due + 1e-9), self.least), len(self.order))
        self.due -= n
        first = self.n_taken
        self.n_taken += n
        return {self.order[i % len(self.order)] for i in range(first, first + n)}


def with_some(
    texts: pool.Pool,
    planned: Collection[int],
    late: Collection[int],
    turns: Turns,
    block_length: int,
) -> Iterator[Candidates]:
    """Yield the segments of which outputs are planned, with the outputs of late systems, and of
    earlier ones whose turn it is."""
    known = [of for of in texts.segments if any(output in planned for output, _ in of.outputs)]
    documents = [list(group) for _, group in groupby(known, key=lambda of: of.document)]
    for block in (each for document in blocks.cut(documents, block_length) for each in document):
        chosen = turns.next()
        for of in block:
            outputs = tuple(
                (output, system)
                for output, system in of.outputs
                if system in late or (system in chosen and output in planned)
            )
            if any(system in late for _, system in outputs):
                same = {output: of.texts[output] for output, _ in outputs}
                yield replace(of, outputs=outputs, texts=same)


def further(
    campaign: Campaign, texts: pool.Pool, n: int, block_length: int, rng
) -> Iterator[Candidates]:
    """So many segments that the plan has not, nearly, in whole blocks that are drawn."""
    if not n:
        return
    new = set(further_segments(campaign).values_list("pk", flat=True))
    found = (of for of in texts.segments if of.segment in new)
    documents = [list(group) for _, group in groupby(found, key=lambda of: of.document)]
    cut = [each for document in blocks.cut(documents, block_length) for each in document]
    for i in rng.permutation(len(cut)).tolist():
        if n <= 0:
            return
        yield from cut[i]
        n -= len(cut[i])


def in_order(texts: pool.Pool, added: Collection[Candidates]) -> list[Candidates]:
    """In the order of the test set, so that those of a document stand together."""
    place = {of.segment: i for i, of in enumerate(texts.segments)}
    return sorted(added, key=lambda of: place[of.segment])


def linking_screens(campaign: Campaign, n: int, texts: pool.Pool, rng) -> list[PlannedScreen]:
    """So many screens of different segments that people whose judgments count have judged, the
    systems in turn; those that everybody judged come first."""
    judged = Item.objects.filter(
        task__campaign=campaign, is_judged=True, kind__in=(Kind.REGULAR, Kind.CONTROL), part=""
    )
    judged = judged.filter(control_output=None).exclude(shown__altered__isnull=False)
    judged = judged.exclude(task__annotator__in=Out.of(campaign).everybody)
    found = list(judged.order_by("pk").values_list("pk", "kind", "segment", "shown__output"))
    groups: dict[tuple[bool, int], dict[int, int]] = defaultdict(dict)
    for place in rng.permutation(len(found)).tolist():
        pk, kind, segment, output = found[place]
        groups[kind != Kind.CONTROL, output].setdefault(segment, pk)
    return made_links(groups, n, texts, rng)


def made_links(
    groups: dict[tuple[bool, int], dict[int, int]], n: int, texts: pool.Pool, rng
) -> list[PlannedScreen]:
    """groups: {(whether only some judged it, output): {segment: item}}."""
    system_of = {output: system for of in texts.segments for output, system in of.outputs}
    waiting: dict[bool, dict[int, list[tuple[int, int]]]] = {False: {}, True: {}}
    for (is_regular, output), items in groups.items():
        if output in system_of:
            listed = waiting[is_regular].setdefault(system_of[output], [])
            listed.extend(items.items())
    used: set[int] = set()
    chosen: list[int] = []
    for of_systems in waiting.values():
        while len(chosen) < n and any(of_systems.values()):
            for system in sorted(of_systems):
                free = of_systems[system]
                while free and free[-1][0] in used:
                    free.pop()
                if free and len(chosen) < n:
                    segment, pk = free.pop()
                    used.add(segment)
                    chosen.append(pk)
    of_links = Item.objects.filter(pk__in=chosen).select_related("segment").order_by("pk")
    found = list(of_links.prefetch_related("expected_scores"))
    shown = shown_on(found)
    made = []
    for item in found:
        screen = screen_of(item, shown[item.pk])
        words = texts.words_on(screen.outputs, item.segment_id)
        document = item.segment.document_id
        made.append(replace(screen, kind=Kind.CONTROL.value, words=words, document=document))
    return [made[i] for i in rng.permutation(len(made))]


@transaction.atomic
def add_wave(campaign: Campaign, wave: Wave) -> list[Task]:
    """Add the batches of a wave to the plan of a campaign, whatever its status. Raise PlanError.

    The campaign's row is locked, so that two waves get two numbers.
    """
    campaign = lock_campaign(campaign.pk)
    lock_members(campaign, wave.people)
    members = campaign.memberships.current().filter(user__in=wave.people)
    if idle := set(wave.people) - {each.user_id for each in members if may_work_now(each)}:
        alias = campaign.memberships.filter(user__in=idle).values_list("alias", flat=True).first()
        raise PlanError(f"{alias} is not working in this campaign now.")
    made = composed_wave(campaign, wave, write=True)
    check_size(made.n_items)
    number = next_wave(campaign)
    after = campaign.tasks.aggregate(last=Max("batch"))["last"] or 0
    orderer = layout.Orderer(order_rng(settings_for(campaign, number)))
    tasks = rows.write(campaign, made, orderer, after=after, wave=number)
    if wave.people:
        Task.objects.bulk_update(dealt(tasks, wave.people), ["annotator"], batch_size=5000)
    record.note(campaign.pk, "wave added", *record.WORK, "wave", only_new=True)
    ask_for_plan(campaign)
    return tasks


def dealt(tasks: Sequence[Task], people: Sequence[int]) -> list[Task]:
    """Return the seats that these people get, in turn; nobody two of a batch, and the batches of a
    row stay together. Where there are fewer people than seats, the others are free."""
    row_of: dict[int, int] = {}
    for task in tasks:
        if task.batch not in row_of:
            follows = row_of.get(task.follows or 0)
            row_of[task.batch] = len(set(row_of.values())) if follows is None else follows
    for task in tasks:
        if task.seat <= len(people):
            task.annotator_id = people[(row_of[task.batch] + task.seat - 1) % len(people)]
    return [task for task in tasks if task.annotator_id is not None]


@dataclass(frozen=True)
class WaveSummary:
    """systems: the names of those that came in with it; none where only segments did."""

    number: int
    systems: tuple[str, ...]
    batches: int
    items: int
    judged: int


def waves_of(campaign: Campaign) -> list[WaveSummary]:
    """Return what each wave added; empty for a plan of one wave."""
    sums = campaign.tasks.planned().order_by("wave").values_list("wave")
    counted = list(sums.annotate(Count("batch", distinct=True), Sum("n_items"), Sum("n_judged")))
    if len(counted) < 2:
        return []
    shown = ItemOutput.objects.filter(item__task__campaign=campaign)
    shown = shown.filter(output__system__copies_reference="")
    first = shown.order_by().values_list("output__system__name").annotate(Min("item__task__wave"))
    came: dict[int, list[str]] = defaultdict(list)
    for name, wave in sorted(first):
        came[wave].append(name)
    return [WaveSummary(wave, tuple(came[wave]), *sums) for wave, *sums in counted]
