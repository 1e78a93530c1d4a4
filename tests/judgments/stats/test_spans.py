"""Agreement on marked errors, against sets of characters and loops over spans."""

import collections
import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.stats.spans import MATCHES, Marks, span_agreement
from tests.shared import read_tsv, shared_data

SEVERITIES = {"minor": 1, "major": 2, "critical": 3}


def _agreement(judgments, **options):
    """``judgments``: {(item, annotator): [(start, end, severity, category, side), …]}."""
    item = [key[0] for key in judgments]
    annotator = [key[1] for key in judgments]
    rows = [(j, *mark) for j, marks in enumerate(judgments.values()) for mark in marks]
    columns = [np.array([row[i] for row in rows]) for i in range(6)]
    return span_agreement(item, annotator, Marks(*columns), **options)


def _listed(judgments):
    """Return the same by sets of characters and by comparing every span with every other."""
    by_item = collections.defaultdict(list)
    for (item, annotator), marks in judgments.items():
        by_item[item].append((annotator, marks))
    both = credit = length = pairs = 0
    f1 = 0.0
    rates: collections.Counter = collections.Counter()
    spans: collections.Counter = collections.Counter()
    for answers in by_item.values():
        for (name_a, a), (name_b, b) in itertools.combinations(answers, 2):
            worst = [_worst(marks) for marks in (a, b)]
            shared = worst[0].keys() & worst[1].keys()
            same = sum(worst[0][place] == worst[1][place] for place in shared)
            total = len(worst[0]) + len(worst[1])
            both += 2 * len(shared)
            credit += len(shared) + same
            length += total
            f1 += 2 * len(shared) / total if total else 1
            pairs += 1
            for name, these, those in ((name_a, a, b), (name_b, b, a)):
                spans[name] += len(these)
                for mark in these:
                    met = [other for other in those if _overlap(mark, other)]
                    rates[name, 0] += bool(met)
                    rates[name, 1] += any(mark[2] == other[2] for other in met)
                    rates[name, 2] += any(mark[2:4] == other[2:4] for other in met)
    return both, credit, length, f1, pairs, rates, spans


def _places(mark):
    start, end, _, _, side = mark
    return [(side, "omission")] if start == -1 else [(side, i) for i in range(start, end)]


def _worst(marks):
    worst: dict = {}
    for mark in marks:
        for place in _places(mark):
            worst[place] = max(worst.get(place, 0), mark[2])
    return worst


def _overlap(mark, other):
    return bool(set(_places(mark)) & set(_places(other)))


def _check(result, expected, annotators):
    both, credit, length, f1, pairs, rates, spans = expected
    assert result.f1.estimate == pytest.approx(both / length if length else 1)
    assert result.weighted_f1.estimate == pytest.approx(credit / length if length else 1)
    assert result.segment_f1.estimate == pytest.approx(f1 / pairs)
    assert result.f1.n_pairs == pairs
    for i, match in enumerate(result.matches):
        found = sum(rates[name, i] for name in annotators)
        assert (match.n_agreeing, match.n_pairs) == (found, spans.total())
        if spans.total():
            assert match.estimate == pytest.approx(found / spans.total())
        else:
            assert math.isnan(match.estimate)
            assert "no error was marked" in match.reason
    if len(annotators) == 2:
        for row, name in enumerate(sorted(annotators)):
            assert result.n_spans[row] == spans[name]
            expected_rates = [rates[name, i] / spans[name] if spans[name] else np.nan
                              for i in range(3)]  # fmt: skip
            np.testing.assert_allclose(result.directed[row], expected_rates)
    else:
        assert result.directed is None


span = st.builds(
    lambda start, size, *rest: (start, start + size if start >= 0 else start, *rest),
    st.integers(-1, 6), st.integers(1, 5), st.integers(1, 3), st.sampled_from("xy"),
    st.sampled_from(["source", "target"]),
)  # fmt: skip


@given(
    st.dictionaries(
        st.tuples(st.integers(1, 4), st.sampled_from("abc")), st.lists(span, max_size=4), max_size=9
    )
)
@settings(max_examples=120, deadline=None)
def test_against_sets_and_loops(judgments):
    result = _agreement(judgments)
    expected = _listed(judgments)
    if not expected[4]:
        for found in (result.f1, result.segment_f1, result.weighted_f1, *result.matches):
            assert math.isnan(found.estimate)
            assert found.reason in ("there are no ratings", "no item was rated by two annotators")
        return
    _check(result, expected, {annotator for _, annotator in judgments})


def test_by_hand():
    judgments = {
        # a marks 0–9 as minor and an omission; b marks 5–14 as major: five characters in common.
        (1, "a"): [(0, 10, 1, "word", "t"), (-1, -1, 2, "omission", "t")],
        (1, "b"): [(5, 15, 2, "word", "t")],
        # neither finds an error
        (2, "a"): [],
        (2, "b"): [],
        # the same omission, and the same span under another name
        (3, "a"): [(-1, -1, 2, "omission", "t"), (3, 5, 1, "word", "t")],
        (3, "b"): [(-1, -1, 2, "omission", "t"), (3, 5, 1, "style", "t")],
        # the first characters of the source are not those of the target
        (4, "a"): [(0, 4, 1, "word", "s")],
        (4, "b"): [(0, 4, 1, "word", "t")],
    }
    result = _agreement(judgments)
    # lengths 11 + 10, 0, 3 + 3, 4 + 4; in common 5, 0, 3, 0
    assert result.f1.estimate == pytest.approx(2 * 8 / 35)
    assert result.segment_f1.estimate == pytest.approx((10 / 21 + 1 + 1 + 0) / 4)
    assert result.weighted_f1.estimate == pytest.approx((5 + 6) / 35)
    assert result.annotators == ("a", "b")
    assert result.n_spans.tolist() == [5, 4]
    np.testing.assert_allclose(result.directed, [[3 / 5, 2 / 5, 1 / 5], [3 / 4, 2 / 4, 1 / 4]])
    assert [match.coefficient for match in result.matches] == list(MATCHES)
    assert (result.f1.n_items, result.f1.n_annotators, result.f1.n_pairs) == (4, 2, 4)


def test_nobody_marked_anything():
    """Two who see no error agree, so F1 is 1; there is no span to match."""
    result = _agreement({(1, "a"): [], (1, "b"): []}, rng=np.random.default_rng(1))
    assert (result.f1.estimate, result.segment_f1.estimate) == (1, 1)
    assert math.isnan(result.matches[0].estimate)
    assert "at least two units" in result.f1.interval_reason


def test_intervals_over_items_and_documents():
    rng = np.random.default_rng(2)
    judgments = {}
    for item in range(200):
        at = int(rng.integers(0, 50))
        for name in "ab":
            start = at + int(rng.integers(0, 6))
            judgments[item, name] = [(start, start + 5, 1, "word", "t")]
    result = _agreement(judgments, rng=rng, resamples=300)
    for found in (result.f1, result.segment_f1, result.weighted_f1, *result.matches):
        assert found.low < found.estimate < found.high
        assert found.n_units == 200
    documents = [item // 10 for item, _ in judgments]
    result = _agreement(judgments, rng=rng, resamples=300, clusters=documents)
    assert result.f1.n_units == 20


def test_rejects():
    def mark(judgment=0, start=0, end=1, **columns):
        return Marks([judgment], [start], [end], [1], **columns)

    one = [1, 1], ["a", "b"]
    with pytest.raises(ValueError, match="mark 0 goes from 3 to 3"):
        span_agreement(*one, mark(start=3, end=3))
    with pytest.raises(ValueError, match="goes from -2 to 1"):
        span_agreement(*one, mark(start=-2))
    with pytest.raises(ValueError, match="there are 2"):
        span_agreement(*one, mark(judgment=2))
    with pytest.raises(ValueError, match="equally long"):
        span_agreement(*one, mark(category=["x", "y"]))
    with pytest.raises(ValueError, match="an annotator rated an item twice"):
        span_agreement([1, 1], ["a", "a"], mark())


# --- real judgments ---------------------------------------------------------------------------


def _appraise(*protocols):
    """Return the last judgment of each output by each protocol, as input of `_agreement`."""
    found = {}
    path = shared_data("03_mqm_esa_wmt23_en-de", "appraise.en-de.tsv.gz")
    rows = [r for r in read_tsv(path) if r["type"] == "TGT" and r["protocol"] in protocols]
    for row in sorted(rows, key=lambda r: float(r["end_time"])):
        marks = []
        for error in json.loads(row["error_spans"]):
            start, end = error["start_i"], error["end_i"]
            place = (-1, -1) if start == "missing" else (int(start), int(end) + 1)
            severity = SEVERITIES.get(error["severity"], 0)
            category = "/".join(error.get("error_type") or [])
            marks.append((*place, severity, category, "target"))
        found[(row["system"], row["line"]), row["protocol"]] = marks
    names = {item: i for i, item in enumerate(dict.fromkeys(item for item, _ in found))}
    return {(names[item], protocol): marks for (item, protocol), marks in found.items()}


@pytest.mark.parametrize(
    ("protocols", "n_items"),
    [(("ESA-1", "ESA-2"), 2691), (("ESA-1", "MQM-1"), 2691), (("MQM-1", "MQM-IAA"), 984)],
)
def test_spans_of_esa_and_mqm(protocols, n_items):
    judgments = _appraise(*protocols)
    result = _agreement(judgments, rng=np.random.default_rng(1), resamples=200)
    assert result.f1.n_items == n_items
    _check(result, _listed(judgments), set(protocols))
    for found in (result.f1, result.segment_f1, result.weighted_f1, *result.matches[:2]):
        assert found.low < found.estimate < found.high


def test_spans_of_three_raters():
    """A span is between <v> and </v>, in the target or, for an omission, in the source."""
    judgments: dict = {}
    for row in read_tsv(shared_data("04_mqm_3raters_wmt23_en-de", "ratings.en-de.tsv.gz")):
        if row["severity"] == "HOTW-test":
            continue
        item = "/".join((row["system"], row["doc"], row["seg_id"]))
        marks = judgments.setdefault((item, row["rater"]), [])
        for side in ("source", "target"):
            start, end = (row[f"{side}_marked"].find(tag) for tag in ("<v>", "</v>"))
            if 0 <= start < end - 3:
                severity = SEVERITIES.get(row["severity"].lower(), 0)
                marks.append((start, end - 3, severity, row["category"], side))
    result = _agreement(judgments)
    assert len(judgments) == 3120
    assert (result.f1.n_items, result.f1.n_annotators, result.f1.n_pairs) == (1040, 10, 3120)
    _check(result, _listed(judgments), {rater for _, rater in judgments})
