"""Segments in a browser: from the list to one of them, by keys to the next, to a flag."""

import pytest
from django.core.cache import caches
from playwright.sync_api import Page, expect

from judgments.models import ErrorSpan
from tests import factory

from .judging import sign_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1440, "height": 900}}


@pytest.fixture
def campaign(db):
    caches["results"].clear()
    owner = factory.make_user("owner", is_staff=True)
    people = [factory.make_user(name) for name in ("one", "two")]
    campaign = factory.make_campaign(
        factory.make_test_set(owner), preset="esa", owner=owner, annotators=people
    )
    for seat, person in enumerate(people, 1):
        task = factory.make_task(campaign, person, seat=seat)
        for place, item in enumerate(list(task.items.all())[:3]):
            item.task = task
            row = [90 - 30 * place, 80, 50 * seat]
            judgment = factory.judge(item, {"esa": row, "esa_spans": [-5, 0, 0]})
            ErrorSpan.objects.create(
                judgment=judgment, output=item.shown.first().output, start=0, end=6,
                severity="major",
            )  # fmt: skip
    return campaign


def open_settings(page: Page) -> None:
    """In narrow windows settings stand behind one line."""
    fold = page.locator(".settings-fold > summary").first
    fold.wait_for(state="attached")
    if fold.is_visible():
        fold.click()


@pytest.mark.parametrize("size", SIZES)
def test_from_the_list_by_keys_to_a_flag(page: Page, site: str, axe, campaign, size):
    page.set_viewport_size(SIZES[size])
    sign_in(page, site, campaign.memberships.get(role="owner").user)
    page.goto(f"{site}/campaigns/{campaign.pk}/")
    page.get_by_role("link", name="Segments", exact=True).click()
    open_settings(page)
    page.get_by_label("Order").select_option("lowest")
    page.get_by_role("button", name="List", exact=True).click()
    expect(page.locator("#listed")).to_contain_text("first.")
    assert [text.split()[1] for text in page.locator("tbody th a").all_inner_texts()] == list("321")
    axe(page)
    page.locator("tbody th a").first.click()
    expect(page.get_by_role("heading", name="Document doc1, segment 3")).to_be_visible()
    expect(page.locator("mark.marked-error").first).to_have_text("Source")
    page.wait_for_load_state()  # the script that listens for keys comes last
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Document doc0, segment 2")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Document doc0, segment 1")).to_be_visible()
    page.wait_for_load_state()
    page.keyboard.press("k")
    expect(page.get_by_role("heading", name="Document doc0, segment 2")).to_be_visible()
    page.get_by_text("Words that differ between two outputs").click()
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("mark.differs").first).to_be_visible()
    over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(over) <= 0
    axe(page)
    page.get_by_label("Flag it: look at this").check()
    page.get_by_role("textbox", name="Comment").fill("Is this English?")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Flagged.")
    page.get_by_role("link", name="Segments", exact=True).last.click()
    open_settings(page)
    page.get_by_label("Show").select_option("flagged")
    page.get_by_role("button", name="List", exact=True).click()
    expect(page.locator("#segment-list tbody tr")).to_have_count(1)
    expect(page.locator("#segment-list")).to_contain_text("Is this English?")


@pytest.mark.parametrize("size", SIZES)
def test_what_narrows_the_list_opens_where_it_is_asked_for(page: Page, site: str, campaign, size):
    page.set_viewport_size(SIZES[size])
    sign_in(page, site, campaign.memberships.get(role="owner").user)
    page.goto(f"{site}/campaigns/{campaign.pk}/segments/")
    open_settings(page)
    expect(page.get_by_label("Severity")).to_be_hidden()
    page.get_by_text("Only some annotators, scores or errors").click()
    page.get_by_label("Severity").select_option("major")
    page.get_by_role("button", name="List", exact=True).click()
    page.wait_for_url("**severity=major**")
    open_settings(page)
    expect(page.get_by_label("Severity")).to_have_value("major")
    expect(page.get_by_label("Severity")).to_be_visible()
