"""Outputs of real systems: published scores, and sacreBLEU's statistics of every segment."""

import numpy as np
import pytest
import sacrebleu

from metrics.scorers import get_scorer
from tests.shared import read_tsv, shared_data

pytestmark = pytest.mark.slow


def texts_of(folder: str, suffix: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the reference of each segment, and the outputs of each system."""
    segments = read_tsv(shared_data(folder, f"segments{suffix}.tsv.gz"))
    outputs: dict[str, list[str]] = {}
    for row in read_tsv(shared_data(folder, f"outputs{suffix}.tsv.gz")):
        outputs.setdefault(row["system"], []).append(row["text"])
    assert all(len(stream) == len(segments) for stream in outputs.values())
    return [row["reference"] for row in segments], outputs


@pytest.mark.parametrize("pair", ["uk-en", "liv-en"])
@pytest.mark.parametrize(("slug", "column"), [("bleu", "BLEU"), ("chrf", "chrF")])
def test_published_scores_of_wmt22(pair, slug, column):
    published = read_tsv(shared_data("02_da_wmt22", f"published_systems.{pair}.tsv"))
    reference, outputs = texts_of("02_da_wmt22", f".{pair}")
    scorer = get_scorer(slug)
    for row in published:
        stats = scorer.statistics(outputs[row["system"]], [reference])
        assert scorer.score(stats.sum(axis=0)) == pytest.approx(float(row[column]), abs=1e-3)


@pytest.mark.parametrize(("slug", "name"), [("bleu", "BLEU"), ("chrf", "chrF")])
def test_published_scores_of_wmt23(slug, name):
    """The baselines of the metrics task of 2023, of every system and of every segment."""
    folder = "03_mqm_esa_wmt23_en-de"
    systems = read_tsv(shared_data(folder, "metric_systems.en-de.tsv"))
    published = {row["system"]: float(row["score"]) for row in systems if row["metric"] == name}
    segments: dict[str, list[float]] = {}
    for row in read_tsv(shared_data(folder, "metric_segments.en-de.tsv.gz")):
        if row["metric"] == name:
            segments.setdefault(row["system"], []).append(float(row["score"]))
    reference = [row["refA"] for row in read_tsv(shared_data(folder, "segments.en-de.tsv.gz"))]
    outputs: dict[str, list[str]] = {}
    for row in read_tsv(shared_data(folder, "outputs.en-de.tsv.gz")):
        outputs.setdefault(row["system"], []).append(row["text"])
    scorer = get_scorer(slug)
    assert len(published) == len(segments) == 13
    for system, score in published.items():
        stats = scorer.statistics(outputs[system], [reference])
        assert scorer.score(stats.sum(axis=0)) == pytest.approx(score, abs=1e-3), system
        np.testing.assert_allclose(scorer.segment_scores(stats), segments[system], atol=1e-3)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("slug", "metric"),
    [
        ("bleu", sacrebleu.BLEU()),
        ("chrf", sacrebleu.CHRF()),
        ("chrfpp", sacrebleu.CHRF(word_order=2)),
        ("ter", sacrebleu.TER()),
    ],
    ids=["bleu", "chrf", "chrfpp", "ter"],
)
def test_segments_of_wmt13_are_sacrebleus(slug, metric):
    reference, outputs = texts_of("06_ranking_wmt13_fr-en", "")
    scorer = get_scorer(slug)
    for number, stream in enumerate(outputs.values()):
        # Different parts of the texts for each of the thirteen systems: the oracle is slow.
        part = slice(number, None, 26 if slug == "ter" else 13)
        expected = metric._extract_corpus_statistics(stream[part], [reference[part]])
        stats = scorer.statistics(stream[part], [reference[part]])
        np.testing.assert_array_equal(stats, np.array(expected, dtype=float))
