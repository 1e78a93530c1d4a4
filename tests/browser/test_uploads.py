"""Scores and post-edits are imported through the pages, as by the owner of a test set."""

import re

import pytest
from playwright.sync_api import Page, expect

from judgments.models import TargetedReference, TestSet
from metrics.models import MetricScore
from tests import factory
from tests.judgments.files.files import written

from .judging import intercept, sign_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


@pytest.fixture
def test_set(page: Page, site: str):
    """Of the person who is signed in."""
    owner = factory.make_user("owner", is_staff=True)
    sign_in(page, site, owner)
    return factory.make_test_set(owner, target_language="ar")


@pytest.mark.parametrize("width", [360, 1440])
def test_scores(page: Page, site: str, test_set, tmp_path, axe, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{site}/testsets/{test_set.pk}/metrics/")
    page.get_by_role("link", name="Add scores from a file").click()
    expect(page.get_by_role("button", name="Add the scores")).to_be_visible()
    axe(page)
    files = page.get_by_label(re.compile("^Files"))
    scores = written(tmp_path / "COMET-22-ref.sys.score", "System-A 0.8", "System-B 0,9")
    files.set_input_files(scores)
    page.get_by_role("button", name="Add the scores").click()
    expect(page.get_by_role("alert")).to_contain_text("Say whether higher or lower scores")
    axe(page)
    page.get_by_label("Higher is better").check()
    files.set_input_files(scores)
    page.get_by_role("button", name="Add the scores").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "COMET-22-ref.sys.score, row 2: “0,9” is not a finite number."
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    axe(page)
    written(scores, "System-A 0.8", "System-B 0.9")
    files.set_input_files(scores)
    page.get_by_role("button", name="Add the scores").click()
    expect(page.get_by_role("status").first).to_contain_text("COMET-22 (uploaded)")
    assert MetricScore.objects.count() == 2
    with page.expect_download() as packed:
        page.get_by_role("link", name=re.compile("^All scores as mt-metrics-eval files")).click()
    assert packed.value.suggested_filename == f"scores-{test_set.pk}.zip"


def test_files_stay_chosen_until_the_form_is_right(page: Page, site: str, test_set, tmp_path, axe):
    page.goto(f"{site}/testsets/new/")
    for label, name, lines in (
        ("Source text", "source.txt", ["eins", "zwei"]),
        ("System outputs", "A.txt", ["one", "two"]),
    ):
        page.get_by_label(re.compile(f"^{label}")).set_input_files(written(tmp_path / name, *lines))
    page.get_by_label("Name", exact=True).fill("Two lines")
    page.get_by_role("button", name="Import the test set").click()
    expect(page.get_by_role("alert")).to_contain_text("Source language")
    expect(page.get_by_role("alert")).to_be_focused()
    axe(page)
    page.get_by_label("Source language").fill("de")
    page.get_by_role("button", name="Import the test set").click()
    expect(page.get_by_role("alert")).not_to_contain_text("Source language")
    page.get_by_label("Target language").fill("en")
    intercept(page, "**/testsets/new/", lambda route: route.abort())
    page.get_by_role("button", name="Import the test set").click()
    expect(page.get_by_role("alert").first).to_contain_text("check before you send it again")
    axe(page)
    page.unroute("**/testsets/new/")
    page.get_by_role("button", name="Import the test set").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Two lines")
    expect(page.get_by_role("status").first).to_contain_text("The test set was imported")
    assert TestSet.objects.get(name="Two lines").segments.count() == 2


@pytest.mark.parametrize("width", [360, 1440])
def test_post_edits(page: Page, site: str, test_set, tmp_path, axe, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{site}/testsets/{test_set.pk}/")
    page.get_by_role("link", name="Post-edits").click()
    expect(page.get_by_role("button", name="Import the post-edits")).to_be_visible()
    axe(page)
    files = page.get_by_label(re.compile("^Post-edited outputs"))
    files.set_input_files(written(tmp_path / "System-A.txt", "واحد"))
    page.get_by_role("button", name="Import the post-edits").click()
    expect(page.get_by_role("alert")).to_contain_text("the file has 1 line, but the test set has 4")
    axe(page)
    files.set_input_files(written(tmp_path / "System-A.txt", "واحد", "", "", "أربعة"))
    page.get_by_role("button", name="Import the post-edits").click()
    expect(page.get_by_role("status").first).to_contain_text("Imported 2 post-edits.")
    expect(page.get_by_role("table")).to_contain_text("System-A")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    axe(page)
    assert TargetedReference.objects.count() == 2
