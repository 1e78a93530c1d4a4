"""MQM: weights by the most specific pattern, and the published scores of WMT23.

Published: the segment and system scores of the WMT23 metrics task (Freitag et al. 2023) and of the
ESA study (Kocmi et al. 2024), the scores embedded in the release of MQM with three raters.
"""

import json
import math

import numpy as np
import pytest
from scipy import stats

from judgments.stats.mqm import Scheme
from judgments.stats.normalization import aggregate
from tests.judgments.stats.error_scores import SCHEMES, error_scores, penalties
from tests.shared import read_tsv, shared_data

ESA_STUDY, THREE_RATERS = "03_mqm_esa_wmt23_en-de", "04_mqm_3raters_wmt23_en-de"


@pytest.mark.parametrize(
    ("scheme", "severity", "category", "expected"),
    [
        ("google", "Minor", "Fluency/Grammar", 1),
        ("google", "minor", "fluency/punctuation", 0.1),
        ("google", "Major", "Fluency/Punctuation", 5),
        ("google", "Neutral", "Style/Awkward", 0),
        ("google", "Major", "Non-translation!", 25),
        ("google", "Minor", "Source issue", 1),
        ("google-wmt23", "Major", "Source issue", 0),
        ("google-wmt23", "Minor", "Accuracy/Creative Reinterpretation", 0),
        ("google-wmt23", "Major", "Accuracy/Mistranslation", 5),
        ("mqm-core", "critical", "Accuracy/Omission", 25),
        ("mqm-core", "major", "Linguistic conventions/Punctuation", 0.1),
        ("esa", "major", "", 5),
    ],
)
def test_weights(scheme, severity, category, expected):
    assert SCHEMES[scheme].penalty(severity, category) == expected


def test_the_most_specific_pattern_wins():
    scheme = Scheme("s", "S", {"*": 9, "minor": 1, "*/a": 2, "minor/a": 3, "*/a/b": 4})
    asked = [("minor", ""), ("major", ""), ("major", "a"), ("minor", "a"), ("minor", "a/b")]
    assert [scheme.penalty(*kind) for kind in asked] == [1, 9, 2, 3, 4]
    assert scheme.penalty("minor", "a/b/c") == 4
    assert scheme.penalty("minor", "other/b") == 1


def test_scores_of_judgments():
    rows = [("x", "minor", ""), ("x", "major", ""), ("y", "", ""), ("z", "major", "")]
    found = error_scores(*zip(*rows, strict=True), scheme="esa")
    assert found.judgments.tolist() == ["x", "y", "z"]
    assert found.scores.tolist() == [-6, 0, -5]
    assert math.copysign(1, found.scores[1]) == 1  # 0, not -0
    assert found.n_errors.tolist() == [2, 0, 1]
    capped = error_scores(*zip(*rows, strict=True), scheme="esa", cap=5)
    assert capped.scores.tolist() == [-5, 0, -5]
    long = error_scores(*zip(*rows, strict=True), scheme="esa", words=[50, 50, 10, 0])
    np.testing.assert_array_equal(long.scores, [-12, 0, np.nan])
    assert len(error_scores([], [], []).scores) == 0


def test_what_has_no_weight_is_refused():
    with pytest.raises(ValueError, match="no weight for 'awful'; it has neutral, minor, major"):
        penalties(["awful"], [""])
    with pytest.raises(ValueError, match="scheme is one of google"):
        penalties(["minor"], [""], "mine")
    with pytest.raises(ValueError, match="2 severities but 1"):
        penalties(["minor", "minor"], [""])
    with pytest.raises(ValueError, match="1 judgments"):
        error_scores(["a"], ["minor", "minor"], ["", ""])


def _wmt23(scheme):
    rows = read_tsv(shared_data(ESA_STUDY, "mqm_errors.en-de.tsv.gz"))
    key = [f"{row['system']}\t{row['line']}" for row in rows]
    severity, category = ([row[k] for row in rows] for k in ("severity", "category"))
    return error_scores(key, severity, category, scheme=scheme)


def test_wmt23_segments_and_systems():
    """All 5,980 segment scores; without the zero weights 543 of them differ."""
    published = {
        f"{row['system']}\t{row['line']}": float(row["mqm"])
        for row in read_tsv(shared_data(ESA_STUDY, "human_segments.en-de.tsv.gz"))
        if row["mqm"]
    }
    found = _wmt23("google-wmt23")
    assert len(found.scores) == len(published) == 5980
    expected = np.array([published[key] for key in found.judgments.tolist()])
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-9)
    assert (np.abs(_wmt23("google").scores - expected) > 1e-6).sum() == 543
    system, line = np.char.partition(found.judgments.astype(str), "\t").T[[0, 2]]
    scores = aggregate(system, line, found.scores)
    systems = read_tsv(shared_data(ESA_STUDY, "published_systems.en-de.tsv"))
    assert len(systems) == 13
    for row in systems:
        mean = scores.mean[scores.systems.tolist().index(row["system"])]
        assert mean == pytest.approx(float(row["mqm"]), abs=1e-9)


def test_three_raters():
    rows = [
        row
        for row in read_tsv(shared_data(THREE_RATERS, "ratings.en-de.tsv.gz"))
        if row["severity"] != "HOTW-test"  # attention checks
    ]
    key = [f"{row['system']}\t{row['seg_id']}\t{row['rater']}" for row in rows]
    severity = [row["severity"].replace("No-error", "") for row in rows]
    found = error_scores(key, severity, [row["category"] for row in rows], scheme="google-wmt23")
    assert len(found.scores) == 3120
    system, segment, _ = np.array([key.split("\t") for key in found.judgments.tolist()]).T
    scores = aggregate(system, segment, found.scores)
    assert set(scores.segment_n.tolist()) == {3}
    means = {
        (scores.systems[s], scores.segments[g]): -mean
        for s, g, mean in zip(
            scores.system_of, scores.segment_of, scores.segment_mean.tolist(), strict=True
        )
    }
    published = read_tsv(shared_data(THREE_RATERS, "published_segments.en-de.tsv"))
    assert len(published) == 240
    for row in published:
        mean = means[row["system"], row["seg_id"]]
        assert mean == pytest.approx(float(row["mqm_mean_of_raters"]), abs=1.1e-6)
    systems = read_tsv(shared_data(THREE_RATERS, "computed_systems.en-de.tsv"))
    for row in systems:
        mean = -scores.mean[scores.systems.tolist().index(row["system"])]
        assert mean == pytest.approx(float(row["mqm_mean"]), abs=5.1e-5)


@pytest.fixture(scope="module")
def appraise():
    """Scores by campaign and (system, line): for ESA the slider's, for MQM from the spans, and the
    span score of ESA in addition. Of two judgments of one login the later one counts."""
    last = {}
    for row in read_tsv(shared_data(ESA_STUDY, "appraise.en-de.tsv.gz")):
        if row["type"] == "TGT":
            key = row["protocol"], row["system"], int(row["line"]), row["login"]
            if key not in last or float(row["end_time"]) >= float(last[key]["end_time"]):
                last[key] = row
    judgments, severity, category = [], [], []
    for place, row in enumerate(last.values()):
        spans = json.loads(row["error_spans"] or "[]")
        for span in spans or [{"severity": ""}]:
            judgments.append(place)
            severity.append(span["severity"])
            category.append("/".join(span.get("error_type") or []))
    assert judgments == sorted(judgments)
    mqm = error_scores(judgments, severity, category, scheme="mqm-core").scores
    esa = error_scores(judgments, severity, category, scheme="esa").scores
    found: dict[str, dict] = {}
    for place, ((protocol, *output, _), row) in enumerate(last.items()):
        score = float(row["score"]) if protocol.startswith("ESA") else mqm[place]
        found.setdefault(protocol, {}).setdefault(tuple(output), []).append((score, esa[place]))
    return found


def _mean_scores(rows, column=0):
    return {output: float(np.mean([row[column] for row in each])) for output, each in rows.items()}


@pytest.mark.parametrize(
    ("protocol", "n"),
    [("ESA-1", 2691), ("ESA-2", 2691), ("MQM-1", 2691), ("ESA-IAA", 984), ("MQM-IAA", 984)],
)
def test_segment_scores_of_the_esa_study(appraise, protocol, n):
    published = {
        (row["system"], int(row["line"])): float(row["score"])
        for row in read_tsv(shared_data(ESA_STUDY, "published_esa_segments.en-de.tsv.gz"))
        if row["protocol"] == protocol
    }
    ours = _mean_scores(appraise[protocol])
    assert len(published) == n
    assert ours.keys() == published.keys()
    np.testing.assert_allclose([ours[k] for k in published], list(published.values()), atol=1e-9)


def _system_means(scores):
    found = aggregate([s for s, _ in scores], [line for _, line in scores], list(scores.values()))
    return found.mean


def test_protocols_agree_as_computed(appraise):
    """All 21 pairs of protocols: Kendall's tau-c and Pearson over segments, Spearman over systems,
    on the segments that both have (shared/data's own figures; ESA against MQM among them)."""
    scores = {protocol: _mean_scores(rows) for protocol, rows in appraise.items()}
    for row in read_tsv(shared_data(ESA_STUDY, "human_segments.en-de.tsv.gz")):
        for protocol, column in (("WMT-MQM", "mqm"), ("WMT-DASQM", "da_sqm")):
            if row[column]:
                output = row["system"], int(row["line"])
                scores.setdefault(protocol, {})[output] = float(row[column])
    expected = read_tsv(shared_data(ESA_STUDY, "computed_protocol_agreement.tsv"))
    assert len(expected) == 21
    for row in expected:
        first, second = scores[row["protocol_a"]], scores[row["protocol_b"]]
        shared = sorted(first.keys() & second.keys())
        assert len(shared) == int(row["segments"])
        a, b = ({key: each[key] for key in shared} for each in (first, second))
        both = list(a.values()), list(b.values())
        tau = stats.kendalltau(*both, variant="c").statistic
        assert tau == pytest.approx(float(row["kendall_tau_c"]), abs=5.1e-5)
        assert stats.pearsonr(*both).statistic == pytest.approx(float(row["pearson"]), abs=5.1e-5)
        rho = stats.spearmanr(_system_means(a), _system_means(b)).statistic
        assert rho == pytest.approx(float(row["system_spearman"]), abs=5.1e-5)


def test_the_span_score_of_esa_follows_its_slider(appraise):
    """The second score of ESA (5 major + 1 minor, negated) is another view of the same answers."""
    rows = appraise["ESA-1"]
    slider, spans = _mean_scores(rows), _mean_scores(rows, 1)
    assert max(spans.values()) == 0
    assert stats.spearmanr(list(slider.values()), list(spans.values())).statistic > 0.5
