"""The page on which work is planned, in a browser: wrong settings, the price, the keyboard."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from judgments.people.staffing.settings import set_staffing
from tests import factory

from .judging import SIZES, sign_in

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


@pytest.mark.proof
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
    expect(field).to_have_accessible_description(
        "The same item again, far apart, to measure consistency."
    )
    expect(price).to_contain_text("hours of work")


@pytest.mark.proof
def test_settings_changed_before_the_page_listens_are_priced(plan: Page):
    """On a slow line the form is there before its scripts."""
    scripts: list[Route] = []
    plan.route(re.compile(r"/(htmx|plan)[\w.-]*\.js$"), lambda route: scripts.append(route))
    plan.goto(plan.url, wait_until="commit")
    plan.get_by_label("Annotators you expect").fill("7")
    expect(plan.locator("#price")).to_contain_text("hours of work")
    assert scripts
    for script in scripts:
        script.continue_()
    expect(plan.locator("#price")).to_contain_text("for 7 annotators")


def test_who_comes_back_finds_the_price_of_what_they_had_filled_in(plan: Page):
    plan.get_by_label("Annotators you expect").fill("7")
    expect(plan.locator("#price")).to_contain_text("for 7 annotators")
    plan.goto(plan.url.replace("design/", ""))
    plan.go_back()
    expect(plan.get_by_label("Annotators you expect")).to_have_value("7")
    expect(plan.locator("#price")).to_contain_text("for 7 annotators")


def test_a_wrong_setting_behind_more_is_brought_to_light(plan: Page):
    seed = plan.get_by_label("Seed of the random order")
    seed.locator("xpath=ancestor::details/summary").press("Enter")
    seed.fill("-1")
    seed.locator("xpath=ancestor::details").evaluate("more => { more.open = false; }")
    expect(seed).to_be_visible()


@pytest.mark.proof
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


@pytest.fixture
def long_plan(page: Page, site) -> Page:
    """Of a system whose long name has nowhere to break, and of annotators who are paid."""
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=12)
    test_set.systems.filter(name="System-A").update(name="IOL_Research_submission_final_version_2")
    campaign = factory.make_campaign(test_set, preset="esa", owner=owner, status="draft")
    set_staffing(campaign, {"pay": {"per": "hour", "amount": "12.50", "currency": "EUR"}})
    sign_in(page, site, owner)
    page.set_viewport_size(SIZES["phone"])
    page.goto(f"{site}/campaigns/{campaign.pk}/design/")
    return page


def test_this_plan_and_others_stay_in_sight_while_the_settings_scroll(long_plan: Page):
    long_plan.set_viewport_size(SIZES["desk"])
    others = long_plan.locator("#price tbody").first
    expect(others.locator("tr").first).to_contain_text("EUR")
    for place in ("0", "document.body.scrollHeight / 2"):
        long_plan.evaluate(f"scrollTo(0, {place})")
        expect(others).to_be_in_viewport(ratio=1)
        ends = long_plan.evaluate(
            """() => ["#price tbody", "#price"].map(
              (each) => document.querySelector(each).getBoundingClientRect().bottom)"""
        )
        assert ends[0] <= ends[1], "below the edge of the panel"
    expect(long_plan.locator("#plan-glance")).to_be_hidden()


@pytest.mark.proof
def test_on_a_phone_the_price_stays_at_the_edge(long_plan: Page, axe):
    glance = long_plan.locator("#plan-glance")
    expect(glance).to_be_in_viewport(ratio=1)
    before = glance.inner_text()
    assert re.fullmatch(r".+ hours · .+ EUR · difference \d.*", before)
    axe(long_plan)
    long_plan.get_by_label("Annotators for each batch", exact=True).fill("2")
    expect(glance).not_to_have_text(before)
    expect(glance).to_be_in_viewport(ratio=1)
    long_plan.get_by_label("Annotators you expect").fill("0")
    expect(glance).to_have_text("No plan can be made with these settings")
    for _ in range(30):  # what has the focus is never under it
        long_plan.keyboard.press("Tab")
        under = long_plan.evaluate("""() => {
          const focus = document.activeElement.getBoundingClientRect();
          const glance = document.getElementById("plan-glance").getBoundingClientRect();
          return document.activeElement.closest("#plan") && focus.bottom > glance.top
            && focus.top < glance.bottom ? document.activeElement.name : null;
        }""")
        assert under is None


def test_a_long_name_stays_within_its_frame(long_plan: Page):
    ends = long_plan.evaluate("""() => {
      const right = (each) => each.getBoundingClientRect().right;
      const frames = [...document.querySelectorAll(".plan-group")];
      return [Math.max(...frames.map(right)), right(document.querySelector("#plan"))];
    }""")
    assert ends[0] <= ends[1]
