"""What the benchmark of human cost counts, on campaigns small enough to count by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from human_cost_blocks import Design, _closed, _context, _spent, draw_pool, one_score, run
from human_cost_designs import Campaign, Score, growing
from human_cost_prices import Prices
from human_cost_proposal import known_texts, registered

from judgments.stats.looks import Look, Review

TEXTS = np.array([[1, 4, 6], [1, 5, 6], [2, 4, 6]])


def campaign(n_documents=30, each=4, seed=3):
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(n_documents), each)
    shape = (3, len(documents))
    metric = rng.normal(size=shape)
    table = metric + rng.normal(size=shape) + np.array([[0.0], [1.0], [2.0]])
    texts = rng.integers(0, 40, shape)
    names = ("COMET", "XCOMET-Ensemble", "MetricX-23", "BLEURT-20")
    return Campaign(
        ["a", "b", "c"],
        table,
        documents,
        dict.fromkeys(names, metric),
        np.ones(shape),
        texts,
        np.ones(len(documents)),
    )


def test_equal_outputs_share_one_of_their_scores():
    scores = np.arange(9.0).reshape(3, 3)
    seen = set()
    for seed in range(40):
        found = one_score(scores, TEXTS, np.random.default_rng(seed))
        assert found[0, 0] == found[1, 0] and found[0, 1] == found[2, 1]
        assert len(set(found[:, 2])) == 1
        assert (found[2, 0], found[1, 1]) == (scores[2, 0], scores[1, 1])
        seen.add(float(found[0, 2]))
    assert seen == {2.0, 5.0, 8.0}


def test_equal_outputs_cost_once_among_the_systems_still_in():
    made = campaign()
    pool = draw_pool(made, np.random.default_rng(1), Design())
    small = type(pool)(
        *(np.zeros(0),) * 2, TEXTS, TEXTS * 1.0, *(np.zeros(0),) * 2, 1.0, np.zeros(0)
    )
    every, judged = np.ones(3, bool), np.array([True, True, False])
    assert _spent(small, Design(), judged, every) == (6, 1 + 1 + 2 + 4 + 5 + 4)
    assert _spent(small, Design(once=True), judged, every) == (4, 1 + 2 + 4 + 5)
    # Without the first system its text is the second's only, and the third's.
    last = np.array([False, True, True])
    assert _spent(small, Design(once=True), judged, last) == (4, 1 + 2 + 5 + 4)


def test_exchanged_systems_keep_what_belongs_together():
    made = campaign()
    pool = draw_pool(made, np.random.default_rng(2), Design(control=True), exchanged=True)
    plain = draw_pool(made, np.random.default_rng(2), Design(control=True))
    assert np.array_equal(np.sort(pool.table, axis=0), np.sort(plain.table, axis=0))
    assert not np.array_equal(pool.table, plain.table)
    moved = np.argsort(np.argsort(pool.table, axis=0), axis=0)
    still = np.argsort(np.argsort(plain.table, axis=0), axis=0)
    at = [np.argsort(still, axis=0)[moved[i], np.arange(moved.shape[1])] for i in range(3)]
    assert np.array_equal(pool.texts, plain.texts[at, np.arange(moved.shape[1])])
    assert pool.controls == pytest.approx(plain.controls[at, np.arange(moved.shape[1])])
    for g in range(5):  # one order for a whole document
        assert all(len(set(row[pool.documents == g].tolist())) == 1 for row in at)


def test_sizes_are_tried_until_the_goal_is_reached_however_large_it_is():
    assert list(growing(40, 100)) == [40, 57, 80, 100]
    score = Score(np.ones(1), np.array([True]), 2)
    run = lambda size: (np.array([1 if size >= 5000 else 0]), size)  # noqa: E731
    found, wrong = score.cost(run, growing(40))
    assert 5000 / math.sqrt(2) < found < 5120 * 1.01 and wrong == 0
    assert score.cost(run, growing(40, 900))[0] == math.inf


def test_a_pool_that_is_too_small_is_said_to_be():
    made = replace(campaign(), table=np.random.default_rng(1).normal(size=(3, 120)))
    score = Score(np.ones(3), np.ones(3, bool), 3)
    prices = Prices(made, score, 1)
    vars(prices)["uniform"] = 1000.0
    price = prices.of(Design(1))
    assert not price.reached and not price.at_most(99, 99)
    assert math.isfinite(price.items) and math.isfinite(price.time)


def test_the_rest_of_a_document_is_read_once_for_each_block():
    """Two documents of four segments: 1, 2, 4 and 8 seconds; blocks of two."""
    pool = draw_pool(campaign(n_documents=2), np.random.default_rng(1), Design(2))
    reading = np.tile([1.0, 2.0, 4.0, 8.0], 2)
    pool = replace(pool, documents=np.repeat([0, 1], 4), reading=reading)
    judged = np.array([1, 1, 0, 0, 0, 0, 1, 1], bool)
    assert _context(pool, np.repeat([0, 1, 2, 3], 2), judged) == (4 + 8) + (1 + 2)
    assert _context(pool, np.repeat([0, 1], 4), np.ones(8, bool)) == 0


def test_the_page_is_told_what_it_knows_of_the_pool():
    made = replace(campaign(), texts=np.array([[1, 4], [1, 5], [2, 4]]).repeat(60, axis=1))
    known = known_texts(made)
    assert list(known.sizes) == [4] * 60
    # Two of three texts are different: each 31.6 s, and .16 s for a word of it and of its source.
    assert known.judging == pytest.approx(2 * (31.6 + 0.32))
    assert known.reading == 0.25
    names = dict.fromkeys(("chrF", "XCOMET-Ensemble", "GEMBA-MQM"), made.table)
    assert registered(replace(made, metrics=names)) == ("XCOMET-Ensemble", "GEMBA-MQM")


@pytest.mark.parametrize("design", [Design(), Design(2, control=True, once=True), Design(1)])
def test_a_design_judges_about_what_it_should(design):
    made, rng = campaign(), np.random.default_rng(4)
    outcome = run(draw_pool(made, rng, design), design, 60, rng)
    assert outcome.test is not None
    assert outcome.test.n.tolist() == [60] * 3
    assert outcome.items <= 180 and (outcome.items == 180) != design.once
    assert outcome.sign.tolist() == [-1, -1, -1]


def test_looks_stop_early_and_cost_less():
    made, rng = campaign(), np.random.default_rng(5)
    design = Design(2, control=True, looks=True)
    outcome = run(draw_pool(made, rng, design), design, 120, rng)
    assert outcome.sign.tolist() == [-1, -1, -1]
    assert outcome.items < 360


def test_given_up_pairs_are_not_decided_later():
    class Pair:
        first, second, futile = 0, 1, True

    nobody = np.ones(3, bool)
    looks = tuple(Look(k, k, 9, (Pair,) if k == 1 else (), nobody, nobody) for k in range(4))
    sign = np.array([[0, 1, 1], [-1, 0, 0], [-1, 0, 0]], np.int8)
    at = np.array([[-1, 3, 0], [3, -1, -1], [0, -1, -1]])
    review = Review(looks, sign, at, 4)
    assert _closed(review, drop_futile=False)[1].tolist() == [3, 4, 4]
    found, until = _closed(review, drop_futile=True)
    assert found[0, 1] == found[1, 0] == 0 and found[0, 2] == 1
    assert until.tolist() == [1, 4, 4]
