"""RIBES, the order of words as a rank correlation (Isozaki et al. 2010)."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from .base import Floats, MeanScorer, Stream, prepared
from .edits import as_characters
from .tokenizers import TOKENIZERS, get_tokenizer


@dataclass(kw_only=True)
class RIBES(MeanScorer):
    """NKT · P^alpha · BP^beta, from 0 to 100: NKT is Kendall's τ of the places in the reference of
    the output's words, as the share of pairs in the same order; P the share of the output's words
    that have such a place; BP the brevity penalty of BLEU for one segment (Isozaki et al. 2010).

    A word has a place if it occurs once in both texts, or else if the words around it tell which
    one it is (``context``). Fewer than two places: 0, but for a reference of one word. Of several
    references a segment takes the best. A corpus has the mean of its segments.

    ``context="program"``: the shortest run of words that ends with the word, or else begins with
    it, and occurs once in both texts, as in version 1.03 of the authors' program. Two words may so
    get one place. ``context="paper"``: the word and the next one, or else the word and the one
    before, as in figure 2 of the paper. NLTK tries runs of all lengths but the longest, those that
    begin with the word first, and gives a reference of one word 0. The program also ignores case
    unless told otherwise.
    """

    slug = "ribes"
    name = "RIBES"
    family = "Words"
    description = "How far shared words stand in the reference's order; made for distant languages."
    higher_is_better = True
    score_range = (0.0, 100.0)
    option_values = {"tokenize": TOKENIZERS, "context": ("program", "paper")}

    tokenize: str = "13a"
    lowercase: bool = False
    alpha: float = 0.25
    beta: float = 0.10
    context: str = "program"

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
                raise ValueError(f"{name} must be a number of at least 0, not {value!r}.")
        if self.context not in self.option_values["context"]:
            raise ValueError(f"context must be program or paper, not {self.context!r}.")
        self._tokenizer = get_tokenizer(self.tokenize)

    def _values(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        words = self._tokenizer.encoder.tokens
        outputs = [words(text) for text in prepared(hypotheses, self.lowercase)]
        best = np.zeros(len(outputs))
        for stream in references:
            texts = [words(text) for text in prepared(stream, self.lowercase)]
            scores = [
                self._one(output, text) if there is not None else 0.0
                for output, text, there in zip(outputs, texts, stream, strict=True)
            ]
            np.maximum(best, scores, out=best)
        return 100 * best

    def _one(self, output: Sequence[str], reference: Sequence[str]) -> float:
        """Return the score of one output against one reference, 0 to 1."""
        if not output or not reference:
            return 0.0
        places = places_in(output, reference, self.context)
        order = 1.0 if len(places) == len(reference) == 1 else share_in_order(places)
        brevity = min(1.0, exp(1 - len(reference) / len(output)))
        return order * (len(places) / len(output)) ** self.alpha * brevity**self.beta

    def _signature_fields(self, level: str) -> dict[str, object]:
        context = {"context": self.context} if self.context != "program" else {}
        return {
            "case": "lc" if self.lowercase else "mixed",
            "tok": self._tokenizer.signature,
            "alpha": self.alpha,
            "beta": self.beta,
            **context,
        }


def places_in(
    output: Sequence[str], reference: Sequence[str], context: str = "program"
) -> list[int]:
    """Return where the words of an output stand in the reference, of those for which the words
    around them tell it as ``context`` says."""
    place_of = {"program": _place_by_runs, "paper": _place_by_pairs}[context]
    ours, theirs = as_characters(output, reference)
    in_output, in_reference = Counter(ours), Counter(theirs)
    places = []
    for at, word in enumerate(ours):
        if not in_reference[word]:
            continue
        if in_output[word] == in_reference[word] == 1:
            places.append(theirs.index(word))
        elif (place := place_of(ours, theirs, at)) is not None:
            places.append(place)
    return places


def _place_by_pairs(ours: str, theirs: str, at: int) -> int | None:
    """Return the place of the word at ``at`` by the next word, or else by the one before."""
    for start in (at, at - 1):
        pair = ours[start : start + 2] if start >= 0 else ""
        if len(pair) == 2 and _is_once(pair, ours) and _is_once(pair, theirs):
            return theirs.find(pair) + at - start
    return None


def _is_once(run: str, text: str) -> bool:
    return 0 <= text.find(run) == text.rfind(run)


def _place_by_runs(ours: str, theirs: str, at: int) -> int | None:
    """Return the place of the word at ``at`` by the shortest run around it that both texts have
    once; of two as short by the one that ends with the word."""
    before = _shortest(ours, theirs, at, lambda window: at - window, at)
    after = _shortest(ours, theirs, at, lambda window: at, len(ours) - 1 - at)
    found = [run for run in (before, after) if run is not None]
    return min(found, key=lambda run: run[0])[1] if found else None


def _shortest(
    ours: str, theirs: str, at: int, start_of: Callable[[int], int], most: int
) -> tuple[int, int] | None:
    """Return the shortest run with ``window`` more words than one, from ``start_of(window)`` on,
    that both texts have once: how many more, and where it is in the reference. The longer a run the
    rarer, so that it is looked for by halves."""

    def is_rare(window: int) -> bool:
        """Return whether neither text has the run twice."""
        start = start_of(window)
        run = ours[start : start + window + 1]
        return theirs.find(run) == theirs.rfind(run) and ours.find(run) == ours.rfind(run)

    high = 1
    while high < most and not is_rare(high):
        high *= 2
    high = min(high, most)
    window = high // 2 + 1 + bisect_left(range(high // 2 + 1, high + 1), True, key=is_rare)
    if window > most:
        return None
    start = start_of(window)
    place = theirs.find(ours[start : start + window + 1])
    return None if place < 0 else (window, place + at - start)


def share_in_order(places: Sequence[int]) -> float:
    """Return Kendall's τ as (τ + 1) / 2: the share of pairs whose later one is the higher; 0
    without a pair."""
    if len(places) < 2:
        return 0.0
    so_far: list[int] = []
    ascending = 0
    for place in places:
        ascending += bisect_left(so_far, place)
        insort(so_far, place)
    return ascending / (len(places) * (len(places) - 1) / 2)
