"""The cheap design: how many segments, in blocks of which length, show a difference or fill given
hours.

Short blocks from many documents instead of whole documents, equal outputs once, and metrics that
were registered as controls. `benchmarks/human_cost.py` replays its proposals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .blocks import best_block_length
from .price import Design, segments_per_document, smallest_difference

FEWEST_SEGMENTS = 40
"""As many as a first look needs: with fewer nothing is proposed."""
FEWEST_DOCUMENTS = 20
"""With fewer, tests use segments."""
EXPLAINED = (0.0, 0.13, 0.14, 0.17)
"""Share of the variance of signed ranks explained by this many trained metrics, which does not grow
with more of them: means over three language pairs of WMT23's MQM, out of sample (XCOMET, MetricX,
GEMBA and CometKiwi alone .16, .14, .11, .09; GEMBA and CometKiwi, which need no reference, .14;
COMET, XCOMET, MetricX and BLEURT .18, .20, .12)."""

TRAINED = re.compile("comet|kiwi|bleurt|metricx|gemba|unite", re.IGNORECASE)
"""In the names of metrics that learned from people's judgments of translations, or are models that
mark errors like people: for scores from elsewhere, only the name is known."""


def is_trained(name: str) -> bool:
    """Return whether a metric of this name is one to register."""
    return bool(TRAINED.search(name))


def explained_by(n_metrics: int) -> float:
    """Return the share of the variance explained by ``n_metrics`` trained metrics."""
    return EXPLAINED[min(n_metrics, len(EXPLAINED) - 1)]


@dataclass(frozen=True)
class KnownTexts:
    """Facts known before the first judgment: the ``sizes`` of the documents in segments; the
    seconds for ``judging`` a segment of all systems, and for ``reading`` a segment that is only
    context, or the ``context_cost`` of a block in times to judge a segment; ``sd`` of a difference
    on a segment, ``rho`` within documents; ``pair_alpha``; the ``r_squared`` of the metrics
    available for registration; and whether documents ``are_whole``, never cut."""

    sizes: Sequence[int]
    judging: float
    reading: float
    sd: float
    rho: float
    pair_alpha: float
    r_squared: float = 0.0
    context_cost: float | None = None
    are_whole: bool = False

    @property
    def n_segments(self) -> int:
        return sum(self.sizes)

    def cut(self, longest: int, *, r_squared: float = 0.0) -> CutTexts:
        """Return the texts cut into blocks of at most ``longest`` segments, 0 for whole documents,
        with controls that explain ``r_squared``."""
        sizes = np.asarray(self.sizes, float)
        blocks = np.ceil(sizes / longest) if longest else np.ones(len(sizes))
        return CutTexts(self, sizes, blocks, r_squared)


@dataclass(frozen=True)
class CutTexts:
    """``known`` texts, with the ``sizes`` (G,) of the documents and their numbers of ``blocks``
    (G,)."""

    known: KnownTexts
    sizes: np.ndarray
    blocks: np.ndarray
    r_squared: float

    @property
    def n_blocks(self) -> int:
        return int(self.blocks.sum())

    def segments(self, n_blocks: int) -> int:
        """Return the mean number of segments in ``n_blocks`` blocks."""
        return max(1, round(n_blocks / self.n_blocks * self.known.n_segments))

    def seconds(self, n_blocks: int) -> float:
        """Return the time they take, with the context of each block read once."""
        known = self.known
        around = float((self.sizes * (self.blocks - 1)).sum()) / self.n_blocks
        context = around * known.reading
        if known.context_cost is not None and self.blocks.max() > 1:
            context = known.context_cost * known.judging
        return n_blocks * (known.n_segments / self.n_blocks * known.judging + context)

    def difference(self, n_blocks: int) -> float:
        """Return the smallest difference that ``n_blocks`` blocks show, NaN where they show none.

        Drawn at even steps from all documents in a row, a document of b blocks has ⌊fb⌋ of them or
        one more, f = ``n_blocks`` of all.
        """
        expected = n_blocks / self.n_blocks * self.blocks
        fewer = np.floor(expected)
        squares = fewer**2 + (expected - fewer) * (2 * fewer + 1)
        each = self.sizes / self.blocks
        n = self.segments(n_blocks)
        design = Design(
            pool=self.known.n_segments,
            judged_per_document=max(1.0, float((each**2 * squares).sum() / n)),
            pooled_per_document=segments_per_document(self.sizes),
            rho=self.known.rho,
            r_squared=self.r_squared,
        )
        documents = float(np.minimum(1, expected).sum())
        clusters = documents if documents >= FEWEST_DOCUMENTS else n
        return smallest_difference(
            n, self.known.sd, design, clusters=clusters, pair_alpha=self.known.pair_alpha
        ).difference

    def fewest(self, is_enough: Callable[[int], bool]) -> int | None:
        """Return the smallest number of blocks that is enough, by bisection; None if not even all
        are."""
        least, most = 1, self.n_blocks
        if not is_enough(most):
            return None
        while least < most:
            middle = (least + most) // 2
            least, most = (least, middle) if is_enough(middle) else (middle + 1, most)
        return most


@dataclass(frozen=True)
class Proposal:
    """Judge ``segments`` in ``n_blocks`` of at most ``block_length`` (0: whole documents), which
    takes ``seconds`` and shows a ``difference``; whole documents without controls take
    ``whole_seconds`` for the same, NaN if even all of them do not show it."""

    block_length: int
    n_blocks: int
    segments: int
    seconds: float
    difference: float
    whole_seconds: float


def length_of_blocks(known: KnownTexts) -> int:
    """Return the best length of a block, 0 if documents are not longer."""
    if known.are_whole:
        return 0
    sizes = np.asarray(known.sizes, float)
    kappa = known.context_cost
    if kappa is None:
        around = float((sizes * (sizes - 1)).sum() / sizes.sum())  # around a segment
        kappa = around * known.reading / known.judging
    best = best_block_length(kappa, rho=known.rho, mean_length=float(sizes.mean()))
    return best.length if best.cut else 0


def propose(
    known: KnownTexts,
    *,
    difference: float | None = None,
    seconds: float | None = None,
) -> Proposal | None:
    """Return a design that shows ``difference``, or takes ``seconds``; without either, one that
    shows as much as half of the documents do as wholes: where all is judged, no design gains
    anything. None if no size of these texts does, or if it would be fewer than
    `FEWEST_SEGMENTS`."""
    if known.n_segments < FEWEST_SEGMENTS or not known.judging > 0:
        return None
    longest = length_of_blocks(known)
    cut, whole = known.cut(longest, r_squared=known.r_squared), known.cut(0)
    least = math.ceil(FEWEST_SEGMENTS / known.n_segments * cut.n_blocks)
    if seconds is not None:
        enough = cut.fewest(lambda n: cut.seconds(n + 1) > seconds)
        n_blocks = cut.n_blocks if enough is None else enough
    else:
        wanted = (
            whole.difference(math.ceil(whole.n_blocks / 2)) if difference is None else difference
        )
        enough = cut.fewest(lambda n: cut.difference(n) <= wanted)
        if enough is None:
            return None
        n_blocks = max(enough, least)
    shown = cut.difference(n_blocks)
    if n_blocks < least or math.isnan(shown):
        return None
    as_much = whole.fewest(lambda n: whole.difference(n) <= shown * (1 + 1e-9))
    whole_seconds = math.nan if as_much is None else whole.seconds(as_much)
    if as_much is not None and whole_seconds <= cut.seconds(n_blocks):  # nearly all is judged
        return Proposal(
            0,
            as_much,
            whole.segments(as_much),
            whole_seconds,
            whole.difference(as_much),
            whole_seconds,
        )
    return Proposal(
        longest, n_blocks, cut.segments(n_blocks), cut.seconds(n_blocks), shown, whole_seconds
    )
