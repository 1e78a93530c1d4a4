"""Error rates of the paired difference and the stopping rules, by simulation.

    python benchmarks/sequential_errors.py [--replications 4000] [--seed 20070623]

Campaigns with generated judgments: 200 documents of two items, a part shared by a document's items
(a third of the variance of a difference), normal noise, and a metric that explains a quarter of the
variance. All systems are equally good, so that every decision is wrong. The tests of the project do
the same with fewer replications.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from judgments.stats.elimination import pairs_to_share  # noqa: E402
from judgments.stats.paired_difference import paired_difference  # noqa: E402
from judgments.stats.sequential import stopping_plan  # noqa: E402
from tests.judgments.stats.replay import (  # noqa: E402  # noqa: E402
    clustered_signed_rank,
    difference_z,
    open_ended_bound,
    rho_for,
    run_looks,
    signed_rank_z,
)

DOCUMENTS, SIZE = 200, 2
CODES = np.repeat(np.arange(DOCUMENTS), SIZE)
TEN_LOOKS = list(range(20, 201, 20))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--replications", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=20070623)
    arguments = parser.parse_args()
    rng, n = np.random.default_rng(arguments.seed), arguments.replications
    print(f"{n} campaigns a line, seed {arguments.seed}; 5 % is ± {1.96 * (0.0475 / n) ** 0.5:.1%}")
    start = time.process_time()
    fixed(rng, n)
    looks(rng, n)
    elimination(rng, n // 4)
    print(f"{time.process_time() - start:.0f} s of processor time")


def equal_systems(rng: np.random.Generator, n_systems: int) -> tuple[np.ndarray, np.ndarray]:
    """Return judgments and metric scores (S, N)."""
    metric = rng.normal(size=(n_systems, len(CODES)))
    shared = rng.normal(size=(n_systems, DOCUMENTS))[:, CODES] * (1 / 3) ** 0.5
    noise = rng.normal(size=metric.shape) * (5 / 12) ** 0.5
    return 0.5 * metric + shared + noise, metric


def share(run: Callable[[], bool], n: int) -> float:
    return sum(run() for _ in range(n)) / n


def fixed(rng: np.random.Generator, n: int) -> None:
    """Print the share of 95 % intervals that miss 0, with a third of the documents judged, once."""
    print("\nOne look, 66 of 200 documents judged: intervals without the truth, or p < .05")

    def draw() -> tuple[np.ndarray, np.ndarray]:
        table, metric = equal_systems(rng, 2)
        return np.where(CODES < 66, table[0] - table[1], np.nan), metric[0] - metric[1]

    rows: dict[str, Callable] = {
        "clustered by document": lambda d, x: paired_difference(d, CODES).p_value,
        "with a control variate": lambda d, x: paired_difference(d, CODES, controls=x).p_value,
        "signed-rank by document": lambda d, x: clustered_signed_rank(d, CODES).p_value,
        "documents ignored": lambda d, x: paired_difference(d).p_value,
    }
    for name, p_value in rows.items():
        missed = sum(p_value(*draw()) < 0.05 for _ in range(n)) / n
        print(f"  {name:44} {missed:6.1%}", flush=True)


def looks(rng: np.random.Generator, n: int) -> None:
    print("\nTen looks at two equal systems: separated at any")
    plan = stopping_plan(TEN_LOOKS, first_items=40)
    rows: dict[str, dict] = {
        "one-sided form, clustered t": {"z_of": difference_z},
        "one-sided form, control variate": {"metric": True},
        "one-sided form, signed-rank by document": {"z_of": signed_rank_z},
    }
    for name, options in rows.items():

        def run(z_of: Callable = difference_z, metric: bool = False) -> bool:
            table, scores = equal_systems(rng, 2)
            controls = scores if metric else None
            result = run_looks(table, CODES, plan, controls=controls, z_of=z_of)
            return bool(result.sign.any())

        print(f"  {name:44} {share(partial(run, **options), n):6.1%}", flush=True)
    rho = rho_for(200)

    def at_any(bound_of: Callable[[int], float]) -> bool:
        table, _ = equal_systems(rng, 2)
        for end in TEN_LOOKS:
            d = np.where(end > CODES, table[0] - table[1], np.nan)
            found = paired_difference(d, CODES)
            if abs(found.t) > bound_of(found.n):
                return True
        return False

    sequence = share(lambda: at_any(lambda m: float(open_ended_bound(m, rho=rho))), n)
    print(f"  {'confidence sequence, seen ten times':44} {sequence:6.1%}", flush=True)
    print(f"  {'every look at t = 1.96':44} {share(lambda: at_any(lambda m: 1.96), n):6.1%}")


def elimination(rng: np.random.Generator, n: int) -> None:
    print(
        f"\nFind the best of equal systems, five looks, {n} campaigns a line: any dropped; a given"
    )
    for n_systems in (5, 10):
        for guarantee in ("every", "best"):
            pairs = pairs_to_share(n_systems, guarantee)
            plan = stopping_plan(TEN_LOOKS[1::2], first_items=80, n_pairs=pairs)
            for metric in (False, True):
                dropped = []
                for _ in range(n):
                    table, scores = equal_systems(rng, n_systems)
                    controls = scores if metric else None
                    result = run_looks(table, CODES, plan, controls=controls, aim="best")
                    dropped.append(~result.remaining)
                name = f'{n_systems} systems, "{guarantee}"' + (", control variate" * metric)
                lost = np.array(dropped)
                print(f"  {name:44} {lost.any(axis=1).mean():6.1%} {lost.mean():6.1%}", flush=True)
    pairs_wrong = []
    plan = stopping_plan(TEN_LOOKS[1::2], first_items=80, n_pairs=pairs_to_share(5))
    for _ in range(n):
        result = run_looks(equal_systems(rng, 5)[0], CODES, plan)
        pairs_wrong.append(result.sign.any())
    print(f"  {'all pairs of 5 systems, Holm: any separated':44} {np.mean(pairs_wrong):6.1%}")


if __name__ == "__main__":
    main()
