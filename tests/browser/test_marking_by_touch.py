"""Marking errors on a phone: the marked word is never covered, handles stretch it."""

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import ErrorSpan
from tests import factory

from .judging import at_item
from .test_marking import paragraph
from .test_spans import campaign_of, done, open_at, scores, stored

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 360, "height": 740}
N_WORDS = 200
PAINTED = """() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(resolve)))"""


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


@pytest.fixture
def phone(browser: Browser):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def unlike(n_words: int) -> list[str]:
    """Words of which no two are the same: the number tells them apart."""
    return [word.strip(".") + str(i) for i, word in enumerate(paragraph(n_words))]


def boxes(page: Page, word: str) -> list[dict]:
    """Where a word of the translation is on the screen: one box for each line."""
    return page.evaluate(
        """(word) => {
          const text = document.querySelector(".output .segment-text");
          const start = text.textContent.search(new RegExp(`(?<!\\\\S)${word}(?!\\\\S)`));
          const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          let before = 0;
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const [from, to] = [start - before, start + word.length - before];
            if (from >= 0 && from < node.length) range.setStart(node, from);
            if (to > 0 && to <= node.length) range.setEnd(node, to);
            before += node.length;
          }
          return [...range.getClientRects()].map(({ left, top, width, height }) => ({
            x: left + width / 2, y: top + height / 2, left, top, width, height }));
        }""",
        word,
    )


def tap(page: Page, word: str) -> None:
    box = boxes(page, word)[0]
    page.touchscreen.tap(box["x"], box["y"])


def assert_bare(page: Page) -> None:
    """Nothing lies over what is marked or chosen: not at its middle and not at its corners."""
    covered = page.evaluate(
        """() => [...document.querySelectorAll(".output .is-active, .output .is-picked")]
          .flatMap((piece) => [...piece.getClientRects()])
          .flatMap(({ left, top, right, bottom }) => [
            [(left + right) / 2, (top + bottom) / 2], [left + 2, top + 2], [right - 2, bottom - 2],
          ])
          .map(([x, y]) => [x, y, document.elementFromPoint(x, y)])
          .filter(([x, y, hit]) => !hit?.closest(".segment-text"))
          .map(([x, y, hit]) => `${x}, ${y}: ${hit?.outerHTML.slice(0, 80)}`)"""
    )
    assert covered == []
    assert page.locator(".output .is-active, .output .is-picked").count()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def drag(page: Page, end: str, to: dict) -> None:
    """A finger on a handle, and from there over the screen."""
    handle = page.locator(f".span-handle[data-end={end}]")
    box = handle.bounding_box()
    assert box and box["width"] >= 44 and box["height"] >= 44
    x, y = box["x"] + 22, box["y"] + 22
    session = page.context.new_cdp_session(page)
    points = [(x, y), ((x + to["x"]) / 2, (y + to["y"]) / 2), (to["x"], to["y"])]
    for kind, (px, py) in zip(("touchStart", "touchMove", "touchMove"), points, strict=True):
        session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py}]}
        )
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    page.evaluate(PAINTED)


def moved(page: Page, end: str, word: str) -> dict:
    """Return where the finger that holds a handle must go for it to attach to a word: as far next
    to the word as it is next to the present one."""
    box = page.locator(f".span-handle[data-end={end}]").bounding_box()
    line = page.evaluate(
        """(end) => {
          const pieces = document.querySelectorAll(".output .is-active, .output .is-picked");
          const lines = [...pieces].flatMap((piece) => [...piece.getClientRects()]);
          const { left, right, top, bottom } = end === "start" ? lines[0] : lines.at(-1);
          return { x: end === "start" ? left : right, y: (top + bottom) / 2 };
        }""",
        end,
    )
    assert box
    there = boxes(page, word)[0]
    return {
        "x": there["x"] + box["x"] + 22 - line["x"],
        "y": there["y"] + box["y"] + 22 - line["y"],
    }


def mark(page: Page, word: str, severity: str) -> None:
    """Choose a word anywhere in the text, and set the severity of the error."""
    middle = f"window.scrollBy(0, {boxes(page, word)[0]['y']} - 400)"
    page.evaluate(middle)
    page.evaluate(PAINTED)  # a finger meets what is painted, not what was only scrolled to
    tap(page, word)
    button = page.locator(".span-tools").get_by_role("button", name=severity, exact=True)
    expect(button).to_be_visible()
    assert_bare(page)
    before = page.evaluate("scrollY")
    button.tap()
    expect(button.and_(page.locator("[aria-pressed=false]"))).to_be_hidden()
    assert page.evaluate("scrollY") == before  # a mark moves nothing
    assert_bare(page)


def test_esa(phone: Page, site: str, annotator):
    words = unlike(N_WORDS)
    open_at(phone, site, annotator, campaign_of(annotator, "esa", [" ".join(words)]))
    for number in (0, 99, 199):  # at either end of the text, too
        mark(phone, words[number], "minor")
    mark(phone, words[60], "minor")
    drag(phone, "end", moved(phone, "end", words[64]))
    expect(phone.locator(".span-name[aria-pressed=true]")).to_contain_text("words 61 to 65")
    assert_bare(phone)
    drag(phone, "start", moved(phone, "start", words[58]))
    expect(phone.locator(".span-name[aria-pressed=true]")).to_contain_text("words 59 to 65")
    assert_bare(phone)
    tools = phone.locator(".span-tools")
    tools.get_by_role("button", name="major").tap()
    expect(tools.get_by_role("button", name="major")).to_have_attribute("aria-pressed", "true")
    assert_bare(phone)
    mark(phone, words[120], "major")
    tools.get_by_role("button", name="Delete").tap()
    tools.get_by_role("button", name="[MISSING]").tap()
    expect(phone.locator("#go")).to_have_text("Errors marked: 5 · give the score")
    phone.locator("#go").tap()
    phone.get_by_role("button", name="Some meaning preserved").tap()
    phone.locator("#go").tap()
    done(phone)
    marked = [words[0], " ".join(words[58:65]), words[99], words[199], ""]
    assert [text for _, text, _, _ in stored()] == marked
    assert scores() == [("esa", 33), ("esa_spans", -9)]


@pytest.mark.proof
def test_a_word_low_on_the_screen_comes_clear_of_the_tools(phone: Page, site: str, annotator):
    words = unlike(N_WORDS)
    open_at(phone, site, annotator, campaign_of(annotator, "esa", [" ".join(words)]))
    tools = phone.locator(".span-tools")
    top = phone.locator(".dock").bounding_box()["y"]
    last = [word for word in words[:120] if boxes(phone, word)[0]["y"] < top - 4][-1]
    tap(phone, last)
    assert_bare(phone)
    handle = phone.locator(".span-handle[data-end=end]").bounding_box()
    assert handle["y"] + handle["height"] <= tools.bounding_box()["y"]
    one_row = tools.bounding_box()
    assert one_row["height"] <= 64 and one_row["y"] > PHONE["height"] / 2


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "ar"])
def test_mqm(phone: Page, site: str, annotator, language):
    words = unlike(N_WORDS)
    campaign = campaign_of(annotator, "mqm", [" ".join(words), "one"], language=language)
    open_at(phone, site, annotator, campaign)
    tools = phone.locator(".span-tools")
    mark(phone, words[30], "major")
    tools.get_by_role("button", name="Accuracy …").tap()
    assert_bare(phone)
    tools.get_by_role("button", name="Omission").tap()
    assert_bare(phone)
    mark(phone, words[150], "neutral")
    tools.get_by_role("button", name="Omission").tap()  # the one used last
    assert_bare(phone)
    mark(phone, words[90], "minor")
    tools.get_by_role("combobox").select_option(label="Grammar")
    tools.get_by_role("button", name="Delete").tap()
    phone.locator("#go").tap()
    at_item(phone, 2)
    tools.get_by_role("button", name="No errors").tap()
    phone.locator("#go").tap()
    done(phone)
    omission = "accuracy/omission"
    assert list(ErrorSpan.objects.order_by("pk").values_list("severity", "category")) == [
        ("major", omission),
        ("neutral", omission),
    ]
    assert [text for _, text, _, _ in stored()] == [words[30], words[150]]
