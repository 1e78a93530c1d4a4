import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers import get_scorer

from .oracle import agree, segments_agree
from .texts import corpora

TOKENIZERS = ["13a", "intl", "zh", "char", "none"]
SMOOTHING = [
    ("none", None),
    ("floor", None),
    ("floor", 0.5),
    ("add-k", None),
    ("add-k", 2),
    ("exp", None),
]


@settings(max_examples=200, deadline=None)
@given(texts=corpora(), tokenize=st.sampled_from(TOKENIZERS), lowercase=st.booleans())
def test_statistics_and_score_are_sacrebleus_with_every_tokenizer(texts, tokenize, lowercase):
    scorer = get_scorer("bleu", tokenize=tokenize, lowercase=lowercase)
    agree(scorer, sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase), *texts)


@settings(max_examples=200, deadline=None)
@given(
    texts=corpora(max_segments=2),
    smoothing=st.sampled_from(SMOOTHING),
    order=st.integers(1, 6),
    effective=st.booleans(),
)
def test_score_is_sacrebleus_with_every_smoothing(texts, smoothing, order, effective):
    method, value = smoothing
    scorer = get_scorer(
        "bleu",
        smoothing=method,
        smoothing_value=value,
        max_order=order,
        effective_order=effective,
    )
    metric = sacrebleu.BLEU(
        smooth_method=method,
        smooth_value=value,
        max_ngram_order=order,
        effective_order=effective,
    )
    hypotheses, references = texts
    stats = scorer.statistics(hypotheses, references)
    expected = metric.corpus_score(hypotheses, references).score
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    metric.effective_order = True
    segments_agree(scorer, metric, hypotheses, references)


def test_the_four_examples_with_published_counts(golden):
    for example in golden["bleu"]:
        for smoothing, key in [
            ("none", "bleu"),
            ("floor", "bleu_floor"),
            ("add-k", "bleu_addk"),
            ("exp", "bleu_exp"),
        ]:
            if key not in example:
                continue
            scorer = get_scorer("bleu", tokenize="none", smoothing=smoothing)
            stats = scorer.statistics([example["hyp"]], [[example["ref"]]])[0]
            counts = [[stats[2 + n], stats[6 + n]] for n in range(4)]
            assert counts == example["counts"]
            # The plain score is published as a share, the smoothed ones in percent.
            expected = example[key] * (100 if key == "bleu" else 1)
            assert scorer.score(stats) == pytest.approx(expected, abs=1e-4)


def test_score_from_published_counts_alone(golden):
    example = golden["orejuela_lowercased"]
    correct, total = zip(*example["counts"], strict=True)
    assert example["bp"] == 1  # as long as its reference
    stats = [total[0], total[0], *correct, *total]
    assert get_scorer("bleu").score(stats) == pytest.approx(100 * example["bleu"], abs=1e-4)


def test_modified_precision_of_papineni_2002():
    # The worked example of the paper: two of seven "the" count, in the reference with more.
    scorer = get_scorer("bleu", tokenize="none")
    references = [["The cat is on the mat"], ["There is a cat on the mat"]]
    stats = scorer.statistics(["the the the the the the the"], references)
    assert stats[0, 2] == 1 and stats[0, 6] == 7  # cased: only one "the" in either reference
    scorer = get_scorer("bleu", tokenize="none", lowercase=True)
    stats = scorer.statistics(["the the the the the the the"], references)
    assert stats[0, 2] == 2 and stats[0, 6] == 7


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("closest", [4, 3, 5]), ("shortest", [2, 3, 5]), ("average", [14 / 3, 5, 5])],
)
def test_reference_length(choice, expected):
    # Segment 1: hypothesis 5, references 2, 8, 4. Segment 2: hypothesis 5, references 7, 3: a tie
    # goes to the shorter (Papineni et al. 2002). Segment 3: one reference.
    def words(n):
        return " ".join("w" * n)

    hypotheses = [words(5), words(5), words(9)]
    references = [
        [words(2), words(7), None],
        [words(8), None, words(5)],
        [words(4), words(3), None],
    ]
    scorer = get_scorer("bleu", tokenize="none", reference_length=choice)
    assert scorer.statistics(hypotheses, references)[:, 1].tolist() == pytest.approx(expected)
    signature = scorer.signature("var")
    assert ("reflen:" in signature) == (choice != "closest")


def test_shortest_reference_length_moves_the_brevity_penalty():
    scorers = {c: get_scorer("bleu", reference_length=c) for c in ("closest", "shortest")}
    references = [["a b c d e f g"], ["a b c d"]]
    scores = {
        choice: scorer.score(scorer.statistics(["a b c d e f"], references)[0])
        for choice, scorer in scorers.items()
    }
    assert scores["shortest"] == pytest.approx(100)
    assert scores["closest"] == pytest.approx(100 * np.exp(1 - 7 / 6))


def test_segment_scores_leave_out_orders_a_short_segment_has_none_of():
    scorer = get_scorer("bleu")
    stats = scorer.statistics(["two words"], [["two words"]])
    assert scorer.score(stats[0]) == 0
    assert scorer.segment_scores(stats).tolist() == pytest.approx([100])
    assert "|eff:no|" in scorer.signature(1) and "|eff:yes|" in scorer.signature(1, level="segment")


@pytest.mark.parametrize(
    "options",
    [
        {"tokenize": "klingon"},
        {"max_order": 0},
        {"max_order": 2.5},
        {"smoothing": "kneser-ney"},
        {"smoothing_value": -1},
        {"reference_length": "longest"},
    ],
)
def test_bad_options_are_refused(options):
    with pytest.raises(ValueError, match=r"must be|known tokenizers: 13a, none, char, intl"):
        get_scorer("bleu", **options)


@pytest.mark.parametrize("tokenize", ["ja-mecab", "ko-mecab", "flores200"])
def test_tokenizers_with_optional_packages_work_or_say_what_is_missing(tokenize, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentencepiece", None)
    try:
        metric = sacrebleu.BLEU(tokenize=tokenize)
    except (RuntimeError, ImportError):
        with pytest.raises(ValueError, match=f"Tokenizer '{tokenize}' cannot be used here"):
            get_scorer("bleu", tokenize=tokenize)
    else:
        texts = ["猫が座った。", "한국어 문장입니다."]
        agree(get_scorer("bleu", tokenize=tokenize), metric, texts, [texts[::-1]])
