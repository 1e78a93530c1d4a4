"""Word links by an aligner: proposed with one button, shown under the mouse and the cursor, next to
those of people; and hints at omissions."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import AlignerRun, AlignmentLink, ItemOutput, PrefilledLink, ShownHints
from judgments.plans.design import plan
from judgments.plans.settings import PlanSettings
from judgments.protocols import PRESETS
from judgments.test_sets.word_links import runs
from tests import factory
from tests.judgments.test_sets.word_links.bitext import make_bitext

from .judging import at_item, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def campaign_of(annotator, preset, **options):
    owner = factory.make_user("owner")
    campaign = factory.make_campaign(
        make_bitext(owner),
        preset=preset,
        owner=owner,
        annotators=[annotator],
        options=PRESETS[preset].options | options,
    )
    return campaign, owner


def judged(page: Page, site: str, annotator, preset="esa", *, system="Short", **options) -> int:
    """The screen of the fourth segment's translation by a system, once links are made."""
    campaign, _ = campaign_of(annotator, preset, outputs_per_item=1, **options)
    plan(campaign, PlanSettings(batch_words=10**6, equal_once=False))
    factory.seat(campaign.tasks.get(), annotator)
    for run in AlignerRun.objects.all():
        assert runs.work(run.pk)
    shown = ItemOutput.objects.get(output__segment__key="4", output__system__name=system)
    number = shown.item.position + 1
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/{number}/")
    at_item(page, number)
    return number


def marked(page: Page, name: str) -> list[str]:
    return page.evaluate(f"[...(CSS.highlights.get('{name}') ?? [])].map(String)")


def point_at(page: Page, text: str, word: str) -> None:
    """Put the mouse on the first place of a word in a text."""
    place = page.locator(text).first.evaluate(
        """(element, word) => {
          const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.data.indexOf(word);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            const box = range.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
          }
        }""",
        word,
    )
    page.mouse.move(place[0] - 1, place[1])
    page.mouse.move(*place)
    page.wait_for_timeout(100)  # a frame of the screen


WHOLE = next(p.slug for p in PRESETS.values() if p.options.get("unit") == "whole document")
SOURCE, TARGET = '[data-part="source"] .segment-text', ".output .segment-text"


def test_links_are_proposed_with_one_button(page: Page, site: str, annotator, axe):
    campaign, owner = campaign_of(annotator, "word-alignment")
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/links/proposed/")
    axe(page)
    page.get_by_role("button", name="Propose links").click()
    expect(page.locator("#link-run")).to_contain_text("Waiting for a worker")
    assert runs.work(AlignerRun.objects.get().pk)
    # The page asks again by itself.
    expect(page.locator("#link-run")).to_contain_text("learned from 52 pairs", timeout=10_000)
    expect(page.get_by_role("table")).to_contain_text("Full")
    axe(page)
    factory.make_task(campaign, annotator, n_outputs=1)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    n_links = PrefilledLink.objects.filter(
        output=ItemOutput.objects.get(item__position=0).output_id
    ).count()
    assert n_links > 3
    expect(page.locator(".link-lines line")).to_have_count(n_links)


@pytest.mark.proof
def test_people_are_compared_with_one_click(page: Page, site: str, annotator, axe):
    campaign, owner = campaign_of(annotator, "word-alignment")
    item = factory.make_task(campaign, annotator, n_outputs=1).items.first()
    ends = {"source_token": 1, "target_token": 1}
    output = item.shown.get().output
    AlignmentLink.objects.create(judgment=factory.judge(item, {}), output=output, **ends)
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/links/")
    page.get_by_role("button", name="Compare with the aligner").click()
    assert runs.work(AlignerRun.objects.get().pk)
    page.reload()
    expect(page.locator("main")).to_contain_text("Nearest to what people linked")
    expect(page.get_by_role("cell", name="IBM 1").first).to_be_visible()
    axe(page)


@pytest.mark.proof
def test_pointing_at_a_word_marks_its_counterparts(page: Page, site: str, annotator, axe):
    judged(page, site, annotator, system="Full", word_links=True)
    point_at(page, TARGET, "milk")
    assert marked(page, "counterpart") == ["Milch"]
    point_at(page, SOURCE, "Katze")
    assert marked(page, "counterpart") == ["cat"]
    # The cursor of the keys does the same.
    page.locator(TARGET).focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert marked(page, "counterpart") == ["Katze"]
    expect(page.locator(".hints")).to_have_count(0)
    axe(page)
    # The source scrolls to what is linked, not to what lies at the same share of the sentence.
    place = page.evaluate(
        """([target, source]) => {
          const [one, other] = [target, source].map((each) => document.querySelector(each));
          const at = one.textContent.indexOf("milk");
          return window.mtevalReading.counterpart(one, at, other).at;
        }""",
        [TARGET, SOURCE],
    )
    assert place == (page.locator(SOURCE).text_content() or "").index("Milch")


@pytest.mark.proof
@pytest.mark.parametrize("preset", ["da-sqm", "da-sqm-document"])
def test_links_on_screens_of_ratings(page: Page, site: str, annotator, preset):
    judged(page, site, annotator, preset, system="Full", word_links=True)
    point_at(page, TARGET, "drinks")
    assert marked(page, "counterpart") == ["trinkt"]


@pytest.mark.proof
def test_links_in_whole_documents(page: Page, site: str, annotator):
    judged(page, site, annotator, WHOLE, system="Full", word_links=True)
    paragraph = page.locator(".paragraph").nth(3)
    expect(paragraph).to_contain_text("Milch")
    cell, text = (f".paragraph:nth-of-type(4) {each}" for each in (".source-cell p", "> p"))
    point_at(page, text, "milk")
    assert marked(page, "counterpart") == ["Milch"]
    point_at(page, cell, "trinkt")
    assert marked(page, "counterpart") == ["drinks"]


@pytest.mark.proof
def test_hints_where_the_campaign_says_so(page: Page, site: str, annotator, axe):
    number = judged(page, site, annotator, omission_hints=True)
    expect(page.locator(".hints")).to_contain_text("Possibly left out")
    expect(page.locator(".hint")).to_have_text(["warme"])
    assert marked(page, "unanswered") == ["warme"]
    axe(page)
    # Marks in the source are drawn anew, and the hint stays.
    page.locator(TARGET).focus()
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    assert marked(page, "unanswered") == ["warme"]
    page.locator("input[type=range]").first.focus()
    page.keyboard.press("End")
    page.locator("#go").click()
    at_item(page, number + 1)
    stored = ShownHints.objects.get()
    start, end = map(int, stored.places.split("-"))
    assert stored.output.segment.source[start:end] == "warme"
    # What was fetched ahead has its own hints.
    expect(page.locator(".hints")).to_have_count(1)


@pytest.mark.proof
def test_no_hints_where_it_does_not(page: Page, site: str, annotator):
    judged(page, site, annotator)
    expect(page.locator(".hints")).to_have_count(0)
    assert page.evaluate("CSS.highlights.has('unanswered')") is False
    assert not ShownHints.objects.exists()
