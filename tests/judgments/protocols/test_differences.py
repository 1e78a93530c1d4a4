"""Differences between two translations."""

import difflib

from hypothesis import given
from hypothesis import strategies as st

from judgments.protocols.differences import differences
from judgments.protocols.tokens import words_of


def marked(pieces) -> str:
    return "".join(f"[{piece.text}]" if piece.differs else piece.text for piece in pieces)


def test_changed_added_and_left_out_words():
    first, second = differences("The cat sat there .", "A cat sat on the mat .")
    assert marked(first) == "[The] cat sat [there] ."
    assert marked(second) == "[A] cat sat [on the mat] ."
    assert [marked(p) for p in differences("same words", "same words")] == ["same words"] * 2
    assert [marked(p) for p in differences("", "all new")] == ["", "[all new]"]
    assert marked(differences("我们去了", "我们走了")[1]) == "我们[走]了"


TEXTS = st.lists(st.sampled_from(["a", "b", "c", ".", "<b>", "é"]), max_size=12).map(" ".join)


@given(TEXTS, TEXTS)
def test_pieces_are_the_text_and_the_rest_is_common(a, b):
    """Against difflib: the unmarked part is a subsequence of both, at least as long as
    difflib's."""
    first, second = differences(a, b)
    assert "".join(piece.text for piece in first) == a
    assert "".join(piece.text for piece in second) == b
    same = [
        [word for piece in side if not piece.differs for word in words_of(piece.text)]
        for side in (first, second)
    ]
    assert same[0] == same[1]
    blocks = difflib.SequenceMatcher(None, words_of(a), words_of(b), False).get_matching_blocks()
    assert len(same[0]) >= sum(block.size for block in blocks)


def test_of_several_what_most_others_lack():
    texts = ["a cat sat", "a cat sat", "a dog sat", "the cat sat on"]
    shown = [marked(each) for each in differences(*texts)]
    assert shown == ["a cat sat", "a cat sat", "a [dog] sat", "[the] cat sat [on]"]
    all_other = [marked(each) for each in differences("x", "y", "z")]
    assert all_other == ["[x]", "[y]", "[z]"]
    assert [marked(each) for each in differences("alone")] == ["alone"]


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_pieces_of_several_are_their_texts(texts):
    found = differences(*texts)
    assert ["".join(piece.text for piece in each) for each in found] == texts


@given(TEXTS, st.integers(2, 5))
def test_several_that_are_the_same_do_not_differ(text, n):
    assert not any(piece.differs for each in differences(*[text] * n) for piece in each)
