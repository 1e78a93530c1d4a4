"""Below 500 px of height the texts have the room: a page at 200 %, a phone on its side."""

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from judgments.models import Output, ReadingSettings, Reference, Segment
from judgments.protocols import PRESETS
from tests import factory
from tests.packages import ROOT

from . import test_questions
from .judging import SIZES, at_item, comes_true, sign_in
from .test_reading import TARGETS, long_campaign, open_item

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

LOW: dict[str, ViewportSize] = {
    "200 %": {"width": 720, "height": 450},
    "small phone": {"width": 740, "height": 360},
    "phone": {"width": 844, "height": 390},
}
LEAST = 0.6
# Sentences of 72 words, as word alignment shows a pair of them at a time.
TEXT = ("The committee met again in the late evening " * 9 + "after all. ") * 6

# The share of the window's height that is taken by texts: the lines of pixels in which one is hit
# somewhere. What lies under the dock, a heading or the other pane is not hit.
SHARE_OF_TEXT = """() => {
  const places = [0.1, 0.25, 0.5, 0.75, 0.9].map((share) => share * innerWidth);
  // Words to be linked lie in rows, between which the whole is hit.
  const rows = [...document.querySelectorAll("#stage .tokens")]
    .map((each) => each.getBoundingClientRect());
  const isText = (hit, y) =>
    Boolean(hit?.closest("#stage :is(.segment-text, .document-text, .tokens)")) ||
    (hit?.matches(".words-to-link") && rows.some(({ top, bottom }) => top <= y && y < bottom));
  let n = 0;
  for (let y = 0; y < innerHeight; y += 1)
    n += places.some((x) => isText(document.elementFromPoint(x, y), y));
  return n / innerHeight;
}"""
DOCK = """() => {
  const dock = document.querySelector(".dock");
  const tops = [...dock.querySelectorAll("a, button, .pace")]
    .filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect())
    .map(({ top, bottom }) => (top + bottom) / 2);
  return [dock.offsetHeight, Math.max(...tops) - Math.min(...tops)];
}"""
# Whether what has the focus can be seen: it, or something in it, is hit where it stands.
FOCUS_IS_SEEN = """() => {
  const focused = document.activeElement;
  if (focused === document.body) return true;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const isHit = (x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit && (focused.contains(hit) || hit.closest("label")?.contains(focused));
  };
  const x = Math.min(left + width / 2, innerWidth - 1);
  return [0.1, 0.5, 0.9].some((share) => isHit(x, Math.min(top + share * height, innerHeight - 1)));
}"""

IS_HIT = """(node) => {
  const { left, bottom, width } = node.getBoundingClientRect();
  return node.contains(document.elementFromPoint(left + width / 2, bottom - 2));
}"""


@pytest.fixture
def screens(monkeypatch, annotator):
    """Of every preset a campaign with paragraphs of some 400 words, as the benchmark makes them."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import layout_shift

    campaigns = dict(layout_shift.long_campaigns(annotator))
    assert campaigns.keys() == PRESETS.keys()
    for model, field in ((Segment, "source"), (Output, "text"), (Reference, "text")):
        model.objects.update(**{field: TEXT})
    return campaigns


@pytest.mark.proof
def test_most_of_the_height_is_text_in_every_preset(page: Page, site: str, annotator, screens):
    """Source and translations, or the text that questions are about; and the dock is one line."""
    page.emulate_media(reduced_motion="reduce")
    # A comparison table shows one sentence at a time: less text, and its answers in sight.
    ReadingSettings.objects.create(user=annotator, compared_texts="list")
    sign_in(page, site, annotator)
    shares = {}
    docks = {}
    for name, campaign in screens.items():
        for size, viewport in LOW.items():
            page.set_viewport_size(viewport)
            page.goto(f"{site}/judge/{campaign}/")
            at_item(page, 1)
            if name == "continuous-rating":
                page.keyboard.press("Space")  # its texts appear as it plays, the scale in sight
                expect(page.locator("#q-course [data-text]").first).to_be_visible()
                assert page.locator("#q-course [data-step]").last.evaluate(IS_HIT)
            shares[name, size, "opened"] = page.evaluate(SHARE_OF_TEXT)
            docks[name, size] = page.evaluate(DOCK)
            if page.locator(".given").count():
                page.keyboard.press("v")
                shares[name, size, "source"] = page.evaluate(SHARE_OF_TEXT)
    assert sum(part == "source" for _, _, part in shares) > 15 * len(LOW)
    assert not {key: share for key, share in shares.items() if share < LEAST}
    assert not {key: dock for key, dock in docks.items() if dock[0] > 60 or dock[1] > 4}


def seen(page: Page) -> str:
    """The pane that is in sight: what is hit in the middle of the window."""
    return page.evaluate(
        """() => {
            const hit = document.elementFromPoint(innerWidth / 2, innerHeight / 3);
            return hit.closest("[data-pane]") ? "pane" : hit.closest("#stage") ? "other" : "";
        }"""
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_key_and_a_tap_change_the_pane(
    browser: Browser, site: str, annotator, axe, theme, language
):
    context = browser.new_context(
        viewport=LOW["200 %"], color_scheme=theme, locale=language, has_touch=True
    )
    page = context.new_page()
    open_item(page, site, annotator, long_campaign(annotator, "adequacy-fluency", language))
    button = page.locator("#pane")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert seen(page) == "other"
    axe(page)
    page.keyboard.press("v")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#status")).to_have_text(button.locator("span").inner_text())
    assert seen(page) == "pane"
    assert page.evaluate(FOCUS_IS_SEEN)
    axe(page)
    page.keyboard.press("v")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert seen(page) == "other"
    button.tap()
    assert seen(page) == "pane"
    button.tap()
    assert seen(page) == "other"
    # Its list of keys has the key, which in a higher window does nothing.
    page.keyboard.press("?")
    expect(page.locator("#keys dt.pane-key")).to_be_visible()
    page.keyboard.press("Escape")
    over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(over) <= 0
    page.set_viewport_size(SIZES["desk"])
    expect(button).to_be_hidden()
    page.keyboard.press("v")
    expect(page.locator(".given")).to_be_visible()
    expect(page.locator(".judged")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#keys dt.pane-key")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("preset", ["adequacy-fluency", "mqm", "comprehension"])
def test_the_focus_brings_its_pane(page: Page, site: str, annotator, preset):
    """By Tab through the whole screen and back: what has the focus can always be seen."""
    page.set_viewport_size(LOW["200 %"])
    if preset == "comprehension":
        campaign = test_questions.make_campaign(factory.make_user("owner"), annotator)
    else:
        campaign = long_campaign(annotator, preset, "en")
    open_item(page, site, annotator, campaign)
    panes = set()
    for key in ["Tab"] * 30 + ["Shift+Tab"] * 30:
        page.keyboard.press(key)
        assert page.evaluate(FOCUS_IS_SEEN), page.evaluate("document.activeElement.outerHTML")
        if page.evaluate("document.getElementById('stage').contains(document.activeElement)"):
            panes.add(seen(page))
    assert panes == {"pane", "other"}


def test_an_answer_and_a_mark_bring_their_pane(page: Page, site: str, annotator):
    """Keys act whichever pane is shown, and what they act on comes into sight."""
    page.set_viewport_size(LOW["200 %"])
    open_item(page, site, annotator, long_campaign(annotator, "adequacy-fluency", "en"))
    page.keyboard.press("v")
    page.keyboard.press("4")
    assert seen(page) == "other"
    expect(page.locator("#q-output1-adequacy input:checked")).to_have_value("4")
    # The key of the source shows it rather than folds it away where nobody sees that.
    page.keyboard.press("s")
    assert seen(page) == "pane"
    expect(page.locator("[data-part=source]")).to_have_attribute("open", "")
    page.keyboard.press("s")
    expect(page.locator("[data-part=source]")).not_to_have_attribute("open", "")
    page.keyboard.press("v")
    page.keyboard.press("s")
    expect(page.locator("[data-part=source]")).to_have_attribute("open", "")
    assert seen(page) == "pane"


def test_marking_goes_from_pane_to_pane(page: Page, site: str, annotator):
    page.set_viewport_size(LOW["200 %"])
    open_item(page, site, annotator, long_campaign(annotator, "mqm", "en"))
    page.keyboard.press("ArrowRight")
    assert seen(page) == "other"
    page.keyboard.press("a")
    assert seen(page) == "pane"
    page.keyboard.press("ArrowRight")
    assert seen(page) == "pane"
    tools = page.locator(".span-tools.is-working")
    expect(tools).to_be_in_viewport()
    tools.locator("[data-act=severity]").first.click()  # nothing lies over it
    expect(page.locator(".given .piece.is-active")).to_be_visible()


def test_the_source_stands_at_the_place_that_is_read(page: Page, site: str, annotator):
    """Out of sight it scrolls along; the translations are where they were when one comes back."""
    page.set_viewport_size(LOW["200 %"])
    open_item(page, site, annotator, long_campaign(annotator, "da-sqm", "en", 20))
    text = page.locator(".judged .segment-text")
    text.evaluate("e => scrollTo(0, scrollY + e.getBoundingClientRect().bottom - innerHeight)")
    text.click(position={"x": 200, "y": text.evaluate("e => e.offsetHeight - 200")})
    comes_true(page, "document.querySelector('.given').scrollTop > 500")
    before = page.evaluate("scrollY")
    page.keyboard.press("v")
    assert page.evaluate("document.querySelector('.given').scrollTop") > 500
    page.keyboard.press("PageDown")
    page.keyboard.press("v")
    assert page.evaluate("scrollY") == before
    assert before > 500


def test_beside_each_other_there_is_no_pane_to_change(page: Page, site: str, annotator):
    """A window that is low and wide has both; there, too, the height is text."""
    page.set_viewport_size({"width": 1280, "height": 450})
    campaign = long_campaign(annotator, "esa", "en", 20)
    Reference.objects.update(text=TARGETS["en"] * 20)
    open_item(page, site, annotator, campaign)
    expect(page.locator("#pane")).to_be_hidden()
    assert page.evaluate(SHARE_OF_TEXT) >= LEAST
