"""Cost of a decision in judgments, by how items are assigned and how they are tested.

    python benchmarks/human_cost.py FOLDER … [--pair he-en] [--replications 200] [--seed 20070623]
                                   [--decisions t] [--part all|proposal|designs|blocks]
                                   [--null 400]

FOLDER contains expert MQM scores of several systems on the same items, for one or more language
pairs, as tables of system, line, mqm (human_segments.PAIR.tsv.gz), line, doc_id, source
(segments.PAIR.tsv.gz) and, for the control variates, metric, system, line, score
(metric_segments.PAIR.tsv.gz), and system, line, text (outputs.PAIR.tsv.gz), for any number of
systems and items. Human references (ref*) are left out, and so are items that were not judged for
every system.

Campaigns are drawn from these judgments, with replacement: ratings for the uniform design, whole
documents with the ratings of all systems for the others. "The full campaign's decisions" are the
pairs of systems that the default test, signed-rank by document, separates on all data, Holm over
all pairs, α = .05; with `--decisions t` those of the clustered t-test. A design costs the judgments
with which it reaches 90 % of these decisions on average, all pairs tested with the same adjustment;
sizes are tried until then, and between the last two it is interpolated. "Wrong" is the share of
pairs decided against the sign of the full campaign.

- uniform: each rating goes to a random system and item; Welch's t, Mann–Whitney.
- balanced: an annotator of an item judges all its systems; paired t and signed-rank on items
  drawn one by one, then on whole documents with errors clustered by document.
- control variate: the same, adjusted by a metric's differences, which are known for all items.
- sequential: ten looks, bounds by Lan and DeMets' one-sided form, Holm; a system leaves when all
  its pairs are decided. The cost is the mean of what was judged, of the plan that reaches 90 %.

The last line of the first part asks for less, only the best system: a system leaves when another
one beats it. It says what share of the judgments of as large a campaign are made then, how many
systems are left at the end, and how often the one with the best mean is among them.

The second part draws a pool of twice as many documents as were published, with replacement. All of
it is scored by metrics, a sample is judged: whole documents, blocks of at most three segments, or
single segments, with equal probability. "Control": four trained metrics, their mean and that times
length. "Equal outputs once": systems with the same text share one judgment. Cost is given in items
and in hours: 31.6 s for an output and .16 s for each word of it and its source (ESA study of
WMT23), with the rest of a block's document read once at 240 words a minute; uniform assignment is
computed without any context. Then: coverage of 95 % intervals; false decisions when systems are
exchanged within each document of the pool; and the effect of deterministically choosing the
segments on which a metric's scores vary most.

Before them comes the proposal of the plan's page (`judgments.stats.planning.proposal`), with the
page's knowledge of such a pool, and its cost. A verdict that fails makes the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from human_cost_designs import (  # noqa: E402
    Campaign,
    Fixed,
    Score,
    Sequential,
    decided,
    growing,
    mean_difference,
    pairs_in,
    ranks,
    read,
)
from human_cost_prices import Prices, blocks_and_looks  # noqa: E402
from human_cost_proposal import proposal_part  # noqa: E402

MOST_COST, MOST_WRONG = 0.35, 0.005
DEFAULT = "whole documents, clustered signed-rank"
ITEMS = (75, 110, 160, 230, 330, 460, *growing(650))  # sizes to try, until one is enough


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pair", help="only this language pair of the folders")
    parser.add_argument("--replications", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20070623)
    parser.add_argument("--decisions", choices=("signed-rank", "t"), default="signed-rank")
    parser.add_argument("--part", choices=("all", "proposal", "designs", "blocks"), default="all")
    parser.add_argument("--null", type=int, default=400, help="campaigns of equal systems")
    asked = parser.parse_args()
    every = [(folder, pair) for folder in asked.folders for pair in pairs_in(folder)]
    chosen = [each for each in every if asked.pair in (None, each[1])]
    if not chosen:
        sys.exit(f"no human_segments.{asked.pair or '*'}.tsv.gz there")
    holds = [costs(folder, pair, asked) for folder, pair in chosen]
    sys.exit(not all(holds))


def costs(folder: Path, pair: str, asked: argparse.Namespace) -> bool:
    """Print the requested parts for one language pair; return whether all limits are met."""
    start = time.process_time()
    campaign = read(folder, pair)
    print(f"{pair}: ", end="")
    test = mean_difference if asked.decisions == "t" else ranks
    score = wanted_decisions(campaign, test, asked.replications)
    prices, holds = Prices(campaign, score, asked.seed), True
    if asked.part in ("all", "proposal"):
        holds = proposal_part(prices, pair)
    if asked.part in ("all", "designs"):
        rng = np.random.default_rng(asked.seed)
        print(f"\n{'design and test':44} {'judgments':>9} {'of uniform':>10} {'wrong':>7}")
        uniform = score.cost(Fixed(campaign, rng).uniform, [3 * n for n in ITEMS])
        _line("uniform, Welch's t", uniform, uniform)
        cost, wrong = compare(campaign, score, uniform, rng)[DEFAULT]
        if pair == "en-de":
            kept = cost <= MOST_COST and wrong <= MOST_WRONG
            verdict = "holds" if kept else "FAILS"
            print(
                f"default at most {MOST_COST} of uniform, wrong at most {MOST_WRONG:.1%}: {verdict}"
            )
            holds &= kept
    if asked.part in ("all", "blocks"):
        holds &= blocks_and_looks(prices, asked.null)
    print(f"{asked.replications} campaigns a size, seed {asked.seed}", end=", ")
    print(f"{time.process_time() - start:.0f} s of processor time", flush=True)
    return holds


def wanted_decisions(campaign: Campaign, test: Callable, replications: int) -> Score:
    """Return the decisions of the whole campaign by ``test`` of differences and documents."""
    n_systems, n_items = campaign.table.shape
    truth = np.sign([np.mean(campaign.table[a] - campaign.table[b]) for a, b in campaign.pairs])
    full = [
        test(campaign.table[a] - campaign.table[b], campaign.documents) for a, b in campaign.pairs
    ]
    wanted = decided(*np.array(full).T) == truth
    print(f"{n_systems} systems, {n_items} items in {len(campaign.items_of)} documents;", end=" ")
    print(
        f"{wanted.sum()} of {len(truth)} pairs are separated by all {n_systems * n_items} ratings"
    )
    return Score(truth, wanted, replications)


def compare(
    campaign: Campaign, score: Score, uniform: tuple[float, float], rng: np.random.Generator
) -> dict[str, tuple[float, float]]:
    """Print the table; return name → (cost relative to uniform, share of wrong signs)."""
    n_documents = len(campaign.items_of)
    documents = [max(2, round(n / campaign.table.shape[1] * n_documents)) for n in ITEMS]
    found = {"uniform": uniform}
    fixed = Fixed(campaign, rng)
    runs: list[tuple[str, Callable, Sequence[int]]] = [
        ("uniform, Mann–Whitney", fixed.mann_whitney, [3 * n for n in ITEMS]),
        ("balanced items, paired t", fixed.paired, ITEMS),
        ("balanced items, signed-rank", fixed.signed_rank, ITEMS),
        ("whole documents, signed-rank of items", fixed.ranks_of_items, documents),
        ("whole documents, clustered t", fixed.clustered, documents),
        ("whole documents, clustered signed-rank", fixed.clustered_ranks, documents),
    ]
    for metric in ("chrF", "XCOMET-Ensemble"):
        if metric in campaign.metrics:
            run = lambda size, m=metric: fixed.controlled(size, campaign.metrics[m])  # noqa: E731
            runs.append((f"whole documents, control variate {metric}", run, documents))
    for name, run, sizes in runs:
        found[name] = score.cost(run, sizes)
        _line(name, found[name], uniform)
    looks = Sequential(campaign, rng)
    for name, options in looks.designs().items():
        run = lambda size, o=options: looks.run(size, **o)  # noqa: E731
        found[name] = score.cost(run, documents[1:])
        _line(name, found[name], uniform)
    used, kept, left = looks.best(n_documents, score.replications)
    print(
        f"find the best, clustered t: {used:.2f} of all judgments, {left:.1f} systems left,", end=""
    )
    print(f" the best among them in {kept:.1%}")
    return {name: (cost / uniform[0], wrong) for name, (cost, wrong) in found.items()}


def _line(name: str, found: tuple[float, float], uniform: tuple[float, float]) -> None:
    cost, wrong = found
    print(f"{name:44} {cost:9,.0f} {cost / uniform[0]:10.2f} {wrong:7.2%}", flush=True)


if __name__ == "__main__":
    main()
