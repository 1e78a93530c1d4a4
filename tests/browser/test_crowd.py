"""A pool for strangers in a browser: planned by one button, and who does not read is found."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Item, QualityRule, Status, Task
from tests import factory

from .judging import at_item, press, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_who_gives_one_answer_to_everything_is_found_in_a_pool(
    page: Page, site: str, annotator, axe
):
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=12, n_systems=2, n_documents=2)
    campaign = factory.make_campaign(
        test_set, preset="da-sqm", owner=owner, annotators=[annotator], status="draft"
    )
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/design/")
    page.get_by_role("link", name="For crowds").click()
    expect(page.get_by_label("Hand out single blocks from a pool")).to_be_checked()
    expect(page.locator("#price")).to_contain_text("2 attention checks")
    axe(page)
    page.get_by_role("button", name="Make the plan").click()
    expect(page.get_by_text("The work is planned.")).to_be_visible()
    tasks = Task.objects.filter(campaign=campaign)
    assert tasks.count() > 1 and tasks.exclude(follows=None).exists()
    QualityRule.objects.create(
        campaign=campaign, n_judgments=0, written_by=owner, least_checks=0.7, degraded_level=0.05
    )
    type(campaign).objects.filter(pk=campaign.pk).update(status=Status.OPEN)

    page.context.clear_cookies()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    page.keyboard.press("Enter")
    n_items = Item.objects.filter(task__campaign=campaign).count()
    for number in range(1, n_items + 1):
        at_item(page, number)
        press(page, "4")
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()

    page.context.clear_cookies()
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/quality/")
    failing = page.get_by_role("row").filter(has_text="Passes 0 % of 2 attention checks").first
    failing.locator("summary").click()
    expect(failing.get_by_text("Passes 0 % of 2 attention checks")).to_be_visible()
