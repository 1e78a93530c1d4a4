"""What every annotator said of the outputs of segments: their own rows, a statement per kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judgments.models import (
    WITHOUT_PLACE,
    AlteredOutput,
    Campaign,
    ItemOutput,
    Judgment,
    Kind,
    Output,
    Segment,
    Side,
)
from judgments.protocols import protocol_of
from judgments.protocols.differences import Piece, differences
from judgments.protocols.kinds import KINDS
from judgments.protocols.spans.marking import Marking
from judgments.results.answers.figures import with_grades
from judgments.results.errors.weights import weighted_scores
from judgments.results.selection.selection import Selection

from .marked_text import MarkedPiece, linked_words, marked_pieces
from .said import output_name, preference_words, question_names, rating_question, span_kind

Rows = dict[str, list[Any]]  # observations by their kind


@dataclass(frozen=True)
class Edited:
    """What an annotator made of an output: ``pieces`` of the text, and whether each differs."""

    outcome: str
    text: str
    pieces: list[Piece]


@dataclass(frozen=True)
class MarkedError:
    """An error as it is stored; ``text``: the words that are marked, "" where something is
    missing."""

    side: str
    start: int
    end: int
    severity: str
    category: str
    text: str


@dataclass(frozen=True)
class Voice:
    """What one annotator said of one output as it was shown.

    ``kind``: that of the item, "" for a regular one. ``ratings``: question and value. ``errors``
    None: nobody is asked for errors. ``target`` and ``source``: the texts with the errors marked,
    empty where none are on that side; ``missing`` and ``whole``: kinds of errors without a place,
    of what was left out and of the whole output. ``answers``:
    question, answer, whether it is right (None: not graded). ``links``: word of the source, of the
    output, whether it is sure. ``presses``: second of the recording and value, None for nothing.
    """

    judgment: Judgment
    annotator: str
    kind: str = ""
    ratings: list[tuple[str, float]] = field(default_factory=list)
    errors: list[MarkedError] | None = None
    target: list[MarkedPiece] = field(default_factory=list)
    source: list[MarkedPiece] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    edits: list[Edited] = field(default_factory=list)
    answers: list[tuple[str, str, bool | None]] = field(default_factory=list)
    links: list[tuple[str, str, bool]] = field(default_factory=list)
    presses: list[tuple[float, int | None]] = field(default_factory=list)


@dataclass(frozen=True)
class SaidOfTwo:
    annotator: str
    words: str
    kind: str


@dataclass(frozen=True)
class Voices:
    """``of``: by the id of an output and of the altered copy of it that was shown, None for the
    output itself. ``altered``: the copies by id. ``n_judgments``: of the segment."""

    of: Mapping[tuple[int, int | None], list[Voice]]
    altered: Mapping[int, AlteredOutput]
    comparisons: list[SaidOfTwo]
    n_judgments: int


def voices_of(
    selection: Selection, segments: Sequence[Segment], outputs: Mapping[int, Output]
) -> dict[int, Voices]:
    """Return all that a selection lets through, by the id of a segment; annotators in the order of
    their names. ``outputs``: those of the segments, by id."""
    campaign = selection.campaign
    rows = {kind: _rows(selection, kind, list(outputs)) for kind in protocol_of(campaign).kinds}
    ids = sorted({row.judgment_id for found in rows.values() for row in found})
    judgments = Judgment.objects.select_related("item").in_bulk(ids)
    shown = _altered({judgment.item_id for judgment in judgments.values()}, outputs)
    values = weighted_scores(selection, ids) if selection.weights else {}
    by_segment: dict[int, dict[str, list[Any]]] = {each.pk: defaultdict(list) for each in segments}
    for kind, found in rows.items():
        for row in found:
            output = row.output_a_id if kind == "preferences" else row.output_id
            by_segment[outputs[output].segment_id][kind].append(row)
    return {
        each.pk: _voices(
            selection,
            _VoiceReader(campaign, each, outputs, shown, values),
            by_segment[each.pk],
            judgments,
        )
        for each in segments
    }


def _voices(
    selection: Selection, reader: _VoiceReader, rows: Rows, judgments: Mapping[int, Judgment]
) -> Voices:
    """Return for one segment, from its rows."""
    by_output: dict[tuple[int, int], Rows] = defaultdict(lambda: defaultdict(list))
    for kind in KINDS:
        for row in rows.get(kind, ()):
            if kind != "preferences":
                by_output[row.judgment_id, row.output_id][kind].append(row)
    said = defaultdict(list)
    copies = {}
    for (judgment, output), found in by_output.items():
        one = judgments[judgment]
        copy = reader.shown.get((one.item_id, output))
        if copy:
            copies[copy.pk] = copy
        voice = reader.voice(one, selection.alias(one.annotator_id), output, found)
        said[output, copy.pk if copy else None].append(voice)
    for voices in said.values():
        voices.sort(key=lambda voice: (voice.annotator, voice.judgment.pk))
    comparisons = [
        reader.comparison(selection, judgments[row.judgment_id], row)
        for row in rows.get("preferences", ())
    ]
    n_judgments = len({row.judgment_id for found in rows.values() for row in found})
    return Voices(said, copies, comparisons, n_judgments)


def _rows(selection: Selection, kind: str, outputs: list[int]) -> list[Any]:
    """Return the observations of one kind of these outputs, in the order in which they were
    stored."""
    about = ("output_a", "output_b") if kind == "preferences" else ("output",)
    found = KINDS[kind].model._default_manager.filter(**{f"{about[0]}__in": outputs})
    found = selection.rows_of(found, outputs=about)
    if kind == "answers":
        found = with_grades(found).select_related("question")
    return list(found.order_by("judgment_id", "pk"))


def _altered(
    items: set[int], outputs: Mapping[int, Output]
) -> dict[tuple[int, int], AlteredOutput]:
    """Return what was shown in place of outputs, by item and output."""
    shown = ItemOutput.objects.filter(item__in=items, output__in=outputs, altered__isnull=False)
    return {
        (row.item_id, row.output_id): row.altered
        for row in shown.select_related("altered")
        if row.altered is not None
    }


def item_kind(kind: str) -> str:
    """Return the kind of an item in words, "" for a regular one."""
    return "" if kind == Kind.REGULAR else str(Kind(kind).label)


class _VoiceReader:
    """Puts the rows of one judgment and output into a `Voice`."""

    def __init__(
        self,
        campaign: Campaign,
        segment: Segment,
        outputs: Mapping[int, Output],
        shown: Mapping[tuple[int, int], AlteredOutput],
        values: Mapping[tuple[int, int], float],
    ) -> None:
        self.campaign, self.segment, self.outputs, self.shown = campaign, segment, outputs, shown
        self.values = values
        self.derived = Marking.of(campaign).derived if values else ""
        self.names = question_names(campaign)
        self.marks = protocol_of(campaign).has_page("errors")

    def voice(self, judgment: Judgment, alias: str, output: int, rows: Rows) -> Voice:
        copy = self.shown.get((judgment.item_id, output))
        text = copy.text if copy else self.outputs[output].text
        spans = rows.get("spans", [])
        of_side = {side: [s for s in spans if s.side == side] for side in Side.values}
        source = self.segment.source

        def pieces(side: str, whole: str) -> list[MarkedPiece]:
            found = of_side[side]
            return marked_pieces(self.campaign, whole, found) if found else []

        links = rows.get("links", [])
        return Voice(
            judgment=judgment,
            annotator=alias,
            kind=item_kind(judgment.item.kind_of(output)),
            ratings=[
                (rating_question(r, self.names), self._value(judgment.pk, r))
                for r in rows.get("ratings", [])
            ],
            errors=[self._error(span, text) for span in spans] if self.marks else None,
            target=pieces(Side.TARGET, text),
            source=pieces(Side.SOURCE, source),
            missing=[span_kind(span) for span in of_side[Side.MISSING]],
            whole=[span_kind(span) for span in of_side[Side.OUTPUT]],
            edits=[self._edit(edit, text) for edit in rows.get("edits", [])],
            answers=[
                (a.question.text, a.text, a.is_right if a.grade is None else a.grade)
                for a in rows.get("answers", [])
            ],
            links=linked_words(self.campaign, source, text, links) if links else [],
            presses=[(press.at_ms / 1000, press.value) for press in rows.get("presses", [])],
        )

    def comparison(self, selection: Selection, judgment: Judgment, row: Any) -> SaidOfTwo:
        names = [self._name(judgment, output) for output in (row.output_a_id, row.output_b_id)]
        kinds = {judgment.item.kind_of(output) for output in (row.output_a_id, row.output_b_id)}
        special = sorted(kinds - {Kind.REGULAR.value})
        return SaidOfTwo(
            selection.alias(judgment.annotator_id),
            preference_words(row, *names),
            ", ".join(map(item_kind, special)),
        )

    def _name(self, judgment: Judgment, output: int) -> str:
        return output_name(self.outputs[output], (judgment.item_id, output) in self.shown)

    def _value(self, judgment: int, rating: Any) -> float:
        """As results have it: by the weights of the selection where there are any."""
        if rating.dimension != self.derived:
            return rating.value
        return self.values.get((judgment, rating.output_id), rating.value)

    def _error(self, span: Any, text: str) -> MarkedError:
        whole = self.segment.source if span.side == Side.SOURCE else text
        words = "" if span.side in WITHOUT_PLACE else whole[span.start : span.end]
        return MarkedError(span.side, span.start, span.end, span.severity, span.category, words)

    def _edit(self, edit: Any, text: str) -> Edited:
        pieces = differences(text, edit.text)[1] if edit.text else []
        return Edited(edit.get_outcome_display(), edit.text, pieces)
