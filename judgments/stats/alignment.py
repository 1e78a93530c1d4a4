"""Word links: the alignment error rate, and how far people who linked words agree by it.

AER (Och and Ney 2003) of links A against sure links S and possible links P, S within P:

    AER = 1 - (|A∩S| + |A∩P|) / (|A| + |S|)

Between two people both draw sure and possible links, and neither is right. Each is taken in turn
as the one who is measured, by all of their links, against the other's sure and possible ones, and
the numerators and denominators of both directions are added. With P1 and P2 all links of two
people, S1 and S2 their sure ones,

    AER(1, 2) = 1 - (|P1∩S2| + |P2∩S1| + 2 |P1∩P2|) / (|P1| + |P2| + |S1| + |S2|)

which is 0 for people who linked alike, and the alignment error AE where all links are sure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from judgments.stats.contingency import co_ratings
from judgments.stats.resampling import bootstrap_sums_interval

NO_SHARED = "no text was linked by two annotators"
NO_TEXTS = "no text was linked by both"
NO_GOLD = "neither drew a link that counts"
NO_LINKS = "nobody drew a link in what two annotators judged"


def alignment_error_rate(
    links: ArrayLike, sure: ArrayLike, found: ArrayLike, right: ArrayLike
) -> np.ndarray:
    """Return AER from the counts |A|, |S|, |A∩S| and |A∩P|, of one shape; NaN where A and S are
    empty."""
    links, sure, found, right = (
        np.asarray(x, dtype=np.float64) for x in (links, sure, found, right)
    )
    return 1 - _share(found + right, links + sure)


def alignment_error(ours: ArrayLike, theirs: ArrayLike, shared: ArrayLike) -> np.ndarray:
    """Return AE = (|B| + |B'| - 2|B∩B'|) / (|B| + |B'|) (Byrne 2005); NaN where both are empty."""
    ours, theirs, shared = (np.asarray(x, dtype=np.float64) for x in (ours, theirs, shared))
    return _share(ours + theirs - 2 * shared, ours + theirs)


@dataclass(frozen=True)
class Links:
    """Links, one a row, (n,) each: the row of the judgment, the places of the two words from 0, and
    whether it is sure."""

    judgment: ArrayLike
    source: ArrayLike
    target: ArrayLike
    sure: ArrayLike


@dataclass(frozen=True)
class LinkAgreement:
    """Of two annotators, or of all pairs (``first`` and ``second`` are -1 then).

    ``n_texts``: texts that both linked; of all pairs, comparisons of two judgments of a text.
    ``n_links``: links drawn in them by both together; ``n_shared``: links that both drew, sure or
    not. ``aer`` and ``ae`` lie from 0 (alike) to 1; ``low`` and ``high`` bound ``aer``.
    """

    first: int
    second: int
    n_texts: int
    n_links: int
    n_shared: int
    aer: float
    low: float
    high: float
    ae: float
    level: float
    resamples: int
    n_units: int
    test: str = "percentile bootstrap"
    reason: str = ""


def link_agreement(
    text: ArrayLike,
    annotator: ArrayLike,
    links: Links,
    *,
    clusters: ArrayLike | None = None,
    rng: np.random.Generator,
    resamples: int = 1000,
    level: float = 0.95,
) -> tuple[LinkAgreement, tuple[LinkAgreement, ...]]:
    """Return agreement over all pairs of annotators, and of each pair that shares a text.

    text, annotator: codes (n,) of judgments, each annotator once at most for a text. clusters (n,):
    what is resampled, the texts themselves if not given. A judgment without links counts: both
    without links agree, but nothing follows for the rate.
    """
    text, annotator = (np.asarray(x, dtype=np.int64) for x in (text, annotator))
    units = text if clusters is None else np.asarray(clusters)
    at, left, right = co_ratings(text, annotator)
    counts = _counts(len(text), left, right, links)
    unit = units[left] if len(left) else at
    options = {"rng": rng, "resamples": resamples, "level": level}
    pairs = annotator[np.column_stack([left, right])] if len(left) else np.zeros((0, 2), np.int64)
    every = _agreement((-1, -1), counts, unit, **options)
    found = []
    for first, second in np.unique(pairs, axis=0).tolist():
        mine = (pairs == (first, second)).all(axis=1)
        found.append(_agreement((first, second), counts[mine], unit[mine], **options))
    return every, tuple(found)


def _counts(n: int, left: np.ndarray, right: np.ndarray, links: Links) -> np.ndarray:
    """Return per pair of judgments |P1| + |P2|, |S1| + |S2|, |P1∩S2| + |P2∩S1|, |P1∩P2|: (n pairs,
    4)."""
    judgment = np.asarray(links.judgment, dtype=np.int64)
    ends = np.column_stack([np.asarray(links.source), np.asarray(links.target)])
    ends = ends.reshape(-1, 2).astype(np.int64)
    key = np.unique(ends, axis=0, return_inverse=True)[1].reshape(-1)
    shape = (n, int(key.max()) + 1 if len(key) else 1)
    ones = np.ones(len(key))
    every = sparse.csr_array((ones, (judgment, key)), shape=shape)
    sure = sparse.csr_array(
        (np.asarray(links.sure, dtype=np.float64), (judgment, key)), shape=shape
    )
    per_judgment = [np.asarray(m.sum(axis=1)).reshape(-1) for m in (every, sure)]

    def shared(a, b):
        return np.asarray((a[left] * b[right]).sum(axis=1)).reshape(-1)

    sums: Sequence[np.ndarray] = [sizes[left] + sizes[right] for sizes in per_judgment]
    mixed = shared(every, sure) + shared(sure, every)
    return np.column_stack([*sums, mixed, shared(every, every)])


def _rate(sums: np.ndarray) -> np.ndarray:
    n_links, n_sure, mixed, shared = np.moveaxis(sums, -1, 0)
    return alignment_error_rate(n_links, n_sure, mixed, 2 * shared)


def _agreement(pair, counts, unit, *, rng, resamples, level) -> LinkAgreement:
    total = counts.sum(axis=0)
    codes = np.unique(unit, return_inverse=True)[1].reshape(-1)
    n_units = int(codes.max()) + 1 if len(codes) else 0
    sums = np.zeros((n_units, 4))
    np.add.at(sums, codes, counts)
    interval = bootstrap_sums_interval(_rate, sums, rng=rng, resamples=resamples, level=level)
    aer = float(_rate(total))
    known = not math.isnan(aer)
    return LinkAgreement(
        first=pair[0],
        second=pair[1],
        n_texts=len(counts),
        n_links=int(total[0]),
        n_shared=int(total[3]),
        aer=aer,
        low=float(interval.low) if known else math.nan,
        high=float(interval.high) if known else math.nan,
        ae=float(alignment_error(total[0] / 2, total[0] / 2, total[3])),
        level=level,
        resamples=resamples,
        n_units=n_units,
        reason="" if known else (NO_LINKS if len(counts) else NO_SHARED),
    )


@dataclass(frozen=True)
class GoldError:
    """Links A of a program against a person's sure links S and all links P, over ``n_texts``.

    ``aer`` with its bounds; ``precision`` |A∩P| / |A| and ``recall`` |A∩S| / |S| (Och and Ney
    2003). ``n_links`` is |A|, ``n_sure`` |S|, ``n_gold`` |P|.
    """

    n_texts: int
    n_links: int
    n_sure: int
    n_gold: int
    aer: float
    low: float
    high: float
    precision: float
    recall: float
    n_units: int
    reason: str = ""


def gold_error(
    counts: ArrayLike,
    units: ArrayLike,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    level: float = 0.95,
) -> GoldError:
    """Return counts (n, 5): of each judgment |A|, |S|, |P|, |A∩S| and |A∩P|. units (n,): what is
    resampled, such as the documents."""
    counts = np.asarray(counts, dtype=np.float64).reshape(-1, 5)
    codes = np.unique(np.asarray(units), return_inverse=True)[1].reshape(-1)
    n_units = int(codes.max()) + 1 if len(codes) else 0
    sums = np.zeros((n_units, 5))
    np.add.at(sums, codes, counts)
    interval = bootstrap_sums_interval(_gold_rate, sums, rng=rng, resamples=resamples, level=level)
    total = counts.sum(axis=0)
    aer = float(_gold_rate(total))
    known = not math.isnan(aer)
    return GoldError(
        n_texts=len(counts),
        n_links=int(total[0]),
        n_sure=int(total[1]),
        n_gold=int(total[2]),
        aer=aer,
        low=float(interval.low) if known else math.nan,
        high=float(interval.high) if known else math.nan,
        precision=float(_share(total[4], total[0])),
        recall=float(_share(total[3], total[1])),
        n_units=n_units,
        reason="" if known else (NO_GOLD if len(counts) else NO_TEXTS),
    )


def _gold_rate(sums: np.ndarray) -> np.ndarray:
    n_links, n_sure, _n_gold, in_sure, in_gold = np.moveaxis(sums, -1, 0)
    return alignment_error_rate(n_links, n_sure, in_sure, in_gold)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole; NaN where the whole is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(part, whole)
