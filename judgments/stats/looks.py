"""What the looks of a registered stopping plan say of a campaign that is being judged.

Documents are finished one after the other, in the order in which their last missing judgment came,
and a look happens as soon as there are enough of them. A document counts for the systems that are
still compared; what was judged of the others after they left has no part. Where documents are cut
into blocks, blocks are finished, and documents remain the clusters of the errors.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, stdtrit

from judgments.stats.controlled_ranks import controlled_signed_ranks
from judgments.stats.elimination import AIMS, decided, stays
from judgments.stats.paired_difference import PairedDifference, paired_difference
from judgments.stats.sequential import FIRST_LOOK_ITEMS, StoppingPlan, decide, z_of_t

TESTS = ("difference", "signed-rank")
CONTRADICTORY = "the ranks and the mean difference point to different systems: not separated"
FEW_ITEMS = f"fewer than {FIRST_LOOK_ITEMS} items: nothing is decided yet"


@dataclass(frozen=True)
class PairAtLook:
    """Systems ``first`` and ``second`` by number at one look.

    ``difference``: first minus second; ``z`` of it or of the signed ranks, and the ``bound`` that
    |Z| must exceed. ``low`` and ``high``: the interval of the difference that holds at all looks
    together; where it is the difference that is tested, without 0 exactly where the pair is
    decided. ``sign``: +1 where the first was found better, -1 the second, 0 not separated;
    ``futile``: to go on is unlikely to separate them, by the chance ``conditional_power``.
    ``controlled``: whether the control variate was used.
    """

    first: int
    second: int
    difference: PairedDifference
    z: float
    bound: float
    low: float
    high: float
    sign: int
    futile: bool
    conditional_power: float
    controlled: bool
    reason: str = ""


@dataclass(frozen=True)
class Look:
    """Look ``number`` (from 0) after ``n_documents``, or so many blocks. ``pairs`` that were open
    before it; ``systems`` (S,) that were still in before it, and those who ``stay`` (S,) after."""

    number: int
    n_documents: int
    n_items: int
    pairs: tuple[PairAtLook, ...]
    systems: np.ndarray
    stay: np.ndarray


@dataclass(frozen=True)
class Review:
    """All ``looks`` that have happened. ``sign`` and ``look`` (S, S) as in `SequentialResult`;
    ``n_finished`` documents that count for the systems still compared."""

    looks: tuple[Look, ...]
    sign: np.ndarray
    look: np.ndarray
    n_finished: int


def review_looks(
    table: ArrayLike,
    judged_at: ArrayLike,
    documents: ArrayLike,
    plan: StoppingPlan,
    ends: ArrayLike,
    *,
    controls: ArrayLike | None = None,
    aim: str = "all",
    test: str = "difference",
    blocks: ArrayLike | None = None,
) -> Review:
    """Return the looks of ``plan`` after ``ends`` (K,) documents, or blocks where there are
    ``blocks``.

    ``table`` (S, N): scores, NaN where not judged; N are all items that the campaign will judge, or
    the whole pool. ``judged_at`` (S, N): rising with time, read where the table has a score.
    ``documents`` and ``blocks`` (N,): of each item. ``controls`` (S, N) or (S, N, q): scores of
    metrics, chosen before the first judgment, known of all N; a pair with a system without any is
    compared without. ``test``: "difference" as `paired_difference`, "signed-rank" as
    `controlled_signed_ranks`, with slopes shared by all systems still compared. Aims as in
    `elimination`; with "all" each decision passes its share of alpha on (Holm). Raise ValueError
    for arrays that do not fit each other.
    """
    scores, when = np.asarray(table, np.float64), np.asarray(judged_at, np.float64)
    names = np.asarray(documents)
    extra = None if controls is None else np.asarray(controls, np.float64)
    shapes = [when.shape, *([] if extra is None else [extra.shape[:2]])]
    if any(shape != scores.shape for shape in shapes) or names.shape != scores.shape[1:]:
        raise ValueError("a table (S, N), moments and controls alike, and N documents")
    if test not in TESTS or (blocks is not None and np.shape(blocks) != names.shape):
        raise ValueError(f"a test of {', '.join(TESTS)}, and a block for each of N items")
    if aim not in AIMS or len(np.asarray(ends)) != len(plan.bounds):
        raise ValueError(f"an aim of {', '.join(AIMS)}, and as many looks as the plan has")
    _, code = np.unique(names, return_inverse=True)
    units = code if blocks is None else np.unique(np.asarray(blocks), return_inverse=True)[1]
    when = np.where(np.isnan(scores), np.inf, when)
    n = len(scores)
    sign, at_look = np.zeros((n, n), np.int8), np.full((n, n), -1)
    active, taken = np.ones(n, bool), np.zeros(0, np.intp)
    looks: list[Look] = []
    finished = _finished(when[active], units, taken)
    for number, end in enumerate(np.asarray(ends).tolist()):
        if len(finished) < end or active.sum() < 2:
            break
        taken = finished[:end]
        items = np.isin(units, taken)
        seen = _Seen(np.where(items, scores, np.nan), code, extra, int(items.sum()), test)
        pairs = _pairs(seen, plan, number, sign, at_look, active, aim)
        stay = active & stays(sign, active, aim)
        looks.append(Look(number, end, int(items.sum()), pairs, active, stay))
        active = stay
        finished = _finished(when[active], units, taken)
    return Review(tuple(looks), sign, at_look, len(finished))


def _finished(when: np.ndarray, code: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Return documents that all of these systems (s, N) were judged on, in the order of their last
    judgment, those that an earlier look has ``taken`` first."""
    n_documents = int(code.max(initial=-1)) + 1
    last = np.full(n_documents, -np.inf)
    if len(when):
        np.maximum.at(last, code, when.max(axis=0))
    order = np.argsort(last, kind="stable")
    later = order[np.isfinite(last[order]) & ~np.isin(order, taken)]
    return np.concatenate([taken, later])


@dataclass(frozen=True)
class _Compared:
    """A pair's difference and the z that is tested; ``reason`` forbids to decide it."""

    difference: PairedDifference
    z: float
    controlled: bool
    reason: str = ""


@dataclass(frozen=True)
class _Seen:
    """What a look sees: ``scores`` (S, N), NaN unless finished, of ``n_items`` items."""

    scores: np.ndarray
    code: np.ndarray
    extra: np.ndarray | None
    n_items: int
    test: str

    def compare(self, active: np.ndarray, sign: np.ndarray) -> dict[tuple[int, int], _Compared]:
        """Return the open pairs of the active systems."""
        every = list(itertools.combinations(np.flatnonzero(active).tolist(), 2))
        pairs = [pair for pair in every if not sign[pair]]
        if self.test == "signed-rank":
            return self._ranks(every, pairs)
        return {pair: self._difference(*pair) for pair in pairs}

    def _difference(self, a: int, b: int) -> _Compared:
        x = None if self.extra is None else self.extra[a] - self.extra[b]
        x = None if x is None or np.isnan(x).all() else x
        found = paired_difference(self.scores[a] - self.scores[b], self.code, controls=x)
        return _Compared(found, z_of_t(found.t, found.df), x is not None)

    def _ranks(
        self, every: list[tuple[int, int]], pairs: list[tuple[int, int]]
    ) -> dict[tuple[int, int], _Compared]:
        found = controlled_signed_ranks(self.scores, self.code, controls=self.extra, pairs=every)
        reasons = np.where(found.contradictory, CONTRADICTORY, "")
        return {
            pair: _Compared(
                found.paired_difference(p),
                float(found.z[p]),
                bool(found.controlled[p]),
                str(reasons[p]),
            )
            for p, pair in enumerate(every)
            if pair in set(pairs)
        }


def _pairs(
    seen: _Seen,
    plan: StoppingPlan,
    number: int,
    sign: np.ndarray,
    at_look: np.ndarray,
    active: np.ndarray,
    aim: str,
) -> tuple[PairAtLook, ...]:
    """Return the open pairs of a look; what is decided is written into ``sign`` and ``at_look``."""
    found = seen.compare(active, sign)
    z_values = {pair: compared.z for pair, compared in found.items() if not compared.reason}
    enough = seen.n_items >= FIRST_LOOK_ITEMS
    now, level = decided(z_values if enough else {}, number, plan, aim == "all", sign)
    for (a, b), which in now.items():
        sign[a, b], sign[b, a] = which, -which
        at_look[a, b] = at_look[b, a] = number
    return tuple(
        _pair(pair, compared, number, level.get(pair, level[None]), now.get(pair, 0), enough)
        for pair, compared in found.items()
    )


def _pair(
    pair: tuple[int, int],
    compared: _Compared,
    number: int,
    plan: StoppingPlan,
    which: int,
    enough: bool,
) -> PairAtLook:
    bound, difference, z = float(plan.bounds[number]), compared.difference, compared.z
    # |Z| of t exceeds the bound exactly where this interval leaves out 0.
    half = -float(stdtrit(difference.df, ndtr(-bound))) * difference.se
    trend = decide(z, number, plan)
    reason = compared.reason or difference.reason or ("" if enough else FEW_ITEMS)
    return PairAtLook(
        *pair,
        difference=difference,
        z=z,
        bound=bound,
        low=difference.estimate - half,
        high=difference.estimate + half,
        sign=which,
        futile=trend.futile and not which,
        conditional_power=math.nan if which or compared.reason else trend.conditional_power,
        controlled=compared.controlled,
        reason=reason,
    )
