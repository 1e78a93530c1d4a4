"""Error spans: errors are marked in the texts, with severity and category. ESA and MQM.

Sources: Kocmi et al. (2024), "Error span annotation"; Freitag et al. (2021), "Experts, errors, and
context". What may be marked is data (`marking`). Scores are derived from the marked errors and
stored with them, so that every page reads them like ratings: `mqm`, or `esa_spans` in addition to
the slider `esa`. They are minus the sum of the weights: higher is better, and 0 is best.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from judgments.models import PrefilledSpan
from judgments.models.new_observations import Observations, Span
from judgments.protocols.base import Dimension, Scale
from judgments.stats.planning.spreads import ESA as ESA_SPREAD
from judgments.stats.planning.spreads import MQM as MQM_SPREAD
from judgments.stats.planning.spreads import DifferenceSpread
from judgments.stats.planning.times import ESA_STUDY

from ..contract import SCORED_PAGES, ExportFile, Protocol, ProtocolPage
from ..rating import form as rating_form
from .form import Mark, SpansForm, place_shown, prefill_key, written
from .marking import Marking
from .options import option_fields, problems
from .presets import ESA, ESA_INSTRUCTIONS, PRESETS, RELEASED_ERRORS
from .table import TABLE

UNBOUNDED = Scale(None, 0, None, kind="interval", widget="slider")


class Spans(Protocol):
    slug = "spans"
    name = "Error spans"
    template = "judgments/protocols/spans.html"
    kinds = ("ratings", "spans")
    presets = PRESETS
    released = (RELEASED_ERRORS,)
    reads = Marking
    table = TABLE
    seconds_per_output = ESA_STUDY.per_output
    seconds_per_word = ESA_STUDY.per_word
    pages = (ProtocolPage("errors", "Errors"), *SCORED_PAGES)
    files = (
        ExportFile(
            "export-errors",
            "errors",
            ("tsv", "jsonl"),
            "every marked error with its position and text, and what became of suggestions.",
        ),
    )

    options: Marking

    @classmethod
    def option_fields(cls, preset):
        return option_fields(preset)

    @classmethod
    def problems(cls, preset, options, test_set):
        return problems(options)

    def materials(self) -> tuple[ProtocolPage, ...]:
        own = (ProtocolPage("suggestions", "Suggested errors"),) if self.options.prefilled else ()
        return (*own, *super().materials())

    def usual_spread(self) -> DifferenceSpread:
        if self.options.score:
            return ESA_SPREAD
        return replace(MQM_SPREAD, scale=5 * self.options.heaviest)

    def dimensions(self) -> tuple[Dimension, ...]:
        return (*asked(self.options), derived(self.options))

    def derived_scores(self, errors):
        return ((self.options.derived, self.options.score_of(errors)),)

    def instructions(self) -> str:
        """Return the instructions: if a preset's suggestions are switched off, those of the preset
        without them."""
        if self.preset.options.get("prefilled") and not self.options.prefilled:
            return ESA_INSTRUCTIONS
        return super().instructions()

    def why_only_read(self) -> str:
        if self.options.released:
            return "Its errors come from a release, and nobody is asked for more."
        return super().why_only_read()

    def sides_shown(self, item) -> tuple[str, ...]:
        """Return the sides that can be marked: not the source if it is not shown."""
        shows_source, _ = self.visible(item)
        return tuple(side for side in self.options.sides if side != "source" or shows_source)

    def form(self, item, shown, data=None, initial=None) -> SpansForm:
        marking = self.options
        if (sides := self.sides_shown(item)) != marking.sides:
            marking = replace(marking, sides=sides)
        texts = [{"target": row.text} for row in shown]
        if "source" in marking.sides:
            texts = [sides | {"source": item.segment.source} for sides in texts]
        prefills = self.prefills_of(shown, sides) if marking.prefilled else [{} for _row in shown]
        if initial is None and marking.prefilled:
            initial = {
                f"output{place}-spans": written(suggested(proposed))
                for place, proposed in enumerate(prefills, 1)
            }
        language = self.campaign.test_set.target_language
        return SpansForm(
            marking, asked(marking), texts, prefills, language, data=data, initial=initial
        )

    def prefills_of(self, shown, sides: Sequence[str]) -> list[dict[str, PrefilledSpan]]:
        """Return the suggestions of each place by their keys on the screen. sides: those that can
        be marked."""
        of_output = {row.output_id: row for row in shown}
        found: dict[int, dict[str, PrefilledSpan]] = {output: {} for output in of_output}
        rows: Iterable[PrefilledSpan]
        if self.given is None:
            rows = PrefilledSpan.objects.filter(
                campaign=self.campaign, output__in=of_output, is_shown=True
            )
        else:
            rows = [row for row in self.given.get(PrefilledSpan, ()) if row.output_id in found]
        for row in rows:
            place = place_shown(row, of_output[row.output_id])
            if place and row.side in sides:
                row.start, row.end = place
                found[row.output_id][prefill_key(row.pk)] = row
        return [found[output] for output in of_output]

    def observations(self, item, shown, cleaned) -> Observations:
        marking = self.options
        ratings = rating_form.observations(asked(marking), shown, cleaned).ratings
        spans: list[Span] = []
        for place, row in enumerate(shown, 1):
            marks = cleaned[f"output{place}-spans"]
            derived = self.derived_scores([(mark.severity, mark.category) for mark in marks])
            ratings += tuple((row.output_id, *score) for score in derived)
            for mark in marks:
                side, start, end, severity, category, key = mark
                prefill = cleaned["prefills"][key] if key else None
                spans.append(Span(row.output_id, side, start, end, severity, category, prefill))
        return Observations(ratings=ratings, spans=tuple(spans))

    def initial(self, item, shown, judgment) -> dict:
        """Return field values from a stored judgment; it was confirmed when stored."""
        found: dict[int, list[Mark]] = {row.output_id: [] for row in shown}
        for span in judgment.spans.all():
            if span.output_id in found:
                found[span.output_id].append(mark_of(span))
        values = rating_form.initial(asked(self.options), shown, judgment)
        for place, row in enumerate(shown, 1):
            values[f"output{place}-spans"] = written(found[row.output_id])
            values[f"output{place}-confirmed"] = "1"
        return values


def asked(marking: Marking) -> tuple[Dimension, ...]:
    """Return the dimensions that annotators are asked in addition to errors."""
    if not marking.score:
        return ()
    anchors = tuple((value, _(words)) for value, words in ESA.scale.anchors)
    scale = replace(ESA.scale, anchors=anchors)
    if marking.released:
        scale = replace(scale, step=None)  # other screens have other steps
    return (replace(ESA, name=_(ESA.name), question=_(ESA.question), scale=scale),)


def derived(marking: Marking) -> Dimension:
    """Return the score derived from the marked errors; releases do not say how low it can be."""
    step = marking.score_step
    scale = Scale(marking.lowest_score, 0, step=step, kind="interval", widget="slider")
    if marking.released:
        scale = UNBOUNDED
    return Dimension(
        marking.derived,
        _("Score of the marked errors") if marking.score else _("MQM score"),
        _("Minus the weights of the marked errors; 0 without errors."),
        scale,
    )


def suggested(proposed: dict[str, PrefilledSpan]) -> list[Mark]:
    return [
        Mark(row.side, row.start, row.end, row.severity, row.category, key)
        for key, row in proposed.items()
    ]


def mark_of(span) -> Mark:
    key = prefill_key(span.prefill_id) if span.prefill_id else ""
    return Mark(span.side, span.start, span.end, span.severity, span.category, key)
