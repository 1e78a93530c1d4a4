"""Every pair of systems under one metric: computed from stored statistics, kept, and read back.

A result is kept with a fingerprint of the scores that it was computed from. It is shown only while
that fits, so that a page never puts p-values beside scores that they do not belong to.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import nan

import numpy as np
from django.db import transaction
from django.utils.translation import gettext_noop

from judgments.models import Segment, System, TestSet
from judgments.stats.clusters import rank_clusters
from metrics.models import Comparison, MetricScore
from metrics.scores.pair_tests import Pair, StoredPValues, Tested, from_json
from metrics.scores.tables import MetricColumn, ScoreTable, place_in, score_table
from metrics.scoring import choices
from metrics.stats.pairs import AllPairs, compare_all
from metrics.stats.pairs import PValues as AllPValues

__all__ = [
    "UNITS",
    "Pair",
    "StoredPValues",
    "Tested",
    "compare_column",
    "compare_columns",
    "compute_comparisons",
]

logger = logging.getLogger(__name__)

UNITS = ("segment", "document")
RESAMPLES = 1000
SWAPS = 10_000
LEVEL = 0.95
ALPHA = 0.05
# sacreBLEU's, whose draws these then are.
SEED = 12345
# Raised when other numbers come out of the same scores: what was kept before no longer fits.
REVISION = 1


def compare_column(
    column: MetricColumn, table: ScoreTable, *, unit: str = "segment"
) -> Tested | None:
    """Return what is kept for a column, if it still belongs to the scores shown; else None."""
    return compare_columns([column], table, unit=unit)[column.slug]


def compare_columns(
    columns: Sequence[MetricColumn], table: ScoreTable, *, unit: str = "segment"
) -> dict[str, Tested | None]:
    """`compare_column` for many columns, by their slugs, in as few queries as for one."""
    kept = {
        (tuple(found.references), found.signature): found
        for found in Comparison.objects.filter(test_set=table.test_set, unit=unit)
    }
    documents = documents_of(table.test_set, unit)
    fitting: dict[str, Tested | None] = {}
    for column in columns:
        found = kept.get((tuple(column.references), column.signature))
        fits = found is not None and found.fingerprint == fingerprint(column, table, documents)
        fitting[column.slug] = from_json(found.result) if found and fits else None
    return fitting


def compute_comparisons(test_set: TestSet, unit: str = "segment") -> int:
    """Compare the systems of every column that has no fitting result; how many were computed."""
    table = score_table(test_set, check_stale=False)
    kept = compare_columns(table.columns, table, unit=unit)
    documents = documents_of(test_set, unit)
    n_computed = 0
    for column in table.columns:
        if kept[column.slug] is not None:
            continue
        try:
            tested = compare(column, table, unit, documents)
        except ValueError:  # a tokenizer or plug-in that was there when the score was computed
            logger.warning("%s cannot be compared here", column.signature, exc_info=True)
            continue
        with transaction.atomic():
            there = TestSet.objects.select_for_update(of=("self",), no_key=True)
            if there.filter(pk=test_set.pk).first() is None:  # it was deleted meanwhile
                return 0
            Comparison.objects.update_or_create(
                test_set=test_set,
                references=column.references,
                signature=column.signature,
                unit=unit,
                defaults={
                    "fingerprint": fingerprint(column, table, documents),
                    "result": tested.as_json(),
                },
            )
        n_computed += 1
    in_use = {column.signature for column in table.columns}
    test_set.comparisons.exclude(signature__in=in_use).delete()
    return n_computed


def forget(system: System) -> None:
    """Delete the results in which a system is compared: those of the columns that it is in."""
    columns = system.metric_scores.order_by().values_list("references", "signature").distinct()
    for references, signature in columns:
        kept = Comparison.objects.filter(test_set=system.test_set_id, signature=signature)
        kept.filter(references=references).delete()


def fingerprint(column: MetricColumn, table: ScoreTable, documents: Sequence[int] | None) -> str:
    """Return changes when the scores of a column do, or the rules by which they are compared."""
    parts: list[object] = [REVISION, RESAMPLES, SWAPS, LEVEL, ALPHA, SEED]
    parts += [table.n_segments, documents]
    for system_id, score in sorted(column.scores.items()):
        parts += [system_id, score.pk, score.created_at.isoformat(), score.score, score.texts_hash]
    return sha256(repr(parts).encode()).hexdigest()


def documents_of(test_set: TestSet, unit: str) -> list[int] | None:
    """Return the document of each segment, in the order of the test set; None to go by segments."""
    if unit not in UNITS:
        raise ValueError(f"unit must be one of {', '.join(UNITS)}, not {unit!r}.")
    if unit == "segment":
        return None
    segments = Segment.objects.filter(test_set=test_set).order_by("position")
    return list(segments.values_list("document_id", flat=True))


def compare(
    column: MetricColumn, table: ScoreTable, unit: str, documents: Sequence[int] | None = None
) -> Tested:
    """Test all pairs of a column. The same stored scores always give the same digits.

    Raises ValueError where this installation lacks what the metric is made of.
    """
    order = [
        system.pk
        for system in sorted(table.systems, key=lambda system: place_in(column, system))
        if system.pk in column.scores
    ]
    stored = MetricScore.objects.in_bulk([column.scores[pk].pk for pk in order])
    scores = {pk: stored[column.scores[pk].pk] for pk in order if column.scores[pk].pk in stored}
    usable = [pk for pk, score in scores.items() if _why_not(score, table.n_segments) == ""]
    if not usable:
        return _tested(column, unit, scores, [], None, _notes(scores, None, table.n_segments))
    first = scores[usable[0]]
    if first.options.get("level") == "document":  # uploaded: a segment has no score of its own
        unit, documents = "document", documents_of(table.test_set, "document")
    found = compare_all(
        choices.choose(first.metric, first.options).scorer(),
        np.array([scores[pk].statistics for pk in usable]),
        rng=np.random.default_rng(SEED),
        resamples=RESAMPLES,
        trials=SWAPS,
        level=LEVEL,
        alpha=ALPHA,
        documents=documents,
    )
    return _tested(column, unit, scores, usable, found, _notes(scores, found, table.n_segments))


def _why_not(score: MetricScore, n_segments: int) -> str:
    """Return why a score cannot be compared; nothing if it can."""
    if not score.statistics_width:
        return "no scores of segments, of which the tests draw"
    if len(score.statistics_data) != 8 * score.statistics_width * n_segments:
        return "been scored before the test set changed; compute the scores again"
    return ""


def _notes(scores: Mapping[int, MetricScore], found: AllPairs | None, n_segments: int) -> list[str]:
    """Return what has to be said of a comparison, in sentences."""
    notes = []
    reasons = Counter(_why_not(score, n_segments) for score in scores.values())
    for reason, n in reasons.items():
        if reason:
            notes.append(f"{n} of {len(scores)} systems not compared: they have {reason}.")
    if found is None:
        return notes
    if len(set(found.n_units) | set(found.n)) > 1:
        notes.append(
            gettext_noop(
                "Two systems are compared over what both have a score for, so that n differs."
            )
        )
    if any(score.options.get("system_scores") == "given" for score in scores.values()):
        notes.append(
            gettext_noop(
                "The scores of systems are those given in the file; intervals and tests are of the "
                "means of its segments."
            )
        )
    return [*notes, *found.notes]


def _tested(
    column: MetricColumn,
    unit: str,
    scores: Mapping[int, MetricScore],
    usable: list[int],
    found: AllPairs | None,
    notes: Sequence[str],
) -> Tested:
    """Return the result in terms of systems, which `found` knows by their place in `usable`."""
    pairs = _pairs(column, usable, found) if found else []
    intervals = dict.fromkeys(scores, (nan, nan))
    if found:
        bounds = zip(found.low.tolist(), found.high.tolist(), strict=True)
        intervals |= zip(usable, bounds, strict=True)
    sign = 1 if column.higher_is_better else -1
    p_values = np.full((len(usable), len(usable)), np.nan)
    for pair in pairs:
        p_values[usable.index(pair.first), usable.index(pair.second)] = pair.randomization.holm
    ranking = rank_clusters(
        [sign * scores[pk].score for pk in usable], p_values, rule="wmt17-23", alpha=ALPHA
    )
    is_ranked = len(usable) > 1
    places = zip(ranking.cluster_low, ranking.cluster_high, strict=True)
    groups = [(int(first), int(last)) for first, last in places]
    beaten = {pair.second for pair in pairs if usable[0] == pair.first and _differ(pair)}
    return Tested(
        unit=unit,
        system_ids=tuple(scores),
        scores={pk: score.score for pk, score in scores.items()},
        intervals=intervals,
        groups=dict(zip(usable, groups, strict=True)) if is_ranked else {},
        group_numbers=dict(zip(usable, ranking.cluster.tolist(), strict=True)) if is_ranked else {},
        best=frozenset(usable) - beaten,
        pairs=tuple(pairs),
        n=int(found.n_units.max()) if found else 0,
        resamples=RESAMPLES,
        swaps=SWAPS,
        seed=SEED,
        level=LEVEL,
        alpha=ALPHA,
        notes=tuple(notes),
    )


def _pairs(column: MetricColumn, usable: list[int], found: AllPairs) -> list[Pair]:
    """Return the pairs, each turned so that the better system comes first."""
    pairs = []
    for place, (a, b) in enumerate(found.pairs.tolist()):
        first, second = usable[a], usable[b]
        difference = float(found.differences[place])
        low, high = float(found.difference_low[place]), float(found.difference_high[place])
        if difference < 0 if column.higher_is_better else difference > 0:
            first, second = second, first
            difference, low, high = -difference, -high, -low
        pairs.append(
            Pair(
                first=first,
                second=second,
                difference=difference,
                low=low,
                high=high,
                n=int(found.n[place]),
                randomization=_at(found.randomization, place),
                bootstrap=_at(found.bootstrap, place),
                reason=found.reasons[place],
            )
        )
    return pairs


def _at(values: AllPValues, place: int) -> StoredPValues:
    raw, holm, bh = (float(p[place]) for p in (values.raw, values.holm, values.bh))
    return StoredPValues(raw=raw, holm=holm, bh=bh)


def _differ(pair: Pair) -> bool:
    """Return NaN, which is no test, tells nothing apart."""
    return pair.randomization.holm < ALPHA
