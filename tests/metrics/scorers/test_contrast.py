"""N-grams that distinguish two outputs; expected counts by hand, and by plain Python."""

from collections import Counter

import numpy as np

from metrics.scorers.contrast import ORDER, ngram_contrast
from metrics.scorers.tokenizers import get_tokenizer


def contrast(first, second, *references, most=1000):
    encoder = get_tokenizer("none").encoder
    encoded = [encoder.encode(texts) for texts in (first, second, *references)]
    return ngram_contrast(encoded[0], encoded[1], encoded[2:], encoder.vocabulary(), most)


def ngrams(text):
    words = text.split()
    return Counter(
        " ".join(words[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(words) - n + 1)
    )


def test_counts_shares_and_examples():
    found = contrast(["a b a", "c"], ["b", "c d"])
    rows = {
        text: (int(a), int(b), int(i), int(j))
        for text, a, b, i, j in zip(
            found.text,
            found.first,
            found.second,
            found.example_first,
            found.example_second,
            strict=True,
        )
    }
    assert rows == {
        "a": (2, 0, 0, -1),
        "d": (0, 1, -1, 1),
        "a b": (1, 0, 0, -1),
        "b a": (1, 0, 0, -1),
        "c d": (0, 1, -1, 1),
        "a b a": (1, 0, 0, -1),
    }  # b and c distinguish nothing, and no n-gram runs from one segment into the next
    share = dict(zip(found.text, found.share, strict=True))
    np.testing.assert_allclose([share["a"], share["d"]], [3 / 4, 1 / 3])
    assert found.matched_first is None


def test_matches_are_clipped_by_the_best_reference():
    first, second = ["a a a x"], ["x a"]
    found = contrast(first, second, ["a b"], ["a a"])
    place = found.text.index("a")
    assert (found.first[place], found.second[place]) == (3, 1)
    assert (found.matched_first[place], found.matched_second[place]) == (2, 1)
    np.testing.assert_allclose(found.share[place], 3 / 5)
    assert "x" not in found.text  # which no reference has


def test_many_texts_as_plain_python_counts_them():
    rng = np.random.default_rng(5)
    streams = [
        [" ".join(rng.choice(list("abcde"), size=rng.integers(0, 9))) for _ in range(40)]
        for _ in range(4)
    ]
    found = contrast(*streams)
    assert found.matched_first is not None
    assert found.matched_second is not None
    expected = [Counter(), Counter()]
    matched = [Counter(), Counter()]
    for first, second, one, other in zip(*streams, strict=True):
        best = ngrams(one) | ngrams(other)
        for side, text in enumerate((first, second)):
            expected[side] += ngrams(text)
            matched[side] += ngrams(text) & best
    listed = {text for text in matched[0] | matched[1] if matched[0][text] != matched[1][text]}
    assert set(found.text) == listed
    for i, text in enumerate(found.text):
        assert (found.first[i], found.second[i]) == (expected[0][text], expected[1][text])
        assert found.matched_first[i] == matched[0][text]
        assert found.matched_second[i] == matched[1][text]
        assert found.order[i] == len(text.split())


def test_equal_outputs_and_no_words():
    assert contrast(["a b"], ["a b"]).text == []
    assert contrast([""], [""]).text == []
    assert contrast([], []).text == []
    assert contrast([], [], []).text == []
