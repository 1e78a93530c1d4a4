"""Whether the smallest difference promised by a plan is found as often as stated.

    python benchmarks/promised_power.py shared/data/03_mqm_esa_wmt23_en-de [--replications 100]
        [--seed 7]

The folder contains scores of several systems on the same segments of WMT23 English–German: expert
MQM, DA+SQM, and the ESA study's two ESA campaigns and its MQM. Human references are left out.

For each protocol, for all texts, for those whose sources are half as long on average (the longest
left out) and twice as long (the shortest left out), and for whole documents, blocks of at most
three segments and single segments: a plan has the size for which the page states the pair's
difference over all these texts as the smallest that is shown with a probability of 80 %. Each plan
is drawn from the texts, with replacement, and tested by signed ranks, by document, with the p used
by the page, .05 divided among all pairs. "Power" is the share of plans that found the right sign,
over all pairs whose plan has 40 to 400 documents or blocks; σ is the page's initial spread, as a
share of the scale, next to that of the data.

ESA's campaigns have one figure each and both together, which is what the page's σ stands for. The
exit code is 1 if a power of expert MQM, DA+SQM or ESA's two together is not from .72 to .88. MQM of
the ESA study is also printed: its σ is a third of that of the experts, so that a plan shows more
than it promises.
"""

from __future__ import annotations

import argparse
import functools
import math
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from human_cost_designs import ranks, read_rows, table_of

from judgments.stats.planning.blocks import cut_blocks
from judgments.stats.planning.price import (
    Design,
    segments_per_document,
    smallest_difference,
)
from judgments.stats.planning.spreads import DA_SQM, ESA, MQM, DifferenceSpread

LENGTHS = {"half as long": 0.5, "all texts": 1.0, "twice as long": 2.0}
DESIGNS = {"whole documents": 0, "blocks of ≤ 3": 3, "single segments": 1}
GOAL = (0.72, 0.88)
FEWEST, MOST = 40, 400
SPREADS = {"MQM": MQM, "DA+SQM": DA_SQM, "ESA-1": ESA, "ESA-2": ESA, "MQM-1": MQM}
HELD = ("MQM", "DA+SQM", "ESA")


@dataclass(frozen=True)
class Scored:
    """``table`` (S, N) of scores as shares of the scale, ``documents`` (N,) and ``words`` (N,) of
    sources."""

    table: np.ndarray
    documents: np.ndarray
    words: np.ndarray

    def of_length(self, times: float) -> Scored:
        """Return the texts without the longest or the shortest, so that the mean is ``times`` the
        original."""
        order = np.argsort(self.words, kind="stable")
        if times == 1:
            return self
        order = order if times < 1 else order[::-1]
        means = np.cumsum(self.words[order]) / np.arange(1, len(order) + 1)
        goal = times * self.words.mean()
        fits = np.flatnonzero(means <= goal if times < 1 else means >= goal)
        kept = np.sort(order[: fits[-1] + 1])
        documents = np.unique(self.documents[kept], return_inverse=True)[1]
        return Scored(self.table[:, kept], documents, self.words[kept])


def read(folder: Path) -> dict[str, Scored]:
    segments = read_rows(folder, "segments")
    ratings = read_rows(folder, "human_segments")
    esa = read_rows(folder, "published_esa_segments")
    lines = {row["line"]: (i, row["doc_id"]) for i, row in enumerate(segments)}
    systems = sorted({row["system"] for row in ratings if not row["system"].startswith("ref")})
    documents = np.unique([row["doc_id"] for row in segments], return_inverse=True)[1]
    words = np.array([len(row["source"].split()) for row in segments], float)

    def scored(rows, width: float) -> Scored:
        table = table_of(systems, lines, rows) / width
        kept = ~np.isnan(table).any(axis=0)
        numbers = np.unique(documents[kept], return_inverse=True)[1]
        return Scored(table[:, kept], numbers, words[kept])

    found = {
        "MQM": scored(((r["system"], r["line"], r["mqm"]) for r in ratings), 25),
        "DA+SQM": scored(((r["system"], r["line"], r["da_sqm"]) for r in ratings), 100),
    }
    for name in ("ESA-1", "ESA-2", "MQM-1"):
        rows = ((r["system"], r["line"], r["score"]) for r in esa if r["protocol"] == name)
        found[name] = scored(rows, 25 if name == "MQM-1" else 100)
    return found


@dataclass(frozen=True)
class Plans:
    """Plans of one design for texts: each draws ``clusters``, documents or blocks of them."""

    texts: Scored
    spread: DifferenceSpread
    longest: int

    @functools.cached_property
    def items_of(self) -> list[np.ndarray]:
        block = cut_blocks(self.texts.documents, self.longest or len(self.texts.documents))
        order = np.argsort(block, kind="stable")
        return np.split(order, np.cumsum(np.bincount(block))[:-1])

    @property
    def sigma(self) -> float:
        words = self.texts.words
        return self.spread.share(float(words.mean()), float((words**2).mean()))

    def size_for(self, difference: float, alpha: float) -> int:
        """Return the number of documents or blocks for which the page states ``difference`` as the
        smallest."""
        sizes = [len(items) for items in self.items_of]
        design = Design(judged_per_document=segments_per_document(sizes), rho=self.spread.rho)
        for n in range(FEWEST, MOST + 1):
            judged = max(1, round(n * float(np.mean(sizes))))
            found = smallest_difference(
                judged, self.sigma, design, clusters=n, pair_alpha=alpha
            ).difference
            if found <= difference:
                return n
        return MOST + 1

    def power(self, rng: np.random.Generator, replications: int) -> list[float]:
        """Return the power of each pair whose plan has a suitable size."""
        table = self.texts.table
        pairs = list(combinations(range(len(table)), 2))
        alpha, found = 0.05 / len(pairs), []
        for a, b in pairs:
            difference = table[a] - table[b]
            mean = float(difference.mean())
            n = self.size_for(abs(mean), alpha)
            if FEWEST < n <= MOST:
                hits = 0
                for _ in range(replications):
                    drawn = [self.items_of[i] for i in rng.integers(0, len(self.items_of), n)]
                    cluster = np.repeat(np.arange(n), [len(items) for items in drawn])
                    z, p = ranks(difference[np.concatenate(drawn)], cluster)
                    hits += p < alpha and z * mean > 0
                found.append(hits / replications)
        return found


def observed(texts: Scored) -> float:
    """Return the root of the mean variance of differences."""
    pairs = combinations(range(len(texts.table)), 2)
    return math.sqrt(np.mean([np.var(texts.table[a] - texts.table[b]) for a, b in pairs]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--replications", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    low, high = GOAL
    together: dict[tuple[str, str, str], list[float]] = {}
    print(f"{'protocol':8} {'texts':14} {'words':>5} {'σ':>5} {'data':>5}", *DESIGNS, sep="  ")
    for protocol, scores in read(asked.folder).items():
        for length, times in LENGTHS.items():
            texts = scores.of_length(times)
            cells = []
            for design, longest in DESIGNS.items():
                plans = Plans(texts, SPREADS[protocol], longest)
                powers = plans.power(rng, asked.replications)
                name = "ESA" if protocol.startswith("ESA") else protocol
                together.setdefault((name, length, design), []).extend(powers)
                cells.append(f"{np.mean(powers) if powers else math.nan:6.2f} ({len(powers):2})")
            print(f"{protocol:8} {length:14} {texts.words.mean():5.0f}", end=" ")
            print(f"{plans.sigma:5.2f} {observed(texts):5.2f}", *cells, sep="  ", flush=True)
    print()
    holds = True
    for (name, length, design), powers in together.items():
        if name in HELD:
            fits = low <= np.mean(powers) <= high
            holds &= bool(fits)
            print(
                f"{name:8} {length:14} {design:16} {np.mean(powers):.2f}", "" if fits else "FAILS"
            )
    sys.exit(not holds)


if __name__ == "__main__":
    main()
