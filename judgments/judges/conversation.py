"""What is asked next about an item, given the answers that are stored: so a run that was killed
goes on where it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judgments.protocols.model_questions import FormData, Misfit, posted

from .endpoints import CUT_OFF, storable
from .prompts import Ask, Prompt
from .questions import AskedScreen

REPAIRS = 1  # how often an item is asked again because an answer did not fit
OUTSIDE = "Not answered: "  # begins what is wrong, but with no answer
WAS_CUT_OFF = "The answer was cut off."


class StoredAnswer(NamedTuple):
    """An answer with what was wrong with it; empty where nothing was."""

    text: str
    problem: str


@dataclass(frozen=True)
class Fits:
    """All questions are answered."""

    form_data: FormData


@dataclass(frozen=True)
class NothingFits:
    """The answers did not fit, and nothing more is asked."""


def problem_with(
    prompt: Prompt, screen: AskedScreen, before: Sequence[StoredAnswer], text: str, finish: str
) -> str:
    """Return what is wrong with an answer; empty where nothing is."""
    if finish == CUT_OFF:
        return WAS_CUT_OFF
    said = [each.text for each in before if not each.problem]
    try:
        found = prompt.reads(screen, [*said, text])
        for question in screen.questions:  # also of the first of several steps
            if question.name in found:
                question.post(found[question.name])
        if len(said) + 1 == len(prompt.steps):
            data = posted(screen.questions, found).data
            form = screen.protocol.form(screen.item, screen.shown, data)
            if not form.is_valid():
                raise Misfit(" ".join(str(words[0]) for words in form.errors.values()))
    except Misfit as problem:
        return storable(problem) or "The answer does not fit."
    except (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return "The answer cannot be read."  # whatever it is, it must not end the run
    return ""


def next_step(
    prompt: Prompt, screen: AskedScreen, before: Sequence[StoredAnswer]
) -> Ask | Fits | NothingFits:
    said = [each.text for each in before if not each.problem]
    if len(said) == len(prompt.steps):
        return Fits(posted(screen.questions, prompt.reads(screen, said)))
    failed = [each for each in before if each.problem]
    if len(failed) > REPAIRS:
        return NothingFits()
    ask = prompt.steps[len(said)](screen, said)
    # Whether the last answer is one to this step.
    if not before or not before[-1].problem or before[-1].problem == WAS_CUT_OFF:
        return ask
    repair = (
        {"role": "assistant", "content": before[-1].text},
        {
            "role": "user",
            "content": f"That cannot be used: {before[-1].problem} Answer once more, in the form "
            "that was asked for and with nothing else.",
        },
    )
    return Ask((*ask.messages, *repair), ask.schema)
