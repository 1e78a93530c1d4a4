"""The alignment of METEOR: as many links as there can be, in as few chunks."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scorers import get_scorer, meteor, meteor_runs
from metrics.scorers.meteor_alignment import MeteorReference, align
from metrics.scorers.meteor_words import Words

from .small_dictionary import (
    RELATED,
    SYNSETS,
    SmallWordNet,
    Snowball,
    related_texts,
)


def all_alignments(options: list[dict[int, int]], place: int = 0, used: frozenset = frozenset()):
    if place == len(options):
        yield ()
        return
    for link in (-1, *options[place]):
        if link < 0 or link not in used:
            for rest in all_alignments(options, place + 1, used | {link} if link >= 0 else used):
                yield (link, *rest)


def judged(links, options) -> tuple[int, int]:
    """Return the weight of the links, and minus the number of chunks."""
    worth = sum(options[place][link] for place, link in enumerate(links) if link >= 0)
    chunks = sum(
        link >= 0 and not (before >= 0 and link == before + 1)
        for before, link in pairwise((-1, *links))
    )
    return worth, -chunks


@given(
    st.lists(st.sampled_from(RELATED), max_size=7), st.lists(st.sampled_from(RELATED), max_size=7)
)
def test_no_alignment_has_more_links_or_fewer_chunks(ours, theirs):
    vocabulary = ["", *dict.fromkeys(RELATED)]
    known = Words("en", SmallWordNet(), True)
    known.learn(vocabulary)
    known.read_references(map(vocabulary.index, theirs))
    stem = Snowball().stem
    options = [
        {
            place: 2 if a == b else 1
            for place, b in enumerate(theirs)
            if stem(a) == stem(b) or any(a in synset and b in synset for synset in SYNSETS)
        }
        for a in ours
    ]
    reference = MeteorReference([vocabulary.index(word) for word in theirs], known)
    links = align([vocabulary.index(word) for word in ours], reference, known)
    linked = [link for link in links if link >= 0]
    assert len(linked) == len(set(linked))
    best = max(judged(choice, options) for choice in all_alignments(options))
    assert judged(links, options) == best


def chunks_of(output: str, reference: str, **options) -> float:
    scorer = get_scorer("meteor", **options)
    return scorer.statistics([output], [[reference]])[0, 5]


def test_fewest_chunks_where_greedy_finds_more():
    # The first "the" of the output belongs to "the cat", which greedy gives to the last "the".
    output, reference = "the cat sat", "on the cat sat the mat"
    assert chunks_of(output, reference) == 1
    assert chunks_of(output, reference, alignment="fewest-chunks") == 1
    assert chunks_of(output, reference, alignment="greedy") == 2


def few_words(rng) -> list[str]:
    return rng.choice(
        ["run", "runs", "race", "the", "the", "big", "."], rng.integers(1, 8)
    ).tolist()


def test_longest_runs_have_as_many_links_and_hardly_more_chunks(no_wordnet):
    """Against all alignments of 400 pairs of short texts full of the same words."""
    rng, stem = np.random.default_rng(3), Snowball().stem
    scorer = get_scorer("meteor", tokenize="none")
    texts = [(few_words(rng), few_words(rng)) for _ in range(400)]
    ours, theirs = ([" ".join(words) for words in side] for side in zip(*texts, strict=True))
    rows = scorer.statistics(ours, [theirs])
    found = np.stack([2 * rows[:, 2] + rows[:, 3], -rows[:, 5]], axis=1)
    best = []
    for output, reference in texts:
        options = [
            {j: 2 if a == b else 1 for j, b in enumerate(reference) if stem(a) == stem(b)}
            for a in output
        ]
        best.append(max(judged(choice, options) for choice in all_alignments(options)))
    assert found[:, 0].tolist() == [worth for worth, _ in best]
    chunks, fewest = -found[:, 1].sum(), -sum(chunks for _, chunks in best)
    assert fewest <= chunks <= 1.015 * fewest


@given(st.lists(st.tuples(related_texts, related_texts), min_size=1, max_size=6))
def test_a_segment_is_aligned_the_same_among_others(texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meteor, "find_wordnet", SmallWordNet)
        scorer = get_scorer("meteor")
    together = scorer.statistics(*[[ours for ours, _ in texts], [[other for _, other in texts]]])
    alone = [scorer.statistics([ours], [[theirs]])[0] for ours, theirs in texts]
    np.testing.assert_array_equal(together, alone)


def test_very_many_links_are_made_in_parts(monkeypatch, no_wordnet):
    rng = np.random.default_rng(4)
    ours, theirs = ([" ".join(few_words(rng)) for _ in range(50)] for _ in range(2))
    scorer = get_scorer("meteor")
    expected = scorer.statistics(ours, [theirs])
    monkeypatch.setattr(meteor_runs, "_AT_ONCE", 7)
    np.testing.assert_array_equal(scorer.statistics(ours, [theirs]), expected)


def test_a_group_with_too_many_choices_is_aligned_greedily(no_wordnet):
    words = ["run", "runs", "running"] * 10
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.permutation(words)) for _ in range(2)]
    row = get_scorer("meteor", alignment="fewest-chunks").statistics(texts[:1], [texts[1:]])[0]
    assert row[2:5].tolist() == [30, 0, 0]
