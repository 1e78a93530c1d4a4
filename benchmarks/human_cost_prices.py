"""Costs of designs on a pool, coverage of their intervals, and their error rates.

The parts of `human_cost.py` that print the table of blocks, controls and equal outputs.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import stdtr

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from human_cost_blocks import (  # noqa: E402
    POOL,
    Design,
    Outcome,
    draw_pool,
    item_seconds,
    run,
)
from human_cost_designs import GOAL, Campaign, Fixed, Score, growing  # noqa: E402

from judgments.stats.resampling import sum_by  # noqa: E402
from judgments.stats.significance import holm  # noqa: E402

FEWEST, FEWEST_WITH_LOOKS, FEWEST_UNIFORM = 40, 113, 240
"""Segments, and ratings of each system, from which the search for a price starts."""
OFTEN = 2000
VALID_AT = 230
"""Number of judged segments at which coverage and false decisions are counted."""
BLOCKS, SINGLE = "blocks of ≤ 3, control, equal outputs once", "single segments, the same"
BLOCKS_LOOKS, SINGLE_LOOKS = f"{BLOCKS}, 9 looks", f"{SINGLE}, 9 looks"
DEFAULT, DEFAULT_LOOKS = "whole documents, signed-rank (default)", "default, 9 looks"
DESIGNS = {
    DEFAULT: Design(),
    "whole documents, clustered t": Design(test="t"),
    "blocks of ≤ 3 segments": Design(3),
    "single segments": Design(1),
    "single segments, clustered t": Design(1, test="t"),
    "whole documents, equal outputs once": Design(once=True),
    "whole documents, control": Design(control=True),
    "whole documents, control, equal outputs once": Design(control=True, once=True),
    "single segments, equal outputs once": Design(1, once=True),
    "single segments, control": Design(1, control=True),
    BLOCKS: Design(3, control=True, once=True),
    SINGLE: Design(1, control=True, once=True),
    DEFAULT_LOOKS: Design(looks=True),
    BLOCKS_LOOKS: Design(3, control=True, once=True, looks=True),
    SINGLE_LOOKS: Design(1, control=True, once=True, looks=True),
    f"{SINGLE_LOOKS}, futile pairs dropped": Design(
        1, control=True, once=True, looks=True, drop_futile=True
    ),
    "default, Benjamini–Hochberg (another promise)": Design(promise="bh"),
    f"{BLOCKS}, Benjamini–Hochberg": Design(3, control=True, once=True, promise="bh"),
}
CHOSEN = {
    "random segments, for comparison": Design(1),
    "top by variance of MetricX-23": Design(selector="MetricX-23"),
    "top by variance of XCOMET-Ensemble": Design(selector="XCOMET-Ensemble"),
}
NULL = (DEFAULT, BLOCKS, SINGLE, DEFAULT_LOOKS, BLOCKS_LOOKS, SINGLE_LOOKS)


@dataclass(frozen=True)
class Price:
    """Cost in ``items`` and in ``time``, uniform = 1, each with its Monte-Carlo standard error;
    ``wrong``: the largest share of wrong signs at any size. Not ``reached``: the goal needs more
    than the whole pool, whose cost this is."""

    items: float
    time: float
    items_error: float
    time_error: float
    wrong: float
    reached: bool = True

    def at_most(self, items: float, time: float) -> bool:
        return self.reached and self.items <= items and self.time <= time


@dataclass(frozen=True)
class Validity:
    """``coverage`` of 95 % intervals with its Monte-Carlo error, and the ``slope`` of the expected
    difference on the true one."""

    coverage: float
    error: float
    slope: float


@dataclass(frozen=True)
class Errors:
    """Equal systems: share of campaigns with ``any`` false decision, and of pairs with p < .05 (of
    one test; NaN with looks), each with its Monte-Carlo error."""

    any: float
    any_error: float
    pair: float
    pair_error: float


@dataclass(frozen=True)
class _Size:
    """Campaigns of ``n`` segments: the share of wanted decisions ``reached``, its Monte-Carlo
    ``error``, items and time ``spent`` (2,), and the share of ``wrong`` signs."""

    n: int
    reached: float
    error: float
    spent: np.ndarray
    wrong: float


@dataclass(frozen=True)
class Prices:
    """Prices of designs in units of `uniform` items, which take `seconds` each, without context.
    Every line has a separate generator, seeded by ``seed`` and its subject."""

    campaign: Campaign
    score: Score
    seed: int

    def _rng(self, line: str, design: Design | None = None) -> np.random.Generator:
        return np.random.default_rng([self.seed, zlib.crc32(f"{line} {design}".encode())])

    def of(self, design: Design) -> Price:
        rng = self._rng("price", design)
        first = FEWEST_WITH_LOOKS if design.looks else FEWEST
        sizes = growing(first, POOL * self.campaign.table.shape[1])
        return self._price(lambda n: self._campaign(design, n, rng), sizes)

    def reached(self, design: Design, n: int) -> float:
        """Return the share of the wanted decisions with n segments judged."""
        rng = self._rng("reached", design)
        return self._size(lambda size: self._campaign(design, size, rng), n).reached

    def of_uniform_in_pool(self) -> Price:
        """Return the price of random systems and segments of a pool, with errors clustered by
        document: the cost of uniform assignment if documents are not ignored."""
        rng = self._rng("uniform")
        return self._price(lambda n: self._unpaired(n, rng), growing(FEWEST_UNIFORM))

    @functools.cached_property
    def uniform(self) -> float:
        """Ratings needed with random systems and items and Welch's t: the divisor of all prices,
        and therefore from more campaigns."""
        often = dataclasses.replace(self.score, replications=OFTEN)
        fixed = Fixed(self.campaign, self._rng("Welch"))

        def judge(n: int) -> Outcome:
            sign, ratings = fixed.uniform(n)
            return Outcome(sign, ratings, ratings * self.seconds)

        more = dataclasses.replace(self, score=often)
        return float(more._cost(judge, growing(FEWEST_UNIFORM))[0][0])

    @property
    def seconds(self) -> float:
        """Mean seconds of judging an item."""
        return float(item_seconds(self.campaign).mean())

    def _times(self) -> range:
        return range(self.score.replications)

    def _campaign(self, design: Design, n: int, rng: np.random.Generator) -> Outcome:
        return run(draw_pool(self.campaign, rng, design), design, n, rng)

    def _price(self, judge: Callable[[int], Outcome], sizes: Iterable[int]) -> Price:
        cost, error, wrong, reached = self._cost(judge, sizes)
        units = self.uniform * np.array([1, self.seconds])
        (items, time), (items_error, time_error) = (cost / units).tolist(), (error / units).tolist()
        return Price(items, time, items_error, time_error, wrong, reached)

    def _cost(
        self, judge: Callable[[int], Outcome], sizes: Iterable[int]
    ) -> tuple[np.ndarray, np.ndarray, float, bool]:
        """Return items and time (2,) at which the goal is reached, their Monte-Carlo errors (2,),
        the largest share of wrong signs, and whether it is reached at all. Sizes are tried until
        the goal is passed, then one between the last two, because the share reached is not linear
        over a large step."""
        tried: list[_Size] = []
        for n in sizes:
            tried.append(self._size(judge, n))
            if tried[-1].reached >= GOAL:
                break
        wrong = max(size.wrong for size in tried)
        if tried[-1].reached < GOAL or len(tried) < 2:
            return tried[-1].spent, np.zeros(2), wrong, tried[-1].reached >= GOAL
        below, above = tried[-2:]
        between = self._size(judge, round(math.sqrt(below.n * above.n)))
        wrong = max(wrong, between.wrong)
        below, above = (below, between) if between.reached >= GOAL else (between, above)
        part = (GOAL - below.reached) / (above.reached - below.reached)
        step = np.log(above.spent / below.spent)
        cost = below.spent * np.exp(part * step)
        off = math.hypot((1 - part) * below.error, part * above.error)
        return cost, cost * step * off / (above.reached - below.reached), wrong, True

    def _size(self, judge: Callable[[int], Outcome], n: int) -> _Size:
        outcomes = [judge(n) for _ in self._times()]
        sign = np.array([o.sign for o in outcomes])
        share = (sign == self.score.truth)[:, self.score.wanted].mean(axis=1)
        spent = np.mean([(o.items, o.time) for o in outcomes], axis=0)
        wrong = float((sign == -self.score.truth).mean())
        return _Size(n, float(share.mean()), standard_error(share), spent, wrong)

    def _unpaired(self, n: int, rng: np.random.Generator) -> Outcome:
        items, documents = self.campaign.draw(rng, POOL * len(self.campaign.items_of))
        table = self.campaign.table[:, items]
        place = rng.integers(0, len(items), (len(table), n))
        rated = np.take_along_axis(table, place, axis=1)
        mean = rated.mean(axis=1, keepdims=True)
        groups = int(documents.max()) + 1
        sums = np.array(
            [
                sum_by(documents[at], groups, off)
                for at, off in zip(place, (rated - mean) / n, strict=True)
            ]
        )
        a, b = np.array(self.campaign.pairs).T
        used = len(np.unique(documents[place]))
        error = np.sqrt(used / (used - 1) * ((sums[a] - sums[b]) ** 2).sum(axis=1))
        t = (mean[a] - mean[b])[:, 0] / error
        sign = np.sign(t) * (holm(2 * stdtr(used - 1, -np.abs(t))) < 0.05)
        return Outcome(sign, float(rated.size), float(rated.size) * self.seconds)

    def validity(self, design: Design) -> Validity:
        mean = self.campaign.table.mean(axis=1)
        truth = np.array([mean[a] - mean[b] for a, b in self.campaign.pairs])
        inside, estimates, rng = [], [], self._rng("validity", design)
        for _ in self._times():
            test = self._campaign(design, VALID_AT, rng).test
            assert test is not None
            d = test.difference
            inside.append(float(((d.low <= truth) & (truth <= d.high)).mean()))
            estimates.append(d.estimate)
        slope = float(np.mean(estimates, axis=0) @ truth / (truth @ truth))
        return Validity(float(np.mean(inside)), standard_error(inside), slope)

    def errors(self, design: Design, replications: int) -> Errors:
        """Return the errors with systems exchanged within each document of the pool: no two of them
        differ."""
        wrong, pairs, rng = [], [], self._rng("errors", design)
        for _ in range(replications):
            pool = draw_pool(self.campaign, rng, design, exchanged=True)
            outcome = run(pool, design, VALID_AT, rng)
            wrong.append(bool(outcome.sign.any()))
            if outcome.test is not None:
                pairs.append(float((outcome.test.p_value < 0.05).mean()))
        found = float(np.mean(wrong))
        error = math.sqrt(max(found, 0.05) * (1 - max(found, 0.05)) / replications)
        if not pairs:
            return Errors(found, error, math.nan, math.nan)
        return Errors(found, error, float(np.mean(pairs)), standard_error(pairs))

    def level(self, design: Design) -> tuple[float, float]:
        """Return the share of pairs with p < .05 of t, and its error, if systems are made equal on
        average by shifting their scores, but not on every segment."""
        table = self.campaign.table - self.campaign.table.mean(axis=1, keepdims=True)
        same = dataclasses.replace(self.campaign, table=table)
        found, rng = [], self._rng("level", design)
        for _ in self._times():
            test = run(draw_pool(same, rng, design), design, VALID_AT, rng).test
            assert test is not None
            found.append(float((test.difference.p_value < 0.05).mean()))
        return float(np.mean(found)), standard_error(found)


def standard_error(values: Iterable[float] | np.ndarray) -> float:
    found = np.asarray(values, np.float64)
    return float(found.std(ddof=1) / math.sqrt(len(found))) if len(found) > 1 else math.nan


def blocks_and_looks(prices: Prices, null: int) -> bool:
    """Print the tables; return whether all verdicts hold. ``null``: campaigns of equal systems."""
    print("\nA pool of twice the documents, of which a sample is judged; ± Monte-Carlo error")
    print(f"{'design':62} {'items':>13} {'time':>13} {'wrong':>6}")
    print(f"{'uniform, Welch, ' + format(prices.uniform, ',.0f') + ' judgments':62} 1")
    price_line("uniform, errors clustered by document", prices.of_uniform_in_pool())
    found = {}
    for name, design in DESIGNS.items():
        found[name] = prices.of(design)
        price_line(name, found[name])
    print(f"\n95 % intervals of differences, {VALID_AT} segments judged")
    print(f"{'design':62} {'coverage':>13} {'slope':>6}")
    covered = {}
    for name, design in DESIGNS.items():
        if not design.looks and design.promise == "holm":
            covered[name] = prices.validity(design)
            v = covered[name]
            print(f"{name:62} {v.coverage:6.3f} ± {v.error:.3f} {v.slope:6.2f}", flush=True)
    print(f"\nEqual systems, {VALID_AT} segments, {null} campaigns: any false decision; p < .05")
    errors = {}
    for name in NULL:
        errors[name] = e = prices.errors(DESIGNS[name], null)
        pair = "" if math.isnan(e.pair) else f"{e.pair:6.3f} ± {e.pair_error:.3f}"
        print(f"{name:62} {e.any:6.3f} ± {e.any_error:.3f} {pair}", flush=True)
    chosen(prices)
    return verdicts(found, covered, errors)


def chosen(prices: Prices) -> None:
    """Print the effect of deterministic choice: cheap in items, but biased."""
    print(f"\n{'Segments chosen by a metric':36} {'items':>13} {'time':>13} {'wrong':>6}", end=" ")
    print(f"{'coverage':>8} {'slope':>6} {'equal on average: p < .05':>26}")
    for name, design in CHOSEN.items():
        if design.selector and design.selector not in prices.campaign.metrics:
            continue
        price, v, level = prices.of(design), prices.validity(design), prices.level(design)
        print(f"{name:36} {_figures(price)} {v.coverage:8.3f} {v.slope:6.2f}", end=" ")
        print(f"{level[0]:18.3f} ± {level[1]:.3f}", flush=True)


def price_line(name: str, price: Price) -> None:
    print(f"{name:62} {_figures(price)}", flush=True)


def _figures(price: Price) -> str:
    items = f"{price.items:.3f} ± {price.items_error:.3f}"
    more = "" if price.reached else "  (and more: the pool is too small)"
    return f"{items:>13} {price.time:.3f} ± {price.time_error:.3f} {price.wrong:6.2%}{more}"


def verdicts(
    found: dict[str, Price], covered: dict[str, Validity], errors: dict[str, Errors]
) -> bool:
    """Print what was promised and whether it holds."""
    strict = [name for name in found if DESIGNS[name].promise == "holm"]
    wrong = max(found[name].wrong for name in strict)
    worst = [v.coverage for v in covered.values()]
    lines = {
        f"wrong signs at most .5 %, Holm, any size (most: {wrong:.2%})": wrong <= 0.005,
        f"coverage 93 to 97 % ({min(worst):.3f} to {max(worst):.3f})": (
            min(worst) >= 0.93 and max(worst) <= 0.97
        ),
    }
    for name, e in errors.items():
        # Exceeded by one in two hundred true rates of .05.
        lines[f"{name}: false decisions at most .05 ({e.any:.3f})"] = (
            e.any <= 0.05 + 2.58 * e.any_error
        )
    print()
    for text, holds in lines.items():
        print(f"{text}: {'holds' if holds else 'FAILS'}")
    return all(lines.values())
