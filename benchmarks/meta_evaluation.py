"""Speed of comparing metrics with people: relative to SciPy in a loop, and in seconds.

    python benchmarks/meta_evaluation.py [--systems 15] [--segments 2000] [--metrics 20]

The job: generated scores of people (integers, with ties) and of twenty metrics that correlate with
them more or less. Processor time of one thread, both sides in turns in one run, the median of the
repeats. SciPy's loop runs over `--loop-metrics` of the metrics (1 by default) and its time is
extrapolated to all of them: every metric costs it the same. The figures are compared as well and
have to be equal within 1e-9.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from metrics.stats.groups import grouped
from metrics.stats.meta_evaluation import compare_metrics
from metrics.stats.soft_accuracy import soft_pairwise_accuracy
from metrics.stats.ties import calibrated_accuracy

SCIPY: dict[str, Callable] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall-b": stats.kendalltau,
}
LEAST_RATIO = 100
# Tie calibration of one metric in at most a fifth of the time of kendalltau once per segment.
LEAST_RATIO_OF_TIES = 5


def main() -> None:
    arguments = _arguments()
    human, metrics = _scores(arguments)
    n_metrics, n_systems, n_segments = metrics.shape
    print(f"{n_metrics} metrics, {n_systems} systems, {n_segments} segments; seconds of CPU time")
    print(f"{'':46}{'SciPy':>9}{'mteval':>9}{'ratio':>8}{'aim':>6}")
    met = [_by_item(name, human, metrics, arguments) for name in SCIPY]
    met.append(_ties(human, metrics, arguments))
    print(f"\n{'':46}{'':9}{'mteval':>9}{'':8}{'aim':>6}")
    met += [_in_time(*line, arguments) for line in _timed(human, metrics)]
    sys.exit(0 if all(met) else 1)


def _by_item(
    name: str, human: np.ndarray, metrics: np.ndarray, arguments: argparse.Namespace
) -> bool:
    looped = metrics[: arguments.loop_metrics]

    def theirs() -> list[float]:
        return [_mean_of_loop(SCIPY[name], human, metric) for metric in looped]

    def ours() -> np.ndarray:
        return grouped(human, metrics, grouping="item", coefficient=name).estimates

    expected, found, slow, fast = _by_turns(theirs, ours, arguments.repeats)
    is_same = np.allclose(expected, found[: len(looped)], rtol=0, atol=1e-9)
    slow *= len(metrics) / len(looped)
    return _print_ratio(f"{name} by item, all metrics", slow, fast, LEAST_RATIO, is_same)


def _ties(human: np.ndarray, metrics: np.ndarray, arguments: argparse.Namespace) -> bool:
    """Compare tie-calibrated accuracy of a metric with one pass of kendalltau over its segments."""

    def theirs() -> float:
        return _mean_of_loop(stats.kendalltau, human, metrics[0])

    def ours() -> float:
        return calibrated_accuracy(human, metrics[0]).estimate

    _, _, slow, fast = _by_turns(theirs, ours, arguments.repeats)
    title = "calibrated accuracy / kendalltau, one metric"
    return _print_ratio(title, slow, fast, LEAST_RATIO_OF_TIES, True)


def _timed(human: np.ndarray, metrics: np.ndarray) -> list[tuple[str, Callable, float]]:
    """Return computations with their time limits in seconds."""
    people, systems = human.mean(axis=1), metrics.mean(axis=2)
    n_pairs = len(metrics) * (len(metrics) - 1) // 2

    def rng() -> np.random.Generator:
        return np.random.default_rng(4)

    return [
        (
            f"PERM-BOTH, system Pearson, {n_pairs} pairs",
            lambda: compare_metrics(people, systems, statistic="pearson", rng=rng()),
            1.0,
        ),
        (
            f"PERM-BOTH, flattened Pearson, {n_pairs} pairs",
            lambda: compare_metrics(
                human, metrics, statistic="pearson", grouping="none", rng=rng()
            ),
            1.0,
        ),
        (
            f"soft pairwise accuracy, {len(metrics)} metrics",
            lambda: soft_pairwise_accuracy(human, metrics, rng=rng()),
            0.1,
        ),
        (
            "its permutation test, one pair",
            lambda: compare_metrics(human, metrics[:2], statistic="soft-accuracy", rng=rng()),
            1.0,
        ),
    ]


def _in_time(title: str, work: Callable, most: float, arguments: argparse.Namespace) -> bool:
    work()
    seconds = statistics.median(_timed_once(work)[1] for _ in range(arguments.repeats))
    is_met = seconds <= most
    print(f"{title:46}{'':9}{seconds:9.3f}{'':8}{most:6}  {'pass' if is_met else 'FAIL'}")
    return is_met


def _by_turns(theirs: Callable, ours: Callable, repeats: int) -> tuple:
    """Return the results of both, and the median seconds of each."""
    ours()
    times: tuple[list[float], list[float]] = [], []
    for _ in range(repeats):
        expected, seconds = _timed_once(theirs)
        times[0].append(seconds)
        found, seconds = _timed_once(ours)
        times[1].append(seconds)
    return expected, found, *map(statistics.median, times)


def _timed_once(work: Callable) -> tuple:
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def _mean_of_loop(coefficient: Callable, human: np.ndarray, metric: np.ndarray) -> float:
    each = [coefficient(x, y).statistic for x, y in zip(human.T, metric.T, strict=True)]
    return float(np.nanmean(each))


def _print_ratio(title: str, slow: float, fast: float, aim: float, is_same: bool) -> bool:
    is_met = slow / fast >= aim and is_same
    print(
        f"{title:46}{slow:9.2f}{fast:9.4f}{slow / fast:7.0f}x{aim:5}x  "
        f"{'pass' if is_met else 'FAIL'}{'' if is_same else ': figures differ'}",
        flush=True,
    )
    return is_met


def _scores(arguments: argparse.Namespace) -> tuple[np.ndarray, np.ndarray]:
    """Return generated human scores (systems, segments) and metrics (metrics, systems,
    segments)."""
    rng = np.random.default_rng(arguments.seed)
    shape = arguments.systems, arguments.segments
    quality = rng.normal(size=(arguments.systems, 1)) + rng.normal(size=shape)
    human = np.rint(4 * quality)
    noise = rng.normal(size=(arguments.metrics, *shape))
    return human, quality + noise * np.linspace(0.5, 4, arguments.metrics)[:, None, None]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, default in (
        ("systems", 15),
        ("segments", 2000),
        ("metrics", 20),
        ("loop-metrics", 1),
        ("repeats", 5),
        ("seed", 1),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()


if __name__ == "__main__":
    main()
