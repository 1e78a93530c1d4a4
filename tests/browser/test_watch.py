"""The page Watch in a browser: parts come and come again, a broken one alone; keys lead on."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from judgments.models import Judgment
from tests import factory

from .judging import intercept, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def campaign(db):
    owner = factory.make_user("owner", is_staff=True)
    people = [factory.make_user(name) for name in ("one", "two")]
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=people)
    for seat, person in enumerate(people, 1):
        task = factory.make_task(campaign, person, seat=seat)
        for item in list(task.items.all())[:2]:
            item.task = task
            value = 1 if seat == 1 else 5
            factory.judge(item, {"adequacy": [value, 3, 3], "fluency": [3, 3, 3]})
    with factory.rewriting():
        Judgment.objects.update(submitted_at=timezone.now())
    return campaign


def owner_of(campaign):
    return campaign.memberships.get(role="owner").user


def test_parts_come_and_a_broken_one_is_alone(page: Page, site: str, campaign):
    sign_in(page, site, owner_of(campaign))
    page.route("**/watch/ranks/", lambda route: route.fulfill(status=500, body="no"))
    page.goto(f"{site}/campaigns/{campaign.pk}/watch/")
    expect(page.locator("#watch-counters dd").nth(0)).to_have_text("4")
    expect(page.locator("#watch-annotators tbody tr")).to_have_count(2)
    expect(page.locator("#watch-progress .chart svg")).to_be_visible()
    expect(page.locator("#watch-ranks [data-stale]")).to_be_visible()
    expect(page.locator("#watch-notes [data-stale]")).to_be_hidden()


def test_a_part_comes_again_and_not_once_the_campaign_is_closed(page: Page, site: str, campaign):
    sign_in(page, site, owner_of(campaign))
    page.clock.install()
    page.goto(f"{site}/campaigns/{campaign.pk}/watch/")
    expect(page.locator("#watch-counters dd").nth(0)).to_have_text("4")
    task = campaign.tasks.get(seat=1)
    item = task.items.filter(is_judged=False).first()
    item.task = task
    factory.judge(item, {"adequacy": [3, 3, 3], "fluency": [3, 3, 3]})
    page.clock.run_for(12_000)
    expect(page.locator("#watch-counters dd").nth(0)).to_have_text("5")
    campaign.status = "closed"
    campaign.save()
    held = []
    intercept(page, "**/watch/counters/", lambda route: held.append(route))
    with page.expect_request("**/watch/counters/"):
        page.clock.run_for(12_000)
    # Another part comes while the answer is on its way.
    page.evaluate("document.dispatchEvent(new Event('htmx:afterSettle'))")
    held[0].continue_()
    expect(page.locator("#watch-counters[data-seconds]")).to_have_count(0)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(120_000)
    assert not [url for url in asked if "counters" in url]


def test_a_key_leads_to_the_next_clash(page: Page, site: str, campaign):
    sign_in(page, site, owner_of(campaign))
    page.goto(f"{site}/campaigns/{campaign.pk}/clashes/")
    page.locator("tbody th a").first.click()
    first = page.url
    expect(page.get_by_role("heading", name="Clash 1 of 2")).to_be_visible()
    page.wait_for_load_state()  # the script that listens for keys comes last
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Clash 2 of 2")).to_be_visible()
    page.keyboard.press("p")
    expect(page).to_have_url(first)


def test_the_annotators_screen_takes_nothing(page: Page, site: str, campaign):
    sign_in(page, site, owner_of(campaign))
    member = campaign.memberships.get(alias="one")
    page.goto(f"{site}/campaigns/{campaign.pk}/people/{member.pk}/screen/1/")
    expect(page.locator("form")).to_have_count(0)
    chosen = page.locator("input[name=output1-adequacy]")
    assert chosen.evaluate_all("all => all.filter((e) => e.checked).map((e) => e.value)") == ["1"]
    assert chosen.evaluate_all("all => all.every((e) => e.matches(':disabled'))")
    page.keyboard.press("n")
    page.wait_for_url("**/screen/2/")
    page.keyboard.press("p")
    page.wait_for_url("**/screen/1/")


def test_the_curve_is_in_the_time_that_its_caption_names(browser: Browser, site: str, campaign):
    """Wherever the browser is."""
    with factory.rewriting():
        for hour, judgment in enumerate(Judgment.objects.order_by("pk"), 9):
            judgment.submitted_at = datetime(2026, 3, 1, hour, tzinfo=UTC)
            judgment.save()
    context = browser.new_context(timezone_id="Asia/Kolkata")
    page = context.new_page()
    sign_in(page, site, owner_of(campaign))
    page.goto(f"{site}/campaigns/{campaign.pk}/watch/")
    chart = page.locator("#watch-progress .chart svg")
    expect(chart).to_contain_text("03-01 10:00")
    expect(chart).not_to_contain_text("15:30")
    context.close()


def test_where_nothing_is_planned_the_next_step_is_a_click_away(page: Page, site: str, campaign):
    empty = factory.make_campaign(
        campaign.test_set, owner=owner_of(campaign), name="Empty", status="draft"
    )
    sign_in(page, site, owner_of(campaign))
    page.goto(f"{site}/campaigns/{empty.pk}/watch/")
    page.get_by_role("link", name="Plan who judges what").click()
    expect(page.get_by_role("heading", name="Who judges what")).to_be_visible()


def test_what_opens_in_a_table_keeps_its_arrow_beside_its_words(page: Page, site: str, campaign):
    sign_in(page, site, owner_of(campaign))
    page.goto(f"{site}/campaigns/{campaign.pk}/steer/")
    opening = page.locator("td summary").first
    lines = "e => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight)"
    assert opening.evaluate(lines) < 1.6
