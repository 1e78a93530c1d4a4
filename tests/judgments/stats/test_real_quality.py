"""Controls of real campaigns: WMT22's degraded and repeated items, and the damaged items of the
ESA study. No figures about single annotators were published; SciPy and counts are the oracle."""

import functools
import json
from collections import Counter, defaultdict

import numpy as np
import pytest
import scipy.stats

from judgments.stats.quality_control import (
    adjusted,
    consistency,
    control_test,
    pair_by_key,
    reference_check,
)
from tests.judgments.stats.degraded_spans import finds_damage, span_controls
from tests.shared import read_tsv, shared_data

DA, ESA = "02_da_wmt22", "03_mqm_esa_wmt23_en-de"


@functools.cache
def wmt22(pair):
    """Return {worker: {type: (keys, raw scores)}}; a key is a system's segment."""
    codes, workers = {}, defaultdict(lambda: defaultdict(lambda: ([], [])))
    for row in read_tsv(shared_data(DA, f"ratings.{pair}.tsv.gz")):
        keys, values = workers[row["worker"]][row["type"]]
        keys.append(codes.setdefault((row["system"], row["seg_id"]), len(codes)))
        values.append(float(row["raw"]))
    return workers


@pytest.mark.parametrize(
    ("pair", "n_workers", "n_degraded", "n_repeats", "n_references"),
    # The counts of rows of these types in the release.
    [("uk-en", 144, 2408, 2375, 2425), ("liv-en", 46, 570, 567, 574)],
)
def test_every_control_of_wmt22_finds_its_original(
    pair, n_workers, n_degraded, n_repeats, n_references
):
    workers, counts = wmt22(pair), Counter()
    for rows in workers.values():
        for kind in ("BAD_REF", "REPEAT"):
            first, _, n_unmatched = pair_by_key(*rows["SYSTEM"], *rows[kind])
            counts[kind] += len(first)
            assert n_unmatched == 0
        counts["REF"] += reference_check(rows["REF"][1], rows["SYSTEM"][1]).n_references
    assert len(workers) == n_workers
    assert counts == {"BAD_REF": n_degraded, "REPEAT": n_repeats, "REF": n_references}


def test_degraded_copies_score_lower_in_wmt22():
    """The workers of uk-en, each against SciPy; together they clearly score copies lower."""
    drops, tests = [], []
    for rows in wmt22("uk-en").values():
        original, degraded, _ = pair_by_key(*rows["SYSTEM"], *rows["BAD_REF"])
        tests.append(control_test(original, degraded))
        drops += (original - degraded).tolist()
        if len(original) > 1:
            expected = scipy.stats.ttest_rel(original, degraded, alternative="greater").pvalue
            np.testing.assert_allclose(tests[-1].p_t, expected, rtol=1e-9)
    assert control_test(np.array(drops), np.zeros(len(drops))).p_value < 1e-80
    # As counted with scipy.stats.wilcoxon, PermutationMethod (all assignments up to 16 pairs).
    assert Counter(t.verdict for t in tests) == {"pass": 73, "fail": 68, "insufficient": 3}
    assert sum(t.p_holm <= 0.05 for t in adjusted(tests)) <= 73


def test_repeats_are_nearer_than_other_items_in_wmt22():
    distances, others = [], []
    for rows in wmt22("uk-en").values():
        first, second, _ = pair_by_key(*rows["SYSTEM"], *rows["REPEAT"])
        found = consistency(first, second)
        assert found.n_pairs == len(first)
        if len(first) > 1:
            distances.append(found.mean_difference)
            others.append(consistency(first, np.roll(second, 1)).mean_difference)
    assert np.mean(distances) < 0.8 * np.mean(others)


@functools.cache
def esa(protocol):
    """{login: (rows of originals and copies by item)} of one campaign of the ESA study."""
    logins = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in read_tsv(shared_data(ESA, "appraise.en-de.tsv.gz")):
        if row["protocol"] == protocol and row["type"] in ("TGT", "BAD"):
            key = row["system"], row["line"]
            logins[row["login"]][key][row["type"]].append(row)
    return logins


@functools.cache
def texts():
    rows = read_tsv(shared_data(ESA, "outputs.en-de.tsv.gz"))
    return {(row["system"], row["line"]): row["text"] for row in rows}


def spans(row):
    """Return Appraise's inclusive offsets in our form; marks of missing text have no position."""
    marks = json.loads(row["error_spans"])
    placed = [m for m in marks if m["start_i"] != "missing"]
    return len(marks), [(m["start_i"], m["end_i"] + 1) for m in placed]


@pytest.mark.parametrize(("protocol", "n_bad"), [("ESA-1", 397), ("ESA-2", 402), ("MQM-1", 398)])
def test_damaged_items_of_the_esa_study(protocol, n_bad):
    """Every copy has its original, and marks are on the damage far more often than marks were at
    the same position before."""
    n_copies = n_found = n_shown = n_before = n_more = 0
    for items in esa(protocol).values():
        columns = []
        for key, kinds in items.items():
            n_copies += len(kinds["BAD"])
            if not kinds["BAD"]:
                continue
            original, copy = kinds["TGT"][-1], kinds["BAD"][-1]
            (n_original, before), (n_copy, placed) = spans(original), spans(copy)
            pair = texts()[key], copy["shown_text_if_bad"]
            hit = finds_damage(*pair, placed)
            n_before += finds_damage(*pair, before)
            scores = [float(row["score"] or "nan") for row in (original, copy)]
            columns.append((*scores, n_original, n_copy, hit))
        found = span_controls(*zip(*columns, strict=True))
        n_more += found.marks.mean_drop > 0
        n_found, n_shown = n_found + found.n_found, n_shown + found.n
    assert n_copies == n_bad
    assert n_shown == 396
    assert n_found > 2 * n_before
    assert n_more > 0.8 * len(esa(protocol))
