"""Rating, comparing, ranking and linking in a browser: every preset by keyboard and by touch."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from judgments.models import (
    AlignmentLink,
    Judgment,
    Output,
    Preference,
    Rating,
    ReadingSettings,
    Segment,
)
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from tests import factory

from .judging import at_item, longer, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = [
    "The committee decided on Tuesday not to raise the fee.",
    "On Tuesday the committee decided to raise the fee .",
    "Committee Tuesday: no <b>higher</b> fee.",
]
OWN = {"dimensions": [{"slug": "trust", "low": 1, "high": 3}]}
# The preset, options, translations on a screen, keys from the first to the one that submits, and
# what is stored: ratings in the order of their storing, or preferences with their strength.
BY_KEYS = [
    ("adequacy-fluency", {}, 2, "5 4 3 2 Enter", [5, 4, 3, 2]),
    ("direct-assessment", {}, 1, "Enter ArrowRight Enter", [51]),
    ("direct-assessment", {}, 1, "0 5 Enter", [5]),
    ("direct-assessment-reference", {}, 1, "j ArrowLeft Enter", [49]),
    ("contrastive-da", {}, 2, "6 7 0 Enter", [67, 0]),
    ("contrastive-da", {}, 2, "6 j 1 0 0 Enter", [60, 100]),
    ("contrastive-da", {}, 2, "d Enter ArrowLeft Enter ArrowRight Enter", [49, 51]),
    ("document-assessment", {}, 1, "Enter ArrowRight ArrowRight Enter", [52]),
    ("da-sqm", {}, 1, "1 0 0 Enter", [100]),
    ("xsts", {}, 1, "3 Enter", [3]),
    ("xsts-rp", {}, 1, "4 Enter", [4]),
    ("correct-or-not", {}, 1, "0 Enter", [0]),
    ("da-sqm-document", {}, 1, "6 Enter", [60]),
    ("custom-rating", OWN, 2, "3 1 Enter", [3, 1]),
    ("relative-ranking", {}, 3, "2 1 2 Enter", [2, 1, 2]),
    ("partial-ranking", {}, 3, "2 0 1 Enter", [2, 1]),
    ("pairwise", {}, 2, "ArrowRight Enter", [(-1, None)]),
    ("pairwise", {"ask_strength": True}, 2, "2 Enter", [(1, 1)]),
    ("pairwise", {"ask_strength": True}, 2, "5 Enter", [(-1, 2)]),
]


@pytest.fixture
def test_set():
    """Two segments of real text, three translations each."""
    found = factory.make_test_set(factory.make_user("owner"), n_segments=2, n_documents=1)
    Segment.objects.update(
        source="Der Ausschuss beschloss am Dienstag, die Gebühr nicht zu erhöhen."
    )
    for system, text in zip(found.systems.order_by("name"), TEXTS, strict=True):
        Output.objects.filter(system=system).update(text=text)
    return found


def campaign_of(test_set, annotator, preset, options, n_outputs):
    campaign = factory.make_campaign(test_set, preset=preset, annotators=[annotator])
    campaign.options |= options
    campaign.save()
    if preset == "document-assessment":
        design.plan(campaign, PlanSettings(batch_items=50))
        campaign.tasks.update(annotator=annotator)
    else:
        factory.make_task(campaign, annotator, n_outputs=n_outputs)
    return campaign


def opened(page: Page, site: str, campaign) -> None:
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    expect(page.locator(".is-current")).to_have_count(1)


def stored(campaign) -> list:
    """Of the first item, in the order of the screen."""
    judgment = Judgment.objects.get(campaign=campaign)
    if campaign.protocol == "pairwise":
        return list(Preference.objects.filter(judgment=judgment).values_list("value", "strength"))
    ratings = Rating.objects.filter(judgment=judgment).order_by("pk")
    return list(ratings.values_list("value", flat=True))


def went_on(page: Page, campaign) -> None:
    at_item(page, 2)


@pytest.mark.proof
def test_every_preset_by_keyboard(page: Page, site: str, annotator, test_set, axe):
    sign_in(page, site, annotator)
    turn_differences_off(page, site, campaign_of(test_set, annotator, "pairwise", {}, 2), axe)
    campaign = campaign_of(test_set, annotator, "word-alignment", {}, 1)
    link_by_keyboard(page, site, campaign, axe)
    for preset, options, n_outputs, keys, answer in BY_KEYS:
        campaign = campaign_of(test_set, annotator, preset, options, n_outputs)
        opened(page, site, campaign)
        if preset in ("contrastive-da", "partial-ranking"):
            axe(page)
        for key in keys.split():
            page.keyboard.press(key)
        went_on(page, campaign)
        assert stored(campaign) == answer, preset


def choose(page: Page, question: str, words: str) -> None:
    page.locator(f"#q-{question}").get_by_text(words, exact=True).tap()


def slide(slider: Locator, share: float) -> None:
    box = slider.bounding_box()
    assert box
    slider.tap(position={"x": box["width"] * share, "y": box["height"] / 2})


def lengthen(n_words: int) -> None:
    """Sources and outputs of so many words at least."""
    for segment in Segment.objects.all():
        segment.source = longer(segment.source, n_words)
        segment.save()
    for output in Output.objects.all():
        output.text = longer(output.text, n_words)
        output.save()


@pytest.mark.proof
@pytest.mark.parametrize("n_words", [1, 200])
def test_every_preset_by_touch(browser: Browser, site: str, annotator, test_set, n_words):
    lengthen(n_words)
    context = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}
    )
    page = context.new_page()
    sign_in(page, site, annotator)

    def judge(preset, n_outputs, touch, **options) -> list:
        campaign = campaign_of(test_set, annotator, preset, options, n_outputs)
        opened(page, site, campaign)
        touch()
        page.locator("#go").tap()
        went_on(page, campaign)
        return stored(campaign)

    def chosen(*answers):
        return lambda: [choose(page, question, words) for question, words in answers]

    def slid(*shares):
        sliders = page.get_by_role("slider")
        return lambda: [slide(sliders.nth(i), share) for i, share in enumerate(shares)]

    ranks = chosen(("output1-rank", "2"), ("output2-rank", "1 (best)"))
    # The board of ranks is next to a list; the others are a table if they are long.
    as_list = ReadingSettings.objects.create(user=annotator, compared_texts="list")
    assert judge("relative-ranking", 2, lambda: drag(page)) == [2, 1]
    as_list.delete()
    assert judge(
        "partial-ranking", 3, lambda: [ranks(), choose(page, "output3-rank", "Not ranked")]
    ) == [2, 1]
    pair = chosen(("preference", "The second is clearly better"))
    assert judge("pairwise", 2, pair, ask_strength=True) == [(-1, 2)]
    assert judge("pairwise", 2, chosen(("preference", "Both are equal"))) == [(0, None)]
    both = (("output1-adequacy", "Most"), ("output1-fluency", "Good English"))
    assert judge("adequacy-fluency", 1, chosen(*both)) == [4, 4]
    assert judge("xsts", 1, chosen(("output1-xsts", "Hardly anything in common"))) == [1]
    assert judge("custom-rating", 1, chosen(("output1-trust", "2")), **OWN) == [2]
    low, high = judge("contrastive-da", 2, slid(0.1, 0.9))
    assert low < 20 < 80 < high
    for preset in (
        "direct-assessment",
        "direct-assessment-reference",
        "document-assessment",
        "da-sqm",
    ):
        (value,) = judge(preset, 1, slid(0.5))
        assert 40 < value < 60, preset
    link_by_touch(page, site, campaign_of(test_set, annotator, "word-alignment", {}, 1))
    context.close()


def test_arrows_point_at_translations_in_arabic(browser: Browser, site: str, annotator, test_set):
    """The first translation is at the right there."""
    context = browser.new_context(locale="ar")
    page = context.new_page()
    sign_in(page, site, annotator)
    campaign = campaign_of(test_set, annotator, "pairwise", {}, 2)
    opened(page, site, campaign)
    places = [page.locator(f"#place-{n}").bounding_box() for n in (1, 2)]
    assert places[0] and places[1]
    assert places[0]["x"] > places[1]["x"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    went_on(page, campaign)
    assert stored(campaign) == [(1, None)]
    context.close()


def drag(page: Page) -> None:
    """The second translation to the first rank, and the first to the second, with a finger."""
    touch = page.context.new_cdp_session(page)
    for name, rank in (("2", "1"), ("1", "2")):
        page.locator("[data-board]").scroll_into_view_if_needed()
        chip = page.locator(".chip").filter(has=page.locator("strong", has_text=name))
        boxes = [chip.bounding_box(), page.locator(f"[data-rank='{rank}']").bounding_box()]
        points = [{"x": b["x"] + b["width"] / 2, "y": b["y"] + b["height"] / 2} for b in boxes if b]
        steps = [("touchStart", points[:1]), *[("touchMove", points[1:])] * 3, ("touchEnd", [])]
        for kind, at in steps:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
            page.wait_for_timeout(
                50
            )  # a finger that rests: a flying one makes the next tap stop it
        expect(page.locator(f"[data-rank='{rank}'] .chip")).to_have_count(1)
    expect(page.locator("#status")).to_have_text("Translation 1, rank 2")


def turn_differences_off(page: Page, site: str, campaign, axe) -> None:
    """They stay off on the next screen, until they are turned on again."""
    opened(page, site, campaign)
    marked = page.locator(".differs").first
    switch = page.get_by_role("button", name="Underline differences")
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert "underline" in marked.evaluate("e => getComputedStyle(e).textDecorationLine")
    page.keyboard.press("d")
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    went_on(page, campaign)
    assert marked.evaluate("e => getComputedStyle(e).textDecorationLine") == "none"
    axe(page)
    page.get_by_role("button", name="Underline differences").click()
    assert "underline" in marked.evaluate("e => getComputedStyle(e).textDecorationLine")


def links(campaign) -> list[tuple[int, int, bool]]:
    rows = AlignmentLink.objects.filter(judgment__campaign=campaign)
    return list(rows.values_list("source_token", "target_token", "is_sure").order_by("pk"))


def link_by_keyboard(page: Page, site: str, campaign, axe) -> None:
    opened(page, site, campaign)
    said = page.locator("#status")
    page.keyboard.press("ArrowRight")  # Der
    page.keyboard.press("ArrowDown")  # The
    page.keyboard.press("Space")
    expect(said).to_have_text("Der – The: sure")
    page.keyboard.press("Shift+ArrowRight")  # Ausschuss, committee
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    expect(said).to_have_text("Ausschuss – committee: possible")
    for key in ("ArrowUp", "End", "ArrowDown", "End", "Space"):  # . .
        page.keyboard.press(key)
    expect(said).to_have_text(". – .: sure")
    expect(page.locator(".link-lines line")).to_have_count(3)
    page.get_by_text("Links as a list").click()
    expect(page.get_by_role("listitem").filter(has_text="Ausschuss")).to_contain_text("possible")
    axe(page)
    page.reload()
    expect(page.locator("[data-links]")).to_have_value("0-0 1p1 11-10")
    page.get_by_text("Links as a list").click()
    page.get_by_role("button", name="Remove the link . – .").click()
    page.locator("[data-source] .token").nth(1).click()
    page.keyboard.press("Enter")
    went_on(page, campaign)
    assert links(campaign) == [(0, 0, True), (1, 1, False)]
    page.get_by_label("No words correspond").check()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    assert Judgment.objects.filter(campaign=campaign).count() == 2


def link_by_touch(page: Page, site: str, campaign) -> None:
    opened(page, site, campaign)
    source, target = page.locator("[data-source] .token"), page.locator("[data-target] .token")
    for i, j, times in ((0, 0, 1), (1, 1, 2), (2, 2, 3)):
        source.nth(i).tap()
        for _ in range(times):
            target.nth(j).tap()
    go = page.locator("#go")
    for _ in range(40):  # of a long text, every sentence is looked at
        if "Next sentence" not in go.inner_text():
            break
        go.tap()
    go.tap()
    went_on(page, campaign)
    assert links(campaign) == [(0, 0, True), (1, 1, False)]


def test_words_are_linked_without_a_script(browser: Browser, site: str, annotator, test_set):
    campaign = campaign_of(test_set, annotator, "word-alignment", {}, 1)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    page.get_by_label("Links, such as").fill("0-0 1p1")
    page.get_by_role("button", name="Submit and continue").click()
    page.wait_for_url(f"**/judge/{campaign.pk}/2/")
    assert links(campaign) == [(0, 0, True), (1, 1, False)]
    context.close()
