"""Texts and judgments are imported through the pages, as by a manager."""

import re

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Judgment, TestSet
from tests import factory
from tests.judgments.files.files import written

from .judging import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def manager(page: Page, site: str):
    """A signed-in owner of campaigns, and the page that they see."""
    sign_in(page, site, factory.make_user("manager", is_staff=True))
    return page


@pytest.mark.parametrize("width", [360, 1440])
def test_texts_then_judgments(manager: Page, site: str, tmp_path, axe, width):
    page = manager
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site + "/testsets/")
    expect(page.get_by_role("heading", name="No test set yet")).to_be_visible()
    axe(page)
    page.get_by_text("New test set").click()
    axe(page)
    page.get_by_label(re.compile("^Name")).fill("Weather")
    page.get_by_label(re.compile("^Source language")).fill("ar")
    page.get_by_label(re.compile("^Target language")).fill("en")
    page.get_by_label(re.compile("^Source text")).set_input_files(
        written(tmp_path / "src.txt", "الطقس جميل اليوم.", "غدا تمطر.")
    )
    page.get_by_label(re.compile("^Reference")).set_input_files(
        written(tmp_path / "human.txt", "The weather is fine today.", "It will rain tomorrow.")
    )
    systems = page.get_by_label(re.compile("^System outputs"))
    first = written(tmp_path / "one.txt", "Weather beautiful today.", "Tomorrow rains.")
    short = written(tmp_path / "two.txt", "The weather is nice today.")
    systems.set_input_files([first, short])
    page.get_by_role("button", name="Import the test set").click()
    summary = page.get_by_role("alert")
    expect(summary).to_contain_text("two.txt, row 2: the file has 1 line, but src.txt has 2.")
    axe(page)

    written(short, "The weather is nice today.", "Tomorrow it will rain.")
    page.get_by_label(re.compile("^Source text")).set_input_files(tmp_path / "src.txt")
    page.get_by_label(re.compile("^Reference")).set_input_files(tmp_path / "human.txt")
    systems.set_input_files([first, short])
    page.get_by_role("button", name="Import the test set").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Weather")
    source = page.get_by_text("الطقس جميل اليوم.")
    expect(source).to_have_css("direction", "rtl")
    expect(page.get_by_text("Tomorrow rains.")).to_have_css("direction", "ltr")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    axe(page)
    judgments_come_in(page, site, tmp_path, axe)


def judgments_come_in(page: Page, site: str, tmp_path, axe):
    test_set = TestSet.objects.get(name="Weather")
    campaign = factory.make_campaign(test_set, owner=test_set.owner)
    header = "annotator\tsegment\tsystem\tdimension\tvalue"
    bad = written(tmp_path / "bad.tsv", header, "Mia\t1\tone\tadequacy\t7")
    good = written(tmp_path / "good.tsv", header, "Mia\t1\tone\tadequacy\t3")
    page.goto(f"{site}/campaigns/{campaign.pk}/import/")
    axe(page)
    page.get_by_label("File of judgments").set_input_files(bad)
    page.get_by_role("button", name="Import the judgments").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "bad.tsv, row 2, column value: 7 is not on the scale from 1 to 5"
    )
    axe(page)
    page.get_by_label("File of judgments").set_input_files(good)
    page.get_by_role("button", name="Import the judgments").click()
    expect(page.get_by_role("status")).to_contain_text("Imported 1 judgments by 1 annotators.")
    assert Judgment.objects.filter(campaign=campaign).count() == 1
