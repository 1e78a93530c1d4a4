"""A translation without words, and a test set without texts, in a browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from judgments.models import ErrorSpan, Judgment, Output, Status
from tests import factory

from .judging import SIZES, at_item, make_campaign, press, sign_in
from .test_every_page import faults_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


@pytest.fixture
def annotator(db):
    return factory.make_user("annotator")


def open_empty(page: Page, site: str, annotator, preset: str, n_outputs: int = 1, **fields):
    """The first item of a campaign whose first system said nothing."""
    campaign = make_campaign(annotator, preset=preset, **fields)
    Output.objects.filter(system__name="System-A").update(text="")
    factory.make_task(campaign, annotator, n_outputs=n_outputs)
    sign_in(page, site, annotator)
    page.goto(site + reverse("judge-item", args=[campaign.pk, 1]))
    at_item(page, 1)
    return campaign


@pytest.mark.parametrize("size", SIZES)
def test_an_error_of_what_is_missing_is_marked_with_keys(page, site, annotator, size):
    page.set_viewport_size(SIZES[size])
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    open_empty(page, site, annotator, "esa")
    token = page.locator("#stage .empty-text")
    expect(token).to_have_text("empty translation")
    # There is nothing to choose from: neither keys nor the pointer make a span.
    token.click()
    press(page, ["ArrowRight", "e"])
    expect(page.locator(".span-list li")).to_have_count(0)
    press(page, ["m", "2"])
    expect(page.locator(".span-list li")).to_have_count(1)
    expect(page.locator(".span-name")).to_contain_text("something is missing")
    expect(token).to_be_visible()
    page.locator("input[type=range]").fill("10")
    page.get_by_role("button", name="Submit and continue").click()
    at_item(page, 2)
    span = ErrorSpan.objects.get()
    assert (span.side, span.start, span.end, span.severity) == ("missing", 0, 0, "major")
    assert not faults


@pytest.mark.parametrize("preset", ["adequacy-fluency", "pairwise", "relative-ranking"])
def test_it_is_told_to_a_screen_reader(page, site, annotator, preset):
    open_empty(page, site, annotator, preset, n_outputs=2, target_language="ar")
    said = page.locator("#stage article.output").first.aria_snapshot()
    assert "empty translation" in said
    token = page.locator("#stage .empty-text")
    expect(token).to_have_attribute("lang", "en")
    expect(token).to_have_attribute("dir", "ltr")


def test_word_links_of_nothing(page, site, annotator):
    open_empty(page, site, annotator, "word-alignment")
    page.get_by_label("No words correspond").check()
    page.get_by_role("button", name="Submit and continue").click()
    at_item(page, 2)
    judgment = Judgment.objects.get()
    assert judgment.item.position == 0 and not judgment.links.exists()


def test_pages_without_texts_are_sound(browser: Browser, site: str, db):
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.take_texts(factory.make_test_set(owner))
    campaign = factory.make_campaign(test_set, owner=owner, status=Status.CLOSED)
    page = browser.new_context().new_page()
    sign_in(page, site, owner)
    of_set = ("test-set", "test-set-texts", "test-set-metrics")
    of_campaign = ("campaign", "campaign-design", "campaign-notes", "quality", "correlation")
    addresses = [
        *(reverse(name, args=[test_set.pk]) for name in of_set),
        *(reverse(name, args=[campaign.pk]) for name in of_campaign),
    ]
    for address in addresses:
        assert faults_of(page, site + address) == []
        expect(page.locator("#no-texts, form[enctype]").first).to_be_visible()
