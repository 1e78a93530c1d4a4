"""The star of the judging screen: set and taken back by its key and its button, never lost."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Judgment, Star
from tests import factory

from .judging import at_item, comes_true, fetched_ahead, press, settled, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = """localStorage.getItem(
  Object.keys(localStorage).find((name) => name.startsWith("mteval-stars-")))"""
IS_TOLD = """() => Object.keys(localStorage).filter((name) => name.startsWith("mteval-stars-"))
  .every((name) => Object.values(JSON.parse(localStorage[name])).every(({ isSent }) => isSent))"""


@pytest.fixture
def at_first(page: Page, site, annotator, campaign):
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    return page


def again(page: Page) -> None:
    """A page that is there already may send what is asked of it at once past a new route."""
    page.reload()
    at_item(page, 1)


def starred() -> list[int]:
    return [star.item.position + 1 for star in Star.objects.select_related("item").order_by("pk")]


def star_of(page: Page, *, pressed: bool):
    return page.get_by_role("button", name="Star: I am unsure about this item", pressed=pressed)


def test_the_key_sets_it_and_takes_it_back(at_first: Page, axe):
    page = at_first
    page.keyboard.press("*")
    expect(star_of(page, pressed=True)).to_be_visible()
    expect(page.get_by_text("The item is starred.")).to_be_attached()
    comes_true(page, IS_TOLD)
    assert starred() == [1]
    axe(page)
    page.keyboard.press("*")
    expect(star_of(page, pressed=False)).to_be_visible()
    comes_true(page, IS_TOLD)
    assert starred() == []


def test_it_belongs_to_its_item_before_and_after_the_answer(at_first: Page, site, campaign):
    page = at_first
    star_of(page, pressed=False).click()
    press(page, "345122")
    press(page, ["Enter"])
    at_item(page, 2)
    expect(star_of(page, pressed=False)).to_be_visible()
    press(page, "p")  # the row of an item that was answered comes from the site again
    at_item(page, 1)
    expect(star_of(page, pressed=True)).to_be_visible()
    press(page, "*")
    comes_true(page, IS_TOLD)
    assert starred() == []
    judgment = Judgment.objects.get()
    assert judgment.revision == 1
    press(page, "*")
    comes_true(page, IS_TOLD)
    page.goto(f"{site}/judge/{campaign.pk}/items/?show=starred")
    expect(page.locator(".my-items li")).to_have_count(1)


def test_rows_that_were_fetched_before_show_it(at_first: Page):
    page = at_first
    fetched_ahead(page, 1)
    press(page, "n")
    at_item(page, 2)
    press(page, "*")
    comes_true(page, IS_TOLD)
    press(page, "p")
    at_item(page, 1)
    expect(star_of(page, pressed=False)).to_be_visible()
    press(page, "n")
    at_item(page, 2)
    expect(star_of(page, pressed=True)).to_be_visible()
    assert starred() == [2]


def test_without_a_connection_it_waits_and_is_sent_from_any_page(at_first: Page, site):
    page = at_first
    page.route("**/star/", lambda route: route.abort())
    again(page)
    page.keyboard.press("*")
    expect(star_of(page, pressed=True)).to_be_visible()
    page.reload()
    at_item(page, 1)
    expect(star_of(page, pressed=True)).to_be_visible()
    assert starred() == []
    page.unroute("**/star/")
    page.goto(f"{site}/")
    comes_true(page, IS_TOLD)
    assert starred() == [1]


def test_a_star_that_cannot_be_told_now_does_not_hold_up_others(at_first: Page, site, campaign):
    page = at_first
    page.route("**/1/star/", lambda route: route.fulfill(status=409))
    again(page)
    press(page, "*")
    expect(star_of(page, pressed=True)).to_be_visible()
    page.goto(f"{site}/judge/{campaign.pk}/2/")
    at_item(page, 2)
    press(page, "*")
    comes_true(
        page, "() => Object.entries(JSON.parse(" + KEPT + ")).filter(([, s]) => s.isSent).length"
    )
    assert starred() == [2]
    page.unroute("**/1/star/")
    page.reload()
    comes_true(page, IS_TOLD)
    assert sorted(starred()) == [1, 2]


def test_a_star_is_no_highest_score_where_its_key_is_that_after_0(page: Page, site, annotator):
    """As on Turkish keyboards."""
    owner = factory.make_user("other-owner")
    campaign = factory.make_campaign(
        factory.make_test_set(owner), preset="da-sqm", owner=owner, annotators=[annotator]
    )
    factory.make_task(campaign, annotator, n_outputs=1)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    page.evaluate("""() => document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
      { key: "*", code: "Minus", bubbles: true, cancelable: true }))""")
    expect(star_of(page, pressed=True)).to_be_visible()
    expect(page.locator("#stage .slider.is-set")).to_have_count(0)


def test_another_device_is_newer_than_what_was_said_here(at_first: Page):
    page = at_first
    press(page, "*")
    comes_true(page, IS_TOLD)
    Star.objects.all().delete()
    page.reload()
    at_item(page, 1)
    expect(star_of(page, pressed=False)).to_be_visible()


def test_a_star_on_what_is_not_theirs_any_more_is_given_up(at_first: Page):
    page = at_first
    page.route("**/star/", lambda route: route.fulfill(status=404))
    again(page)
    press(page, "*")
    comes_true(page, "() => " + KEPT + " === '{}'")
    settled(page)
