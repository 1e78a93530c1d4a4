"""What was said of outputs, in words: shared by pages that show single judgments."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from judgments.models import Answer, Campaign, ErrorSpan, Output, Preference, Rating, Side
from judgments.protocols import protocol_of
from judgments.web.tables import DASH


def question_names(campaign: Campaign) -> dict[str, str]:
    """Return what people are asked, or what is computed, by the slug of its dimension."""
    return {d.slug: str(_(d.name)) for d in protocol_of(campaign).dimensions()}


def output_name(output: Output, is_altered: bool) -> str:
    """Return the system, and whether its text was shown altered."""
    name = output.system.name
    return _("%(system)s, text altered") % {"system": name} if is_altered else name


def rating_question(rating: Rating, names: Mapping[str, str]) -> str:
    return names.get(rating.dimension, rating.dimension)


def preference_words(preference: Preference, a: str, b: str) -> str:
    """Return which of the outputs named a and b is better."""
    sign = {1: ">", 0: "=", -1: "<"}[preference.value]
    return f"{a} {sign} {b}"


def span_kind(span: ErrorSpan) -> str:
    """Return severity and category of a marked error."""
    return " ".join(part for part in (span.severity, span.category) if part)


def span_words(span: ErrorSpan, source: str, shown: str) -> str:
    """Return a marked error with its words; shown: the text of the output as it was shown."""
    text = source if span.side == Side.SOURCE else shown
    marked = {Side.MISSING: _("missing"), Side.OUTPUT: _("of the whole translation")}.get(
        Side(span.side), f"“{text[span.start : span.end]}”"
    )
    return f"{span_kind(span)}: {marked}"


def answer_words(answer: Answer) -> str:
    return answer.text or DASH
