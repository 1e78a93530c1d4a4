"""A campaign analyzed look by look: systems are dropped as soon as they are decided.

Two aims. "all": all pairs of systems are compared; a system is dropped when all its pairs are
decided. "best": only the winner matters; a system is dropped when a remaining one was found better.
"""

from __future__ import annotations

import numpy as np

from judgments.stats.sequential import StoppingPlan, decide, with_pairs

AIMS = ("all", "best")
GUARANTEES = ("every", "best")


def pairs_to_share(n_systems: int, guarantee: str = "every") -> float:
    """Return the number of pairs by which alpha is divided, the ``n_pairs`` of a `stopping_plan`.

    "every": with probability 1 - α no decision is wrong: all S(S - 1)/2 pairs. "best": with
    probability 1 - α the best system is not lost: only S - 1 pairs can err against it, on one side
    each.
    """
    if guarantee not in GUARANTEES or n_systems < 2:
        raise ValueError(f"two systems or more, and a guarantee of {', '.join(GUARANTEES)}")
    if guarantee == "every":
        return n_systems * (n_systems - 1) / 2
    return max(1.0, (n_systems - 1) / 2)


def decided(
    z_values: dict[tuple[int, int], float],
    k: int,
    plan: StoppingPlan,
    holm: bool,
    sign: np.ndarray,
) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int] | None, StoppingPlan]]:
    """Return the signs of the pairs decided at look k, the clearest first; and the plan whose bound
    each of them passed, with that of all others under None."""
    found: dict[tuple[int, int], int] = {}
    passed: dict[tuple[int, int] | None, StoppingPlan] = {}
    before = np.count_nonzero(np.triu(sign))
    known = [pair for pair, z in z_values.items() if not np.isnan(z)]

    def level() -> StoppingPlan:
        return with_pairs(plan, max(1.0, plan.n_pairs - before - len(found))) if holm else plan

    for pair in sorted(known, key=lambda pair: -abs(z_values[pair])):
        decision = decide(z_values[pair], k, level()).sign
        if not decision:
            break
        passed[pair] = level()
        found[pair] = decision
    passed[None] = level()
    return found, passed


def stays(sign: np.ndarray, active: np.ndarray, aim: str) -> np.ndarray:
    if aim == "all":
        return (sign == 0).sum(axis=1) > 1  # its diagonal cell is always 0
    return ~((sign == -1) & active).any(axis=1)
