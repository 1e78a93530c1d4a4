"""Long translations compared in a table: sentences as rows, translations as columns."""

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import (
    ErrorSpan,
    ItemOutput,
    Output,
    Rating,
    ReadingSettings,
    Reference,
    Segment,
)
from tests import factory

from .judging import at_item, comes_true, press, sign_in
from .test_spans import said

pytestmark = pytest.mark.django_db(transaction=True)

N_SENTENCES, N_WORDS = 24, 436
NOUNS = ["council", "bridge", "winter", "river", "tower", "garden", "letter", "market", "station"]
VERBS = ["keeps", "finds", "paints", "moves", "closes", "opens", "carries", "watches", "forgets"]
SIZES: dict[str, tuple[int, int]] = {
    "desk": (1440, 900),
    "laptop": (1366, 768),
    "phone": (360, 740),
    "zoomed": (720, 450),  # 1440 × 900 at 200 %
}
TOPS = """() => [...document.querySelectorAll(".comparison .segment-text")].map((text) =>
  [...text.querySelectorAll(".sentence")].map(
    (cell) => Math.round(cell.getBoundingClientRect().top)))"""
LIT = """() => [...document.querySelectorAll("#stage .sentence.is-here")].map((cell) =>
  [Number(cell.dataset.row), cell.getClientRects().length > 0])"""


def text(seed: int, n_sentences: int = N_SENTENCES, n_words: int = N_WORDS) -> str:
    """So many words in so many sentences, as nobody else says them."""
    draw = random.Random(seed)
    sentences = []
    for i in range(n_sentences):
        n = n_words * (i + 1) // n_sentences - n_words * i // n_sentences
        words = [
            "The",
            draw.choice(NOUNS),
            draw.choice(VERBS),
            "the",
            *draw.choices(NOUNS, k=n - 4),
        ]
        sentences.append(" ".join(words) + ".")
    return " ".join(sentences)


def long_work(annotator, preset: str, n_systems: int = 5, texts=None):
    owner = factory.make_user(f"owner-{preset}")
    test_set = factory.make_test_set(
        owner, n_segments=1, n_systems=n_systems, source_language="de", target_language="en"
    )
    Segment.objects.filter(test_set=test_set).update(source=text(98))
    Reference.objects.filter(segment__test_set=test_set).update(text=text(99))
    for number, output in enumerate(Output.objects.filter(system__test_set=test_set)):
        Output.objects.filter(pk=output.pk).update(text=texts[number] if texts else text(number))
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner, annotators=[annotator])
    factory.make_task(campaign, annotator)
    return campaign


def open_item(page: Page, site: str, annotator, campaign) -> None:
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    expect(page.locator("#stage")).to_have_class("screen is-table")


@pytest.fixture(params=SIZES)
def screen(request, browser: Browser):
    width, height = SIZES[request.param]
    is_phone = request.param == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone
    )
    page = context.new_page()
    yield page, {"laptop": "mouse", "phone": "touch"}.get(request.param, "keys")
    context.close()


def read(page: Page, way: str) -> None:
    """Every row in turn, to the last one."""
    on = page.locator("#sentence-steps [data-step='1']")
    for row in range(N_SENTENCES):
        lit = page.evaluate(LIT)
        assert {number for number, _ in lit} == {row}
        assert all(is_seen for _, is_seen in lit)
        if way == "keys":
            page.keyboard.press(" " if row % 2 else "ArrowDown")
        elif way == "mouse":
            on.click()
        else:
            on.tap()
    expect(page.locator("#status")).to_have_text("All sentences have been read.")


def answer(page: Page, way: str, answers: list[str]) -> None:
    """Give each question its answer, in the order of the screen."""
    if way == "keys":
        press(page, answers)
        return
    groups = page.locator("#stage [role=radiogroup]").all()
    for group, key in zip(groups, answers, strict=True):
        label = group.locator(f"label[data-digit='{key}']")
        if way == "mouse":
            label.click()
        else:
            swipe_to(page, group)
            label.tap()


def swipe_to(page: Page, group) -> None:
    """A finger moves the translations until this one is in sight."""
    for _ in range(10):
        box = group.bounding_box()
        assert box
        if 0 <= box["x"] < 300:
            return
        session = page.context.new_cdp_session(page)
        table = page.locator(".comparison").bounding_box()
        assert table
        session.send(
            "Input.synthesizeScrollGesture",
            {
                "x": 180,
                "y": table["y"] + 40,
                "xDistance": -300 if box["x"] > 0 else 300,
                "speed": 3000,
            },
        )
        session.detach()
        page.wait_for_timeout(100)
    raise AssertionError("The translation does not come into sight.")


@pytest.mark.parametrize(
    "preset, answers",
    [
        ("adequacy-fluency", "5443322115"),
        pytest.param("relative-ranking", "31524", marks=pytest.mark.proof),
    ],
)
def test_five_long_translations_are_judged(screen, site: str, annotator, axe, preset, answers):
    page, way = screen
    campaign = long_work(annotator, preset)
    open_item(page, site, annotator, campaign)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    if page.viewport_size["width"] > 1024:
        tops = page.evaluate(TOPS)
        assert len(tops) == 7 and len(tops[0]) == N_SENTENCES
        assert all(each == tops[0] for each in tops)
    axe(page)
    read(page, way)
    answer(page, way, list(answers))
    go = page.locator("#go")
    expect(go).to_have_text("Submit and continue")
    axe(page)
    if way == "keys":
        page.keyboard.press("Enter")
    elif way == "mouse":
        go.click()
    else:
        go.tap()
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    shown = ItemOutput.objects.order_by("position").values_list("output", flat=True)
    given = [
        f"{rating.value:g}"
        for output in shown
        for rating in Rating.objects.filter(output=output).order_by("dimension")
    ]
    assert "".join(given) == answers
    assert not ReadingSettings.objects.exists()  # it came by itself


def test_one_key_changes_it_and_it_is_kept_for_the_person(page: Page, site: str, annotator):
    page.set_viewport_size({"width": 1440, "height": 900})
    campaign = long_work(annotator, "relative-ranking")
    open_item(page, site, annotator, campaign)
    press(page, "21")
    button = page.get_by_role("button", name="Table")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("y")
    stage = page.locator("#stage")
    expect(stage).to_have_class("screen")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".board")).to_be_visible()
    assert page.locator("#stage .sentence").count() == 0
    assert page.locator("#stage input:checked").count() == 2
    comes_true(
        page, "Object.keys(localStorage).every((key) => !key.includes('compared'))"
    )  # the site knows
    assert ReadingSettings.objects.get().compared_texts == "list"
    page.reload()
    at_item(page, 1)
    expect(stage).to_have_class("screen")
    assert page.locator("#stage input:checked").count() == 2
    button.click()
    expect(stage).to_have_class("screen is-table")
    comes_true(page, "Object.keys(localStorage).every((key) => !key.includes('compared'))")
    assert ReadingSettings.objects.get().compared_texts == "table"


def test_without_the_site_this_device_knows(page: Page, site: str, annotator):
    page.set_viewport_size({"width": 1440, "height": 900})
    # Before the page is there: one that is loaded may still send what is asked of it at once.
    page.route("**/settings/compared-texts/", lambda route: route.abort())
    open_item(page, site, annotator, long_work(annotator, "relative-ranking"))
    page.keyboard.press("y")
    expect(page.locator("#stage")).to_have_class("screen")
    page.reload()
    at_item(page, 1)
    expect(page.locator("#stage")).to_have_class("screen")
    assert not ReadingSettings.objects.exists()


def test_short_texts_stay_in_rows_until_asked(page: Page, site: str, annotator):
    page.set_viewport_size({"width": 1440, "height": 900})
    short = [text(seed, 3, 36) for seed in range(5)]
    campaign = long_work(annotator, "adequacy-fluency", texts=short)
    Segment.objects.update(source=text(98, 3, 36))
    Reference.objects.update(text=text(99, 3, 36))
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    expect(page.locator("#stage")).to_have_class("screen")
    page.keyboard.press("y")
    expect(page.locator("#stage")).to_have_class("screen is-table")
    assert len(page.evaluate(TOPS)[0]) == 3


def test_a_translation_that_stops_early_leaves_the_rows_of_the_others(
    page: Page, site: str, annotator
):
    page.set_viewport_size({"width": 1440, "height": 900})
    whole = text(0)
    stopped = ". ".join(whole.split(". ")[:6]) + "."
    campaign = long_work(annotator, "relative-ranking", 3, [whole, stopped, text(1)])
    open_item(page, site, annotator, campaign)
    cells = page.evaluate(
        """() => [...document.querySelectorAll(".output .segment-text")].map((text) =>
          [...text.querySelectorAll(".sentence")].map((cell) => cell.textContent))"""
    )
    assert [len(each) for each in cells] == [N_SENTENCES] * 3
    texts = dict(Output.objects.values_list("pk", "text"))
    shown = ItemOutput.objects.order_by("position").values_list("output", flat=True)
    assert ["".join(each) for each in cells] == [texts[output] for output in shown]
    assert sum(bool(cell) for each in cells for cell in each) == 2 * N_SENTENCES + 6


CELLS = """() => [...document.querySelectorAll(".output .segment-text")].map((text) =>
  [...text.querySelectorAll(".sentence")].map(({ textContent, dataset: { row, rows } }) =>
    [textContent.trim(), Number(row), Number(rows)]))"""


def cells_by_output(page: Page) -> dict[str, list]:
    """Text of an output → [[sentence, row, how many rows], …] of its cells."""
    texts = dict(Output.objects.values_list("pk", "text"))
    shown = ItemOutput.objects.order_by("position").values_list("output", flat=True)
    return dict(zip([texts[output] for output in shown], page.evaluate(CELLS), strict=True))


def test_a_sentence_that_stands_for_two_spans_two_rows(page: Page, site: str, annotator):
    page.set_viewport_size({"width": 1440, "height": 900})
    sentences = [each + "." for each in text(0).rstrip(".").split(". ")]
    joined = f"{sentences[3][:-1]} and {sentences[4][0].lower()}{sentences[4][1:]}"
    merged = " ".join([*sentences[:3], joined, *sentences[5:]])
    campaign = long_work(annotator, "relative-ranking", 3, [text(1), merged, text(2)])
    open_item(page, site, annotator, campaign)
    found = cells_by_output(page)
    assert [row for _, row, _ in found[text(1)]] == list(range(N_SENTENCES))
    assert found[merged][3] == [joined, 3, 2]
    assert [each for each, _, _ in found[merged][4:]] == sentences[5:]
    assert [row for _, row, _ in found[merged][4:]] == list(range(5, N_SENTENCES))
    tops = page.evaluate(TOPS)
    (shorter,) = [each for each in tops if len(each) == N_SENTENCES - 1]
    assert shorter == [top for row, top in enumerate(tops[0]) if row != 4]
    for row in range(6):
        lit = [number for number, _ in page.evaluate(LIT)]
        assert lit == [3 if row == 4 and number == 3 else row for number in lit]
        assert len(lit) == 5 and (3 in lit) == (row in (3, 4))
        page.keyboard.press(" ")


def test_a_sentence_left_out_does_not_move_the_next_paragraph(page: Page, site: str, annotator):
    page.set_viewport_size({"width": 1440, "height": 900})
    sentences = [each + "." for each in text(0).rstrip(".").split(". ")]

    def written(kept):
        return "\n\n".join(
            " ".join(sentences[i] for i in range(first, first + 6) if i in kept)
            for first in range(0, N_SENTENCES, 6)
        )

    everything = written(range(N_SENTENCES))
    short = written([i for i in range(N_SENTENCES) if i not in (2, 3)])
    campaign = long_work(annotator, "relative-ranking", 2, [everything, short])
    Segment.objects.update(source=everything)
    Reference.objects.update(text=everything)
    open_item(page, site, annotator, campaign)
    begins = {i: sentences[i] for i in range(6, N_SENTENCES)}
    found = [(row, sentence) for sentence, row, _ in cells_by_output(page)[short]]
    assert set(begins.items()) <= set(found)


def test_words_longer_than_a_column_stay_in_it(page: Page, site: str, annotator):
    page.set_viewport_size({"width": 1100, "height": 800})
    long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    texts = [text(seed).replace("council", long) for seed in range(5)]
    campaign = long_work(annotator, "relative-ranking", 5, texts)
    open_item(page, site, annotator, campaign)
    boxes = page.evaluate("""() => [...document.querySelectorAll(".comparison .sentence")].map(
      (cell) => [cell.scrollWidth - cell.clientWidth,
        Math.round(cell.offsetWidth - cell.closest(".output, details").clientWidth)]
    )""")
    assert boxes and all(box == [0, 0] for box in boxes)


def test_what_was_chosen_last_is_kept(page: Page, site: str, annotator):
    """Two presses: the answer to the first one is late."""
    page.set_viewport_size({"width": 1440, "height": 900})
    waiting: list = []

    def late(route):
        if waiting:
            route.continue_()
        else:
            waiting.append(route)

    page.route("**/settings/compared-texts/", late)
    open_item(page, site, annotator, long_work(annotator, "relative-ranking"))
    press(page, "yy")
    expect(page.locator("#stage")).to_have_class("screen is-table")
    page.wait_for_timeout(300)
    with page.expect_response(waiting[0].request.url):
        waiting[0].continue_()
    page.wait_for_load_state("networkidle")
    comes_true(page, "Object.keys(localStorage).every((key) => !key.includes('compared'))")
    assert ReadingSettings.objects.get().compared_texts == "table"


def test_errors_keep_their_places_in_table_and_list(page: Page, site: str, annotator, axe):
    """Contrastive ESA: marked in the table, seen in the list, stretched in the table, stored."""
    page.set_viewport_size({"width": 1440, "height": 900})
    campaign = long_work(annotator, "contrastive-esa", 2)
    open_item(page, site, annotator, campaign)
    first = page.locator(".output .segment-text").first
    cell = first.locator(".sentence").nth(5)
    word = cell.evaluate("(cell) => cell.textContent.split(' ')[2]")
    start = first.evaluate(
        """(text) => [...text.querySelectorAll(".sentence")].slice(0, 5)
          .map((each) => each.textContent).join("").length"""
    )
    box = cell.evaluate(
        """(cell, word) => {
          const node = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
          const at = node.data.indexOf(word);
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          const { left, top, width, height } = range.getBoundingClientRect();
          return [left + width / 2, top + height / 2];
        }""",
        word,
    )
    page.mouse.click(*box)
    assert page.evaluate(LIT)[0][0] == 5  # the row where one works
    page.keyboard.press("2")
    expect(page.locator(".span-list li")).to_have_count(1)
    assert f"“{word}”" in said(page)
    page.get_by_role("button", name="Table").click()
    expect(page.locator("#stage .piece.look-major")).to_have_text(word)
    page.get_by_role("button", name="Table").click()
    expect(page.locator("#stage .sentence .piece.look-major")).to_have_text(word)
    axe(page)
    for place, score in ((1, "60"), (2, "100")):  # without an error, so that nothing is doubted
        page.locator(f"#q-output{place}-esa [type=range]").fill(score)
    page.locator("#go").click()
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    span = ErrorSpan.objects.get()
    output = ItemOutput.objects.get(position=0).output
    assert span.output_id == output.pk
    assert output.text[span.start : span.end] == word
    assert span.start > start


def test_nothing_that_tells_systems_apart_is_in_the_page(page: Page, site: str, annotator):
    page.set_viewport_size({"width": 1440, "height": 900})
    campaign = long_work(annotator, "relative-ranking")
    open_item(page, site, annotator, campaign)
    html = page.content()
    for name in campaign.test_set.systems.values_list("name", flat=True):
        assert name not in html


@pytest.mark.parametrize("preset", ["relative-ranking", "adequacy-fluency", "contrastive-da"])
def test_going_through_a_table_answers_nothing(page: Page, site: str, annotator, preset):
    page.set_viewport_size({"width": 1440, "height": 900})
    open_item(page, site, annotator, long_work(annotator, preset, 2))
    held = "() => window.mtevalHistory.kept().present"
    begun = page.evaluate(held)
    ways = ["ArrowDown", " ", "ArrowUp", "Shift+ "]
    press(page, ways)
    if preset != "contrastive-da":  # arrows move a slider
        press(page, ["ArrowRight", "ArrowLeft"])
    assert page.evaluate(held) == begun
    page.keyboard.press("1")
    one = page.evaluate(held)
    assert one != begun
    press(page, ways)
    assert page.evaluate(held) == one
    assert page.evaluate(LIT)[0][0] == 0


def test_an_arrow_that_answers_goes_nowhere_else(page: Page, site: str, annotator):
    """Pairwise comparison: the middle arrow says that both are equal, and the row stays."""
    page.set_viewport_size({"width": 1440, "height": 900})
    ReadingSettings.objects.create(user=annotator, goes_on=False)
    open_item(page, site, annotator, long_work(annotator, "pairwise", 2))
    page.keyboard.press("ArrowDown")
    expect(page.locator("#stage :checked")).to_have_value("0")
    assert page.evaluate(LIT)[0][0] == 0
    page.keyboard.press(" ")
    expect(page.locator("#stage :checked")).to_have_value("0")
    assert page.evaluate(LIT)[0][0] == 1


@pytest.mark.parametrize("size", ["desk", "laptop"])
def test_the_numbers_of_a_slider_stand_under_their_places(
    page: Page, site: str, annotator, size: str
):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    open_item(page, site, annotator, long_work(annotator, "contrastive-esa", 2))
    places = page.evaluate(
        """() => [...document.querySelectorAll(".answers .slider")].map((slider) => {
          const line = slider.querySelector("[type=range]").getBoundingClientRect();
          const ticks = [...slider.querySelectorAll(".ticks li")].map((tick) => {
            const { left, right } = tick.getBoundingClientRect();
            return (left + right) / 2;
          });
          return [line.left, ticks[0], ticks.at(-1), line.right];
        })"""
    )
    for left, first, last, right in places:  # a knob has half its width beyond its place
        assert left < first < left + 25
        assert right - 25 < last < right


def test_a_low_window_opens_at_the_source(page: Page, site: str, annotator):
    width, height = SIZES["zoomed"]
    page.set_viewport_size({"width": width, "height": height})
    open_item(page, site, annotator, long_work(annotator, "pairwise", 2))
    assert page.evaluate("scrollY") == 0
    box = page.locator(".given .sentence.is-here").first.bounding_box()
    assert box and box["y"] > 0
