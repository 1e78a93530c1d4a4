from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers.diagnostic import diagnose
from metrics.scorers.substitutions import SubstitutionPair, substitution_pairs

from .texts import corpora


@settings(max_examples=100, deadline=None)
@given(texts=corpora(max_segments=5), tokenize=st.sampled_from(["13a", "char"]))
def test_pairs_are_those_of_the_segments(texts, tokenize):
    outputs, references = texts
    expected: Counter = Counter()
    for segment, output in enumerate(outputs):
        found = diagnose(output, [stream[segment] for stream in references], tokenize=tokenize)
        for run in found.operations:
            if run.kind != "substitution" or set(run.output) & set(run.reference):
                continue
            if len(run.output) == len(run.reference):
                pairs = list(zip(run.output, run.reference, strict=True))
            else:
                pairs = [(" ".join(run.output), " ".join(run.reference))]
            expected.update((*pair, segment) for pair in pairs)
    listed = substitution_pairs(outputs, references, tokenize=tokenize, most=None)
    assert {(p.output, p.reference): p.count for p in listed} == sum_over_segments(expected)
    for pair in listed:
        assert set(pair.segments) == {
            segment for *words, segment in expected if words == [pair.output, pair.reference]
        }
    assert listed == sorted(
        listed, key=lambda p: (-p.count, -len(p.segments), p.output, p.reference)
    )


def sum_over_segments(counts: Counter) -> dict:
    total: Counter = Counter()
    for (output, reference, _), count in counts.items():
        total[output, reference] += count
    return dict(total)


def test_terms_that_are_mixed_up():
    outputs = ["fit the clip", "remove the clip and the clip", "a clip here", "no output", None]
    references = ["fit the clamp", "remove the clamp and the clamp", "a hose clamp here", None, "x"]
    assert substitution_pairs(outputs, [references]) == [
        SubstitutionPair("clip", "clamp", 3, (0, 1)),
        SubstitutionPair("clip", "hose clamp", 1, (2,)),
    ]
    assert len(substitution_pairs(outputs, [references], most=1)) == 1


def test_words_in_another_order_are_no_substitution():
    assert substitution_pairs(["z w a b"], [["a b x y"]]) == []


def test_nothing_to_compare():
    assert substitution_pairs([None, "a"], [["b", None]]) == []
    assert substitution_pairs([], [[]]) == []


def test_lowercase():
    assert substitution_pairs(["The Cat"], [["the dog"]], lowercase=True) == [
        SubstitutionPair("cat", "dog", 1, (0,))
    ]


def test_streams_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="as long as the outputs"):
        substitution_pairs(["a", "b"], [["a"]])
