"""Planted phrases over scripts: the published lengths, and what holds for every text."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judgments.plans.controls.phrases import (
    APPRAISE,
    CROWD_ALONE,
    WMT16,
    phrase_length,
    units,
    with_gap,
    with_phrase,
)
from judgments.protocols.tokens import is_mark

ALPHABETS = {
    "en": "abcxyzABC.,'-",
    "cs": "příšerně e\u0301",
    "ar": "ابتثجحخ\u064b\u0650،",
    "he": "אבגדה\u05b8\u05b7",
    "hi": "कखगहिन्दी।\u200d",
    "zh": "我用中文写字，。A1 ",
    "ja": "かなカナ漢字が\u3099 。",
    "th": "ที่ง่ายกขคเแ\u0e31",
    "ko": "한국어문장을",
    "my": "မြန်မာစာ",
}
LANGUAGES = sorted(ALPHABETS)


@st.composite
def texts(draw, language):
    """Words of an alphabet, with white space of several kinds between and around them."""
    words = draw(st.lists(st.text(ALPHABETS[language], max_size=6), max_size=40))
    space = draw(st.sampled_from([" ", "  ", "\n", "\u00a0", "\u3000"]))
    return draw(st.sampled_from(["", " "])) + space.join(words)


@st.composite
def two_texts(draw):
    language = draw(st.sampled_from(LANGUAGES))
    return language, draw(texts(language)), draw(texts(language))


# science: WMT 2016 and later; Appraise; Graham et al. (2015).
@pytest.mark.parametrize(
    ("rule", "language", "lengths"),
    [
        (WMT16, "de", {1: 1, 2: 2, 5: 2, 6: 3, 8: 3, 9: 4, 15: 4, 16: 5, 20: 5, 21: 5, 40: 10}),
        (WMT16, "zh", {5: 2, 40: 10}),
        (APPRAISE, "de", {1: 1, 2: 2, 5: 2, 8: 3, 15: 4, 20: 5, 21: 6, 100: 6}),
        (APPRAISE, "zh-Hans", {1: 2, 5: 4, 8: 6, 15: 8, 20: 10, 21: 12, 100: 12}),
        (APPRAISE, "ko", {20: 10}),
        (APPRAISE, "th", {20: 5}),
        (CROWD_ALONE, "de", {2: 1, 3: 1, 4: 2, 5: 2, 8: 3, 9: 4, 15: 4, 20: 5, 26: 6, 40: 8}),
    ],
)  # fmt: skip
def test_published_lengths(rule, language, lengths):
    assert {n: phrase_length(n, rule, language) for n in lengths} == lengths


@pytest.mark.parametrize(
    ("text", "rule", "language", "expected"),
    [
        (" Don't  stop.", WMT16, "en", ["Don't", "stop."]),
        ("写 2行", WMT16, "zh", ["写", "2", "行"]),
        ("ที่นี่", WMT16, "th", ["ที่", "นี่"]),
        ("か\u3099き", WMT16, "ja", ["か\u3099", "き"]),
        ("한국 어", WMT16, "ko", ["한국", "어"]),
        ("한국 어", APPRAISE, "ko", ["한", "국", "어"]),
        ("👩‍💻好", WMT16, "zh", ["👩‍💻", "好"]),
        ("cafe\u0301 ok", WMT16, "fr", ["cafe\u0301", "ok"]),
    ],
)
def test_units(text, rule, language, expected):
    assert [text[start:end] for start, end in units(text, rule, language)] == expected


@given(two_texts(), st.sampled_from([WMT16, APPRAISE]), st.integers(0, 2**32))
def test_a_planted_phrase(given_texts, rule, seed):
    language, text, donor = given_texts
    planted = with_phrase(text, donor, rule, language, np.random.default_rng(seed))
    before = units(text, rule, language)
    n = len(before)
    length = phrase_length(n, rule, language)
    length = min(length, n - 2) if n > 3 else min(length, n)
    if planted is None:
        # It is empty, the donor is short, or its phrase said the same or would touch a neighbor.
        others = [donor[a:b] for a, b in units(donor, rule, language)]
        same = {text[a:b] for a, b in before} & set(others)
        torn = [unit for unit in others if is_mark(unit[0]) or is_mark(unit[-1])]
        assert n == 0 or len(others) < length or same or torn
        return
    phrase = planted.text[planted.start : planted.end]
    assert planted.text != text
    assert phrase and phrase in donor and not is_mark(phrase[0])
    # What stands around the phrase is the text itself.
    head, tail = planted.text[: planted.start], planted.text[planted.end :]
    assert text.startswith(head) and text.endswith(tail)
    assert len(head) + len(tail) < len(text)
    assert len(units(phrase, rule, language)) == length
    # As many units as before; of more than three the first and the last stay.
    after = [planted.text[start:end] for start, end in units(planted.text, rule, language)]
    assert len(after) == n
    if n > 3:
        assert after[0] == text[slice(*before[0])] and after[-1] == text[slice(*before[-1])]
        assert before[0][1] <= planted.start


@given(two_texts(), st.integers(0, 2**32))
def test_a_gap(given_texts, seed):
    language, text, _ = given_texts
    gapped = with_gap(text, language, np.random.default_rng(seed))
    before = [text[a:b] for a, b in units(text, CROWD_ALONE, language)]
    n = len(before)
    if n < 2:
        assert gapped is None if n == 0 else gapped is None or gapped.text == "The"
        return
    assert gapped is not None and gapped.text != text and gapped.start == gapped.end
    assert text.startswith(gapped.text[: gapped.start])
    assert text.endswith(gapped.text[gapped.end :])
    assume(language not in ("hi", "my"))  # a joiner at a seam may take in what follows it
    after = [gapped.text[a:b] for a, b in units(gapped.text, CROWD_ALONE, language)]
    assert len(after) == n - phrase_length(n, CROWD_ALONE, language)
    assert after[0] == before[0]
    if n > 3:
        assert after[-1] == before[-1]


def test_a_mark_after_a_space_stays_apart():
    gapped = with_gap("。あ \u3099", "ja", np.random.default_rng(0))
    assert gapped is not None and gapped.text in ("。 \u3099", "。あ")


def test_every_place_but_the_ends_is_reached():
    text, donor = "a b c d e f g h", "1 2 3 4 5"
    rng = np.random.default_rng(1)
    found = [with_phrase(text, donor, WMT16, "en", rng) for _ in range(300)]
    assert {p.start for p in found if p} == {2, 4, 6, 8}
    gaps = [with_gap(text, "en", rng) for _ in range(300)]
    assert {p.text for p in gaps if p} == {"a e f g h", "a b f g h", "a b c g h", "a b c d h"}


def test_what_cannot_be_damaged():
    rng = np.random.default_rng(1)
    assert with_phrase("", "1 2", WMT16, "en", rng) is None
    assert with_phrase("a b c d", "1", WMT16, "en", rng) is None
    assert with_phrase("same", "same", WMT16, "en", rng) is None
    assert with_gap(" ", "en", rng) is None
    assert with_gap("The", "en", rng) is None
    assert with_gap("Hello", "en", rng) == ("The", 0, 3)
