"""A release has the texts and says that what is heard is not in it."""

import zipfile

import pytest

from judgments.publishing.bundles.release import about, release
from judgments.publishing.bundles.verification import verify
from tests import factory

from .spoken import brought


@pytest.mark.slow
def test_a_release_says_that_the_files_are_not_in_it(db, owner, tmp_path):
    campaign = factory.make_campaign(brought(owner), preset="direct-assessment", owner=owner)
    file = tmp_path / "talks.zip"
    release(campaign, file)
    with zipfile.ZipFile(file) as packed:
        assert not [name for name in packed.namelist() if "wav" in name or "png" in name]
        words = packed.read("README.txt").decode()
    assert "of 3 segments, is not in here" in words
    assert verify(file).wrong == []


def test_without_media_it_says_nothing_of_them(db, owner):
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    assert "not in here" not in about(campaign)
