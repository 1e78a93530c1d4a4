"""Error spans: errors are marked in the texts, with severity and category. ESA and MQM.

Sources: Kocmi et al. (2024), "Error span annotation"; Freitag et al. (2021), "Experts, errors, and
context". What may be marked is data (`spans_marking`). Scores are derived from the marked errors
and stored beside them, so that every page reads them as it reads ratings: `mqm`, or `esa_spans`
beside the slider `esa`. They are minus the sum of the weights: higher is better, and 0 is best.
"""

from dataclasses import replace

from django.utils.translation import gettext as _

from judgments.models import PrefilledSpan

from . import rating_form
from .base import Dimension, Observations, Scale, Span
from .presets.spans import ESA
from .spans_form import Mark, SpansForm, prefill_key, written
from .spans_marking import Marking, marking_of
from .spans_options import options as options
from .spans_options import problems as problems

SLUG = "spans"
NAME = "Error spans"
TEMPLATE = "judgments/protocols/spans.html"
ANALYSIS = "ratings"
OBSERVATIONS = ("ratings", "spans")


def outputs_per_item(campaign) -> tuple[int, int]:
    most = int(campaign.options.get("outputs_per_item", 1))
    return min(most, int(campaign.options.get("fewest_per_item", 1))), most


def dimensions(campaign) -> tuple[Dimension, ...]:
    marking = marking_of(campaign.options)
    return (*asked(marking), derived(marking))


def asked(marking: Marking) -> tuple[Dimension, ...]:
    """What annotators are asked beside the errors."""
    if not marking.score:
        return ()
    anchors = tuple((value, _(words)) for value, words in ESA.scale.anchors)
    scale = replace(ESA.scale, anchors=anchors)
    return (replace(ESA, name=_(ESA.name), question=_(ESA.question), scale=scale),)


def derived(marking: Marking) -> Dimension:
    """The score that follows from the marked errors."""
    slug, name = (
        ("esa_spans", _("Score of the marked errors")) if marking.score else ("mqm", _("MQM score"))
    )
    return Dimension(
        slug,
        name,
        _("Minus the weights of the marked errors; 0 without errors."),
        Scale(marking.lowest_score, 0, step=0.01, kind="interval", widget="slider"),
    )


def parts(campaign) -> tuple[str, ...]:
    return ("",)


def form(campaign, item, shown, data=None, initial=None) -> SpansForm:
    marking = marking_of(campaign.options)
    texts = [{"target": row.output.text} for row in shown]
    if "source" in marking.sides:
        texts = [sides | {"source": item.segment.source} for sides in texts]
    prefills = prefills_of(campaign, shown) if marking.prefilled else [{} for _row in shown]
    if initial is None and marking.prefilled:
        initial = {
            f"output{place}-spans": written(suggested(proposed))
            for place, proposed in enumerate(prefills, 1)
        }
    return SpansForm(marking, asked(marking), texts, prefills, data=data, initial=initial)


def prefills_of(campaign, shown) -> list[dict[str, PrefilledSpan]]:
    """Per place the suggestions by the keys that the screen has for them."""
    rows = PrefilledSpan.objects.filter(campaign=campaign, output__in=[r.output_id for r in shown])
    found: dict[int, dict[str, PrefilledSpan]] = {row.output_id: {} for row in shown}
    for row in rows:
        found[row.output_id][prefill_key(row.pk)] = row
    return [found[row.output_id] for row in shown]


def suggested(proposed: dict[str, PrefilledSpan]) -> list[Mark]:
    return [
        Mark(row.side, row.start, row.end, row.severity, row.category, key)
        for key, row in proposed.items()
    ]


def observations(campaign, item, shown, cleaned) -> Observations:
    marking = marking_of(campaign.options)
    ratings = rating_form.observations(asked(marking), shown, cleaned).ratings
    spans: list[Span] = []
    for place, row in enumerate(shown, 1):
        marks = cleaned[f"output{place}-spans"]
        score = marking.score_of([(mark.severity, mark.category) for mark in marks])
        ratings += ((row.output_id, derived(marking).slug, score),)
        for mark in marks:
            side, start, end, severity, category, key = mark
            prefill = cleaned["prefills"][key] if key else None
            spans.append(Span(row.output_id, side, start, end, severity, category, prefill))
    return Observations(ratings=ratings, spans=tuple(spans))


def initial(campaign, item, shown, judgment) -> dict:
    """Field values from a stored judgment; it was confirmed when it was stored."""
    found: dict[int, list[Mark]] = {row.output_id: [] for row in shown}
    for span in judgment.spans.all():
        if span.output_id in found:
            found[span.output_id].append(mark_of(span))
    values = rating_form.initial(asked(marking_of(campaign.options)), shown, judgment)
    for place, row in enumerate(shown, 1):
        values[f"output{place}-spans"] = written(found[row.output_id])
        values[f"output{place}-confirmed"] = "1"
    return values


def mark_of(span) -> Mark:
    key = prefill_key(span.prefill_id) if span.prefill_id else ""
    return Mark(span.side, span.start, span.end, span.severity, span.category, key)
