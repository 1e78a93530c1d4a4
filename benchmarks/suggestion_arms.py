"""Coverage and width of intervals of the effect of suggestions.

    python -m benchmarks.suggestion_arms [--campaigns 1000]

Simulated campaigns of 40 documents with 12 segments, and one suggestion in each segment. It is
marked with a probability of .4 if it is not shown, .6 if it is, and documents differ by .15 up or
down. A share of the segments or of the documents shows no suggestions. The interval is that of the
page Errors (`compare_arms`, 500 resamples), at 95 %.
"""

from __future__ import annotations

import argparse

import numpy as np

from judgments.stats.suggestion_arms import compare_arms

DOCUMENTS, SEGMENTS, EFFECT = 40, 12, 0.2
SEED = 11


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=1000)
    options = parser.parse_args()
    print(f"{'without suggestions':>24} {'held it':>8} {'width':>6} {'no interval':>12}")
    for unit in ("segments", "documents"):
        for share in (0.1, 0.25):
            rng = np.random.default_rng(SEED)
            found = [interval(unit, share, rng) for _ in range(options.campaigns)]
            there = np.array([each for each in found if not np.isnan(each[0])]).reshape(-1, 2)
            name = f"{share:.0%} of {unit}"
            if len(there):
                held = ((there[:, 0] <= EFFECT) & (there[:, 1] >= EFFECT)).mean()
                cells = f"{held:8.3f} {(there[:, 1] - there[:, 0]).mean():6.3f}"
            else:
                cells = f"{'–':>8} {'–':>6}"
            print(f"{name:>24} {cells} {len(found) - len(there):12,}", flush=True)


def interval(unit: str, share: float, rng: np.random.Generator) -> tuple[float, float]:
    document = np.repeat(np.arange(DOCUMENTS), SEGMENTS)
    n = len(document)
    if unit == "documents":
        out = rng.choice(DOCUMENTS, round(DOCUMENTS * share), replace=False)
        aided = ~np.isin(document, out)
    else:
        aided = rng.permutation(n) >= round(n * share)
    rate = 0.4 + 0.15 * rng.uniform(-1, 1, DOCUMENTS)[document] + EFFECT * aided
    marked = rng.uniform(size=n) < rate
    found = compare_arms(marked, np.ones(n), aided, document, rng=rng, resamples=500)
    return found.difference.low, found.difference.high


if __name__ == "__main__":
    main()
