"""WMT22's controls through the import: what the page says is what the rows of the release say."""

import pytest

from judgments.quality.rules import figures as rules
from judgments.results.selection.selection import Selection
from judgments.stats.quality_control import control_test, pair_by_key
from tests.judgments.stats.test_real_quality import wmt22
from tests.real_data import import_wmt22
from tests.shared import shared_data

pytestmark = [pytest.mark.proof, pytest.mark.django_db]


@pytest.fixture(scope="module")
def campaign(imported):
    shared_data("02_da_wmt22", "ratings.liv-en.tsv.gz")
    return imported(import_wmt22, "liv-en")


def test_every_worker(campaign):
    report = rules.quality(Selection.of(campaign), "raw")
    workers = wmt22("liv-en")
    assert {a.alias for a in report.annotators} == set(workers)
    for found in report.annotators:
        rows = workers[found.alias]
        original, degraded, _ = pair_by_key(*rows["SYSTEM"], *rows["BAD_REF"])
        expected = control_test(original, degraded)
        assert found.control.n_pairs == expected.n_pairs
        assert found.control.p_value == pytest.approx(expected.p_value, nan_ok=True)
        assert found.control.verdict == expected.verdict
        assert found.n_unmatched == 0
        assert found.repeats.n_pairs == len(rows["REPEAT"][0])
        assert found.references.n_references == len(rows["REF"][0])
    # Counts of the release's rows.
    assert sum(a.control.n_pairs for a in report.annotators) == 570
    assert sum(a.repeats.n_pairs for a in report.annotators) == 567
