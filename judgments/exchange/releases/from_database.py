"""Records of data in the database, for formats to write: the reverse of `writing`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial

from django.db.models import Exists, Max, OuterRef, Prefetch, QuerySet

from judgments.files.texts import SegmentTexts
from judgments.models import (
    Alteration,
    Campaign,
    ErrorSpan,
    ExpectedScore,
    Item,
    ItemOutput,
    Judgment,
    Note,
    NoteKind,
    Output,
    Preference,
    Rating,
    Reason,
    Status,
    TestSet,
)
from judgments.models.bulk import ids_of
from judgments.models.chains.content import COLUMNS
from judgments.protocols import protocol_of
from judgments.protocols.kinds import KINDS
from judgments.quality.decisions.exclusions import exclusions_in_force
from judgments.results.selection.selection import Selection
from judgments.web.extension_points import registered

from .records import (
    Exclusion,
    Expectation,
    JudgedScreen,
    JudgmentsPart,
    MarkedSpan,
    PlannedItem,
    PlanPart,
    Published,
    Release,
    Remark,
    ScoresPart,
    TextsPart,
)

SEGMENTS_AT_ONCE = 500
JUDGMENTS_AT_ONCE = 2000
# The kinds of observations that records can represent.
RECORDED = {kind for kind, each in KINDS.items() if each.model in (Rating, Preference, ErrorSpan)}


def release_of(campaigns: Iterable[Campaign]) -> Release:
    """Return campaigns with their test sets, as they are stored now: all current judgments,
    including those of annotators who are left out of results. For campaigns that are not closed
    also the plan; for drafts only that."""
    release = Release()
    known: set[int] = set()
    for campaign in campaigns:
        test_set = campaign.test_set
        if test_set.pk not in known:
            known.add(test_set.pk)
            release.add(release_of_texts(test_set))
        if campaign.status != Status.DRAFT:
            release.judgments.append(judgments_part(campaign))
        if campaign.status != Status.CLOSED:
            release.plans.append(plan_part(campaign))
    return release


def release_of_texts(test_set: TestSet) -> Release:
    """Return a test set with its texts and scores of metrics."""
    writers = registered("release_score_files")
    key = str(test_set.pk)
    scores = [ScoresPart(key, write=partial(write, test_set)) for write in writers]
    return Release(texts=[texts_part(test_set)], scores=scores)


def glance(campaign: Campaign) -> Release:
    """Return the same for one campaign in a few statements: its first judgment, and a segment
    without texts that has its systems. `Format.may_write` inspects it."""
    test_set = campaign.test_set
    screens = [] if campaign.status == Status.DRAFT else first_screen(campaign)
    systems = dict.fromkeys((name for each in screens for name in each.outputs), "")
    segments = [SegmentTexts(test_set.name, 1, "1", "", "", {}, systems)]
    known = (campaign.name, str(test_set.pk), campaign.preset)
    release = Release(texts=[replace(texts_part(test_set), segments=lambda: iter(segments))])
    if campaign.status != Status.DRAFT:
        part = JudgmentsPart(*known, screens=lambda: iter(screens), options=campaign.options)
        release.judgments.append(part)
    if campaign.status != Status.CLOSED:
        plan = PlanPart(*known, batches=lambda: iter(()), options=campaign.options)
        release.plans.append(plan)
    return release


def texts_part(test_set: TestSet) -> TextsPart:
    return TextsPart(
        key=str(test_set.pk),
        name=test_set.name,
        source_language=test_set.source_language,
        target_language=test_set.target_language,
        segments=lambda: segments_of(test_set),
        has_texts=test_set.has_texts,
        note=test_set.note,
        release=test_set.release,
        gloss_language=test_set.gloss_language,
    )


def judgments_part(campaign: Campaign) -> JudgmentsPart:
    return JudgmentsPart(
        name=campaign.name,
        texts=str(campaign.test_set_id),
        preset=campaign.preset,
        options=campaign.options,
        instructions=campaign.instructions.get("en", ""),
        screens=lambda: screens_of(campaign),
        exclusions=[
            Exclusion(row.reason, row.annotator, row.dimension, row.segment, row.system)
            for row in exclusions_in_force(campaign)
        ],
        published=[
            Published(row.figure, row.dimension, row.of, row.text, row.file)
            for row in campaign.published_figures.order_by("pk")
        ],
    )


def plan_part(campaign: Campaign) -> PlanPart:
    seats = campaign.tasks.planned().aggregate(n=Max("seat"))["n"]
    rows = campaign.practices.values("source", "reference", "outputs", "expected", "feedback")
    return PlanPart(
        name=campaign.name,
        texts=str(campaign.test_set_id),
        preset=campaign.preset,
        batches=lambda: batches_of(campaign),
        seats=seats or 1,
        options=campaign.options,
        instructions=campaign.instructions.get("en", ""),
        practice=list(rows),
    )


def batches_of(campaign: Campaign) -> Iterator[list[PlannedItem]]:
    """Yield the items of each batch in their order, as in its first seat."""
    last_part = protocol_of(campaign).last_part
    seats = campaign.tasks.planned().order_by("batch", "seat").distinct("batch")
    for task in list(seats):
        rows = Item.objects.filter(task=task).order_by("position")
        items = list(rows.values_list("pk", "segment__key", "kind", "part"))
        shown: dict[int, list[str]] = defaultdict(list)
        copies: dict[int, tuple[int, str, str]] = {}
        altered: dict[int, list[tuple[str, str]]] = defaultdict(list)
        columns = ("item_id", "output_id", "output__system__name", "item__control_output")
        of_screens = _on_screens([pk for pk, *_ in items])
        texts = ("altered__rule", "altered__text")
        for pk, output, system, control, rule, text in of_screens.values_list(*columns, *texts):
            if rule == Alteration.BESIDE:
                copies[pk] = len(shown[pk]), system, text
            elif output != control:
                shown[pk].append(system)
                if text is not None:
                    altered[pk].append((system, text))
        expected: dict[int, list[Expectation]] = defaultdict(list)
        names = ("item", "output__system__name", "dimension", "low", "high", "above__system__name")
        asked = ExpectedScore.objects.filter(item__task=task).values_list(*names)
        for pk, system, slug, low, high, above in asked:
            expected[pk].append(Expectation(system, slug, low, high, above or ""))
        yield [
            PlannedItem(
                *(key, tuple(shown[pk]), kind, bool(part) and part == last_part),
                expected=tuple(expected[pk]),
                copy=copies.get(pk),
                altered=tuple(altered[pk]),
            )
            for pk, key, kind, part in items
        ]


def segments_of(test_set: TestSet) -> Iterator[SegmentTexts]:
    """Yield the texts in the order of the test set; `row` counts from 1."""
    systems = dict(test_set.systems.order_by("pk").values_list("pk", "name"))
    outputs = Prefetch("outputs", Output.objects.order_by("system_id"))
    found = test_set.segments.select_related("document").prefetch_related("references", outputs)
    rows = found.order_by("position").iterator(chunk_size=SEGMENTS_AT_ONCE)
    for row, segment in enumerate(rows, 1):
        yield SegmentTexts(
            test_set.name,
            row,
            segment.key,
            segment.document.name,
            segment.source,
            {each.name: each.text for each in segment.references.all()},
            {systems[each.system_id]: each.text for each in segment.outputs.all()},
            segment.document.domain,
            segment.document.original_language,
            segment.gloss,
            instructions=segment.document.instructions,
            donors={
                each.name: systems[each.donor_id]
                for each in segment.references.all()
                if each.donor_id is not None
            },
        )


def screens_of(campaign: Campaign) -> Iterator[JudgedScreen]:
    """Yield current judgments in the order in which they were stored, in chunks of some
    thousands."""
    selection = Selection.of(campaign)
    every = Judgment.objects.order_by("pk")
    ids = ids_of(selection.rows_of(every, judgment="", outputs=(), everyone=True))
    for start in range(0, len(ids), JUDGMENTS_AT_ONCE):
        some = every.filter(pk__in=ids[start : start + JUDGMENTS_AT_ONCE].tolist())
        yield from _screens(campaign, some, start, selection.alias)


def first_screen(campaign: Campaign) -> list[JudgedScreen]:
    """Return the first of `screens_of`, without reading the others; empty if nobody has judged. Its
    annotator is named by a number."""
    found = Judgment.objects.filter(campaign=campaign).current().order_by("pk")
    return list(_screens(campaign, found[:1], 0, str))


Said = dict[str, list[tuple]]


def _screens(
    campaign: Campaign, some: QuerySet[Judgment], before: int, alias: Callable[[int], str]
) -> Iterator[JudgedScreen]:
    """Yield screens. before: number of judgments before these."""
    remarked = Exists(Note.objects.filter(item=OuterRef("item"), kind=NoteKind.FLAG))
    judgments = list(some.select_related("item__segment").annotate(has_remarks=remarked))
    kinds = protocol_of(campaign).kinds
    items = [judgment.item_id for judgment in judgments]
    said = _said([judgment.pk for judgment in judgments], kinds)
    shown: dict[int, dict[int, str]] = defaultdict(dict)
    altered: dict[int, dict[str, str]] = defaultdict(dict)
    columns = ("item_id", "output_id", "output__system__name", "altered__text")
    for pk, output, system, text in _on_screens(items).values_list(*columns):
        shown[pk][output] = system
        if text is not None:
            altered[pk][system] = text
    remarks = _remarks([each.item_id for each in judgments if each.has_remarks])
    asks_spans = ErrorSpan in {KINDS[kind].model for kind in kinds}
    for row, judgment in enumerate(judgments, before + 1):
        item, rows, names = judgment.item, said[judgment.pk], shown[judgment.item_id]
        yield JudgedScreen(
            campaign.name,
            row,
            alias(judgment.annotator_id),
            item.segment.key,
            list(names.values()),
            str(row),
            item.kind,
            item.part,
            [(names[o], d, v) for o, d, v, _ in rows["ratings"]],
            frozenset(names[o] for o, _, _, copy in rows["ratings"] if copy),
            [(names[a], names[b], v, s) for a, b, v, s in rows["preferences"]],
            _spans(rows["spans"], names) if asks_spans else None,
            judgment.started_at,
            judgment.submitted_at,
            judgment.active_ms,
            control=names.get(item.control_output_id or 0, ""),
            control_kind=item.control_kind,
            altered=altered.get(item.pk, {}),
            remarks=remarks[item.pk],
        )


def _said(judgments: list[int], kinds: Collection[str]) -> dict[int, Said]:
    """Return the observations of judgments in the order in which they were stored; only of some
    kinds."""
    found: dict[int, Said] = {pk: defaultdict(list) for pk in judgments}
    for kind in RECORDED & set(kinds):
        rows = KINDS[kind].model._default_manager.filter(judgment__in=judgments).order_by("pk")
        for pk, *row in rows.values_list("judgment_id", *COLUMNS[kind]):
            found[pk][kind].append(tuple(row))
    return found


def _remarks(items: list[int]) -> dict[int, list[Remark]]:
    """Return the remarks of annotators on items that they judged."""
    found: dict[int, list[Remark]] = defaultdict(list)
    if not items:
        return found
    notes = Note.objects.filter(item__in=items, kind=NoteKind.FLAG).order_by("pk")
    names = ("item_id", "comment", "reason", "output__system__name", "side", "start", "end")
    for item, comment, reason, system, side, start, end in notes.values_list(*names):
        said = comment or dict(Reason.choices).get(reason)
        if not said:  # erased
            continue
        is_there = system is not None or side == "source"
        place = (side, start or 0, end or 0) if side and is_there else ("", 0, 0)
        found[item].append(Remark(said, system or "", *place))
    return found


def _on_screens(items: list[int]) -> QuerySet[ItemOutput]:
    """Return the outputs of every screen, in its order."""
    return ItemOutput.objects.filter(item__in=items).order_by("item_id", "position")


def _spans(rows: list[tuple], names: dict[int, str]) -> list[MarkedSpan]:
    """Return the spans, including those of copies, which a reader recognizes by the screen's."""
    return [
        MarkedSpan(names[output], side, start, end, severity, category)
        for output, side, start, end, severity, category, _prefill, _copy in rows
    ]
