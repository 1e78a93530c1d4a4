"""Sound and pictures at the source, played by keys and by touch, and the gloss under it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from playwright.sync_api import Browser, Page, expect

from judgments.files.texts import from_table
from judgments.models import Rating, Segment, TestSet
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.media.archive import media_archive
from tests import factory
from tests.media_files import VTT, png, table, wav, zipped

from .judging import SIZES, at_item, sign_in

pytestmark = pytest.mark.django_db(transaction=True)
PLAYER = "document.querySelector('[data-media] audio')"


@pytest.fixture
def campaign(annotator):
    """Three segments: all of a sound, a part of it, and a picture."""
    owner = factory.make_user("owner")
    files = {"talk.wav": wav(seconds=4), "talk.vtt": VTT, "dot.png": png()}
    rows = (
        ("1", "", "talk.wav", "talk.vtt", "", ""),
        ("2", "Es fährt hinaus.", "talk.wav", "", "1", "1.5"),
        ("3", "Ein Schild.", "dot.png", "", "", ""),
    )
    new = TestSet(name="Talks", source_language="de", target_language="en", owner=owner)
    with media_archive(SimpleUploadedFile("talks.zip", zipped(files))) as media:
        test_set = import_test_set(
            new, from_table(SimpleUploadedFile("t.tsv", table(*rows))), media
        )
    Segment.objects.filter(key="2").update(gloss="it goes out")
    return planned(test_set, annotator, "da-sqm-document")


def planned(test_set, annotator, preset):
    campaign = factory.make_campaign(test_set, preset=preset, annotators=[annotator])
    design.plan(campaign, PlanSettings(batch_items=50))
    campaign.tasks.update(annotator=annotator)
    return campaign


def said(page: Page, what: str):
    return page.evaluate(f"{PLAYER}.{what}")


def until(page: Page, words: str) -> None:
    """Asked again and again: the policy of the page lets no text be run in it."""
    for _ in range(100):
        if page.evaluate(f"(() => {{ const player = {PLAYER}; return {words}; }})()"):
            return
        page.wait_for_timeout(50)
    raise AssertionError(words)


def test_a_document_of_sounds_by_keyboard(page: Page, site: str, annotator, campaign, axe):
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    axe(page)
    page.keyboard.press("l")
    until(page, "!player.paused && player.currentTime > 0.3")
    page.keyboard.press(">")
    assert said(page, "playbackRate") == 1.25
    page.keyboard.press("l")
    assert said(page, "paused")
    page.keyboard.press("b")
    assert said(page, "currentTime") == 0
    assert page.evaluate(f"{PLAYER}.textTracks.length") == 1
    # A digit still answers, and the next row has its own player, as fast as the last.
    page.keyboard.press("6")
    page.keyboard.press("Enter")
    at_item(page, 2)
    expect(page.locator("#stage .gloss")).to_contain_text("it goes out")
    page.keyboard.press("l")
    until(page, "player.currentTime > 1.05")
    assert said(page, "playbackRate") == 1.25
    until(page, "player.paused")  # where the segment ends
    assert 1.45 <= said(page, "currentTime") <= 1.75
    page.keyboard.press("b")
    assert said(page, "currentTime") == 1  # no farther back than the segment
    page.keyboard.press("s")
    expect(page.locator("#stage .gloss")).to_be_hidden()
    page.keyboard.press("s")
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    # The last segment asks about the document, too.
    at_item(page, 3)
    expect(page.locator("#stage [data-media] img")).to_be_visible()
    assert page.locator("#stage [data-question]").count() == 2
    axe(page)
    for key in ("4", "j", "3", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url(lambda address: not address.endswith("/3/"))
    values = dict(Rating.objects.filter(dimension="sqm_document").values_list("dimension", "value"))
    assert values == {"sqm_document": 30}
    assert list(Rating.objects.filter(dimension="sqm").values_list("value", flat=True)) == [
        60, 50, 40,
    ]  # fmt: skip


CAPTIONS = b"""WEBVTT

00:00.000 --> 00:02.000
Moin, <00:01.000><b>alle</b>

00:02.000 --> 00:04.000
zusammen.

00:04.200 --> 00:06.000
Es geht los.
"""


@pytest.fixture
def captioned(annotator):
    """A talk with captions of two sentences, and its second half, which has one of them."""
    owner = factory.make_user("owner")
    rows = (
        ("1", "", "talk.wav", "talk.vtt", "", ""),
        ("2", "Es geht los.", "talk.wav", "talk.vtt", "4.1", "7"),
    )
    new = TestSet(name="Talks", source_language="de", target_language="en", owner=owner)
    files = zipped({"talk.wav": wav(seconds=8), "talk.vtt": CAPTIONS})
    with media_archive(SimpleUploadedFile("talks.zip", files)) as media:
        found = from_table(SimpleUploadedFile("t.tsv", table(*rows)))
        return planned(import_test_set(new, found, media), annotator, "da-sqm-document")


def test_words_that_sound_are_lit_and_a_sentence_is_repeated(
    page: Page, site: str, annotator, captioned, axe
):
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{captioned.pk}/1/")
    at_item(page, 1)
    words = page.get_by_role("group", name="Transcript")
    expect(words).to_have_text("Moin, alle zusammen. Es geht los.")
    repeat = page.get_by_role("button", name="Repeat")
    expect(repeat).to_have_attribute("aria-pressed", "false")
    axe(page)
    page.keyboard.press("l")
    expect(words.locator(".sounds")).to_have_text("alle")  # a second later
    expect(words.locator(".sounds")).to_have_text("zusammen.")
    page.keyboard.press("l")
    page.keyboard.press("Shift+L")  # two captions are the sentence
    expect(repeat).to_have_attribute("aria-pressed", "true")
    until(page, "!player.paused && player.currentTime < 1.5")
    page.evaluate(f"{PLAYER}.currentTime = 3.8")
    until(page, "!player.paused && player.currentTime < 1.5")
    axe(page)
    page.keyboard.press("Shift+L")
    expect(repeat).to_have_attribute("aria-pressed", "false")
    page.evaluate(f"{PLAYER}.currentTime = 3.8")
    expect(words.locator(".sounds")).to_have_text("Es geht los.")
    page.keyboard.press("l")
    page.keyboard.press("6")
    page.keyboard.press("Enter")
    at_item(page, 2)
    expect(words).to_have_text("Es geht los.")
    expect(page.locator("#stage [data-media-key=L]")).to_have_attribute("aria-pressed", "false")


@pytest.mark.proof
def test_keys_that_are_typed_do_not_play(page: Page, site: str, annotator, campaign):
    other = planned(campaign.test_set, annotator, "post-editing")
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{other.pk}/1/")
    page.locator("textarea").first.click()
    page.keyboard.type("lb L<>")
    assert said(page, "paused")
    assert said(page, "playbackRate") == 1


@pytest.mark.proof
def test_marking_keeps_its_keys(page: Page, site: str, annotator, campaign):
    other = planned(campaign.test_set, annotator, "mqm")
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{other.pk}/1/")
    expect(page.locator(".is-current")).to_have_count(1)
    for key in (".", ",", "w", "d"):
        page.keyboard.press(key)
    assert said(page, "paused")
    page.keyboard.press("l")
    until(page, "!player.paused")
    # The letters of categories are theirs while one is chosen.
    page.keyboard.press("l")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    for key in "lbl":
        page.keyboard.press(key)
    assert said(page, "paused")


@pytest.mark.proof
def test_by_touch_on_a_phone(browser: Browser, site: str, annotator, campaign, axe):
    context = browser.new_context(viewport=SIZES["phone"], has_touch=True)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    for button in page.locator(".media-keys button:visible").all():
        box = button.bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44
    page.get_by_role("button", name="Faster").tap()
    assert said(page, "playbackRate") == 1.25
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)
    context.close()


@pytest.mark.proof
def test_a_whole_document_plays_where_one_reads(page: Page, site: str, annotator, campaign, axe):
    Segment.objects.filter(key="2").update(source="Es fährt hinaus. " * 150)
    other = planned(campaign.test_set, annotator, "document-assessment")
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{other.pk}/1/")
    expect(page.locator(".paragraph audio")).to_have_count(2)
    expect(page.locator(".paragraph .gloss")).to_have_text("Gloss: it goes out")
    axe(page)
    page.keyboard.press("l")
    until(page, "!player.paused")
    second = "document.querySelectorAll('[data-media] audio')[1]"
    page.evaluate(f"{second}.scrollIntoView()")
    page.keyboard.press("l")  # out of view, but it plays
    assert said(page, "paused")
    page.keyboard.press("l")
    until(page, f"!{second}.paused")
    assert said(page, "paused")


@pytest.mark.proof
def test_without_a_connection_the_page_says_that_the_sound_is_not_here(
    page: Page, site: str, annotator, campaign, axe
):
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    until(page, "player.readyState > 0")
    expect(page.locator(".media-gone")).to_be_hidden()
    page.wait_for_timeout(1500)  # the next rows come
    page.context.set_offline(True)
    page.keyboard.press("n")
    page.keyboard.press("n")
    at_item(page, 3)  # a picture
    words = page.locator("#stage .media-gone")
    expect(words).to_contain_text("It loads when the connection is back")
    axe(page)
    page.context.set_offline(False)
    expect(words).to_be_hidden()
    assert page.evaluate("document.querySelector('#stage [data-media] img').naturalWidth") == 1
