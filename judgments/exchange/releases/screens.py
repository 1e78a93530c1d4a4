"""Judged screens of a release → screens with the ids of the database, checked."""

from __future__ import annotations

from django.db.models.functions import Length

from judgments.exchange.judgments.screens import KINDS, LONGEST_ALIAS, LONGEST_ITEM, ImportedScreen
from judgments.files.problem import shortened
from judgments.files.table import problem_with_name
from judgments.models import WITHOUT_PLACE, Campaign, Output, Segment, System
from judgments.protocols import protocol_of

from .records import JudgedScreen, MarkedSpan

SAME = 1e-6  # a score and the sum of the weights of its errors


class ScreenReader:
    """Knows the names of a campaign's texts and dimensions; reads outputs a system at a time."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.protocol = protocol_of(campaign)
        self.dimensions = {each.slug: each for each in self.protocol.dimensions()}
        self.systems = dict(
            System.objects.filter(test_set=campaign.test_set_id).values_list("name", "pk")
        )
        rows = Segment.objects.filter(test_set=campaign.test_set_id).order_by()
        # Of a source its length, without which nothing could be marked in it.
        self.segments = {
            key: (pk, length)
            for key, pk, length in rows.annotate(n=Length("source")).values_list("key", "pk", "n")
        }
        self.outputs: dict[str, dict[int, tuple[int, int]]] = {}
        self.has_texts = campaign.test_set.has_texts
        self.aliases: dict[str, str] = {}

    def read(self, given: JudgedScreen) -> ImportedScreen:
        """Raises ImportProblem for a name that nothing has, a value off its scale, an error that
        does not fit its text."""
        segment, source_length = self.segment(given)
        if given.kind not in KINDS:
            reason = f"{shortened(given.kind)} is not a kind of item."
            raise given.problem("kind", reason)
        if len(given.item) > LONGEST_ITEM:
            raise given.problem("item", f"the name is longer than {LONGEST_ITEM} characters.")
        found = ImportedScreen(given, self.alias(given), segment, KINDS[given.kind], given.item)
        found.part = given.part
        places = {system: self.output(given, system, segment) for system in given.outputs}
        for system in given.outputs:
            found.show(places[system][0])
        for system, dimension, value in given.ratings:
            self.check_value(given, dimension, value)
            found.ratings[places[system][0], dimension] = value
        found.copies = {places[system][0] for system in given.copies}
        if given.control:
            if given.control_kind not in KINDS:
                reason = f"{shortened(given.control_kind)} is not a kind of item."
                raise given.problem("control_kind", reason)
            found.control, found.control_kind = places[given.control][0], given.control_kind
        if given.altered:
            found.altered = {places[system][0]: text for system, text in given.altered.items()}
        for a, b, sign, strength in given.preferences:
            found.preferences.append((places[a][0], places[b][0], sign, strength))
        if given.spans is not None:
            found.spans = [
                self.span(given, span, *places[span.system], source_length) for span in given.spans
            ]
            self.derive(given, found, places)
        found.started_at, found.submitted_at = given.started, given.submitted
        found.active_ms = given.active_ms
        if found.started_at and found.submitted_at and found.started_at > found.submitted_at:
            raise given.problem("submitted", "the item was submitted before it was started.")
        return found

    def alias(self, given: JudgedScreen) -> str:
        name = given.annotator
        if name not in self.aliases:
            if problem := problem_with_name(name, LONGEST_ALIAS):
                raise given.problem("annotator", problem)
            self.aliases[name] = name
        return self.aliases[name]

    def segment(self, given: JudgedScreen) -> tuple[int, int]:
        if given.segment not in self.segments:
            reason = f"{shortened(given.segment)} is not a segment of the test set."
            raise given.problem("segment", reason)
        return self.segments[given.segment]

    def output(self, given: JudgedScreen, system: str, segment: int) -> tuple[int, int]:
        """The id of an output and the length of its text in code points."""
        if system not in self.systems:
            known = shortened(", ".join(sorted(self.systems)), 300)
            reason = f"{shortened(system)} is not a system of the test set. Its systems: {known}."
            raise given.problem("system", reason)
        if system not in self.outputs:
            rows = Output.objects.filter(system=self.systems[system]).order_by()
            found = rows.annotate(n=Length("text")).values_list("segment_id", "pk", "n")
            self.outputs[system] = {segment: (pk, n) for segment, pk, n in found}
        place = self.outputs[system].get(segment)
        if place is None:
            reason = f"the system {shortened(system)} has no output for this segment."
            raise given.problem("system", reason)
        return place

    def check_value(self, given: JudgedScreen, dimension: str, value: float) -> None:
        if dimension not in self.dimensions:
            known = ", ".join(self.dimensions)
            reason = f"{shortened(dimension)} is not asked in this campaign; {known} is."
            raise given.problem("dimension", reason)
        if problem := self.dimensions[dimension].scale.problem_with(value):
            raise given.problem("value", f"{problem}.")

    def span(
        self, given: JudgedScreen, span: MarkedSpan, output: int, length: int, source_length: int
    ) -> tuple[int, str, int, int, str, str]:
        """As `ImportedScreen.spans` has it."""
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

    def derive(
        self, given: JudgedScreen, found: ImportedScreen, places: dict[str, tuple[int, int]]
    ) -> None:
        """The scores that follow from the errors, as the protocol computes them on its screens."""
        by_output: dict[int, list[tuple[str, str]]] = {pk: [] for pk, _ in places.values()}
        for output, _side, _start, _end, severity, category in found.spans:
            by_output[output].append((severity, category))
        for output, errors in by_output.items():
            for dimension, value in self.derived(given, errors):
                # What a release says itself has its own last digits.
                given_value = found.ratings.get((output, dimension), value)
                if abs(given_value - value) > SAME:
                    reason = f"the score is {given_value:g}, but the errors weigh {-value:g}."
                    raise given.problem("score", reason)
                found.ratings[output, dimension] = given_value

    def derived(
        self, given: JudgedScreen, errors: list[tuple[str, str]]
    ) -> tuple[tuple[str, float], ...]:
        try:
            return self.protocol.derived_scores(errors)
        except ValueError as error:  # a severity that has no weight
            raise given.problem("severity", f"{error}.") from None
