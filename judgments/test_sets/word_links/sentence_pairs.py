"""Which sentences of two texts belong together, by their lengths (Gale and Church 1993, "A program
for aligning sentences in bilingual corpora"). As static/js/judging/sentence-pairs.js, which
explains it."""

import math
from collections.abc import Sequence
from itertools import accumulate

VARIANCE = 6.8  # of the length for each character: section 3.2 of the paper
# How many sentences of the one and of the other, and how often that is so: its table 5.
KINDS = (
    (1, 1, 0.89),
    (1, 0, 0.0099),
    (0, 1, 0.0099),
    (2, 1, 0.089),
    (1, 2, 0.089),
    (2, 2, 0.011),
)
MOST = 250_000  # pairs to be weighed: five hundred sentences on each side

# Sentences from, and before, of the one text and of the other.
Stretch = tuple[int, int, int, int]


def sentence_pairs(ones: Sequence[int], others: Sequence[int]) -> list[Stretch]:
    """Return the likeliest pairs for the lengths, in characters, of the sentences of two texts.

    Of two that are translations of each other the one is as long as the other times a factor: 1, or
    that of the two texts, whichever makes the pairs likelier. One pair where there are too many.
    """
    if len(ones) * len(others) > MOST or not sum(ones) or not sum(others):
        return [(0, len(ones), 0, len(others))]
    factors = (1.0, sum(others) / sum(ones))
    return min((likeliest(ones, others, factor) for factor in factors), key=lambda found: found[0])[
        1
    ]


def likeliest(
    ones: Sequence[int], others: Sequence[int], factor: float
) -> tuple[float, list[Stretch]]:
    """Return the pairs of least cost for a factor, with their cost."""
    one, other = [0, *accumulate(ones)], [0, *accumulate(others)]
    best = {(0, 0): 0.0}
    how: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(len(one)):
        for j in range(len(other)):
            for m, n, prior in KINDS:
                before = best.get((i - m, j - n), math.inf)
                if before >= best.get((i, j), math.inf):
                    continue
                lengths = one[i] - one[max(0, i - m)], other[j] - other[max(0, j - n)]
                total = before + cost(*lengths, factor, prior)
                if total < best.get((i, j), math.inf):
                    best[i, j], how[i, j] = total, (m, n)
    found: list[Stretch] = []
    i, j = end = len(ones), len(others)
    while i or j:
        m, n = how[i, j]
        found.append((i - m, i, j - n, j))
        i, j = i - m, j - n
    return best[end], found[::-1]


def cost(one: float, other: float, factor: float, prior: float) -> float:
    """Return -log of the probability of a pair of stretches of these lengths."""
    mean = (one + other / factor) / 2
    delta = (other - one * factor) / math.sqrt(mean * VARIANCE) if mean > 0 else 0.0
    return surprise(abs(delta)) - math.log(prior)


def surprise(z: float) -> float:
    """Return -log of both tails of the normal distribution beyond z."""
    tails = math.erfc(z / math.sqrt(2))
    # Far out the tails are no number any more; there they are φ(z) · 2 / z.
    return -math.log(tails) if tails > 0 else z * z / 2 + math.log(z * math.sqrt(math.pi / 2))
