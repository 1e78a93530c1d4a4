"""What the sentences of Scores and Power claim, on figures made by hand."""

import dataclasses
import math

import numpy as np
import pytest

from judgments.quality.watch import page as watch_pages
from judgments.results.power import page as power_pages
from judgments.results.power.figures import PairPower, PowerReport
from judgments.results.scores import page as score_pages
from judgments.results.scores.figures import SystemScores
from judgments.results.scores.head_to_head import pair_lead
from judgments.stats.clusters import rank_clusters
from judgments.stats.paired_difference import paired_difference
from judgments.web.columns import OPEN_PAIRS


def scores_of(mean: list[float], p_values: list[list[float]], rule: str) -> SystemScores:
    ranking = rank_clusters(mean, np.array(p_values), rule=rule)
    n = len(mean)
    fields = ("order", "rank_low", "rank_high", "cluster", "cluster_low", "cluster_high")
    return SystemScores(
        dimension="adequacy",
        method="raw",
        over="regular",
        system_ids=np.arange(n),
        names=np.array(list("ABCD")[:n]),
        mean=np.array(mean),
        low=np.array(mean) - 1,
        high=np.array(mean) + 1,
        n_segments=np.full(n, 9),
        n_judgments=np.full(n, 9),
        wins=ranking.wins,
        losses=ranking.losses,
        rule=rule,
        test="signed-rank",
        interval="t over segments",
        **{name: getattr(ranking, name) for name in fields},
    )


@pytest.fixture
def lead(monkeypatch):
    monkeypatch.setattr(score_pages, "of_what", lambda campaign, scores: "adequacy")
    monkeypatch.setattr(score_pages, "is_decisive", lambda campaign, scores: True)
    return lambda scores: score_pages.lead(None, scores)


def test_only_systems_whose_ranks_begin_at_1_share_the_top(lead):
    """One cluster of three: A beats C, and B, between them, differs from neither."""
    p = [[1, 0.3, 0.01], [0.7, 1, 0.3], [0.99, 0.7, 1]]
    scores = scores_of([3.0, 2.0, 1.0], p, "wmt17-23")
    assert scores.cluster.tolist() == [1, 1, 1] and scores.rank_low.tolist() == [1, 1, 2]
    found = lead(scores)
    assert found.startswith("A and B share the top in adequacy, the first with 3.00 [2.00, 4.00]")
    why = "no system is better than any of them by more than chance explains"
    assert f": {why}; 3 systems in one cluster." in found


def test_alone_at_the_top_is_who_has_a_cluster_alone(lead):
    p = [[1, 0.01, 0.01], [0.99, 1, 0.3], [0.99, 0.7, 1]]
    assert "A leads in adequacy" in lead(scores_of([3.0, 2.0, 1.0], p, "wmt17-23"))
    assert "alone at the top" in lead(scores_of([3.0, 2.0, 1.0], p, "wmt17-23"))
    level = [[1, 0.3, 0.3], [0.7, 1, 0.3], [0.7, 0.7, 1]]
    assert lead(scores_of([3.0, 2.0, 1.0], level, "wmt17-23")).startswith("No system stands out")


def report_with(needed: float) -> PowerReport:
    difference = paired_difference(np.array([1.0, -0.5, 0.75, 0.25, -1.0]))
    pair = PairPower("A", "B", difference, 0.4, 0.4, False, detectable=2.0, needed=needed)
    return PowerReport("adequacy", "signed-rank", "segments", 2, (pair,), 0.05, 2)


@pytest.mark.parametrize(
    ("needed", "more", "judgments"),
    [
        (100_005, 100_000, 200_000),
        (100_006, "out of reach", "out of reach"),
        (1e30, "out of reach", "out of reach"),
        (math.nan, None, None),
    ],
)
def test_more_than_a_hundred_thousand_items_are_out_of_reach(needed, more, judgments):
    report = report_with(needed)
    row = dict(zip((c.key for c in OPEN_PAIRS), power_pages.open_rows(report)[0], strict=True))
    assert (row["more"], row["more_judgments"]) == (more, judgments)
    assert ("a decision is out of reach" in power_pages.lead(report)) == (more == "out of reach")
    assert "more than 100,000 further items are out of reach" in power_pages.note(report)


def test_who_needs_no_more_is_not_told_of_none_more():
    """Five items judged; four would do in four campaigns of five, and this is the fifth."""
    report = report_with(4)
    found = power_pages.lead(report)
    assert "the present number of items separates them in four out of five campaigns" in found
    (said,) = watch_pages.pair_sentences(report)
    assert said.startswith("As many judgments as there are separate A from B")
    assert "about 1 more item would separate" in power_pages.lead(report_with(6))
    assert watch_pages.pair_sentences(report_with(6)) == [
        "About 2 more judgments separate A from B."
    ]


def test_both_pages_say_how_many_tests_holm_counts():
    p = np.full((3, 3), 0.2)
    np.fill_diagonal(p, np.nan)
    scores = dataclasses.replace(
        scores_of([3.0, 2.0, 1.0], p.tolist(), "wmt17-23"), p_values=p, adjusted=p, adjust="holm"
    )
    how = "signed-rank test by segment, two-sided, Holm over 3 pairs, α = .05"
    assert pair_lead(scores) == f"0 of 3 pairs of systems differ ({how})."
    assert "Holm over 1 pair, α = .05" in power_pages.lead(report_with(10))
