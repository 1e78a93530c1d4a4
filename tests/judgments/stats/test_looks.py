"""The looks of a stopping plan as documents are finished."""

import numpy as np
import pytest

from judgments.stats.controlled_ranks import controlled_signed_ranks
from judgments.stats.elimination import pairs_to_share
from judgments.stats.looks import CONTRADICTORY, FEW_ITEMS, review_looks
from judgments.stats.metric_controls import controls_of_metrics
from judgments.stats.paired_difference import paired_difference
from judgments.stats.planning.blocks import draw_blocks
from judgments.stats.sequential import stopping_plan
from tests.judgments.stats.replay import run_looks, signed_rank_z

N_DOCUMENTS, EACH = 60, 4


def campaign(seed=1, effects=(0.0, 0.3, 0.9, 1.0)):
    """Return scores (S, N), documents, and a metric with a little information."""
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(N_DOCUMENTS), EACH)
    n = len(documents)
    shared = rng.normal(0, 1, n) + rng.normal(0, 0.5, N_DOCUMENTS)[documents]
    metric = rng.normal(0, 1, (len(effects), n))
    table = shared + np.array(effects)[:, None] + 0.5 * metric + rng.normal(0, 1, metric.shape)
    return table, documents, metric


def plan_of(ends, n_systems, guarantee="every"):
    share = pairs_to_share(n_systems, guarantee)
    return stopping_plan(ends, first_items=ends[0] * EACH, n_pairs=share)


ENDS = [12, 24, 36, 48, 60]


@pytest.mark.parametrize("aim", ["all", "best"])
@pytest.mark.parametrize("controlled", [False, True])
def test_a_finished_campaign_decides_as_its_replay(aim, controlled):
    for seed in range(4):
        table, documents, metric = campaign(seed)
        controls = metric if controlled else None
        plan = plan_of(ENDS, len(table), "every" if aim == "all" else "best")
        when = np.tile(np.arange(table.shape[1], dtype=float), (len(table), 1))
        review = review_looks(table, when, documents, plan, ENDS, controls=controls, aim=aim)
        replay = run_looks(table, documents, plan, controls=controls, aim=aim)
        assert np.array_equal(review.sign, replay.sign)
        assert np.array_equal(review.look, replay.look)
        assert review.sign.any()


def test_an_interval_leaves_out_zero_exactly_where_a_pair_is_decided():
    decided = open_ = 0
    for seed in range(6):
        table, documents, _ = campaign(seed, effects=(0.0, 0.2, 0.4))
        when = np.tile(np.arange(table.shape[1], dtype=float), (3, 1))
        review = review_looks(table, when, documents, plan_of(ENDS, 3), ENDS)
        for look in review.looks:
            for pair in look.pairs:
                assert (
                    (pair.low > 0 or pair.high < 0)
                    == (pair.sign != 0)
                    == (abs(pair.z) > pair.bound)
                )
                decided, open_ = decided + bool(pair.sign), open_ + (not pair.sign)
    assert decided > 3 and open_ > 3


def test_documents_count_when_their_last_judgment_is_in_and_in_that_order():
    table, documents, _ = campaign()
    when = np.full(table.shape, 0.0)
    when[0] = np.argsort(np.argsort(-documents, kind="stable"))  # the last document came first
    table[1, documents == N_DOCUMENTS - 1] = np.nan  # but one output of it is missing
    review = review_looks(table, when, documents, plan_of(ENDS, 4), ENDS[:5])
    first = review.looks[0]
    assert first.n_documents == 12 and first.n_items == 12 * EACH
    # Documents 47 to 58: written down here from the rule, and tested on the first pair.
    chosen = (documents >= N_DOCUMENTS - 13) & (documents < N_DOCUMENTS - 1)
    expected = paired_difference((table[0] - table[1])[chosen], documents[chosen])
    assert first.pairs[0].difference.estimate == pytest.approx(expected.estimate)
    assert len(review.looks) == 4  # sixty will never be finished
    assert review.n_finished == N_DOCUMENTS - 1


def test_systems_that_left_need_no_more_judgments():
    table, documents, _ = campaign(effects=(0.0, 0.0, 4.0))
    table[2, documents >= 24] = np.nan  # nobody judged it after it was dropped
    when = np.tile(np.arange(table.shape[1], dtype=float), (3, 1))
    review = review_looks(table, when, documents, plan_of(ENDS, 3), ENDS)
    assert len(review.looks) == 5
    assert not review.looks[1].stay[2] and review.looks[1].stay[:2].all()
    assert [pair.first for pair in review.looks[4].pairs] == [0]


def test_nothing_is_decided_on_a_few_items_or_without_variation():
    table, documents, _ = campaign(effects=(0.0, 3.0))
    when = np.tile(np.arange(table.shape[1], dtype=float), (2, 1))
    plan = stopping_plan([5, 60], first_items=40)  # promised eight items per document
    few = review_looks(table, when, documents, plan, [5, 60]).looks[0]
    assert few.pairs[0].sign == 0 and few.pairs[0].reason == FEW_ITEMS
    same = review_looks(np.ones_like(table), when, documents, plan_of(ENDS, 2), ENDS)
    assert len(same.looks) == 5 and not same.sign.any()
    assert same.looks[0].pairs[0].reason == "the differences do not vary"


def test_a_system_without_metric_scores_is_compared_without_them():
    table, documents, metric = campaign(effects=(0.0, 0.1, 0.2))
    metric[0] = np.nan
    when = np.tile(np.arange(table.shape[1], dtype=float), (3, 1))
    look = review_looks(table, when, documents, plan_of(ENDS, 3), ENDS, controls=metric).looks[0]
    assert [pair.controlled for pair in look.pairs] == [False, False, True]
    assert all(not pair.difference.reason for pair in look.pairs)


def test_nothing_judged_and_bad_arguments():
    table, documents, _ = campaign()
    when, plan = np.zeros_like(table), plan_of(ENDS, 4)
    nothing = review_looks(np.full_like(table, np.nan), when, documents, plan, ENDS)
    assert nothing.looks == () and nothing.n_finished == 0
    for wrong in (
        {"aim": "some"},
        {"controls": table[:2]},
        {"test": "rank"},
        {"blocks": documents[:2]},
    ):
        with pytest.raises(ValueError):
            review_looks(table, when, documents, plan, ENDS, **wrong)
    with pytest.raises(ValueError):
        review_looks(table, when, documents, plan, ENDS[:2])


@pytest.mark.parametrize("aim", ["all", "best"])
def test_signed_ranks_decide_as_their_replay(aim):
    for seed in range(4):
        table, documents, _ = campaign(seed)
        plan = plan_of(ENDS, len(table), "every" if aim == "all" else "best")
        when = np.tile(np.arange(table.shape[1], dtype=float), (len(table), 1))
        options = {"aim": aim, "test": "signed-rank"}
        review = review_looks(table, when, documents, plan, ENDS, **options)
        replay = run_looks(table, documents, plan, aim=aim, z_of=signed_rank_z)
        assert np.array_equal(review.sign, replay.sign)
        assert np.array_equal(review.look, replay.look)
        assert review.sign.any()


def test_blocks_are_finished_and_documents_are_the_clusters():
    """A pool of 60 documents, 90 blocks of two of it judged in a different order."""
    table, documents, metric = campaign(seed=3)
    drawn = draw_blocks(documents, 90, np.random.default_rng(5), longest=2)
    judged = np.where(drawn.taken, table, np.nan)
    when = np.tile(drawn.place.astype(float), (4, 1))
    controls = controls_of_metrics(metric, np.ones(table.shape[1]))
    ends = [20, 60, 90]
    plan = stopping_plan(ends, first_items=40, n_pairs=6)
    options = {"controls": controls, "blocks": drawn.block, "test": "signed-rank"}
    review = review_looks(judged, when, documents, plan, ends, **options)
    assert [look.n_items for look in review.looks][:1] == [40]
    first = review.looks[0]
    seen = np.where((drawn.place >= 0) & (drawn.place < 20), table, np.nan)
    expected = controlled_signed_ranks(seen, documents, controls=controls)
    assert [pair.z for pair in first.pairs] == pytest.approx(expected.z.tolist())
    at = expected.paired_difference(1)
    assert first.pairs[1].difference.estimate == pytest.approx(at.estimate)
    n_documents = len(set(documents[~np.isnan(seen[0])].tolist()))
    assert first.pairs[1].difference.n_clusters == n_documents <= 20
    assert review.looks[-1].n_items == 2 * ends[len(review.looks) - 1]
    assert review.looks[-1].pairs[0].difference.n_clusters < ends[len(review.looks) - 1]
    assert first.pairs[1].controlled and first.pairs[1].difference.n_scored == 240
    assert review.sign.any()


def test_a_pair_whose_mean_contradicts_its_ranks_is_not_separated():
    documents = np.arange(60)
    table = np.zeros((2, 60))
    table[0], table[0, 7] = 1, -500
    when = np.tile(np.arange(60.0), (2, 1))
    plan = stopping_plan([60], n_pairs=1)
    (pair,) = review_looks(table, when, documents, plan, [60], test="signed-rank").looks[0].pairs
    assert pair.z > pair.bound and pair.difference.estimate < 0
    assert pair.sign == 0 and pair.reason == CONTRADICTORY
    (plain,) = review_looks(table, when, documents, plan, [60]).looks[0].pairs
    assert plain.sign == 0 and plain.reason == ""
