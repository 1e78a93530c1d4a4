import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers import get_scorer

from .texts import corpora


def from_sacrebleu(bleu: sacrebleu.metrics.bleu.BLEUScore) -> float:
    """Return BP · the arithmetic mean of the precisions of the orders for which the text is long
    enough."""
    orders = [p for p, total in zip(bleu.precisions, bleu.totals, strict=True) if total]
    return bleu.bp * float(np.mean(orders)) if orders else 0.0


@settings(max_examples=200, deadline=None)
@given(texts=corpora(), order=st.integers(1, 5), tokenize=st.sampled_from(["13a", "char"]))
def test_precisions_and_penalty_are_sacrebleus(texts, order, tokenize):
    hypotheses, references = texts
    bleu = sacrebleu.BLEU(smooth_method="none", max_ngram_order=order, tokenize=tokenize)
    scorer = get_scorer("neva", max_order=order, tokenize=tokenize)
    stats = scorer.statistics(hypotheses, references)
    expected = from_sacrebleu(bleu.corpus_score(hypotheses, references))
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(expected, rel=1e-12)
    bleu.effective_order = True  # silences a warning, and changes no precision
    for segment, score in enumerate(scorer.segment_scores(stats)):
        texts = [stream[segment] for stream in references if stream[segment] is not None]
        sentence = bleu.sentence_score(hypotheses[segment], texts)
        assert score == pytest.approx(from_sacrebleu(sentence), rel=1e-12)


@pytest.mark.parametrize("tokenize", ["13a", "none"])
def test_forsboms_segments(golden, tokenize):
    scorer = get_scorer("neva", tokenize=tokenize)
    for output, reference, _, _, expected in golden["forsbom"]:
        score = scorer.score(scorer.statistics([output], [[reference]])[0])
        assert score == pytest.approx(100 * expected, abs=5e-5)


def test_the_other_examples_with_known_values(golden):
    scorer = get_scorer("neva", tokenize="none")
    known = [example for example in golden["bleu"] if "neva" in example]
    assert len(known) == 3
    for example in known:
        score = scorer.score(scorer.statistics([example["hyp"]], [[example["ref"]]])[0])
        assert score == pytest.approx(100 * example["neva"], abs=5e-5)


def test_clipped_over_four_references(golden):
    # The passage about Orejuela, lower-cased, has 15/18, 10/17, 5/16, 3/15 and no penalty; the
    # counts themselves are checked with BLEU's tests, and from them follows NEVA.
    counts = golden["orejuela_lowercased"]["counts"]
    stats = [18, 18, *(found for found, _ in counts), *(total for _, total in counts)]
    expected = 100 * np.mean([found / total for found, total in counts])
    assert get_scorer("neva").score(stats) == pytest.approx(expected)


def test_a_corpus_of_short_segments_has_fewer_orders():
    # Only pairs of words: 1-grams 3 of 4 and 2-grams 1 of 2.
    scorer = get_scorer("neva")
    stats = scorer.statistics(["a b", "c d"], [["a b", "c x"]])
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(100 * (3 / 4 + 1 / 2) / 2)


def test_max_order_is_an_integer_and_stands_in_the_signature():
    assert "order:2" in get_scorer("neva", max_order=2).signature(1)
    assert "order" not in get_scorer("neva").signature(1)
    with pytest.raises(ValueError, match="max_order must be an integer"):
        get_scorer("neva", max_order=0)
