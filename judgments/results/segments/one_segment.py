"""Segments with all that people and apps say of their outputs: only their own rows are read, of
several segments together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.utils.translation import gettext as _

from judgments.models import Note, Output, Reference, Segment, TestSet
from judgments.protocols import protocol_of
from judgments.protocols.differences import Piece, differences
from judgments.results.observations.observations import dimensions_of
from judgments.results.observations.outside_scores import (
    BroughtScores,
    Finding,
    brought_findings,
    brought_scores,
)
from judgments.results.scores.figures import segment_scores
from judgments.results.selection.selection import Selection
from judgments.web.tables import Column, Table

from .said import question_names
from .voices import SaidOfTwo, Voice, Voices, voices_of


@dataclass(frozen=True)
class MeanAnswer:
    """People's score of an output, as `results.segment_scores` has it. question "": the share of
    comparisons that it won."""

    question: str
    value: float
    n: int


@dataclass(frozen=True)
class OutputSaid:
    """An output, or a copy of it that a control item showed altered; ``remark`` says what is
    special. ``text`` None: there is none. ``scores``: what apps bring, in the order of
    ``SegmentDetail.columns``."""

    anchor: str
    system_id: int
    name: str
    text: str | None
    remark: str = ""
    is_altered: bool = False
    means: list[MeanAnswer] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    voices: list[Voice] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def shows_marked(self) -> bool:
        """Whether the text stands with errors marked in it, so that it need not stand twice."""
        return any(voice.target for voice in self.voices)

    @property
    def mean(self) -> float:
        return self.means[0].value if self.means else math.nan


@dataclass(frozen=True)
class SegmentDetail:
    """``references``: name and text. ``notes``: annotator and note. ``columns``: scores that apps
    bring. ``elsewhere``: the segment of the document with which the judgments stand where people
    judged all of it. ``first``: the output that somebody came for, which stands before the
    others."""

    segment: Segment
    references: list[tuple[str, str]]
    outputs: list[OutputSaid]
    comparisons: list[SaidOfTwo]
    notes: list[tuple[str, Note]]
    columns: list[BroughtScores]
    n_judgments: int
    elsewhere: Segment | None = None
    first: OutputSaid | None = None

    @property
    def others(self) -> list[OutputSaid]:
        """All outputs but the one that stands first."""
        return [each for each in self.outputs if each is not self.first]

    @property
    def judged(self) -> list[OutputSaid]:
        """Of the others those of which anything is said."""
        return [each for each in self.others if each.voices or each.means]

    @property
    def unjudged(self) -> list[OutputSaid]:
        return [each for each in self.others if not (each.voices or each.means)]

    @property
    def compared_by(self) -> dict[str, list[SaidOfTwo]]:
        """The comparisons of each annotator."""
        found: dict[str, list[SaidOfTwo]] = {}
        for each in sorted(self.comparisons, key=lambda said: said.annotator):
            found.setdefault(each.annotator, []).append(each)
        return found

    def of_system(self, system: str) -> OutputSaid | None:
        """Return the output of a system, by its id as an address has it."""
        known = [each for each in self.own if each.text is not None]
        return next((each for each in known if str(each.system_id) == system), None)

    @property
    def own(self) -> list[OutputSaid]:
        """The outputs as they are."""
        return [each for each in self.outputs if not each.is_altered]

    @property
    def questions(self) -> list[str]:
        """What there are scores of."""
        names = (mean.question for each in self.outputs for mean in each.means)
        return list(dict.fromkeys(names))


@dataclass(frozen=True)
class TwoOutputs:
    """Two outputs, each in pieces of which some differ from the other's."""

    first: OutputSaid
    second: OutputSaid
    pieces: list[list[Piece]]


def segment_of(selection: Selection, segment_id: int) -> Segment | None:
    """Return a segment of the campaign's test set, judged or not."""
    found = Segment.objects.filter(test_set=selection.campaign.test_set_id, pk=segment_id)
    segment = found.select_related("document").first()
    if segment is not None:
        segment.test_set = selection.campaign.test_set
    return segment


def detail(
    selection: Selection, segment: Segment, columns: list[BroughtScores] | None = None
) -> SegmentDetail:
    """Return what is known of a segment under a selection; columns: what apps bring, if it was
    read."""
    return next(details(selection, [segment], columns))


def details(
    selection: Selection, segments: Sequence[Segment], columns: list[BroughtScores] | None = None
) -> Iterator[SegmentDetail]:
    """Yield the same of some segments, in the order of the test set: as many statements as for
    one."""
    test_set = selection.campaign.test_set
    columns = columns or brought_scores(test_set)
    stored = Output.objects.filter(segment__in=segments).select_related("system")
    wanted = selection.system_ids
    outputs = {each.pk: each for each in stored if wanted is None or each.system_id in wanted}
    of_segment: dict[int, dict[int, Output]] = defaultdict(dict)
    for pk, output in outputs.items():
        of_segment[output.segment_id][pk] = output
    references = _references(segments)
    voices = voices_of(selection, segments, outputs)
    notes = _notes(selection, segments)
    means = _means(selection, segments)
    systems = sorted({each.system_id for each in outputs.values()})
    scores = _scores(test_set, segments, systems, columns)
    for segment in segments:
        said, of = voices[segment.pk], references[segment.pk]
        known = _SegmentContext(
            segment, test_set, of, scores.get(segment.pk, {}), means[segment.pk]
        )
        yield SegmentDetail(
            segment=segment,
            references=of,
            outputs=_outputs(known, of_segment[segment.pk], said),
            comparisons=said.comparisons,
            notes=notes[segment.pk],
            columns=columns,
            n_judgments=said.n_judgments,
            elsewhere=None if said.n_judgments else _judged_with(selection, segment),
        )


@dataclass(frozen=True)
class _SegmentContext:
    """What is read for a segment, besides its outputs; ``scores`` by apps and ``means`` by people
    are by system."""

    segment: Segment
    test_set: TestSet
    references: list[tuple[str, str]]
    scores: Mapping[int, list[float]]
    means: Mapping[int, list[MeanAnswer]]


def _outputs(
    known: _SegmentContext, outputs: Mapping[int, Output], voices: Voices
) -> list[OutputSaid]:
    """By their score, the best first; then those without one; then altered copies."""
    has_texts = known.test_set.has_texts
    texts = {each.system_id: each.text for each in outputs.values()} if has_texts else {}
    findings = brought_findings(known.segment, texts, [text for _, text in known.references])
    found = []
    for pk, output in outputs.items():
        system = output.system_id
        found.append(
            OutputSaid(
                anchor=f"system-{system}",
                system_id=system,
                name=output.system.name,
                text=output.text if has_texts else None,
                remark=_copied(output),
                means=known.means.get(system, []),
                scores=known.scores.get(system, []),
                voices=voices.of.get((pk, None), []),
                findings=findings.get(system, []),
            )
        )
    for (pk, copy), said in voices.of.items():
        if copy is not None:
            altered, shown_as = voices.altered[copy], outputs[pk].system
            found.append(
                OutputSaid(
                    anchor=f"altered-{copy}",
                    system_id=shown_as.pk,
                    name=shown_as.name,
                    text=altered.text,
                    remark=_("shown altered: %(how)s") % {"how": altered.get_rule_display()},
                    is_altered=True,
                    voices=said,
                )
            )
    return sorted(found, key=_standing)


def _references(segments: Sequence[Segment]) -> dict[int, list[tuple[str, str]]]:
    """Name and text, by segment."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    rows = Reference.objects.filter(segment__in=segments).order_by("name")
    for segment, name, text in rows.values_list("segment_id", "name", "text"):
        found[segment].append((name, text))
    return found


def _scores(
    test_set: TestSet,
    segments: Sequence[Segment],
    systems: list[int],
    columns: list[BroughtScores],
) -> dict[int, dict[int, list[float]]]:
    """Return what apps bring, by segment and system, in the order of the columns. The segments are
    in the order of the test set."""
    if not columns:
        return {}
    low, high = segments[0].position, segments[-1].position
    rows = Segment.objects.filter(test_set=test_set)
    before = rows.filter(position__lt=low).count()
    between = rows.filter(position__range=(low, high)).order_by("position")
    places = {pk: n for n, pk in enumerate(between.values_list("pk", flat=True), before)}
    values = [column.of(np.array(systems, np.int64)) for column in columns]
    return {
        segment.pk: {
            system: [float(each[i, places[segment.pk]]) for each in values]
            for i, system in enumerate(systems)
        }
        for segment in segments
    }


def _copied(output: Output) -> str:
    name = output.system.copies_reference
    return _("the reference %(name)s as a system") % {"name": name} if name else ""


def _standing(each: OutputSaid) -> tuple:
    mean = each.mean
    return each.is_altered, mean != mean, -mean if mean == mean else 0.0, each.name


def _means(
    selection: Selection, segments: Sequence[Segment]
) -> dict[int, dict[int, list[MeanAnswer]]]:
    """Return People's scores of the outputs, by segment and system."""
    found: dict[int, dict[int, list[MeanAnswer]]] = {
        each.pk: defaultdict(list) for each in segments
    }
    protocol = protocol_of(selection.campaign)
    slugs: list[str | None] = [each.slug for each in dimensions_of(selection.campaign)]
    if not slugs and (protocol.compares or protocol.ranks):
        slugs = [None]
    names = question_names(selection.campaign)
    for slug in slugs:
        scores = segment_scores(selection, slug)
        question = names.get(slug or "", "")
        for at in np.flatnonzero(np.isin(scores.segment_ids, list(found))):
            of = found[int(scores.segment_ids[at])]
            for i in np.flatnonzero(scores.n[:, at]):
                value, n = float(scores.values[i, at]), int(scores.n[i, at])
                of[int(scores.system_ids[i])].append(MeanAnswer(question, value, n))
    return found


def _notes(selection: Selection, segments: Sequence[Segment]) -> dict[int, list[tuple[str, Note]]]:
    """Return what annotators wrote on the items of the segments, by segment."""
    found: dict[int, list[tuple[str, Note]]] = defaultdict(list)
    notes = Note.objects.filter(item__segment__in=segments, item__task__campaign=selection.campaign)
    for note in notes.select_related("item", "output__system").order_by("pk"):
        found[note.item.segment_id].append((selection.alias(note.annotator_id), note))
    return found


def _judged_with(selection: Selection, segment: Segment) -> Segment | None:
    """Return the segment with which judgments of the whole document stand."""
    found = selection.judgments().filter(item__segment__document=segment.document_id)
    found = found.exclude(item__segment=segment).filter(item__shown__output__segment=segment)
    judgment = found.select_related("item__segment").order_by("pk").first()
    return judgment.item.segment if judgment else None


def compared(found: SegmentDetail, first: str, second: str) -> TwoOutputs | None:
    """Return two outputs by the ids of their systems; None unless there are two different ones."""
    one, other = found.of_system(first), found.of_system(second)
    if one is None or other is None or one is other:
        return None
    return TwoOutputs(one, other, differences(one.text or "", other.text or ""))


def mean_table(found: SegmentDetail, column: BroughtScores | None) -> Table:
    """Return People's scores of the outputs, each with n, and the scores of one brought column."""
    questions = found.questions
    columns = [Column("system", kind="text")]
    for i, question in enumerate(questions):
        columns += [
            Column(f"score_{i}", question or _("Share of wins"), "number"),
            Column(f"n_{i}", _("Judgments") if question else _("Comparisons"), "count"),
        ]
    slugs = [each.slug for each in found.columns]
    at = slugs.index(column.slug) if column and column.slug in slugs else None
    if column is not None and at is not None:
        columns.append(Column("metric", column.title, "number"))
    rows = []
    shown = [each for each in found.own if each.voices or each.means]
    for each in shown:
        means = {mean.question: mean for mean in each.means}
        row: list[object] = [each.name]
        for question in questions:
            mean = means.get(question)
            row += [mean.value, mean.n] if mean else [None, 0]
        rows.append(row + ([each.scores[at]] if at is not None else []))
    links = {(i, "system"): f"#{each.anchor}" for i, each in enumerate(shown)}
    return Table("segment-scores", _("Human scores"), tuple(columns), rows, links=links)


def brought_table(found: SegmentDetail) -> Table:
    """Return what apps bring: outputs, the best by people first, by metrics."""
    columns = [Column(each.slug, each.title, "number") for each in found.columns]
    rows = [(each.name, *each.scores) for each in found.own]
    title = _("Scores of metrics")
    return Table("segment-metrics", title, (Column("system", kind="text"), *columns), rows)
