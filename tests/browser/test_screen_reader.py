"""Every kind of judging screen as a person hears it: Orca speaks, keys go through Orca."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Playwright

from judgments.judging import trial
from judgments.models import Judgment, Rating
from tests import factory

from .judging import make_campaign, sign_in
from .screen_reader import HOW, ScreenReader, find_or_install, screen_reader

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]

# What must be heard on the way by Tab from the top of a screen to its button, in this order.
HEARD = {
    "adequacy-fluency": [
        "region What was to be translated Source",
        "Reference toggle button expanded",
        "Adequacy of translation 1",
        "radio button",
        "Fluency of translation 1",
        "Adequacy of translation 5",
        "10 answers missing push button",
    ],
    "direct-assessment": [
        "Direct assessment of translation 1 horizontal slider not set yet",
        "1 answer missing push button",
    ],
    "contrastive-da": [
        "Underline differences toggle button pressed",
        "Direct assessment of translation 1 horizontal slider not set yet",
        "Direct assessment of translation 2 horizontal slider not set yet",
    ],
    "da-sqm": [
        "Quality of translation 1 horizontal slider not set yet",
        "No meaning preserved",
        "Perfect meaning and grammar",
    ],
    "xsts": ["Same meaning of translation 1", "radio button", "1 answer missing push button"],
    "pairwise": ["Which translation is better?", "The first is better", "1 answer missing"],
    "relative-ranking": ["Rank of translation 1", "1 (best)", "Rank of translation 5", "5 answers"],
    "esa": [
        "How to mark errors",
        "Translation 1: ",
        "Choose words",
        "minor toggle button not pressed",
        "horizontal slider not set yet",
        "give the score push button",
    ],
    "mqm": [
        "Source: ",
        "Translation 1: ",
        "major toggle button not pressed",
        "No errors toggle button",
        "1 answer missing",
    ],
    "post-editing": ["The text, to be corrected entry", "What became of the text", "Edited"],
    "comprehension": ["1. How often does the bus come?", "Your answer entry", "2 answers missing"],
    "acceptability": ["Acceptable of translation 1", "Yes. not selected radio button"],
    "word-alignment": [
        "Words of the source tool bar Die push button",
        "Words of the translation tool bar The toggle button not pressed",
        "No words correspond check box not checked",
    ],
}
TWICE = re.compile(r"([\w ]{6,}?)\W+\1 panel")


@pytest.fixture
def reader(playwright: Playwright, tmp_path) -> Iterator[ScreenReader]:
    if not find_or_install():
        assert os.environ.get("CI") != "true", f"There is no Orca, and CI=true: {HOW}."
        pytest.skip(f"no Orca: {HOW}")
    with screen_reader(playwright, tmp_path) as found:
        yield found


def number_of(preset: str) -> int:
    return 1 + [each.slug for each in trial.presets()].index(preset)


def heard_to_the_button(reader: ScreenReader) -> list[str]:
    said = []
    for _ in range(30):
        said.append(reader.press("Tab"))
        if "push button" in said[-1] and ("missing" in said[-1] or "give the score" in said[-1]):
            return said
    raise AssertionError(f"The button was not reached, but: {said}")


def test_every_screen_is_told(reader: ScreenReader, site: str):
    for preset, expected in HEARD.items():
        reader.open(f"{site}/try/{number_of(preset)}/")
        reader.page.locator("#stage").focus()
        reader.listen()
        said = " · ".join(heard_to_the_button(reader))
        place = 0
        for words in expected:
            assert words in said[place:], f"{preset}: {words!r} in {said}"
            place = said.index(words, place)
        assert not TWICE.search(said), f"{preset}: the same twice in {said}"


def opened(reader: ScreenReader, address: str) -> None:
    reader.open(address)
    reader.page.locator("#stage").focus()
    reader.listen()


def test_an_item_is_judged_by_ear(reader: ScreenReader, site: str, annotator):
    """Announced, answered with the keys of a form, submitted; the next item is announced."""
    campaign = make_campaign(annotator, preset="xsts")
    factory.make_task(campaign, annotator, n_outputs=1)
    sign_in(reader.page, site, annotator)
    opened(reader, f"{site}/judge/{campaign.pk}/1/")
    reader.tab_until("of translation 1")
    reader.hears("selected", "space")
    reader.press("Down")
    assert "Submit and go on" in reader.tab_until("Submit and go on push button")[-1]
    reader.hears(r"(?=.*Item 2 of )(?=.*Saved\.)", "Return")
    assert Judgment.objects.get().annotator_id == annotator.pk
    assert Rating.objects.count() == 1


def test_a_score_is_given_by_ear(reader: ScreenReader, site: str):
    opened(reader, f"{site}/try/{number_of('direct-assessment')}/")
    reader.tab_until("not set yet")
    reader.hears(r"\b\d+", "Right")
    assert "Submit and go on" in reader.tab_until("Submit and go on push button")[-1]


def test_errors_are_marked_by_ear(reader: ScreenReader, site: str):
    """Words are announced as the cursor passes them, and the error as it is marked and deleted."""
    opened(reader, f"{site}/try/{number_of('esa')}/")
    assert "tells how it goes out." in reader.tab_until("Choose words")[-1]
    reader.hears("word 1 of 17", "Right")
    reader.hears("word 2 of 17", "Right")
    reader.hears("words 2 to 3", "shift+Right")
    reader.hears("minor error, .*words 2 to 3", "1")
    reader.hears("major error, .*words 2 to 3", "2")
    reader.hears("Deleted", "d")


def test_categories_are_chosen_by_ear(reader: ScreenReader, site: str):
    """The letters are announced with the names, then the choice; so are the recently used kinds."""
    opened(reader, f"{site}/try/{number_of('mqm')}/")
    reader.tab_until("Translation 1: ")
    reader.press("Right")
    reader.hears("Category: a Accuracy, f Fluency, ", "3")
    reader.hears("g Grammar, s Spelling, ", "f")
    reader.hears(r"^No category has this letter\.$", "z")
    reader.hears(r"^No category has this letter\.$", "z")  # again, and not silent
    reader.hears("a Accuracy, f Fluency, ", "BackSpace")
    reader.hears("word 1 of 12, Fluency: Spelling$", "f", "s")
    reader.press("Right")
    reader.hears("word 2 of 12, Fluency: Spelling$", "e")
    reader.press("Right")
    reader.hears("word 3 of 12, Fluency: Spelling$", "5")
    reader.hears("word 2 of 12, Fluency: Spelling$", "comma")
    reader.hears("word 3 of 12", "Right")
    reader.press("Right")
    said = reader.tab_until("major, Fluency: Spelling push button")
    assert "Categories panel" in said[-1]


def test_a_word_is_found_by_ear(reader: ScreenReader, site: str):
    """The field announces its use and the number of matches, and the text is not read again."""
    opened(reader, f"{site}/try/{number_of('esa')}/")
    reader.tab_until("Choose words")
    reader.hears(re.escape("Type the first letters of a word."), "f")
    reader.hears("Found: 2: .*too.*, word 5 of 17", "t")
    reader.hears("Found: 2: .*tells.*, word 12 of 17", "slash")
    said = reader.hears("word 12 of 17", "Return")
    assert "pays nothing" not in said
    reader.hears("Not found: z", "f", "z")
    said = reader.hears("text to mark", "Escape")
    assert "pays nothing" not in said
    reader.hears("word 17 of 17", "ctrl+Right")
    reader.hears("word 1 of 17", "ctrl+Left")
    reader.hears("word 1 of 17", "ctrl+Left")  # there is nothing before it


def test_tools_of_a_phone_are_told(reader: ScreenReader, site: str):
    """While a category is chosen, and afterwards: all of them, in the order of the row."""
    reader.page.set_viewport_size({"width": 360, "height": 740})
    choosing = ["Categories panel", "Accuracy … push", "Category combo box", "Delete push"]
    chosen = ["minor toggle", "Category: Mistranslation push", "Start earlier push",
              "End later push", "Delete push"]  # fmt: skip
    for keys, expected in ((["3"], choosing), (["3", "a", "m"], chosen)):
        opened(reader, f"{site}/try/{number_of('mqm')}/")
        reader.tab_until("Translation 1: ")
        reader.press("Right", *keys)
        said = " · ".join(reader.tab_until("Delete push button"))
        place = 0
        for words in expected:
            assert words in said[place:], f"{words!r} in {said}"
            place = said.index(words, place)
