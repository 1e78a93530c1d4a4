"""What keys do on a fresh screen, and what stays in its place when they are pressed."""

import base64
import re

import pytest
from playwright.sync_api import Page, expect

from judgments.models import ErrorSpan, Output, Preference, Rating, ReadingSettings, Segment
from tests import factory

from .judging import SIZES, at_item, make_campaign, press, sign_in, stored

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "The committee met again in the evening and did not come to any conclusion . " * 40


def open_campaign(page: Page, site: str, annotator, campaign, *, n_outputs=1, **options) -> None:
    campaign.options |= options
    campaign.save()
    factory.make_task(campaign, annotator, n_outputs=n_outputs)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)


def make_long(number: int) -> None:
    """The segment of that number, from 1, gets long texts."""
    Segment.objects.filter(position=number - 1).update(source=LONG)
    Output.objects.filter(segment__position=number - 1).update(text=LONG)


def top_of_open_row(page: Page) -> float:
    """In pixels below the edge of the window, once nothing scrolls any more."""
    page.wait_for_timeout(150)
    return page.evaluate("document.querySelector('.row.is-open').getBoundingClientRect().top")


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("preset", "keys"),
    [
        ("da-sqm", ["5"]),
        ("adequacy-fluency", ["4", "3"]),
        ("esa", ["ArrowRight", "1", "j", "2"]),
        ("post-editing", ["2"]),
        ("direct-assessment", ["7"]),
    ],
)
def test_a_rated_row_stays_in_its_place(page: Page, site: str, annotator, size, preset, keys):
    """A short row above a long one: the button at the end of the page takes the focus, and the
    page does not go there."""
    page.set_viewport_size(SIZES[size])
    campaign = make_campaign(annotator, preset)
    make_long(2)
    open_campaign(page, site, annotator, campaign, context="document")
    before = top_of_open_row(page)
    for key in keys:
        page.keyboard.press(key)
        after = top_of_open_row(page)
        # To the next question, as j asks, a phone has to scroll.
        assert after == before or (size == "phone" and key == "j"), key
        before = after
    expect(page.locator("#go")).to_have_text("Submit and continue")
    assert top_of_open_row(page) == before


def test_digits_and_arrows_move_a_fresh_slider(page: Page, site: str, annotator):
    """Digits are tenths of the scale, the key after 0 its end; arrows from the middle, or from
    where it is."""
    open_campaign(page, site, annotator, make_campaign(annotator, "direct-assessment"))
    for number, (keys, value) in enumerate(
        [
            (["7"], 70),
            (["9", "Minus"], 100),
            (["ArrowRight", "ArrowRight"], 52),
            (["0", "ArrowRight"], 1),
        ],
        1,
    ):
        at_item(page, number)
        press(page, keys)
        expect(page.locator("#q-output1-da input[type=hidden]")).to_have_value(str(value))
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    assert stored() == [70, 100, 52, 1]


@pytest.mark.proof
def test_the_ends_of_a_slider_have_keys(page: Page, site: str, annotator):
    open_campaign(page, site, annotator, make_campaign(annotator, "direct-assessment"))
    hidden = page.locator("#q-output1-da input[type=hidden]")
    for key, value in (("Minus", 100), ("Home", 0), ("End", 100), ("5", 50), ("Minus", 100)):
        page.keyboard.press(key)
        expect(hidden).to_have_value(str(value))


def knob_pixels(page: Page, png: bytes) -> int:
    """Return how many pixels in the middle of the picture differ from those of the bare track next
    to it."""
    return page.evaluate(
        """async (png) => {
          const image = await createImageBitmap(await (await fetch(png)).blob());
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const column = (x) => context.getImageData(x, 0, 1, image.height).data;
          const bare = column(Math.round(image.width / 4));
          let n = 0;
          for (let x = -15; x <= 15; x += 1)
            column(Math.round(image.width / 2) + x).forEach((value, i) => {
              if (Math.abs(value - bare[i]) > 8) n += 1;
            });
          return n;
        }""",
        f"data:image/png;base64,{base64.b64encode(png).decode()}",
    )


@pytest.mark.proof
def test_a_slider_has_no_knob_and_no_number_before_it_is_set(browser, site: str, annotator):
    """Neither pulls the answer its way; a screen reader hears that it is not set."""
    context = browser.new_context(bypass_csp=True)  # for the test's own look at the picture
    page = context.new_page()
    open_campaign(page, site, annotator, make_campaign(annotator, "direct-assessment"))
    slider = page.get_by_role("slider")

    expect(slider).to_have_attribute("aria-valuetext", "not set yet")
    assert knob_pixels(page, slider.screenshot()) == 0
    slider.focus()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("5")
    expect(slider).not_to_have_attribute("aria-valuetext", "not set yet")
    page.locator("#go").focus()
    assert knob_pixels(page, slider.screenshot()) > 100
    assert "50" not in page.locator(".answers").inner_text()
    context.close()


@pytest.mark.parametrize(
    "preset",
    [
        "esa",
        pytest.param("direct-assessment", marks=pytest.mark.proof),
        pytest.param("da-sqm", marks=pytest.mark.proof),
    ],
)
def test_digits_are_a_number_from_0_to_100(page: Page, site: str, annotator, preset):
    """As in a text box, and the first one counts at once: one grammar wherever a scale has 100."""
    open_campaign(page, site, annotator, make_campaign(annotator, preset), context="none")
    slider, go, status = page.get_by_role("slider"), page.locator("#go"), page.locator("#status")
    for typed, values in (
        ("6", ["60"]),
        ("67", ["60", "67"]),
        ("05", ["0", "5"]),
        ("100", ["10", "10", "100"]),
        ("678", ["60", "67", "67"]),
    ):
        for key, value in zip(typed, values, strict=True):
            page.keyboard.press(key)
            expect(slider).to_have_js_property("value", value)
            expect(status).to_contain_text("678 is not" if key == "8" else f"{value}. ")
        page.wait_for_timeout(1300)
        expect(go).to_be_focused()  # what was typed is taken
    page.keyboard.press("Control+z")
    expect(slider).to_have_js_property("value", "100")
    page.keyboard.press("Control+z")
    expect(slider).to_have_js_property("value", "5")


def test_a_number_waits_for_its_second_digit(page: Page, site: str, annotator):
    """Two digits lead on at once, one does after a moment; a key in between ends that."""
    campaign = make_campaign(annotator, "contrastive-da")
    open_campaign(page, site, annotator, campaign, n_outputs=2)
    first, second = page.get_by_role("slider").all()
    page.keyboard.press("6")
    expect(first).to_be_focused()
    expect(second).to_be_focused()
    press(page, ["k", "7", "ArrowRight"])
    page.wait_for_timeout(1300)
    expect(first).to_be_focused()
    press(page, "8")  # a separate number: the arrow ended the previous one
    expect(first).to_have_js_property("value", "80")
    press(page, ["2", "3"])
    expect(first).to_have_js_property("value", "82")
    expect(second).to_have_js_property("value", "30")


def refused(page: Page, key: str, why: str) -> None:
    """The key says why it does nothing, for the eye and for the ear."""
    page.keyboard.press(key)
    line = page.locator("#refusal")
    expect(line).to_be_visible()
    expect(line).to_have_text(why)
    expect(page.locator("#status")).to_have_text(why)


def test_a_key_that_cannot_act_says_why(page: Page, site: str, annotator, axe):
    open_campaign(page, site, annotator, make_campaign(annotator), n_outputs=1)
    refused(page, "Control+z", "There is nothing to undo.")
    refused(page, "Control+Shift+z", "There is nothing to redo.")
    refused(page, "p", "There is no item before this one.")
    refused(page, "k", "This is the first question.")
    refused(page, "8", "This key is not assigned to any answer.")
    refused(page, "y", "This item cannot be shown as a table.")
    axe(page)
    page.keyboard.press("q")  # no key of this screen
    expect(page.locator("#refusal")).to_be_hidden()
    press(page, "54")
    expect(page.locator("#refusal")).to_be_hidden()
    refused(page, "j", "This is the last question.")
    page.keyboard.press("Enter")
    at_item(page, 2)
    expect(page.locator("#refusal")).to_be_hidden()
    assert stored() == [5, 4]


@pytest.mark.proof
def test_keys_of_a_slider_and_of_marks_say_why(page: Page, site: str, annotator):
    open_campaign(page, site, annotator, make_campaign(annotator, "esa"), context="none")
    refused(page, "d", "No error is marked.")
    refused(page, ".", "No error is marked.")
    press(page, ["ArrowRight"])
    refused(page, "7", "No severity has this key.")
    press(page, ["Escape", "6", "7"])
    refused(page, "8", "678 is not on this scale.")
    press(page, ["ArrowRight"])
    expect(page.get_by_role("slider")).to_have_js_property("value", "68")
    press(page, ["Enter"])
    at_item(page, 2)


def test_one_key_answers_and_goes_on(page: Page, site: str, annotator, axe):
    """Once for each press, however long it is held; the key p goes back to what was answered."""
    open_campaign(page, site, annotator, make_campaign(annotator, "pairwise"), n_outputs=2)
    expect(page.locator("#goes-on")).to_have_text("One key answers and moves on. p goes back")
    axe(page)
    page.keyboard.down("1")
    page.keyboard.down("1")  # as a key does that is held
    at_item(page, 2)
    for _ in range(5):
        page.keyboard.down("1")
        page.wait_for_timeout(30)
    page.keyboard.up("1")
    assert list(Preference.objects.values_list("value", flat=True)) == [1]
    expect(page.locator("#go")).to_have_text("1 answer missing")
    page.keyboard.press("p")
    at_item(page, 1)
    expect(page.locator("[name=preference][value='1']")).to_be_checked()
    page.keyboard.press("3")
    at_item(page, 2)
    page.wait_for_timeout(300)
    page.keyboard.press("ArrowDown")
    at_item(page, 3)
    values = Preference.objects.order_by("pk").values_list("value", flat=True)
    assert list(values) == [1, -1, 0]


@pytest.mark.proof
def test_a_key_that_bounces_is_one_answer(page: Page, site: str, annotator):
    open_campaign(page, site, annotator, make_campaign(annotator, "xsts"))
    # Twice in one turn of the browser, the second time on the item that follows.
    page.evaluate(
        """() => {
          const press = (key) => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true }));
          const { enter } = window.mtevalScreen;
          window.mtevalScreen.enter = () => {
            window.mtevalScreen.enter = enter;
            enter();
            press("4");
          };
          press("4");
        }"""
    )
    at_item(page, 2)
    expect(page.locator("#go")).to_have_text("1 answer missing")
    page.keyboard.press("2")
    at_item(page, 3)
    assert stored() == [4, 2]


@pytest.mark.proof
def test_who_likes_to_press_enter_does(page: Page, site: str, annotator):
    ReadingSettings.objects.create(user=annotator, goes_on=False)
    open_campaign(page, site, annotator, make_campaign(annotator, "pairwise"), n_outputs=2)
    expect(page.locator("#goes-on")).to_be_hidden()
    page.keyboard.press("1")
    expect(page.locator("#go")).to_have_text("Submit and continue")
    page.wait_for_timeout(200)
    assert not Preference.objects.exists()
    page.keyboard.press("Enter")
    at_item(page, 2)
    assert list(Preference.objects.values_list("value", flat=True)) == [1]


@pytest.mark.proof
def test_two_questions_do_not_go_on_by_themselves(page: Page, site: str, annotator):
    open_campaign(page, site, annotator, make_campaign(annotator, "adequacy-fluency"))
    expect(page.locator("#goes-on")).to_be_hidden()
    press(page, "43")
    expect(page.locator("#go")).to_have_text("Submit and continue")
    page.wait_for_timeout(200)
    assert stored() == []


@pytest.mark.proof
def test_a_digit_goes_on_to_the_next_slider(page: Page, site: str, annotator):
    campaign = make_campaign(annotator, "contrastive-da")
    open_campaign(page, site, annotator, campaign, n_outputs=2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#q-output1-da input[type=hidden]")).to_have_value("49")
    press(page, ["3", "Enter", "6"])
    expect(page.locator("#q-output2-da input[type=hidden]")).to_have_value("60")
    page.keyboard.press("Enter")
    at_item(page, 2)
    assert stored() == [30, 60]


@pytest.mark.proof
def test_an_arrow_moves_the_way_it_points_in_arabic(page: Page, site: str, annotator):
    """The page runs from right to left; its slider does, too."""
    campaign = make_campaign(annotator, "direct-assessment")
    page.set_extra_http_headers({"Accept-Language": "ar"})
    open_campaign(page, site, annotator, campaign)
    assert page.evaluate("document.documentElement.dir") == "rtl"
    hidden = page.locator("#q-output1-da input[type=hidden]")
    page.keyboard.press("ArrowLeft")
    expect(hidden).to_have_value("51")
    page.keyboard.press("ArrowLeft")  # now it is the browser's own
    expect(hidden).to_have_value("52")


def test_esa_without_errors_asks_for_the_score(page: Page, site: str, annotator, axe):
    campaign = make_campaign(annotator, "esa")
    open_campaign(page, site, annotator, campaign, context="none")
    go, slider = page.locator("#go"), page.get_by_role("slider")
    expect(go).to_have_text("No errors marked · give the score")
    expect(page.locator("#q-output1-spans")).to_have_class(re.compile("is-current"))
    page.keyboard.press("Enter")
    expect(slider).to_be_focused()
    expect(page.locator("#status")).to_have_text("No errors marked · give the score")
    press(page, ["k", "ArrowRight", "1"])
    expect(go).to_have_text("Errors marked: 1 · give the score")
    axe(page)
    page.keyboard.press("Enter")
    expect(slider).to_be_focused()
    press(page, ["6", "6", "Enter"])
    at_item(page, 2)
    scores = Rating.objects.filter(dimension="esa").order_by("pk").values_list("value", flat=True)
    assert list(scores) == [66]
    assert ErrorSpan.objects.count() == 1
    press(page, ["Enter", *"100", "Enter"])
    at_item(page, 3)
    assert list(scores.all()) == [66, 100]
    assert ErrorSpan.objects.count() == 1


@pytest.mark.proof
def test_esa_of_two_translations_counts_the_scores(page: Page, site: str, annotator):
    campaign = make_campaign(annotator, "esa")
    open_campaign(page, site, annotator, campaign, n_outputs=2, context="none")
    expect(page.locator("#go")).to_have_text("2 answers missing")
    press(page, ["Enter", "3"])
    expect(page.locator("#go")).to_have_text("No errors marked · give the score")
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider").nth(1)).to_be_focused()
