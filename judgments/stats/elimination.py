"""A campaign judged look by look: systems leave as soon as nothing about them is open.

Two aims. "all": every two systems are compared; one leaves when all its pairs are decided. "best":
only the winner matters; a system leaves when one that is still in was found better.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.paired_difference import clustered_signed_rank, paired_difference
from judgments.stats.sequential import StoppingPlan, decide, with_pairs, z_of_t

AIMS = ("all", "best")
GUARANTEES = ("every", "best")
ZFunction = Callable[[np.ndarray, np.ndarray, np.ndarray | None], float]


def difference_z(
    differences: np.ndarray, clusters: np.ndarray, controls: np.ndarray | None
) -> float:
    """Z of the mean difference, with controls where there are some (`paired_difference`)."""
    found = paired_difference(differences, clusters, controls=controls)
    return z_of_t(found.t, found.df)


def signed_rank_z(
    differences: np.ndarray, clusters: np.ndarray, controls: np.ndarray | None = None
) -> float:
    """Z of the signed-rank test by document, which knows no controls."""
    return clustered_signed_rank(differences, clusters).z


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


@dataclass(frozen=True)
class SequentialResult:
    """``sign`` (S, S): +1 where the row was found better, -1 worse, 0 not separated; ``look``
    (S, S): at which look, counted from 0, or -1. ``n_items`` (S,) were judged of each system;
    ``remaining`` (S,) says which never left."""

    aim: str
    sign: np.ndarray
    look: np.ndarray
    n_items: np.ndarray
    remaining: np.ndarray

    @property
    def n_judgments(self) -> int:
        return int(self.n_items.sum())


def run_looks(
    table: ArrayLike,
    documents: ArrayLike,
    plan: StoppingPlan,
    *,
    most_documents: int | None = None,
    controls: ArrayLike | None = None,
    aim: str = "all",
    z_of: ZFunction = difference_z,
    holm: bool = True,
) -> SequentialResult:
    """Judge ``table`` (S, N) document by document, and decide at each look of the plan.

    ``documents`` (N,): the document of each item, judged in the order in which they first occur.
    ``most_documents``: what the plan's fractions are of, all documents if None. ``controls`` (S, N)
    or (S, N, q): scores of metrics, known of all items and chosen before the first look; of a pair
    their differences are taken. ``holm``: when all pairs are compared, each decision passes its
    share of alpha on to the pairs still open; it has no part in a search for the best.
    """
    scores, names = np.asarray(table, np.float64), np.asarray(documents)
    if scores.ndim != 2 or names.shape != scores.shape[1:] or aim not in AIMS:
        raise ValueError(f"a table (S, N), N documents, and an aim of {', '.join(AIMS)}")
    extra = None if controls is None else np.asarray(controls, np.float64)
    code, ends = _order(names, plan, most_documents)
    n = len(scores)
    sign, look = np.zeros((n, n), np.int8), np.full((n, n), -1)
    n_items, active = np.zeros(n, np.int64), np.ones(n, bool)
    for k, end in enumerate(ends):
        judged = code < end
        n_items[active] = judged.sum()
        z_values = {}
        for a, b in itertools.combinations(np.flatnonzero(active).tolist(), 2):
            if not sign[a, b]:
                differences = np.where(judged, scores[a] - scores[b], np.nan)
                pair_controls = None if extra is None else extra[a] - extra[b]
                z_values[a, b] = z_of(differences, code, pair_controls)
        for (a, b), found in decided(z_values, k, plan, holm and aim == "all", sign)[0].items():
            sign[a, b], sign[b, a] = found, -found
            look[a, b] = look[b, a] = k
        active &= stays(sign, active, aim)
        if active.sum() < 2:
            break
    remaining = (sign == 0).sum(axis=1) > 1 if aim == "all" else active
    return SequentialResult(aim, sign, look, n_items, remaining)


def _order(
    names: np.ndarray, plan: StoppingPlan, most: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Documents numbered as they come, (N,), and how many are judged at each look."""
    _, first, code = np.unique(names, return_index=True, return_inverse=True)
    ends = np.round(plan.fractions * (len(first) if most is None else most)).astype(np.intp)
    if ends[-1] > len(first):
        raise ValueError(f"the plan needs {ends[-1]} documents, there are {len(first)}")
    return np.argsort(np.argsort(first))[code], ends


def decided(
    z_values: dict[tuple[int, int], float],
    k: int,
    plan: StoppingPlan,
    holm: bool,
    sign: np.ndarray,
) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int] | None, StoppingPlan]]:
    """Signs of the pairs that are decided at look k, the clearest first; and the plan whose bound
    each of them passed, under None that of all others."""
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
