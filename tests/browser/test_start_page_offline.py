"""The start page without a connection: what this browser holds for the signed-in user, and never an
old page instead of a new one. Here browsers have their service worker."""

import pytest
from playwright.sync_api import Page, expect

from tests import factory

from .judging import at_item, comes_true, press, sign_in
from .test_trains import (
    HELD,
    NOTHING,
    all_stored,
    answer,
    begin,
    document,
    holds,
    open_browser,
)

__all__ = ["document", "open_browser"]  # fixtures
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

IS_READY = """async () => {
  for (const name of await caches.keys())
    if (name.startsWith("mteval-start-"))
      return (await (await caches.open(name)).keys()).length > 0;
  return false;
}"""
OURS = "(name) => name.startsWith('mteval-')"
REGISTER = """() => navigator.serviceWorker
  .register("/judge/worker.js", { scope: "/judge/" }).then(() => null)"""
SCOPES = """async () => (await navigator.serviceWorker.getRegistrations()).map((each) =>
  new URL(each.scope).pathname)"""


def ready(page: Page) -> None:
    """Wait until the start page can be had without the site."""
    holds(page, 3)
    comes_true(page, IS_READY)


def test_it_lists_what_is_held_and_leads_into_the_work(
    open_browser, site: str, annotator, document, axe
):
    context = open_browser()
    page = begin(context, site, annotator, document)
    ready(page)
    context.set_offline(True)
    answer(page, 1)
    at_item(page, 2)
    press(page, "*")
    page.get_by_role("link", name="mteval").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your work")
    assert page.url == f"{site}/"
    expect(page.get_by_text("These are the items of your work")).to_be_visible()
    expect(page.get_by_role("heading", level=2)).to_have_text(document.name)
    expect(page.locator("#waiting")).to_contain_text("1 answer is waiting")
    lines = page.locator(".my-items li")
    expect(lines).to_have_count(4)
    expect(lines.nth(0)).to_contain_text("waiting to be sent")
    expect(lines.nth(1).get_by_role("img", name="Starred")).to_be_visible()
    expect(lines.nth(2).get_by_role("img", name="Starred")).to_be_hidden()
    expect(page.locator("main")).not_to_contain_text("Quelltext Nummer 4")  # not read yet
    axe(page)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("link", name="Continue judging").click()
    answer(page, 2)
    at_item(page, 3)
    page.goto(f"{site}/")
    lines.nth(3).get_by_role("link").click()
    at_item(page, 4)
    page.goto(f"{site}/")
    expect(page.get_by_text("These are the items of your work")).to_be_visible()
    context.set_offline(False)  # the page itself comes back
    expect(page.get_by_role("progressbar")).to_be_visible(timeout=25_000)
    all_stored(page, 2)
    page.reload()
    expect(page.locator("main")).to_contain_text("2 of 4 judged")


def test_with_a_connection_the_page_is_never_an_old_one(
    open_browser, site: str, annotator, document
):
    context = open_browser()
    page = begin(context, site, annotator, document)
    ready(page)
    page.goto(f"{site}/")
    expect(page.locator("main")).to_contain_text("0 of 4 judged")
    task = document.tasks.get()
    factory.judge(task.items.first(), {"adequacy": [3, 4, 5], "fluency": [2, 2, 5]})
    page.reload()
    expect(page.locator("main")).to_contain_text("1 of 4 judged")
    assert page.evaluate(SCOPES) == ["/"]


def test_signing_out_clears_it_and_the_next_person_sees_their_own(
    open_browser, site: str, annotator, document
):
    context = open_browser()
    page = begin(context, site, annotator, document)
    ready(page)
    context.clear_cookies()
    page.goto(f"{site}/sign-in/")
    comes_true(page, f"async () => !(await caches.keys()).some({OURS})")
    page.goto("about:blank")
    page.goto(f"{site}/sign-in/")
    assert page.evaluate(HELD) == NOTHING
    context.set_offline(True)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        page.goto(f"{site}/")
    context.set_offline(False)
    other = factory.make_user("other")
    campaign = factory.make_campaign(document.test_set, name="Of the other", annotators=[other])
    factory.make_task(campaign, other)
    sign_in(page, site, other)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    comes_true(page, IS_READY)
    context.set_offline(True)
    page.goto(f"{site}/")
    expect(page.get_by_role("heading", level=2)).to_have_text("Of the other")


def test_the_worker_of_before_gives_way(open_browser, site: str, annotator, document):
    """It had the judging pages alone."""
    context = open_browser()
    page = context.pages[0]
    sign_in(page, site, annotator)
    page.goto(f"{site}/account/")
    page.evaluate(REGISTER)
    comes_true(page, f"async () => (await ({SCOPES})()).length === 1")
    page.goto(f"{site}/judge/{document.pk}/")
    at_item(page, 1)
    comes_true(page, f"async () => (await ({SCOPES})()).join() === '/'")
    page.reload()
    ready(page)
    context.set_offline(True)
    page.goto(f"{site}/")
    expect(page.get_by_text("These are the items of your work")).to_be_visible()
