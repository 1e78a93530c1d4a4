"""A simulated language model as a judge of the demo: no model was asked, and nothing left the site.

Its judgments are simulated as those of people are, and stored with the answers that a model would
have given, as a run of a judge stores them.
"""

import json
from collections import defaultdict

from django.utils import timezone

from judgments.judges import price, set_up
from judgments.judges.prompts import PROMPTS
from judgments.models import (
    Campaign,
    ErrorSpan,
    ItemOutput,
    Judge,
    JudgeAnswer,
    JudgeStatus,
    Judgment,
    Rating,
)

from . import simulation

PROMPT = "campaign"
AROUND = 12  # characters that are quoted on either side of an error


def make(campaign: Campaign) -> Judge:
    """Return the judge, with its work planned in a campaign of its own."""
    judge = Judge(
        name=simulation.MODEL.alias,
        endpoint="this site",
        model="a seeded program",
        prompt=PROMPT,
        prompt_hash=PROMPTS[PROMPT].hash,
        price_in=1,
        price_out=4,
        budget=1,
    )
    set_up.make(campaign, judge, segments=None)
    judge.answers.simulated = True
    judge.answers.save(update_fields=["simulated"])
    set_up.open_for(judge)
    return judge


def finish(judge: Judge) -> None:
    """Store the answers to what was judged, and end."""
    forecast = price.forecast(judge)
    judgments = list(Judgment.objects.filter(campaign=judge.answers).order_by("pk"))
    texts = answers_of(judgments)
    JudgeAnswer.objects.bulk_create(
        JudgeAnswer(
            judge=judge,
            item_id=judgment.item_id,
            judgment=judgment,
            number=1,
            text=text,
            is_last=True,
            tokens_in=round(forecast.tokens_in / forecast.n_items),
            tokens_out=round(len(text) / price.ASCII_PER_TOKEN),
            milliseconds=milliseconds(judgment),
            model="simulated",
        )
        for judgment, text in zip(judgments, texts, strict=True)
    )
    judge.status, judge.finished_at = JudgeStatus.DONE, timezone.now()
    judge.message = "Simulated: a program of the demo made up its answers, and no model was asked."
    judge.agreed_price, judge.agreed_at = forecast.cost, judge.finished_at
    judge.save()
    set_up.close_for(judge)


def milliseconds(judgment: Judgment) -> int:
    assert judgment.started_at and judgment.submitted_at
    return round(1000 * (judgment.submitted_at - judgment.started_at).total_seconds())


def answers_of(judgments: list[Judgment]) -> list[str]:
    """Return what a model would have answered, in JSON."""
    spans: dict[int, list[ErrorSpan]] = defaultdict(list)
    for span in ErrorSpan.objects.filter(judgment__in=judgments).order_by("pk"):
        spans[span.judgment_id].append(span)
    ratings = Rating.objects.filter(judgment__in=judgments, dimension="esa")
    scores = dict(ratings.values_list("judgment", "value"))
    shown = ItemOutput.objects.filter(item__judgments__in=judgments)
    texts = dict(shown.values_list("item", "output__text"))
    return [
        json.dumps(
            {
                "translation_1_spans": [quoted(texts[j.item_id], span) for span in spans[j.pk]],
                "translation_1_esa": round(scores[j.pk]),
            },
            ensure_ascii=False,
        )
        for j in judgments
    ]


def quoted(text: str, span: ErrorSpan) -> dict[str, str]:
    return {
        "quote": text[span.start : span.end],
        "before": text[max(span.start - AROUND, 0) : span.start],
        "after": text[span.end : span.end + AROUND],
        "side": span.side,
        "severity": span.severity,
    }
