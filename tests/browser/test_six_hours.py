"""A document of five long paragraphs of WMT23, judged to its end as ESA and as MQM by keyboard, by
mouse and by touch; from the middle to the last paragraph the site cannot be reached."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import ErrorSpan, Judgment, Output, Rating, Segment
from tests import factory
from tests.wmt23_folder import lines_of

from .judging import SIZES, at_item, fetched_ahead, press, sign_in
from .test_marking_by_touch import PHONE, assert_bare

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

DOCUMENT = "pa.35733"  # 590 words, 259 of them in the second paragraph
SYSTEM = "ONLINE-A"
N_PARAGRAPHS = 5
OFFLINE_FROM, ONLINE_FROM = 3, 5


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


def campaign_of(annotator, preset):
    places = [
        place
        for place, line in enumerate(lines_of("documents/en-de.docs"))
        if line.split("\t")[1] == DOCUMENT
    ]
    sources = lines_of("sources/en-de.txt")
    outputs = lines_of(f"system-outputs/en-de/{SYSTEM}.txt")
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(
        owner, n_segments=N_PARAGRAPHS, n_systems=1, n_documents=1, target_language="de"
    )
    test_set.source_language = "en"
    test_set.save()
    for segment, place in zip(Segment.objects.order_by("position"), places, strict=True):
        Segment.objects.filter(pk=segment.pk).update(source=sources[place])
        Output.objects.filter(segment=segment).update(text=outputs[place])
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner, annotators=[annotator])
    campaign.options |= {"context": "document"}
    campaign.save()
    factory.make_task(campaign, annotator)
    return campaign


@dataclass
class Hand:
    """Marks the first word as minor and the last one as major, and gives what else is asked."""

    page: Page
    preset: str

    @property
    def is_esa(self) -> bool:
        return self.preset == "esa"

    def judge(self) -> None:
        self.mark("first", "minor")
        self.mark("last", "major")
        if self.is_esa:
            self.score()
        self.submit()

    def words(self) -> list[dict]:
        """The boxes of the first and the last word, on the screen as it is now."""
        return self.page.evaluate(
            """() => {
              const text = document.querySelector("#stage .output .span-text");
              const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
              const found = [];
              for (let node = walker.nextNode(); node; node = walker.nextNode())
                for (const { index, 0: word } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
                  const range = document.createRange();
                  range.setStart(node, index);
                  range.setEnd(node, index + word.length);
                  found.push(range);
                }
              return [found[0], found.at(-1)].map((range) => {
                const { left, top, width, height } = range.getClientRects()[0];
                return { x: left + width / 2, y: top + height / 2 };
              });
            }"""
        )

    def mark(self, which: str, severity: str) -> None:
        raise NotImplementedError

    def score(self) -> None:
        raise NotImplementedError

    def submit(self) -> None:
        raise NotImplementedError


class Keyboard(Hand):
    def mark(self, which, severity):
        keyboard = self.page.keyboard
        keyboard.press("ArrowRight")
        keyboard.press("Home" if which == "first" else "End")
        severities = ["minor", "major"] if self.is_esa else ["neutral", "minor", "major"]
        keyboard.press(str(severities.index(severity) + 1))
        if not self.is_esa:
            press(self.page, "ao")  # Accuracy, Omission

    def score(self):
        press(self.page, ["Enter", *"66"])

    def submit(self):
        self.page.keyboard.press("Enter")


class Mouse(Hand):
    def pointed(self, which: str) -> tuple[float, float]:
        """The word, scrolled to where the mouse can reach it."""
        self.page.evaluate(
            """(isFirst) => document.querySelector("#stage .output .span-text")
              .scrollIntoView({ block: isFirst ? "center" : "end" })""",
            which == "first",
        )
        place = self.words()[0 if which == "first" else 1]
        middle = self.page.viewport_size["height"] / 2
        self.page.mouse.move(place["x"], middle)
        self.page.mouse.wheel(0, place["y"] - middle)
        self.page.wait_for_timeout(150)
        place = self.words()[0 if which == "first" else 1]
        return place["x"], place["y"]

    def press_at(self, place) -> None:
        self.page.mouse.click(*place)

    def press_on(self, locator) -> None:
        locator.click()

    def mark(self, which, severity):
        self.press_at(self.pointed(which))
        self.press_on(
            self.page.locator(f"#stage [data-act=severity][data-value={severity}]:visible")
        )
        if not self.is_esa:
            self.choose_category()

    def choose_category(self) -> None:
        self.page.locator("#stage select[data-act=category]").select_option("accuracy/omission")

    def score(self):
        self.press_on(self.page.locator("#stage .ticks button").nth(2))

    def submit(self):
        self.press_on(self.page.locator("#go"))


class Touch(Mouse):
    def pointed(self, which):
        index = 0 if which == "first" else 1
        self.page.evaluate(f"window.scrollBy(0, {self.words()[index]['y']} - 400)")
        place = self.words()[index]
        return place["x"], place["y"]

    def press_at(self, place):
        self.page.touchscreen.tap(*place)
        assert_bare(self.page)

    def press_on(self, locator):
        locator.tap()

    def choose_category(self):
        tools = self.page.locator("#stage .span-tools")
        omission = tools.get_by_role("button", name="Omission")
        if not omission.is_visible():  # it was not used yet
            self.press_on(tools.get_by_role("button", name="Accuracy …"))
        self.press_on(omission)
        assert_bare(self.page)


DESK = {"viewport": SIZES["desk"]}
HANDS = {
    "keyboard": (Keyboard, DESK),
    "mouse": (Mouse, DESK),
    "touch": (Touch, {"viewport": PHONE, "has_touch": True, "is_mobile": True}),
}


@pytest.mark.parametrize("preset", ["esa", "mqm"])
@pytest.mark.parametrize("by", HANDS)
def test_a_document_of_long_paragraphs(browser: Browser, site: str, annotator, preset, by):
    campaign = campaign_of(annotator, preset)
    hand_of, device = HANDS[by]
    with browser.new_context(**device) as context:
        page = context.new_page()
        sign_in(page, site, annotator)
        page.goto(f"{site}/judge/{campaign.pk}/")
        hand = hand_of(page, preset)
        for number in range(1, N_PARAGRAPHS + 1):
            if number == OFFLINE_FROM:
                at_item(page, number)
                fetched_ahead(page, N_PARAGRAPHS - number)
                context.set_offline(True)
            if number == ONLINE_FROM:
                assert Judgment.objects.count() == OFFLINE_FROM - 1
                context.set_offline(False)
            expect(page).to_have_url(f"{site}/judge/{campaign.pk}/{number}/")
            hand.judge()
        expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    every_paragraph_is_stored(preset)


def every_paragraph_is_stored(preset: str) -> None:
    """Assert one judgment each, with the first and the last word of the text."""
    assert Judgment.objects.count() == N_PARAGRAPHS
    for output in Output.objects.all():
        spans = ErrorSpan.objects.filter(output=output).order_by("start")
        first, last = spans
        assert (first.severity, last.severity) == ("minor", "major")
        assert output.text.startswith(output.text[first.start : first.end])
        assert output.text[last.end :].strip(' ."“”‘’!?') == ""
        if preset == "mqm":
            assert {span.category for span in spans} == {"accuracy/omission"}
        else:
            assert Rating.objects.filter(output=output, dimension="esa").count() == 1
