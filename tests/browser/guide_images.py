"""Takes the pictures of the guides anew. They are no tests, so they run only when named:

./test tests/browser/guide_images.py
"""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Page

from judgments.exchange.demo import loading
from judgments.files.texts import from_table
from judgments.models import (
    Campaign,
    Item,
    ItemOutput,
    Level,
    Output,
    PrefilledLink,
    PrefilledSpan,
    Question,
    Task,
    TestSet,
)
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.test_sets.corpus import import_test_set
from tests import factory, seeds

from .judging import sign_in
from .test_spans import box_of

pytestmark = pytest.mark.django_db(transaction=True)

IMAGES = Path(__file__).parents[2] / "docs/guide/images"
N_SEGMENTS = 3
Act = Callable[[Page], None]
ALL = ("Meadow", "Lantern", "Pebble", "Harbor")


def press(keys: str) -> Act:
    def act(page: Page) -> None:
        for key in keys.split():
            page.keyboard.press(key)

    return act


def after_a_moment(act: Act) -> Act:
    def later(page: Page) -> None:
        page.wait_for_timeout(4000)  # as if somebody read
        act(page)

    return later


def slide(*shares: float) -> Act:
    def act(page: Page) -> None:
        for i, share in enumerate(shares):
            slider = page.get_by_role("slider").nth(i)
            box = slider.bounding_box()
            assert box
            slider.click(position={"x": box["width"] * share, "y": box["height"] / 2})

    return act


def mark(*errors: tuple[str, str, str]) -> Act:
    """Errors as (word, key of the severity, category or nothing)."""

    def act(page: Page) -> None:
        for word, key, category in errors:
            box = box_of(page, word, "#q-output1-spans .span-text")
            page.mouse.move(box["left"] + 2, box["y"])
            page.mouse.down()
            page.mouse.move(box["right"] - 2, box["y"], steps=4)
            page.mouse.up()
            page.keyboard.press(key)
            if category:
                page.get_by_label("Category").select_option(label=category)

    return act


def write(text: str) -> Act:
    return lambda page: page.locator("main textarea").first.fill(text)


def watch(page: Page) -> None:
    """Start the clock, and press three keys while the text appears."""
    for key in (" ", "3", "2", "4"):
        page.keyboard.press(key)
        page.wait_for_timeout(1200)
    page.keyboard.press(" ")


def both(*acts: Act) -> Act:
    def act(page: Page) -> None:
        for each in acts:
            each(page)

    return act


OWN = {
    "dimensions": [
        {"slug": "style", "low": 1, "high": 5},
        {"slug": "trust", "low": 0, "high": 100},
    ]
}
EDITED = "After three years, the small ferry crosses the lake again."
ALONE = {"context": "none"}
# The picture, its preset and options, the systems on a screen, what the annotator does, and how
# high the picture is.
SCREENS = (
    ("judging", "adequacy-fluency", {}, ALL, press("4 3"), 800),
    ("direct-assessment", "direct-assessment", {}, ALL[:1], slide(0.7), 470),
    ("direct-assessment-reference", "direct-assessment-reference", {}, ALL[:1], slide(0.6), 430),
    ("document-assessment", "document-assessment", {}, (), slide(0.65), 560),
    ("contrastive-da", "contrastive-da", {}, ALL[:2], slide(0.5, 0.8), 520),
    ("da-sqm", "da-sqm", ALONE, ALL[:1], press("6 7"), 470),
    (
        "document",
        "da-sqm",
        {},
        ALL[1:2],
        both(after_a_moment(press("8 3 Enter")), after_a_moment(press("6 7"))),
        620,
    ),
    ("xsts", "xsts", {}, ALL[:1], press("4"), 540),
    ("custom-rating", "custom-rating", OWN, ALL[:2], both(press("4"), slide(0.55)), 560),
    ("pairwise", "pairwise", {}, ALL[:2], press("2"), 520),
    ("ranking", "relative-ranking", {}, ALL, press("3 2 4 1"), 760),
    ("partial-ranking", "partial-ranking", {}, ALL, press("2 1 0"), 760),
    (
        "spans-esa",
        "esa",
        ALONE,
        ("Pebble",),
        both(mark(("drives", "1", ""), ("fairy", "2", "")), slide(0.4)),
        820,
    ),
    ("spans-esa-ai", "esa-ai", ALONE, ("Pebble",), press("Escape"), 720),
    (
        "spans-contrastive-esa",
        "contrastive-esa",
        ALONE,
        ("Pebble", "Lantern"),
        mark(("fairy", "2", "")),
        820,
    ),
    (
        "spans-mqm",
        "mqm",
        ALONE,
        ("Pebble",),
        mark(("drives", "2", "Grammar"), ("fairy", "3", "Mistranslation")),
        700,
    ),
    ("spans-mqm-core", "mqm-core", ALONE, ("Pebble",), mark(("fairy", "3", "")), 680),
    ("spans-custom", "custom-errors", ALONE, ("Pebble",), mark(("fairy", "2", "")), 620),
    ("post-editing", "post-editing", ALONE, ("Lantern",), write(EDITED), 545),
    ("sentence-editing", "sentence-editing", ALONE, ("Lantern",), write(EDITED), 430),
    ("questions", "comprehension", {}, (), both(press("2"), write("The restart.")), 560),
    ("acceptability", "acceptability", {}, ("Lantern",), press("1"), 500),
    ("alignment", "word-alignment", {}, ("Lantern",), press("End"), 560),
    ("continuous", "continuous-rating", {}, (), watch, 620),
)
# Of the demo: the picture, its address, width and height.
PAGES = (
    ("scores", "/campaigns/{rating}/scores/", 1440, 1000),
    ("agreement", "/campaigns/{rating}/agreement/", 1440, 1000),
    ("errors", "/campaigns/{esa}/errors/", 1440, 1000),
    ("segments", "/campaigns/{rating}/segments/", 1440, 1000),
    ("correlation", "/campaigns/{rating}/correlation/", 1440, 1000),
    ("new-campaign", "/campaigns/new/", 1440, 1000),
    ("plan", "/campaigns/{rating}/design/", 1440, 1000),
    ("people", "/campaigns/{rating}/people/", 1440, 1000),
    ("quality", "/campaigns/{rating}/quality/", 1440, 1000),
    ("watch", "/campaigns/{rating}/watch/", 1440, 1000),
    ("report", "/campaigns/{rating}/report/", 1440, 1000),
    ("metrics", "/testsets/{test_set}/metrics/", 1000, 932),
    ("diagnostic", "/testsets/{test_set}/metrics/segments/{segment}/{system}/", 1000, 1094),
)


@pytest.fixture
def few(tmp_path) -> TestSet:
    """The demo's first segments, in one document."""
    table = Path(loading.__file__).with_name("texts.tsv").read_text(encoding="utf-8")
    short = tmp_path / "few.tsv"
    short.write_text("".join(islice(table.splitlines(keepends=True), N_SEGMENTS + 1)))
    owner = factory.make_user("owner")
    made = TestSet(name="The ferry", source_language="de", target_language="en", owner=owner)
    return import_test_set(made, from_table(short))


def campaign_of(
    test_set: TestSet, preset: str, options: dict, systems: tuple, annotator
) -> Campaign:
    fields = {"preset": preset, "name": "The ferry", "annotators": [annotator]}
    campaign = factory.make_campaign(test_set, **fields)
    campaign.options |= options
    campaign.save()
    add_material(campaign)
    if not systems:  # whole documents
        design.plan(campaign, PlanSettings(batch_items=50))
        task = campaign.tasks.filter(items__outputs__system__name="Lantern")[0]
        task.annotator = annotator
        task.save()
        return campaign
    task = Task.objects.create(campaign=campaign, annotator=annotator, batch=1, n_items=N_SEGMENTS)
    for position, segment in enumerate(test_set.segments.order_by("position")):
        item = Item.objects.create(task=task, position=position, segment=segment)
        for place, name in enumerate(systems):
            output = Output.objects.get(segment=segment, system__name=name)
            ItemOutput.objects.create(item=item, output=output, position=place)
    return campaign


def add_material(campaign: Campaign) -> None:
    """What a program proposes, and questions."""
    outputs = Output.objects.filter(system__test_set=campaign.test_set, segment__position=0)
    for output in outputs if campaign.preset == "esa-ai" else ():
        at = output.text.find("fairy")
        if at >= 0:
            PrefilledSpan.objects.create(
                campaign=campaign, output=output, start=at, end=at + 5, severity="major"
            )
    for output in outputs if campaign.preset == "word-alignment" else ():
        for source, target in ((0, 0), (1, 1), (2, 2), (3, 7), (4, 4), (5, 5), (6, 6), (7, 11)):
            PrefilledLink.objects.create(
                campaign=campaign, output=output, source_token=source, target_token=target
            )
    if campaign.preset == "comprehension":
        document = campaign.test_set.documents.get()
        asked = (
            ("How many guests were on board?", ["forty", "fourteen", "eight"], ["forty"]),
            ("What had to be postponed?", [], []),
        )
        for position, (text, choices, right) in enumerate(asked):
            Question.objects.create(
                campaign=campaign,
                document=document,
                position=position,
                level=Level.FACTS,
                text=text,
                choices=choices,
                right=right,
            )


def keep(page: Page, name: str) -> None:
    page.wait_for_timeout(300)
    page.screenshot(path=IMAGES / f"{name}.png")


def test_screens(page: Page, site: str, few: TestSet):
    annotator = factory.make_user("annotator")
    sign_in(page, site, annotator)
    for name, preset, options, systems, act, height in SCREENS:
        page.set_viewport_size({"width": 1440 if name == "judging" else 1100, "height": height})
        campaign = campaign_of(few, preset, options, systems, annotator)
        page.goto(f"{site}/judge/{campaign.pk}/1/")
        page.locator(".is-current").first.wait_for()
        act(page)
        keep(page, name)


@pytest.fixture
def demo(page: Page, site: str) -> Iterator[dict[str, int]]:
    seeds.take("demo", lambda: call_command("load_demo", verbosity=0))
    campaign = Campaign.objects.get(preset="adequacy-fluency")
    test_set = campaign.test_set
    sign_in(page, site, test_set.owner)
    yield {
        "rating": campaign.pk,
        "esa": Campaign.objects.filter(preset="esa", judge=None).earliest("pk").pk,
        "test_set": test_set.pk,
        "segment": test_set.segments.get(key="4").pk,
        "system": test_set.systems.get(name="Harbor").pk,
    }


def test_pages_of_results(page: Page, site: str, demo: dict[str, int]):
    for name, address, width, height in PAGES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(site + address.format(**demo))
        page.wait_for_load_state("networkidle")
        keep(page, name)
