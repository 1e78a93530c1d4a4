"""Marking errors in long texts: reaching a word from afar, and what follows the place of work."""

import random

import pytest
from playwright.sync_api import Page, expect

from judgments.models import ErrorSpan, Segment
from tests import factory

from .judging import at_item
from .test_spans import TEXT, box_of, campaign_of, done, keys, open_at, said, scores, stored

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


def test_the_place_of_work_is_told(page: Page, site: str, annotator):
    """By key, by click, when an error is opened and marked: what follows the reading hears it."""
    open_at(page, site, annotator, campaign_of(annotator, "esa"))
    page.evaluate(
        """() => {
          window.heard = [];
          document.getElementById("stage").addEventListener("mteval:place", ({ target, detail }) =>
            target.className.includes("segment-text") && heard.at(-1) !== detail.offset &&
            heard.push(detail.offset));
        }"""
    )
    keys(page, "ArrowRight", "ArrowRight", "1")
    dog = box_of(page, "dog")
    page.mouse.click(dog["x"], dog["y"])
    keys(page, ",")
    places = [TEXT.index(word) for word in ("The", "cat", "dog", "cat")]
    assert page.evaluate("heard") == places
    keys(page, "ArrowRight")
    page.evaluate("heard = []")
    keys(page, "2")  # the page may scroll for it, and the place stays
    assert page.evaluate("heard") == [TEXT.index("sat")]


def paragraph(n_words: int) -> list[str]:
    """Words as uneven as those of a language, by the law of Zipf and Mandelbrot, with a stop after
    every twelfth; always the same ones."""
    rng = random.Random(148)
    syllables = [
        a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "an", "er", "ein")
    ]
    known = sorted({"".join(rng.choices(syllables, k=2 + i % 3)) for i in range(400)})
    rng.shuffle(known)
    drawn = rng.choices(known, [1 / (rank + 3.7) for rank in range(len(known))], k=n_words)
    return [word + "." * (i % 12 == 11) for i, word in enumerate(drawn)]


def find(page: Page, word: str, number: int) -> list[str]:
    """Return keys that choose a word by its number (from 1): letters until it has a label."""
    pressed = ["f"]
    keys(page, "f")
    for letter in word:
        keys(page, letter)
        pressed.append(letter)
        label = page.evaluate(
            """(number) => {
              const text = document.querySelector(".output .span-text");
              const before = (piece) => {
                let length = 0;
                for (let each = piece.previousSibling; each; each = each.previousSibling)
                  length += each.textContent.length;
                return text.textContent.slice(0, length).split(/\\s+/).length;
              };
              const hit = [...text.querySelectorAll("[data-label], .is-hit.is-cursor")].find(
                (piece) => before(piece) === number);
              return hit ? hit.dataset.label || "Enter" : "";
            }""",
            number,
        )
        if label:
            pressed.append(f"Shift+{label}" if label.isalpha() and len(label) == 1 else label)
            keys(page, pressed[-1])
            break
    return pressed


def test_a_word_of_a_paragraph_takes_five_keys(page: Page, site: str, annotator):
    words = paragraph(431)
    campaign = campaign_of(annotator, "esa", [" ".join(words)])
    open_at(page, site, annotator, campaign)
    counts: dict[int, int] = {}
    for number in (148, *range(10, 432, 60)):
        keys(page, "Home") if counts else None  # each from the beginning
        counts[number] = len(find(page, words[number - 1].strip("."), number)) + 1
        keys(page, "2")
        assert said(page).startswith(f"major error, “{words[number - 1].strip('.')}”")
    assert counts[148] <= 5 and max(counts.values()) <= 5, counts
    keys(page, "j", "1", "Enter")
    done(page)
    starts = {sum(len(word) + 1 for word in words[: number - 1]) for number in counts}
    assert set(ErrorSpan.objects.values_list("start", flat=True)) == starts


@pytest.mark.proof
def test_find_says_steps_and_goes_back(page: Page, site: str, annotator, axe):
    open_at(page, site, annotator, campaign_of(annotator, "esa"))
    field = page.get_by_label("Find a word by its first letters")
    keys(page, "ArrowRight", "ArrowRight", "/")
    expect(field).to_be_focused()
    keys(page, "t")  # from the place of work on: “the”, “the”, and then “The”
    assert said(page) == "Found: 3: “the”, word 5 of 15"
    expect(page.locator("[data-label]")).to_have_count(3)
    axe(page)
    keys(page, "/")
    assert said(page) == "Found: 3: “the”, word 9 of 15"
    keys(page, "ArrowDown", "ArrowUp", "h", "Enter")
    expect(page.locator(".output .span-text")).to_be_focused()
    assert said(page) == "“the”, word 5 of 15"
    keys(page, "f", "x", "y")
    assert said(page) == "Not found: xy"
    keys(page, "Escape")
    expect(page.locator(".is-cursor")).to_have_text("the")
    keys(page, "f", *"dog did", "Enter", "1")  # over several words
    assert said(page) == "minor error, “dog did”, words 10 to 11"
    keys(page, "f")
    page.locator(".asked").first.click()
    expect(field).to_have_value("")
    keys(page, "j", "2", "Enter")
    done(page)
    assert [text for _, text, _, _ in stored()] == ["dog did"]


FOUND = [  # typed, and what it chooses
    ("en", "a Ärger Œuvre “so” COVID-19", "arg", "Ärger"),
    ("en", "a Ärger Œuvre “so” COVID-19", "oeu", "Œuvre"),
    ("en", "a Ärger Œuvre “so” COVID-19", '"so"', "“so”"),
    ("ar", "قَالَ الرَّجُلُ أَحْسَنْتَ .", "الرجل", "الرَّجُلُ"),
    ("ar", "قَالَ الرَّجُلُ أَحْسَنْتَ .", "اح", "أَحْسَنْتَ"),
    ("hi", "हिन्दी में पढ़ता हूँ ।", "पढ", "पढ़ता"),
    ("ko", "나는 사과를 좋아한다", "좋", "좋아한다"),
]


@pytest.mark.proof
def test_find_in_every_script(page: Page, site: str, annotator):
    texts = [text for _, text, _, _ in FOUND]
    open_at(page, site, annotator, campaign_of(annotator, "mqm-core", texts, categories=[]))
    for number, (_language, _text, typed, _word) in enumerate(FOUND, 1):
        at_item(page, number)
        keys(page, "f")
        page.keyboard.type(typed)
        keys(page, "Enter", "2", "Enter")
    done(page)
    assert [text for _, text, _, _ in stored()] == [word for _, _, _, word in FOUND]


@pytest.mark.proof
def test_find_by_an_input_method(page: Page, site: str, annotator):
    """Keys that belong to the choice of characters do nothing else."""
    text = "我喜欢苹果，也喜欢苹果派。"
    open_at(page, site, annotator, campaign_of(annotator, "mqm-core", [text], categories=[]))
    keys(page, "f")
    session = page.context.new_cdp_session(page)
    session.send(
        "Input.imeSetComposition", {"text": "ping guo", "selectionStart": 8, "selectionEnd": 8}
    )
    session.send(
        "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "1", "windowsVirtualKeyCode": 229}
    )
    session.send("Input.insertText", {"text": "苹果"})
    expect(page.locator("[data-label]")).to_have_count(2)
    keys(page, "2", "3", "Enter")
    done(page)
    start = text.rindex("苹果")
    assert list(ErrorSpan.objects.values_list("start", "severity")) == [(start, "major")]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_by_sentences(page: Page, site: str, annotator, language):
    text = (
        "One two . Three 😀 four . Five six ." if language == "en" else "قال نعم . ثم قال لا . لا ."
    )
    open_at(page, site, annotator, campaign_of(annotator, "esa", [text], language=language))
    starts = [0, *(i + 2 for i, letter in enumerate(text[:-1]) if letter == ".")]
    on, back = ("ArrowRight", "ArrowLeft") if language == "en" else ("ArrowLeft", "ArrowRight")
    words = text.split()
    shown = page.locator(".output .segment-text")
    shown.evaluate("text => text.removeAttribute('data-sentences')")
    keys(page, f"Control+{on}", f"Control+{on}")  # one sentence, as far as the page knows
    assert said(page) == f"“.”, word {len(words)} of {len(words)}"
    keys(page, "Home")
    shown.evaluate("(text, starts) => { text.dataset.sentences = starts.join(' ') }", starts)
    keys(page, f"Control+{on}")
    assert said(page) == f"“{words[3]}”, word 4 of {len(words)}"
    keys(page, f"Control+Shift+{on}", "1", "Escape", f"Control+{back}", f"Control+{back}", "1")
    assert said(page) == f"minor error, “{words[0]}”, word 1 of {len(words)}"


def test_categories_by_letters_and_again(page: Page, site: str, annotator, axe):
    words = "one two three four five six seven"
    open_at(page, site, annotator, campaign_of(annotator, "mqm", [words, words], most_errors=9))
    keys(page, "ArrowRight", "3")
    assert said(page).startswith("major error, “one”, word 1 of 7. Category: a Accuracy, f Fluency")
    keys(page, "j", "n")  # no keys of the screen now, and no category either
    expect(page.locator("#status")).to_have_text("No category has this letter.")
    axe(page)
    keys(page, "f")
    assert "g Grammar, s Spelling" in said(page)
    keys(page, "Backspace", "f", "s")
    assert said(page) == "major error, “one”, word 1 of 7, Fluency: Spelling"
    keys(page, "ArrowRight", "2", "s", "u")
    keys(page, "ArrowRight", "e")  # the last kind again
    assert said(page) == "minor error, “three”, word 3 of 7, Style: Unnatural or awkward"
    keys(page, "ArrowRight", "5")  # the one before it
    assert said(page) == "major error, “four”, word 4 of 7, Fluency: Spelling"
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="minor, Style: Unnatural or awkward").click()
    keys(page, "ArrowRight", "1", "5")  # a category alone
    page.get_by_role("button", name="Category: Spelling").click()
    page.get_by_role("button", name="Locale convention …").click()
    page.get_by_role("button", name="Currency format").click()
    keys(page, "Enter")
    at_item(page, 2)
    keys(page, "ArrowRight", "e")  # on the next item, too
    assert said(page) == "neutral error, “one”, word 1 of 7, Locale convention: Currency format"
    page.get_by_role("combobox").select_option(label="Register")
    keys(page, "ArrowRight", "3", "Escape", "Enter")  # nothing is sent without a category
    expect(page.locator(".is-choosing")).to_have_count(1)
    keys(page, "7", "Enter")
    done(page)
    spelling, awkward = "fluency/spelling", "style/unnatural or awkward"
    currency = "locale convention/currency format"
    assert [(text, severity, category) for _, text, severity, category in stored()] == [
        ("one", "major", spelling),
        ("two", "minor", awkward),
        ("three", "minor", awkward),
        ("four", "major", spelling),
        ("five", "minor", awkward),
        ("six", "neutral", currency),
        ("one", "neutral", "fluency/register"),
        ("two", "major", currency),
    ]


def test_without_errors_two_keys(page: Page, site: str, annotator):
    """ESA: the high end and Enter; MQM: "no errors" and Enter. The expected input is always
    stated."""
    open_at(page, site, annotator, campaign_of(annotator, "esa", [TEXT] * 3))
    keys(page, "-", "Enter")
    at_item(page, 2)
    keys(page, "Enter")
    expect(page.locator("input[type=range]")).to_be_focused()
    expect(page.locator("#go")).to_have_text("No errors marked · give the score")
    keys(page, "k", "ArrowRight", "1")  # a word is chosen: a severity
    expect(page.locator("#go")).to_have_text("Errors marked: 1 · give the score")
    keys(page, "2")
    assert said(page) == "major error, “The”, word 1 of 15"
    keys(page, "0")  # with an error marked, no digit is the score unawares
    expect(page.locator("#go")).to_have_text("Errors marked: 1 · give the score")
    keys(page, "Enter", "0", "Enter")
    at_item(page, 3)
    keys(page, "1", "Enter")  # low, and nothing marked: it asks
    expect(page.get_by_role("alert").first).to_contain_text("no error is marked")
    keys(page, "Enter")
    done(page)
    assert [score for name, score in scores() if name == "esa"] == [100, 0, 10]


def test_without_errors_in_mqm_two_keys(page: Page, site: str, annotator):
    open_at(page, site, annotator, campaign_of(annotator, "mqm"))
    keys(page, "0", "Enter")
    done(page)
    assert scores() == [("mqm", 0)]


def focused(page: Page) -> str:
    """Return the part of the screen that has the focus: a text, a tool, or the area next to
    them."""
    return page.evaluate(
        """() => {
          const node = document.activeElement;
          if (node.matches(".span-text")) return node.closest(".given") ? "source" : "target";
          return node.closest(".span-tools") ? "tools" : node.id || node.tagName;
        }"""
    )


def test_tab_takes_the_caret_to_the_other_side_and_then_on(page: Page, site: str, annotator):
    """To the sentence opposite, once; back to the word that it came from; and it holds nobody."""
    campaign = campaign_of(annotator, "mqm", ["One two three . Four five six . Seven eight nine ."])
    Segment.objects.update(source="Eins zwei drei . Vier fünf sechs . Sieben acht neun .")
    open_at(page, site, annotator, campaign)
    target = page.locator(".output .span-text")
    target.focus()
    keys(page, "Tab")  # no word yet: on to the tools, as anywhere
    assert focused(page) == "tools"
    keys(page, "Shift+Tab", "Home", *["ArrowRight"] * 5)
    assert said(page) == "“five”, word 6 of 12"
    keys(page, "Tab")
    assert (focused(page), said(page)) == ("source", "Source: “Vier”, word 5 of 12")
    for key in ("Shift+Tab", "Escape"):
        keys(page, "ArrowRight", key)
        assert (focused(page), said(page)) == ("target", "Translation 1: “five”, word 6 of 12")
        keys(page, "Tab")
    keys(page, "1")
    expect(page.locator(".given .look-neutral")).to_have_text("Vier")
    keys(page, "o", "Tab")
    assert focused(page) == "tools"
    expect(page.locator(".span-list li")).to_have_count(1)
    keys(page, "Shift+Tab", "Shift+Tab")  # and backwards, out of the text
    assert focused(page) not in ("target", "tools")
    target.focus()
    keys(page, "End", "a", "ArrowLeft")  # this key goes to the same place
    assert said(page) == "“Sieben”, word 9 of 12"


def test_tab_goes_on_where_there_is_one_side(page: Page, site: str, annotator):
    open_at(page, site, annotator, campaign_of(annotator, "esa"))
    keys(page, "ArrowRight")
    assert focused(page) == "target"
    keys(page, "Tab")
    assert focused(page) == "tools"
