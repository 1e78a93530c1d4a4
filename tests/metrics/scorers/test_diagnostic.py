from collections import Counter
from dataclasses import FrozenInstanceError
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance
from nltk.util import ngrams
from sacrebleu.metrics.lib_ter import translation_edit_rate

from metrics.scorers import get_scorer
from metrics.scorers.diagnostic import CAVEAT, LABELS, SAME, Ngram, diagnose
from metrics.scorers.word_edits import align, align_shifted

from .texts import corpora

WORDS = st.lists(st.sampled_from("abcdef"), max_size=12)


@settings(max_examples=300, deadline=None)
@given(output=WORDS, reference=WORDS)
def test_operations_turn_the_output_into_the_reference(output, reference):
    operations = align(output, reference)
    assert [word for run in operations for word in run.output] == output
    assert [word for run in operations for word in run.reference] == reference
    assert sum(run.edits for run in operations) == edit_distance(output, reference)
    for run in operations:
        assert (run.kind == "match") == (run.output == run.reference)
        assert (run.kind == "insertion") == (not run.output)
        assert (run.kind == "deletion") == (not run.reference)
    kinds = [run.kind == "match" for run in operations]
    assert all(before != after for before, after in pairwise(kinds))


@settings(max_examples=100, deadline=None)
@given(texts=corpora(max_segments=1), tokenize=st.sampled_from(["13a", "char"]))
def test_scores_and_ngrams_are_those_of_the_metrics(texts, tokenize):
    [output], streams = texts
    references = [stream[0] for stream in streams]
    found = diagnose(output, references, tokenize=tokenize, lowercase=False)
    for slug, value in (("neva", found.neva), ("waft", found.waft)):
        scorer = get_scorer(slug, tokenize=tokenize)
        assert value == scorer.segment_scores(scorer.statistics([output], streams))[0]
    assert found.difference == found.neva - found.waft
    assert found.edits == edit_distance(found.output, found.references[found.nearest])
    there = [n for n, text in enumerate(references) if text is not None]
    assert [(part.reference, part.order) for part in found.ngrams] == [
        (number, order) for number in there for order in range(1, 5)
    ]
    for part in found.ngrams:
        ours = Counter(ngrams(found.output, part.order))
        theirs = Counter(ngrams(found.references[part.reference], part.order))
        assert counted(part.found) == ours & theirs
        assert counted(part.found) + counted(part.not_found) == ours
        assert counted(part.found) + counted(part.missing) == theirs


def counted(listed: tuple[Ngram, ...]) -> Counter:
    return Counter({ngram.words: ngram.count for ngram in listed})


@pytest.mark.parametrize(
    ("output", "reference", "label"),
    [
        # Forsbom 2003.
        ("Bottom cylinder", "Cylinder bottom", "order suspected"),
        ("bottom cylinder", "cylinder bottom", "order suspected"),
        ("cable harness for fuel pump", "fuel pump cable harness", "order suspected"),
        ("check the check valve .", "check the non-return valve .", "word choice"),
        ("sealing ring", "seal", "addition"),
        # NEVA exceeds WAFT, and yet two of four words are wrong: that is why the label says
        # "suspected".
        ("z w a b", "a b x y", "order suspected"),
        # The same words, one of them moved: order, although WAFT is higher.
        ("he said it again yesterday in town", "he said yesterday it again in town", None),
        ("the pump is off", "the pump is not off", "omission"),
        ("the pump is not off", "the pump is off", "addition"),
        ("", "a", "omission"),
        ("a", "", "addition"),
        ("a", "b", "word choice"),
        ("a b c", "a b c", "none"),
        ("", "", "none"),
        # One word too many here, another missing there.
        ("a x b c d", "a b c y d", "none"),
    ],
)
def test_labels(output, reference, label):
    found = diagnose(output, [reference])
    assert found.label == (label or "order suspected")
    if output == reference:
        assert found.explanation == SAME
    else:
        assert found.explanation == f"{LABELS[found.label]} {found.reason} {CAVEAT}"


@settings(max_examples=300, deadline=None)
@given(output=WORDS, reference=WORDS)
def test_shifts_are_those_of_ter(output, reference):
    """As many edits as counted by sacreBLEU, and together they yield the reference."""
    found = align_shifted(output, reference)
    assert found.edits == translation_edit_rate(output, reference)[0]
    words = [word for run in found.operations for word in run.output]
    assert sorted(words) == sorted(output)
    assert [word for run in found.operations for word in run.reference] == reference
    assert found.n_shifts or found.operations == align(output, reference)
    assert any(run.kind == "shift" for run in found.operations) == bool(found.n_shifts)


def test_what_was_moved_is_one_edit():
    found = diagnose("Bottom cylinder", ["Cylinder bottom"])
    assert [(run.kind, run.output) for run in found.shifted.operations] == [
        ("match", ("cylinder",)),
        ("shift", ("bottom",)),
    ]
    assert (found.shifted.edits, found.shifted.n_shifts, found.edits) == (1, 1, 2)


def test_the_figures_behind_the_label():
    found = diagnose("cable harness for fuel pump", ["fuel pump cable harness"])
    assert found.neva == pytest.approx(32.5) and found.waft == 0
    assert found.length_difference == 1 and found.displaced == 2
    assert found.reason == (
        "NEVA is 32.5 points above WAFT, and the output is 1 word longer than the nearest "
        "reference. At least 2 shared words are out of place."
    )
    found = diagnose("a b c e", ["a b c d"])
    assert found.reason == (
        "NEVA is 27.1 points below WAFT, and the output is as long as the nearest reference."
    )
    assert diagnose("a", ["b c d"]).reason == (
        "NEVA equals WAFT, and the output is 2 words shorter than the nearest reference."
    )


def test_neva_above_waft_with_several_references_is_no_sign_of_order():
    # Each half is in another reference, so that NEVA finds more than the edits to either preserve.
    found = diagnose("a b c d e f", ["a b c d x y", "u v w d e f"])
    assert found.difference > 0 and found.displaced == 0
    assert found.label == "word choice"


def test_the_nearest_of_several_references():
    found = diagnose("the red cat", ["a dog", None, "the red hat", "the red cap"])
    assert found.nearest == 2
    assert found.references[1] is None and found.references[2] == ("the", "red", "hat")
    assert [(run.kind, run.output, run.reference) for run in found.operations] == [
        ("match", ("the", "red"), ("the", "red")),
        ("substitution", ("cat",), ("hat",)),
    ]
    assert {part.reference for part in found.ngrams} == {0, 2, 3}


def test_neighboring_edits_are_one_run():
    found = diagnose("the clip is loose", ["the hose clamp is loose"])
    run = found.operations[1]
    assert (run.kind, run.output, run.reference) == ("substitution", ("clip",), ("hose", "clamp"))
    assert run.edits == found.edits == 2


def test_ngrams_in_the_order_of_the_texts():
    unigrams, bigrams, *_ = diagnose("a a b", ["b a c"]).ngrams
    assert unigrams.found == (Ngram(("a",), 1), Ngram(("b",), 1))
    assert unigrams.not_found == (Ngram(("a",), 1),) and unigrams.missing == (Ngram(("c",), 1),)
    assert bigrams.found == ()
    assert bigrams.missing == (Ngram(("b", "a"), 1), Ngram(("a", "c"), 1))


def test_options_and_what_is_refused():
    assert diagnose("The cat.", ["the cat."], lowercase=False).label == "word choice"
    assert diagnose("The cat.", ["the cat."]).label == "none"
    assert diagnose("我们。", ["我们。"], tokenize="zh").output == ("我", "们", "。")
    assert {part.order for part in diagnose("a", ["a"], max_order=2).ngrams} == {1, 2}
    with pytest.raises(ValueError, match="Unknown tokenizer 'x'"):
        diagnose("a", ["a"], tokenize="x")
    for references in ([], [None]):
        with pytest.raises(ValueError, match="reference"):
            diagnose("a", references)
    with pytest.raises(FrozenInstanceError):
        diagnose("a", ["a"]).label = "none"


def test_a_line_of_ten_thousand_words():
    reference = [f"w{n}" for n in range(10_000)]
    output = ["x" if n % 1000 == 7 else word for n, word in enumerate(reference)]
    found = diagnose(" ".join(output), [" ".join(reference)])
    assert found.edits == 10 and found.label == "word choice" and found.waft == 99.9
