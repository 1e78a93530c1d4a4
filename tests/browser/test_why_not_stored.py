"""Why the site takes no answer of somebody, and what they can do: on the judging page, on any other
page that sends what waits, and for items that were fetched ahead."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Campaign, Judgment, Membership, Status
from judgments.people.members import members as people
from judgments.test_sets.deletion.rows import delete_campaign

from .judging import at_item, fetched_ahead, press, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

LATER = "could not store"


def person() -> Membership:
    return Membership.objects.select_related("user").get(role="annotator")


def removed(page: Page) -> None:
    people.remove(person())


def now_a_researcher(page: Page) -> None:
    people.add_member(Campaign.objects.get(), person().user, "researcher")


def deleted(page: Page) -> None:
    Campaign.objects.update(status=Status.CLOSED)
    delete_campaign(Campaign.objects.get(), by="owner", reason="The wrong files.")


def paused(page: Page) -> None:
    Campaign.objects.update(status=Status.PAUSED)


def closed(page: Page) -> None:
    Campaign.objects.update(status=Status.CLOSED)


def without_cookies(page: Page) -> None:
    page.context.clear_cookies()


REASONS = [
    (removed, "You no longer take part in this campaign"),
    (now_a_researcher, "You no longer judge in this campaign"),
    (deleted, "This campaign no longer exists"),
    (paused, "The campaign is paused. The answer is sent when it resumes."),
    (closed, "The campaign is closed"),
    (without_cookies, "You are signed out"),
]


def overlay(page: Page):
    return page.get_by_role("dialog", name="Not stored yet")


@pytest.mark.proof
@pytest.mark.parametrize(("change", "words"), REASONS)
def test_the_reason_is_said_on_the_judging_page(judging: Page, change, words: str, axe):
    at_item(judging, 1)
    fetched_ahead(judging, 3)
    change(judging)
    press(judging, "111111")
    judging.keyboard.press("Enter")
    expect(overlay(judging)).to_contain_text(words)
    assert LATER not in overlay(judging).inner_text()
    assert overlay(judging).inner_text().count(".") >= 3, "the reason, and what to do"
    axe(judging)
    assert not Judgment.objects.exists()


@pytest.mark.proof
@pytest.mark.parametrize(("change", "words"), REASONS[:5])
def test_the_reason_is_said_on_every_page_that_sends_what_waits(
    judging: Page, site: str, annotator, change, words: str
):
    at_item(judging, 1)
    fetched_ahead(judging, 3)
    judging.context.set_offline(True)
    press(judging, "111111")
    judging.keyboard.press("Enter")
    at_item(judging, 2)
    change(judging)
    judging.close(run_before_unload=False)
    page = judging.context.new_page()
    page.context.set_offline(False)
    page.goto(f"{site}/")
    waiting = page.get_by_role("region", name="Waiting answers")
    expect(waiting).to_contain_text("1 answer is waiting")
    waiting.get_by_role("button", name="Send now").click()
    expect(overlay(page)).to_contain_text(words)
    assert LATER not in overlay(page).inner_text()


@pytest.mark.proof
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (removed, "You were removed from this campaign"),
        (paused, "This campaign is paused"),
        (closed, "This campaign is closed"),
        (without_cookies, "Sign in"),
    ],
)
def test_an_item_that_is_not_held_leads_to_a_page_that_says_why(judging: Page, change, words: str):
    at_item(judging, 1)
    judging.wait_for_load_state("networkidle")
    change(judging)
    judging.evaluate("window.mtevalAhead.drop(2)")
    judging.keyboard.press("n")
    expect(judging.get_by_role("main")).to_contain_text(words)


def test_what_waited_is_sent_when_the_reason_has_passed(judging: Page, site: str):
    at_item(judging, 1)
    fetched_ahead(judging, 3)
    member = person()
    now_a_researcher(judging)
    press(judging, "111111")
    judging.keyboard.press("Enter")
    expect(overlay(judging)).to_contain_text("You no longer judge")
    people.add_member(Campaign.objects.get(), member.user, "annotator")
    sign_in(judging, site, member.user)
    overlay(judging).get_by_role("button", name="Try again").click()
    expect(overlay(judging)).to_be_hidden()
    assert Judgment.objects.count() == 1
