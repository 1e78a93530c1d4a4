"""Reading a long paragraph: the source follows, what lies opposite is marked."""

import random

import pytest
from nltk.translate.gale_church import align_blocks
from playwright.sync_api import Browser, Page, expect

from judgments.models import Output, Segment
from tests import factory

from .judging import SIZES, at_item, make_campaign, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

GERMAN = [
    "Der Rat trat am Abend des 3. Oktober erneut zusammen.",
    "Dr. Nowak ging vor der Abstimmung.",
    "Umsonst?",
    "Niemand weiß es, und die Zeitungen werden lange darüber schreiben.",
]
ENGLISH = [
    "The council met again in the evening of October 3.",
    "Dr. Nowak left before the vote.",
    "In vain?",
    "Nobody knows, and the newspapers will write about it at length.",
]
# Four sentences, again and again.
SOURCE = " ".join(GERMAN) + " "
TARGETS = {
    "en": " ".join(ENGLISH) + " ",
    "ar": (
        "اجتمع المجلس مرة أخرى في مساء الثالث من أكتوبر. وغادر السيد نوفاك قبل التصويت بقليل. "
        "عبثا؟ لا أحد يعلم، وستكتب الصحف عن ذلك مطولا. "
    ),
    "zh": (
        "市议会在十月三日晚上再次召开会议。诺瓦克博士在投票前离开。"
        "徒劳吗？没有人知道，报纸会长篇大论地报道。"
    ),
}
TIMES = 20


@pytest.fixture(params=TARGETS)
def long(request, annotator):
    """ESA of a segment of eighty sentences, in a language."""
    return long_campaign(annotator, "esa", request.param)


def long_campaign(annotator, preset, language, times=TIMES, **options):
    campaign = make_campaign(annotator, preset, target_language=language)
    campaign.test_set.source_language = "de"
    campaign.test_set.save()
    campaign.options |= options
    campaign.save()
    Segment.objects.update(source=SOURCE * times)
    Output.objects.update(text=TARGETS[language] * times)
    factory.make_task(campaign, annotator, n_outputs=1)
    return campaign


def open_item(page: Page, site: str, annotator, campaign) -> None:
    page.emulate_media(reduced_motion="reduce")
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)


def source_moved(page: Page, before: float) -> float:
    """How far down the source is scrolled, once that is another place than before and at rest."""
    for _ in range(100):
        page.wait_for_timeout(50)
        if abs(top_of(page) - before) > 20:
            page.wait_for_timeout(500)
            return top_of(page)
    raise AssertionError(f"The source stays at {before}.")


PANE = "document.querySelector('.given details')"


def top_of(page: Page) -> float:
    return page.evaluate(f"{PANE}.scrollTop")


def marked(page: Page, name: str = "opposite") -> list[str]:
    return page.evaluate(f"[...CSS.highlights.get('{name}')].map(String)")


def is_in_sight(page: Page) -> bool:
    """Return whether the mark in the source is in the pane, below its heading."""
    return page.evaluate(
        f"""() => {{
            const [range] = CSS.highlights.get("opposite");
            const [box, pane] = [range.getBoundingClientRect(), {PANE}.getBoundingClientRect()];
            return box.top >= pane.top + 20 && box.bottom <= pane.bottom;
        }}"""
    )


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_the_source_follows_the_cursor(page: Page, site: str, annotator, long, size):
    """The last word of the translation: the end of the source comes, its sentence marked."""
    page.set_viewport_size(SIZES[size])
    open_item(page, site, annotator, long)
    text = page.locator(".spans .segment-text")
    text.focus()
    page.keyboard.press("End")
    end = source_moved(page, 0)
    assert end > 500
    assert marked(page) == [GERMAN[3]]
    assert is_in_sight(page)
    page.keyboard.press("Home")
    assert source_moved(page, end) < 40
    assert marked(page) == [GERMAN[0]]


@pytest.mark.proof
def test_a_key_moves_the_source_alone(page: Page, site: str, annotator):
    open_item(page, site, annotator, long_campaign(annotator, "da-sqm", "en"))
    page.keyboard.press("Shift+PageDown")
    first = source_moved(page, 0)
    page.keyboard.press("Shift+PageDown")
    second = source_moved(page, first)
    page.keyboard.press("Shift+PageUp")
    assert abs(source_moved(page, second) - first) < 2
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("scroll only the source")
    page.keyboard.press("Shift+PageDown")  # belongs to the dialog
    assert abs(top_of(page) - first) < 2


def test_the_source_follows_scrolling_and_the_mouse(page: Page, site: str, annotator):
    page.set_viewport_size(SIZES["desk"])
    open_item(page, site, annotator, long_campaign(annotator, "da-sqm", "en", 40))
    page.mouse.move(1200, 700)
    page.wait_for_timeout(900)  # the mouse is at rest, and the row was opened long enough ago
    page.mouse.wheel(0, 900)
    middle = source_moved(page, 0)
    page.mouse.wheel(0, 1500)
    assert source_moved(page, middle) > 1.5 * middle
    assert marked(page) == [GERMAN[3]]
    text = page.locator(".judged .segment-text").bounding_box()
    assert text and text["y"] < 0
    page.evaluate(f"{PANE}.scrollTop = 0")
    page.mouse.move(text["x"] + 40, 15)  # on the first of the lines that can be seen
    assert source_moved(page, 0) > 1.2 * middle
    assert is_in_sight(page)


@pytest.mark.proof
def test_the_source_follows_the_caret_of_an_editor(page: Page, site: str, annotator):
    page.set_viewport_size(SIZES["desk"])
    open_item(page, site, annotator, long_campaign(annotator, "post-editing", "en"))
    page.keyboard.press("1")
    page.keyboard.press("Control+End")
    source_moved(page, 0)
    assert marked(page) == [GERMAN[3]]


@pytest.mark.proof
def test_on_a_phone_the_source_is_pinned_and_keeps_its_place(
    browser: Browser, site: str, annotator, axe
):
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    open_item(page, site, annotator, long_campaign(annotator, "da-sqm", "ar"))
    page.wait_for_timeout(700)
    page.evaluate("scrollTo(0, document.querySelector('.judged .segment-text').offsetHeight / 2)")
    middle = source_moved(page, 0)
    assert is_in_sight(page)
    pane = page.locator(".given details").bounding_box()
    assert pane and abs(pane["y"]) < 1  # on top of the window
    page.touchscreen.tap(100, 10)
    expect(page.locator(".given .segment-text")).to_be_hidden()
    page.touchscreen.tap(100, 10)
    assert source_moved(page, 0) == middle
    assert is_in_sight(page)
    axe(page)
    context.close()


@pytest.mark.proof
def test_pairs_are_those_of_gale_and_church(page: Page, site: str, annotator):
    """NLTK's implementation says the same of the same lengths; where the texts differ in length as
    a whole, ours has their factor, and a translation that stops is not stretched."""
    open_item(page, site, annotator, long_campaign(annotator, "da-sqm", "en"))
    draw = random.Random(3)
    for _ in range(40):
        ones = [draw.randint(20, 150) for _ in range(draw.randint(2, 12))]
        others = [max(5, round(draw.gauss(n, 6))) for n in ones]
        if draw.random() < 0.7:  # two sentences have become one
            at = draw.randrange(len(others) - 1)
            others[at : at + 2] = [sum(others[at : at + 2])]
        found = page.evaluate(
            """([ones, others]) => {
                const sums = (all) => all.reduce((sum, n) => [...sum, sum.at(-1) + n], [0]);
                return mtevalPairs.likeliest(sums(ones), sums(others), 1)[1];
            }""",
            [ones, others],
        )
        links = {(i, j) for a, b, c, d in found for i in range(a, b) for j in range(c, d)}
        assert links == set(align_blocks(ones, others))


@pytest.mark.proof
def test_a_translation_that_stops_is_not_stretched(page: Page, site: str, annotator):
    """The last two of five rounds are not translated: they are opposite of nothing."""
    campaign = long_campaign(annotator, "da-sqm", "en", 5)
    Output.objects.update(text=" ".join(ENGLISH * 3))
    open_item(page, site, annotator, campaign)
    pairs = page.evaluate(
        """() => {
            const [one, other] = document.querySelectorAll(".segment-text");
            return mtevalPairs.pairs(one, other).map(([a, b, c, d]) =>
                [one.textContent.slice(a, b).trim(), other.textContent.slice(c, d).trim()]);
        }"""
    )
    assert pairs[:-1] == list(map(list, zip(GERMAN * 3, ENGLISH * 3, strict=True)))
    assert pairs[-1] == [(SOURCE * 2).strip(), ""]
