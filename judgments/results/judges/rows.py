"""What people and a judge said of the same outputs, or pairs of outputs, row by row."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from judgments.models import Document, Judge, Task
from judgments.protocols.base import Scale
from judgments.results.observations.observations import SCORED_KINDS, Observed, checked
from judgments.results.observations.pairs import pairs_of
from judgments.results.observations.sample import Sample
from judgments.results.observations.units import clusters_of
from judgments.stats.contingency import co_ratings

TUNING = 5  # of so many documents one is kept for choosing a prompt
FEWEST_DOCUMENTS = 20  # of fewer none is kept
MOST_PAIRS = 2_000_000  # of people's judgments of one item
SIDES = np.array([-1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What was said of each item once by each rater, (n,) each, sorted by item.

    An item is an output (``first`` is ``second``: its system) or two outputs of a segment
    (``first`` < ``second``), by code. ``value``: the score, or +1 where ``first`` is better, 0 for
    neither, -1 where ``second`` is. ``shown``: +1 where ``first`` stood first on the screen, -1
    where ``second`` did, 0 for single outputs.
    """

    item: np.ndarray
    rater: np.ndarray
    value: np.ndarray
    segment: np.ndarray
    first: np.ndarray
    second: np.ndarray
    shown: np.ndarray

    def __len__(self) -> int:
        return len(self.item)

    def where(self, kept: np.ndarray) -> Verdicts:
        return replace(self, **{name: column[kept] for name, column in vars(self).items()})

    def means(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the items, the mean of what was said of each, and a row of each, (m,)."""
        items, row, code = np.unique(self.item, return_index=True, return_inverse=True)
        n = np.bincount(code, minlength=len(items))
        return items, np.bincount(code, weights=self.value, minlength=len(items)) / n, row


def verdicts_of(observed: Observed, dimension: str | None) -> Verdicts:
    """``dimension`` as in `agreement`."""
    shown = observed.of_kinds(SCORED_KINDS).as_shown().regular_first()
    n = len(observed.system_ids)
    if observed.rates:
        rows = shown.of_dimension(checked(dimension, observed.dimensions)).ratings
        system = rows["system"].astype(np.int64)
        return _once(
            rows["annotator"], rows["value"].astype(float), rows["segment"], system, system,
            np.zeros(len(rows["value"])), n,
        )  # fmt: skip
    pairs = pairs_of(shown)
    turned = np.where(pairs.first > pairs.second, -1, 1)
    a, b = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    return _once(
        pairs.annotator, turned * pairs.label.astype(float), pairs.segment, a, b, turned, n
    )


def _once(rater, value, segment, first, second, shown, n_systems: int) -> Verdicts:
    segment, first, second = (np.asarray(each, np.int64) for each in (segment, first, second))
    item = (segment * n_systems + first) * n_systems + second
    order = np.lexsort((np.arange(len(item)), rater, item))
    item, rater = item[order], np.asarray(rater, np.int64)[order]
    new = np.append(True, (item[1:] != item[:-1]) | (rater[1:] != rater[:-1]))[: len(item)]
    rest = (np.asarray(each)[order][new] for each in (value, segment, first, second, shown))
    return Verdicts(item[new], rater[new], *rest)


@dataclass(frozen=True, eq=False)
class Beside:
    """``people`` and the ``samples`` of a judge (rater: the number of the sample) on the items that
    both judged. ``clusters``: by code of a segment, what is resampled, which are ``units``.
    ``scale`` is None, and ``rates`` false, where outputs are compared."""

    people: Verdicts
    samples: Verdicts
    clusters: np.ndarray
    units: str
    scale: Scale | None
    level: str
    name: str
    aliases: np.ndarray
    systems: np.ndarray
    n_documents: int

    @property
    def rates(self) -> bool:
        return self.scale is not None

    @property
    def judge(self) -> Verdicts:
        """The first sample, which answers as often as a person does."""
        return self.samples.where(self.samples.rater == self.samples.rater.min(initial=1))

    def of_segments(self, kept: np.ndarray) -> Beside:
        """Return the part in these segments, bool by code."""
        people, samples = (v.where(kept[v.segment]) for v in (self.people, self.samples))
        return replace(self, people=people, samples=samples)

    def with_judge(self, people: Verdicts) -> Sample:
        """Return each judgment of a person with that of the judge, as two of one item."""
        judge, n = self.judge, len(people)
        at = np.searchsorted(judge.item, people.item)
        known = at < len(judge)
        known[known] = judge.item[at[known]] == people.item[known]
        people, at = people.where(known), at[known]
        n = len(people)
        return Sample(
            np.tile(np.arange(n), 2),
            np.append(people.rater, np.full(n, len(self.aliases))),
            np.append(people.value, judge.value[at]),
            np.tile(self.clusters[people.segment], 2),
        )

    def among_people(self, people: Verdicts) -> Sample:
        """Return all judgments of people, by item."""
        cluster = self.clusters[people.segment]
        item = np.unique(people.item, return_inverse=True)[1]
        return Sample(item, people.rater, people.value, cluster)

    def with_others(self, rater: int) -> Sample:
        """Return each judgment of a person with each of somebody else, as two of one item."""
        people = self.people
        own = np.isin(people.item, people.item[people.rater == rater])
        found = people.where(own)
        _, left, right = co_ratings(found.item, found.rater)
        either = (found.rater[left] == rater) | (found.rater[right] == rater)
        left, right = left[either][:MOST_PAIRS], right[either][:MOST_PAIRS]
        return Sample(
            np.tile(np.arange(len(left)), 2),
            np.append(found.rater[left], found.rater[right]),
            np.append(found.value[left], found.value[right]),
            np.tile(self.clusters[found.segment[left]], 2),
        )


def beside(judge: Judge, people: Observed, model: Observed, dimension: str | None) -> Beside:
    """Return both are judgments of one test set, so their codes of segments and systems are the
    same."""
    theirs, own = verdicts_of(people, dimension), verdicts_of(model, dimension)
    seats = dict(Task.objects.filter(campaign=judge.answers_id).values_list("annotator", "seat"))
    seat = np.array([seats.get(int(user), 0) for user in people_of(model)], np.int64)
    own = replace(own, rater=seat[own.rater])
    both = np.intersect1d(theirs.item, own.item)
    theirs, own = (v.where(np.isin(v.item, both)) for v in (theirs, own))
    clusters, units = clusters_of(people)
    known = {d.slug: d for d in people.dimensions}
    found = known[checked(dimension, people.dimensions)] if people.rates else None
    return Beside(
        people=theirs,
        samples=own.where(np.lexsort((own.rater, own.item))),
        clusters=np.unique(clusters, return_inverse=True)[1],
        units=units,
        scale=found.scale if found else None,
        level=found.scale.kind if found else "nominal",
        name=found.name if found else "",
        aliases=people.annotators,
        systems=people.system_names,
        n_documents=len(np.unique(people.document_ids[theirs.segment])),
    )


def people_of(observed: Observed) -> np.ndarray:
    return observed.annotator_ids


def kept_for_tuning(test_set: int, documents: np.ndarray) -> np.ndarray:
    """Return which of these documents, by id, are for choosing among prompts: about a fifth, the
    same for all judges of a test set whatever they judge; nobody chooses them."""
    names = dict(Document.objects.filter(test_set=test_set).values_list("pk", "name"))
    chosen = {pk for pk, name in names.items() if _place(test_set, name) % TUNING == 0}
    return np.isin(documents, list(chosen))


def _place(test_set: int, name: str) -> int:
    return hashlib.sha256(f"tuning {test_set} {name}".encode()).digest()[0]
