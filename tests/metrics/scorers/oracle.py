"""sacreBLEU as the oracle of statistics and scores."""

from typing import Any

import numpy as np
import pytest

from metrics.scorers import Scorer, count_references


def agree(scorer: Scorer, metric: Any, hypotheses: list[str], references: list) -> None:
    """Assert equal statistics of every segment, and sacreBLEU's corpus score and signature."""
    expected = np.array(metric._extract_corpus_statistics(hypotheses, references), dtype=float)
    stats = scorer.statistics(hypotheses, references)
    assert stats.dtype == np.float64
    np.testing.assert_array_equal(stats, expected)
    score = metric.corpus_score(hypotheses, references).score
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(score, rel=1e-9, abs=1e-9)
    signature = scorer.signature(count_references(references))
    assert signature == f"{metric.get_signature()}|impl:mteval"


def segments_agree(scorer: Scorer, metric: Any, hypotheses: list[str], references: list) -> None:
    """Assert that the score of every segment is sacreBLEU's sentence score."""
    segments = zip(hypotheses, zip(*references, strict=True), strict=True)
    expected = [
        metric.sentence_score(hypothesis, [text for text in texts if text is not None]).score
        for hypothesis, texts in segments
    ]
    scores = scorer.segment_scores(scorer.statistics(hypotheses, references))
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)
