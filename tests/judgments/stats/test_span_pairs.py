"""Marked errors of two markers compared. Expected: characters counted one by one in sets, every
assignment tried, and scikit-learn for the coefficients of error-free or not."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import matthews_corrcoef, roc_auc_score

from judgments.stats.span_pairs import (
    area_under_curve,
    compare_spans,
    figures_of,
    matthews,
)
from judgments.stats.spans import Marks, span_agreement


def marks_of(spans):
    """Return marks from (judgment, start, end, severity)."""
    columns = np.array(spans, np.int64).reshape(-1, 4).T
    return Marks(*columns)


def by_hand(spans, first, second):
    """Return (characters of both, spans of both, credit, exact, best assignment) of one pair."""
    sides = [[s[1:] for s in spans if s[0] == judgment] for judgment in (first, second)]
    marked = []
    for side in sides:
        worst = {}
        for start, end, severity in side:
            for place in range(start, end):
                worst[place] = max(worst.get(place, -1), severity)
        marked.append(worst)
    both = marked[0].keys() & marked[1].keys()
    credit = sum(1 if marked[0][c] == marked[1][c] else 0.5 for c in both)
    exact = sum(min(sides[0].count(s), sides[1].count(s)) for s in set(sides[0]) & set(sides[1]))
    short, long = sorted(sides, key=len)

    def overlap(p, q):
        a, b = set(range(*p[:2])), set(range(*q[:2]))
        return len(a & b) / len(a | b)

    best = max(
        sum(overlap(p, q) for p, q in zip(short, chosen, strict=True))
        for chosen in permutations(long, len(short))
    )
    return [len(marked[0]), len(marked[1]), len(sides[0]), len(sides[1]), credit, exact, best]


@pytest.fixture
def made():
    """40 judgments of up to four errors in 20 characters."""
    rng = np.random.default_rng(0)
    spans = []
    for judgment in range(40):
        for _ in range(rng.integers(0, 5)):
            start = int(rng.integers(0, 18))
            spans.append((judgment, start, start + int(rng.integers(1, 7)), int(rng.integers(3))))
    rng.shuffle(spans)
    spans = [tuple(map(int, span)) for span in spans]
    return spans, rng.integers(0, 40, 300), rng.integers(0, 40, 300)


def test_sums_are_those_counted_by_hand(made):
    spans, first, second = made
    found = compare_spans(marks_of(spans), 40, first, second)
    expected = [by_hand(spans, a, b) for a, b in zip(first, second, strict=True)]
    assert found.sums[:, :7] == pytest.approx(np.array(expected, float))
    assert (np.array(expected)[:, 5] > 0).sum() > 5
    assert (np.array(expected)[:, 6] > 1).sum() > 20


def test_what_is_met_of_each_error(made):
    spans, first, second = made
    found = compare_spans(marks_of(spans), 40, first, second)
    assert len(found.error) == sum(s[0] == a for a in first for s in spans)
    for row, pair, length, covered, is_met in zip(
        found.error, found.of, found.length, found.covered, found.is_met, strict=True
    ):
        judgment, start, end, severity = spans[row]
        assert judgment == first[pair] and length == end - start
        worst = {}
        for owner, a, b, s in spans:
            if owner == second[pair]:
                worst |= {c: max(worst.get(c, -1), s) for c in range(a, b)}
        there = [worst[c] for c in range(start, end) if c in worst]
        assert covered == sum(1 if s == severity else 0.5 for s in there)
        assert is_met == bool(there)


def test_figures_by_hand():
    # Two outputs: people 0–4 major, the metric 2–6 minor; then neither marks anything.
    found = figures_of(
        compare_spans(marks_of([(0, 0, 4, 1), (1, 2, 6, 0)]), 4, np.array([0, 2]), np.array([1, 3]))
    )
    assert (found.precision, found.recall, found.f1) == (0.25, 0.25, 0.25)
    assert found.macro_f1 == (0.25 + 1) / 2
    assert (found.exact_f1, found.n) == (0, 2)
    assert found.partial_f1 == pytest.approx(2 / 6)
    # The second marks nothing: precision is over nothing, F1 is 0.
    lone = figures_of(compare_spans(marks_of([(0, 0, 4, 1)]), 2, np.array([0]), np.array([1])))
    assert np.isnan(lone.precision)
    assert (lone.recall, lone.f1, lone.macro_f1) == (0, 0, 0)
    nobody = figures_of(compare_spans(marks_of([]), 2, np.array([0]), np.array([1])))
    assert (nobody.f1, nobody.macro_f1, nobody.exact_f1, nobody.partial_f1) == (1, 1, 1, 1)
    assert np.isnan(figures_of(compare_spans(marks_of([]), 2, *np.zeros((2, 0), int))).f1)


def test_f1_is_that_of_agreement_between_two_people(made):
    spans = made[0]
    item, annotator = np.arange(40) // 2, np.arange(40) % 2
    agreement = span_agreement(item, annotator, marks_of(spans))
    pairs = compare_spans(marks_of(spans), 40, np.arange(0, 40, 2), np.arange(1, 40, 2))
    assert figures_of(pairs).f1 == pytest.approx(agreement.weighted_f1.estimate)


def test_error_free_or_not_against_sklearn():
    rng = np.random.default_rng(1)
    truth, said = rng.random(200) < 0.7, rng.random(200) < 0.6
    scores = np.round(rng.random(200) + truth * 0.3, 1)
    assert matthews(truth, said) == pytest.approx(matthews_corrcoef(truth, said))
    assert area_under_curve(scores, truth) == pytest.approx(roc_auc_score(truth, scores))
    assert np.isnan(matthews(truth, np.ones(200)))
    assert np.isnan(area_under_curve(scores, np.ones(200)))
    assert np.isnan(matthews(np.zeros(0), np.zeros(0)))
