"""No answer to an item that is not on the screen, none lost and none stored twice: whatever is cut,
reloaded, gone past or opened twice. Every answer stored by the page is also logged, with what was
on the screen at that moment."""

import os
import random
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Playwright, Route, expect

from judgments.models import Item, Judgment, Output
from tests import factory

from . import chromium
from .judging import at_item, comes_true, fetched_ahead, intercept, press, settled, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

N_ITEMS = 12
SEEDS = range(int(os.environ.get("PAINTED_SEEDS", "2")))
N_ACTS = 60
N_FEW = 5  # items of the random acts: soon nothing is left that could be opened
# Wraps what keeps answers. The log is in the browser's storage, which outlives reloads.
LOG = """(() => {
  let queue;
  Object.defineProperty(window, "mtevalQueue", {
    get: () => queue,
    set: (value) => {
      const put = value.put;
      value.put = async (answer) => {
        const stage = document.getElementById("stage");
        const text = stage.querySelector(".judged .segment-text");
        const entry = {
          at: performance.timeOrigin + performance.now(),
          number: answer.number,
          value: Number(new URLSearchParams(answer.body).get("output1-da")),
          shown: text?.checkVisibility() ? text.textContent : null,
        };
        const id = await put(answer);
        localStorage.setItem(`log-${entry.at}-${Math.random()}`, JSON.stringify(entry));
        return id;
      };
      queue = value;
    },
  });
})()"""
READ_LOG = """() => Object.entries(localStorage)
  .filter(([name]) => name.startsWith("log-"))
  .map(([, entry]) => JSON.parse(entry))
  .sort((a, b) => a.at - b.at)"""
LOG_OPENED = """() => {
  window.opened = [];
  document.addEventListener("mteval:open", ({ target }) =>
    window.opened.push(Number(target.dataset.number)));
}"""
COUNT_KEYS = """() => {
  window.nKeys = 0;
  document.addEventListener("keydown", () => (window.nKeys += 1));
}"""
NO_LONG_TIMERS = """(() => {
  const { setTimeout } = window;
  window.setTimeout = (act, ms, ...rest) => (ms >= 4000 ? 0 : setTimeout(act, ms, ...rest));
})()"""
REFUSED = "async () => (await mtevalQueue.mine()).filter((a) => a.refused).map((a) => a.number)"
WAITING = "async () => (await mtevalQueue.mine()).every((answer) => answer.refused)"


def make_work(annotator, n_items: int):
    """Items of one translation each, in one batch."""
    test_set = factory.make_test_set(annotator, n_segments=n_items, n_systems=1)
    campaign = factory.make_campaign(
        test_set, preset="direct-assessment", owner=factory.make_user("o"), annotators=[annotator]
    )
    factory.make_task(campaign, annotator, n_outputs=1)
    return campaign


@pytest.fixture
def work(annotator):
    return make_work(annotator, N_ITEMS)


@pytest.fixture
def context(playwright: Playwright, tmp_path: Path, browser_type_launch_args: dict, annotator):
    """A browser with its service worker, in which all answers are logged."""
    context = playwright.chromium.launch_persistent_context(
        tmp_path / "browser",
        executable_path=browser_type_launch_args["executable_path"],
        args=chromium.ARGUMENTS,
        service_workers="allow",
    )
    context.add_init_script(LOG)
    yield context
    context.close()


def begin(context: BrowserContext, site: str, annotator, work, n_items: int = N_ITEMS) -> Page:
    page = context.pages[0]
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{work.pk}/")
    at_item(page, 1)
    fetched_ahead(page, n_items - 1)
    comes_true(page, "async () => (await caches.keys()).some((n) => n.startsWith('mteval-pages-'))")
    return page


def stored() -> dict[int, list[float]]:
    """The values of every item, in the order of their revisions."""
    found: dict[int, list[float]] = {}
    rows = Judgment.objects.order_by("item__position", "revision")
    for number, value in rows.values_list("item__position", "ratings__value"):
        found.setdefault(number + 1, []).append(value)
    return found


def refuse_answers(route: Route) -> None:
    """Pages can be reached, but no answer gets through."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.fallback()


def text_of(number: int) -> str:
    return f"Source text number {number} here"


def test_what_is_not_on_the_screen_takes_no_answer(context, site: str, annotator, work):
    """Offline, item 2 is gone past and what follows is judged; after a reload the page shows item
    2, which it came with, or nothing, and then no key answers."""
    page = begin(context, site, annotator, work)
    press(page, ["5", "Enter"])
    at_item(page, 2)
    page.reload()
    at_item(page, 2)
    fetched_ahead(page, N_ITEMS - 2)
    context.set_offline(True)
    page.keyboard.press("n")
    for number in range(3, N_ITEMS + 1):
        at_item(page, number)
        press(page, ["6", "Enter"])
    settled(page)
    page.reload()
    expect(page.locator("#stage")).to_be_visible()
    at_item(page, 2)
    expect(page.locator("#nothing-held")).to_be_hidden()
    expect(page.locator(".judged")).to_contain_text(text_of(2))
    expect(page.locator("#pace strong")).to_have_text(f"{N_ITEMS - 1} of {N_ITEMS}")
    press(page, ["7", "Enter"])
    settled(page)
    page.reload()
    expect(page.locator("#nothing-held")).to_be_visible()
    press(page, ["1", "Enter", "2", "Enter"])
    page.evaluate("document.getElementById('answer').requestSubmit()")
    context.set_offline(False)
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible(timeout=15000)
    assert stored() == {1: [50], 2: [70]} | {n: [60] for n in range(3, N_ITEMS + 1)}


@pytest.mark.proof
def test_back_online_the_count_is_right_and_the_warning_gone(context, site: str, annotator, work):
    page = begin(context, site, annotator, work)
    context.set_offline(True)
    for number in range(1, 5):
        at_item(page, number)
        press(page, ["6", "Enter"])
    at_item(page, 5)
    page.reload()
    at_item(page, 5)
    expect(page.locator("#pace strong")).to_have_text(f"4 of {N_ITEMS}")
    intercept(page, "**/judge/*/*/", refuse_answers)
    context.set_offline(False)
    page.reload()
    expect(page.locator("#pace strong")).to_have_text(f"4 of {N_ITEMS}")
    at_item(page, 5)
    page.unroute_all()
    page.evaluate("mtevalQueue.flush(true)")
    comes_true(page, WAITING)
    settled(page)
    expect(page.locator("#status")).not_to_contain_text("cannot be reached")
    expect(page.locator("#waiting")).to_be_hidden()
    assert stored() == {n: [60] for n in range(1, 5)}


@pytest.mark.proof
def test_where_one_was_is_found_when_all_is_sent(context, site: str, annotator, work):
    """Back online the site does not know yet what was judged, and leads to the first item: it shows
    what was answered, and when all is stored the work goes on where it was."""
    page = begin(context, site, annotator, work)
    context.set_offline(True)
    for number in range(1, 5):
        at_item(page, number)
        press(page, ["6", "Enter"])
    at_item(page, 5)
    intercept(page, "**/judge/*/*/", refuse_answers)
    context.set_offline(False)
    page.goto(f"{site}/judge/{work.pk}/")
    page.wait_for_url("**/1/")
    expect(page.locator("#pace strong")).to_have_text(f"4 of {N_ITEMS}")
    expect(page.locator("#go")).to_have_text("Submit and continue")  # it is not blank
    assert not Judgment.objects.exists()
    page.evaluate(LOG_OPENED)
    page.unroute_all()
    page.evaluate("mtevalQueue.flush(true)")
    at_item(page, 5)
    expect(page.locator("#go")).to_have_text("1 answer missing")
    expect(page.locator("#pace strong")).to_have_text(f"4 of {N_ITEMS}")
    assert page.evaluate("window.opened") == [5]
    assert stored() == {n: [60] for n in range(1, 5)}


@pytest.mark.proof
def test_without_an_item_no_script_has_a_key(context, site: str, annotator, work):
    """A page without an item that is due: no listener of this or another script is reached."""
    page = begin(context, site, annotator, work)
    page.evaluate(COUNT_KEYS)
    press(page, ["l", " ", "d"])
    assert page.evaluate("window.nKeys") == 3
    context.set_offline(True)
    for number in range(1, N_ITEMS + 1):
        at_item(page, number)
        press(page, ["6", "Enter"])
    settled(page)
    page.reload()
    expect(page.locator("#nothing-held")).to_be_visible()
    page.evaluate(COUNT_KEYS)
    press(page, ["1", "l", " ", "d", "Shift+PageDown", "Enter", "n"])
    assert page.evaluate("window.nKeys") == 0


def test_a_batch_is_held_at_once(page: Page, site: str, annotator):
    """38 items of 50 kB, without the pauses between rows that are far ahead."""
    test_set = factory.make_test_set(annotator, n_segments=38, n_systems=1)
    test_set.segments.update(source="Ein Wort . " * 60)
    Output.objects.update(text="One word . " * 60)
    campaign = factory.make_campaign(
        test_set, preset="esa", owner=factory.make_user("o"), annotators=[annotator]
    )
    factory.make_task(campaign, annotator, n_outputs=1)
    page.add_init_script(NO_LONG_TIMERS)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    comes_true(page, "() => window.mtevalRows.nReady() === 37")


def test_an_answer_to_changed_texts_is_not_filled_in_again(context, site: str, annotator, work):
    """Neither from what was refused nor as a draft: the new texts are read, and answered anew."""
    page = begin(context, site, annotator, work)
    context.set_offline(True)
    press(page, ["6", "Enter"])
    at_item(page, 2)
    Item.objects.get(position=0).segment.outputs.update(text="Another text stands here now .")
    context.set_offline(False)
    page.evaluate("mtevalQueue.flush(true)")
    refused = page.locator("#waiting [data-refused]")
    expect(refused).to_contain_text("its texts have changed")
    expect(page.locator("#pace strong")).to_have_text(f"0 of {N_ITEMS}")
    refused.get_by_role("link").click()
    at_item(page, 1)
    expect(page.locator(".judged")).to_contain_text("Another text stands here now .")
    press(page, ["Enter"])
    settled(page)
    assert stored() == {}
    press(page, ["4", "Enter"])
    at_item(page, 2)
    comes_true(page, WAITING)
    assert stored() == {1: [40]}


@pytest.mark.proof
def test_a_page_with_nothing_to_judge_finds_back_by_a_step(context, site: str, annotator, work):
    """What is opened by hand is the item that is judged, though answers still wait."""
    page = begin(context, site, annotator, work)
    context.set_offline(True)
    for number in range(1, N_ITEMS + 1):
        at_item(page, number)
        press(page, ["6", "Enter"])
    settled(page)
    page.reload()
    expect(page.locator("#nothing-held")).to_be_visible()
    intercept(
        page,
        "**/judge/*/*/",
        lambda route: route.abort() if route.request.method == "POST" else route.fallback(),
    )
    context.set_offline(False)
    page.locator("#steps [rel=next]").click()
    expect(page.locator("#nothing-held")).to_be_hidden()
    expect(page.locator("#go")).to_be_visible()


class Acts:
    """Random acts of somebody in one or two tabs of a browser on a bad connection."""

    def __init__(self, context: BrowserContext, address: str, seed: int) -> None:
        self.context, self.address = context, address
        self.random = random.Random(seed)
        self.is_offline = False

    @property
    def page(self) -> Page:
        return self.random.choice(self.context.pages)

    def answer(self) -> None:
        press(self.page, [self.random.choice("123456789"), "Enter"])

    def cut(self) -> None:
        self.is_offline = not self.is_offline
        self.context.set_offline(self.is_offline)

    def reload(self) -> None:
        self.page.reload(wait_until="commit")

    def key(self) -> None:
        self.page.keyboard.press(self.random.choice(["n", "n", "p", "Backspace", "Escape"]))

    def back(self) -> None:
        self.page.evaluate("history.back()")

    def tab(self) -> None:
        if len(self.context.pages) > 1:
            self.context.pages[-1].close(run_before_unload=False)
        else:
            self.context.new_page().goto(self.address, wait_until="commit")

    def wait(self) -> None:
        self.page.wait_for_timeout(self.random.choice([50, 400]))

    def run(self, n: int) -> None:
        often = [self.answer] * 6 + [self.cut, self.reload, self.reload, self.key, self.key]
        for _ in range(n):
            act = self.random.choice([*often, self.back, self.tab, self.wait])
            try:
                act()
                self.page.wait_for_timeout(40)
            except Error as error:  # a page that is going, or none without a connection
                assert any(each in str(error) for each in ("ERR_", "navigat", "destroyed")), error


@pytest.mark.proof
@pytest.mark.parametrize("seed", SEEDS)
def test_random_acts(context, site: str, annotator, seed):
    work = make_work(annotator, N_FEW)
    page = begin(context, site, annotator, work, N_FEW)
    Acts(context, f"{site}/judge/{work.pk}/", seed).run(N_ACTS)
    context.set_offline(False)
    page = context.new_page()
    page.goto(f"{site}/judge/{work.pk}/", wait_until="load")
    for other in context.pages[:-1]:
        other.close()
    page.evaluate("mtevalQueue.flush(true)")
    comes_true(page, WAITING)
    log, refused = page.evaluate(READ_LOG), set(page.evaluate(REFUSED))
    assert log, "nothing was answered"
    for entry in log:
        assert entry["shown"] is not None and text_of(entry["number"]) in entry["shown"], entry
    given: dict[int, list[float]] = {}
    for entry in log:
        given.setdefault(entry["number"], []).append(entry["value"])
    found = stored()
    assert set(found) | refused >= set(given), "an answer is lost"
    for number, values in found.items():
        assert set(values) <= set(given.get(number, ())), f"nobody answered item {number} so"
        assert all(a != b for a, b in pairwise(values)), "stored twice"
        if number not in refused:
            assert values[-1] == given[number][-1], f"the last answer to item {number} is lost"
