"""Agreement on rankings: the published counts, and a plain listing of all pairs as the oracle."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.agreement import (
    READINGS,
    expand_rankings,
    kappa_from_counts,
    pairwise_agreement,
)

# README of github.com/cfedermann/wmt16: agreeing, comparable, ties, labels, p(A), p(E), kappa.
WMT16 = [
    ("inter", "cs-en", 9370, 18389, 9836, 43991, 0.510, 0.351, 0.244),
    ("inter", "en-cs", 11900, 19594, 14465, 77948, 0.607, 0.366, 0.381),
    ("inter", "de-en", 749, 1076, 1182, 12926, 0.696, 0.421, 0.475),
    ("inter", "en-de", 2018, 3338, 5073, 29770, 0.605, 0.373, 0.369),
    ("inter", "ru-en", 1410, 2476, 4742, 20520, 0.569, 0.349, 0.339),
    ("inter", "en-ru", 1565, 2786, 7307, 25117, 0.562, 0.336, 0.340),
    ("inter", "fi-en", 2125, 3998, 7180, 25637, 0.532, 0.338, 0.293),
    ("inter", "en-fi", 1925, 2742, 2335, 26172, 0.702, 0.423, 0.484),
    ("inter", "ro-en", 1793, 3062, 2101, 11978, 0.586, 0.371, 0.341),
    ("inter", "en-ro", 302, 509, 2110, 8642, 0.593, 0.345, 0.379),
    ("inter", "tr-en", 349, 630, 2367, 9684, 0.554, 0.345, 0.319),
    ("inter", "en-tr", 403, 735, 3540, 10095, 0.548, 0.334, 0.322),
    ("intra", "cs-en", 700, 1045, 1704, 5575, 0.670, 0.334, 0.504),
    ("intra", "en-cs", 1861, 2932, 5680, 24827, 0.635, 0.350, 0.438),
    ("intra", "de-en", 101, 134, 64, 1182, 0.754, 0.450, 0.552),
    ("intra", "en-de", 264, 378, 606, 3033, 0.698, 0.360, 0.529),
    ("intra", "ru-en", 155, 220, 514, 1968, 0.705, 0.341, 0.552),
    ("intra", "en-ru", 227, 331, 1267, 3600, 0.686, 0.334, 0.528),
    ("intra", "fi-en", 360, 507, 1854, 4042, 0.710, 0.357, 0.549),
    ("intra", "en-fi", 432, 547, 256, 4802, 0.790, 0.451, 0.617),
    ("intra", "ro-en", 139, 184, 227, 1060, 0.755, 0.355, 0.621),
    ("intra", "en-ro", 119, 169, 401, 1509, 0.704, 0.340, 0.552),
    ("intra", "tr-en", 45, 63, 136, 610, 0.714, 0.352, 0.559),
    ("intra", "en-tr", 116, 202, 764, 1843, 0.574, 0.343, 0.352),
]


@pytest.mark.parametrize("row", WMT16, ids=lambda row: f"{row[0]} {row[1]}")
def test_wmt16_table_follows_from_its_counts(row):
    *_, agreeing, comparable, ties, labels, p_observed, p_expected, kappa = row
    result = kappa_from_counts(agreeing, comparable, ties, labels)
    assert result.p_observed == pytest.approx(p_observed, abs=5.1e-4)
    assert result.p_expected == pytest.approx(p_expected, abs=5.1e-4)
    assert result.estimate == pytest.approx(kappa, abs=5.1e-4)


judgments = st.lists(
    st.tuples(
        st.integers(1, 2),  # segment
        st.sampled_from("xyz"),  # annotator
        st.sampled_from(list(itertools.permutations("ABC", 2))),
        st.sampled_from([-1, 0, 1]),
    ),
    max_size=25,
)


def _listed(rows, which, ordered):
    """Return agreeing, comparable, ties and labels, from all pairs of judgments."""
    items = [
        (segment, pair if ordered else tuple(sorted(pair)), annotator,
         label if ordered or pair[0] < pair[1] else -label)
        for segment, annotator, pair, label in rows
    ]  # fmt: skip
    agreeing = comparable = 0
    repeated = set()
    for a, b in itertools.combinations(items, 2):
        own = a[2] == b[2]
        if a[:2] != b[:2]:
            continue
        if own:
            repeated.add((a[0], a[2]))
        if which == "all" or (which == "own") == own:
            comparable += 1
            agreeing += a[3] == b[3]
    counted = [i for i in items if which != "own" or (i[0], i[2]) in repeated]
    return agreeing, comparable, sum(i[3] == 0 for i in counted), len(counted)


@pytest.mark.parametrize("reading", READINGS)
@given(rows=judgments)
@settings(max_examples=80, deadline=None)
def test_counts_by_listing_all_pairs(reading, rows):
    expected = _listed(rows, *READINGS[reading])
    columns = (
        [segment for segment, *_ in rows],
        [annotator for _, annotator, *_ in rows],
        [pair[0] for *_, pair, _ in rows],
        [pair[1] for *_, pair, _ in rows],
        [label for *_, label in rows],
    )
    result = pairwise_agreement(*columns, reading=reading)
    counts = (result.n_agreeing, result.n_pairs, result.n_ties, result.n_labels)
    assert counts == expected
    if math.isnan(result.estimate):
        assert result.reason
    else:
        assert result.estimate == kappa_from_counts(*expected).estimate


def test_display_order_and_own_repeats():
    # x saw (A, B) twice and chose A; y saw (B, A) and chose B. One segment.
    columns = [1, 1, 1], ["x", "x", "y"], ["A", "A", "B"], ["B", "B", "A"], [1, 1, 1]
    counts = {
        reading: (result.n_agreeing, result.n_pairs, result.n_annotators)
        for reading in READINGS
        if (result := pairwise_agreement(*columns, reading=reading))
    }
    assert counts == {
        "strict": (0, 2, 2),
        "wmt16-compat": (1, 1, 1),
        "any-order": (1, 3, 2),
        "intra": (1, 1, 1),
        "intra-wmt16-compat": (1, 1, 1),
    }


def test_interval_over_segments_and_documents():
    rng = np.random.default_rng(3)
    n = 400
    segment = np.repeat(np.arange(n), 2)
    annotator = np.tile(["x", "y"], n)
    truth = np.repeat(rng.integers(-1, 2, n), 2)
    label = np.where(rng.random(2 * n) < 0.7, truth, rng.integers(-1, 2, 2 * n))
    columns = segment, annotator, np.full(2 * n, "A"), np.full(2 * n, "B"), label
    by_segment = pairwise_agreement(*columns, rng=rng)
    assert by_segment.low < by_segment.estimate < by_segment.high
    assert by_segment.n_units == 400
    by_document = pairwise_agreement(*columns, rng=rng, clusters=segment // 10)
    assert by_document.n_units == 40
    assert by_document.estimate == by_segment.estimate


def test_missing_labels_are_left_out():
    columns = [1, 1, 1], ["x", "y", "z"], ["A", "A", "A"], ["B", "B", "B"], [1, 1, np.nan]
    result = pairwise_agreement(*columns)
    assert (result.n_pairs, result.n_labels, result.n_annotators) == (1, 2, 2)


@pytest.mark.parametrize(
    ("annotators", "labels", "reading", "reason"),
    [
        ([], [], "strict", "no ratings"),
        (["x"], [1], "strict", "no item was rated by two"),
        (["x", "y"], [1, 1], "intra", "no annotator rated an item twice"),
        (["x", "y"], [0, 0], "strict", "same value"),
    ],
)
def test_undefined(annotators, labels, reading, reason):
    n = len(labels)
    result = pairwise_agreement(
        [1] * n, annotators, ["A"] * n, ["B"] * n, labels, reading=reading,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    assert math.isnan(result.estimate)
    assert math.isnan(result.low)
    assert reason in result.reason


def test_rejects():
    with pytest.raises(ValueError, match="reading is one of"):
        pairwise_agreement([1], ["x"], ["A"], ["B"], [1], reading="loose")
    with pytest.raises(ValueError, match="labels are"):
        pairwise_agreement([1], ["x"], ["A"], ["B"], [2])


def test_expand_rankings():
    pairs = expand_rankings(
        [7, 7, 7, 8, 8, 9, 9],
        ["A", "B", "C", "B", "A", "A", "B"],
        [2, 1, 2, 1, 3, 1, np.nan],
        [2, 1, 3, 1, 2, 1, 2],
    )
    rows = set(
        zip(*(x.tolist() for x in (pairs.ranking, pairs.first, pairs.second, pairs.label)),
            strict=True)
    )  # fmt: skip
    assert rows == {(7, "B", "A", 1), (7, "B", "C", 1), (7, "A", "C", 0), (8, "B", "A", 1)}


def test_expand_rankings_takes_row_order_and_rejects_repeats():
    pairs = expand_rankings([1, 1], ["B", "A"], [2, 1])
    assert (pairs.first.tolist(), pairs.label.tolist()) == (["B"], [-1])
    assert len(expand_rankings([], [], []).label) == 0
    with pytest.raises(ValueError, match="twice in one ranking"):
        expand_rankings([1, 1], ["A", "A"], [1, 2])
