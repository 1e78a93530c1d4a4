"""A phrase and its translation among the words around them."""

from typing import NamedTuple

from metrics.lessons.baselines.concordance import LinkedSides, RunningWords

# Words on either side of a phrase, and of a text without one.
AROUND = 12
CUT = "…"

Span = tuple[int, int]


class Excerpt(NamedTuple):
    """A text around a phrase, which is empty where there is none."""

    before: str
    phrase: str
    after: str


class Example(NamedTuple):
    segment: int
    side: int
    source: Excerpt
    target: Excerpt


def example_of(
    texts: LinkedSides, segment: int, side: int, source: Span | None, target: Span | None
) -> Example:
    """Return a segment of a side; spans: first word in the whole text, and how many words."""
    row = side * len(texts.source.lengths) + segment
    return Example(
        segment,
        side,
        excerpt_of(texts.source, segment, source),
        excerpt_of(texts.target, row, target),
    )


def excerpt_of(text: RunningWords, segment: int, span: Span | None) -> Excerpt:
    first, end = int(text.starts[segment]), int(text.starts[segment + 1])
    start, length = span or (first, 0)
    from_, to = max(first, start - AROUND), min(end, start + length + AROUND * (1 if span else 3))

    def words(a: int, b: int) -> str:
        return " ".join(text.phrase(a, b - a))

    before = f"{CUT} {words(from_, start)}" if from_ > first else words(from_, start)
    after = f"{words(start + length, to)} {CUT}" if to < end else words(start + length, to)
    return Excerpt(before, words(start, start + length), after)
