"""Cost of decisions by which systems share a block: all, some at random, or racing ones.

    python benchmarks/choosing_systems.py [FOLDER] [--replications 200] [--seed 20070623]
                                          [--null 400]

FOLDER contains expert scores as for `human_cost.py`; without it, twelve systems are generated: 60
documents of nine segments, system means as far apart as those of WMT23 English–German.

A campaign draws a pool of twice as many documents as were published, with replacement, cuts it into
blocks of at most three segments and judges some of them, in waves of eight documents. Cost: outputs
judged until 90 % of the wanted decisions are reached, complete blocks = 1, for all pairs, for the
edge of the top cluster (systems than which none is better), and for the best system; wanted are the
decisions of a clustered t-test of all data, Holm over all pairs. All designs are tested in the same
way, by `weighted_differences`. Then: how often intervals of single pairs (95 %) and those of all
pairs at once cover, wrong signs, false decisions when systems are exchanged within each document,
and the slope of estimated on true values, which is 1 without bias. A verdict that fails makes the
exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from human_cost_designs import Campaign, decided, mean_difference, read  # noqa: E402

from judgments.stats.chosen_systems import (  # noqa: E402
    WeightedDifferences,
    contenders,
    weighted_differences,
)
from judgments.stats.planning.blocks import cut_blocks, draw_blocks  # noqa: E402
from judgments.stats.planning.choice import (  # noqa: E402
    SystemChoice,
    all_systems,
    price_of_random,
    racing_systems,
    random_systems,
)

WAVE = 8  # documents
GOAL = 0.9
SHOWN = 3
SIZES = (60, 85, 120, 170, 240, 340, 480, 680, 960, 1360)  # segments of complete blocks
VALID_AT = 240
TARGETS = ("all pairs", "top cluster", "the best")
# Targets of each design; with others it takes too long.
DESIGNS = {
    "complete": TARGETS,
    "random": TARGETS,
    "race for the top": TARGETS[1:],
    "race for the best": TARGETS[2:],
    "race, all pairs": TARGETS,
}


@dataclass(frozen=True)
class Outcome:
    found: WeightedDifferences
    outputs: int


def made_up(rng: np.random.Generator) -> Campaign:
    """Return differences that vary like MQM: most segments equal, a few with many errors."""
    n_systems, n_documents, n_segments = 12, 60, 9
    means = np.sort(rng.normal(-6, 2.5, n_systems))[::-1]
    documents = np.repeat(np.arange(n_documents), n_segments)
    shared = rng.normal(0, 2, n_documents)[documents]
    own = rng.normal(0, 1.5, (n_systems, n_documents))[:, documents]
    noise = 4 - rng.gamma(0.6, 6.5, (n_systems, len(documents)))
    table = np.clip(means[:, None] + shared + own + noise, -25, 0)
    names = [f"system {i + 1}" for i in range(n_systems)]
    words = np.ones_like(table)
    texts = np.arange(table.size).reshape(table.shape)
    return Campaign(names, table, documents, {}, words, texts, words[0])


def run(
    campaign: Campaign, design: str, n: int, rng: np.random.Generator, *, exchanged: bool = False
) -> Outcome:
    """Return a campaign of about ``n`` segments. ``exchanged``: in each document the systems are
    exchanged at random, so that none is better than another."""
    n_systems, n_all = campaign.table.shape
    n_pool = len(campaign.items_of) * 2 * max(1, n / n_all)
    items, documents = campaign.draw(rng, round(n_pool))
    table = campaign.table[:, items]
    if exchanged:
        order = rng.permuted(np.tile(np.arange(n_systems), (round(n_pool), 1)), axis=1)
        table = np.take_along_axis(table, order[documents].T, axis=0)
    n_blocks = int(cut_blocks(documents, 3).max()) + 1
    drawn = draw_blocks(documents, max(1, round(n * n_blocks / len(items))), rng, longest=3)
    judged = np.flatnonzero(drawn.taken)
    documents, block = documents[judged], drawn.block[judged]
    in_order = rng.permutation(np.unique(documents))
    place = np.empty(int(documents.max()) + 1, np.intp)
    place[in_order] = np.arange(len(in_order))
    wave = place[documents] // WAVE
    scores = np.full((n_systems, len(judged)), np.nan)
    choices: list[SystemChoice] = []
    for k in range(int(wave.max()) + 1):
        choices.append(_choice(design, n_systems, scores, documents, wave, choices))
        at = np.flatnonzero(wave == k)
        shows = {b: choices[k].draw(rng) for b in np.unique(block[at])}
        shown = np.array([shows[b] for b in block[at]]).T
        scores[:, at] = np.where(shown, table[:, judged[at]], np.nan)
    found = weighted_differences(scores, documents, wave, choices)
    return Outcome(found, int((~np.isnan(scores)).sum()))


def _choice(
    design: str,
    n_systems: int,
    scores: np.ndarray,
    documents: np.ndarray,
    wave: np.ndarray,
    before: list[SystemChoice],
) -> SystemChoice:
    if design == "random":
        return random_systems(n_systems, SHOWN)
    if design == "complete" or not before:
        return all_systems(n_systems)
    known = wave < len(before)
    so_far = weighted_differences(scores[:, known], documents[known], wave[known], before)
    aim = {"race for the top": "top", "race for the best": "best"}.get(design, "all")
    return racing_systems(contenders(so_far, aim))


@dataclass(frozen=True)
class Wanted:
    """``truth`` (S, S): differences of all data, and for each target the pairs (S, S), row better
    than column."""

    truth: np.ndarray
    pairs: dict[str, np.ndarray]


def wanted_of(campaign: Campaign) -> Wanted:
    mean = campaign.table.mean(axis=1)
    tested = [
        mean_difference(campaign.table[a] - campaign.table[b], campaign.documents)
        for a, b in campaign.pairs
    ]
    better = np.zeros((len(mean),) * 2, bool)
    for (a, b), sign in zip(campaign.pairs, decided(*np.array(tested).T), strict=True):
        better[a, b], better[b, a] = sign > 0, sign < 0
    is_top = ~np.asarray(better.any(axis=0))
    is_best = np.isin(np.arange(len(mean)), mean.argmax())
    pairs = {
        "all pairs": better,
        "top cluster": better & is_top[:, None] & ~is_top,
        "the best": better & is_best[:, None],
    }
    return Wanted(mean[:, None] - mean, pairs)


def costs(
    campaign: Campaign, wanted: Wanted, design: str, replications: int, seed: int
) -> tuple[dict[str, float], float]:
    """Return the outputs at which each target is reached, NaN if no size does; and the largest
    share of wrong signs."""
    rng = np.random.default_rng([seed, zlib.crc32(design.encode())])
    larger = len(campaign.systems) // SHOWN if design == "random" else 1
    spent: list[float] = []
    reached: dict[str, list[float]] = {target: [] for target in TARGETS}
    wrong = 0.0
    for size in SIZES:
        runs = [run(campaign, design, size * larger, rng) for _ in range(replications)]
        signs = np.array([each.found.sign for each in runs])
        spent.append(float(np.mean([each.outputs for each in runs])))
        wrong = max(wrong, float((signs * np.sign(wanted.truth) < 0).mean()))
        for target, pairs in wanted.pairs.items():
            reached[target].append(float((signs == 1)[:, pairs].mean()))
        if min(reached[target][-1] for target in DESIGNS[design]) >= GOAL:
            break
    return {target: _passed(reached[target], spent) for target in DESIGNS[design]}, wrong


def _passed(reached: list[float], spent: list[float]) -> float:
    above = next((i for i, share in enumerate(reached) if share >= GOAL), None)
    if not above:
        return spent[0] if above == 0 else float("nan")
    ends = slice(above - 1, above + 1)
    return float(np.exp(np.interp(GOAL, reached[ends], np.log(spent[ends]))))


@dataclass(frozen=True)
class Validity:
    """Shares of pairs and of tables whose intervals cover, ``slope`` with its Monte-Carlo
    ``slope_error``, and of tables of equal systems those with a ``false`` decision."""

    pairs: float
    tables: float
    slope: float
    slope_error: float
    false: float


def validity(
    campaign: Campaign, wanted: Wanted, design: str, replications: int, null: int, seed: int
) -> Validity:
    rng = np.random.default_rng([seed, zlib.crc32(f"valid {design}".encode())])
    n = VALID_AT * (len(campaign.systems) // SHOWN if design == "random" else 1)
    upper = np.triu_indices(len(campaign.systems), 1)
    covered, at_once, slopes = [], [], []
    truth = wanted.truth[upper]

    def one(*, exchanged: bool) -> WeightedDifferences:
        return run(campaign, design, n, rng, exchanged=exchanged).found

    for _ in range(replications):
        found = one(exchanged=False)
        half = float(stdtrit(found.n_documents - 1, 0.975)) * found.se
        miss = np.abs(found.estimate - wanted.truth)
        covered.append((miss <= half)[upper].mean())
        inside = (found.low <= wanted.truth) & (wanted.truth <= found.high)
        at_once.append(inside[upper].all())
        slopes.append(truth @ found.estimate[upper] / (truth @ truth))
    false = np.mean([one(exchanged=True).sign.any() for _ in range(null)])
    error = float(np.std(slopes, ddof=1)) / len(slopes) ** 0.5
    return Validity(
        float(np.mean(covered)),
        float(np.mean(at_once)),
        float(np.mean(slopes)),
        error,
        float(false),
    )


def gaps_of(campaign: Campaign) -> float:
    """Return the variance of systems' means in blocks of three, relative to that of outputs about
    them."""
    block = cut_blocks(campaign.documents, 3)
    sums = np.array([np.bincount(block, weights=row) for row in campaign.table])
    length = np.bincount(block)
    center = campaign.table.mean(axis=1)
    left = sums - center[:, None] * length
    left -= left.mean(axis=0)
    within = (left**2).sum() / ((len(center) - 1) * len(length))
    return float(center.var(ddof=1) * (length**2).mean() / within)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--replications", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20070623)
    parser.add_argument("--null", type=int, default=400, help="campaigns of equal systems")
    asked = parser.parse_args()
    start = time.process_time()
    rng = np.random.default_rng(asked.seed)
    campaign = read(asked.folder) if asked.folder else made_up(rng)
    wanted = wanted_of(campaign)
    n_systems, n = campaign.table.shape
    counts = ", ".join(f"{target} {int(p.sum())}" for target, p in wanted.pairs.items())
    print(f"{n_systems} systems, {n} segments; decisions wanted: {counts}")
    gaps = gaps_of(campaign)
    expected = price_of_random(n_systems, SHOWN, gaps=gaps)
    print(f"gaps between means {gaps:.2f}: {SHOWN} at random expected to cost {expected:.2f}")
    print(
        f"\n{'cost, complete blocks = 1':26}" + "".join(f"{t:>13}" for t in TARGETS) + "    wrong"
    )
    unit: dict[str, float] = {}
    holds = []
    for design in DESIGNS:
        cost, wrong = costs(campaign, wanted, design, asked.replications, asked.seed)
        unit = unit or cost
        line = "".join(
            f"{cost[target] / unit[target]:13.2f}" if target in cost else f"{'–':>13}"
            for target in TARGETS
        )
        print(f"{design:26}{line}{wrong:13.2%}", flush=True)
        holds.append((f"{design}: wrong signs at most .5 %", wrong <= 0.005))
    head = ("pairs", "at once", "slope", "±", "false")
    print(f"\n{'validity':26}" + "".join(f"{each:>9}" for each in head))
    for design in DESIGNS:
        found = validity(campaign, wanted, design, asked.replications, asked.null, asked.seed)
        values = (found.pairs, found.tables, found.slope, found.slope_error, found.false)
        print(f"{design:26}" + "".join(f"{each:9.3f}" for each in values), flush=True)
        holds += _promises(design, found, asked.null)
    print()
    for words, kept in holds:
        print(f"{words}: {'holds' if kept else 'FAILS'}")
    print(f"{asked.replications} campaigns a size, seed {asked.seed}", end=", ")
    print(f"{time.process_time() - start:.0f} s of processor time")
    sys.exit(not all(kept for _, kept in holds))


def _promises(design: str, found: Validity, null: int) -> list[tuple[str, bool]]:
    error = 2.58 * (0.05 * 0.95 / null) ** 0.5  # exceeded by one in two hundred true rates of .05
    return [
        (f"{design}: coverage of pairs .92 to .97", 0.92 <= found.pairs <= 0.97),
        (f"{design}: slope is 1", abs(found.slope - 1) <= 2.58 * found.slope_error),
        (f"{design}: false decisions at most .05", found.false <= 0.05 + error),
    ]


if __name__ == "__main__":
    main()
