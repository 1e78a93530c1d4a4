"""Answers that the site does not take at once: offline, after a crash, signed out, refused."""

import json
import time

import pytest
from django.conf import settings
from playwright.sync_api import Page, Route, expect

from judgments.models import Judgment, Membership, Status, Task
from judgments.people.members import members as people

from .judging import at_item, fetched_ahead, intercept, press, sign_in, stored

pytestmark = pytest.mark.django_db(transaction=True)


def waiting(page: Page):
    return page.get_by_role("region", name="Waiting answers")


def refuse(page: Page, status: int) -> None:
    """The site answers every POST so, until `page.unroute_all()`."""

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=status, body="Something went wrong.")
        else:
            route.continue_()

    intercept(page, "**/judge/**", answer)


def unavailable(route: Route, status: int, retry_after: str = "1") -> None:
    """No answer, to whatever is asked."""
    headers = {"Retry-After": retry_after, "Content-Type": "text/html"}
    route.fulfill(status=status, headers=headers, body="<h1>Back in a moment</h1>")


def test_an_answer_whose_reply_got_lost_counts_once(judging: Page):
    """The site stores the answer, but the reply gets lost on the way."""
    lost = []

    def lose_reply(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    intercept(judging, "**/judge/**", lose_reply)
    press(judging, "111111")
    judging.keyboard.press("Enter")
    at_item(judging, 2)
    expect(waiting(judging)).to_be_hidden()  # it was sent again by itself
    assert lost == [200]
    assert Judgment.objects.count() == 1


def test_one_goes_on_offline_and_everything_is_sent_in_order(judging: Page, axe):
    fetched_ahead(judging, 3)
    judging.context.set_offline(True)
    for number in (1, 2, 3):
        press(judging, str(number) * 6)
        judging.keyboard.press("Enter")
        at_item(judging, number + 1)
    expect(waiting(judging)).to_contain_text("3 answers are waiting in this browser")
    expect(judging.locator("#status")).to_contain_text("kept in this browser")
    expect(judging.locator("#pace strong")).to_have_text("3 of 4")
    axe(judging)
    press(judging, "444444")
    judging.keyboard.press("Enter")  # nothing is left that could be opened
    expect(judging.locator("#trouble")).to_contain_text("what comes next is not on this device")
    assert not Judgment.objects.exists()
    judging.context.set_offline(False)
    expect(judging.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    assert stored() == [1.0] * 6 + [2.0] * 6 + [3.0] * 6 + [4.0] * 6
    assert Task.objects.get().n_judged == 4


def test_a_crash_loses_nothing(judging: Page):
    """Of two items one was answered, the other begun, when the page is closed without a word."""
    fetched_ahead(judging, 1)
    context, url = judging.context, judging.url
    context.set_offline(True)
    press(judging, "555555")
    judging.keyboard.press("Enter")
    at_item(judging, 2)
    press(judging, "12")
    expect(waiting(judging)).to_be_visible()
    judging.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    at_item(again, 2)  # the first item's answer was sent, and so the second is next
    assert stored() == [5.0] * 6
    expect(again.locator("#go")).to_have_text("4 answers missing")
    expect(again.locator("#q-output1-fluency input:checked")).to_have_value("2")


def test_signed_out_in_between(judging: Page, site: str, annotator):
    at_item(judging, 1)
    press(judging, "111111")
    judging.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    judging.keyboard.press("Enter")
    overlay = judging.get_by_role("dialog", name="Not stored yet")
    expect(overlay).to_contain_text("You are signed out")
    sign_in(judging, site, annotator)
    overlay.get_by_role("button", name="Try again").click()
    at_item(judging, 2)
    assert Judgment.objects.count() == 1


@pytest.mark.proof
def test_the_site_fails_and_the_answers_can_be_downloaded(judging: Page, axe):
    """The next item is open when the site fails: the overlay says which answer it is about."""
    fetched_ahead(judging, 1)
    refuse(judging, 500)
    press(judging, "123451")
    judging.keyboard.press("Enter")
    overlay = judging.get_by_role("dialog", name="Not stored yet")
    expect(overlay).to_contain_text("could not store")
    expect(overlay).to_contain_text("Item 1 of 4")
    axe(judging)
    with judging.expect_download() as download:
        overlay.get_by_role("button", name="Download the answers").click()
    (answer,) = json.loads(download.value.path().read_text())
    assert answer["answers"]["output1-fluency"] == "2"
    overlay.get_by_role("button", name="Back").click()
    at_item(judging, 2)
    press(judging, "22")
    judging.unroute_all()
    waiting(judging).get_by_role("button", name="Send now").click()
    expect(waiting(judging)).to_be_hidden()
    at_item(judging, 2)
    expect(judging.locator("#go")).to_have_text("4 answers missing")  # nobody was taken away
    assert stored() == [1, 2, 3, 4, 5, 1]


@pytest.mark.proof
@pytest.mark.parametrize("status", [502, 503, 504])
def test_work_goes_on_while_the_site_is_being_started_again(judging: Page, status: int):
    """As its parent or a proxy says it: what was fetched ahead is judged, answers wait, and are
    sent without a hand when the site is back."""
    fetched_ahead(judging, 3)
    intercept(judging, "**/judge/**", lambda route: unavailable(route, status))
    for number in (1, 2):
        press(judging, str(number) * 6)
        judging.keyboard.press("Enter")
        at_item(judging, number + 1)
    expect(waiting(judging)).to_contain_text("2 answers are waiting in this browser")
    expect(judging.get_by_role("dialog", name="Not stored yet")).to_be_hidden()
    assert not Judgment.objects.exists()
    judging.unroute_all()
    expect(waiting(judging)).to_be_hidden(timeout=15000)
    assert stored() == [1.0] * 6 + [2.0] * 6
    press(judging, "333333")
    judging.keyboard.press("Enter")
    at_item(judging, 4)


def test_an_item_is_not_left_for_a_page_that_says_503(judging: Page):
    """The next one is not on this device: the answers stay on the screen until it can be opened."""
    intercept(judging, "**/judge/**", lambda route: unavailable(route, 503))
    press(judging, "123451")
    for which in ("next", "ready"):  # nothing was fetched ahead
        judging.evaluate(f"window.mtevalRows.{which} = () => undefined")
    judging.keyboard.press("Enter")
    expect(judging.locator("#trouble")).to_contain_text("cannot be reached")
    at_item(judging, 1)
    judging.unroute_all()
    at_item(judging, 2)
    assert stored() == [1, 2, 3, 4, 5, 1]


@pytest.mark.proof
def test_the_site_says_when_to_try_again(judging: Page):
    tried = []

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            tried.append(time.monotonic())
        unavailable(route, 503, "5")

    fetched_ahead(judging, 1)
    intercept(judging, "**/judge/**", answer)
    press(judging, "111111")
    judging.keyboard.press("Enter")
    at_item(judging, 2)
    judging.wait_for_timeout(6500)
    assert len(tried) == 2
    assert tried[1] - tried[0] >= 4.9  # by itself it would have been 2


@pytest.mark.proof
def test_paused_in_between_and_changed_while_it_waits(judging: Page, campaign):
    at_item(judging, 1)
    judging.evaluate("window.mtevalRows.next = () => undefined")  # nothing was fetched ahead
    press(judging, "123451")
    campaign.status = Status.PAUSED
    campaign.save()
    judging.keyboard.press("Enter")
    overlay = judging.get_by_role("dialog", name="Not stored yet")
    expect(overlay).to_contain_text("The campaign is paused")
    overlay.get_by_role("button", name="Back").click()
    judging.locator("#q-output1-adequacy input[value='5']").check()
    campaign.status = Status.OPEN
    campaign.save()
    judging.locator("#go").click()
    at_item(judging, 2)
    assert stored() == [5, 2, 3, 4, 5, 1]


def test_an_item_that_was_taken_back(judging: Page):
    at_item(judging, 1)
    press(judging, "111111")
    Task.objects.update(annotator=None)
    judging.keyboard.press("Enter")
    overlay = judging.get_by_role("dialog", name="Not stored yet")
    expect(overlay).to_contain_text("no longer yours")
    overlay.get_by_role("button", name="Discard these answers").click()
    expect(waiting(judging)).to_be_hidden()
    assert not Judgment.objects.exists()


@pytest.mark.proof
def test_removed_in_between_the_answer_is_kept_and_sent_when_taken_back(judging: Page, axe):
    at_item(judging, 1)
    press(judging, "111111")
    member = Membership.objects.get(role="annotator")
    people.remove(member)
    judging.keyboard.press("Enter")
    overlay = judging.get_by_role("dialog", name="Not stored yet")
    expect(overlay).to_contain_text("You no longer take part in this campaign")
    expect(overlay).to_contain_text("Your answers are kept in this browser")
    axe(judging)
    assert not Judgment.objects.exists()
    people.take_back(member)
    overlay.get_by_role("button", name="Try again").click()
    at_item(judging, 2)
    assert stored() == [1.0] * 6


def test_what_only_the_site_finds_missing_comes_back_in_the_page(judging: Page):
    at_item(judging, 1)
    judging.evaluate("window.mtevalRows.next = () => undefined")  # nothing was fetched ahead
    press(judging, "111111")
    judging.evaluate("document.querySelector('#q-output2-fluency :checked').value = '9'")
    judging.keyboard.press("Enter")
    summary = judging.get_by_role("alert").first
    expect(summary).to_contain_text("some answers are missing")
    expect(judging.locator(".output :checked")).to_have_count(6)  # the draft has it
    judging.locator("#go").click()
    at_item(judging, 2)
    assert len(stored()) == 6


def test_a_revision_that_waits_is_sent_from_the_page_after_the_last_item(judging: Page):
    for number in range(1, 5):
        at_item(judging, number)
        press(judging, "111111")
        judging.keyboard.press("Enter")
    judging.get_by_role("heading", name="All done. Thank you!").wait_for()
    entry = judging.url
    judging.goto(f"{entry}4/")
    at_item(judging, 4)
    judging.context.set_offline(True)
    press(judging, "5")
    judging.keyboard.press("Enter")
    expect(waiting(judging)).to_be_visible()
    judging.close(run_before_unload=False)
    judging.context.set_offline(False)
    page = judging.context.new_page()
    page.goto(entry)
    expect(waiting(page)).to_be_hidden()
    for _ in range(50):
        if Judgment.objects.count() == 5:
            break
        page.wait_for_timeout(50)
    assert stored()[-6:] == [5, 1, 1, 1, 1, 1]
