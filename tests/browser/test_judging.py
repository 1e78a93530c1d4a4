"""Judging in a real browser: by keyboard, twice at once, offline, on a phone, in the dark."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Judgment, Preference, Status, Task
from tests import factory

from .judging import SIZES, at_item, fetched_ahead, make_campaign, press, sign_in, stored

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_whole_task_by_keyboard(judging: Page):
    """4 items · 3 translations · 2 questions, from the first key to the page of thanks."""
    for number in range(1, 5):
        at_item(judging, number)
        press(judging, "123454")
        expect(judging.locator("#go")).to_have_text("Submit and continue")
        judging.keyboard.press("Enter")
    expect(judging.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    assert stored() == [1, 2, 3, 4, 5, 4] * 4
    assert Task.objects.get().n_judged == 4
    times = Judgment.objects.values_list("active_ms", flat=True)
    assert all(time and time < 60_000 for time in times)


def test_pairwise_by_arrows(page: Page, site: str, annotator):
    campaign = make_campaign(annotator, "pairwise")
    factory.make_task(campaign, annotator)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    for number, key in enumerate(["ArrowLeft", "ArrowDown", "ArrowRight", "1"], 1):
        at_item(page, number)
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    assert list(Preference.objects.order_by("pk").values_list("value", flat=True)) == [1, 0, -1, 1]


def test_a_slider_counts_only_once_touched(page: Page, site: str, annotator):
    campaign = make_campaign(annotator, "direct-assessment")
    factory.make_task(campaign, annotator, n_outputs=1)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    expect(page.locator("#go")).to_have_text("1 answer missing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider")).to_be_focused()
    assert not Judgment.objects.exists()
    press(page, ["ArrowRight", "ArrowRight", "ArrowLeft", "Enter"])
    at_item(page, 2)
    assert stored() == [51]
    page.get_by_role("slider").click()  # in the middle: moves nothing, and is an answer
    page.keyboard.press("Enter")
    at_item(page, 3)
    assert stored() == [51, 50]
    assert "51" not in page.locator("main").inner_text()


def test_what_is_missing_is_said_and_gone_to(judging: Page):
    at_item(judging, 1)
    expect(judging.locator("#go")).to_have_text("6 answers missing")
    press(judging, "12jj4")
    expect(judging.locator("#go")).to_have_text("3 answers missing")
    expect(judging.locator("#status")).to_have_text("3 answers missing")
    judging.locator("#go").click()
    expect(judging.locator("#q-output2-adequacy")).to_have_class(re.compile("is-current"))
    expect(judging.locator("#q-output2-adequacy input").first).to_be_focused()
    assert not Judgment.objects.exists()


def test_a_double_click_is_one_judgment(judging: Page):
    press(judging, "111111")
    judging.locator("#go").dblclick()
    at_item(judging, 2)
    assert Judgment.objects.count() == 1
    expect(judging.locator("#go")).to_have_text("6 answers missing")


def test_going_back_shows_the_answer_and_revises_it(judging: Page):
    press(judging, "123451")
    judging.keyboard.press("Enter")
    at_item(judging, 2)
    judging.go_back()
    at_item(judging, 1)
    expect(judging.locator("#q-output1-fluency input:checked")).to_have_value("2")
    judging.locator("#go").click()  # nothing changed: nothing is stored
    at_item(judging, 2)
    assert Judgment.objects.count() == 1
    judging.keyboard.press("p")
    at_item(judging, 1)
    press(judging, "5")
    judging.keyboard.press("Enter")
    at_item(judging, 2)
    assert [j.revision for j in Judgment.objects.order_by("pk")] == [1, 2]
    assert stored()[6:] == [5, 2, 3, 4, 5, 1]
    assert Task.objects.get().n_judged == 1


def test_two_tabs_are_one_current_judgment_each(judging: Page):
    other = judging.context.new_page()
    other.goto(judging.url)
    for tab in (judging, other):
        fetched_ahead(tab, 2)
    for tab, keys in ((judging, "111111"), (other, "222222")):
        press(tab, keys)
        tab.keyboard.press("Enter")
        at_item(tab, 2)
    assert Judgment.objects.current().count() == 1
    press(judging, "333333")
    press(other, "333333")
    judging.keyboard.press("Enter")
    other.keyboard.press("Enter")
    at_item(judging, 3)
    at_item(other, 3)
    assert Judgment.objects.current().count() == 2
    assert Task.objects.get().n_judged == 2


def test_a_reload_keeps_unsent_answers(judging: Page):
    at_item(judging, 1)
    press(judging, "123")
    judging.reload()
    expect(judging.locator("#go")).to_have_text("3 answers missing")
    expect(judging.locator("#q-output1-fluency input:checked")).to_have_value("2")
    press(judging, "451")
    judging.keyboard.press("Enter")
    at_item(judging, 2)
    assert stored() == [1, 2, 3, 4, 5, 1]


def test_texts_are_hidden_by_key_and_stay_hidden(judging: Page):
    source = judging.get_by_text("Quelltext Nummer 1")
    expect(source).to_be_visible()
    judging.keyboard.press("s")
    expect(source).to_be_hidden()
    expect(judging.get_by_text("Source text number 1 stands here .", exact=True)).to_be_visible()
    press(judging, "n")
    at_item(judging, 2)
    expect(judging.get_by_text("Quelltext Nummer 2")).to_be_hidden()
    judging.keyboard.press("s")
    expect(judging.get_by_text("Quelltext Nummer 2")).to_be_visible()


def test_instructions_open_at_the_side(judging: Page, axe):
    at_item(judging, 1)
    before = judging.locator(".output").first.bounding_box()
    judging.keyboard.press("i")
    panel = judging.get_by_role("dialog", name="Instructions")
    expect(panel).to_contain_text("How do you judge the fluency")
    assert judging.locator(".output").first.bounding_box() == before
    axe(judging)
    press(judging, "5")  # a key of the screen behind does nothing
    judging.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(judging.locator(".output :checked")).to_have_count(0)


def test_the_list_of_keys_opens_and_closes_by_its_key(judging: Page):
    keys = judging.locator("dialog#keys")
    judging.keyboard.press("?")
    expect(keys).to_be_visible()
    judging.keyboard.press("?")
    expect(keys).to_be_hidden()


def test_keys_can_be_turned_off(judging: Page, axe):
    at_item(judging, 1)
    judging.keyboard.press("?")
    expect(judging.get_by_role("dialog", name="Keys")).to_be_visible()
    axe(judging)
    judging.get_by_label("Use these keys").uncheck()
    judging.keyboard.press("Escape")
    judging.reload()
    at_item(judging, 1)
    press(judging, "5p")
    expect(judging.locator(".output :checked")).to_have_count(0)
    judging.locator("#q-output1-adequacy input").first.focus()
    judging.keyboard.press("Space")
    judging.keyboard.press("Tab")
    judging.keyboard.press("Space")
    expect(judging.locator(".output :checked")).to_have_count(2)
    assert judging.url.endswith("/1/")


def test_idle_time_does_not_count(page: Page, site: str, annotator, campaign):
    """Ten minutes away count for one: a gap ends after a minute without a sign of life."""
    sign_in(page, site, annotator)
    page.clock.install()
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    press(page, "111")
    page.clock.run_for(600_000)
    press(page, "111")
    page.clock.run_for(5_000)
    sent = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    page.keyboard.press("Enter")
    at_item(page, 2)
    (active,) = re.findall(r"active_ms=(\d+)", " ".join(sent))
    assert 65_000 <= int(active) < 75_000


def test_without_a_script_the_screen_still_works(browser: Browser, site: str, annotator, campaign):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    for question in page.locator("fieldset").all():
        question.locator("input").nth(1).check()
    page.get_by_role("button", name="Submit and continue").click()
    page.wait_for_url(f"{site}/judge/{campaign.pk}/2/")
    assert stored() == [4] * 6
    page.get_by_role("link", name="Instructions").click()
    context.close()


def test_without_a_script_a_slider_is_a_number(browser: Browser, site: str, annotator):
    campaign = make_campaign(annotator, "direct-assessment")
    factory.make_task(campaign, annotator, n_outputs=1)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    page.get_by_role("spinbutton").fill("83")
    page.get_by_role("button", name="Submit and continue").click()
    page.wait_for_url(f"{site}/judge/{campaign.pk}/2/")
    assert stored() == [83]
    context.close()


@pytest.mark.parametrize("how", ["keys", "touch"])
def test_a_slider_with_ticks(browser: Browser, site: str, annotator, how):
    campaign = make_campaign(annotator, "da-sqm")
    factory.make_task(campaign, annotator, n_outputs=1)
    context = browser.new_context(has_touch=True)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    slider = page.get_by_role("slider")
    at_item(page, 1)
    expect(slider).to_have_accessible_description(re.compile("67 Most meaning preserved"))
    if how == "keys":
        press(page, "67")
        slider.press("ArrowRight")
        slider.press("Enter")
    else:
        page.get_by_role("button", name="67 Most meaning preserved").tap()
        page.get_by_role("button", name="Submit and continue").tap()
    at_item(page, 2)
    assert stored() == [68 if how == "keys" else 67]
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "preset",
    [
        *("adequacy-fluency", "pairwise"),
        *(
            pytest.param(preset, marks=pytest.mark.proof)
            for preset in ("direct-assessment", "da-sqm", "relative-ranking")
        ),
    ],
)
def test_every_screen_is_accessible(
    browser: Browser, site: str, annotator, axe, preset, size, scheme
):
    campaign = make_campaign(annotator, preset, target_language="ar", simulated=True)
    factory.make_task(campaign, annotator)
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    press(page, "1")
    axe(page)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= SIZES[size]["width"], "the page scrolls sideways"
    for path in ("items", "instructions"):
        page.goto(f"{site}/judge/{campaign.pk}/{path}/")
        axe(page)
    campaign.status = Status.PAUSED
    campaign.save()
    page.goto(f"{site}/judge/{campaign.pk}/")
    axe(page)
    assert errors == []
    context.close()
