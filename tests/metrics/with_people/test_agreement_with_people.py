"""Metrics against people, with SciPy as the oracle: higher is better everywhere."""

from dataclasses import replace

import numpy as np
import pytest
import sacrebleu
from scipy import stats

from judgments.models import Item
from judgments.results.selection.selection import Selection
from metrics.models import MetricScore
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice, parse_metric
from metrics.stats.agreement_intervals import pearson_interval
from metrics.stats.correlation import regression_band
from metrics.with_people import StudyChoice, segment_agreement, system_agreement
from metrics.with_people.scatter import MOST_POINTS, sample, scatter
from tests import factory
from tests.metrics.with_people.studies import (
    board_of,
    over_segments,
    over_systems,
    page_of,
    place_of,
    row_of,
    study_of,
)

N_SYSTEMS, N_SEGMENTS = 6, 5


@pytest.fixture
def campaign(db):
    """A campaign of two annotators with generated ratings of the first four segments."""
    owner = factory.make_user("owner", is_staff=True)
    annotators = [factory.make_user(f"annotator-{i}") for i in (1, 2)]
    test_set = factory.make_test_set(owner, n_segments=N_SEGMENTS, n_systems=N_SYSTEMS)
    # All systems are equally good on the segment that nobody judges.
    test_set.segments.last().outputs.update(text="Something else entirely , one would say .")
    campaign = factory.make_campaign(test_set, owner=owner, annotators=annotators)
    rng = np.random.default_rng(7)
    for seat, annotator in enumerate(annotators, 1):
        segments = list(test_set.segments.all()[: N_SEGMENTS - 1])
        factory.make_task(campaign, annotator, seat=seat, segments=segments)
    for item in Item.objects.filter(task__campaign=campaign).select_related("task__campaign"):
        adequacy, fluency = rng.integers(1, 6, (2, N_SYSTEMS)).astype(float)
        factory.judge(item, {"adequacy": list(adequacy), "fluency": list(fluency)})
    return campaign


def compute(test_set, *texts):
    job = jobs.create_job(test_set, [parse_metric(text) for text in texts], ["ref"])
    jobs.work_on(job.pk)


def human_table(campaign, dimension):
    """Return mean ratings, (n_systems, n_segments), directly from the rows; NaN without any."""
    table = np.full((N_SYSTEMS, N_SEGMENTS), np.nan)
    for i, system in enumerate(campaign.test_set.systems.order_by("name")):
        for j, segment in enumerate(campaign.test_set.segments.order_by("position")):
            output = segment.outputs.get(system=system)
            values = output.ratings.filter(dimension=dimension).values_list("value", flat=True)
            if values:
                table[i, j] = np.mean(values)
    return table


def metric_table(metric):
    rows = MetricScore.objects.filter(metric=metric).order_by("system__name")
    return np.array([row.segment_scores for row in rows])


def assert_agrees(row, metric, human):
    """Assert that a row's coefficients are SciPy's for these pairs."""
    expected = stats.pearsonr(metric, human)
    pearson = row.figures["pearson"]
    assert pearson.estimate == pytest.approx(expected.statistic, abs=1e-12)
    rho, tau = stats.spearmanr(metric, human)[0], stats.kendalltau(metric, human)[0]
    for keys, value in ((("spearman",), rho), (("kendall", "kendall-b"), tau)):
        figure = next(row.figures[key] for key in keys if key in row.figures)
        assert figure.estimate == pytest.approx(value, abs=1e-12)
    return expected


@pytest.mark.parametrize("dimension", ["adequacy", "fluency"])
def test_over_systems(campaign, dimension):
    compute(campaign.test_set, "bleu", "ter")
    found = over_systems(campaign, dimension=dimension)
    human = np.nanmean(human_table(campaign, dimension), axis=1)
    for metric, sign in (("bleu", 1), ("ter", -1)):
        row = row_of(found, metric)
        stored = MetricScore.objects.filter(metric=metric).order_by("system__name")
        expected = assert_agrees(row, [sign * score.score for score in stored], human)
        pearson = row.figures["pearson"]
        assert pearson.n == N_SYSTEMS
        # The level at which the interval ends at 0.
        at_zero = pearson_interval(pearson.estimate, N_SYSTEMS, level=1 - pearson.p_value)
        assert min(abs(at_zero.low), abs(at_zero.high)) == pytest.approx(0, abs=1e-9)
        # Fisher's z by SciPy, with Student's quantile instead of the normal one.
        half = np.arctanh(expected.confidence_interval(0.95).high) - np.arctanh(pearson.estimate)
        half *= stats.t.ppf(0.975, N_SYSTEMS - 2) / stats.norm.ppf(0.975)
        ends = np.tanh(np.arctanh(pearson.estimate) + np.array([-half, half]))
        assert (pearson.low, pearson.high) == pytest.approx(tuple(ends), abs=1e-12)
        assert row.metric.turned == ("yes" if sign < 0 else "no")


def test_over_systems_on_the_judged_segments(campaign):
    compute(campaign.test_set, "bleu")
    systems = campaign.test_set.systems.order_by("name")
    judged = campaign.test_set.segments.order_by("position")[: N_SEGMENTS - 1]
    references = [segment.references.get().text for segment in judged]
    expected = [
        sacrebleu.corpus_bleu(
            [segment.outputs.get(system=system).text for segment in judged], [references]
        ).score
        for system in systems
    ]
    human = np.nanmean(human_table(campaign, "adequacy"), axis=1)
    assert_agrees(row_of(over_systems(campaign, over="judged"), "bleu"), expected, human)
    everything, found = study_of(campaign), study_of(campaign, over="judged")
    assert not np.allclose(everything.metric_systems[0], found.metric_systems[0])


def test_over_segments_on_exactly_the_judged_outputs(campaign):
    compute(campaign.test_set, "chrf")
    human, metric = human_table(campaign, "fluency"), metric_table("chrf")
    there = ~np.isnan(human)
    assert there.sum() == N_SYSTEMS * (N_SEGMENTS - 1)
    row = row_of(over_segments(campaign, dimension="fluency"), "chrf")
    assert_agrees(row, metric[there], human[there])
    assert row.figures["pearson"].n == there.sum()


def test_z_scores(campaign):
    compute(campaign.test_set, "chrf")
    totals = np.zeros((N_SYSTEMS, N_SEGMENTS - 1))
    for user in campaign.members.filter(memberships__role="annotator"):
        ratings = user.judgments.filter(campaign=campaign).values_list(
            "ratings__output__system__name",
            "ratings__output__segment__position",
            "ratings__value",
            "ratings__dimension",
        )
        mine = np.full(totals.shape, np.nan)
        for name, place, value, dimension in ratings:
            if dimension == "adequacy":
                mine[ord(name[-1]) - ord("A"), place] = value
        totals += stats.zscore(mine, axis=None, ddof=1)
    found = over_segments(campaign, dimension="adequacy", method="z")
    assert found.human_name == "Adequacy, mean z-score"
    metric = metric_table("chrf")[:, : N_SEGMENTS - 1]
    assert_agrees(row_of(found, "chrf"), metric.ravel(), (totals / 2).ravel())


def test_comparisons_count_as_expected_wins(campaign):
    test_set = campaign.test_set
    people = factory.make_user("judge")
    pairwise = factory.make_campaign(test_set, preset="pairwise", annotators=[people])
    task = factory.make_task(pairwise, people, n_outputs=2)
    for item, value in zip(task.items.all(), [1, 1, 0, -1, 1], strict=True):
        factory.judge(item, value)
    compute(test_set, "bleu")
    found = study_of(pairwise)
    assert found.human_name == "expected wins"
    np.testing.assert_allclose(found.human_systems, [3 / 4, 1 / 4])
    np.testing.assert_allclose(found.human, [[1, 1, 0.5, 0, 1], [0, 0, 0.5, 1, 0]])


def test_two_systems_have_no_correlation_but_a_reason(campaign):
    names = list(campaign.test_set.systems.order_by("name"))[2:]
    compute(campaign.test_set, "bleu")
    MetricScore.objects.filter(system__in=names).delete()
    pearson = row_of(over_systems(campaign), "bleu").figures["pearson"]
    assert np.isnan(pearson.estimate) and pearson.n == 2
    assert pearson.reason == "fewer than 3 pairs"


def test_three_systems_have_a_correlation_without_an_interval(campaign):
    names = list(campaign.test_set.systems.order_by("name"))[3:]
    compute(campaign.test_set, "bleu")
    MetricScore.objects.filter(system__in=names).delete()
    row = row_of(over_systems(campaign), "bleu")
    for key in ("pearson", "kendall", "accuracy", "spa"):
        figure = row.figures[key]
        assert not np.isnan(figure.estimate) and np.isnan(figure.low)
        assert figure.no_interval == "too few systems for an interval"


def test_the_best_metric_follows_people_most_once_turned(campaign):
    compute(campaign.test_set, "bleu", "ter")
    found = over_systems(campaign)
    real = {row.metric.metric: row for row in found.rows if not row.metric.is_sentinel}
    best = max(real.values(), key=lambda row: row.figures["pearson"].estimate)
    assert found.best is best
    assert real["ter"].metric.turned == "yes"


def test_a_campaign_without_judgments_says_so(campaign):
    empty = factory.make_campaign(campaign.test_set, name="Empty")
    compute(campaign.test_set, "bleu")
    assert over_segments(empty).reason and over_systems(empty).reason


def test_groups_of_two_count_only_where_they_are_asked_for(campaign):
    """mt-metrics-eval includes r of two outputs, 1 or -1, in its mean by item."""
    compute(campaign.test_set, "chrf")
    kept = list(campaign.test_set.systems.order_by("name"))[:2]
    MetricScore.objects.exclude(system__in=kept).delete()
    human, metric = human_table(campaign, "adequacy")[:2], metric_table("chrf")
    signs = [np.sign((h[0] - h[1]) * (m[0] - m[1])) for h, m in zip(human.T, metric.T, strict=True)]
    expected = np.mean([sign for sign in signs if sign and not np.isnan(sign)])
    three = row_of(over_segments(campaign, "item"), "chrf").figures["pearson"]
    two = row_of(over_segments(campaign, "item", fewest=2), "chrf").figures["pearson"]
    assert np.isnan(three.estimate)
    assert two.estimate == pytest.approx(expected)


def test_the_scatter_plots_show_every_pair_with_its_name(campaign):
    compute(campaign.test_set, "bleu", "ter")
    slug = study_of(campaign).metrics[0].slug
    figure = page_of(campaign, metric=slug).system_scatter()
    (layer,) = (
        each for each in figure.spec["layer"] if each.get("mark", {}).get("type") == "point"
    )
    points = layer["data"]["values"]
    assert len(points) == N_SYSTEMS == len(figure.rows)
    assert {point["system"] for point in points} == {f"System-{x}" for x in "ABCDEF"}
    for point in points:
        address = f"/campaigns/{campaign.pk}/segments/?system={point['system']}&sort=clash-{slug}"
        assert point["href"] == address
    named = [each for each in figure.spec["layer"] if each.get("mark", {}).get("type") == "text"]
    assert sum(len(each["data"]["values"]) for each in named) == N_SYSTEMS
    segments = page_of(campaign, metric=slug).output_scatter()
    layer = segments.spec["layer"][-1]
    assert len(layer["data"]["values"]) == N_SYSTEMS * (N_SEGMENTS - 1)
    assert f"/campaigns/{campaign.pk}/segments/" in str(layer["transform"])
    assert len(segments.rows) == 20


def test_a_turned_metric_is_drawn_turned(campaign):
    compute(campaign.test_set, "ter")
    study = study_of(campaign)
    slug = study.metrics[place_of(study, "ter")].slug
    figure = page_of(campaign, metric=slug).system_scatter()
    assert all(row[1] < 0 for row in figure.rows)
    assert figure.columns[1].label == "TER, sign reversed (× −1)"


def test_the_line_is_the_regression(campaign):
    rng = np.random.default_rng(3)
    x = rng.normal(size=12)
    y = 2 * x + rng.normal(size=12)
    band = regression_band(x, y, np.linspace(x.min(), x.max(), 5))
    spec = scatter([], band, metric_title="m", human_title="h", labels=True)
    drawn = spec["layer"][0]["data"]["values"]
    line = stats.linregress(x, y)
    np.testing.assert_allclose(
        [row["fit"] for row in drawn], line.intercept + line.slope * band.grid, atol=1e-12
    )
    assert all(row["low"] < row["fit"] < row["high"] for row in drawn)


def test_a_chart_without_a_line_shows_its_points_only():
    band = regression_band([1.0], [2.0], np.linspace(0, 1, 3))
    points = [{"system": "A", "metric": 1.0, "human": 2.0}]
    spec = scatter(points, band, metric_title="m", human_title="h", labels=False)
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["point"]


def test_a_sample_is_in_order_without_repeats_and_repeatable():
    first, second = (sample(50_000, MOST_POINTS, np.random.default_rng(1)) for _ in range(2))
    assert len(np.unique(first)) == MOST_POINTS and (np.diff(first) > 0).all()
    assert (first == second).all()
    assert sample(5, MOST_POINTS, np.random.default_rng(1)).tolist() == [0, 1, 2, 3, 4]


def test_an_unknown_over_is_refused():
    with pytest.raises(ValueError, match="over is one of all, judged"):
        StudyChoice(over="some")


def test_the_metric_choices_of_a_column_are_kept_apart(campaign):
    compute(campaign.test_set, "bleu", "bleu:lowercase=yes")
    labels = [metric.label for metric in study_of(campaign).metrics if metric.metric == "bleu"]
    assert (
        labels
        == ["BLEU", "BLEU (lowercase)"]
        == [
            MetricChoice("bleu").label,
            parse_metric("bleu:lowercase=yes").label,
        ]
    )


@pytest.mark.parametrize("humans", ["out", "others"])
def test_metrics_of_a_part_have_the_figures_that_they_have_alone(campaign, humans):
    compute(campaign.test_set, "bleu", "chrf", "ter")
    board, choice = board_of(campaign), StudyChoice("adequacy", humans=humans)
    table = replace(board.table, columns=board.table.columns[1:])
    part = replace(board, table=table, state="part", whole=board)
    alone = replace(part, state="alone", whole=None)
    selection = Selection.of(campaign)
    for agreement in (system_agreement, segment_agreement):
        found = agreement(selection, choice, part)
        assert len(found.rows) == len(agreement(selection, choice, board).rows) - 1
        assert repr(found) == repr(agreement(selection, choice, alone))
