"""Where sentences begin: offsets in code points, in the languages that campaigns have."""

import random
import time

import pytest

from judgments.files import sentences
from judgments.files.sentences import LONGEST, sentence_starts
from judgments.templatetags.protocols import text_attributes

# What a reader takes for its sentences, by language.
TEXTS = {
    "en": ["Dr. Smith came on Jan. 3, 2020. ", "He met Mr. Jones (late!). ", "It cost $3.50."],
    "de": [
        "Das ist z. B. ein Satz. ",
        "Am 3. Oktober war es so weit. ",
        "„Was ist das?“, fragte er.",
    ],
    "cs": ["To je např. věta. ", "Dne 3. října 1990 se to stalo. ", "Šel domů."],
    "zh-Hant": ["這是第一句話。", "這是第二句！", "最後一句沒有標點"],
    "ja": ["これは最初の文です。", "これは二番目です！", "終わり"],
    "ar": ["هذه هي الجملة الأولى. ", "وهذه هي الثانية؟ ", "نعم، صحيح!"],
    "hi": ["यह पहला वाक्य है। ", "क्या यह दूसरा है? ", "हाँ।"],
    "mis": ["One.  ", "Two."],
}


@pytest.mark.parametrize("language", TEXTS)
def test_sentences_of_a_language(language):
    starts = [sum(map(len, TEXTS[language][:n])) for n in range(len(TEXTS[language]))]
    assert sentence_starts("".join(TEXTS[language]), language) == starts


def test_offsets_are_code_points_and_stand_on_a_word():
    assert sentence_starts("😀😀 Yes. 👨‍👩‍👧 went. No.", "en") == [0, 8, 20]
    assert sentence_starts("One.\n\n  Two.", "en") == [0, 8]
    assert sentence_starts("  \n\n One. Two.", "en") == [0, 10]


@pytest.mark.parametrize(
    "text", ["", "One sentence", "One sentence.", "(“Really?!”) \n", "..." * 9]
)
def test_one_sentence_costs_nothing(text, monkeypatch):
    monkeypatch.setattr(sentences, "split", lambda *_: pytest.fail("it was split"))
    assert sentence_starts(text, "en") == []
    assert text_attributes(text, "en", "ltr") == ' lang="en" dir="ltr"'


def test_the_attribute():
    assert text_attributes("One. Two.", "en", "ltr").endswith(' data-sentences="0 5"')


def test_any_text_is_split_or_left_whole():
    """A panic of the library's Rust on an odd text is not one of the page."""
    panics = '??"B\tz \x00?"!\t‘…z？1«‘\nB\u2029.\n۔!\u200d”‘]؟”？\u2029\r]'
    assert sentence_starts(panics, "en") == []
    draw = random.Random(1)
    for _ in range(3000):
        text = "".join(draw.choices("ab A.!?。…“”()\n é\u0301\u200d😀\x00\u2029\r।؟z", k=60))
        starts = sentence_starts(text, draw.choice(["en", "de", "zh", "ar", "hi", "x"]))
        assert starts == sorted(set(starts)) and len(starts) != 1
        assert all(0 <= start < len(text) for start in starts)
        assert all(text[start].strip() for start in starts[1:])


@pytest.mark.parametrize("unit", ["a. ", "“", ".", "A.", "\n", "“. "])
def test_long_texts_take_no_longer_than_a_page(unit):
    begun = time.perf_counter()
    sentence_starts(unit * (LONGEST // len(unit)), "en")
    sentence_starts(unit * 1_000_000, "en")
    assert time.perf_counter() - begun < 2
