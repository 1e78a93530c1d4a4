from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers.unfound_ngrams import UnfoundNgram, unfound_ngrams

texts = st.lists(
    st.one_of(st.none(), st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)),
    min_size=3,
    max_size=3,
)


def counted(streams, order: int) -> Counter:
    found: Counter = Counter()
    for stream in streams:
        for text in stream:
            words = (text or "").split()
            found.update(tuple(words[i : i + order]) for i in range(max(len(words) - order + 1, 0)))
    return found


@settings(max_examples=200, deadline=None)
@given(left=st.lists(texts, min_size=1, max_size=2), right=st.lists(texts, min_size=1, max_size=2))
def test_runs_counted_one_by_one(left, right):
    for side, (mine, theirs) in enumerate(((left, right), (right, left))):
        expected = {}
        for order in (1, 2, 3):
            there = set(counted(theirs, order))
            shorter = set(counted(theirs, order - 1)) if order > 1 else {()}
            for words, n in counted(mine, order).items():
                parts = {words[1:], words[:-1]}
                if words not in there and parts <= shorter:
                    expected[words] = n
        found = unfound_ngrams(left, right, max_order=3, most=1000)[side]
        assert {each.words: each.count for each in found} == expected
        for each in found:
            for stream, place in each.places:
                run = " ".join(each.words)
                assert f" {run} " in f" {mine[stream][place]} "


def test_what_neither_side_has():
    references = [["the clamp holds", "open the clamp"]]
    outputs = [["the clip holds", "open the clip"], ["the clip holds", None]]
    missing, unwanted = unfound_ngrams(references, outputs)
    assert missing == [UnfoundNgram(("clamp",), 2, 2, ((0, 0), (0, 1)))]
    assert unwanted == [UnfoundNgram(("clip",), 3, 2, ((0, 0), (0, 1), (1, 0)))]


def test_a_longer_run_is_listed_where_its_words_are_known():
    missing, _ = unfound_ngrams([["b a"]], [["a b"]])
    assert [each.words for each in missing] == [("b", "a")]


def test_nothing_to_compare():
    assert unfound_ngrams([], []) == ([], [])
    assert unfound_ngrams([[None, ""]], [[""]]) == ([], [])
