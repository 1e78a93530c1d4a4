"""Comprehension questions and acceptability in a real browser: judged, graded, read."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Answer, Output, Question, Rating
from tests import factory
from tests.browser.judging import at_item, longer, sign_in
from tests.judgments.protocols.test_acceptability import edit

pytestmark = pytest.mark.django_db(transaction=True)

ARABIC = ["تعبر العبارة البحيرة 🙂 كل صباح .", "تأخرت <b>اليوم</b> ساعة ."]


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


@pytest.fixture
def owner():
    return factory.make_user("owner", is_staff=True)


def make_campaign(owner, annotator, language="en", texts=None):
    """Two documents of two segments; on each a question with choices and two open ones."""
    test_set = factory.make_test_set(owner, target_language=language)
    campaign = factory.make_campaign(
        test_set, preset="comprehension", owner=owner, annotators=[annotator]
    )
    task = factory.make_task(campaign, annotator)
    for document in test_set.documents.all():
        first, second = document.segments.all()
        task.items.get(segment=second).delete()
        item = task.items.get(segment=first)
        item.position = document.position
        item.save()
        item.shown.all().delete()
        for place, segment in enumerate((first, second)):
            output = segment.outputs.get(system__name="System-B")
            if texts:
                output.text = texts[place]
                output.save()
            item.shown.create(output=output, position=place)
        for position, (text, choices, right) in enumerate(
            [
                ("What crosses the lake?", ["a ferry", "a train", "a plane"], ["a ferry"]),
                ("When does it leave?", [], ["at eight"]),
                ("How does the writer feel about it?", [], []),
            ]
        ):
            Question.objects.create(
                campaign=campaign,
                document=document,
                position=position,
                level=position + 1,
                text=text,
                choices=choices,
                right=right,
            )
    task.n_items = 2
    task.save()
    return campaign


def given():
    rows = Answer.objects.filter(judgment__superseded_by=None).order_by("pk")
    return list(rows.values_list("text", "is_right"))


def test_questions_by_keyboard(page: Page, site: str, owner, annotator, axe):
    campaign = make_campaign(owner, annotator)
    Output.objects.update(text="A text that does not fit the screen as a whole. " * 60)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    expect(page.locator("#go")).to_have_text("3 answers missing")
    # Choices are in an order specific to the item: the key of the right one is next to it.
    right = page.locator("label", has_text="a ferry").locator("input")
    page.keyboard.press(right.get_attribute("data-key"))
    expect(right).to_be_checked()
    expect(page.get_by_role("textbox").first).to_be_focused()
    page.keyboard.type("At eight, 1 or 2")  # digits are text here
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox").nth(1)).to_be_focused()
    page.keyboard.type("x")
    page.keyboard.press("Escape")
    page.keyboard.press("0")
    expect(page.get_by_role("textbox").nth(1)).to_have_value("")
    expect(page.locator("#go")).to_have_text("Submit and continue")
    axe(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    assert given() == [("a ferry", True), ("At eight, 1 or 2", False), ("", False)]
    page.keyboard.press("0")
    page.keyboard.type("AT EIGHT.")
    page.reload()  # what was not sent is still there
    at_item(page, 2)
    expect(page.locator("#go")).to_have_text("1 answer missing")
    page.get_by_role("textbox").nth(1).press("Shift+Enter")
    page.keyboard.type("Glad")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(rf"/judge/{campaign.pk}/$"))
    assert given()[3:] == [("", False), ("AT EIGHT.", True), ("Glad", None)]
    read_and_grade(page, site, owner, campaign, axe)


def read_and_grade(page, site, owner, campaign, axe):
    """The owner grades the one open answer, and reads the accuracy."""
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/answers/")
    expect(page.get_by_text("1 is waiting for a grade")).to_be_visible()
    expect(page.locator("figure svg").first).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Grade").click()
    expect(page.get_by_role("link", name=re.compile("^Grade: How does"))).to_be_visible()
    axe(page)
    page.get_by_role("link", name=re.compile("^Grade: How does")).click()
    expect(page.get_by_role("button", name="Save the grades")).to_be_visible()
    axe(page)
    page.get_by_role("radio", name="Right").press("Space")
    page.get_by_role("button", name="Save the grades").press("Enter")
    expect(page.get_by_text("Graded 1 answer.")).to_be_visible()
    page.goto(f"{site}/campaigns/{campaign.pk}/answers/")
    expect(page.get_by_text("got 50 % of the answers right")).to_be_visible()
    page.goto(f"{site}/campaigns/{campaign.pk}/questions/")
    axe(page)


@pytest.mark.proof
def test_questions_by_touch(browser: Browser, site: str, owner, annotator, axe):
    texts = [longer(text) for text in ARABIC]
    campaign = make_campaign(owner, annotator, "ar", texts)
    context = browser.new_context(
        has_touch=True, viewport={"width": 360, "height": 740}, color_scheme="dark"
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    for text in texts:
        expect(page.get_by_text(text)).to_be_visible()
    page.locator("label", has_text="a plane").tap()
    page.get_by_role("textbox").first.tap()
    page.keyboard.insert_text("ساعة")
    untold = page.locator(".open-question .untold")
    untold.nth(1).tap()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for label in page.locator(".options label").all():
        assert label.bounding_box()["height"] >= 44
    page.get_by_role("button", name="Submit and continue").tap()
    at_item(page, 2)
    assert given() == [("a plane", False), ("ساعة", False), ("", False)]
    assert errors == []
    context.close()


@pytest.mark.parametrize("how", ["keys", "touch"])
def test_acceptability(browser: Browser, site: str, owner, annotator, axe, how):
    test_set = factory.make_test_set(owner)
    editor = factory.make_user("editor")
    editing = factory.make_campaign(test_set, preset="sentence-editing", annotators=[editor])
    task = factory.make_task(editing, editor, n_outputs=1)
    edits = [
        edit(item, "edited", f"An edited text {n} 🙂", editor=editor)
        for n, item in enumerate(task.items.order_by("position"))
    ]
    campaign = factory.make_campaign(
        test_set,
        preset="acceptability",
        annotators=[annotator],
        options={"edits_of": str(editing.pk)},
    )
    task = factory.make_task(campaign, annotator, n_outputs=1)
    for item, one in zip(task.items.order_by("position"), edits, strict=True):
        item.part = str(one.pk)
        item.save()
    touch = how == "touch"
    size = {"width": 360, "height": 740} if touch else {"width": 1440, "height": 900}
    context = browser.new_context(has_touch=touch, viewport=size)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    expect(page.get_by_text("An edited text 0 🙂")).to_be_visible()
    expect(page.get_by_text("Quelltext")).to_have_count(0)
    axe(page)
    if touch:
        page.locator("label", has_text="Yes").tap()
        page.get_by_role("button", name="Submit and continue").tap()
    else:
        page.keyboard.press("1")
        page.keyboard.press("Enter")
    at_item(page, 2)
    assert list(Rating.objects.values_list("output", "dimension", "value")) == [
        (Output.objects.get(segment__position=0, system__name="System-A").pk, "acceptable", 1.0)
    ]
    context.close()
