"""Reading a paragraph sentence by sentence: the pair in work is lit, what is unread is grey."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import ErrorSpan, ReadingSettings
from tests import factory

from .judging import SIZES, at_item, make_campaign, press, sign_in
from .test_comparison import long_work
from .test_comparison import open_item as open_table
from .test_reading import ENGLISH, GERMAN, is_in_sight, long_campaign, marked, open_item

pytestmark = pytest.mark.django_db(transaction=True)

LUMINANCE = """(color) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""


def grey(page: Page) -> list[int]:
    """How many characters of each text are grey: of the translations, of the source."""
    return [len(text) for text in marked(page, "unread")]


def test_the_space_bar_goes_on_and_back(page: Page, site: str, annotator, axe):
    campaign = long_campaign(annotator, "esa", "en", 3, sentence_steps=True)
    open_item(page, site, annotator, campaign)
    control = page.locator("#sentence-steps")
    expect(control).to_have_text(re.compile(r"1 / 12"))
    assert marked(page, "lit") == [ENGLISH[0], GERMAN[0]]
    before = grey(page)
    page.keyboard.press(" ")
    assert marked(page, "lit") == [ENGLISH[1], GERMAN[1]]
    expect(page.locator("#status")).to_have_text("Sentence 2 of 12")
    after = grey(page)
    assert [was - now for was, now in zip(before, after, strict=True)] == [
        len(ENGLISH[1]) + 1,
        len(GERMAN[1]) + 1,
    ]
    page.keyboard.press("Shift+ ")
    assert marked(page, "lit") == [ENGLISH[0], GERMAN[0]]
    assert grey(page) == after  # it was read
    axe(page)
    for _ in range(11):
        page.keyboard.press(" ")
    assert marked(page, "lit") == [ENGLISH[3], GERMAN[3]]
    assert grey(page) == []
    page.keyboard.press(" ")
    expect(page.locator("#status")).to_have_text("All sentences have been read.")
    page.keyboard.press("ArrowRight")  # marks words as ever
    page.keyboard.press("1")
    expect(page.locator(".span-list li")).to_have_count(1)
    assert ErrorSpan.objects.count() == 0


@pytest.mark.proof
def test_a_place_that_is_gone_to_counts_as_read(page: Page, site: str, annotator):
    campaign = long_campaign(annotator, "esa", "ar", 5, sentence_steps=True)
    open_item(page, site, annotator, campaign)
    page.locator(".spans .segment-text").focus()
    page.keyboard.press("End")
    assert grey(page) == []
    assert marked(page, "lit")[1] == GERMAN[3]
    page.keyboard.press("Home")
    assert marked(page, "lit")[1] == GERMAN[0]


@pytest.mark.proof
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_by_touch_and_what_is_grey_can_be_read(
    browser: Browser, site: str, annotator, axe, size, scheme
):
    context = browser.new_context(viewport=SIZES[size], has_touch=True, color_scheme=scheme)
    page = context.new_page()
    campaign = long_campaign(annotator, "da-sqm", "zh", 10, sentence_steps=True)
    open_item(page, site, annotator, campaign)
    expect(page.locator("#sentence-steps")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    for _ in range(20):
        page.get_by_role("button", name="Next sentence").tap()
    expect(page.locator("#sentence-steps")).to_contain_text("21 /")
    text = page.evaluate(
        """() => {
            const [range] = CSS.highlights.get("lit");
            const box = range.getBoundingClientRect();
            return [box.top, box.bottom, mtevalReading.room()];
        }"""
    )
    top, bottom, room = text
    assert room["top"] <= top and bottom <= room["bottom"]
    page.wait_for_timeout(300)
    axe(page)
    contrasts = page.evaluate(
        f"""() => {{
            const luminance = {LUMINANCE};
            const style = getComputedStyle(document.querySelector(".given details"));
            const front = luminance(style.getPropertyValue("--unread"));
            return [style.backgroundColor, style.getPropertyValue("--pico-background-color")].map(
                (color) => {{
                    const [less, more] = [front, luminance(color)].sort((a, b) => a - b);
                    return (more + 0.05) / (less + 0.05);
                }});
        }}"""
    )
    assert min(contrasts) >= 4.5, contrasts
    context.close()


@pytest.mark.proof
def test_the_annotator_has_the_last_word(page: Page, site: str, annotator):
    campaign = long_campaign(annotator, "da-sqm", "en", 3, sentence_steps=True)
    settings = ReadingSettings.objects.create(user=annotator, sentence_steps="off")
    open_item(page, site, annotator, campaign)
    expect(page.locator("#sentence-steps")).to_be_hidden()
    page.locator(".judged .segment-text").click(position={"x": 10, "y": 10})
    assert marked(page) == [GERMAN[0]]  # the source follows all the same
    assert is_in_sight(page)
    campaign.options["sentence_steps"] = False
    campaign.save()
    settings.sentence_steps = "on"
    settings.save()
    page.reload()
    expect(page.locator("#sentence-steps")).to_be_visible()
    assert marked(page, "lit") == [ENGLISH[0], GERMAN[0]]
    settings.sentence_steps = ""
    settings.save()
    page.reload()
    at_item(page, 1)
    expect(page.locator("#sentence-steps")).to_be_hidden()


@pytest.mark.proof
def test_what_was_judged_was_read(page: Page, site: str, annotator):
    campaign = long_campaign(annotator, "da-sqm", "en", 3, sentence_steps=True)
    open_item(page, site, annotator, campaign)
    assert len(grey(page)) == 2
    press(page, "5")
    page.keyboard.press("Enter")
    at_item(page, 2)
    assert len(grey(page)) == 2  # the next one was not
    page.keyboard.press("p")
    at_item(page, 1)
    assert grey(page) == []


@pytest.mark.proof
def test_one_sentence_has_no_steps(page: Page, site: str, annotator):
    campaign = make_campaign(annotator, "da-sqm", options={"sentence_steps": True})
    factory.make_task(campaign, annotator, n_outputs=1)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    expect(page.locator("#sentence-steps")).to_be_hidden()
    assert marked(page, "lit") == []


def test_arrows_enter_where_one_reads(page: Page, site: str, annotator):
    """After nine steps the first arrow is at the ninth sentence, and not at the first word."""
    campaign = long_campaign(annotator, "esa", "en", 8, sentence_steps=True)
    open_item(page, site, annotator, campaign)
    press(page, [" "] * 8)
    expect(page.locator("#status")).to_have_text("Sentence 9 of 32")
    begin = 1 + sum(len(text.split()) for text in ENGLISH * 2)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_contain_text(re.compile(r"“\S*The\S*”, word \d+ of"))
    cursor = "() => document.querySelector('.output .is-cursor').textContent"
    before = """() => {
      const range = document.createRange();
      range.setStart(document.querySelector(".output .segment-text"), 0);
      range.setEndBefore(document.querySelector(".output .is-cursor"));
      return range.toString();
    }"""
    assert page.evaluate(cursor) == "The"
    assert len(page.evaluate(before).split()) + 1 == begin
    page.keyboard.press("ArrowRight")
    assert page.evaluate(cursor) == "council"
    press(page, [" "])  # the space bar goes on from there, and the arrows from it
    page.keyboard.press("ArrowRight")
    assert page.evaluate(cursor) == "Dr"


def test_what_was_read_in_a_table_is_not_grey_in_the_list(page: Page, site: str, annotator):
    """Rows are of all translations: what was read of the second one stays read, too."""
    page.set_viewport_size(SIZES["desk"])
    campaign = long_work(annotator, "adequacy-fluency", 2)
    campaign.options |= {"sentence_steps": True}
    campaign.save()
    open_table(page, site, annotator, campaign)
    whole = sum(grey(page))
    press(page, [" ", " ", " "])
    read = sorted(grey(page))
    assert len(read) == 4 and sum(read) < whole
    press(page, "y")
    expect(page.locator("#stage")).not_to_have_class(re.compile("is-table"))
    assert len(grey(page)) == 3 and set(grey(page)) <= set(read)  # steps lead next to the source
    press(page, "y")
    expect(page.locator("#stage")).to_have_class(re.compile("is-table"))
    assert sorted(grey(page)) == read
