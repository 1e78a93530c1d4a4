"""WMT13 French–English through the whole loop: texts and rankings in, our scorers, correlation with
expected wins out.

Everything expected is computed here a second time from the raw files, by sacreBLEU and SciPy; the
digits that were seen are pinned beside it.
"""

from collections import Counter, defaultdict
from io import StringIO
from itertools import combinations

import numpy as np
import pytest
import sacrebleu
from django.core.management import call_command
from django.db import transaction
from scipy import stats

from metrics.models import MetricScore
from tests.metrics.with_people.studies import (
    over_segments,
    over_systems,
    place_of,
    row_of,
    study_of,
)
from tests.real_data import import_wmt13
from tests.shared import read_tsv, shared_data

pytestmark = [pytest.mark.proof, pytest.mark.django_db]

NAME = "06_ranking_wmt13_fr-en"
# BLEU, chrF and TER by sacreBLEU 2.6.0 with its defaults, systems in the order of their names. (TER
# takes it two minutes, so the tests below repeat that for one system only.)
SCORES = [
    (28.080297822383848, 54.74302161615176, 61.4041969013532),
    (29.775664435095578, 55.60635405057908, 58.913512453422236),
    (26.079118946909162, 52.923985944297755, 61.62349123714097),
    (31.17405273385318, 56.78936815451097, 57.82773805915598),
    (31.289693592471423, 56.62327650929495, 58.230669115156275),
    (29.97025324623386, 55.98329074918953, 59.574961222343056),
    (29.81816073346801, 55.28971392523092, 59.78355827345826),
    (23.599339501721076, 52.396043675361256, 65.12506908663018),
    (26.663552392885187, 54.18643045584507, 61.84991709604378),
    (30.0888832719759, 56.67969566597487, 58.83684857993546),
    (31.552927482929128, 56.930878022579456, 56.9559093583412),
    (32.23529286264949, 57.77388786738382, 57.17698657490774),
    (31.45925094647998, 57.32835371429863, 57.88122448251885),
]
METRICS = ("bleu", "chrf", "ter")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory, django_db_setup, django_db_blocker):
    """Imported and scored once for all tests of this module, and rolled back after them."""
    shared_data(NAME, "rankings.tsv.gz")
    with django_db_blocker.unblock(), transaction.atomic():
        campaign = import_wmt13(tmp_path_factory.mktemp("wmt13"))
        asked = [f"--metric={metric}" for metric in METRICS]
        call_command("score", str(campaign.test_set_id), *asked, stdout=StringIO())
        yield campaign
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def texts():
    """(outputs by system, references) in the order of the segments."""
    segments = read_tsv(shared_data(NAME, "segments.tsv.gz"))
    references = {int(row["seg_id"]): row["reference"] for row in segments}
    outputs = defaultdict(dict)
    for row in read_tsv(shared_data(NAME, "outputs.tsv.gz")):
        outputs[row["system"]][int(row["seg_id"])] = row["text"]
    order = sorted(references)
    by_system = {system: [found[n] for n in order] for system, found in outputs.items()}
    return by_system, [references[n] for n in order]


@pytest.fixture(scope="module")
def comparisons():
    """(segment, better, worse) and (segment, one, other) of ties, from the raw rankings."""
    rankings = defaultdict(list)
    for row in read_tsv(shared_data(NAME, "rankings.tsv.gz")):
        rankings[row["ranking_id"]].append((row["system"], int(row["rank"]), int(row["seg_id"])))
    wins, ties = [], []
    for rows in rankings.values():
        for (a, rank_a, segment), (b, rank_b, _) in combinations(rows, 2):
            if rank_a == rank_b:
                ties.append((segment, a, b))
            else:
                wins.append((segment, a, b) if rank_a < rank_b else (segment, b, a))
    return wins, ties


def expected_wins(wins):
    """Mean over the other systems of wins/(wins + losses), ties dropped."""
    count = Counter((better, worse) for _, better, worse in wins)
    systems = {system for pair in count for system in pair}
    return {
        s: np.mean([count[s, t] / (count[s, t] + count[t, s]) for t in systems if t != s])
        for s in systems
    }


def by_name(campaign, metric):
    rows = MetricScore.objects.filter(test_set=campaign.test_set, metric=metric)
    return {row.system.name: row for row in rows.select_related("system")}


@pytest.mark.parametrize(
    ("metric", "oracle", "n_systems"),
    [("bleu", sacrebleu.BLEU, 13), ("chrf", sacrebleu.CHRF, 13), ("ter", sacrebleu.TER, 1)],
)
def test_the_scores_are_those_of_sacrebleu(campaign, texts, metric, oracle, n_systems):
    outputs, references = texts
    stored = by_name(campaign, metric)
    assert len(stored) == 13
    assert {score.n_segments for score in stored.values()} == {3000}
    for system, scores in zip(sorted(outputs), SCORES, strict=True):
        assert stored[system].score == pytest.approx(scores[METRICS.index(metric)], abs=1e-9)
    for system in sorted(outputs)[-n_systems:]:
        expected = oracle().corpus_score(outputs[system], [references]).score
        assert stored[system].score == pytest.approx(expected, abs=1e-9)


# Metrics of errors are turned, so that more is better.
SIGNS = {"bleu": 1, "chrf": 1, "ter": -1}
# Pearson's r, Spearman's rho, Kendall's tau-b, as seen; SciPy computes each again below.
OVER_SYSTEMS = {
    "bleu": ["0.9479", "0.9890", "0.9487"],
    "chrf": ["0.9747", "0.9835", "0.9487"],
    "ter": ["0.9479", "0.9505", "0.8462"],
}


@pytest.mark.parametrize("metric", METRICS)
def test_over_systems(campaign, comparisons, metric):
    wins, _ = comparisons
    human = expected_wins(wins)
    study = study_of(campaign)
    assert study.human_name == "expected wins"
    np.testing.assert_allclose(study.human_systems, [human[n] for n in study.systems], atol=1e-12)

    row = row_of(over_systems(campaign), metric)
    assert row.metric.turned == ("yes" if metric == "ter" else "no")
    scores = [SIGNS[metric] * row[METRICS.index(metric)] for row in SCORES]
    wins_of = [human[name] for name in sorted(human)]
    found = stats.pearsonr(scores, wins_of)
    pearson = row.figures["pearson"]
    assert pearson.n == 13
    assert pearson.estimate == pytest.approx(found.statistic, abs=1e-9)
    # Fisher's z by SciPy, its normal distribution exchanged for Student's: interval and p-value.
    z = np.arctanh(found.statistic) * np.sqrt(13 - 3)
    assert pearson.p_value == pytest.approx(2 * stats.t.sf(z, 11), abs=1e-9)
    half = np.arctanh(found.confidence_interval(0.95).high) - np.arctanh(found.statistic)
    half *= stats.t.ppf(0.975, 11) / stats.norm.ppf(0.975)
    ends = np.tanh(np.arctanh(found.statistic) + np.array([-half, half]))
    assert (pearson.low, pearson.high) == pytest.approx(tuple(ends), abs=1e-9)
    rho, tau = stats.spearmanr(scores, wins_of)[0], stats.kendalltau(scores, wins_of)[0]
    seen = [row.figures[key].estimate for key in ("pearson", "spearman", "kendall")]
    assert seen[1:] == pytest.approx([rho, tau], abs=1e-9)
    assert [f"{value:.4f}" for value in seen] == OVER_SYSTEMS[metric]


# Pearson's r and Kendall's tau-b, as seen.
OVER_SEGMENTS = {
    "bleu": ["0.1445", "0.0871"],
    "chrf": ["0.1504", "0.0974"],
    "ter": ["0.1068", "0.0781"],
}


@pytest.mark.parametrize("metric", METRICS)
def test_over_segments(campaign, comparisons, metric):
    points = defaultdict(list)
    wins, ties = comparisons
    for segment, better, worse in wins:
        points[better, segment].append(1)
        points[worse, segment].append(0)
    for segment, one, other in ties:
        points[one, segment].append(0.5)
        points[other, segment].append(0.5)
    stored = {name: row.segment_scores for name, row in by_name(campaign, metric).items()}
    sign = SIGNS[metric]
    pairs = np.array([[sign * stored[s][n - 1], np.mean(v)] for (s, n), v in points.items()])
    found = stats.pearsonr(*pairs.T)

    row = row_of(over_segments(campaign), metric)
    pearson, kendall = row.figures["pearson"], row.figures["kendall-b"]
    assert pearson.n == len(pairs) == 20124
    assert pearson.estimate == pytest.approx(found.statistic, abs=1e-9)
    tau = stats.kendalltau(*pairs.T).statistic
    assert kendall.estimate == pytest.approx(tau, abs=1e-9)
    assert [f"{each.estimate:.4f}" for each in (pearson, kendall)] == OVER_SEGMENTS[metric]


def test_over_systems_on_the_judged_segments(campaign, texts, comparisons):
    """BLEU over the 2,278 segments that were ranked."""
    outputs, references = texts
    wins, ties = comparisons
    human = expected_wins(wins)
    judged = sorted({segment for segment, _, _ in wins + ties})
    scores = {
        system: sacrebleu.corpus_bleu(
            [found[n - 1] for n in judged], [[references[n - 1] for n in judged]]
        ).score
        for system, found in outputs.items()
    }
    study = study_of(campaign, over="judged")
    expected = [scores[name] for name in study.systems]
    found = study.metric_systems[place_of(study, "bleu")]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    r = stats.pearsonr(expected, [human[name] for name in study.systems]).statistic
    row = row_of(over_systems(campaign, over="judged"), "bleu")
    assert row.figures["pearson"].estimate == pytest.approx(r, abs=1e-9)
