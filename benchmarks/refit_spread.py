"""Error of the spread used by a plan, before and after a pilot.

    python benchmarks/refit_spread.py shared/data/03_mqm_esa_wmt23_en-de [--pilots 60]
        [--replications 60] [--seed 7]

The folder is that of `promised_power.py`. The pilot of a campaign is 30 segments of all systems, or
of two of them, drawn each time; of whole documents, of blocks of at most three segments, or one by
one, from all texts at random. The prior knowledge is the protocol's default, or the default updated
by a whole earlier campaign, as on the site and, "alone", without shrinking: ESA-1 before ESA-2, and
the ESA study's MQM before the experts'.

σ is printed as a share of the scale: the true one, effective for signed ranks over all judgments,
and the one before the pilot. Then, for priors with weights of 0, 50, 100, 300 and 1,000,000,000
differences (the last is never updated): the root mean square of log(σ/true), and, in brackets, the
mean power of plans that should have .80, with its first and last decile over pilots. The size of a
plan is proportional to σ²; power at nine σ from a third of the true one to three times as much is
replayed by signed ranks as in `promised_power.py`, and interpolated. Below, the root mean square
error of ρ, with priors of 0, 200 and 1,000,000,000.

The exit code is 1 if, with all systems and after the default, the prior of 100 is not closer than
none if σ is off by more than a fifth, or is off by .2 or more if the default belongs to the
protocol (MQM of the ESA study is not: its σ is a third).
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from promised_power import SPREADS, Plans, Scored, read

from judgments.stats.planning import spread_refit
from judgments.stats.planning.blocks import cut_blocks
from judgments.stats.planning.spread_refit import (
    JudgedShares,
    correlation_within,
    refit_spread,
    signed_ranks,
)
from judgments.stats.planning.spreads import DifferenceSpread

DESIGNS = {"whole documents": 0, "blocks of ≤ 3": 3, "single segments": 1}
PILOT = 30
NEVER = 1_000_000_000
PRIORS = (0, 50, 100, 300, NEVER)
TRIED = (12, 2)
EARLIER = {"ESA-2": "ESA-1", "MQM": "MQM-1"}
TIMES = np.exp(np.linspace(-math.log(3), math.log(3), 9))


def judged(texts: Scored, at: np.ndarray, systems: np.ndarray | None = None) -> JudgedShares:
    table = texts.table if systems is None else texts.table[systems]
    return JudgedShares(table[:, at], at + 1, texts.documents[at], texts.words[at])


def true_share(texts: Scored) -> float:
    """Return the effective spread for signed ranks: for each pair separated by ranks, its
    difference over the mean of its ranks relative to their root mean square; the median of all
    pairs."""
    found = []
    for a, b in combinations(range(len(texts.table)), 2):
        difference = texts.table[a] - texts.table[b]
        ranks = signed_ranks(difference)
        effect = ranks.mean() / math.sqrt((ranks**2).mean())
        if abs(effect) > 0.1:
            found.append(difference.mean() / effect)
    return float(np.median(found))


def share(texts: Scored, spread: DifferenceSpread) -> float:
    return spread.share(float(texts.words.mean()), float((texts.words**2).mean()))


def draw(texts: Scored, longest: int, rng: np.random.Generator) -> np.ndarray:
    """Return the segments of a pilot: random blocks until there are enough."""
    block = cut_blocks(texts.documents, longest or len(texts.documents))
    found: list[int] = []
    for number in rng.permutation(int(block.max()) + 1):
        if len(found) >= PILOT:
            break
        found += np.flatnonzero(block == number).tolist()
    return np.array(found)


@dataclass(frozen=True)
class Setting:
    """Priors for the size and for the correlation, in differences."""

    differences: float = spread_refit.PRIOR_DIFFERENCES
    neighbors: float = spread_refit.PRIOR_NEIGHBORS

    def refit(self, before: DifferenceSpread, pilot: JudgedShares) -> DifferenceSpread:
        usual = spread_refit.PRIOR_DIFFERENCES, spread_refit.PRIOR_NEIGHBORS
        spread_refit.PRIOR_DIFFERENCES = max(self.differences, 1e-9)  # type: ignore[assignment]
        spread_refit.PRIOR_NEIGHBORS = max(self.neighbors, 1e-9)  # type: ignore[assignment]
        try:
            return refit_spread(before, [pilot])
        finally:
            spread_refit.PRIOR_DIFFERENCES, spread_refit.PRIOR_NEIGHBORS = usual


def powers_at(texts: Scored, rng: np.random.Generator, replications: int) -> np.ndarray:
    """Return the power of plans of single segments whose σ is `TIMES` the true one."""
    true, usual = true_share(texts), DifferenceSpread()
    rho = correlation_within(judged(texts, np.arange(texts.table.shape[1])))[0]
    found = []
    for times in TIMES:
        spread = replace(usual, fixed=times * true, rho=min(max(rho, 0), 0.95))
        powers = Plans(texts, spread, 1).power(rng, replications)
        found.append(np.mean(powers) if powers else math.nan)
    return np.maximum.accumulate(np.nan_to_num(found, nan=0.0))


def errors_of_rho(before: DifferenceSpread, pilots: list[JudgedShares], rho: float) -> list[str]:
    found = []
    for prior in (0, 200, NEVER):
        off = [Setting(neighbors=prior).refit(before, pilot).rho - rho for pilot in pilots]
        found.append(f"{math.sqrt(float(np.mean(np.square(off)))):.2f}")
    return found


def report(error: float, powers: np.ndarray) -> str:
    low, high = np.quantile(powers, [0.1, 0.9])
    return f"{error:.2f} ({powers.mean():.2f}, {low:.2f} to {high:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pilots", type=int, default=60)
    parser.add_argument("--replications", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    campaigns, holds = read(asked.folder), True
    for name, texts in campaigns.items():
        true, every = true_share(texts), np.arange(texts.table.shape[1])
        curve = powers_at(texts, rng, asked.replications)
        before = {"the default": SPREADS[name]}
        if name in EARLIER:
            earlier = campaigns[EARLIER[name]]
            whole = judged(earlier, np.arange(earlier.table.shape[1]))
            before[f"{EARLIER[name]} alone"] = Setting(0).refit(SPREADS[name], whole)
            before[EARLIER[name]] = refit_spread(SPREADS[name], [whole], most=1)
        rho = correlation_within(judged(texts, every))[0]
        for known, spread in before.items():
            print(
                f"{name} after {known}: σ {true:.3f}, before {share(texts, spread):.3f}; ", end=""
            )
            print(f"ρ {rho:.2f}, before {spread.rho:.2f}", flush=True)
            for design, longest in DESIGNS.items():
                for n_systems in TRIED:
                    pilots = [
                        judged(
                            texts,
                            draw(texts, longest, rng),
                            rng.permutation(len(texts.table))[:n_systems],
                        )
                        for _ in range(asked.pilots)
                    ]
                    errors, cells = {}, []
                    for prior in PRIORS:
                        found = [share(texts, Setting(prior).refit(spread, p)) for p in pilots]
                        off = np.log(np.array(found) / true)
                        errors[prior] = math.sqrt(float((off**2).mean()))
                        powers = np.interp(off, np.log(TIMES), curve)
                        cells.append(report(errors[prior], powers))
                    print(f"  {design:15} {n_systems:2} systems", *cells, sep="  ", flush=True)
                    if n_systems == TRIED[0] and known == "the default":
                        is_off = errors[NEVER] > 0.2
                        holds &= not is_off or errors[100] < errors[NEVER]
                        holds &= name == "MQM-1" or errors[100] < 0.2
                    if longest != 1:
                        print("    ρ", *errors_of_rho(spread, pilots, rho), sep="  ", flush=True)
    sys.exit(not holds)


if __name__ == "__main__":
    main()
