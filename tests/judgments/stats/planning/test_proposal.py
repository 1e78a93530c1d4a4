"""Proposals before data exist.

Expected figures: Cochran (1977), "Sampling Techniques", chapters 9 and 10, computed by hand.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from judgments.stats.planning.blocks import draw_blocks
from judgments.stats.planning.price import segments_per_document
from judgments.stats.planning.proposal import (
    KnownTexts,
    explained_by,
    is_trained,
    length_of_blocks,
    propose,
)

KNOWN = KnownTexts([6] * 100, judging=300.0, reading=5.0, sd=10.0, rho=0.13, pair_alpha=0.05)


def test_single_segments_of_many_documents_show_as_much_as_half_of_the_whole_ones():
    """50 documents: 300 segments with 1 + 5 · .13 times the variance, and z(.975) · √(50/(50 - z²))
    for z; of single segments at even steps two come from each of 100 documents:
    300 · 1.13/1.65 · (1.0139/1.0285)² = 199.7."""
    found = propose(KNOWN)
    assert found.block_length == 1  # κ = 25/300, √(κ · .87/.13) = .75
    assert found.segments == 200
    assert found.seconds == pytest.approx(found.segments * (300 + 5 * 5))
    assert found.whole_seconds == pytest.approx(300 * 300, rel=0.02)


def test_the_documents_of_a_draw_are_as_it_expects():
    """Σm²/Σm of the judged segments, over two hundred draws."""
    sizes = [1, 2, 5, 9, 14, 3, 8] * 6
    documents = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(3)
    for longest, n in ((1, 60), (3, 40), (3, 90)):
        cut = replace(KNOWN, sizes=sizes, rho=0.5).cut(longest)
        found = []
        for _ in range(200):
            taken = draw_blocks(documents, n, rng, longest=longest).taken
            found.append(segments_per_document(np.bincount(documents[taken])))
        n_segments, drawn = cut.segments(n), np.mean(found)
        clusters = float(np.minimum(1, n / cut.n_blocks * cut.blocks).sum())
        few = math.sqrt(clusters / (clusters - 1.959964**2))
        reach = 1.959964 * few + 0.841621
        sd = 10 * math.sqrt((1 + 0.5 * (drawn - 1)) / n_segments)
        assert cut.difference(n) == pytest.approx(reach * sd, rel=0.03)


def test_controls_make_it_smaller_and_fewer_systems_make_blocks_longer():
    controlled = propose(replace(KNOWN, r_squared=0.17))
    assert 0.83 < controlled.segments / propose(KNOWN).segments < 0.9
    assert length_of_blocks(replace(KNOWN, judging=50.0)) == 2  # κ = .5, √(κ · 6.69) = 1.83
    assert length_of_blocks(replace(KNOWN, context_cost=1.0)) == 3
    assert length_of_blocks(replace(KNOWN, context_cost=9.0)) == 0  # longer than the documents
    proposed = propose(replace(KNOWN, context_cost=1.0))
    assert proposed.seconds == pytest.approx(300 * (proposed.segments + proposed.n_blocks))


def test_hours_or_a_difference_may_be_asked_for():
    some = propose(KNOWN, seconds=100 * 325)
    assert (some.segments, some.seconds) == (100, 100 * 325)
    again = propose(KNOWN, difference=some.difference)
    assert again.segments == pytest.approx(100, abs=1)
    every = propose(KNOWN, seconds=10**9)  # nothing is gained if everything is judged
    assert (every.segments, every.block_length, every.seconds) == (600, 0, 600 * 300)
    assert propose(KNOWN, seconds=39 * 325) is None
    assert propose(KNOWN, difference=0.01) is None
    assert propose(KNOWN, difference=99.0).segments == 40
    assert propose(replace(KNOWN, sizes=[3] * 13)) is None


def test_metrics_that_learned_from_people_are_known_by_their_names():
    names = ("COMET-22", "XCOMET-XL (uploaded)", "BLEURT-20", "MetricX-23-QE", "GEMBA-MQM")
    assert all(is_trained(name) for name in names)
    assert not any(is_trained(name) for name in ("BLEU", "chrF", "BERTScore", "TER", "YiSi-1"))
    assert [explained_by(n) for n in (0, 1, 2, 3, 9)] == [0, 0.13, 0.14, 0.17, 0.17]
