"""How often a ranking rule separates equal systems.

    python benchmarks/equal_systems.py FOLDER [FOLDER ...] [--draws 200] [--seed 20070623]

FOLDER contains expert MQM scores as read by `human_cost.py`. In each draw the systems are exchanged
at random in every document of a set, so that all of them are equal, and the documents stay
unchanged. Prints for each rule: the share of pairs of systems that its test finds different, in
either direction, and the share of draws in which any pair is. For the campaign's own decision
(two-sided, by document, adjusted for all pairs by Holm), the second has to be near .05; above .08
the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from human_cost_designs import Campaign, read  # noqa: E402

from judgments.stats.clusters import rank_clusters  # noqa: E402
from judgments.stats.head_to_head import adjusted_pairs  # noqa: E402
from judgments.stats.pair_tests import compare_systems, two_sided  # noqa: E402

ALPHA, RESAMPLES, LARGEST = 0.05, 1000, 0.08
TESTS = {"wmt25": "signed-rank", "wmt26": "bootstrap", "wmt17-23": "mann-whitney"}


def exchanged(campaign: Campaign, rng: np.random.Generator) -> np.ndarray:
    """Return the table (S, N) with the systems of each document in a random order."""
    table = campaign.table.copy()
    for items in campaign.items_of:
        table[:, items] = table[rng.permutation(len(table))][:, items]
    return table


def found_apart(table: np.ndarray, documents: np.ndarray, rng) -> dict[str, np.ndarray]:
    """Return, by rule, which pairs (m,) it separates."""
    upper = np.triu_indices(len(table), 1)
    found = {}
    for rule, test in TESTS.items():
        p = compare_systems(table, test=test, rng=rng)
        found[rule] = np.fmin(p, p.T)[upper] < ALPHA
    drawn = rng.integers(0, table.shape[1], (RESAMPLES, table.shape[1]))
    means = np.stack([table[:, each].mean(axis=1) for each in drawn])
    ranked = rank_clusters(table.mean(axis=1), rule="wmt13-16", resampled=means)
    low, high = ranked.rank_low, ranked.rank_high
    apart = (high[:, None] < low[None, :]) | (low[:, None] > high[None, :])
    found["wmt13-16"] = apart[upper]
    for name, clusters in (("signed-rank", None), ("signed-rank-documents", documents)):
        p = two_sided(compare_systems(table, test=name, documents=clusters))
        found[f"{name}, Holm"] = adjusted_pairs(p)[upper] < ALPHA
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20070623)
    asked = parser.parse_args()
    every: dict[str, list[np.ndarray]] = {}
    for folder in asked.folders:
        campaign, rng = read(folder), np.random.default_rng(asked.seed)
        own: dict[str, list[np.ndarray]] = {}
        for _ in range(asked.draws):
            table = exchanged(campaign, rng)
            for rule, apart in found_apart(table, campaign.documents, rng).items():
                own.setdefault(rule, []).append(apart)
                every.setdefault(rule, []).append(apart)
        print(f"{folder.name}: {len(campaign.systems)} systems, {len(campaign.items_of)} documents")
        for rule, drawn in own.items():
            print(f"  {line(rule, drawn)}")
    print("All:")
    for rule, drawn in every.items():
        print(f"  {line(rule, drawn)}")
    own_rate = np.mean([apart.any() for apart in every["signed-rank-documents, Holm"]])
    return int(own_rate > LARGEST)


def line(rule: str, drawn: list[np.ndarray]) -> str:
    pairs, tables = np.concatenate(drawn).mean(), np.mean([apart.any() for apart in drawn])
    return f"{rule:28} {pairs:6.3f} of the pairs, {tables:6.3f} of the tables have any"


if __name__ == "__main__":
    sys.exit(main())
