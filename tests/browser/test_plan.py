"""The page on which work is planned, in a browser: wrong settings, the price, the keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factory

from .judging import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def plan(page: Page, site) -> Page:
    owner = factory.make_user("owner")
    campaign = factory.make_campaign(
        factory.make_test_set(owner), preset="esa", owner=owner, status="draft"
    )
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/design/")
    return page


def test_what_is_wrong_is_said_at_the_right_and_beside_the_setting(plan: Page, axe):
    price, field = plan.locator("#price"), plan.get_by_label("Repeats, of ten items")
    expect(price).to_contain_text("hours of work")
    field.fill("99")
    link = price.get_by_role("link", name="Repeats, of ten items")
    expect(link).to_be_visible()  # without a reload
    expect(price).not_to_contain_text("hours of work")
    beside = plan.locator("#id_repeats_error")
    expect(beside).to_contain_text("less than or equal to 5")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("far apart.*less than or equal to 5"))
    axe(plan)
    link.click()
    expect(field).to_be_focused()
    field.fill("1")
    expect(beside).to_have_count(0)
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("The same again, far apart: consistency.")
    expect(price).to_contain_text("hours of work")


def test_a_wrong_setting_behind_more_is_brought_to_light(plan: Page):
    seed = plan.get_by_label("Seed of the random order")
    seed.locator("xpath=ancestor::details/summary").press("Enter")
    seed.fill("-1")
    seed.locator("xpath=ancestor::details").evaluate("more => { more.open = false; }")
    expect(seed).to_be_visible()


def test_the_sentence_is_said_once_and_not_at_each_key(plan: Page):
    said = plan.locator("#plan-said")
    plan.evaluate("""() => {
      window.spoken = [];
      new MutationObserver(() => spoken.push(document.getElementById("plan-said").textContent))
        .observe(document.getElementById("plan-said"), {childList: true});
    }""")
    plan.get_by_label("Annotators you expect").focus()
    for _ in range(3):
        plan.keyboard.press("ArrowUp")
        plan.wait_for_timeout(700)  # longer than the page waits before it asks for the price
    expect(said).to_contain_text("for 5 annotators")
    assert len(plan.evaluate("spoken")) == 1


def test_the_keyboard_reaches_each_setting_once(plan: Page):
    plan.locator("#plan input:not([type=hidden])").first.focus()
    seen = []
    for _ in range(60):
        seen.append(plan.evaluate("document.activeElement.name || document.activeElement.id"))
        if seen[-1] == "price":
            break
        assert plan.evaluate("document.activeElement.matches(':focus-visible')")
        plan.keyboard.press("Tab")
    assert seen[-1] == "price"
    numbers = [name for name in seen if name in ("repeats", "degraded", "agreement_share")]
    assert numbers == ["agreement_share", "repeats", "degraded"]  # no stop at a slider
