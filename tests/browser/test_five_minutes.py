"""A newcomer sets up a campaign with control items from plain files, by clicking: five systems, two
annotators who follow a link, and verdicts."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Campaign, Item, Kind
from tests import factory

from .test_walk import join, sign_in

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]

WORDS = """time year people way day thing life child world school state family house
water""".split()  # noqa: SIM905
N_SEGMENTS = 10
SYSTEMS = ["amber", "beech", "cedar", "dune", "elm"]


def lines(seed: int) -> list[str]:
    """Sentences of ten words, no two alike."""
    return [
        " ".join(WORDS[(seed * 5 + n * (3 + seed % 4) + i * i) % len(WORDS)] for i in range(9))
        + f" {seed}{n}"
        for n in range(N_SEGMENTS)
    ]


TEXTS = {name: lines(seed) for seed, name in enumerate(["source", "ref", *SYSTEMS])}


@pytest.fixture
def files(tmp_path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    documents = [f"d{n // 2}" for n in range(N_SEGMENTS)]
    (tmp_path / "documents.txt").write_text("\n".join(documents) + "\n", encoding="utf-8")
    return tmp_path


def set_up(page: Page, site: str, files: Path) -> str:
    """From the files to the invitation's address, as the README tells it."""
    page.goto(f"{site}/testsets/new/")
    page.get_by_label("Name", exact=False).first.fill("Ten sentences")
    page.get_by_label("Source language").fill("de")
    page.get_by_label("Target language").fill("en")
    page.locator("[name=source]").set_input_files(files / "source.txt")
    page.locator("[name=documents]").set_input_files(files / "documents.txt")
    page.locator("[name=references]").set_input_files(files / "ref.txt")
    page.locator("[name=systems]").set_input_files([files / f"{name}.txt" for name in SYSTEMS])
    page.get_by_role("main").get_by_role("button").last.click()
    page.wait_for_url(re.compile(r"/testsets/\d+/"))
    page.goto(f"{site}/campaigns/new/")
    page.get_by_role("link", name="Direct assessment", exact=True).click()
    page.get_by_label("Name").fill("Five systems")
    page.get_by_role("button", name="Create the campaign").click()
    price = page.locator("#price")
    expect(price).to_contain_text("50 regular")
    page.get_by_label("Annotators for each batch", exact=True).fill("2")
    expect(price).to_contain_text("100 regular")  # without a reload
    expect(price).to_contain_text("14 degraded")
    page.get_by_role("button", name="Make the plan").click()
    page.get_by_role("link", name="Preview every screen").click()
    page.get_by_role("link", name="Next control item").click()
    expect(page.get_by_role("note")).to_contain_text(re.compile("repeat|reference|degraded"))
    page.get_by_role("link", name="Back to the plan").click()
    page.get_by_role("button", name="Open the campaign").click()
    page.get_by_role("link", name="Quality control").click()
    page.get_by_text("Write a rule", exact=True).click()
    page.get_by_role("button", name="Record the rule").click()
    page.get_by_role("link", name="People").click()
    page.get_by_role("button", name="Create the link").click()
    return page.locator("code").first.inner_text()


def careful(source: str, text: str) -> int:
    """Good for what is in the files, better for the reference, low for what was damaged; the worst
    for what translates another segment, or asks for it."""
    number = TEXTS["source"].index(source)
    known = [name for name in ("ref", *SYSTEMS) if text in TEXTS[name]]
    if not known:
        return 0 if "as if it were the worst possible" in text else 12
    if TEXTS[known[0]].index(text) != number:
        return 0
    return 95 if known == ["ref"] else 80 - 6 * SYSTEMS.index(known[0])


def judge(browser: Browser, link: str, name: str, score) -> None:
    context = browser.new_context(user_agent=f"The browser of {name}")
    page = join(context, link, name)
    page.get_by_role("button", name="Begin").click()
    done = page.get_by_role("heading", name="All done. Thank you!")
    current = page.locator(".is-current, #stage")
    while not done.is_visible():
        expect(current.first).to_be_visible()
        before = page.url
        slider = page.get_by_role("slider")
        shown = (
            page.locator(f"{place} .segment-text").first
            for place in ("[data-part=source]", ".output")
        )
        value = score(*(each.inner_text().strip() for each in shown))
        slider.evaluate(
            """(range, value) => {
                range.value = value;
                range.dispatchEvent(new Event("input", { bubbles: true }));
                range.dispatchEvent(new Event("change", { bubbles: true }));
            }""",
            value,
        )
        page.get_by_role("button", name="Submit and continue").click()
        expect(page).not_to_have_url(before)
    context.close()


def test_five_systems_and_two_annotators(page: Page, site: str, browser: Browser, files: Path):
    manager = factory.make_user("manager", is_staff=True)
    sign_in(page, site, manager.username, factory.PASSWORD)
    link = set_up(page, site, files)
    judge(browser, link, "Ida", careful)
    judge(browser, link, "Jon", lambda source, text: 50)
    campaign = Campaign.objects.get()
    kinds = set(Item.objects.filter(task__campaign=campaign).values_list("kind", flat=True))
    assert kinds == {Kind.REGULAR, Kind.REPEAT, Kind.REFERENCE, Kind.DEGRADED, Kind.CHECK}
    page.goto(f"{site}/campaigns/{campaign.pk}/quality/")
    rows = page.get_by_role("table").first.get_by_role("row")
    expect(rows.filter(has_text="Ida")).to_contain_text("passes")
    expect(rows.filter(has_text="Jon")).to_contain_text("fails")
    page.goto(f"{site}/campaigns/{campaign.pk}/watch/")
    watched = page.get_by_role("row")
    expect(watched.filter(has_text="Ida").first).to_contain_text("passes")
    expect(watched.filter(has_text="Jon").first).to_contain_text("fails")
