"""Judging without a connection: across documents, after a reload, after the browser was closed; two
devices, two tabs. Here browsers have their service worker."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from judgments.models import Judgment, Task
from tests import factory

from . import chromium
from .judging import (
    at_item,
    comes_true,
    fetched_ahead,
    intercept,
    make_campaign,
    press,
    settled,
    sign_in,
    stored,
)

pytestmark = pytest.mark.django_db(transaction=True)

# What a device holds: rows and marks in IndexedDB, pages and files in caches, workers.
HELD = """async () => {
  const db = await new Promise((resolve) => {
    const request = indexedDB.open("mteval-held");
    request.onsuccess = () => resolve(request.result);
  });
  const count = (name) => new Promise((resolve) => {
    if (!db.objectStoreNames.contains(name)) return resolve(0);
    const request = db.transaction(name).objectStore(name).count();
    request.onsuccess = () => resolve(request.result);
  });
  const held = { rows: await count("rows"), marks: await count("marks") };
  db.close();
  held.pages = 0;
  for (const name of await caches.keys())
    if (name.startsWith("mteval-pages-"))
      held.pages += (await (await caches.open(name)).keys()).length;
  held.workers = (await navigator.serviceWorker.getRegistrations()).length;
  return held;
}"""
# Whether the worker has a file.
IS_KEPT = "async (path) => Boolean(await caches.match(location.origin + '/static' + path))"
NOTHING = {"rows": 0, "marks": 0, "pages": 0, "workers": 0}


@pytest.fixture
def document(annotator):
    """Two documents of two segments with three translations each."""
    campaign = make_campaign(annotator, options={"context": "document", "show_source": True})
    factory.make_task(campaign, annotator)
    return campaign


@pytest.fixture
def open_browser(playwright: Playwright, tmp_path: Path, browser_type_launch_args: dict):
    """Opens the same browser again and again, with what it has kept."""
    opened: list[BrowserContext] = []

    def launch(name: str = "one") -> BrowserContext:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / name,
            executable_path=browser_type_launch_args["executable_path"],
            args=chromium.ARGUMENTS,
            service_workers="allow",
        )
        opened.append(context)
        return context

    yield launch
    for context in opened:
        context.close()


def holds(page: Page, n_rows: int) -> None:
    """Wait until the page is cached by the worker, and that many rows in addition to the open one
    are held."""
    fetched_ahead(page, n_rows)
    for _ in range(100):
        held = page.evaluate(HELD)
        if held["pages"] and held["rows"] >= n_rows:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"Nothing is held: {held}")


def begin(context: BrowserContext, site: str, user, campaign) -> Page:
    page = context.pages[0]
    sign_in(page, site, user)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    return page


def answer(page: Page, number: int) -> None:
    at_item(page, number)
    press(page, str(number) * 6)
    page.keyboard.press("Enter")


def all_stored(page: Page, n_judgments: int) -> None:
    deadline = time.monotonic() + 15
    while Judgment.objects.count() < n_judgments and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    settled(page)
    assert Judgment.objects.count() == n_judgments


def test_across_documents_after_a_reload_and_after_closing(
    open_browser, site: str, annotator, document, axe
):
    context = open_browser()
    page = begin(context, site, annotator, document)
    holds(page, 3)
    context.set_offline(True)
    answer(page, 1)
    answer(page, 2)
    at_item(page, 3)  # of another document
    expect(page.locator("#rows")).to_contain_text("Quelltext Nummer 4")
    expect(page.locator("#rows > .row")).to_have_count(2)
    expect(page.locator("#stage")).to_be_focused()
    page.reload()
    at_item(page, 3)
    expect(page.locator("#rows")).to_contain_text("Quelltext Nummer 4")
    expect(page.locator("#waiting")).to_contain_text("2 answers are waiting")
    expect(page.locator("#pace strong")).to_have_text("2 of 4")
    press(page, "12")
    axe(page)
    context.close()

    context = open_browser()
    context.set_offline(True)
    page = context.pages[0]
    page.goto(f"{site}/judge/{document.pk}/")  # where one leaves off, from a bookmark
    context.set_offline(True)  # only now does a page that was opened offline know
    at_item(page, 3)
    expect(page.locator("#go")).to_have_text("4 answers missing")  # two came back
    press(page, "3" * 4)
    page.locator("#q-output1-adequacy label").nth(2).click()
    page.locator("#q-output1-fluency label").nth(2).click()
    page.keyboard.press("Enter")
    answer(page, 4)
    expect(page.locator("#trouble")).to_contain_text("not on this device")
    assert not Judgment.objects.exists()
    sign_in(page, site, annotator)  # the tests' cookie ends with the browser, the site's does not
    context.set_offline(False)
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible(timeout=15000)
    all_stored(page, 4)
    assert stored() == [1.0] * 6 + [2.0] * 6 + [3.0] * 6 + [4.0] * 6
    assert Task.objects.get().n_judged == 4
    page.wait_for_timeout(300)
    assert page.evaluate(HELD) == NOTHING | {"workers": 1}, "the work is done"


@pytest.mark.proof
def test_the_next_document_comes_without_a_page(page: Page, site: str, annotator, document):
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{document.pk}/")
    at_item(page, 1)
    fetched_ahead(page, 3)
    answer(page, 1)
    answer(page, 2)
    at_item(page, 3)
    rows = page.locator("#rows > .row")
    expect(rows).to_have_count(2)
    expect(rows.first).to_have_class(re.compile("is-open"))
    expect(rows.nth(1)).to_contain_text("Quelltext Nummer 4")
    expect(page.locator("#stage")).to_be_focused()
    page.go_back()  # the document before, with what was answered
    expect(page.locator("#heading")).to_have_text("Item 2 of 4")
    expect(page.locator("#q-output1-fluency input:checked")).to_have_value("2")
    expect(rows.first).to_contain_text("✓ Adequacy 1, 1, 1")
    assert len(loads) == 1, loads
    assert stored() == [1] * 6 + [2] * 6


@pytest.mark.proof
def test_signing_out_and_another_person_clear_what_is_held(
    open_browser, site: str, annotator, document
):
    context = open_browser()
    page = begin(context, site, annotator, document)
    holds(page, 3)
    page.goto(f"{site}/")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    page.wait_for_timeout(500)
    assert page.evaluate(HELD) == NOTHING
    context.set_offline(True)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        page.goto(f"{site}/judge/{document.pk}/")


@pytest.mark.proof
def test_a_device_may_hold_nothing(open_browser, site: str, annotator, document, axe):
    context = open_browser()
    page = begin(context, site, annotator, document)
    holds(page, 3)
    page.get_by_role("link", name="Settings").click()
    device = page.get_by_role("region", name="This device")
    expect(device).to_contain_text("The next items are kept on this device")
    axe(page)
    device.get_by_role("button", name="Remove them and keep none").click()
    expect(device).to_contain_text("No items are kept on this device")
    page.wait_for_timeout(300)
    assert page.evaluate(HELD) == NOTHING
    page.reload()
    at_item(page, 1)
    fetched_ahead(page, 3)
    assert page.evaluate(HELD) == NOTHING


@pytest.mark.proof
def test_what_waits_is_counted_and_sent_on_every_page(open_browser, site: str, annotator, document):
    context = open_browser()
    page = begin(context, site, annotator, document)
    holds(page, 3)
    intercept(page, "**/judge/**", lambda route: route.abort())
    answer(page, 1)
    expect(page.locator("#waiting")).to_contain_text("1 answer is waiting")
    refused = {"status": 503, "body": "<h1>Back in a moment</h1>", "content_type": "text/html"}
    page.route(
        "**/judge/**",
        lambda route: (
            route.fulfill(**refused) if route.request.method == "POST" else route.continue_()
        ),
    )
    for path in ("/", "/account/", f"/judge/{document.pk}/items/"):
        page.goto(f"{site}{path}")
        expect(page.locator("#waiting")).to_contain_text("1 answer is waiting")
    with page.expect_request(lambda request: request.method == "POST"):
        page.locator("#waiting").get_by_role("button", name="Send now").click()
    page.unroute_all()
    expect(page.locator("#waiting")).to_be_hidden(timeout=15_000)
    all_stored(page, 1)


@pytest.mark.proof
def test_two_devices_ask_which_judgment_holds(open_browser, site: str, annotator, document, axe):
    train, desk = open_browser("train"), open_browser("desk")
    page = begin(train, site, annotator, document)
    holds(page, 3)
    train.set_offline(True)
    answer(page, 1)
    answer(page, 2)
    at_item(page, 3)
    other = begin(desk, site, annotator, document)
    fetched_ahead(other, 3)
    for number in (1, 2):
        at_item(other, number)
        press(other, "5" * 6)
        other.keyboard.press("Enter")
    at_item(other, 3)
    all_stored(other, 2)
    train.set_offline(False)
    waiting = page.locator("#waiting")
    expect(waiting.locator("li")).to_have_count(2, timeout=15000)
    first = waiting.locator("li").first
    expect(first).to_contain_text("Item 1 of 4")
    expect(first).to_contain_text("was judged on another device")
    choices = first.get_by_role("button")
    expect(choices).to_have_text(
        [
            "Replace it with my answer The item opens with my answer, which is stored when I "
            "submit it.",
            "Discard my answer It is deleted from this browser. What the site has stored does not "
            "change.",
        ]
    )
    one, other_one = (box["width"] for box in (choices.nth(n).bounding_box() for n in (0, 1)))
    assert abs(one - other_one) < 1, "of equal rank"
    axe(page)
    assert stored() == [5] * 12, "nothing was overwritten"
    first.get_by_role("button", name="Replace it with my answer").click()
    at_item(page, 1)
    expect(page.locator("#q-output1-fluency input:checked")).to_have_value("1")
    page.keyboard.press("Enter")
    expect(waiting.locator("li")).to_have_count(1)
    expect(waiting).to_contain_text("Item 2 of 4")
    waiting.get_by_role("link", name="Go to the item").click()
    at_item(page, 2)
    expect(page.locator("#q-output1-fluency input:checked")).to_have_value("5")
    waiting.get_by_role("button", name="Discard my answer").click()
    expect(waiting).to_be_hidden()
    all_stored(page, 3)
    assert stored() == [5] * 12 + [1] * 6
    assert list(Judgment.objects.order_by("pk").values_list("revision", flat=True)) == [1, 1, 2]


@pytest.mark.proof
def test_the_second_tab_says_so_until_it_is_the_only_one(
    page: Page, site: str, annotator, document
):
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{document.pk}/")
    at_item(page, 1)
    second = page.context.new_page()
    second.goto(page.url)
    at_item(second, 1)
    notice = second.get_by_text("already open in another tab")
    expect(notice).to_be_visible()
    page.wait_for_timeout(1600)
    expect(page.get_by_text("already open in another tab")).to_be_hidden()
    page.close()
    expect(notice).to_be_hidden()


def answer_what_is_refused(page: Page, site: str, annotator, document) -> None:
    """Answer the first item in a way that the site refuses, and go on to the second."""
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{document.pk}/")
    at_item(page, 1)
    fetched_ahead(page, 3)
    press(page, "123451")
    page.evaluate("document.querySelector('#q-output2-fluency :checked').value = '9'")
    page.keyboard.press("Enter")
    at_item(page, 2)


def test_an_answer_that_is_refused_behind_comes_back(
    page: Page, site: str, annotator, document, axe
):
    """The site finds an answer missing when the next item is open already."""
    answer_what_is_refused(page, site, annotator, document)
    press(page, "22")
    line = page.locator("#waiting li")
    expect(line).to_contain_text("Item 1 of 4")
    expect(line).to_contain_text("some answers are missing")
    axe(page)
    line.get_by_role("link", name="Go to the item").click()
    at_item(page, 1)
    expect(page.locator("#q-output1-fluency input:checked")).to_have_value("2")
    page.locator("#q-output2-fluency input[value='4']").check(force=True)
    page.locator("#go").click()
    at_item(page, 2)
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator("#go")).to_have_text("4 answers missing")  # what was begun came back
    assert stored() == [1, 2, 3, 4, 5, 1]


SLOWLY = """() => {
  const { mine } = window.mtevalQueue;
  window.mtevalQueue.mine = async () => {
    await new Promise((done) => setTimeout(done, 1500));
    return mine();
  };
}"""


def test_what_is_changed_before_a_refused_answer_is_read_stays(
    page: Page, site: str, annotator, document
):
    answer_what_is_refused(page, site, annotator, document)
    line = page.locator("#waiting li")
    expect(line).to_contain_text("some answers are missing")
    page.evaluate(SLOWLY)
    line.get_by_role("link", name="Go to the item").click()
    at_item(page, 1)
    expect(page.locator("#q-output1-fluency input:checked")).to_have_value("2")  # of the draft
    page.locator("#q-output1-fluency input[value='5']").check(force=True)
    page.locator("#q-output2-fluency input[value='4']").check(force=True)
    page.wait_for_timeout(2000)  # until the answer is read
    expect(page.locator("#q-output1-fluency input:checked")).to_have_value("5")
    expect(page.locator("#q-output2-fluency input:checked")).to_have_value("4")
    page.locator("#go").click()
    at_item(page, 2)
    expect(page.locator("#waiting")).to_be_hidden()
    assert stored() == [1, 5, 3, 4, 5, 1]


@pytest.mark.proof
def test_what_a_script_imports_is_held_with_it(open_browser, site: str, annotator):
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=3, n_systems=1, n_documents=1)
    campaign = factory.make_campaign(test_set, preset="esa", owner=owner, annotators=[annotator])
    factory.make_task(campaign, annotator)
    context = open_browser()
    page = begin(context, site, annotator, campaign)
    holds(page, 1)
    for name in ("spans", "span-texts", "touch"):
        comes_true(page, IS_KEPT, f"/js/protocols/spans/{name}.js")
    context.set_offline(True)
    page.reload()
    at_item(page, 1)
    expect(page.locator(".output .span-text").first).to_be_visible()
