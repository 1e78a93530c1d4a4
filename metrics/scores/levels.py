"""Scores of a system's documents and domains: as a file gave them, or from its segments."""

from collections.abc import Sequence

import numpy as np

from judgments.models import TestSet
from metrics.models import MetricScore
from metrics.scorers import Scorer

NO_SCORE = float("nan")
Groups = tuple[list[str], np.ndarray, list[str], np.ndarray]


def groups_of(test_set: TestSet) -> Groups:
    """Return names of documents and of domains, in the order of the test set, each with the place
    of every segment's (n_segments,); −1 for a segment without a domain."""
    rows = list(
        test_set.segments.order_by("position").values_list("document__name", "document__domain")
    )
    known = list(test_set.documents.values_list("name", "domain"))
    documents = {name: i for i, (name, _) in enumerate(known)}
    domains = {name: i for i, name in enumerate(dict.fromkeys(d for _, d in known if d))}
    return (
        list(documents),
        np.array([documents[name] for name, _ in rows], dtype=np.intp),
        list(domains),
        np.array([domains.get(domain, -1) for _, domain in rows], dtype=np.intp),
    )


def scores_of_groups(
    score: MetricScore, scorer: Scorer | None, places: np.ndarray, n: int
) -> np.ndarray:
    """Return a system's score over each of n groups of segments, (n,), from their statistics; NaN
    where there are none. `places`: the group of every segment, −1 for none."""
    stats, found = score.statistics, np.full(n, np.nan)
    if scorer is None or stats is None or len(stats) != len(places):
        return found
    there = ~np.isnan(stats).any(axis=1) & (places >= 0)
    sums = np.zeros((n, stats.shape[1]))
    np.add.at(sums, places[there], stats[there])
    covered = np.bincount(places[there], minlength=n) > 0
    if covered.any():
        found[covered] = scorer.score(sums[covered])
    return found


def document_scores_of(
    score: MetricScore, scorer: Scorer | None, places: np.ndarray, n: int
) -> np.ndarray:
    """Return a system's scores of n documents, (n,): as given, where the test set still has as
    many."""
    given = score.levels.get("document", [])
    if len(given) == n:
        return np.array([number(text) for text in given])
    return scores_of_groups(score, scorer, places, n)


def domain_scores_of(
    score: MetricScore, scorer: Scorer | None, places: np.ndarray, names: Sequence[str]
) -> np.ndarray:
    """Return a system's scores of domains, (n,): as given, or else over their segments. Scores of
    whole documents say nothing here: domains have different numbers of them."""
    given = score.levels.get("domain")
    if given is not None:
        return np.array([number(given.get(name)) for name in names])
    return scores_of_groups(score, scorer, places, len(names))


def number(text: str | None) -> float:
    return NO_SCORE if text is None else float(text)
