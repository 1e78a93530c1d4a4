"""Marking errors in a real browser: by keyboard, by mouse, by touch, in many scripts."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from judgments.models import ErrorSpan, Output, PrefilledSpan, Rating
from tests import factory

from .test_judging import at_item, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

PHONE: ViewportSize = {"width": 360, "height": 800}
TEXT = "The cat sat on the mat , and the dog did not mind it ."


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


def campaign_of(annotator, preset, texts=(TEXT,), *, n_systems=1, language="en", **options):
    """A campaign with an item for each text; every system of it wrote the same words and a number
    of dots."""
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(
        owner, n_segments=len(texts), n_systems=n_systems, n_documents=1, target_language=language
    )
    for output in Output.objects.select_related("segment", "system"):
        output.text = texts[output.segment.position] + " ." * "ABC".index(output.system.name[-1])
        output.save()
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner, annotators=[annotator])
    campaign.options |= {"context": "none"} | options
    campaign.save()
    factory.make_task(campaign, annotator)
    return campaign


def open_at(page: Page, site: str, annotator, campaign) -> None:
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def stored() -> list[tuple]:
    """(side, marked text, severity, category) of all spans."""
    found = ErrorSpan.objects.order_by("pk").select_related("output__segment")
    return [
        (
            span.side,
            {"target": span.output.text, "source": span.output.segment.source, "missing": ""}[
                span.side
            ][span.start : span.end],
            span.severity,
            span.category,
        )
        for span in found
    ]


def box_of(page: Page, word: str, selector=".span-text") -> dict:
    """The place on the screen of a word in the first text."""
    return page.evaluate(
        """([word, selector]) => {
          const walker = document.createTreeWalker(
            document.querySelector(selector), NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.data.indexOf(word);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            const { left, top, width, height } = range.getBoundingClientRect();
            return { x: left + width / 2, y: top + height / 2, left, right: left + width };
          }
        }""",
        [word, selector],
    )


def said(page: Page) -> str:
    """What the live region says, without the marks that isolate a quoted text."""
    return re.sub("[\u2068\u2069]", "", page.locator("#status").inner_text())


def done(page: Page) -> None:
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()


def scores() -> list[tuple[str, float]]:
    return list(Rating.objects.order_by("pk").values_list("dimension", "value"))


def test_esa_by_keyboard(page: Page, site: str, annotator, axe):
    open_at(page, site, annotator, campaign_of(annotator, "esa"))
    expect(page.locator("#go")).to_have_text("No errors marked · give the score")
    keys(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight")
    assert said(page) == "“cat sat”, words 2 to 3"
    keys(page, "1", "2")
    assert said(page) == "major error, “cat sat”, words 2 to 3"
    keys(page, "ArrowRight", "1", "m")
    keys(page, "w", "Home", "ArrowRight", "Shift+ArrowRight", "1")  # letter by letter
    assert said(page) == "minor error, “he”, characters 2 to 3"
    axe(page)
    keys(page, "End", "1", ",", "d")  # one more, and away with the one before it
    assert said(page) == "Deleted: minor error, “on”, characters 13 to 14"
    expect(page.locator(".span-list li")).to_have_count(4)
    page.reload()  # nothing was sent yet
    at_item(page, 1)
    expect(page.locator(".span-list li")).to_have_count(4)
    keys(page, "j", *"66", "Enter")
    done(page)
    assert stored() == [
        ("target", "he", "minor", ""),
        ("target", "cat sat", "major", ""),
        ("target", ".", "minor", ""),
        ("missing", "", "minor", ""),
    ]
    assert scores() == [("esa", 66), ("esa_spans", -8)]
    page.go_back()
    at_item(page, 1)
    expect(page.locator(".span-list li")).to_have_count(4)
    keys(page, "Enter")  # says the same: nothing is stored
    done(page)
    assert ErrorSpan.objects.count() == 4


def test_mqm_by_keyboard(page: Page, site: str, annotator, axe):
    open_at(page, site, annotator, campaign_of(annotator, "mqm", [TEXT] * 3))
    keys(page, "Enter")
    expect(page.locator("#go")).to_have_text("1 answer missing")
    keys(page, "ArrowRight", "ArrowRight", "3")
    keys(page, "Escape")  # no category yet
    expect(page.locator("#go")).to_have_text("1 answer missing")
    keys(page, "c", "a", "m")
    assert said(page) == "major error, “cat”, word 2 of 15, Accuracy: Mistranslation"
    keys(page, "a", "ArrowRight", "2")  # in the source
    keys(page, "a", "o")
    assert said(page).startswith("minor error, Source: “Quelltext”, word 1")
    axe(page)
    keys(page, "Enter")
    at_item(page, 2)
    keys(page, "0")
    assert said(page) == "No errors."
    keys(page, "Enter")
    at_item(page, 3)
    keys(page, "ArrowRight", "1")
    keys(page, "o", "t", "Enter")
    done(page)
    assert stored() == [
        ("target", "cat", "major", "accuracy/mistranslation"),
        ("source", "Quelltext", "minor", "accuracy/omission"),
        ("target", TEXT, "major", "non-translation"),
    ]
    assert scores() == [("mqm", -6), ("mqm", 0), ("mqm", -25)]


def test_by_mouse(page: Page, site: str, annotator):
    open_at(page, site, annotator, campaign_of(annotator, "esa"))
    # As a phone selects, whose handles stay: no press of ours, and half a word at either end.
    page.evaluate(
        """() => {
          const text = document.querySelector(".span-text").firstChild.firstChild;
          const [from, to] = [text.data.indexOf("og did"), text.data.indexOf("nd it")];
          getSelection().setBaseAndExtent(text, from, text, to);
        }"""
    )
    page.get_by_role("button", name="minor").click()
    assert said(page) == "minor error, “dog did not mind”, words 10 to 13"
    page.get_by_role("button", name="Delete", exact=True).click()
    cat, mat = box_of(page, "cat"), box_of(page, "mat")
    page.mouse.move(cat["x"], cat["y"])  # from the middle of a word to the middle of another
    page.mouse.down()
    page.mouse.move(mat["x"], mat["y"], steps=4)
    page.mouse.up()
    page.get_by_role("button", name="minor").click()
    assert said(page) == "minor error, “cat sat on the mat”, words 2 to 6"
    dog, did = box_of(page, "dog"), box_of(page, "did")
    page.mouse.click(dog["right"] - 1, dog["y"])  # the right half of the last letter
    page.mouse.click(did["left"] + 1, did["y"])
    page.get_by_role("button", name="major").click()
    page.get_by_role("button", name="End later").click()
    page.get_by_role("button", name="Start later").click()
    assert said(page) == "major error, “did not”, words 11 to 12"
    cat = box_of(page, "cat sat on the mat")
    page.mouse.click(cat["x"], cat["y"])  # opens the error there
    page.get_by_role("button", name="major", exact=True).click()
    assert said(page) == "major error, “cat sat on the mat”, words 2 to 6"
    page.get_by_role("button", name="Perfect meaning").click()
    page.locator("#go").click()
    expect(page.get_by_role("alert").first).to_contain_text("a severe error is marked")
    assert not ErrorSpan.objects.exists()
    for delete in page.get_by_role("button", name="Delete:").all()[::-1]:
        delete.click()
    page.get_by_role("button", name="No meaning preserved").click()
    page.locator("#go").click()
    expect(page.get_by_role("alert").first).to_contain_text("no error is marked")
    page.locator("#go").click()
    done(page)
    assert stored() == [] and scores() == [("esa", 0), ("esa_spans", 0)]


# Words, and the first character where it is not the first word, with what a careless counter trips
# over: characters beyond 16 bits, families joined of several emoji, marks that combine, markup.
SCRIPTS = {
    "😀 good 👨‍👩‍👧 day 🏳️‍🌈 !": (["😀", "good", "👨‍👩‍👧", "day", "🏳️‍🌈", "!"], None),
    "Cafe\u0301 a\u0308n <b>x</b>": (["Cafe\u0301", "a\u0308n", "<", "b", ">", "x"], "C"),
    "قَالَ الرَّجُلُ نَعَم": (["قَالَ", "الرَّجُلُ", "نَعَم"], "قَ"),
    "हिन्दी में पढ़ता हूँ ।": (["हिन्दी", "में", "पढ़ता", "हूँ", "।"], "हि"),
    "我喜欢苹果。": (["我", "喜欢", "苹果", "。"], None),
    "ฉันรักภาษาไทย": (["ฉัน", "รัก", "ภาษา", "ไทย"], "ฉั"),
    "𝒳 e\u0308\u0323 𠮷野": (["𝒳", "e\u0308\u0323"], None),
}


def test_offsets_are_code_points_in_every_script(page: Page, site: str, annotator):
    """Word after word is marked and stored; what Python then cuts out is the very word."""
    open_at(page, site, annotator, campaign_of(annotator, "mqm-core", list(SCRIPTS), categories=[]))
    expected = []
    for number, (text, (words, first)) in enumerate(SCRIPTS.items(), 1):
        at_item(page, number)
        for _word in words:
            keys(page, "ArrowRight", "2")
        assert page.locator(".output .span-text").text_content() == text
        keys(page, "w", "Home", "3", "Enter")
        expected += [*words, *([first] if first else [])]
    done(page)
    assert sorted(text for _, text, _, _ in stored()) == sorted(expected)


def test_row_after_row_of_a_document(page: Page, site: str, annotator):
    """Each row has its own marks; a finished one opens with them again."""
    campaign = campaign_of(annotator, "mqm", [TEXT, "One more cat .", TEXT], context="document")
    open_at(page, site, annotator, campaign)
    for number, key in enumerate(["1", "2", "3"], 1):
        at_item(page, number)
        keys(page, "ArrowRight", key)
        keys(page, "o", "a", "ArrowRight", key, "o", "Enter")
        if number == 2:
            at_item(page, 3)
            page.locator("#rows [data-row='2']").click()
            at_item(page, 2)
            expect(page.locator(".span-list li")).to_have_count(2)
            keys(page, ".", "d")
            expect(page.locator(".given .look-minor")).to_have_count(1)
            keys(page, "Enter")
    done(page)
    current = ErrorSpan.objects.filter(judgment__superseded_by=None).order_by("pk")
    assert list(current.values_list("side", "severity")) == [
        ("target", "neutral"),
        ("source", "neutral"),
        ("source", "minor"),
        ("target", "major"),
        ("source", "major"),
    ]


def test_two_translations_share_the_source(page: Page, site: str, annotator):
    """It shows the errors of the translation that is worked on, and takes marks for that one."""
    campaign = campaign_of(annotator, "mqm-core", n_systems=2, categories=[], outputs_per_item=2)
    open_at(page, site, annotator, campaign)
    steht = box_of(page, "steht", ".given .span-text")
    page.mouse.click(steht["x"], steht["y"])
    keys(page, "3")
    expect(page.locator(".given .look-major")).to_have_text("steht")
    second = page.locator(".output").nth(1)
    second.locator(".span-text").click(position={"x": 30, "y": 15})
    expect(page.locator(".given .look-major")).to_have_count(0)
    keys(page, "2", "a", "ArrowRight", "2")
    expect(page.locator(".given .look-minor")).to_have_text("Quelltext")
    keys(page, "Enter")
    done(page)
    assert {text for _, text, _, _ in stored()} == {"steht", "The", "Quelltext"}
    places = ErrorSpan.objects.order_by("pk").values_list("output__system__name", flat=True)
    assert list(places) == ["System-A", "System-B", "System-B"]


def proposed(campaign) -> None:
    output = campaign.test_set.segments.get().outputs.get()
    for start, end in ((4, 7), (8, 11), (12, 14)):
        PrefilledSpan.objects.create(
            campaign=campaign, output=output, start=start, end=end, severity="minor"
        )


@pytest.mark.proof
def test_suggestions_are_kept_changed_deleted(page: Page, site: str, annotator, axe):
    campaign = campaign_of(annotator, "esa-ai")
    proposed(campaign)
    open_at(page, site, annotator, campaign)
    expect(page.locator(".span-list li")).to_have_count(3)
    expect(page.locator(".span-origin").first).to_have_text("suggested")
    page.locator("#use-keys").evaluate("box => box.click()")  # off, but not in a text
    page.locator(".output .span-text").focus()
    keys(page, ".", ".", "2", ".", "Backspace")
    page.locator("#use-keys").evaluate("box => box.click()")
    expect(page.locator(".span-list del")).to_contain_text("on")
    axe(page)
    keys(page, "End", "1", "j", "2", "Enter")
    done(page)
    sign_in(page, site, campaign.memberships.get(role="owner").user)
    for name in ("errors", "suggestions"):
        page.goto(f"{site}/campaigns/{campaign.pk}/{name}/")
        axe(page)
    kept, changed, own = ErrorSpan.objects.order_by("start")
    assert kept.prefill and changed.prefill
    assert (kept.prefill.start, kept.severity) == (4, "minor")
    assert (changed.prefill.start, changed.severity) == (8, "major")
    assert own.prefill is None


OWN_KEYS = {  # what to press after the first word was marked
    "esa": ["j", "2"],
    "esa-ai": ["j", "2"],
    "contrastive-esa": ["j", "2", "j", "ArrowRight", "1", "j", "2"],
    "mqm": ["a", "m"],
    "mqm-core": ["a", "m"],
    "custom-errors": ["s"],
}


def campaigns_of_every_preset(annotator):
    first = campaign_of(annotator, "esa", n_systems=2)
    for preset in OWN_KEYS:
        campaign = factory.make_campaign(first.test_set, preset=preset, annotators=[annotator])
        campaign.options |= {"context": "none"}
        campaign.save()
        n_outputs = campaign.options["outputs_per_item"]
        factory.make_task(
            campaign, annotator, segments=first.test_set.segments.all()[:1], n_outputs=n_outputs
        )
        yield preset, campaign, n_outputs


def test_every_preset_by_keyboard(page: Page, site: str, annotator):
    for preset, campaign, n_outputs in campaigns_of_every_preset(annotator):
        open_at(page, site, annotator, campaign)
        keys(page, "ArrowRight", "1")
        for key in OWN_KEYS[preset]:
            keys(page, key)
        keys(page, "Enter")
        done(page)
        assert ErrorSpan.objects.filter(judgment__campaign=campaign).count() == n_outputs


@pytest.mark.proof
def test_every_preset_by_touch(browser: Browser, site: str, annotator):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    for _preset, campaign, n_outputs in campaigns_of_every_preset(annotator):
        open_at(page, site, annotator, campaign)
        for place in range(n_outputs):
            output = page.locator(".output").nth(place)
            text = output.locator(".span-text")
            text.scroll_into_view_if_needed()
            for word in ("cat", "mat"):
                box = box_of(page, word, f"#q-output{place + 1}-spans .span-text")
                page.touchscreen.tap(box["x"], box["y"])
            output.get_by_role("button", name="major").tap()
            if output.get_by_role("combobox").count():
                output.get_by_role("combobox").select_option(index=1)
            else:
                output.get_by_role("button", name="[MISSING]").tap()
                output.get_by_role("button", name="Some meaning preserved").tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        small = page.evaluate(
            """() => [...document.querySelectorAll(".spans button, .spans select")]
              .map((node) => node.getBoundingClientRect())
              .filter(({ width, height }) => width && (width < 24 || height < 44)).length"""
        )
        assert small == 0
        page.locator("#go").tap()
        done(page)
    context.close()
    found = [text for side, text, _, _ in stored() if side == "target"]
    assert found == ["cat sat on the mat"] * 7


LEFT = "(element) => element.getBoundingClientRect().left"


def test_tools_of_a_right_to_left_text_follow_the_page(page: Page, site: str, annotator):
    """The text is Arabic, the page English: labels and buttons from the left, and of each pair of
    buttons the one that goes on in the text at the left, as the text does."""
    text = "هذه جملة أولى طويلة بعض الشيء."
    campaign = campaign_of(annotator, "esa", (text,), language="ar")
    open_at(page, site, annotator, campaign)
    page.locator(".span-text").first.focus()
    keys(page, "ArrowLeft", "ArrowLeft")  # to the second word
    keys(page, "1")
    expect(page.locator(".span-list li")).to_contain_text("word 2 of 7")
    tools = page.locator(".span-ends")
    order = ["Start later", "Start earlier", "End later", "End earlier"]
    buttons = [tools.get_by_role("button", name=name).evaluate(LEFT) for name in order]
    labels = [tools.locator("> span").nth(n).evaluate(LEFT) for n in (0, 1)]
    lefts = [labels[0], *buttons[:2], labels[1], *buttons[2:]]
    assert lefts == sorted(lefts), lefts
    severities = page.locator(".span-row [data-act=severity]")
    assert severities.nth(0).evaluate(LEFT) < severities.nth(1).evaluate(LEFT)
    tools.get_by_role("button", name="End later").click()
    expect(page.locator(".span-list li")).to_contain_text("words 2 to 3")
    tools.get_by_role("button", name="Start earlier").click()
    expect(page.locator(".span-list li")).to_contain_text("words 1 to 3")
