"""The whole loop in a real browser, as the README tells it: texts in, a campaign, two guests who
judge by keyboard, agreement, scores, metrics, correlation, exports."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, BrowserContext, Page, expect

from judgments.models import Campaign, Judgment
from tests import factory, seeds

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]

# Four segments of our own; the second system loses the end of every sentence.
SOURCE = ["Der Zug ist pünktlich.", "Wir warten hier.", "Das Brot ist frisch.", "Morgen regnet es."]
REFERENCE = ["The train is on time.", "We wait here.", "The bread is fresh.", "It rains tomorrow."]
SYSTEMS = {
    "careful": [
        "The train is on time.",
        "We are waiting here.",
        "The bread is fresh.",
        "Tomorrow it rains.",
    ],
    "hasty": ["The train is.", "We are waiting.", "The bread fresh.", "Morning it rain."],
    "literal": [
        "The train is punctual.",
        "We wait here.",
        "The bread is fresh.",
        "Tomorrow rains it.",
    ],
}


@pytest.fixture
def files(tmp_path) -> Path:
    for name, lines in {"source": SOURCE, "ref": REFERENCE, **SYSTEMS}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def sign_in(page: Page, site: str, name: str, password: str) -> None:
    page.goto(f"{site}/sign-in/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{site}/")


def add_test_set(page: Page, site: str, files: Path) -> None:
    page.goto(f"{site}/testsets/new/")
    page.get_by_label("Name", exact=False).first.fill("Four sentences")
    page.get_by_label("Source language").fill("de")
    page.get_by_label("Target language").fill("en")
    page.locator("[name=source]").set_input_files(files / "source.txt")
    page.locator("[name=references]").set_input_files(files / "ref.txt")
    page.locator("[name=systems]").set_input_files([files / f"{name}.txt" for name in SYSTEMS])
    page.get_by_role("main").get_by_role("button").last.click()
    expect(page.get_by_role("heading", name="Four sentences")).to_be_visible()


def make_campaign(page: Page, site: str) -> str:
    """Through the pages: campaign, plan, open, link. Returns the invitation's address."""
    page.goto(f"{site}/campaigns/new/")
    page.get_by_role("link", name="Adequacy and fluency", exact=True).click()
    page.get_by_label("Name").fill("First campaign")
    page.get_by_role("button", name="Create the campaign").click()
    page.get_by_label("Annotators for each batch", exact=True).fill("2")
    page.get_by_label("Repeats, of ten items").fill("0")
    page.get_by_role("button", name="Make the plan").click()
    page.get_by_role("button", name="Open the campaign").click()
    expect(page.get_by_text("The campaign is now open.")).to_be_visible()
    page.get_by_role("link", name="Invite people").first.click()
    page.get_by_role("button", name="Create the link").click()
    return page.locator("code").first.inner_text()


def join(context: BrowserContext, link: str, name: str) -> Page:
    """Somebody opens the invitation, joins, and goes to the work."""
    page = context.new_page()
    page.goto(link)
    page.get_by_label("Your name in this campaign").fill(name)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Keep this link")).to_be_visible()
    page.get_by_role("link", name="Start judging").click()
    return page


def join_and_judge(browser: Browser, link: str, name: str, answers: str) -> None:
    """A guest in a separate browser: joins, takes the batch, answers every question by key."""
    context = browser.new_context(user_agent=f"The browser of {name}")
    page = join(context, link, name)
    page.get_by_role("button", name="Begin").click()
    for number in range(1, 5):
        page.wait_for_url(re.compile(rf"/judge/\d+/{number}/$"))
        expect(page.locator(".is-current")).to_have_count(1)
        for key in answers:
            page.keyboard.press(key)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    context.close()


def download(page: Page, name: str) -> str:
    with page.expect_download() as waiting:
        page.locator(f"a[href$='{name}']").first.click()
    return Path(waiting.value.path()).read_text(encoding="utf-8-sig")


def test_the_whole_loop(page: Page, site: str, browser: Browser, files: Path, run_tasks):
    manager = factory.make_user("manager", is_staff=True)
    sign_in(page, site, manager.username, factory.PASSWORD)
    add_test_set(page, site, files)
    link = make_campaign(page, site)
    join_and_judge(browser, link, "Ida", "543254")
    join_and_judge(browser, link, "Jon", "443355")
    campaign = Campaign.objects.get()
    assert Judgment.objects.filter(campaign=campaign).count() == 8

    page.goto(f"{site}/campaigns/{campaign.pk}/")
    expect(page.get_by_text("8 of 8 items have been judged (100 %)")).to_be_visible()
    page.get_by_role("link", name="Agreement").click()
    expect(page.locator(".lead").first).to_contain_text("alpha")
    page.get_by_role("link", name="Scores").click()
    expect(page.get_by_role("row").filter(has_text="careful").first).to_be_visible()

    page.goto(f"{site}/testsets/{campaign.test_set_id}/metrics/")
    page.get_by_role("button", name="Compute").click()
    run_tasks()
    page.reload()
    expect(page.get_by_role("row").filter(has_text="hasty").first).to_be_visible()
    expect(page.get_by_text(re.compile(r"tok:13a")).first).to_be_visible()
    page.goto(f"{site}/campaigns/{campaign.pk}/correlation/")
    expect(page.get_by_role("row").filter(has_text="BLEU").first).to_be_visible()
    expect(page.locator("figure svg").first).to_be_visible()

    page.get_by_role("navigation").get_by_role("link", name="Exports").click()
    report = json.loads(download(page, "campaign.json"))
    assert report["campaign"]["name"] == "First campaign"
    ratings = list(csv.DictReader(io.StringIO(download(page, "observations.tsv")), delimiter="\t"))
    assert len(ratings) == 2 * 4 * 3 * 2
    assert {row["annotator"] for row in ratings} == {"Ida", "Jon"}


def test_two_private_windows(page: Page, site: str, browser: Browser, files: Path):
    """They may be one person, who must not judge an item twice, until an owner says otherwise."""
    manager = factory.make_user("manager", is_staff=True)
    sign_in(page, site, manager.username, factory.PASSWORD)
    add_test_set(page, site, files)
    link = make_campaign(page, site)
    people = page.url
    join(browser.new_context(), link, "Ida").get_by_role("button", name="Begin").click()
    second = join(browser.new_context(), link, "Jon")
    expect(second.get_by_role("heading", name="Nothing to judge yet")).to_be_visible()
    page.goto(people.replace("people/", ""))
    page.get_by_role("link", name="Shared devices").click()
    page.get_by_role("button", name="These are different people").click()
    second.reload()
    second.get_by_role("button", name="Begin").click()
    expect(second.locator(".is-current")).to_have_count(1)


PAGES = [
    "/",
    "/campaigns/",
    "/campaigns/new/",
    "/campaigns/{campaign}/",
    "/campaigns/{campaign}/design/",
    "/campaigns/{campaign}/instructions/",
    "/campaigns/{campaign}/people/",
    "/about/",
    "/accessibility/",
]


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_managers_pages_are_accessible_and_fit(page: Page, site: str, axe, width, scheme):
    """axe finds nothing, nothing hangs over the edge, and the console stays silent."""
    seeds.take("demo", lambda: call_command("load_demo", verbosity=0))
    campaign = Campaign.objects.first()
    campaign.invitations.create(created_by=campaign.test_set.owner, note="A long note for a link")
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{site}/")
    axe(page)
    page.goto(f"{site}/sign-in/")
    axe(page)
    sign_in(page, site, "manager", "demo-mteval")
    for path in PAGES:
        page.goto(site + path.format(campaign=campaign.pk))
        axe(page)
        over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert over <= 0, f"{path} is {over} px too wide"
    assert said == []
