"""The page that translates by composing machines: read step by step, changed, without scripts."""

import pytest
from playwright.sync_api import Browser, Page, expect

from .judging import SIZES

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]
STEPS = ["T", "S", "U", "Y", "V", "V2", "W", "L", "WL"]


def finding(page: Page, letter: str) -> str:
    return page.locator(f"[data-finding={letter}]").inner_text()


def labels(page: Page, letter: str) -> list[str]:
    """What stands on the arcs of a drawing."""
    drawing = page.locator("section", has=page.locator(f"#step-{letter}")).get_by_role("img")
    return drawing.locator(".machine-label:not(.machine-name)").all_text_contents()


@pytest.mark.parametrize(("size", "theme"), [("phone", "dark"), ("desk", "light")])
def test_the_lectures_example_step_by_step(page: Page, site: str, axe, size, theme):
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=theme)
    page.goto(site)
    page.get_by_role("link", name="About mteval").click()
    page.get_by_role("link", name="translation by transducers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Translation by transducers")
    for letter in STEPS:
        section = page.locator("section", has=page.locator(f"#step-{letter}"))
        drawing = section.get_by_role("img")
        drawing.scroll_into_view_if_needed()
        box = drawing.bounding_box()
        assert box and box["height"] > 50
        section.get_by_text("Arcs as a table").click()
        expect(section.get_by_role("table")).to_be_visible()
    assert labels(page, "T") == ["that", "is", "the", "fundamental", "problem"]
    assert "the : that_is_the" in labels(page, "S")
    assert labels(page, "U") == ["that_is_the", "fundamental_problem"]
    assert finding(page, "U") == "1 segmentation"
    assert len(labels(page, "Y")) == 6
    assert finding(page, "V") == "9 target sequences"
    assert sorted(labels(page, "V"))[-3:] == ["qui_est", "qui_est_le", "voila"]
    assert "18 target sequences" in finding(page, "V2")
    best = page.locator("#best tbody tr").first
    expect(best).to_contain_text("voila le probleme fondamental")
    expect(page.locator("#readings")).to_contain_text("the lecture’s warning")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    axe(page)


def test_every_step_follows_what_is_changed(page: Page, site: str, axe):
    page.goto(f"{site}/transducers/")
    page.get_by_text("Change the example").click()
    page.get_by_label("Sentence", exact=True).fill("the old house")
    page.get_by_role("textbox", name="Phrase table").fill("the house")
    page.get_by_role("button", name="Translate").click()
    summary = page.locator(".error-summary")
    expect(summary).to_contain_text("Row 1: a phrase, its translation")
    axe(page)
    rows = "the | das | 0.25\nold | alte\nhouse | Haus\nold house | Altbau | 0.5\nthe | der"
    page.get_by_role("textbox", name="Phrase table").fill(rows)
    page.get_by_label("Text of the language model").fill("10 × das alte haus\nder altbau")
    page.get_by_label("Back-off").select_option("kneser-ney")
    page.get_by_label("Phrases change places").select_option("0")
    page.get_by_role("button", name="Translate").click()
    assert finding(page, "T") == "3 words"
    assert finding(page, "U") == "2 segmentations"
    assert finding(page, "V") == "4 target sequences"
    assert "the : das / 1.39" in labels(page, "Y")
    assert finding(page, "V2") == "2 source sequences, 4 target sequences"
    assert finding(page, "W") == "4 different sentences"
    expect(page.locator("#best tbody tr")).to_have_count(4)
    expect(page.locator("#best tbody tr").first).to_contain_text("das alte haus")
    expect(page.locator("#readings")).to_contain_text("the same weights")
    # Another order of the phrases, by the address that can be shared.
    page.goto(page.url.replace("window=0", "window=2"))
    assert finding(page, "V2") == "8 source sequences, 16 target sequences"
    page.get_by_text("Change the example").click()
    page.get_by_role("link", name="Back to the lecture’s example").click()
    assert finding(page, "V") == "9 target sequences"


def test_without_scripts_and_with_words_from_right_to_left(browser: Browser, site: str):
    context = browser.new_context(java_script_enabled=False, viewport=SIZES["phone"])
    page = context.new_page()
    page.goto(f"{site}/transducers/")
    page.locator("#change > summary").click()
    page.locator("[name=sentence]").fill("البيت القديم")
    page.locator("#change button[type=submit]").click()
    assert finding(page, "U") == "0 segmentations"
    expect(page.locator(".message.warning")).to_contain_text("البيت, القديم")
    page.locator("#change > summary").click()
    page.locator("[name=table]").fill("البيت | house\nالقديم | the old")
    page.locator("[name=text]").fill("the old house")
    page.locator("#change button[type=submit]").click()
    assert labels(page, "U") == ["البيت", "القديم"]
    expect(page.locator("#best tbody tr").first).to_contain_text("the old house")
    # A machine starts at the left, whatever it reads.
    drawing = page.locator(".machine-drawing").first.bounding_box()
    start = page.locator(".machine-drawing .is-start").first.bounding_box()
    assert drawing and start
    assert start["x"] - drawing["x"] < 60
    context.close()
