"""The pages for translators: texts that are seen, that a script says, and that are folded."""

import pytest
from django.urls import reverse
from playwright.sync_api import FrameLocator, Page, expect

from judgments.translations.catalogs import key_of, texts_of
from tests import factory

from .judging import SIZES, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def translator(page: Page, site: str) -> Page:
    sign_in(page, site, factory.make_user("translator", is_staff=True))
    return page


def frame_of(page: Page, site: str, text: str, screen: str) -> FrameLocator:
    page.goto(f"{site}{reverse('translation-text', args=['de', key_of(text)])}?screen={screen}")
    return page.frame_locator("iframe")


@pytest.mark.parametrize("size", SIZES)
def test_a_text_is_found_and_seen(translator: Page, site: str, axe, size):
    page = translator
    page.set_viewport_size(SIZES[size])
    page.goto(f"{site}{reverse('account')}")
    page.get_by_role("link", name="Translations").click()
    axe(page)
    page.get_by_role("link", name="Deutsch", exact=True).click()
    axe(page)
    page.get_by_label("Words").fill("Inhaltstreue")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Adequacy", exact=True).click()
    lit = page.frame_locator("iframe").locator("mark.lit").first
    expect(lit).to_have_text("Inhaltstreue")
    expect(lit).to_be_in_viewport()
    axe(page)


def test_a_text_is_lit_up_where_a_script_says_it(translator: Page, site: str):
    frame = frame_of(translator, site, "# answers missing", "adequacy-fluency")
    expect(frame.locator("#go mark.lit")).to_have_text("10 Antworten fehlen")
    assert "\ue000" not in frame.locator("body").inner_text()


def test_a_text_that_is_folded_is_opened(translator: Page, site: str):
    frame = frame_of(translator, site, "this list", "adequacy-fluency")
    expect(frame.locator("#keys mark.lit")).to_be_visible()


def test_nothing_leaves_the_frame(translator: Page, site: str):
    frame = frame_of(translator, site, "Go on judging", "home")
    (words,) = texts_of("de")[key_of("Go on judging")].forms
    frame.get_by_role("link", name=words).click()
    expect(frame.locator("mark.lit")).to_have_text(words)
