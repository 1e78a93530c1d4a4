"""Speed of Krippendorff's alpha on a scale of 0-100, compared with the krippendorff package.

    python benchmarks/alpha.py [--raters 20] [--items 20000] [--missing 0.2] [--repeats 5]

Generated scores of 20 raters for 20,000 items, integers from 0 to 100, a fifth of them missing.
Both sides get the same matrix and compute alpha without an interval, at the four levels of
measurement, in turns, in one thread; the ratio is that of the medians of the processor time, which
other work on the machine disturbs least. The values have to be equal within 1e-9. The last line is
the time of alpha with its bootstrap interval of 1,000 resamples, which the package does not have.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # read when NumPy is imported
    os.environ[name] = "1"

import argparse  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from functools import partial  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import krippendorff  # noqa: E402
import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from judgments.stats.alpha import LEVELS, krippendorff_alpha  # noqa: E402

SEED = 20110125
AIM = 50
CLOSE = 1e-9


def main() -> None:
    arguments = _arguments()
    ratings = _ratings(arguments)
    print(f"{arguments.raters} raters, {arguments.items:,} items, 0-100; median CPU seconds")
    print(f"{'level':12}{'krippendorff':>14}{'mteval':>10}{'ratio':>8}{'aim':>6}{'difference':>14}")
    passed = [_compare(level, ratings, arguments.repeats) for level in LEVELS]
    for level in LEVELS:
        rng = np.random.default_rng(SEED)
        seconds, found = _timed(partial(krippendorff_alpha, ratings, level, rng=rng))
        bounds = f"{found.estimate:.4f} [{found.low:.4f}, {found.high:.4f}]"
        print(f"with an interval, {level:10}{bounds:26}{seconds:8.2f} s")
    sys.exit(0 if all(passed) else 1)


def _compare(level: str, ratings: np.ndarray, repeats: int) -> bool:
    """Run both sides in turns, print one line, and return whether the target was met."""
    theirs: list[float] = []
    ours: list[float] = []
    for _ in range(repeats):
        seconds, expected = _timed(
            lambda: krippendorff.alpha(ratings, level_of_measurement=level)  # type: ignore[arg-type]
        )
        theirs.append(seconds)
        seconds, found = _timed(lambda: krippendorff_alpha(ratings, level))
        ours.append(seconds)
    slow, fast = statistics.median(theirs), statistics.median(ours)
    difference = abs(found.estimate - expected)
    passed = slow / fast >= AIM and difference < CLOSE
    print(
        f"{level:12}{slow:14.3f}{fast:10.4f}{slow / fast:7.0f}×{AIM:5}×{difference:14.1e}"
        f"{'' if passed else '  missed'}"
    )
    return passed


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def _ratings(arguments: argparse.Namespace) -> np.ndarray:
    """Return scores (raters, items): an item's quality, a rater's strictness, noise; NaN is
    missing."""
    rng = np.random.default_rng(SEED)
    shape = (arguments.raters, arguments.items)
    quality = rng.normal(65, 20, arguments.items)
    strictness = rng.normal(0, 8, (arguments.raters, 1))
    scores = np.clip(np.round(quality + strictness + rng.normal(0, 15, shape)), 0, 100)
    scores[rng.random(shape) < arguments.missing] = np.nan
    return scores


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--raters", type=int, default=20)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--missing", type=float, default=0.2)
    parser.add_argument("--repeats", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
