"""Words of a long text are linked a pair of sentences at a time."""

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import AlignmentLink

from .judging import at_item
from .test_reading import long_campaign, open_item

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


def shown(page: Page, side: str) -> str:
    words = page.locator(f"[data-{side}] .token:visible").all_inner_texts()
    return " ".join(words)


def test_a_pair_of_sentences_by_keyboard(page: Page, site: str, annotator, axe):
    campaign = long_campaign(annotator, "word-alignment", "en", 1)
    open_item(page, site, annotator, campaign)
    said, go = page.locator("#status"), page.locator("#go")
    assert shown(page, "source") == "Der Rat trat am Abend des 3 . Oktober erneut zusammen ."
    assert shown(page, "target") == "The council met again in the evening of October 3 ."
    expect(go).to_have_text("Next sentence (2 of 4)")
    for key in ("ArrowRight", "Home", "ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(said).to_have_text("Der – The: sure")
    page.keyboard.press("PageDown")
    expect(said).to_have_text("Sentence 2 of 4. Dr")
    assert shown(page, "target") == "Dr . Nowak left before the vote ."
    # Beyond the pair: at the end of the translation the arrow shows its next sentence.
    for key in ("ArrowDown", "End", "ArrowRight", "Space"):
        page.keyboard.press(key)
    expect(said).to_have_text("Dr – In: sure")
    assert shown(page, "target").endswith("vote . In vain ?")
    expect(page.locator(".link-lines line")).to_have_count(1)
    axe(page)
    page.reload()
    at_item(page, 1)  # it goes on where the last link is
    assert shown(page, "source") == "Dr . Nowak ging vor der Abstimmung ."
    assert shown(page, "target").endswith("vote . In vain ?")
    # Enter leads to what was not looked at, and submits only then.
    page.locator("[data-source] .is-chosen").focus()
    page.keyboard.press("Enter")
    expect(said).to_have_text("Sentence 3 of 4. Umsonst")
    # What its words are linked to is shown too.
    assert shown(page, "source") == "Dr . Nowak ging vor der Abstimmung . Umsonst ?"
    page.keyboard.press("Enter")
    expect(go).to_have_text("Submit and continue")
    page.keyboard.press("Enter")
    at_item(page, 2)
    links = AlignmentLink.objects.values_list("source_token", "target_token").order_by("pk")
    assert list(links) == [(0, 0), (12, 19)]


def test_source_and_translation_keep_together_by_touch(browser: Browser, site: str, annotator):
    campaign = long_campaign(annotator, "word-alignment", "en", 1)
    context = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}
    )
    page = context.new_page()
    open_item(page, site, annotator, campaign)
    source, target = page.locator("[data-source] .token"), page.locator("[data-target] .token")
    source.first.tap()
    target.first.tap()
    for _ in range(3):
        page.locator("#go").tap()
    page.get_by_role("button", name="Previous sentence (Translation)").tap()
    assert shown(page, "target").startswith("In vain ?")
    page.locator("[data-target] .token:visible").last.scroll_into_view_if_needed()
    dock = page.locator(".dock").bounding_box()
    for side in ("source", "target"):  # the last word of the one, the first of the other
        box = page.locator(f"[data-{side}] .token:visible").last.bounding_box()
        assert box
        assert dock
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= dock["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    context.close()


def test_the_source_follows_the_links(page: Page, site: str, annotator):
    """A sentence of the source that is longer than its pane."""
    campaign = long_campaign(annotator, "word-alignment", "en", 1)
    page.set_viewport_size({"width": 320, "height": 220})
    open_item(page, site, annotator, campaign)
    pane = page.locator("[data-source]")
    assert pane.evaluate("e => e.scrollHeight > e.clientHeight + 40")
    page.evaluate(
        """() => {
            const [first, last] = ["source", "target"].map((side) =>
                [...document.querySelectorAll(`[data-${side}] .token:not([hidden])`)]);
            first.at(-1).click();
            last[2].click();
            first[0].click();
            document.querySelector("[data-source]").scrollTop = 0;
        }"""
    )
    page.keyboard.press("ArrowDown")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".is-opposite")).to_have_text(".")
    assert pane.evaluate("e => e.scrollTop") > 40
