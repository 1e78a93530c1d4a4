"""Pass rates of a tutorial with a test: careful people, and three kinds who do not read.

    python -m benchmarks.tutorial_test [--seeds 11] [--people 200]

Each tutorial item has one score as its answer, accepted within 15 points of its author's score;
half the items are poor translations (5 to 35 points), half are good ones (65 to 95). Careful people
differ in strictness (a standard deviation of 8 points) and from item to item (7, or 15 as strangers
do); one person in three kinds answers at random, gives 50 to everything, or reads every other item
and guesses the rest. Nobody remembers the answers shown after the first try, which is the worst
case for careful people. The share and the tries are judged by the product's own `PassMark`, the
scores by its `is_accepted`. How fast a rule in a pool detects people who passed is measured by
`pool_controls.py`.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Sequence

NOISE = {"careful": 7.0, "careful, noisy": 15.0, "random": 0.0, "lazy": 0.0, "every other": 7.0}
STRICTNESS, ACCEPTED = 8.0, 15.0
LENGTHS, SHARES, TRIES = (4, 6, 10), (0.6, 0.7, 0.8), (1, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=11)
    parser.add_argument("--people", type=int, default=200, help="of each kind, for each seed")
    options = parser.parse_args()
    os.environ |= {"SECRET_KEY": "benchmark", "DJANGO_SETTINGS_MODULE": "mteval_site.settings"}
    import django

    django.setup()
    print("passed, in %: the median of the seeds, and from lowest to highest")
    print(f"{'items':>5} {'share':>5} {'tries':>5}  " + "  ".join(f"{kind:>16}" for kind in NOISE))
    for n_items in LENGTHS:
        for share in SHARES:
            for tries in TRIES:
                found = [
                    passed(n_items, share, tries, options.people, seed)
                    for seed in range(1, options.seeds + 1)
                ]
                cells = (in_words([each[kind] for each in found]) for kind in NOISE)
                print(f"{n_items:5} {share:5.0%} {tries:5}  " + "  ".join(cells), flush=True)


def in_words(shares: Sequence[float]) -> str:
    low, mid, high = (100 * each for each in (min(shares), statistics.median(shares), max(shares)))
    return f"{f'{mid:.0f} ({low:.0f} to {high:.0f})':>16}"


def passed(n_items: int, share: float, tries: int, people: int, seed: int) -> dict[str, float]:
    """Return the share of each kind of person that passes the test."""
    import numpy as np

    from judgments.judging.practice.gate import PassMark

    rng = np.random.default_rng([seed, n_items])
    gate = PassMark(share, tries)
    poor = rng.integers(5, 36, n_items // 2)
    wanted = np.concatenate([poor, rng.integers(65, 96, n_items - len(poor))])
    return {
        kind: float(np.mean([comes_through(kind, wanted, gate, rng) for _ in range(people)]))
        for kind in NOISE
    }


def comes_through(kind: str, wanted, gate, rng) -> bool:
    strictness = rng.normal(0, STRICTNESS)
    return any(
        gate.is_passed(n_right(kind, wanted, strictness, rng), len(wanted))
        for _ in range(gate.tries)
    )


def n_right(kind: str, wanted, strictness: float, rng) -> int:
    """Return how many scores of one try are accepted."""
    import numpy as np

    from judgments.judging.practice.practice import is_accepted

    scores = np.clip(np.rint(wanted - strictness + rng.normal(0, NOISE[kind], len(wanted))), 0, 100)
    guesses = rng.integers(0, 101, len(wanted))
    if kind == "random":
        scores = guesses
    elif kind == "lazy":
        scores = np.full(len(wanted), 50)
    elif kind == "every other":
        scores = np.where(rng.random(len(wanted)) < 0.5, scores, guesses)
    return sum(
        is_accepted(int(score), {"from": int(w - ACCEPTED), "to": int(w + ACCEPTED)})
        for score, w in zip(scores, wanted, strict=True)
    )


if __name__ == "__main__":
    main()
