"""Post-editing and sentence editing in a real browser: by keyboard and by touch."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Output, PostEdit, Rating
from tests import factory
from tests.browser.judging import at_item, longer, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

ARABIC = "هذه الترجمة 🙂 فيها خطأ <b>واحد</b> ."


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


def make_campaign(annotator, preset, language="en"):
    owner = factory.make_user(f"owner of {preset}")
    test_set = factory.make_test_set(owner, n_segments=3, target_language=language)
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner, annotators=[annotator])
    factory.make_task(campaign, annotator, n_outputs=1)
    return campaign


def edits():
    rows = PostEdit.objects.filter(judgment__superseded_by=None).order_by("pk")
    return list(rows.values_list("outcome", "text"))


def test_post_editing_by_keyboard(page: Page, site: str, annotator, axe):
    campaign = make_campaign(annotator, "post-editing")
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    box = page.get_by_role("textbox")
    page.keyboard.press("Enter")  # nothing is answered: into the text
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(box).to_be_focused()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Control+Delete")
    page.keyboard.type("The ")
    expect(page.locator("del")).to_have_text("Source")
    expect(page.locator("ins")).to_have_text("The")
    expect(page.get_by_label("Edited")).to_be_checked()
    axe(page)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.get_by_label("What you changed")).to_be_hidden()
    expect(page.locator("#go")).to_have_text("1 answer missing")
    page.keyboard.press("Control+y")
    page.keyboard.press("End")
    page.keyboard.type(" now")
    page.reload()  # what was not sent is still there
    expect(box).to_have_value(re.compile(" now$"))
    box.press("Control+Enter")
    at_item(page, 2)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    at_item(page, 3)
    (first, second) = edits()
    assert first[0] == "edited" and first[1].endswith("here now")
    assert second == (
        "no_correction",
        Output.objects.get(segment__position=1, system__name="System-A").text,
    )
    edit = PostEdit.objects.get(outcome="edited")
    assert edit.keystrokes >= 14 and 0 < edit.active_ms < 60_000
    kept = Rating.objects.get(output=edit.output, dimension="words_kept").value
    assert 0 < kept < 100 and f"{kept:.0f}" not in page.locator("main").inner_text()
    # Going back shows the edit; to say that nothing was wrong takes it back.
    page.keyboard.press("p")
    at_item(page, 2)
    page.keyboard.press("p")
    at_item(page, 1)
    expect(page.locator("ins")).not_to_have_count(0)
    page.keyboard.press("2")
    expect(page.get_by_label("What you changed")).to_be_hidden()
    page.keyboard.press("Enter")
    at_item(page, 3)
    assert [outcome for outcome, _ in edits()] == ["no_correction", "no_correction"]


def test_sentence_editing_by_keyboard(page: Page, site: str, annotator):
    campaign = make_campaign(annotator, "sentence-editing")
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    text = page.get_by_role("textbox").input_value()
    page.keyboard.press("1")
    page.keyboard.press("Control+End")
    page.keyboard.type(" ✓ नमस्ते")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    at_item(page, 2)
    page.keyboard.press("1")
    page.keyboard.type("x")
    page.keyboard.press("Escape")
    page.keyboard.press("3")  # to give up takes the change back
    expect(page.get_by_label("What you changed")).to_be_hidden()
    page.keyboard.press("Enter")
    at_item(page, 3)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/judge/{campaign.pk}/")
    last = Output.objects.get(segment__position=2, system__name="System-A").text
    assert edits() == [("edited", f"{text} ✓ नमस्ते"), ("unable", ""), ("no_correction", last)]
    values = Rating.objects.order_by("judgment", "pk").values_list("dimension", "value")
    assert list(values) == [
        *(("understood", 1.0), ("unedited", 0.0)),
        *(("understood", 0.0), ("unedited", 0.0)),
        *(("understood", 1.0), ("unedited", 1.0)),
    ]


@pytest.mark.proof
def test_both_by_touch(browser: Browser, site: str, annotator, axe):
    campaign = make_campaign(annotator, "sentence-editing", "ar")
    text = longer(ARABIC)
    Output.objects.filter(segment__position=0).update(text=text)
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
    assert "Quelltext" not in page.content() and "stands here" not in page.content()
    box = page.get_by_role("textbox")
    assert box.input_value() == text and box.get_attribute("dir") == "rtl"
    box.tap()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(" جدا")
    expect(page.locator("ins")).to_have_text("جدا")
    page.get_by_role("button", name="Restore the original text").tap()
    expect(page.locator("ins")).to_have_count(0)
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("ins")).to_have_text("جدا")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for element in page.locator(".editor button:visible, .editor .options label").all():
        assert element.bounding_box()["height"] >= 44
    page.get_by_role("button", name="Submit and continue").tap()
    at_item(page, 2)
    page.locator("label", has_text="Unable to correct").tap()
    page.get_by_role("button", name="Submit and continue").tap()
    at_item(page, 3)
    assert edits() == [("edited", f"{text} جدا"), ("unable", "")]
    campaign = make_campaign(annotator, "post-editing")
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    page.get_by_role("textbox").tap()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(" 好")
    page.get_by_role("button", name="Submit and continue").tap()
    at_item(page, 2)
    page.locator("label", has_text="No correction needed").tap()
    page.get_by_role("button", name="Submit and continue").tap()
    at_item(page, 3)
    (first, second) = edits()[2:]
    assert first[0] == "edited" and first[1].endswith(" 好") and second[0] == "no_correction"
    assert errors == []
    context.close()


def test_without_a_script_it_is_a_form(browser: Browser, site: str, annotator):
    campaign = make_campaign(annotator, "sentence-editing")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    page.get_by_label("Edited").check()
    page.get_by_role("button", name="Submit and continue").click()
    expect(page.get_by_role("alert").first).to_contain_text("the text is as it was")
    page.get_by_role("textbox").fill("Another text")
    page.get_by_role("button", name="Submit and continue").click()
    page.wait_for_url("**/2/")
    assert edits() == [("edited", "Another text")]
    context.close()


def test_a_whole_document_row_by_row(page: Page, site: str, annotator):
    """The script takes one row out and puts the next one in; each has a separate box."""
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=3, n_documents=1)
    campaign = factory.make_campaign(
        test_set,
        preset="post-editing",
        annotators=[annotator],
        options={"show_source": True, "context": "document"},
    )
    factory.make_task(campaign, annotator, n_outputs=1)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    for number in (1, 2):
        page.keyboard.press("1")
        page.keyboard.press("Control+End")
        page.keyboard.type(f" number {number}")
        expect(page.locator("ins")).to_have_text(f"number {number}")
        page.keyboard.press("Control+Enter")
        at_item(page, number + 1)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/judge/{campaign.pk}/")
    assert [outcome for outcome, _ in edits()] == ["edited", "edited", "no_correction"]
    assert [text[-8:] for _, text in edits()[:2]] == ["number 1", "number 2"]
