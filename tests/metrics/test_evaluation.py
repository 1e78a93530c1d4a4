"""Metrics against people, with SciPy as the oracle."""

import numpy as np
import pytest
import sacrebleu
from scipy import stats

from judgments.models import Item
from judgments.results.selection import Selection
from metrics import jobs
from metrics.charts import MOST_POINTS, sample, scatter
from metrics.choices import MetricChoice, parse_metric
from metrics.evaluation import segment_level, system_level
from metrics.figures import segment_figure, system_figure
from metrics.models import MetricScore
from metrics.stats.correlation import regression_band
from tests import factory

N_SYSTEMS, N_SEGMENTS = 6, 5


@pytest.fixture
def campaign(db):
    """A campaign of two annotators with made-up ratings of the first four segments."""
    owner = factory.make_user("owner", is_staff=True)
    annotators = [factory.make_user(f"annotator-{i}") for i in (1, 2)]
    test_set = factory.make_test_set(owner, n_segments=N_SEGMENTS, n_systems=N_SYSTEMS)
    # The segment that nobody judges is one on which all systems do alike.
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
    """Mean ratings, (n_systems, n_segments), straight from the rows; NaN without any."""
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
    """A row's three coefficients are SciPy's of these pairs."""
    expected = stats.pearsonr(metric, human)
    interval = expected.confidence_interval(0.95)
    assert row.pearson.n == len(metric)
    assert row.pearson.estimate == pytest.approx(expected.statistic, abs=1e-12)
    assert row.pearson.p_value == pytest.approx(expected.pvalue, abs=1e-12)
    assert (row.pearson.low, row.pearson.high) == pytest.approx(tuple(interval), abs=1e-12)
    assert row.spearman.estimate == pytest.approx(stats.spearmanr(metric, human)[0], abs=1e-12)
    assert row.kendall.estimate == pytest.approx(stats.kendalltau(metric, human)[0], abs=1e-12)


@pytest.mark.parametrize("dimension", ["adequacy", "fluency"])
def test_over_systems(campaign, dimension):
    compute(campaign.test_set, "bleu", "ter")
    found = system_level(Selection.of(campaign), dimension)
    assert [row.column.metric for row in found.rows] == ["bleu", "ter"]
    human = np.nanmean(human_table(campaign, dimension), axis=1)
    for row in found.rows:
        stored = MetricScore.objects.filter(metric=row.column.metric).order_by("system__name")
        assert_agrees(row, [score.score for score in stored], human)


def test_over_systems_on_the_judged_segments(campaign):
    compute(campaign.test_set, "bleu")
    found = system_level(Selection.of(campaign), over="judged")
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
    assert_agrees(found.rows[0], expected, human)
    everything = system_level(Selection.of(campaign)).rows[0]
    assert not np.allclose(everything.metric, found.rows[0].metric)


def test_over_segments_on_exactly_the_judged_outputs(campaign):
    compute(campaign.test_set, "chrf")
    found = segment_level(Selection.of(campaign), "fluency")
    human, metric = human_table(campaign, "fluency"), metric_table("chrf")
    there = ~np.isnan(human)
    assert there.sum() == N_SYSTEMS * (N_SEGMENTS - 1)
    assert_agrees(found.rows[0], metric[there], human[there])


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
    found = segment_level(Selection.of(campaign), "adequacy", "z")
    assert found.human_name == "Adequacy, mean z-score"
    metric = metric_table("chrf")[:, : N_SEGMENTS - 1]
    assert_agrees(found.rows[0], metric.ravel(), (totals / 2).ravel())


def test_comparisons_count_as_expected_wins(campaign):
    test_set = campaign.test_set
    people = factory.make_user("judge")
    pairwise = factory.make_campaign(test_set, preset="pairwise", annotators=[people])
    task = factory.make_task(pairwise, people, n_outputs=2)
    for item, value in zip(task.items.all(), [1, 1, 0, -1, 1], strict=True):
        factory.judge(item, value)
    compute(test_set, "bleu")
    found = system_level(Selection.of(pairwise))
    assert found.human_name == "expected wins"
    np.testing.assert_allclose(found.rows[0].human, [3 / 4, 1 / 4])
    row = segment_level(Selection.of(pairwise)).rows[0]
    np.testing.assert_allclose(row.human, [[1, 1, 0.5, 0, 1], [0, 0, 0.5, 1, 0]])


def test_two_systems_have_no_correlation_but_a_reason(campaign):
    names = list(campaign.test_set.systems.order_by("name"))[2:]
    compute(campaign.test_set, "bleu")
    MetricScore.objects.filter(system__in=names).delete()
    found = system_level(Selection.of(campaign))
    row = found.rows[0]
    assert np.isnan(row.pearson.estimate) and row.pearson.n == 2
    assert row.pearson.reason == "fewer than 3 pairs"
    assert row.pearson.n_missing == N_SYSTEMS - 2
    assert found.best is None


def test_the_best_metric_is_best_by_its_own_direction(campaign):
    compute(campaign.test_set, "bleu", "ter")
    found = system_level(Selection.of(campaign))
    turned = [row.pearson.estimate * sign for row, sign in zip(found.rows, (1, -1), strict=True)]
    assert found.best is found.rows[int(np.argmax(turned))]
    assert found.rows[1].wanted == "lower is better, so negative is good"


def test_a_campaign_without_judgments_says_so(campaign):
    empty = factory.make_campaign(campaign.test_set, name="Empty")
    compute(campaign.test_set, "bleu")
    assert segment_level(Selection.of(empty)).reason and system_level(Selection.of(empty)).reason


def test_the_figures_show_every_pair_with_its_name(campaign):
    compute(campaign.test_set, "bleu")
    figure = system_figure(Selection.of(campaign), system_level(Selection.of(campaign)), None)
    points = figure.spec["layer"][-1]["data"]["values"]
    assert len(points) == N_SYSTEMS == len(figure.rows)
    assert {point["system"] for point in points} == {f"System-{x}" for x in "ABCDEF"}
    segments = segment_figure(Selection.of(campaign), segment_level(Selection.of(campaign)), None)
    points = segments.spec["layer"][-1]["data"]["values"]
    assert len(points) == N_SYSTEMS * (N_SEGMENTS - 1)
    assert points[0]["href"].startswith(f"/testsets/{campaign.test_set_id}/metrics/segments/")
    assert len(segments.rows) == 20


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
    first, second = (sample(10_000, MOST_POINTS, np.random.default_rng(1)) for _ in range(2))
    assert len(np.unique(first)) == MOST_POINTS and (np.diff(first) > 0).all()
    assert (first == second).all()
    assert sample(5, MOST_POINTS, np.random.default_rng(1)).tolist() == [0, 1, 2, 3, 4]


def test_an_unknown_over_is_refused(campaign):
    with pytest.raises(ValueError, match="over is one of all, judged"):
        system_level(Selection.of(campaign), over="some")


def test_the_metric_choices_of_a_column_are_kept_apart(campaign):
    compute(campaign.test_set, "bleu", "bleu:lowercase=yes")
    labels = [row.column.label for row in system_level(Selection.of(campaign)).rows]
    assert (
        labels
        == ["BLEU", "BLEU (lowercase)"]
        == [
            MetricChoice("bleu").label,
            parse_metric("bleu:lowercase=yes").label,
        ]
    )
