"""Comparisons of all systems: computed from stored scores, stored while they match, read back."""

import dataclasses
import json
from math import isnan

import numpy as np
import pytest

from judgments.models import Segment, System
from judgments.results.selection.selection import Selection
from metrics.models import Comparison, MetricScore, to_bytes
from metrics.scorers import get_scorer
from metrics.scores import comparisons as comparing
from metrics.scores.pair_tests import from_json
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.stats.significance import (
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)
from metrics.with_people import reports
from tests import factory

N = 40


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner"), n_segments=N, n_documents=8)


def store(test_set, system, values, metric="ter", options=None):
    """Store a score with these statistics, (N, s), like a worker."""
    values = np.asarray(values, dtype=np.float64)
    scorer = get_scorer(metric, **(options or {}))
    known = values[~np.isnan(values).any(axis=1)]
    return MetricScore.objects.create(
        test_set=test_set,
        system=system,
        references=["ref"],
        metric=metric,
        options=scorer.options(),
        signature=f"{metric}|made up",
        segment_signature=f"{metric}|made up",
        score=float(scorer.score(known.sum(axis=0))),
        n_segments=len(known),
        segment_data=to_bytes(np.zeros(len(values))),
        statistics_data=to_bytes(values),
        statistics_width=values.shape[1],
        texts_hash="",
        created_at="2026-01-01T00:00:00Z",
    )


def edits(mean, seed):
    drawn = np.random.default_rng(seed).binomial(10, mean / 10, size=N)
    return np.column_stack([drawn, np.full(N, 10)]).astype(float)


@pytest.fixture
def scored(test_set):
    """System-B is far better than the other two, which hardly differ; lower is better."""
    systems = {system.name[-1]: system for system in test_set.systems.all()}
    for name, mean, seed in (("A", 6, 1), ("B", 2, 2), ("C", 6, 3)):
        store(test_set, systems[name], edits(mean, seed))
    return {name: system.pk for name, system in systems.items()}


def only(test_set, unit="segment"):
    table = score_table(test_set, check_stale=False)
    (column,) = table.columns
    return comparing.compare_column(column, table, unit=unit)


def test_nothing_is_kept_before_it_is_computed(test_set, scored):
    assert only(test_set) is None
    assert comparing.compute_comparisons(test_set) == 1
    assert only(test_set) is not None and only(test_set, "document") is None
    assert comparing.compute_comparisons(test_set) == 0
    assert comparing.compute_comparisons(test_set, "document") == 1


def test_groups_and_the_best(test_set, scored):
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    first, *others = tested.system_ids
    assert first == scored["B"] and tested.best == {first}
    assert tested.groups == {first: (1, 1), others[0]: (2, 3), others[1]: (2, 3)}
    assert tested.group_numbers == {first: 1, others[0]: 2, others[1]: 2}
    assert (tested.n, tested.resamples, tested.swaps, tested.seed) == (N, 1000, 10_000, 12345)


def test_pairs_are_those_of_the_single_tests_with_the_seed_told(test_set, scored):
    # With the statistics and the seed every figure can be recomputed, pair by pair.
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    stats = {score.system_id: score.statistics for score in MetricScore.objects.all()}
    scorer = get_scorer("ter")
    rng = lambda: np.random.default_rng(tested.seed)  # noqa: E731
    assert len(tested.pairs) == 3
    for pair in tested.pairs:
        assert tested.scores[pair.first] <= tested.scores[pair.second]
        ours, theirs = stats[pair.first], stats[pair.second]
        swapped = approximate_randomization(scorer, ours, theirs, rng=rng(), resamples=10_000)
        drawn = paired_bootstrap(scorer, ours, theirs, rng=rng(), resamples=1000)
        assert pair.randomization.raw == swapped.p_value
        assert (pair.bootstrap.raw, pair.low, pair.high) == pytest.approx(
            (drawn.p_value, drawn.low, drawn.high)
        )
        assert pair.difference == pytest.approx(drawn.difference)
        assert tested.pair(pair.second, pair.first) is pair
    for pk, interval in tested.intervals.items():
        alone = bootstrap_interval(scorer, stats[pk], rng=rng(), resamples=1000)
        assert interval == (alone.low, alone.high)


def test_json_gives_everything_back(test_set, scored):
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    again = from_json(json.loads(json.dumps(tested.as_json(), allow_nan=False)))
    assert again == tested
    assert {field.name for field in dataclasses.fields(tested)} == set(tested.as_json())


def test_a_new_score_makes_the_kept_result_unfit(test_set, scored):
    comparing.compute_comparisons(test_set)
    MetricScore.objects.filter(system_id=scored["A"]).update(created_at="2026-02-01T00:00:00Z")
    assert only(test_set) is None
    assert comparing.compute_comparisons(test_set) == 1
    System.objects.get(pk=scored["C"]).delete()
    assert only(test_set) is None


def test_other_documents_make_the_kept_result_unfit(test_set, scored):
    comparing.compute_comparisons(test_set, "document")
    assert only(test_set, "document").n == 8
    first, second = test_set.documents.all()[:2]
    Segment.objects.filter(document=second).update(document=first)
    assert only(test_set, "document") is None


def test_comparisons_without_scores_are_thrown_away(test_set, scored):
    comparing.compute_comparisons(test_set)
    MetricScore.objects.all().delete()
    comparing.compute_comparisons(test_set)
    assert not Comparison.objects.exists()


def test_a_pair_is_compared_over_common_segments(test_set):
    a, b, c = test_set.systems.all()
    stats = [edits(4, 1), edits(5, 2), edits(6, 3)]
    stats[2][:15] = np.nan
    for system, values in zip((a, b, c), stats, strict=True):
        store(test_set, system, values)
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    assert (tested.pair(a.pk, b.pk).n, tested.pair(a.pk, c.pk).n) == (N, N - 15)
    common = [values[15:].sum(axis=0) for values in (stats[0], stats[2])]
    scores = [get_scorer("ter").score(total) for total in common]
    assert abs(tested.pair(a.pk, c.pk).difference) == pytest.approx(abs(scores[0] - scores[1]))
    assert any("n differs" in note for note in tested.notes)


def test_a_score_without_statistics_is_left_out_with_a_reason(test_set, scored):
    MetricScore.objects.filter(system_id=scored["B"]).update(
        statistics_width=0, statistics_data=b""
    )
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    assert isnan(tested.intervals[scored["B"]][0]) and scored["B"] not in tested.groups
    assert {tested.pairs[0].first, tested.pairs[0].second} == {scored["A"], scored["C"]}
    assert "1 of 3 systems not compared" in tested.notes[0]
    MetricScore.objects.update(statistics_width=0, statistics_data=b"")
    MetricScore.objects.update(created_at="2026-03-01T00:00:00Z")
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    assert not tested.pairs and not tested.groups and "3 of 3" in tested.notes[0]


def test_scores_from_before_the_test_set_grew_are_left_out(test_set, scored):
    document = test_set.documents.first()
    Segment.objects.create(test_set=test_set, document=document, key="new", position=N, source="x")
    comparing.compute_comparisons(test_set)
    assert "compute the scores again" in only(test_set).notes[0]


def test_one_system_has_an_interval_and_no_pair(test_set):
    system = test_set.systems.first()
    store(test_set, system, edits(4, 1))
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    assert tested.pairs == () and tested.groups == {} and tested.best == {system.pk}
    low, high = tested.intervals[system.pk]
    assert low < tested.scores[system.pk] < high


def test_identical_systems_do_not_differ(test_set):
    for system in test_set.systems.all():
        store(test_set, system, edits(4, 1))
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    assert all(p.randomization.raw == p.bootstrap.raw == 1 for p in tested.pairs)
    assert set(tested.groups.values()) == {(1, 3)} and len(tested.best) == 3


def test_uploaded_scores_of_documents_are_compared_by_document(test_set):
    options = {"name": "M", "level": "document", "digest": "0"}
    for seed, system in enumerate(test_set.systems.all()):
        values = np.zeros((N, 2))
        scores = np.random.default_rng(seed).normal(size=8)
        values[:: N // 8] = np.column_stack([scores, np.ones(8)])
        store(test_set, system, values, "uploaded", options)
    comparing.compute_comparisons(test_set)
    tested = only(test_set)
    assert (tested.unit, tested.n) == ("document", 8)
    assert not isnan(tested.pairs[0].randomization.raw)


def test_real_scores_of_all_metrics_are_compared(test_set):
    choices = [MetricChoice(slug) for slug in ("bleu", "chrf", "ter")]
    job = jobs.create_job(test_set, choices, ["ref"])
    jobs.work_on(job.pk)
    assert comparing.compute_comparisons(test_set) == 3
    table = score_table(test_set)
    for tested in comparing.compare_columns(table.columns, table).values():
        assert len(tested.pairs) == 3 and set(tested.groups) == set(tested.system_ids)


def test_reading_takes_as_many_queries_for_many_metrics(test_set, django_assert_num_queries):
    job = jobs.create_job(test_set, [MetricChoice("bleu"), MetricChoice("ter")], ["ref"])
    jobs.work_on(job.pk)
    comparing.compute_comparisons(test_set)
    table = score_table(test_set)
    with django_assert_num_queries(1):
        found = comparing.compare_columns(table.columns, table)
    assert len(found) == 2 and None not in found.values()
    with django_assert_num_queries(2):
        comparing.compare_columns(table.columns, table, unit="document")


def test_an_unknown_unit_is_refused(test_set):
    with pytest.raises(ValueError, match="segment, document"):
        comparing.compute_comparisons(test_set, "word")


def test_exports_hold_every_pair_with_what_is_needed_to_compute_it_again(test_set, scored):
    campaign = factory.make_campaign(test_set)
    assert not reports.comparison_table(Selection.of(campaign)).rows
    comparing.compute_comparisons(test_set)
    comparing.compute_comparisons(test_set, "document")
    table = reports.comparison_table(Selection.of(campaign))
    rows = [dict(zip(table.keys, row, strict=True)) for row in table.rows]
    assert [row["unit"] for row in rows] == ["segment"] * 3 + ["document"] * 3
    pair = only(test_set).pairs[0]
    assert (rows[0]["system"], rows[0]["difference"]) == ("System-B", pair.difference)
    assert rows[0]["p_randomization_holm"] == pair.randomization.holm
    assert rows[0]["p_bootstrap_bh"] == pair.bootstrap.bh
    assert (rows[0]["swaps"], rows[0]["resamples"], rows[0]["seed"]) == (10_000, 1000, 12345)
    assert json.loads(json.dumps(reports.data(Selection.of(campaign)), allow_nan=False))[
        "differences"
    ]
    sections = reports.sections(Selection.of(campaign))
    assert "metric-differences" in [table.slug for each in sections for table in each.tables]
