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


def test_a_stranger_who_fails_the_tutorial_is_turned_away(page: Page, site: str, annotator, axe):
    owner, careful = factory.make_user("owner"), factory.make_user("careful")
    test_set = factory.make_test_set(owner, n_segments=6, n_systems=2, n_documents=2)
    campaign = factory.make_campaign(
        test_set, preset="esa", owner=owner, annotators=[annotator, careful], status="draft"
    )
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/practice/")
    page.get_by_role("link", name="Add an item").click()
    page.get_by_label("Source").fill("Er trank Kaffee.")
    page.get_by_label("Translation 1").fill("He drank tea.")
    page.get_by_role("button", name="Save").click()
    errors = page.get_by_role("group", name="Errors of translation 1")
    errors.get_by_label("Expected").select_option("These errors, and no other")
    errors.get_by_role("group", name="Error 1").get_by_label("Words with the error").fill("tea")
    page.locator("[name=expected-output1-esa-from]").fill("0")
    page.locator("[name=expected-output1-esa-to]").fill("60")
    axe(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("“tea”")).to_be_visible()
    page.goto(f"{site}/campaigns/{campaign.pk}/design/?for=crowds")
    page.get_by_role("button", name="Make the plan").click()
    expect(
        page.get_by_text("Anyone who answers less than 60 % of it correctly, in 2 tries")
    ).to_be_visible()
    type(campaign).objects.filter(pk=campaign.pk).update(status=Status.OPEN)

    for user, score, words in (
        (annotator, "100", "Please practice again"),
        (annotator, "100", "You did not pass the practice"),
        (careful, "20", "You passed the practice"),
    ):
        page.context.clear_cookies()
        sign_in(page, site, user)
        page.goto(f"{site}/judge/{campaign.pk}/")
        expect(page.get_by_text("at least 60 % of your answers")).to_be_visible()
        if user == careful:
            for key in (*["ArrowRight"] * 3, "1"):
                page.keyboard.press(key)
            expect(page.locator(".span-list li")).to_have_count(1)
        page.get_by_role("slider").first.fill(score)
        page.get_by_role("button", name="Submit and continue").click()
        expect(page.get_by_role("heading", name=words)).to_be_visible()
        axe(page)
        page.locator("main a.button").click()
    expect(page.get_by_role("heading", name="Ready to begin")).to_be_visible()
    page.context.clear_cookies()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    expect(page.get_by_text("there is no work for you in this campaign")).to_be_visible()
    page.context.clear_cookies()
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/watch/")
    expect(page.get_by_text("right answers: 1 failed, 1 passed")).to_be_visible()
