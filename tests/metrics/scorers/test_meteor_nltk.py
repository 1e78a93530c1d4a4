"""METEOR with NLTK's settings, compared with NLTK."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scorers import get_scorer, meteor

from .nltk_wordnet import needs_wordnet, open_with_nltk
from .small_dictionary import (
    AS_NLTK,
    NoStemmer,
    SmallWordNet,
    SmallWordNetForNLTK,
    Snowball,
    nltk_scores,
    related_texts,
)
from .test_real_texts import texts_of
from .texts import corpora

# Stems and synonyms of each other, each several times, so that there are alternatives.


@given(st.lists(st.tuples(related_texts, related_texts, related_texts), min_size=1, max_size=4))
def test_related_words_as_nltk_has_it(texts):
    hypotheses, *references = map(list, zip(*texts, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meteor, "find_wordnet", SmallWordNet)
        scorer = get_scorer("meteor", **AS_NLTK)
    scores = scorer.segment_scores(scorer.statistics(hypotheses, references))
    expected = nltk_scores(scorer, hypotheses, references, SmallWordNetForNLTK(), Snowball())
    np.testing.assert_allclose(scores, expected, rtol=1e-12)


@given(corpora())
def test_any_text_as_nltk_has_it(corpus):
    hypotheses, references = corpus
    scorer = get_scorer("meteor", **{**AS_NLTK, "synonyms": "none"}, language="")
    scores = scorer.segment_scores(scorer.statistics(hypotheses, references))
    nothing = type("Nothing", (), {"synsets": lambda self, word: []})()
    expected = nltk_scores(scorer, hypotheses, references, nothing, NoStemmer())
    np.testing.assert_allclose(scores, expected, rtol=1e-12)


@needs_wordnet
def test_outputs_of_real_systems_are_scored_as_nltk_does(tmp_path_factory, monkeypatch):
    monkeypatch.delenv("MTEVAL_WORDNET", raising=False)
    reference, outputs = texts_of("06_ranking_wmt13_fr-en", "")
    theirs = open_with_nltk(tmp_path_factory.mktemp("wordnet"))
    scorer = get_scorer("meteor", **AS_NLTK)
    assert "|stages:exact+stem+synonym|" in scorer.signature(1)
    for number, stream in enumerate(outputs.values()):
        part = slice(number, None, 13)
        scores = scorer.segment_scores(scorer.statistics(stream[part], [reference[part]]))
        expected = nltk_scores(scorer, stream[part], [reference[part]], theirs, Snowball())
        np.testing.assert_allclose(scores, expected, rtol=1e-12)
