"""Clipped matches against counting with dictionaries, for every kind of key."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers import ngrams
from metrics.scorers.encoding import Encoded
from metrics.scorers.ngrams import clipped_matches, ngram_totals


def counted(streams: list[list[list[int]]], order: int) -> np.ndarray:
    """Return Papineni's clipped counts, by definition."""
    matches = np.zeros((len(streams[0]), order), dtype=int)
    for segment, (hypothesis, *references) in enumerate(zip(*streams, strict=True)):
        for n in range(1, order + 1):
            grams = [
                Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))
                for text in (hypothesis, *references)
            ]
            matches[segment, n - 1] = sum(
                min(count, max(reference[gram] for reference in grams[1:]))
                for gram, count in grams[0].items()
            )
    return matches


def encode(texts: list[list[int]]) -> Encoded:
    ids = np.array([token for text in texts for token in [*text, 0]], dtype=np.int64)
    return Encoded(ids, np.array([len(text) for text in texts], dtype=np.int64))


@st.composite
def streams(draw):
    n_segments = draw(st.integers(1, 5))
    vocabulary = draw(st.sampled_from([[1, 2], [1, 2, 3, 10**6], [1, 5, 2**40], range(1, 40)]))
    text = st.lists(st.sampled_from(list(vocabulary)), max_size=15)
    stream = st.lists(text, min_size=n_segments, max_size=n_segments)
    return draw(st.lists(stream, min_size=2, max_size=5))


@pytest.mark.proof
@pytest.mark.parametrize("block", [1, 40, 50_000])
@pytest.mark.parametrize("key_bits", [64, 24, 0])
@settings(max_examples=100, deadline=None)
@given(texts=streams(), order=st.integers(1, 6))
def test_matches_are_those_counted_with_dictionaries(block, key_bits, texts, order):
    # With fewer bits for a key, texts use the methods for larger vocabularies.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "_BLOCK_TOKENS", block)
        patch.setattr(ngrams, "_KEY_BITS", key_bits)
        hypothesis, *references = (encode(stream) for stream in texts)
        matches = clipped_matches(hypothesis, references, order)
    np.testing.assert_array_equal(matches, counted(texts, order))


def test_totals():
    assert ngram_totals(np.array([0, 1, 5]), 3).tolist() == [[0, 0, 0], [1, 0, 0], [5, 4, 3]]
