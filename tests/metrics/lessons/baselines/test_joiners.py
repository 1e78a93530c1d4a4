"""Tokens that can be joined again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.lessons.baselines.casing import Casing, first_word, with_capital
from metrics.lessons.baselines.joiners import JOINER, text_of, tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("“We laughed,” she said.", ["“￭", "We", "laughed", "￭,", "￭”", "she", "said", "￭."]),
        ("at eight o'clock, 3.5 km", ["at", "eight", "o'clock", "￭,", "3.5", "km"]),
        ("Нажаль,я", ["Нажаль", "￭,￭", "я"]),
        ("and/or (both)", ["and", "￭/￭", "or", "(￭", "both", "￭)"]),
        ("北京 3号", ["北", "￭京", "3", "￭号"]),
        ("किताब है।", ["किताब", "है", "￭।"]),
        ("  ", []),
    ],
)
def test_tokens_of_a_text(text, tokens):
    assert tokens_of(text) == tokens


@given(st.text(max_size=40))
def test_a_text_comes_back_but_for_its_white_space(text):
    expected = " ".join(text.replace(JOINER, "").split())
    assert text_of(tokens_of(text)) == expected
    assert all(tokens_of(text))


def test_the_first_word_is_written_as_it_is_inside_of_sentences():
    casing = Casing([tokens_of("Heute fährt die Fähre."), tokens_of("Der See ist groß, die Fähre")])
    assert casing.without_first(tokens_of("Die Fähre")) == ["die", "Fähre"]
    assert casing.without_first(tokens_of("„Fähre“")) == ["„￭", "Fähre", "￭“"]
    assert casing.without_first(["Xanthippe"]) == ["Xanthippe"]
    assert casing.without_first(["￭."]) == ["￭."]
    assert first_word(["„￭", "3", "Tage"]) == 2


def test_sentences_begin_with_a_capital():
    assert with_capital("“we laughed”") == "“We laughed”"
    assert with_capital("3 days") == "3 days"
    assert with_capital("北京") == "北京"
    assert with_capital("") == ""
