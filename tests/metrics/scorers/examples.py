"""Small texts of the kind that each metric reads, for the tests of all metrics."""

from typing import NamedTuple

import pytest

from metrics.scorers import Scorer, get_scorer


class Example(NamedTuple):
    """Four segments, the third with an empty output, the last one long enough for any metric; and a
    perfect output, with the reference of the last segment."""

    hypotheses: list[str]
    references: list[list[str | None]]
    sources: list[str]
    best_output: str
    best_reference: str

    @property
    def streams(self) -> tuple[list[str], list[list[str | None]], list[str]]:
        return self.hypotheses, self.references, self.sources


SOURCES = ["die Katze saß auf der Matte", "ein Hund", "x", "es war spät als sie heimkamen"]
WORDS = Example(
    ["the cat sat on the mat", "a dog", "", "it was late when they came home again"],
    [["the cat is on the mat", "the dog ran", "x", "it was late when they got home again"]],
    SOURCES,
    "it was late when they got home again",
    "it was late when they got home again",
)
# Links of outputs count words from 0, those of references from 1.
LINKS = Example(
    ["0-0 1-1 2-3", "1-0", "", "0-0 1-2 2-1 3-3"],
    [["1-1 2-2 3p3", "1-1 2-1", "1p1 2-2", "1-1 2-2 3-3 4p4"]],
    SOURCES,
    "0-0 1-1 2-2 3-3",
    "1-1 2-2 3-3 4p4",
)


def example_of(scorer: Scorer) -> Example:
    return LINKS if scorer.family == "Word alignment" else WORDS


def ready_scorer(slug: str) -> Scorer:
    """Return the metric with its defaults, trained if necessary; skips if that needs gigabytes."""
    scorer = get_scorer(slug)
    if scorer.family == "Neural":
        pytest.skip("it needs a large model; tests/metrics/neural has small ones")
    if scorer.needs_corpus:
        scorer.train(["the cat is on the mat", "the dog ran home", "it was late again", ""])
    return scorer
