import random

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import (
    BeamEditDistance,
    _flip_trace,
    trace_to_alignment,
    translation_edit_rate,
)

from metrics.scorers import get_scorer
from metrics.scorers.edit_matrix import EditMatrix
from metrics.scorers.edits import EncodedReference, _Search, count_edits

from .oracle import agree, segments_agree
from .texts import corpora

pytestmark = pytest.mark.slow

OPTIONS = ["normalized", "no_punct", "asian_support", "case_sensitive"]


@settings(max_examples=100, deadline=None)
@given(texts=corpora(), chosen=st.sets(st.sampled_from(OPTIONS)))
def test_statistics_and_scores_are_sacrebleus(texts, chosen):
    options = dict.fromkeys(chosen, True)
    metric, scorer = sacrebleu.TER(**options), get_scorer("ter", **options)
    agree(scorer, metric, *texts)
    segments_agree(scorer, metric, *texts)


def shuffled(rng: random.Random, vocabulary: int, length: int) -> tuple[list[str], list[str]]:
    """Return a reference and an output made from it by edits and by moving blocks."""
    reference = [str(rng.randrange(vocabulary)) for _ in range(length)]
    output = list(reference)
    for _ in range(rng.randint(0, 10)):
        at = rng.randrange(len(output) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            del output[at : at + 1]
        elif kind == 1:
            output.insert(at, str(rng.randrange(vocabulary)))
        elif kind == 2:
            output[at : at + 1] = [str(rng.randrange(vocabulary + 3))]
        else:
            block = output[at : at + rng.randint(1, 14)]
            del output[at : at + len(block)]
            to = rng.randint(0, len(output))
            output[to:to] = block
    return output, reference


@pytest.mark.proof
@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    vocabulary=st.sampled_from([2, 5, 20, 60]),
    length=st.sampled_from([1, 5, 15, 30, 45]),
)
def test_edits_with_blocks_moved_are_sacrebleus(seed, vocabulary, length):
    output, reference = shuffled(random.Random(seed), vocabulary, length)
    expected, _ = translation_edit_rate(output, reference)
    assert count_edits(output, EncodedReference(reference)) == expected


def rotated(rng: random.Random, vocabulary: int) -> tuple[list[str], list[str]]:
    """Return a reference and an output with a long passage moved or replaced, so that the beam
    matters."""
    reference = [str(rng.randrange(vocabulary)) for _ in range(rng.choice([20, 26, 60, 120]))]
    at, other = rng.randrange(len(reference)), rng.randrange(60)
    output = reference[at:] + [str(rng.randrange(vocabulary)) for _ in range(other)]
    return output + reference[: rng.randrange(at + 1)], reference


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), vocabulary=st.sampled_from([2, 6, 40, 1000]))
def test_alignments_within_the_beam_are_sacrebleus(seed, vocabulary):
    output, wanted = rotated(random.Random(seed), vocabulary)
    cost, trace = BeamEditDistance(wanted)(output)
    reference = EncodedReference(wanted)
    matrix = EditMatrix(reference.masks, len(wanted), len(output))
    numbers = [*map(ord, reference.read(output))]
    alignment = matrix.align_in_beam(numbers)
    assert alignment.cost == cost
    # sacreBLEU's own reading of its trace, which it first reverses from output → reference.
    position, reference_errors, output_errors = trace_to_alignment(_flip_trace(trace))
    assert alignment.position == [position[place] for place in range(len(wanted))]
    assert _errors(alignment.next_output_error) == output_errors
    assert _errors(alignment.next_reference_error) == reference_errors
    without = matrix.align(numbers)
    assert matrix.beam_matters(without.cost) or without == alignment


def _errors(next_error: list[int]) -> list[int]:
    return [int(place == at) for at, place in enumerate(next_error[:-1])]


@pytest.mark.parametrize("seed", [3, 7, 8])
def test_edits_where_the_beam_matters_are_sacrebleus(seed):
    output, wanted = rotated(random.Random(seed), 300)
    output, wanted = output[:70], wanted[:70]
    assert count_edits(output, EncodedReference(wanted)) == translation_edit_rate(output, wanted)[0]


def test_the_beam_changes_a_distance():
    # The cheapest path inserts thirty words and thereby leaves the beam of 25.
    wanted = [str(n) for n in range(80)]
    output = wanted[30:] + ["x"] * 30
    reference = EncodedReference(wanted)
    search = _Search(reference, len(output))
    within, without = search.distances(reference.read(output), 10**6)
    assert without == 60 < within
    assert count_edits(output, reference) == translation_edit_rate(output, wanted)[0]


def test_the_limit_of_candidates_ends_the_search():
    rng = random.Random(3)
    output, wanted = ([str(rng.randrange(3)) for _ in range(60)] for _ in range(2))
    reference = EncodedReference(wanted)
    hypothesis = reference.read(output)
    search = _Search(reference, len(output))
    _, plain = search.distances(hypothesis, 10**6)
    assert search.candidates(hypothesis, plain) == []
    assert search._checked >= 1000
    assert count_edits(output, reference) == translation_edit_rate(output, wanted)[0]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits", "length"),
    [
        ("d e f g h a b c", "a b c d e f g h", 1, 8),
        ("a b c d e f c", "a d e b c f", None, 6),
        ("a b c", "", 3, 0),
        ("", "", 0, 0),
        ("", "a b", 2, 2),
    ],
)
def test_small_examples(hypothesis, reference, edits, length):
    stats = get_scorer("ter").statistics([hypothesis], [[reference]])[0]
    expected, _ = translation_edit_rate(hypothesis.split(), reference.split())
    assert stats.tolist() == [expected if edits is None else edits, length]


def test_the_examples_with_known_rates(golden):
    scorer = get_scorer("ter")
    for example in golden["bleu"]:
        stats = scorer.statistics([example["hyp"]], [[example["ref"]]])
        assert scorer.segment_scores(stats).tolist() == pytest.approx([100 * example["ter"]])


def test_an_empty_reference_is_all_error():
    scorer = get_scorer("ter")
    assert scorer.score([3, 0]) == 100
    assert scorer.score([0, 0]) == 0


def test_ten_thousand_words():
    # Words that occur once and are replaced by words that occur nowhere: as many edits.
    reference = [f"w{n}" for n in range(10_000)]
    output = ["x" if n % 1000 == 7 else word for n, word in enumerate(reference)]
    stats = get_scorer("ter").statistics([" ".join(output)], [[" ".join(reference)]])
    assert stats.tolist() == [[10, 10_000]]
