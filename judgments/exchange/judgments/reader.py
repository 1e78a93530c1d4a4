"""Judged screens → screens with the ids of the database: names are looked up, values checked."""

from __future__ import annotations

from dataclasses import replace

from django.db.models.functions import Length

from judgments.files.lines import problem_with_text
from judgments.files.problem import FileRow, shortened
from judgments.files.table import problem_with_name
from judgments.models import WITHOUT_PLACE, Campaign, Kind, Output, Segment, System
from judgments.protocols import protocol_of
from judgments.protocols.spans.marking import Marking
from judgments.protocols.spans.table import check_together, kind_of

from .records import JudgedScreen, MarkedSpan, Remark
from .screens import ImportedRemark, ImportedScreen

KINDS = {kind: kind for kind in Kind.values}
LONGEST_ALIAS = 150
LONGEST_ITEM = 200
MOST_KEPT = 10_000  # cached valid values
SAME = 1e-6  # tolerance between a score and the sum of the weights of its errors


class ScreenReader:
    """Knows the names of a campaign's texts and dimensions; reads outputs one system at a time.

    Methods that read data from a file raise ImportProblem for an unknown name, a value off its
    scale, and an error that does not fit its text.
    """

    def __init__(self, campaign: Campaign, *, is_new: bool = False) -> None:
        """is_new: the campaign was made from the records, and asks for whatever they have."""
        self.protocol = protocol_of(campaign)
        self.is_new = is_new
        self.fewest, self.most = self.protocol.outputs_per_item()
        self.dimensions = {each.slug: each for each in self.protocol.dimensions()}
        systems = System.objects.filter(test_set=campaign.test_set_id)
        self.systems = dict(systems.values_list("name", "pk"))
        self.in_test_set = Segment.objects.filter(test_set=campaign.test_set_id).order_by()
        # With the length of the source, without which nothing could be marked in it.
        rows = self.in_test_set.annotate(n=Length("source")).values_list("key", "pk", "n")
        self.segments = {key: (pk, length) for key, pk, length in rows}
        self.outputs: dict[str, dict[int, tuple[int, int]]] = {}
        self.has_texts = campaign.test_set.has_texts
        self.aliases: dict[str, str] = {}
        self.sources: dict[int, str] = {}
        self.targets: dict[str, dict[int, str]] = {}
        self.fitting: set[tuple[str, float]] = set()

    def read(self, given: JudgedScreen) -> ImportedScreen:
        """Return the screen of a record that contains all of it."""
        options = self.protocol.options
        if given.spans and not self.is_new and isinstance(options, Marking):
            kinds = [
                kind_of(given, span.side, span.severity, span.category, options)
                for span in given.spans
            ]
            spans = zip(given.spans, kinds, strict=True)
            stored = [each._replace(severity=s, category=c) for each, (s, c) in spans]
            given = replace(given, spans=stored)
        return self.complete(self.look_up(given))

    def look_up(self, given: JudgedScreen) -> ImportedScreen:
        """Return the data of a record, which may be a part of its screen."""
        segment, source_length = self.segment(given, given.segment)
        if len(given.item) > LONGEST_ITEM:
            raise given.problem("item", f"the name is longer than {LONGEST_ITEM} characters.")
        columns: dict[str, str] = {}
        for a, b, _, _ in given.preferences:
            columns |= {a: "system_a", b: "system_b"}
        places = {
            system: self.output(given, system, segment, columns.get(system, "system"))
            for system in given.outputs
        }
        kind = self.kind(given, given.kind, "kind")
        found = ImportedScreen(
            given.file,
            given.row,
            self.alias(given),
            segment,
            kind,
            given.item,
            given.part,
            [pk for pk, _ in places.values()],
            started_at=given.started,
            submitted_at=given.submitted,
            active_ms=given.active_ms,
        )
        for system, dimension, value in given.ratings:
            self.check_value(given, dimension, value)
            found.ratings[places[system][0], dimension] = value
        if given.copies:
            found.copies = frozenset(places[system][0] for system in given.copies)
        if given.control:
            found.control = places[given.control][0]
            found.control_kind = self.kind(given, given.control_kind, "control_kind")
        if given.altered:
            found.altered = {places[system][0]: text for system, text in given.altered.items()}
        if given.preferences:
            found.preferences = [
                (places[a][0], places[b][0], sign, strength)
                for a, b, sign, strength in given.preferences
            ]
        if given.spans is not None:
            found.asks_errors = True
            found.spans = [
                self.span(given, span, *places[span.system], source_length) for span in given.spans
            ]
        found.remarks = [self.remark(given, each) for each in given.remarks]
        return found

    def complete(self, found: ImportedScreen) -> ImportedScreen:
        """Return a screen whose parts are all known, with derived values."""
        count = len(found.outputs)
        if not (self.is_new or self.fewest <= count <= self.most):
            several = f"{self.fewest} to " if self.fewest < self.most else ""
            reason = (
                f"the item that starts here shows {count} output{'s'[: count != 1]}; "
                f"in this campaign one shows {several}{self.most}."
            )
            raise found.problem("", reason)
        found.settle_kind()
        if found.asks_errors:
            self.derive(found)
        if found.started_at and found.submitted_at and found.started_at > found.submitted_at:
            raise found.problem("submitted", "the item was submitted before it was started.")
        return found

    def alias(self, given: JudgedScreen) -> str:
        """Return the annotator's name: the same string object for all rows that have it."""
        name = given.annotator
        if name not in self.aliases:
            if problem := problem_with_name(name, LONGEST_ALIAS):
                raise given.problem("annotator", problem)
            self.aliases[name] = name
        return self.aliases[name]

    def kind(self, given: FileRow, kind: str, column: str) -> str:
        if kind not in KINDS:
            reason = f"{shortened(kind)} is not a kind of item. The kinds are {', '.join(KINDS)}."
            raise given.problem(column, reason)
        return KINDS[kind]

    def segment(self, given: FileRow, key: str) -> tuple[int, int]:
        """Return the id of a segment and the length of its source in code points."""
        if key not in self.segments:
            reason = f"{shortened(key)} is not a segment of the test set."
            raise given.problem("segment", reason)
        return self.segments[key]

    def output(
        self, given: FileRow, system: str, segment: int, column: str = "system"
    ) -> tuple[int, int]:
        """Return the id of an output and the length of its text in code points."""
        if system not in self.systems:
            known = shortened(", ".join(sorted(self.systems)), 300)
            reason = f"{shortened(system)} is not a system of the test set. Its systems: {known}."
            if not self.systems:
                reason = f"the test set has no outputs, and so none of {shortened(system)}."
            raise given.problem(column, reason)
        if system not in self.outputs:
            rows = Output.objects.filter(system=self.systems[system]).order_by()
            found = rows.annotate(n=Length("text")).values_list("segment_id", "pk", "n")
            self.outputs[system] = {segment: (pk, n) for segment, pk, n in found}
        place = self.outputs[system].get(segment)
        if place is None:
            reason = f"the system {shortened(system)} has no output for this segment."
            raise given.problem(column, reason)
        return place

    def texts(self, given: JudgedScreen, system: str) -> dict[str, str]:
        """Return the texts that an error may be in, by side; those of a system are read when first
        needed."""
        segment, _ = self.segment(given, given.segment)
        self.output(given, system, segment)
        if not self.sources:
            self.sources = dict(self.in_test_set.values_list("pk", "source").iterator())
        if system not in self.targets:
            rows = Output.objects.filter(system=self.systems[system]).order_by()
            self.targets[system] = dict(rows.values_list("segment_id", "text").iterator())
        return {"source": self.sources[segment], "target": self.targets[system][segment]}

    def check_value(self, given: JudgedScreen, dimension: str, value: float) -> None:
        """Raise ImportProblem for an invalid value. Values repeat, so valid ones are cached."""
        if (dimension, value) in self.fitting:
            return
        if dimension not in self.dimensions:
            known = ", ".join(self.dimensions)
            reason = f"{shortened(dimension)} is not asked in this campaign; {known} is."
            raise given.problem("dimension", reason)
        if problem := self.dimensions[dimension].scale.problem_with(value):
            raise given.problem(given.value_column, f"{problem}.")
        if len(self.fitting) < MOST_KEPT:
            self.fitting.add((dimension, value))

    def span(
        self, given: JudgedScreen, span: MarkedSpan, output: int, length: int, source_length: int
    ) -> tuple[int, str, int, int, str, str]:
        """Return a span as in `ImportedScreen.spans`."""
        if span.side in WITHOUT_PLACE:
            return output, span.side, 0, 0, span.severity, span.category
        if span.system in given.altered:
            length = len(given.altered[span.system])
        most = source_length if span.side == "source" else length
        if not 0 <= span.start <= span.end or (self.has_texts and span.end > most):
            text = "source" if span.side == "source" else f"output of {shortened(span.system)}"
            reason = (
                f"an error from character {span.start:,} to {span.end:,} does not fit the {text}, "
                f"which has {most:,} characters."
            )
            raise given.problem("span", reason)
        return output, span.side, span.start, span.end, span.severity, span.category

    def remark(self, given: JudgedScreen, remark: Remark) -> ImportedRemark:
        """Return a remark as in `ImportedScreen.remarks`."""
        comment, system, side, start, end = remark
        if problem := problem_with_text(comment):
            raise given.problem("comment", problem)
        segment, _ = self.segment(given, given.segment)
        output = self.output(given, system, segment)[0] if system else None
        if not side:
            return comment, output, "", None, None, ""
        texts = self.texts(given, system or given.outputs[0])
        text = given.altered.get(system, texts["target"]) if side == "target" else texts["source"]
        if not 0 <= start <= end or (self.has_texts and end > len(text)):
            reason = f"a comment on characters {start:,} to {end:,} does not fit the {side}."
            raise given.problem("comment", reason)
        return comment, output, side, start, end, text[start:end]

    def derive(self, found: ImportedScreen) -> None:
        """Add the scores derived from the errors, as the protocol computes them on its screens."""
        by_output: dict[int, list[tuple[str, str]]] = {pk: [] for pk in found.outputs}
        for output, _side, _start, _end, severity, category in found.spans:
            by_output[output].append((severity, category))
        options = self.protocol.options
        for output, errors in by_output.items():
            if not self.is_new and isinstance(options, Marking):
                check_together(found, errors, options)
            try:
                derived = self.protocol.derived_scores(errors)
            except ValueError as error:  # a severity without a weight
                raise found.problem("severity", f"{error}.") from None
            for dimension, value in derived:
                # Scores in a release have their own last digits.
                given = found.ratings.get((output, dimension), value)
                if abs(given - value) > SAME:
                    reason = f"the score is {given:g}, but the errors weigh {-value:g}."
                    raise found.problem("score", reason)
                found.ratings[output, dimension] = given
