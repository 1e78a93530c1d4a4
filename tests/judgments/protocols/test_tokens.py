"""Words of a text, over many scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.protocols.tokens import SPACES, WORDS, tokens, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n ", []),
        ("Don't stop at 3.5, now.", ["Don't", "stop", "at", "3.5", ",", "now", "."]),
        ("l’eau (1,000)", ["l’eau", "(", "1,000", ")"]),
        ("well-known", ["well", "-", "known"]),
        ("<b>&amp;</b>", ["<", "b", ">", "&", "amp", ";", "<", "/", "b", ">"]),
        ("हिन्दी में।", ["हिन्दी", "में", "।"]),
        ("مرحبًا بكم، نعم", ["مرحبًا", "بكم", "،", "نعم"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("我用Python写2行。", ["我", "用", "Python", "写", "2", "行", "。"]),
        ("かなカナ", ["か", "な", "カ", "ナ"]),
        ("ง่ายที่", ["ง่", "า", "ย", "ที่"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("cafe\u0301 ok", ["cafe\u0301", "ok"]),
        ("👩‍💻👍🏽 ok", ["👩‍💻", "👍🏽", "ok"]),
    ],
)
def test_words(text, words):
    assert words_of(text) == words


def test_spaces_leave_what_was_set_apart():
    assert words_of("do n't  ( yes )", SPACES) == ["do", "n't", "(", "yes", ")"]
    with pytest.raises(ValueError, match="not by 'letters'"):
        tokens("x", "letters")


@given(st.text(), st.sampled_from([WORDS, SPACES]))
def test_places_are_in_order_and_hold_all_but_white_space(text, how):
    places = tokens(text, how)
    edges = [edge for place in places for edge in place]
    assert edges == sorted(edges)
    assert all(start < end for start, end in places)
    inside = "".join(text[start:end] for start, end in places)
    assert inside.split() == ([inside] if inside else [])
    assert inside == "".join(text.split())
