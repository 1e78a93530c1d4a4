"""Comments that are about words: chosen on the screen, and sent with the note."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Note
from tests import factory

from .judging import at_item, make_campaign, press, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

# Selects a stretch of the first text that a selector finds, as somebody who drags over it.
SELECT = """([selector, from, to]) => {
  const node = document.querySelector(selector).firstChild;
  getSelection().setBaseAndExtent(node, from, node, to);
}"""


def open_item(page: Page, site: str, annotator, campaign) -> None:
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)


@pytest.mark.parametrize("width", [1440, 360])
def test_words_of_a_translation_go_with_the_flag(page: Page, site, annotator, campaign, axe, width):
    page.set_viewport_size({"width": width, "height": 800})
    open_item(page, site, annotator, campaign)
    page.evaluate(SELECT, [".judged .output:nth-of-type(2) .segment-text", 7, 11])
    page.get_by_role("link", name="Skip or flag").click()
    panel = page.get_by_role("dialog", name="Skip or flag")
    expect(panel.get_by_label("It is about these words:")).to_be_checked()
    expect(panel.locator("blockquote")).to_have_text("text")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    panel.get_by_label("Comment").fill("Odd.")
    panel.get_by_role("button", name="Only flag it").click()
    at_item(page, 1)
    note = Note.objects.get()
    assert (note.comment, note.quote, note.start, note.end) == ("Odd.", "text", 7, 11)
    assert note.output == note.item.shown.order_by("position")[1].output
    page.goto(f"{site}/judge/{campaign.pk}/items/")
    expect(page.locator("q")).to_have_text("text")


def test_by_key_and_of_the_source(page: Page, site, annotator, campaign):
    open_item(page, site, annotator, campaign)
    page.evaluate(SELECT, ["[data-part=source] .segment-text", 9, 16])
    press(page, "x")
    panel = page.get_by_role("dialog", name="Skip or flag")
    expect(panel.locator("blockquote")).to_have_text("Nummer")
    panel.get_by_text("Something else.").click()
    panel.get_by_label("Comment").fill("Which one?")
    panel.get_by_role("button", name="Only flag it").click()
    at_item(page, 1)
    note = Note.objects.get()
    assert (note.side, note.quote, note.start, note.output) == ("source", "Nummer", 10, None)


def test_without_words_the_form_says_how(page: Page, site, annotator, campaign):
    open_item(page, site, annotator, campaign)
    press(page, "x")
    panel = page.get_by_role("dialog", name="Skip or flag")
    expect(panel.get_by_text("To point out particular words")).to_be_visible()
    expect(panel.locator("blockquote")).to_be_hidden()


def test_the_error_in_work_is_what_it_is_about(page: Page, site, annotator):
    campaign = make_campaign(annotator, preset="esa")
    factory.make_task(campaign, annotator)
    open_item(page, site, annotator, campaign)
    press(page, ["ArrowRight", "Shift+ArrowRight"])  # two words are picked
    press(page, "x")
    panel = page.get_by_role("dialog", name="Skip or flag")
    expect(panel.locator("blockquote")).to_have_text("Source text")
