"""What a manager does around the work, by keyboard and on a telephone: dates, messages to some,
questions about people, pay that is approved and then paid. Row 6 of the table of issue 29."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from judgments.models import Delivery, Item, Judgment, Task
from judgments.people.staffing.settings import set_staffing
from tests import factory

from .judging import SIZES, at_item, comes_true, press, settled, sign_in

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "Numbers count as errors from now on: see the new example in the instructions."


@pytest.fixture
def people():
    return [factory.make_user(f"annotator-{number}") for number in (1, 2, 3)]


@pytest.fixture
def common(people):
    owner = factory.make_user("olga")
    test_set = factory.make_test_set(owner, n_segments=4)
    campaign = factory.make_campaign(
        test_set, preset="adequacy-fluency", owner=owner, annotators=people
    )
    for seat, annotator in enumerate(people, 1):
        factory.make_task(campaign, annotator, seat=seat)
    return campaign


def act_on(page: Page, locator) -> None:
    """Tick or press something by its key."""
    locator.focus()
    page.keyboard.press("Space" if locator.get_attribute("type") == "checkbox" else "Enter")


@pytest.mark.parametrize("size", SIZES)
def test_a_deadline_and_a_message_to_two_of_three(page: Page, site, common, people, size, axe):
    page.set_viewport_size(SIZES[size])
    owner = common.memberships.get(role="owner").user
    sign_in(page, site, owner)
    page.goto(site + reverse("campaign", args=[common.pk]))
    act_on(page, page.get_by_role("link", name="Dates"))
    deadline = (timezone.now() + timedelta(days=9)).strftime("%Y-%m-%dT12:00")
    page.get_by_label("Deadline").fill(deadline)
    page.locator("#id_first_reminder").fill("2")
    act_on(page, page.get_by_role("button", name="Save"))
    expect(page.get_by_text("It ends on")).to_be_visible()
    axe(page)
    page.goto(site + reverse("campaign", args=[common.pk]))
    act_on(page, page.get_by_role("link", name="Messages"))
    page.get_by_label("Message").fill(TEXT)
    for name in ("annotator-1", "annotator-2"):
        act_on(page, page.get_by_label(name))
    act_on(page, page.get_by_role("button", name="Send"))
    expect(page.get_by_text("Sent to 2 annotators")).to_be_visible()
    expect(page.get_by_text("annotator-1: not read yet")).to_be_visible()
    axe(page)
    for number, annotator in enumerate(people, 1):
        sign_in(page, site, annotator)
        page.goto(site + "/")
        expect(page.get_by_text(f"The work ends on {deadline[:10]}")).to_be_visible()
        shown = page.locator("#messages").get_by_text(TEXT)
        expect(shown).to_have_count(0 if number == 3 else 1)
        axe(page)


@pytest.mark.parametrize("size", SIZES)
def test_a_message_comes_while_one_judges_and_costs_no_answer(
    page: Page, site, common, people, size, axe
):
    from judgments.people.messages.messages import send

    page.set_viewport_size(SIZES[size])
    annotator = people[0]
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{common.pk}/")
    at_item(page, 1)
    members = common.memberships.filter(user=annotator)
    send(common, members, text=TEXT, sender="olga")
    press(page, "111111")
    page.keyboard.press("Enter")
    at_item(page, 2)
    message = page.get_by_text(TEXT).locator("visible=true").first
    expect(message).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=TEXT)).to_have_count(1)
    box = page.locator("#messages").bounding_box()
    answer = page.locator("#answer").bounding_box()
    assert box["y"] + box["height"] <= answer["y"] + 1, "it covers nothing"
    axe(page)
    press(page, "11")
    act_on(page, page.get_by_role("button", name="I have read it"))
    expect(page.get_by_role("button", name="I have read it")).to_have_count(0)
    assert page.locator("input:checked").count() >= 2, "what was answered is still there"
    assert Delivery.objects.get().read_at is not None
    page.reload()
    at_item(page, 2)
    expect(page.get_by_role("button", name="I have read it")).to_have_count(0)
    settled(page)
    assert Judgment.objects.count() == 1


def test_a_question_about_people_is_written_and_asked(page: Page, site, common, people, axe):
    sign_in(page, site, common.memberships.get(role="owner").user)
    page.goto(site + reverse("campaign-consent", args=[common.pk]))
    first = page.get_by_role("group", name="Another question")
    first.get_by_label("Question", exact=True).fill("Which is your field?")
    first.get_by_label("Answer", exact=True).select_option("One from a list")
    first.get_by_label("Choices").fill("Law\nMedicine")
    act_on(page, page.get_by_role("button", name="Save"))
    expect(page.get_by_role("group", name="Question 1")).to_be_visible()
    expect(page.get_by_role("group", name="Another question")).to_be_visible()
    axe(page)
    sign_in(page, site, people[0])
    page.goto(f"{site}/judge/{common.pk}/")
    page.get_by_label("Which is your field?").select_option("Medicine")


def test_pay_is_approved_and_then_paid(page: Page, site, common, people, axe):
    set_staffing(common, {"pay": {"per": "item", "amount": "2.00", "currency": "EUR"}})
    values = {"adequacy": [1.0, 2.0, 3.0], "fluency": [4.0, 4.0, 4.0]}
    for item in Item.objects.filter(task__campaign=common, position=1).select_related("task"):
        factory.judge(item, values)
    sign_in(page, site, common.memberships.get(role="owner").user)
    page.goto(site + reverse("campaign-pay", args=[common.pk]))
    row = page.get_by_role("row").filter(has_text="annotator-2")
    act_on(page, page.get_by_label("annotator-2"))
    act_on(page, page.get_by_role("button", name="Approve what is due"))
    expect(page.get_by_text("Approved for 1 annotator.")).to_be_visible()
    expect(row.get_by_role("cell").nth(5)).to_have_text("0.00")
    expect(row.get_by_role("cell").nth(6)).to_have_text("2.00")
    act_on(page, page.get_by_label("annotator-2"))
    act_on(page, page.get_by_role("button", name="Mark what is approved"))
    expect(page.get_by_text("1 sum marked as paid.")).to_be_visible()
    expect(row.get_by_role("cell").nth(7)).to_have_text("2.00")
    page.get_by_label("Annotator", exact=True).select_option("annotator-3")
    page.get_by_label("Bonus").fill("1.50")
    page.get_by_label("What for").fill("A broken source was found")
    act_on(page, page.get_by_role("button", name="Approve the bonus"))
    expect(page.get_by_text("annotator-3: 1.50 EUR, A broken source was found")).to_be_visible()
    axe(page)


@pytest.mark.parametrize("size", SIZES)
def test_a_link_is_copied_by_its_button(page: Page, site, common, size, axe):
    page.set_viewport_size(SIZES[size])
    owner = common.memberships.get(role="owner").user
    link = common.invitations.create(created_by=owner)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in(page, site, owner)
    page.goto(site + reverse("campaign-people", args=[common.pk]))
    expect(page.locator(".copy-text")).to_contain_text(link.token)
    act_on(page, page.get_by_role("button", name="Copy"))
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"/{link.token}/")
    axe(page)


def test_where_the_clipboard_is_closed_the_text_is_selected(page: Page, site, common):
    owner = common.memberships.get(role="owner").user
    link = common.invitations.create(created_by=owner)
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    sign_in(page, site, owner)
    page.goto(site + reverse("campaign-people", args=[common.pk]))
    act_on(page, page.get_by_role("button", name="Copy"))
    comes_true(page, "(token) => getSelection().toString().includes(token)", arg=link.token)


def test_a_named_person_gets_a_batch_within_a_quota(page: Page, site, axe):
    owner, ann = factory.make_user("olga"), factory.make_user("ann")
    test_set = factory.make_test_set(owner, n_segments=4)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=[ann])
    for batch in (1, 2):
        factory.make_task(campaign, batch=batch)
    sign_in(page, site, owner)
    page.goto(site + reverse("campaign-completion", args=[campaign.pk]))
    page.get_by_label("Items that one person may judge, at most").fill("4")
    act_on(page, page.get_by_role("button", name="Save"))
    expect(page.get_by_role("status")).to_contain_text("saved", ignore_case=True)
    page.goto(site + reverse("campaign-steer", args=[campaign.pk]))
    page.get_by_label("Annotator", exact=True).select_option("ann")
    page.get_by_label("Batches", exact=True).fill("2")
    act_on(page, page.get_by_role("button", name="Assign the batches"))
    expect(page.get_by_role("status")).to_contain_text("Batches given to ann: 1.")
    axe(page)
    assert Task.objects.filter(annotator=ann).count() == 1
