"""Designs that judge a sample of a pool of documents scored completely by metrics.

The parts of `human_cost.py` for blocks of segments, controls, equal outputs judged once, looks, and
the deterministic choice of "informative" segments.
"""

from __future__ import annotations

import functools
import itertools
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from human_cost_designs import Campaign  # noqa: E402

from judgments.stats.controlled_ranks import (  # noqa: E402
    ControlledRanks,
    controlled_signed_ranks,
)
from judgments.stats.elimination import pairs_to_share  # noqa: E402
from judgments.stats.looks import Review, review_looks  # noqa: E402
from judgments.stats.metric_controls import controls_of_metrics  # noqa: E402
from judgments.stats.planning.blocks import cut_blocks, draw_blocks  # noqa: E402
from judgments.stats.planning.times import ESA_STUDY  # noqa: E402
from judgments.stats.sequential import (  # noqa: E402
    FIRST_LOOK_ITEMS,
    StoppingPlan,
    stopping_plan,
)
from judgments.stats.significance import benjamini_hochberg, holm  # noqa: E402

TRAINED = ("COMET", "XCOMET-Ensemble", "MetricX-23", "BLEURT-20")
REFERENCE_FREE = ("GEMBA-MQM", "CometKiwi")
POOL = 2
"""Documents of a pool, relative to those that were published."""
LOOKS = 9
WHOLE = 10**6  # segments per block: a document is one block
SECONDS_A_WORD = 60 / 240
"""For a source that is read once, as context."""


@dataclass(frozen=True)
class Design:
    """``longest`` segments of a block, drawn with equal probability; or the top segments by
    ``selector``, the variance of that metric's scores among the systems. ``control``: trained
    metrics, or those named in ``metrics``; ``once``: equal outputs are judged once; ``test``
    "signed-rank" or "t"; ``promise`` "holm" or "bh"; ``looks``: nine, systems are dropped when all
    their pairs are decided, or with ``drop_futile`` given up as well (conditional power below 10 %
    after 30 %)."""

    longest: int = WHOLE
    control: bool = False
    metrics: tuple[str, ...] = ()
    once: bool = False
    test: str = "signed-rank"
    promise: str = "holm"
    looks: bool = False
    drop_futile: bool = False
    selector: str = ""


@dataclass(frozen=True)
class Pool:
    """``table`` (S, N) of potential judgments, ``documents`` (N,), ``texts`` (S, N): equal numbers
    in a column are equal outputs; ``time`` (S, N) of judging each, in seconds; ``controls`` (S, N,
    2) and ``selector`` (N,) from the metrics; ``blocks`` for each published segment, which
    determine a campaign's size in blocks; seconds of ``reading`` (N,) each source as context."""

    table: np.ndarray
    documents: np.ndarray
    texts: np.ndarray
    time: np.ndarray
    controls: np.ndarray
    selector: np.ndarray
    blocks: float
    reading: np.ndarray


@dataclass(frozen=True)
class Outcome:
    """``sign`` (m,) decided, ``items`` and seconds of ``time`` spent; of a fixed design also its
    ``test``."""

    sign: np.ndarray
    items: float
    time: float
    test: ControlledRanks | None = None


def draw_pool(
    campaign: Campaign, rng: np.random.Generator, design: Design, *, exchanged: bool = False
) -> Pool:
    """Draw twice as many documents as were published, with replacement. ``exchanged``: in each of
    them the systems are exchanged at random, with their scores, texts and metrics, so that none is
    better than another."""
    items, documents = campaign.draw(rng, POOL * len(campaign.items_of))
    n = len(campaign.systems)
    rows = np.broadcast_to(np.arange(n)[:, None], (n, len(items)))
    if exchanged:
        order = rng.permuted(np.tile(np.arange(n), (int(documents.max()) + 1, 1)), axis=1)
        rows = order[documents].T
    asked = design.metrics or TRAINED if design.control else ()
    names = [name for name in asked if name in campaign.metrics]
    controls = np.zeros((n, len(items), 0))
    if names:
        metrics = np.stack([campaign.metrics[name][rows, items] for name in names])
        controls = controls_of_metrics(metrics, campaign.words.mean(axis=0)[items])
    selector = np.zeros(len(items))
    if design.selector:
        selector = campaign.metrics[design.selector].var(axis=0)[items]
    return Pool(
        campaign.table[rows, items],
        documents,
        campaign.texts[rows, items],
        item_seconds(campaign)[rows, items],
        controls,
        selector,
        (int(cut_blocks(campaign.documents, design.longest).max()) + 1) / campaign.table.shape[1],
        campaign.sources[items] * SECONDS_A_WORD,
    )


def item_seconds(campaign: Campaign) -> np.ndarray:
    """Return the seconds (S, N) of judging each output, including reading its source."""
    return ESA_STUDY.per_output + ESA_STUDY.per_word * (campaign.words + campaign.sources)


def run(pool: Pool, design: Design, n: int, rng: np.random.Generator) -> Outcome:
    """Return a campaign of about ``n`` judged segments."""
    block, place, n_blocks = _draw(pool, design, n, rng)
    judged = place >= 0
    table = np.where(judged, pool.table, np.nan)
    if design.once:
        table[:, judged] = one_score(pool.table[:, judged], pool.texts[:, judged], rng)
    if design.looks:
        return _with_looks(pool, design, table, block, place, n_blocks)
    active = np.ones(len(table), bool)
    items, time = _spent(pool, design, judged, active)
    time += _context(pool, block, judged)
    # Segments that were not judged only count in controls.
    part = judged | design.control
    found = controlled_signed_ranks(
        table[:, part], pool.documents[part], controls=pool.controls[:, part]
    )
    return Outcome(_signs(found, design), items, time, found)


def _draw(
    pool: Pool, design: Design, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the block (N,) of each segment, its index (N,) in the order of judging, and the number
    of blocks."""
    if design.selector:
        place = np.full(len(pool.documents), -1)
        # Copies of a document in the pool are equally informative: the choice among them is random.
        luck = rng.permutation(len(place))
        place[luck[np.argsort(-pool.selector[luck], kind="stable")[:n]]] = np.arange(n)
        return np.arange(len(place)), place, n
    cut = cut_blocks(pool.documents, design.longest)
    n_blocks = min(round(n * pool.blocks), int(cut.max()) + 1)
    drawn = draw_blocks(pool.documents, n_blocks, rng, longest=design.longest)
    return drawn.block, drawn.place, n_blocks


def one_score(table: np.ndarray, texts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return ``table`` (S, N) with one score, that of a random one, for equal outputs of a
    segment."""
    n_systems, n = table.shape
    key = (texts + np.arange(n) * (int(texts.max(initial=0)) + 1)).ravel()
    luck = rng.permutation(table.size)
    _, first, code = np.unique(key[luck], return_index=True, return_inverse=True)
    shared = np.empty(table.size)
    shared[luck] = table.ravel()[luck][first][code]
    return shared.reshape(n_systems, n)


def _spent(
    pool: Pool, design: Design, judged: np.ndarray, active: np.ndarray
) -> tuple[float, float]:
    """Return outputs judged and their time, for the systems that are still compared."""
    time = pool.time[active][:, judged]
    if not design.once:
        return float(time.size), float(time.sum())
    texts = pool.texts[active][:, judged]
    key = (texts + np.arange(texts.shape[1]) * (int(pool.texts.max()) + 1)).ravel()
    _, first = np.unique(key, return_index=True)
    return float(len(first)), float(time.ravel()[first].sum())


def _context(pool: Pool, block: np.ndarray, judged: np.ndarray) -> float:
    """Return the seconds to read the rest of the document around each judged block once."""
    blocks, first = np.unique(block[judged], return_index=True)
    of_document = np.bincount(pool.documents, pool.reading)
    of_block = np.bincount(block, pool.reading)
    return float((of_document[pool.documents[judged][first]] - of_block[blocks]).sum())


def _signs(found: ControlledRanks, design: Design) -> np.ndarray:
    adjust = benjamini_hochberg if design.promise == "bh" else holm
    if design.test == "t":
        return np.sign(found.difference.estimate) * (adjust(found.difference.p_value) < 0.05)
    return np.sign(found.z) * ((adjust(found.p_value) < 0.05) & ~found.contradictory)


def _with_looks(
    pool: Pool,
    design: Design,
    table: np.ndarray,
    block: np.ndarray,
    place: np.ndarray,
    n_blocks: int,
) -> Outcome:
    # The first look waits for forty items; fifty expected ones are nearly always enough.
    first = min(math.ceil(50 * pool.blocks), n_blocks)
    plan, ends = _plan(first, n_blocks, len(table))
    when = np.broadcast_to(place.astype(float), table.shape)
    review = review_looks(
        table,
        when,
        pool.documents,
        plan,
        ends,
        controls=pool.controls if design.control else None,
        test="difference" if design.test == "t" else design.test,
        blocks=block,
    )
    sign, until = _closed(review, drop_futile=design.drop_futile)
    spent, start = np.zeros(2), 0
    for look in review.looks:
        active = until >= look.number
        if active.any():
            part = (place >= start) & (place < look.n_documents)
            spent += _spent(pool, design, part, active)
            spent[1] += _context(pool, block, part)
        start = look.n_documents
    pairs = np.array(list(itertools.combinations(range(len(table)), 2))).T
    return Outcome(sign[pairs[0], pairs[1]], float(spent[0]), float(spent[1]))


def _closed(review: Review, *, drop_futile: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return decisions (S, S), and the last look (S,) for which each system was judged: the one at
    which its last pair was decided or given up. Pairs that were given up are not decided later."""
    sign = review.sign.copy()
    closed = np.where(review.sign != 0, review.look, len(review.looks))
    np.fill_diagonal(closed, -1)
    for look in review.looks if drop_futile else ():
        for pair in look.pairs:
            at = pair.first, pair.second
            if pair.futile and look.number < closed[at]:
                sign[at] = sign[at[::-1]] = 0
                closed[at] = closed[at[::-1]] = look.number
    return sign, closed.max(axis=1)


@functools.lru_cache(maxsize=64)
def _plan(first: int, n_blocks: int, n_systems: int) -> tuple[StoppingPlan, list[int]]:
    ends = sorted({*np.round(np.linspace(first, n_blocks, LOOKS)).astype(int).tolist()})
    share = pairs_to_share(n_systems)
    return stopping_plan(ends, first_items=FIRST_LOOK_ITEMS, n_pairs=share), ends
