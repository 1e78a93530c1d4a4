"""CHANGELOG.md: its newest version is the one that the site and its files name."""

import re
from datetime import date
from pathlib import Path

from django.conf import settings
from packaging.version import Version

CHANGELOG = (Path(settings.BASE_DIR) / "CHANGELOG.md").read_text(encoding="utf-8")
VERSIONS = re.findall(r"^## (\d+\.\d+\.\d+) – (\S+)$", CHANGELOG, re.MULTILINE)


def test_the_newest_version_is_that_of_the_settings_or_one_on_the_way():
    newest, ours = Version(VERSIONS[0][0]), Version(settings.VERSION)
    assert ours == newest or (ours > newest and ours.is_devrelease)


def test_versions_have_dates_and_what_comes_stands_above_them():
    headings = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert len(headings) == len(VERSIONS) + 1
    dates = [date.fromisoformat(day) for _, day in VERSIONS]
    assert dates == sorted(dates, reverse=True)
