import sys
from subprocess import run

import numpy as np
import pytest

from metrics.scorers import SCORERS, Scorer, count_references, get_scorer

from .examples import example_of, ready_scorer


@pytest.fixture(params=[slug for slug in SCORERS if slug != "uploaded"])
def scorer(request) -> Scorer:
    if reason := SCORERS[request.param].unavailable():
        pytest.skip(reason)
    return ready_scorer(request.param)


def test_every_metric_is_described(scorer):
    assert SCORERS[scorer.slug] is type(scorer)
    assert scorer.name and scorer.label and scorer.description.endswith(".")
    assert scorer.higher_is_better in (True, False)
    low, high = scorer.score_range
    texts = example_of(scorer)
    scores = scorer.segment_scores(scorer.statistics(*texts.streams))
    # A score of an empty output may be undefined, as its precision is.
    defined = np.array([bool(text) for text in texts.hypotheses]) | ~np.isnan(scores)
    assert np.all((low <= scores[defined]) & (scores[defined] <= high))


def test_score_is_vectorized_over_leading_axes(scorer):
    stats = scorer.statistics(*example_of(scorer).streams)
    assert stats.dtype == np.float64 and stats.shape[0] == 4
    weights = np.random.default_rng(1).integers(0, 3, size=(2, 5, 4))
    weights[0, 0] = 0  # nothing drawn
    sums = weights @ stats
    expected = [[scorer.score(row) for row in rows] for rows in sums]
    np.testing.assert_array_equal(scorer.score(sums), expected)
    assert np.isscalar(scorer.score(stats.sum(axis=0)))


def test_a_perfect_output_gets_the_best_score(scorer):
    if not scorer.needs_references or scorer.family == "Sentinels":
        pytest.skip("it does not look for the reference in the output")
    texts = example_of(scorer)

    def score_of(output):
        stats = scorer.statistics([output], [[texts.best_reference]], ["x"])
        return scorer.segment_scores(stats)

    best = scorer.score_range[1 if scorer.higher_is_better else 0]
    if np.isfinite(best):
        assert score_of(texts.best_output).tolist() == pytest.approx([best])
    else:  # no highest score, as in NIST; but a worse output scores less
        assert score_of(texts.best_output) > score_of(texts.hypotheses[-1])


def test_texts_scored_together_or_apart_have_the_same_statistics(scorer):
    # More segments than are sorted together, and a new scorer for each.
    hypotheses, references, sources = example_of(scorer).streams
    together = scorer.statistics(
        hypotheses * 200, [stream * 200 for stream in references], sources * 200
    )
    apart = ready_scorer(scorer.slug).statistics(hypotheses, references, sources)
    np.testing.assert_array_equal(together, np.tile(apart, (200, 1)))


def test_options_are_kept_and_compared():
    scorer = get_scorer("bleu", tokenize="char", max_order=2)
    assert scorer.options()["tokenize"] == "char" and scorer.options()["smoothing"] == "exp"
    assert scorer == get_scorer("bleu", tokenize="char", max_order=2)
    assert scorer != get_scorer("bleu")


def test_unknown_metric_names_the_known_ones():
    with pytest.raises(ValueError, match=r"Unknown metric 'rouge'; known metrics: bleu, .*chrfpp"):
        get_scorer("rouge")


def test_unknown_option_names_the_known_ones():
    with pytest.raises(
        ValueError, match=r"'tokeniser' of metric 'bleu'; known options: tokenize, low"
    ):
        get_scorer("bleu", tokeniser="13a")


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ([], [[]], "no segments"),
        (["a"], [], "At least one stream"),
        ("abc", [["a"]], "must be lists"),
        (["a"], ["a"], "list of streams"),
        (["a"], "a", "must be lists"),
        (["a", "b"], [["a", "b"], ["a"]], "Reference stream 2 has 1 segments, but there are 2"),
        (["a", None], [["a", "b"]], "Hypotheses, segment 2: expected a string, not None"),
        (["a", "b"], [["a", 7]], "Reference stream 1, segment 2: expected a string, not 7"),
        (["a", "b"], [["a", None], [None, None]], "Segment 2 has no reference"),
    ],
)
def test_texts_that_do_not_fit_are_refused(scorer, hypotheses, references, message):
    of_hypotheses = hypotheses in ([], "abc") or None in hypotheses
    if not of_hypotheses and not scorer.needs_references:
        pytest.skip("it does not read references")
    with pytest.raises(ValueError, match=message):
        scorer.statistics(hypotheses, references)


@pytest.mark.parametrize("slug", SCORERS)
@pytest.mark.parametrize(
    ("text", "message"), [("a\0b", "a NUL character"), ("a\ud800b", r"U\+D800 is half a character")]
)
def test_texts_that_cannot_be_tokenized_are_refused(slug, text, message):
    """Before any computation, so that the models of neural metrics are not needed here."""
    scorer, fine = get_scorer(slug), ["a b", "a b"]
    streams = {"Hypotheses": 0}
    streams |= {"Reference stream 1": 1} if scorer.needs_references else {}
    streams |= {"Sources": 2} if scorer.needs_sources else {}
    for what, place in streams.items():
        texts = [fine, [fine], fine]
        texts[place] = [["a b", text]] if place == 1 else ["a b", text]
        with pytest.raises(ValueError, match=f"{what}, segment 2: {message}"):
            scorer.statistics(*texts)


def test_count_references():
    assert count_references([["a", "b"], ["c", "d"]]) == 2
    assert count_references([["a", "b"], [None, "d"]]) == "var"


def test_signature_knows_two_levels():
    with pytest.raises(ValueError, match="level must be"):
        get_scorer("ter").signature(1, level="document")


def test_scorers_and_their_statistics_need_no_django():
    code = (
        "import sys, metrics.scorers, metrics.stats.correlation, metrics.stats.significance\n"
        "assert 'django' not in sys.modules"
    )
    run([sys.executable, "-c", code], check=True)
