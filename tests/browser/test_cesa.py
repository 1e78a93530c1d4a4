"""Contrastive ESA as at WMT26 in a browser: three translations side by side, marked and scored."""

import os

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from judgments.models import ErrorSpan, ItemOutput, Rating
from tests import factory

from .judging import SIZES, at_item
from .test_spans import campaign_of, done, keys, open_at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


def wmt26(annotator, **fields):
    """Three translations of an item: the same words, and no, one or two dots."""
    campaign = campaign_of(annotator, "cesa-wmt26", n_systems=3, **fields)
    campaign.test_set.documents.update(instructions="Keep the tone of a fairy tale.")
    return campaign


def look(page: Page, name: str) -> None:
    if folder := os.environ.get("LOOK"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def slider(page: Page, place: int):
    return page.locator(f"#q-output{place}-esa")


def test_by_keyboard_from_marks_to_what_is_stored(page: Page, site: str, annotator, axe):
    page.set_viewport_size(SIZES["desk"])
    campaign = wmt26(annotator)
    open_at(page, site, annotator, campaign)
    expect(page.get_by_text("Keep the tone of a fairy tale.")).to_be_visible()
    look(page, "before")
    tops = {page.locator(f"#place-{n}").bounding_box()["y"] for n in (1, 2, 3)}
    assert len(tops) == 1, "the translations do not stand beside each other"
    keys(page, "ArrowRight", "ArrowRight", "2", "g")
    expect(page.locator(".span-list li")).to_have_count(2)
    expect(page.locator(".missing-token")).to_have_text("[Instructions fault]")
    keys(page, "j", *"33", "j", *"67", "j", *"100")  # an answer leads to the next question
    expect(slider(page, 1).locator(".rank")).to_have_text("rank 3 of 3")
    expect(slider(page, 3).locator(".rank")).to_have_text("rank 1 of 3")
    look(page, "desk")
    axe(page)
    for _ in range(2):  # 67 without a mark is refused, however often it is sent
        keys(page, "Enter")
        doubt = page.locator("#q-output2-spans [data-part=doubt]")
        expect(doubt).to_contain_text("A score below 85 needs a marked error.")
    assert not Rating.objects.exists()
    look(page, "refused")
    page.locator("#q-output2-esa [type=range]").fill("100")
    expect(slider(page, 2).locator(".rank")).to_have_text("rank 1 of 3, tied")
    page.locator("#go").click()
    done(page)
    expect(page.get_by_text("of 1")).to_have_count(0)
    rows = ItemOutput.objects.order_by("position")
    shown = list(rows.values_list("output", flat=True))
    spans = ErrorSpan.objects.order_by("side").values_list(
        "output", "side", "start", "end", "severity", "category"
    )
    assert list(spans) == [
        (shown[0], "output", 0, 0, "minor", "instructions fault"),
        (shown[0], "target", 4, 7, "major", ""),
    ]
    rated = Rating.objects.filter(dimension="esa").values_list("output", "value")
    assert sorted(rated) == sorted(zip(shown, (33, 100, 100), strict=True))


@pytest.mark.parametrize(
    ("language", "theme"), [("en", "light"), ("ar", "dark")], ids=["en-light", "ar-dark"]
)
def test_by_touch_on_a_phone(browser: Browser, site: str, annotator, axe, language, theme):
    context = browser.new_context(
        viewport=SIZES["phone"], has_touch=True, color_scheme=theme, service_workers="block"
    )
    page = context.new_page()
    campaign = wmt26(annotator, language=language)
    open_at(page, site, annotator, campaign)
    first = page.locator("#q-output1-spans")
    first.locator("[data-act=mark]").scroll_into_view_if_needed()
    first.locator("[data-act=mark]").tap()
    expect(first.locator(".span-list li")).to_have_count(1)
    for place, score in enumerate(("30", "90", "95"), 1):
        page.locator(f"#q-output{place}-esa [type=range]").fill(score)
    expect(slider(page, 1).locator(".rank")).to_have_text("rank 3 of 3")
    look(page, f"phone-{language}-{theme}")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#go").tap()
    done(page)
    assert ErrorSpan.objects.get().category == "instructions fault"
    context.close()


def test_words_are_characters_where_no_spaces_stand_between_them(page: Page, site: str, annotator):
    open_at(page, site, annotator, wmt26(annotator, language="zh", texts=("猫坐在垫子上。",)))
    keys(page, "ArrowRight", "1")
    found = page.locator(".span-list .span-name").first
    expect(found).to_contain_text("character 1 of 7")


def test_no_page_of_an_annotator_says_how_much_is_left(page: Page, site: str, annotator):
    campaign = wmt26(annotator, texts=("One cat .", "Two cats .", "Three cats ."))
    open_at(page, site, annotator, campaign)
    assert page.title().startswith("Item 1 ·")
    for hidden in ("#progress", "#pace"):
        expect(page.locator(hidden)).to_be_hidden()
    for place in (1, 2, 3):
        page.locator(f"#q-output{place}-esa [type=range]").fill("90")
    page.locator("#go").click()
    at_item(page, 2)
    expect(page).to_have_title(f"Item 2 · {campaign.name}")
    page.goto(site + reverse("judge-items", args=[campaign.pk]))
    expect(page.locator(".my-items li")).to_have_count(1)
    expect(page.get_by_text("of 3")).to_have_count(0)
    page.goto(site + "/")
    expect(page.get_by_text("of 3")).to_have_count(0)
    expect(page.locator("progress")).to_have_count(0)
