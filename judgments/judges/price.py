"""What a judge costs: forecast by what it will read, then by its own answers once it has some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Avg, Count, Sum

from judgments.models import Item, Judge
from judgments.protocols import protocol_of
from judgments.protocols.model_questions import ModelQuestion

from .prompts import PROMPTS, Ask
from .questions import screen_for

SAMPLE = 20  # items whose requests are written to reckon the price
ENOUGH = 20  # answers, from which on the forecast is what they took
# A token of languages with an alphabet is about four characters; of others about one.
ASCII_PER_TOKEN, OTHERS_PER_TOKEN = 4.0, 1.2
# What an answer takes, in tokens. An error with its quote and its surroundings takes 50.
TOKENS_OF = {"errors": 130, "number": 12, "choice": 12, "text": 40}


@dataclass(frozen=True)
class Spent:
    """What the answers took so far. cost in the judge's currency."""

    n_answers: int
    tokens_in: int
    tokens_out: int
    cost: Decimal


@dataclass(frozen=True)
class JudgePrice:
    """What all items take, those that are judged among them. is_measured: by answers of this judge;
    else by the length of the requests."""

    n_items: int
    n_left: int
    tokens_in: float
    tokens_out: float
    cost: Decimal
    left: Decimal
    is_measured: bool


SUMS = {
    "n": Count("raw_answers"),
    "tokens_in": Sum("raw_answers__tokens_in", default=0),
    "tokens_out": Sum("raw_answers__tokens_out", default=0),
}


def spent(judge: Judge) -> Spent:
    return spent_by([judge])[judge.pk]


def spent_by(judges: Sequence[Judge]) -> dict[int, Spent]:
    """Return what each has spent, by its id, in one statement."""
    counted = Judge.objects.filter(pk__in=[judge.pk for judge in judges]).annotate(**SUMS)
    found = {}
    for each in counted.order_by():
        sums = vars(each)
        tokens = sums["tokens_in"] + each.lost_in, sums["tokens_out"] + each.lost_out
        found[each.pk] = Spent(sums["n"], *tokens, each.cost(*tokens))
    return found


def forecast(judge: Judge) -> JudgePrice:
    items = Item.objects.filter(task__campaign=judge.answers_id)
    n_items = items.count()
    done = spent(judge)
    n_done = judge.raw_answers.filter(is_last=True).count()
    if n_done >= ENOUGH:
        each_in, each_out = done.tokens_in / n_done, done.tokens_out / n_done
    else:
        each_in, each_out = per_item(judge, items, n_items)
    n_left = max(n_items - n_done, 0)
    left = judge.cost(each_in * n_left, each_out * n_left)
    return JudgePrice(
        n_items, n_left, done.tokens_in + each_in * n_left, done.tokens_out + each_out * n_left,
        done.cost + left, left, n_done >= ENOUGH,
    )  # fmt: skip


def per_item(judge: Judge, items, n_items: int) -> tuple[float, float]:
    """Return (tokens in, tokens out) of an item on average, from some of them that stand apart."""
    protocol, prompt = protocol_of(judge.answers), PROMPTS[judge.prompt]
    keys = list(items.order_by("pk").values_list("pk", flat=True))[:: max(n_items // SAMPLE, 1)]
    sample = Item.objects.in_bulk(keys[:SAMPLE])
    tokens_in = tokens_out = 0.0
    for item in sample.values():
        screen = screen_for(protocol, item)
        out = sum(TOKENS_OF[each.kind] for each in screen.questions)
        said: list[str] = []
        for step in prompt.steps:
            tokens_in += tokens_of(step(screen, said)) + len(said) * TOKENS_OF["errors"]
            said.append("")
        tokens_out += out
    n = max(len(sample), 1)
    return tokens_in / n, tokens_out / n


def tokens_of(ask: Ask) -> float:
    return sum(tokens_in_text(message["content"]) for message in ask.messages)


def tokens_in_text(text: str) -> float:
    n_ascii = sum(character.isascii() for character in text)
    return n_ascii / ASCII_PER_TOKEN + (len(text) - n_ascii) / OTHERS_PER_TOKEN


def most_tokens(questions: list[ModelQuestion]) -> int:
    """Return how long an answer may be: four times what is usual, and never short."""
    return max(600, 4 * sum(TOKENS_OF[each.kind] for each in questions))


def mean_seconds(judge: Judge) -> float:
    """Return how long an answer took on average; 0 before there is one."""
    return (judge.raw_answers.aggregate(mean=Avg("milliseconds"))["mean"] or 0) / 1000
