"""What more references bring: systems scored with one, two … all n references of a test set.

Forsbom (2003) scored systems with one and with several references: scores rise, and the ranking of
systems hardly changes. Here that is counted for every number of references, at every level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from metrics.scorers import Scorer
from metrics.scorers.base import Floats, Stream
from metrics.stats.columns import kendall_columns, pearson_columns

from .standings import Choice, places_with, statistics

LEVELS = ("system", "document", "segment")
SEED = 2003
# Choices of k references that are scored where there are more, and how many at least.
MOST_CHOICES, FEWEST_CHOICES = 10, 3
# Outputs times references that a page may compare: about ten seconds with chrF.
MOST_COMPARED = 600_000


@dataclass(frozen=True, eq=False)
class ChoiceScores:
    """Scores of S systems with U choices of references, the last of which is all of them.

    ``places`` (N,): of the segments that have every reference, which alone are scored; ``systems``
    (U, S), ``documents`` (U, S, D) and ``segments`` (U, S, N): NaN without an output.
    """

    choices: tuple[Choice, ...]
    places: NDArray[np.intp]
    systems: Floats
    documents: Floats
    segments: Floats

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many references each choice has, (U,)."""
        return np.array([len(choice) for choice in self.choices], dtype=np.int64)

    @property
    def n_references(self) -> int:
        return len(self.choices[-1]) if self.choices else 0

    def at(self, level: str) -> Floats:
        """Return scores as (U, S, G): a column is what systems are compared within, which is the
        test set, a document or a segment."""
        if level == "system":
            return self.systems[:, :, None]
        return self.documents if level == "document" else self.segments


@dataclass(frozen=True, eq=False)
class ChoiceAgreement:
    """How the scores of systems with each choice follow other scores, at one level.

    ``tau`` and ``r`` (U,): Kendall's τ-b and Pearson's r over systems, within each document or
    segment and then averaged over those that have a coefficient; NaN where none has.
    ``n_groups`` (U,): how many have a τ.
    """

    level: str
    tau: Floats
    r: Floats
    n_groups: NDArray[np.int64]


@dataclass(frozen=True)
class Spread:
    """Mean, lowest and highest of what choices of ``k`` references give; NaN where nothing does."""

    k: int
    mean: float
    low: float
    high: float


def choices_of(n: int, most: int, rng: np.random.Generator) -> tuple[Choice, ...]:
    """Return choices of 1 … n of n references, by their indices: each alone, and all of a larger
    size if they are no more than ``most``, or else ``most`` different ones that are drawn."""
    found: list[Choice] = []
    for k in range(1, n + 1):
        if k == 1 or comb(n, k) <= most:
            found += combinations(range(n), k)
            continue
        drawn: set[Choice] = set()
        while len(drawn) < most:
            drawn.add(tuple(sorted(rng.choice(n, size=k, replace=False).tolist())))
        found += sorted(drawn)
    return tuple(found)


def most_choices(n_references: int, n_outputs: int) -> int:
    """Return how many choices of a size a page may score: ``MOST_CHOICES``, or fewer for large
    sets."""
    for most in range(MOST_CHOICES, FEWEST_CHOICES, -1):
        sizes = range(1, n_references + 1)
        compared = n_outputs * sum(k * min(comb(n_references, k), most) for k in sizes)
        if compared <= MOST_COMPARED:
            return most
    return FEWEST_CHOICES


@dataclass(frozen=True, eq=False)
class ChoiceFrame:
    """What systems are scored with: U choices of references (indices of ``streams``), over N
    segments in D documents. ``places`` and ``of_document`` (N,); ``streams``: of these segments.
    """

    choices: tuple[Choice, ...]
    places: NDArray[np.intp]
    of_document: NDArray[np.intp]
    n_documents: int
    streams: list[Stream]


def frame_of(
    references: Sequence[Stream],
    documents: NDArray[np.intp],
    n_systems: int,
    rng: np.random.Generator,
) -> ChoiceFrame:
    """Return the segments that have all references: another number of references would otherwise
    mean other segments, too. ``documents``: of every segment."""
    everywhere = [
        all(text is not None for text in texts) for texts in zip(*references, strict=True)
    ]
    places = np.flatnonzero(everywhere)
    known, of_document = np.unique(documents[places], return_inverse=True)
    most = most_choices(len(references), n_systems * len(places))
    return ChoiceFrame(
        choices_of(len(references), most, rng),
        places,
        of_document,
        len(known),
        [[stream[place] for place in places.tolist()] for stream in references],
    )


def scores_of_system(
    scorer: Scorer, outputs: Stream, frame: ChoiceFrame
) -> tuple[Floats, Floats, Floats]:
    """Return a system's scores (U,), those of its documents (U, D) and of its segments (U, N)."""
    n = len(frame.choices)
    whole = np.full(n, np.nan)
    documents = np.full((n, frame.n_documents), np.nan)
    segments = np.full((n, len(frame.places)), np.nan)
    mine = [outputs[place] for place in frame.places.tolist()]
    there = np.array(places_with(mine, frame.streams), dtype=np.intp)
    if not len(there):
        return whole, documents, segments
    covered = np.unique(frame.of_document[there])
    for u, choice in enumerate(frame.choices):
        streams = [frame.streams[r] for r in choice]
        stats = statistics(scorer, mine, streams, there.tolist())
        whole[u] = scorer.score(stats.sum(axis=0))
        segments[u, there] = scorer.segment_scores(stats)
        sums = np.zeros((frame.n_documents, stats.shape[1]))
        np.add.at(sums, frame.of_document[there], stats)
        documents[u, covered] = scorer.score(sums[covered])
    return whole, documents, segments


def choice_scores(
    frame: ChoiceFrame, of_systems: Sequence[tuple[Floats, Floats, Floats]]
) -> ChoiceScores:
    """Return what ``scores_of_system`` gave for each system, together."""
    whole, documents, segments = zip(*of_systems, strict=True)
    return ChoiceScores(
        frame.choices,
        frame.places,
        np.stack(whole, axis=1),
        np.stack(documents, axis=1),
        np.stack(segments, axis=1),
    )


def agreement_with(found: ChoiceScores, level: str, theirs: Floats) -> ChoiceAgreement:
    """Return for the scores with each choice and ``theirs`` (S, G), such as people's."""
    ours = found.at(level)
    tau, r = kendall_columns(theirs, ours), pearson_columns(theirs, ours)
    return ChoiceAgreement(level, _mean(tau), _mean(r), np.sum(~np.isnan(tau), axis=1))


def agreement_with_all(found: ChoiceScores, level: str) -> ChoiceAgreement:
    """Return for the scores with each choice and those with all references."""
    return agreement_with(found, level, found.at(level)[-1])


def _mean(values: Floats) -> Floats:
    """Return (U, G) → (U,), of what is defined."""
    there = ~np.isnan(values)
    n = there.sum(axis=1)
    total = np.where(there, values, 0).sum(axis=1)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)


def spreads(found: ChoiceScores, values: Floats) -> list[Spread]:
    """Return for values (U,) of choices, for each number of references."""
    sizes, listed = found.sizes, []
    for k in range(1, found.n_references + 1):
        mine = values[(sizes == k) & ~np.isnan(values)]
        known = (mine.mean(), mine.min(), mine.max()) if len(mine) else (np.nan,) * 3
        listed.append(Spread(k, *map(float, known)))
    return listed


def mean_of_systems(found: ChoiceScores) -> Floats:
    """Return the mean score of the systems that have one, (U,)."""
    return _mean(found.systems)


def by_number(found: ChoiceScores) -> Floats:
    """Return each system's mean over the choices of k references, (n, S)."""
    sizes = found.sizes
    numbers = range(1, found.n_references + 1)
    means = [found.systems[sizes == k].mean(axis=0) for k in numbers]
    return np.array(means).reshape(found.n_references, found.systems.shape[1])


def of_documents(values: Floats, documents: NDArray[np.intp], places: NDArray[np.intp]) -> Floats:
    """Return means (S, D) of values (S, N) over the segments at ``places`` of each document, in the
    order of ``ChoiceScores.documents``; NaN where a document has none."""
    _known, of_document = np.unique(documents[places], return_inverse=True)
    mine = values[:, places]
    there = ~np.isnan(mine)
    n_documents = int(of_document.max()) + 1 if len(of_document) else 0
    total, n = np.zeros((2, len(values), n_documents))
    for s in range(len(values)):
        total[s] = np.bincount(of_document, np.where(there[s], mine[s], 0), n_documents)
        n[s] = np.bincount(of_document, there[s], n_documents)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)
