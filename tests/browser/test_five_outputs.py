"""Five outputs on one screen: all in sight, lined up, with their answers next to them."""

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Output, Rating, Reference, Segment
from tests import factory

from .judging import SIZES, at_item, press, sign_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

TEXT = """the council decided after long talks that its old bridge will be closed to traffic during
winter because northern pillars are no longer safe and every repair would cost more"""
WORDS = TEXT.split()
SAME = 6  # words with which every output begins

IN_SIGHT = """() => {
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const all = [...document.querySelectorAll(".output, .output .options label, .given details")];
  return all.map((each) => each.getBoundingClientRect()).every(
    ({ top, bottom, left, right }) =>
      top >= 0 && bottom <= dock.top && left >= 0 && right <= innerWidth && bottom > top);
}"""
LEFT_OF_WORD = """(n) => [...document.querySelectorAll(".output .segment-text")].map((text) => {
  let rest = n;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.length <= rest) { rest -= node.length; continue; }
    const range = document.createRange();
    range.setStart(node, rest);
    range.setEnd(node, rest + 1);
    return Math.round(range.getBoundingClientRect().left * 10) / 10;
  }
})"""


def sentence(n_words: int, seed: int) -> str:
    words = random.Random(seed).choices(WORDS, k=n_words - SAME)
    return " ".join([*WORDS[:SAME], *words])


def open_five(page: Page, site: str, annotator, preset: str, n_words: int, **languages) -> None:
    owner = factory.make_user(f"owner-{preset}-{n_words}")
    test_set = factory.make_test_set(owner, n_segments=2, n_systems=5, **languages)
    for number, output in enumerate(Output.objects.filter(system__test_set=test_set)):
        Output.objects.filter(pk=output.pk).update(text=sentence(n_words, number))
    Segment.objects.filter(test_set=test_set).update(source=sentence(n_words, 98))
    Reference.objects.filter(segment__test_set=test_set).update(text=sentence(n_words, 99))
    campaign = factory.make_campaign(test_set, preset=preset, annotators=[annotator])
    factory.make_task(campaign, annotator)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)


@pytest.mark.parametrize("preset", ["adequacy-fluency", "relative-ranking"])
def test_five_sentences_are_in_sight_with_their_answers(
    page: Page, site: str, annotator, axe, preset
):
    page.set_viewport_size(SIZES["desk"])
    for n_words in (25, 30):
        open_five(page, site, annotator, preset, n_words)
        assert page.locator(".output").count() == 5
        assert page.evaluate(IN_SIGHT), n_words
        # What begins the same stands below itself, up to the first word that differs.
        shared = len(" ".join(WORDS[:SAME]))
        for place in (0, shared // 2, shared - 1):
            lefts = page.evaluate(LEFT_OF_WORD, place)
            assert len(set(lefts)) == 1 and len(lefts) == 5
    axe(page)


def test_each_group_has_its_whole_name_and_a_digit_answers(page: Page, site: str, annotator):
    page.set_viewport_size(SIZES["desk"])
    open_five(page, site, annotator, "adequacy-fluency", 25)
    third = page.get_by_role("radiogroup", name="Fluency of translation 3")
    expect(third.get_by_role("radio", name="3 Non-native English")).to_be_visible()
    assert page.get_by_role("radiogroup").count() == 10
    expect(page.locator(".asked-anchors").first).to_contain_text("5 All")
    press(page, "5544332211")
    page.keyboard.press("Enter")
    at_item(page, 2)
    values = Rating.objects.order_by("output__system__name", "dimension")
    assert list(values.values_list("value", flat=True)) == [5, 5, 4, 4, 3, 3, 2, 2, 1, 1]


def test_differences_come_and_go_by_key(page: Page, site: str, annotator):
    page.set_viewport_size(SIZES["desk"])
    open_five(page, site, annotator, "relative-ranking", 25)
    mark = page.locator(".differs").first
    button = page.get_by_role("button", name="Underline differences")

    def lines() -> list[str]:
        look = "(all) => [...new Set(all.map((m) => getComputedStyle(m).textDecorationLine))]"
        return page.locator(".differs").evaluate_all(look)

    expect(mark).to_be_attached()
    assert lines() == ["none"]
    expect(button).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("d")
    assert lines() == ["underline"]
    assert page.evaluate(IN_SIGHT)
    page.reload()
    at_item(page, 1)
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("d")
    assert lines() == ["none"]


def test_on_a_phone_they_are_cards(browser: Browser, site: str, annotator):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    open_five(page, site, annotator, "adequacy-fluency", 25)
    expect(page.locator(".asked-anchors").first).to_be_hidden()
    first = page.locator("#q-output1-fluency")
    expect(first.get_by_text("Flawless English", exact=True)).to_be_visible()
    text = page.locator(".output .segment-text").first.bounding_box()
    question = first.bounding_box()
    assert text and question and question["y"] >= text["y"] + text["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()
