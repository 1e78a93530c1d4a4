import numpy as np
import pytest

from judgments.stats.clusters import compare_systems, rank_clusters
from judgments.stats.significance import mann_whitney, wilcoxon_signed_rank

N = np.nan


def _p(n, significant):
    """Return p-values (n, n) with .01 for the listed pairs (better, worse), .5 elsewhere."""
    p = np.full((n, n), 0.5)
    for i, j in significant:
        p[i, j] = 0.01
    return p


def test_wmt21_zulu_xhosa():
    """Findings of WMT21: z, wins 4/2/1/1/0 and clusters 1 | 2-4 | 5 of five systems."""
    z = np.array([0.50228, 0.30981, 0.258268, 0.161729, -1.252641])
    p = _p(5, [(0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4)])
    p[0, 1], p[1, 3] = 7.576431192945448e-05, 0.006054886087513668
    ranking = rank_clusters(z, p, rule="wmt17-23")
    assert ranking.wins.tolist() == [4, 2, 1, 1, 0]
    assert ranking.losses.tolist() == [0, 1, 1, 2, 4]
    assert ranking.cluster.tolist() == [1, 2, 2, 2, 3]
    assert ranking.cluster_low.tolist() == [1, 2, 2, 2, 5]
    assert ranking.cluster_high.tolist() == [1, 4, 4, 4, 5]
    assert ranking.rank_low.tolist() == [1, 2, 2, 3, 5]
    assert ranking.rank_high.tolist() == [1, 3, 4, 4, 5]


def test_wmt26_ranges_and_clusters():
    """By hand: b is not better than c but better than d; a is better than all."""
    p = np.full((4, 4), 1.0)
    p[0, 1:] = 0.01
    p[1, 3] = 0.01
    found = rank_clusters([4, 3, 2, 1], p, rule="wmt26")
    assert found.rank_low.tolist() == [1, 2, 2, 3]
    assert found.rank_high.tolist() == [1, 3, 4, 4]
    assert found.cluster.tolist() == [1, 2, 2, 2]


def test_results_are_in_the_order_given():
    scores = np.array([1.0, 3.0, 2.0])
    p = _p(3, [(1, 2), (1, 0)])
    for rule in ("wmt17-23", "wmt25"):
        ranking = rank_clusters(scores, p, rule=rule)
        assert ranking.order.tolist() == [1, 2, 0]
        assert ranking.cluster.tolist() == [2, 1, 2]
        assert ranking.rank_low.tolist() == [2, 1, 2]
        assert ranking.rank_high.tolist() == [3, 1, 3]


def test_a_significant_p_against_the_better_score_is_no_win():
    ranking = rank_clusters(np.array([2.0, 1.0]), _p(2, [(1, 0)]), rule="wmt17-23")
    assert ranking.wins.tolist() == [0, 0]
    assert ranking.cluster.tolist() == [1, 1]


def test_the_rules_differ():
    """First beats the third but not the second, which beats the fourth only.

    The loss count gives the first places 1-3 (one win of three); the walk stops at the third: 1-2.
    """
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    p = _p(4, [(0, 2), (1, 3)])
    counted, walked = (rank_clusters(scores, p, rule=r) for r in ("wmt17-23", "wmt25"))
    assert counted.rank_high.tolist() == [3, 3, 4, 4]
    assert counted.rank_low.tolist() == [1, 1, 2, 2]
    assert walked.rank_high.tolist() == [2, 3, 4, 4]
    assert walked.rank_low.tolist() == [1, 1, 2, 3]
    assert counted.rule == "wmt17-23"


def test_walk_can_end_a_cluster_that_the_loss_count_does_not():
    """Neighbors 2 and 3 differ, but 1 does not beat 4: each walk stops at the gap."""
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    p = _p(4, [(0, 2), (1, 2), (1, 3)])
    assert rank_clusters(scores, p, rule="wmt25").cluster.tolist() == [1, 1, 2, 2]
    assert rank_clusters(scores, p, rule="wmt17-23").cluster.tolist() == [1, 1, 1, 1]


def test_resampled_ranks():
    """Two close systems ahead of a third: ranks 1-2, 1-2, 3; 25 of 1,000 dropped per side."""
    rng = np.random.default_rng(2)
    resampled = rng.normal([1.0, 1.02, 0.0], 0.05, (1000, 3))
    resampled[:25, 2] = 5  # 25 resamples with the last one first are still dropped
    ranking = rank_clusters([1.0, 1.02, 0.0], rule="wmt13-16", resampled=resampled)
    assert ranking.order.tolist() == [1, 0, 2]
    assert ranking.rank_low.tolist() == [1, 1, 3]
    assert ranking.cluster.tolist() == [1, 1, 2]
    resampled[25, 2] = 5
    ranking = rank_clusters([1.0, 1.02, 0.0], rule="wmt13-16", resampled=resampled)
    assert ranking.rank_low.tolist() == [1, 1, 1]
    assert ranking.cluster.tolist() == [1, 1, 1]


@pytest.mark.parametrize("rule", ["wmt17-23", "wmt25", "wmt13-16"])
def test_none_one_and_missing(rule):
    def ranked(scores):
        n = len(scores)
        return rank_clusters(scores, _p(n, []), rule=rule, resampled=np.ones((10, n)))

    assert len(ranked([]).order) == 0
    one = ranked([3.0])
    assert (one.rank_low.tolist(), one.rank_high.tolist()) == ([1], [1])
    assert one.cluster.tolist() == [1]
    missing = ranked([N, 2.0, 1.0])
    assert missing.order.tolist() == [1, 2, 0]
    assert missing.cluster.tolist() == [0, 1, 1]
    assert np.isnan(missing.rank_low[0])
    assert missing.reason == "systems without a score: 1"


def test_compare_systems():
    rng = np.random.default_rng(4)
    table = rng.normal(size=(3, 30)) + np.array([[0.5], [0], [0]])
    table[0, :5] = N
    by_rank = compare_systems(table, test="mann-whitney")
    by_pair = compare_systems(table, test="signed-rank")
    expected = mann_whitney(table[0, 5:], table[1], alternative="greater").p_value
    assert by_rank[0, 1] == expected
    expected = wilcoxon_signed_rank(table[0, 5:], table[1, 5:], alternative="greater").p_value
    assert by_pair[0, 1] == expected
    assert np.isnan(np.diag(by_rank)).all()
    assert np.isnan(compare_systems(np.ones((2, 4)), test="signed-rank")).all()


def test_rejects():
    with pytest.raises(ValueError, match="rule is one of"):
        rank_clusters([1.0], rule="wmt99")
    with pytest.raises(ValueError, match="needs p-values"):
        rank_clusters([1.0, 2.0], rule="wmt25")
    with pytest.raises(ValueError, match="needs the resampled scores"):
        rank_clusters([1.0, 2.0], rule="wmt13-16")
    with pytest.raises(ValueError, match="test is one of"):
        compare_systems(np.ones((2, 2)), test="t")
