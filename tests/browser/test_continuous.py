"""Continuous rating while a recording plays: keys, touch, what is not heard twice, and reloads."""

import re
from itertools import pairwise

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from playwright.sync_api import Browser, Page, expect

from judgments.files.texts import from_table
from judgments.judging import trial
from judgments.models import Press, Rating, TestSet
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.media.archive import media_archive
from tests import factory
from tests.media_files import table, wav, zipped

from .judging import SIZES, at_item, comes_true, sign_in

pytestmark = pytest.mark.django_db(transaction=True)
NOW = "document.querySelector('#q-course audio').currentTime"
NUMBER = 1 + [preset.slug for preset in trial.presets()].index("continuous-rating")


@pytest.fixture
def campaign(annotator):
    """A recording of four seconds, of which the second segment begins after one."""
    new = TestSet(
        name="Talk", source_language="de", target_language="en", owner=factory.make_user("owner")
    )
    rows = (("1", "", "talk.wav", "", "", "1"), ("2", "", "talk.wav", "", "1", ""))
    archive = SimpleUploadedFile("talk.zip", zipped({"talk.wav": wav(seconds=4)}))
    with media_archive(archive) as media:
        segments = from_table(SimpleUploadedFile("t.tsv", table(*rows)))
        test_set = import_test_set(new, segments, media)
    made = factory.make_campaign(test_set, preset="continuous-rating", annotators=[annotator])
    design.plan(made, PlanSettings(batch_items=5))
    made.tasks.update(annotator=annotator)
    return made


def values() -> list[int | None]:
    return list(Press.objects.order_by("pk").values_list("value", flat=True))


def test_by_keyboard_through_a_reload(page: Page, site: str, annotator, campaign, axe):
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    axe(page)
    texts = page.locator("#q-course [data-text]")
    expect(texts.first).to_be_hidden()
    page.keyboard.press("3")  # nothing plays yet
    expect(page.locator("#status")).to_have_text("Play the recording first.")
    page.keyboard.press("Space")
    comes_true(page, f"{NOW} > 0.3")
    expect(texts.first).to_be_visible()
    expect(texts.last).to_be_hidden()
    page.keyboard.press("3")
    expect(page.locator("#status")).to_have_text("3")
    # Nobody jumps, neither on nor back.
    page.evaluate(f"{NOW} = 3.5")
    comes_true(page, f"{NOW} < 3")
    comes_true(page, f"{NOW} > 1.2")
    expect(texts.last).to_be_visible()
    page.evaluate(f"{NOW} = 0")
    comes_true(page, f"{NOW} > 1.2")
    page.keyboard.press("1")
    page.keyboard.press("Space")
    expect(page.locator("#q-course [data-play-words]")).to_have_text("Play")
    heard = page.evaluate(NOW)
    page.reload()
    at_item(page, 1)
    expect(page.locator("#q-course [data-count]")).to_have_text("Presses: 2")
    page.keyboard.press("Control+z")
    expect(page.locator("#q-course [data-count]")).to_have_text("Presses: 1")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("#q-course [data-count]")).to_have_text("Presses: 2")
    page.keyboard.press("l")
    comes_true(page, f"{NOW} > {heard} + 0.2")
    page.keyboard.press("4")
    page.keyboard.press("7")  # no step
    expect(page.locator("#go")).to_have_text("Submit and continue", timeout=10_000)
    page.keyboard.press("4")
    expect(page.locator("#status")).to_have_text("The recording is over.")
    axe(page)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/judge/\d+/$"))
    assert values() == [3, 1, 4, None]
    times = list(Press.objects.order_by("pk").values_list("at_ms", flat=True))
    assert 300 <= times[0] < times[1] < times[2] < times[3] and 3900 <= times[3] <= 4100
    assert heard * 1000 <= times[2]
    held = [later - at for at, later in pairwise(times)]
    expected = sum(v * ms for v, ms in zip((3, 1, 4), held, strict=True)) / sum(held)
    stored = dict(Rating.objects.values_list("dimension", "value"))
    assert stored["by_time"] == pytest.approx(expected, abs=0.0006)
    assert stored["by_press"] == pytest.approx(8 / 3, abs=0.0006)


@pytest.mark.proof
def test_by_touch(browser: Browser, site: str, annotator, campaign, axe):
    context = browser.new_context(viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    boxes = [each.bounding_box() for each in page.locator(".course-steps button").all()]
    assert len(boxes) == 6
    assert all(box and box["height"] >= 44 and box["width"] >= 44 for box in boxes)
    assert all(box and box["y"] + box["height"] <= SIZES["phone"]["height"] for box in boxes)
    page.locator("#q-course [data-play]").tap()
    comes_true(page, f"{NOW} > 0.2")
    page.locator("[data-step='2']").tap()
    page.locator("[data-step='0']").tap()
    expect(page.locator("#q-course [data-count]")).to_have_text("Presses: 2")
    expect(page.locator("#go")).to_have_text("Submit and continue", timeout=10_000)
    # Heard once more from the beginning, and nothing pressed: not complete.
    page.locator("#q-course [data-again]").tap()
    expect(page.locator("#go")).to_have_text("1 answer missing")
    page.locator("#q-course [data-play]").tap()
    expect(page.locator("#status")).to_contain_text("nothing was pressed", timeout=10_000)
    axe(page)
    context.close()


def test_a_clock_where_there_is_no_recording(page: Page, site: str):
    page.goto(f"{site}/try/{NUMBER}/")
    expect(page.locator(".is-current")).to_have_count(1)
    page.keyboard.press("Space")
    comes_true(page, "!document.querySelector('[data-text]').hidden")
    page.keyboard.press("2")
    page.keyboard.press("0")
    expect(page.locator("#go")).to_have_text("Submit and continue", timeout=30_000)
    page.keyboard.press("Enter")
    expect(page.locator("main li").first).to_contain_text("Rating by time: 2")
    expect(page.locator("main li")).to_have_count(4)
