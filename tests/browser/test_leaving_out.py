"""An owner leaves somebody out on Watch while they judge: their open screen is refused kindly,
others get the rest, and Watch counts what counts, also of what is planned again."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Judgment
from judgments.people.states import hold, state_of
from tests import factory

from .judging import at_item, make_campaign, press, sign_in

pytestmark = pytest.mark.django_db(transaction=True)
KIND = "There is no more work for you in this campaign"


@pytest.fixture
def campaign(annotator):
    """One batch of four items, which is the annotator's, and somebody who waits for work."""
    campaign = make_campaign(annotator)
    factory.make_task(campaign, annotator)
    campaign.memberships.create(user=factory.make_user("waits"), role="annotator", alias="waits")
    return campaign


@pytest.fixture
def watching(browser: Browser, site: str, campaign):
    """Watch, opened by the owner in a separate browser."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    sign_in(page, site, campaign.memberships.get(role="owner").user)
    page.goto(f"{site}/campaigns/{campaign.pk}/watch/")
    yield page
    context.close()


def decide(watching: Page, act: str, reason: str) -> None:
    row = watching.locator("#watch-annotators tbody tr", has_text=re.compile(r"^\s*annotator\b"))
    row.locator("summary").click()
    row.get_by_label(act).check()
    row.get_by_label("Reason").fill(reason)
    row.get_by_role("button", name="Change the state").click()


def test_whoever_is_left_out_stops_and_others_go_on(
    judging: Page, watching: Page, browser: Browser, site: str, campaign
):
    at_item(judging, 1)
    press(judging, "111111")
    judging.keyboard.press("Enter")
    at_item(judging, 2)
    decide(watching, "Leave out", "Too fast.")
    expect(watching.locator("#watch-annotators .badge-closed")).to_have_text("left out")
    press(judging, "222222")
    judging.keyboard.press("Enter")
    expect(judging.get_by_text("no longer accepts answers from you").first).to_be_visible()
    judging.goto(f"{site}/judge/{campaign.pk}/")
    expect(judging.get_by_role("heading", name=KIND)).to_be_visible()
    expect(judging.get_by_role("button", name="batch")).to_have_count(0)
    assert Judgment.objects.count() == 1

    watching.reload()
    expect(watching.locator("#watch-valid .lead")).to_contain_text("0 of 4 wanted judgments")
    watching.get_by_label("Plan them for others").check()
    watching.get_by_role("button", name="Plan 1 again").click()
    expect(watching.locator("#watch-annotators .badge-closed")).to_have_text("replaced")

    context = browser.new_context(service_workers="block")
    other = context.new_page()
    sign_in(other, site, campaign.memberships.get(alias="waits").user)
    other.goto(f"{site}/judge/{campaign.pk}/")
    other.locator("main form button").first.click()
    at_item(other, 1)
    for number in (1, 2, 3):
        at_item(other, number)
        press(other, "333333")
        other.keyboard.press("Enter")
    other.wait_for_url(f"{site}/judge/{campaign.pk}/")
    context.close()
    assert Judgment.objects.count() == 4
    watching.reload()
    expect(watching.locator("#watch-valid .lead")).to_contain_text("3 of 4 wanted judgments")


def test_whoever_is_held_goes_on_where_they_were(judging: Page, watching: Page, site, campaign):
    at_item(judging, 1)
    member = campaign.memberships.get(alias="annotator")
    hold(campaign, member.user, reason="By the rule.")
    press(judging, "111111")
    judging.keyboard.press("Enter")
    expect(judging.get_by_text("Your work is being reviewed").first).to_be_visible()
    assert not Judgment.objects.exists()
    watching.reload()
    expect(watching.locator("#watch-annotators .badge-warn")).to_have_text("held")
    decide(watching, "Let", "All is well.")
    expect(watching.locator("#watch-annotators .badge-warn")).to_have_count(0)
    assert state_of(member).name == "working"
    judging.goto(f"{site}/judge/{campaign.pk}/")
    for _ in range(200):  # the answer that waited in the browser is sent
        if Judgment.objects.exists():
            break
        judging.wait_for_timeout(50)
    assert Judgment.objects.count() == 1
