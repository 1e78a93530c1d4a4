"""CHANGELOG.md has the format of Keep a Changelog, and its newest version is the site's."""

import re
from datetime import date
from pathlib import Path

from django.conf import settings
from packaging.version import Version

CHANGELOG = (Path(settings.BASE_DIR) / "CHANGELOG.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
VERSIONS = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\S+)", heading) for heading in HEADINGS]
GROUPS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
LONGEST = 200


def test_every_version_has_a_number_and_a_date():
    assert all(VERSIONS), HEADINGS
    numbers = [Version(found[1]) for found in VERSIONS]
    assert numbers == sorted(set(numbers), reverse=True)
    days = [found[2] for found in VERSIONS]
    if days[0] == "Unreleased":
        del days[0]
    dates = [date.fromisoformat(day) for day in days]
    assert dates == sorted(dates, reverse=True)


def test_the_newest_version_is_that_of_the_settings():
    newest, ours = VERSIONS[0], Version(settings.VERSION)
    assert ours.base_version == newest[1]
    assert ours.is_prerelease == (newest[2] == "Unreleased")


def test_groups_are_those_of_keep_a_changelog_in_its_order():
    for version in CHANGELOG.split("\n## ")[1:]:
        groups = re.findall(r"^### (.+)$", version, re.MULTILINE)
        assert groups == [group for group in GROUPS if group in groups], version.splitlines()[0]


def test_a_change_is_one_short_line():
    for version in CHANGELOG.split("\n## ")[1:]:
        for line in filter(None, version.splitlines()[1:]):
            assert line.startswith(("- ", "### ", "#### ")), line
            assert len(re.sub(r"\]\([^)\s]+\)", "]", line)) <= LONGEST, line
