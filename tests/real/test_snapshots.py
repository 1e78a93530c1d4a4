"""Published judgments are read from a snapshot as from the tables: WMT13's 10,196 rankings by 218
judges, and the 19,569 marked errors of WMT23 English–German."""

import pytest

from judgments.results.observations import snapshots
from tests.judgments.results.test_snapshots import assert_same
from tests.real.test_wmt23_errors import import_wmt23
from tests.real_data import import_wmt13

pytestmark = [pytest.mark.proof, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.SNAPSHOTS_DIR = tmp_path


def test_rankings(imported):
    campaign = imported(import_wmt13)
    assert snapshots.write(campaign).n == 10_196
    assert len(assert_same(campaign).ratings) == 50_980


def test_marked_errors(imported, monkeypatch):
    monkeypatch.setattr(snapshots, "PART", 1_000)
    campaign = imported(import_wmt23)
    assert snapshots.write(campaign).n == 5_980
    assert_same(campaign)
