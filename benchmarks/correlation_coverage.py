"""Coverage of 95 % intervals of agreement over systems, with few systems.

    python benchmarks/correlation_coverage.py SHARED/data/03_mqm_esa_wmt23_en-de [--draws 300]

People's MQM scores and the scores of thirteen metrics of the segments of WMT23 English–German, 12
systems without the reference. The release is too small to draw 12 systems from, so systems come
from two populations that have its means, variances and correlations:

- normal: a system's true scores (people's, the metric's) are drawn from a bivariate normal;
- smoothed: those of a system of the release, drawn with replacement, plus normal noise, shrunk so
  that variances and correlation stay. The release's outliers stay in it.

Around its true scores a system has the deviations, segment by segment, of a random system of the
release, on `--segments` segments drawn with replacement: segments that are hard for one system are
hard for others. The truth is the correlation of the true scores in the population (for the normal
one, pairwise accuracy is 1/2 + arcsin(r)/pi; for the other it is computed from 4,000 systems).

Prints for every candidate the share of drawn campaigns whose interval contains the truth, and its
mean width. A campaign without an interval counts as not covered. The rule of the product has to
cover at least 93 %, averaged over metrics, in both populations; the exit status says whether it
does.
"""

import argparse
import csv
import gzip
import os
import sys
from math import asin, pi
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from metrics.stats.agreement_intervals import (
    Ends,
    jackknife_interval,
    leave_out,
    pearson_interval,
    rank_interval,
    share_interval,
)
from metrics.stats.weighted_coefficients import weighted_pairs, weighted_pearson
from tests.metrics.stats.system_bootstrap import (
    counts_of,
    resampled_coefficients,
    resampled_pair_means,
)

LEVEL, LEAST = 0.95, 0.93
SYSTEMS = (4, 6, 8, 12)
BANDWIDTH = 12 ** (-1 / 6)  # of a normal kernel in two dimensions, after Scott (1992)
POPULATIONS = ("normal", "smoothed")
OVER_SYSTEMS = ("pearson", "spearman", "kendall", "accuracy", "soft accuracy")
OVER_SEGMENTS = ("Pearson, all outputs", "Pearson by item", "accuracy by item")
RULE = "the rule"
BLOCKS = 20


def read(folder: Path) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return people's scores (12, N) and every metric's, for the judged segments."""

    def rows(name: str) -> list[dict[str, str]]:
        with gzip.open(folder / name, "rt", encoding="utf-8") as lines:
            return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))

    people = {
        (row["system"], int(row["line"])): float(row["mqm"])
        for row in rows("human_segments.en-de.tsv.gz")
        if row["mqm"] and row["system"] != "refA"
    }
    systems = sorted({system for system, _ in people})
    lines = sorted({line for _, line in people})
    found: dict[str, np.ndarray] = {}
    for row in rows("metric_segments.en-de.tsv.gz"):
        key = row["system"], int(row["line"])
        if key in people and row["score"]:
            scores = found.setdefault(row["metric"], np.full((len(systems), len(lines)), np.nan))
            scores[systems.index(key[0]), lines.index(key[1])] = float(row["score"])
    human = np.array([[people.get((s, n), np.nan) for n in lines] for s in systems])
    there = ~np.isnan(human).any(axis=0)
    for scores in found.values():
        there &= ~np.isnan(scores).any(axis=0)
    return human[:, there], {name: scores[:, there] for name, scores in found.items()}


class Population:
    """Systems like those of the release; `pair` (2, 12, N): people's scores and the metric's."""

    def __init__(self, kind: str, pair: np.ndarray) -> None:
        self.kind = kind
        means = pair.mean(axis=2)
        self.deviations = pair - means[:, :, None]
        self.center = means.mean(axis=1)
        self.points = (means - self.center[:, None]) / means.std(axis=1)[:, None]
        self.scale = means.std(axis=1)
        self.r = float(np.mean(self.points[0] * self.points[1]))
        self.root = np.linalg.cholesky([[1, self.r], [self.r, 1]])

    def true_scores(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """Return true scores (2, n) with variance 1."""
        noise = self.root @ rng.normal(size=(2, n))
        if self.kind == "normal":
            return noise
        drawn = self.points[:, rng.integers(0, self.points.shape[1], n)]
        return (drawn + BANDWIDTH * noise) / np.sqrt(1 + BANDWIDTH**2)

    def draw(self, rng: np.random.Generator, n: int, n_segments: int) -> np.ndarray:
        """Return scores of segments, (2, n, n_segments)."""
        true = self.center[:, None] + self.scale[:, None] * self.true_scores(rng, n)
        alike = rng.permutation(self.points.shape[1])[:n]
        places = rng.integers(0, self.deviations.shape[2], n_segments)
        return true[:, :, None] + self.deviations[:, alike][:, :, places]

    def truths(self, rng: np.random.Generator) -> dict[str, float]:
        if self.kind == "normal":
            tau = 2 * asin(self.r) / pi
            return {
                "pearson": self.r,
                "spearman": 6 * asin(self.r / 2) / pi,
                "kendall": tau,
                "accuracy": (1 + tau) / 2,
            }
        x, y = self.true_scores(rng, 4000)
        tau = float(np.mean(np.sign(np.subtract.outer(x, x)) * np.sign(np.subtract.outer(y, y))))
        ranks = [np.argsort(np.argsort(each)) for each in (x, y)]
        rho = float(np.corrcoef(ranks[0], ranks[1])[0, 1])
        return {"pearson": self.r, "spearman": rho, "kendall": tau, "accuracy": (1 + tau) / 2}


def coefficients(human: np.ndarray, metric: np.ndarray, drawn: np.ndarray) -> dict[str, np.ndarray]:
    with np.errstate(invalid="ignore"):
        return resampled_coefficients(human, metric, drawn)


def percentiles(values: np.ndarray) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if len(known) < len(values) / 2:
        return np.nan, np.nan
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def bca(estimate: float, values: np.ndarray, jackknife: np.ndarray) -> tuple[float, float]:
    """Return bias-corrected and accelerated percentiles (Efron 1987)."""
    known = values[~np.isnan(values)]
    off = jackknife.mean() - jackknife
    spread = (off**2).sum() ** 1.5
    share = np.clip(np.mean(known < estimate), 1 / len(known), 1 - 1 / len(known))
    if len(known) < len(values) / 2 or not spread:
        return np.nan, np.nan
    z0, a = ndtri(share), (off**3).sum() / (6 * spread)
    z = z0 + ndtri(np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    low, high = np.quantile(known, ndtr(z0 + z / (1 - a * z)))
    return float(low), float(high)


def jackknife_t(estimate: float, jackknife: np.ndarray) -> tuple[float, float]:
    """Return the interval by Student's t with the jackknife's standard error, on Fisher's z."""
    n = len(jackknife)
    z = np.arctanh(np.clip(jackknife, -0.999999, 0.999999))
    error = np.sqrt((n - 1) / n * np.sum((z - z.mean()) ** 2))
    ends = np.arctanh(np.clip(estimate, -0.999999, 0.999999)) + error * stdtrit(
        n - 1, np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    )
    return tuple(np.tanh(ends))


def fisher(r: float, n: int) -> tuple[float, float]:
    if n < 4 or abs(r) >= 1:
        return np.nan, np.nan
    ends = np.arctanh(r) + ndtri((1 + LEVEL) / 2) / np.sqrt(n - 3) * np.array([-1, 1])
    return tuple(np.tanh(ends))


def candidates(
    scores: np.ndarray, rng: np.random.Generator, resamples: int
) -> tuple[dict[str, dict[str, tuple[float, float]]], dict[str, float]]:
    """Return every candidate's interval of every figure over systems, for one drawn campaign (2, S,
    N); and the estimates of those without a known truth."""
    _, n, n_segments = scores.shape
    human, metric = scores.mean(axis=2)
    whole = np.arange(n)[None]
    found = {key: float(v[0]) for key, v in coefficients(human, metric, whole).items()}
    weights = rng.multinomial(n_segments, np.full(n_segments, 1 / n_segments), size=resamples)
    drawn_means = (weights @ scores.reshape(-1, n_segments).T / n_segments).reshape(-1, 2, n)
    drawn = rng.integers(0, n, size=(resamples, n))
    same = np.broadcast_to(whole, drawn.shape)
    by = {
        "bootstrap of segments": coefficients(drawn_means[:, 0], drawn_means[:, 1], same),
        "bootstrap of systems": coefficients(human, metric, drawn),
        "bootstrap of both": coefficients(drawn_means[:, 0], drawn_means[:, 1], drawn),
    }
    without = np.array([np.delete(np.arange(n), i) for i in range(n)])
    left = coefficients(human[without], metric[without], np.tile(np.arange(n - 1), (n, 1)))
    ours: dict[str, dict[str, tuple[float, float]]] = {}
    for key in OVER_SYSTEMS[:-1]:
        each = ours[key] = {name: percentiles(values[key]) for name, values in by.items()}
        systems = by["bootstrap of systems"][key]
        each["BCa of systems"] = bca(found[key], systems, left[key])
        if key != "accuracy":
            each["jackknife of systems, t"] = jackknife_t(found[key], left[key])
    ours["pearson"]["Fisher's z"] = fisher(found["pearson"], n)
    ours["pearson"][RULE] = ends(pearson_interval(found["pearson"], n))
    for key in ("spearman", "kendall"):
        ours[key][RULE] = ends(rank_interval(found[key], n, key))
    ours["accuracy"][RULE] = ends(share_interval(found["accuracy"], n))
    closeness = soft(scores)
    values = resampled_pair_means(closeness, drawn)
    estimate = float(np.nanmean(closeness))
    ours["soft accuracy"] = {
        "bootstrap of systems": percentiles(values),
        RULE: ends(share_interval(estimate, n)),
    }
    return ours, {"soft accuracy": estimate}


def ends(found: Ends) -> tuple[float, float]:
    return found.low, found.high


def soft(scores: np.ndarray) -> np.ndarray:
    """Return 1 - |difference of p-values| of every pair of systems, (S, S); p of a paired t-test,
    whose normal form is close to the permutation test's and much faster."""
    difference = scores[:, :, None] - scores[:, None]
    error = difference.std(axis=3) / np.sqrt(scores.shape[2])
    with np.errstate(divide="ignore", invalid="ignore"):
        human, metric = ndtr(-difference.mean(axis=3) / error)
    closeness = 1 - np.abs(human - metric)
    np.fill_diagonal(closeness, np.nan)
    return closeness


def over_segments(
    scores: np.ndarray, rng: np.random.Generator, resamples: int
) -> tuple[dict[str, dict[str, tuple[float, float]]], dict[str, float]]:
    """Return the same for figures over segments, and their estimates."""
    human, metric = scores
    n, n_segments = human.shape
    one, all_systems, all_segments = np.ones((1, 1)), np.ones((1, n)), np.ones((1, n_segments))
    drawn = counts_of(rng.integers(0, n, size=(resamples, n)), n)
    weights = rng.multinomial(n_segments, np.full(n_segments, 1 / n_segments), size=resamples) * 1.0

    def figures(systems: np.ndarray, segments: np.ndarray) -> dict[str, np.ndarray]:
        both = (human, metric, systems, segments)
        return {
            "Pearson, all outputs": weighted_pearson(*both, "none"),
            "Pearson by item": weighted_pearson(*both, "item"),
            "accuracy by item": weighted_pairs(*both, 0.0)["accuracy"],
        }

    whole = {key: float(v[0]) for key, v in figures(all_systems * one, all_segments * one).items()}
    segments = figures(np.repeat(all_systems, resamples, axis=0), weights)
    systems = figures(drawn, np.repeat(all_segments, resamples, axis=0))
    pair = figures(drawn, weights)
    without_system = figures(1 - np.eye(n), np.repeat(all_segments, n, axis=0))
    blocks = leave_out(n_segments, BLOCKS)
    without_block = figures(np.repeat(all_systems, len(blocks), axis=0), blocks)
    found = {}
    for key in OVER_SEGMENTS:
        found[key] = {
            "bootstrap of segments": percentiles(segments[key]),
            "bootstrap of systems": percentiles(systems[key]),
            "bootstrap of both": percentiles(pair[key]),
            RULE: ends(
                jackknife_interval(
                    whole[key],
                    without_system[key],
                    without_block[key],
                    is_correlation=key.startswith("Pearson"),
                )
            ),
        }
    return found, whole


def main() -> None:
    arguments = _arguments()
    human, metrics = read(arguments.folder)
    print(f"{len(human)} systems, {human.shape[1]} segments, {len(metrics)} metrics; {LEVEL:.0%}")
    is_met = True
    for kind in POPULATIONS:
        held: dict[tuple[str, str, int], list[float]] = {}
        width: dict[tuple[str, str, int], list[float]] = {}
        for place, (name, scores) in enumerate(sorted(metrics.items())):
            population = Population(kind, np.stack([human, scores]))
            rng = np.random.default_rng([arguments.seed, place])
            truths = population.truths(rng)
            for n in SYSTEMS:
                count(population, n, truths, rng, arguments, held, width)
            print(f"  {kind}: {name} r = {population.r:.3f}", file=sys.stderr, flush=True)
        is_met &= report(kind, held, width)
    sys.exit(0 if is_met else 1)


def count(
    population: Population,
    n: int,
    truths: dict[str, float],
    rng: np.random.Generator,
    arguments: argparse.Namespace,
    held: dict,
    width: dict,
) -> None:
    """Draw campaigns of n systems, and count which intervals contain the truth. If the truth of a
    figure is unknown, the mean over all drawn campaigns is used."""
    found: dict[str, list[dict[str, tuple[float, float]]]] = {}
    estimates: dict[str, list[float]] = {}
    for i in range(arguments.draws):
        drawn = population.draw(rng, n, arguments.segments)
        parts = [candidates(drawn, rng, arguments.resamples)]
        if i < arguments.draws * arguments.share:
            parts.append(over_segments(drawn, rng, arguments.resamples))
        for intervals, values in parts:
            for key, each in intervals.items():
                found.setdefault(key, []).append(each)
            for key, value in values.items():
                estimates.setdefault(key, []).append(value)
    for key, campaigns in found.items():
        truth = truths[key] if key in truths else float(np.nanmean(estimates[key]))
        for drawn_intervals in campaigns:
            for candidate, (low, high) in drawn_intervals.items():
                held.setdefault((key, candidate, n), []).append(low <= truth <= high)
                width.setdefault((key, candidate, n), []).append(high - low)


def report(kind: str, held: dict, width: dict) -> bool:
    is_met = True
    print(f"\n{kind} population{'':14}" + "".join(f"{n:>5} systems" for n in SYSTEMS))
    for key in dict.fromkeys(key for key, _, _ in held):
        print(key)
        for candidate in dict.fromkeys(name for k, name, _ in held if k == key):
            cells = []
            for n in SYSTEMS:
                share, wide = np.mean(held[key, candidate, n]), width[key, candidate, n]
                size = "" if np.isnan(wide).all() else f"{np.nanmean(wide):.2f}"
                cells.append(f"{share:7.3f} {size:>4}")
                if candidate == RULE and share < LEAST:
                    is_met = False
            print(f"  {candidate:30}" + "".join(cells))
    return is_met


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    for name, default in (("draws", 300), ("segments", 460), ("resamples", 400), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    help_text = "of these draws, for figures over segments"
    parser.add_argument("--share", type=float, default=0.2, help=help_text)
    return parser.parse_args()


if __name__ == "__main__":
    main()
