"""Twelve campaigns as one thing, in a browser: from one file, with common people, links and Watch,
searched, archived and restored."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Campaign, Project, Status
from tests import factory

from .judging import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

PAIRS = ("cs", "de", "ja", "uk")
FILE = f"""name: Shared task
address: task
campaigns:
  preset: esa
  plan: {{seats: 1}}
  status: open
pairs: [{", ".join(PAIRS)}]
rounds: [{{}}, {{}}, {{}}]
links: {{for_each_pair: 2}}
"""


def looks_right(page: Page, axe: Callable[[Page], None]) -> None:
    for width in (1440, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        axe(page)
    page.set_viewport_size({"width": 1440, "height": 800})


def test_twelve_campaigns_are_one_thing(page: Page, site: str, tmp_path: Path, axe):
    owner = factory.make_user("owner", is_staff=True)
    for language in PAIRS:
        factory.make_test_set(
            owner, name=language, source_language="en", target_language=language, n_segments=2
        )
    path = tmp_path / "task.yaml"
    path.write_text(FILE)
    sign_in(page, site, owner)

    page.goto(f"{site}/projects/")
    page.get_by_role("link", name="From a file").click()
    page.get_by_label("The project's file").set_input_files(path)
    looks_right(page, axe)
    page.get_by_role("button", name="Create the project").click()
    page.wait_for_url("**/projects/task/watch/")
    tables = page.locator("table")
    expect(tables.nth(0).locator("tbody tr")).to_have_count(4)
    expect(tables.nth(1).locator("tbody tr")).to_have_count(12)
    looks_right(page, axe)

    page.get_by_label("Search").fill("en-ja")
    page.get_by_role("button", name="Show").click()
    expect(tables.nth(1).locator("tbody tr")).to_have_count(3)

    page.get_by_role("link", name="People").click()
    expect(page.get_by_text("8 links: 0 used, 8 open.")).to_be_visible()
    looks_right(page, axe)
    link = Project.objects.get().links.filter(pairs=["ja"]).first()
    link = link or Project.objects.get().links.filter(pairs=["en-ja"]).first()
    guest = page.context.browser.new_page()
    guest.goto(site + link.get_absolute_url())
    guest.get_by_label("Name").fill("Ann")
    guest.get_by_role("button", name="Join").click()
    guest.goto(site)
    expect(guest.get_by_text("Shared task, ja, round 3")).to_be_visible()
    expect(guest.get_by_text("Shared task, cs, round 3")).to_be_hidden()
    guest.close()

    Campaign.objects.update(status=Status.CLOSED)
    page.goto(f"{site}/projects/task/edit/")
    page.get_by_text("Archive the project").first.click()
    page.get_by_role("button", name="Archive the project").click()
    expect(page.get_by_text("The project is in the archive, with 12 campaigns.")).to_be_visible()
    looks_right(page, axe)
    page.goto(f"{site}/campaigns/")
    expect(page.get_by_text("No campaign that is asked for.")).to_be_visible()
    page.get_by_label("Archived, too").check()
    page.get_by_role("button", name="Show").click()
    expect(page.locator("tbody tr")).to_have_count(12)
    looks_right(page, axe)
    page.goto(f"{site}/projects/task/")
    page.get_by_role("button", name="Restore the project").click()
    page.goto(f"{site}/projects/")
    expect(page.get_by_role("link", name="Shared task")).to_be_visible()
    looks_right(page, axe)


def test_a_colleague_becomes_a_manager_without_an_operator(page: Page, site: str, axe):
    owner = factory.make_user("owner", is_staff=True)
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    project = Project.objects.create(name="Shared task", slug="task", owner=owner)
    project.campaigns.add(campaign)
    sign_in(page, site, owner)
    page.goto(f"{site}/projects/task/people/")
    page.get_by_label("manages the campaigns").check()
    page.get_by_role("button", name="Make the link", exact=True).click()
    expect(page.get_by_text("The link is ready.")).to_be_visible()
    address = page.locator(".copy-text").first.inner_text()

    colleague = page.context.browser.new_page()
    colleague.goto(address)
    colleague.get_by_label("Username").fill("maria")
    for label in ("Password", "Password confirmation"):
        colleague.get_by_label(label, exact=True).fill(factory.PASSWORD)
    looks_right(colleague, axe)
    colleague.get_by_role("button", name="Make the account and join").click()
    expect(colleague.get_by_role("heading", name="Shared task")).to_be_visible()
    colleague.goto(f"{site}/campaigns/{campaign.pk}/")
    colleague.get_by_role("button", name="Pause the campaign").click()
    expect(colleague.get_by_text("The campaign is now paused.")).to_be_visible()
    colleague.close()
    assert Campaign.objects.get().status == Status.PAUSED
