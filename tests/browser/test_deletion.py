"""An owner leaves segments out, and deletes what was misread, after typing its name."""

import re

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Campaign, DeletedCampaign, Status, TestSet
from judgments.quality.decisions.decisions import decide, decide_item
from tests import factory

from .judging import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def campaign(page: Page, site: str):
    owner = factory.make_user("owner", is_staff=True)
    people = [factory.make_user("ada"), factory.make_user("bela")]
    made = factory.make_campaign(
        factory.make_test_set(owner), owner=owner, annotators=people, status=Status.CLOSED
    )
    for seat, person in enumerate(people, 1):
        for item in factory.make_task(made, person, seat=seat).items.all():
            values = [1 + item.position, 3, 5 - seat]
            factory.judge(item, {"adequacy": values, "fluency": values[::-1]})
    sign_in(page, site, owner)
    return made


@pytest.mark.parametrize("width", [360, 1440])
def test_a_segment_is_left_out(page: Page, site: str, campaign, axe, width):
    page.set_viewport_size({"width": width, "height": 900})
    known = {"by": campaign.test_set.owner, "reason": "The source is cut off in the release."}
    bela = campaign.members.get(username="bela")
    decide(campaign, bela, excluded=True, dimension="adequacy", **known)
    segment = campaign.test_set.segments.get(key="2")
    decide_item(campaign, segment, campaign.test_set.systems.first(), removed=True, **known)
    page.goto(f"{site}/campaigns/{campaign.pk}/quality/")
    expect(page.locator("#selection")).to_contain_text("1 annotator is left out of adequacy")
    axe(page)
    page.get_by_role("link", name="See them, or include some again").click()
    page.get_by_label("Segment, by its key").fill("3")
    page.get_by_label("Reason").fill("Twice in the release.")
    page.get_by_role("button", name="Record the decision").click()
    expect(page.get_by_role("status").first).to_contain_text("The decision is recorded")
    expect(page.get_by_role("table")).to_contain_text("Twice in the release.")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    axe(page)
    page.get_by_role("link", name="Include again 3").click()
    expect(page.get_by_label("Segment, by its key")).to_have_value("3")
    expect(page.get_by_label("Include again")).to_be_checked()


@pytest.mark.proof
@pytest.mark.parametrize("width", [360, 1440])
def test_a_campaign_and_then_its_texts(page: Page, site: str, campaign, axe, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{site}/testsets/{campaign.test_set_id}/delete/")
    expect(page.get_by_role("alert")).to_contain_text("Campaigns use this test set.")
    axe(page)
    page.get_by_role("link", name="Small campaign").click()
    page.get_by_role("link", name="Delete …").click()
    page.wait_for_url("**/delete/")
    expect(page.get_by_role("main")).to_contain_text("8 judgments by 2 annotators")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    axe(page)
    page.get_by_label("Name of the campaign").fill("Another")
    page.get_by_label("Reason").fill("Misread.")
    page.get_by_role("button", name="Delete the campaign").click()
    expect(page.get_by_role("alert")).to_contain_text("The name does not match.")
    assert Campaign.objects.exists()
    page.get_by_label("Name of the campaign").fill("Small campaign")
    page.get_by_role("button", name="Delete the campaign").click()
    expect(page.get_by_role("status").first).to_contain_text("was deleted, with 8 judgments")
    assert DeletedCampaign.objects.get().judgments == 8
    page.goto(f"{site}/testsets/{campaign.test_set_id}/")
    page.get_by_role("link", name=re.compile("^Delete …$")).click()
    page.wait_for_url("**/delete/")
    axe(page)
    page.get_by_label("Name of the test set").fill("Small set")
    page.get_by_role("button", name="Delete the test set").click()
    expect(page.get_by_role("status").first).to_contain_text("was deleted")
    assert not TestSet.objects.exists()
