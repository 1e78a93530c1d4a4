"""The front page, a trial by keyboard, and signing in to the demo, in a browser."""

import gzip
import re

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page, expect

from judgments.judging import trial
from judgments.models import Judgment
from tests import seeds

from .judging import SIZES, press

pytestmark = pytest.mark.django_db(transaction=True)

NUMBER_OF_RANKING = 1 + [preset.slug for preset in trial.presets()].index("relative-ranking")
# What a browser may keep for later: of a trial it keeps nothing.
KEPT = """async () => ({
  local: Object.keys(localStorage),
  session: Object.keys(sessionStorage),
  databases: (await indexedDB.databases()).map((each) => each.name),
})"""
NOTHING = {"local": [], "session": [], "databases": []}


@pytest.mark.parametrize("size", SIZES)
def test_one_item_by_keyboard(page: Page, site: str, axe, size):
    page.set_viewport_size(SIZES[size])
    page.goto(f"{site}/")
    page.get_by_role("link", name="Try judging").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Adequacy and fluency").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".is-current")).to_have_count(1)
    axe(page)
    page.wait_for_timeout(1100)  # as if somebody read
    press(page, "4351524132")
    assert page.evaluate(KEPT) == NOTHING, "no draft"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What would have been stored")
    expect(page.locator("main li").first).to_have_text("Translation 1, Adequacy: 4 (Most)")
    expect(page.locator("main li")).to_have_count(10)
    axe(page)
    assert page.evaluate(KEPT) == NOTHING
    expect(page.locator("main")).to_contain_text(re.compile(r"the [1-9]\d* s of work in between"))
    page.get_by_role("link", name="Next screen").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_title("Direct assessment · Try judging · mteval")
    expect(page.locator(".is-current")).to_have_count(1)
    page.keyboard.press("?")
    expect(page.locator("dialog#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    is_wide = size == "desk"
    panel = page.locator("#docked" if is_wide else "dialog#instructions")
    expect(panel.locator("h1")).to_have_text("Instructions")
    page.keyboard.press("i" if is_wide else "Escape")
    expect(panel).to_be_hidden()
    page.keyboard.press("n")
    expect(page).to_have_url(f"{site}/try/3/")
    expect(page.locator(".is-current")).to_have_count(1)  # keys work once the page has its scripts
    page.keyboard.press("p")
    expect(page).to_have_url(f"{site}/try/2/")
    assert page.evaluate(KEPT) == NOTHING
    assert not Judgment.objects.exists()


def test_without_an_answer_the_screen_asks_for_it(page: Page, site: str):
    page.goto(f"{site}/try/1/")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("10 answers missing")
    expect(page).to_have_url(f"{site}/try/1/")


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-US", "ar"])
def test_the_pages_are_accessible(browser: Browser, site: str, axe, size, theme, language):
    context = browser.new_context(viewport=SIZES[size], color_scheme=theme, locale=language)
    page = context.new_page()
    for address in ("/", "/try/", "/docs/guide/system-ranks.html"):
        page.goto(site + address)
        axe(page)
        over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(over) <= 0, address
    context.close()


@pytest.mark.parametrize(("theme", "suffix"), [("light", ""), ("dark", "-dark")])
def test_the_front_page_is_light(browser: Browser, site: str, theme, suffix):
    """Loads besides the pictures, and the pictures of the theme."""
    sizes: dict[str, int] = {}
    context = browser.new_context(color_scheme=theme)
    page = context.new_page()
    page.on("requestfinished", lambda request: sizes.update({request.url: body_of(request)}))
    page.goto(f"{site}/", wait_until="networkidle")
    pictures = [url for url in sizes if url.endswith(".png")]
    assert sorted(url.rpartition("/")[2].split(".")[0] for url in pictures) == [
        f"{name}{suffix}" for name in ("annotator", "manager", "researcher")
    ]
    assert all(sizes[url] < 60_000 for url in pictures)
    assert sum(sizes[url] for url in sizes if url not in pictures) < 100_000
    context.close()


def body_of(request) -> int:
    """Bytes; `./run` sends style sheets compressed, the server of the tests does not."""
    body = request.response().body()
    return len(gzip.compress(body) if request.url.endswith(".css") else body)


@pytest.mark.proof
@pytest.mark.parametrize("name", ["manager", "researcher", "annotator"])
def test_the_door_of_the_demo(page: Page, site: str, settings, axe, name):
    seeds.take("demo", lambda: call_command("load_demo", verbosity=0))
    settings.DEMO_SIGN_IN = True
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    page.goto(f"{site}/")
    axe(page)
    page.get_by_role("button", name=f"Enter as {name}").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=name)).to_be_visible()


def test_a_translation_to_be_ranked_begins_at_its_beginning(browser: Browser, site: str):
    """On a page from right to left, too, of a text from left to right that has not enough room."""
    context = browser.new_context(viewport=SIZES["phone"], locale="ar")
    page = context.new_page()
    page.goto(f"{site}/try/{NUMBER_OF_RANKING}/")
    chips = page.locator(".chip")
    expect(chips.first).to_be_visible()
    inside = chips.evaluate_all("""all => all.map((chip) => {
      const text = chip.querySelector("span[dir=ltr]").firstChild;
      const first = document.createRange();
      first.setStart(text, 0);
      first.setEnd(text, 1);
      const box = chip.getBoundingClientRect();
      const letter = first.getBoundingClientRect();
      return letter.left >= box.left && letter.right <= box.right;
    })""")
    assert inside and all(inside)
    context.close()
