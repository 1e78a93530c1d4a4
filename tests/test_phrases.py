"""No phrase that sounds translated is left (tests/phrases.py)."""

import pytest

from tests import phrases


def test_no_phrase_is_left():
    left = [f"{path}:{line}: {phrase}" for path, line, phrase in phrases.found()]
    assert not left, "\n".join(left)


@pytest.mark.parametrize("text", ["Ask\n whom?", "Look into your mail", "a door", "are told apart"])
def test_phrases_are_recognized(text):
    assert phrases.PATTERN.search(text)


@pytest.mark.parametrize("text", ["outdoor", "retold", 'says="texts brought"'])
def test_other_words_are_not(text):
    assert not phrases.PATTERN.search(phrases.STORED.sub("", text))
