"""A campaign judged look by look: systems leave as soon as nothing about them is open.

Two aims. "all": every two systems are compared; one leaves when all its pairs are decided. "best":
only the winner matters; a system leaves when one that is still in was found better.
"""

from __future__ import annotations

import numpy as np

from judgments.stats.sequential import StoppingPlan, decide, with_pairs

AIMS = ("all", "best")
GUARANTEES = ("every", "best")


def pairs_to_share(n_systems: int, guarantee: str = "every") -> float:
    """By how many pairs alpha is divided, the ``n_pairs`` of a `stopping_plan`.

    "every": no decision is wrong, with chance 1 - α: all S(S - 1)/2 pairs. "best": the best system
    is not lost, with chance 1 - α: only S - 1 pairs can err against it, on one side each.
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
    """Return signs of the pairs that are decided at look k, the clearest first; and the plan whose
    bound each of them passed, under None that of all others."""
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
        return (sign == 0).sum(axis=1) > 1  # its own place on the diagonal is 0 for ever
    return ~((sign == -1) & active).any(axis=1)
