from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import kstest

from metrics.scorers import get_scorer
from metrics.scorers.sentinels import length

from .texts import corpora, sentences


def test_examples_of_the_guide():
    ratio = get_scorer("length_ratio")
    stats = ratio.statistics(["the cat sat"], [["the cat sat on the mat"], ["a cat sat there"]])
    assert ratio.score(stats[0]) == 0.75
    source = get_scorer("source_length")
    stats = source.statistics(["", ""], sources=["guten Morgen", "es regnet heute sehr"])
    assert source.score(stats.sum(axis=0)) == 3
    for seed, expected in ((1, 74.86), (2, 58.76)):
        random = get_scorer("random", seed=seed)
        stats = random.statistics(["good morning"], sources=["guten Morgen"])
        assert random.score(stats[0]) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(
    ("text", "words", "characters"),
    [
        ("", 0, 0),
        ("word", 1, 4),
        (" two\u00a0words \n", 2, 8),
        ("👩‍👩‍👧 😀", 2, 6),
        ("e\u0301", 1, 2),
        ("我们在北京", 1, 5),
        ("שלום עולם", 2, 8),
        ("word " * 10_000, 10_000, 40_000),
    ],
)
def test_lengths(text, words, characters):
    assert (length(text, "words"), length(text, "characters")) == (words, characters)


@given(texts=corpora())
def test_the_closest_reference_counts(texts):
    hypotheses, references = texts
    for unit in ("words", "characters"):
        stats = get_scorer("length_ratio", unit=unit).statistics(hypotheses, references)
        segments = zip(stats, hypotheses, zip(*references, strict=True), strict=True)
        for row, hypothesis, others in segments:
            lengths = sorted(length(text, unit) for text in others if text is not None)
            distance = min(abs(other - row[0]) for other in lengths)
            assert row[0] == length(hypothesis, unit)
            assert row[1] == next(n for n in lengths if abs(n - row[0]) == distance)


def test_a_ratio_to_nothing_is_undefined():
    ratio = get_scorer("length_ratio")
    stats = ratio.statistics(["a b", "", "a"], [["", "", "a b"]])
    np.testing.assert_array_equal(ratio.segment_scores(stats), [np.nan, np.nan, 0.5])
    assert ratio.score(stats.sum(axis=0)) == 1.5
    assert dict(ratio.details(stats[2])) == {
        "Output length in words": 1.0,
        "Reference length in words": 2.0,
    }


def test_units_and_seeds_are_checked_and_signed():
    for slug in ("length_ratio", "source_length"):
        with pytest.raises(ValueError, match="unit must be one of words, characters, not 'bytes'"):
            get_scorer(slug, unit="bytes")
    assert "unit:characters" in get_scorer("source_length", unit="characters").signature(0)
    with pytest.raises(ValueError, match="seed must be an integer of at least 0"):
        get_scorer("random", seed=-1)
    assert "seed:7" in get_scorer("random", seed=7).signature(0)


def test_sources_are_needed_and_references_are_not():
    for slug in ("source_length", "random"):
        with pytest.raises(ValueError, match="needs the source texts"):
            get_scorer(slug).statistics(["a"])
        assert get_scorer(slug).statistics(["a"], sources=["b"]).shape == (1, 2)


def test_lots_are_even_and_independent_of_seed_source_and_output():
    n = 20_000
    outputs, sources = [f"o {i % 200}" for i in range(n)], [f"s {i // 200}" for i in range(n)]
    draws = {
        seed: get_scorer("random", seed=seed).statistics(outputs, sources=sources)[:, 0]
        for seed in (1, 2)
    }
    for values in draws.values():
        assert kstest(values / 100, "uniform").pvalue > 0.001
        assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 0.03
    assert abs(np.corrcoef(draws[1], draws[2])[0, 1]) < 0.03


@given(source=sentences(), output=sentences())
def test_lots_come_from_the_digest_that_the_guide_names(source, output):
    text = f"1 {len(source)} {source}{output}".encode("utf-8", "surrogatepass")
    bits = int.from_bytes(blake2b(text, digest_size=8).digest(), "big") // 2**11
    stats = get_scorer("random").statistics(["other", output], sources=["x", source])
    assert stats[1].tolist() == [100 * (bits / 2**53), 1]
    assert 0 <= stats[1, 0] < 100


def test_where_the_source_ends_matters():
    stats = get_scorer("random").statistics(["bc", "c"], sources=["a", "ab"])
    assert stats[0, 0] != stats[1, 0]
