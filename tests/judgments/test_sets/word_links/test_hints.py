"""Which words of a source are hinted at, case by case."""

import numpy as np

from judgments.test_sets.word_links.hints import common_words, hinted_words

WORDS = ["The", "old", "cat", "sleeps", "."]
KNOWN = np.array([0.9, 0.9, 0.9, 0.9, 0.9])
COMMON = frozenset({"the"})


def hints(support, linked=(), others=(KNOWN,), words=WORDS):
    return hinted_words(words, np.array(support), linked, list(others), COMMON)


def test_what_nothing_answers_to():
    assert hints([0.9, 0.05, 0.9, 0.9, 0.9]) == [1]


def test_what_both_directions_link_is_no_hint():
    assert hints([0.9, 0.05, 0.9, 0.9, 0.9], linked=[1]) == []


def test_common_words_and_marks_are_no_hints():
    assert hints([0.0, 0.9, 0.9, 0.9, 0.0]) == []


def test_what_no_other_text_translates_is_no_hint():
    unknown = np.array([0.9, 0.2, 0.9, 0.9, 0.9])
    assert hints([0.9, 0.05, 0.9, 0.9, 0.9], others=(unknown, unknown, KNOWN)) == []
    assert hints([0.9, 0.05, 0.9, 0.9, 0.9], others=(unknown, KNOWN)) == []
    assert hints([0.9, 0.05, 0.9, 0.9, 0.9], others=(unknown, KNOWN, KNOWN, KNOWN)) == [1]


def test_without_other_texts_there_are_none():
    assert hints([0.0] * 5, others=()) == []


def test_words_beyond_what_the_aligner_takes_are_no_hints():
    assert hints([0.9, 0.9, 0.9, np.nan, 0.9]) == []


def test_words_that_stand_in_many_sources():
    sources = [["The", "cat"], ["the", "dog"], ["the", "cow"], ["a", "cat"]]
    assert common_words(sources) == {"the"}
