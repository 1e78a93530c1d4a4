"""Practice before the work; notes and settings during it."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Judgment, Note, Practice, ReadingSettings, Task

from .judging import SIZES, at_item, press, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_practice_by_keyboard_then_the_work(page: Page, site: str, annotator, campaign, axe):
    Practice.objects.create(
        campaign=campaign,
        position=0,
        source="Es regnet.",
        outputs=["It rains."],
        expected={"output1-adequacy": 5, "output1-fluency": 5},
        feedback="Nothing is missing.",
    )
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    expect(page.get_by_role("note")).to_contain_text("does not count")
    axe(page)
    page.keyboard.press("Enter")
    expect(page.locator("#go")).to_have_text("2 answers missing")
    press(page, "54")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Not quite")).to_be_visible()
    expect(page.get_by_text("Nothing is missing.")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Continue to your work").click()
    at_item(page, 1)
    assert not Judgment.objects.exists()


def test_skip_and_flag_by_keyboard(judging: Page, axe):
    at_item(judging, 1)
    judging.keyboard.press("x")
    panel = judging.get_by_role("dialog", name="Skip or flag")
    expect(panel.get_by_role("radio").first).to_be_focused()
    axe(judging)
    judging.keyboard.press("Space")
    panel.get_by_role("button", name="Skip this item").press("Enter")
    at_item(judging, 2)
    press(judging, "12")
    judging.keyboard.press("x")
    panel.get_by_label("Comment").fill("A word is cut off.")
    panel.get_by_role("button", name="Only flag it").click()
    at_item(judging, 2)
    expect(judging.locator("#go")).to_have_text("4 answers missing")  # the others are still there
    assert list(Note.objects.values_list("kind", flat=True)) == ["skip", "flag"]
    assert Task.objects.get().n_skipped == 1


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_settings_by_touch(browser: Browser, site: str, annotator, campaign, axe, size):
    context = browser.new_context(viewport=SIZES[size], has_touch=True)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/2/")
    at_item(page, 2)
    before = page.locator("p.segment-text").first.evaluate("e => getComputedStyle(e).fontSize")
    page.get_by_role("link", name="Settings").tap()
    panel = page.get_by_role("dialog", name="Settings")
    panel.get_by_label("Text size").select_option("150")
    panel.get_by_label("Colors").select_option("dark")
    panel.get_by_label("Language of these pages").select_option("ar")
    axe(page)
    panel.get_by_role("button", name="Save").tap()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    at_item(page, 2)
    assert re.search(r"/2/$", page.url)
    after = page.locator("p.segment-text").first.evaluate("e => getComputedStyle(e).fontSize")
    assert float(after[:-2]) == pytest.approx(1.5 * float(before[:-2]))
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    axe(page)
    assert ReadingSettings.objects.get().theme == "dark"
    context.close()


@pytest.mark.proof
def test_the_mouse_shows_where_a_counterpart_stands(judging: Page):
    at_item(judging, 1)
    judging.get_by_text("Quelltext Nummer 1").hover(position={"x": 5, "y": 10})
    marked = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>
        done([...CSS.highlights.get("counterpart")].map(String)))))"""
    assert judging.evaluate(marked) == ["Source"] * 4  # the reference and three translations
    judging.mouse.move(1, 1)
    assert judging.evaluate(marked) == []


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_the_managers_pages_of_notes_practice_and_instructions(
    browser: Browser, site: str, annotator, campaign, axe, size
):
    item = Task.objects.get().items.first()
    Note.objects.create(item=item, annotator=annotator, kind="flag", comment="A word is cut off.")
    context = browser.new_context(viewport=SIZES[size])
    page = context.new_page()
    sign_in(page, site, campaign.memberships.get(role="owner").user)
    for name in ("notes", "practice", "instructions"):
        page.goto(f"{site}/campaigns/{campaign.pk}/{name}/")
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    page.goto(f"{site}/campaigns/{campaign.pk}/notes/")
    page.get_by_role("button", name="Resolve").click()
    expect(page.get_by_role("button", name="Reopen")).to_be_visible()
    context.close()
