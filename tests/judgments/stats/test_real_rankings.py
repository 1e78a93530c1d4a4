"""WMT16's and WMT13's rankings by every model, compared with the scores published by WMT16.

Published: means of TrueSkill over 1,000 runs (github.com/cfedermann/wmt16). Expected wins are
shared/data's own. The published runs drew at random: small differences are to be expected.
"""

import functools

import numpy as np
import pytest

from judgments.stats.davidson import davidson
from judgments.stats.ranking import (
    bradley_terry,
    count_wins,
    expand_rankings,
    expected_wins,
    expected_wins_of_pairs,
)
from judgments.stats.trueskill import trueskill
from tests.shared import read_tsv, shared_data

pytestmark = pytest.mark.slow

WMT16, WMT13 = "05_ranking_wmt16", "06_ranking_wmt13_fr-en"
PAIRS = ["tur-eng", "eng-tur", "ron-eng", "eng-ron", "deu-eng", "fin-eng"]


@functools.cache
def _wmt16():
    """Return counts of wins by language pair; a judgment of collapsed outputs applies to each
    system."""
    rows = read_tsv(shared_data(WMT16, "rankings.tsv.gz"))
    ranks = np.array([float(row["rank"]) for row in rows])
    # -1: the ranking was skipped, and would be read as ties.
    ranks[ranks < 0] = np.nan
    pairs = expand_rankings(
        [row["ranking_id"] for row in rows],
        [row["systems"] for row in rows],
        ranks,
        [int(row["position"]) for row in rows],
    )
    language = {row["ranking_id"]: row["lp"] for row in rows}
    said: dict[str, list] = {lp: [] for lp in PAIRS}
    for ranking, first, second, label in zip(
        pairs.ranking.tolist(), pairs.first, pairs.second, pairs.label, strict=True
    ):
        said[language[ranking]] += [
            (a, b, label) for a in first.split(",") for b in second.split(",")
        ]
    return {lp: count_wins(*zip(*rows, strict=True)) for lp, rows in said.items()}


def _published(file, lp, column):
    rows = read_tsv(shared_data(WMT16, file))
    return {row["system"]: float(row[column]) for row in rows if row["lp"] == lp}


@pytest.mark.parametrize("lp", PAIRS)
def test_wmt16_expected_wins(lp):
    counted = _wmt16()[lp]
    found = expected_wins(counted.wins, ties=counted.ties, systems=counted.systems)
    expected = _published("computed_expected_wins.tsv", lp, "expected_wins")
    assert found.systems.tolist() == sorted(expected)
    ours = dict(zip(found.systems.tolist(), found.estimate.tolist(), strict=True))
    for system, estimate in expected.items():
        assert ours[system] == pytest.approx(estimate, abs=5.1e-5)


@pytest.mark.parametrize("lp", PAIRS)
def test_wmt16_models_against_the_published_means(lp):
    counted = _wmt16()[lp]
    published = _published("published_systems.tsv", lp, "trueskill_mean")
    means = np.array([published[system] for system in counted.systems.tolist()])
    wins, ties = counted.wins, counted.ties
    skill = trueskill(wins, ties, rng=np.random.default_rng(1), runs=200)
    found = {
        "expected wins": expected_wins(wins).estimate,
        "bradley-terry": bradley_terry(wins, ties=ties).log_strength,
        "davidson": davidson(wins, ties).log_strength,
        "trueskill": skill.mean,
    }
    correlation = {name: np.corrcoef(means, each)[0, 1] for name, each in found.items()}
    assert min(correlation.values()) >= 0.97, correlation


def test_wmt13_models_agree():
    rows = read_tsv(shared_data(WMT13, "rankings.tsv.gz"))
    pairs = expand_rankings(
        [row["ranking_id"] for row in rows],
        [row["system"] for row in rows],
        [float(row["rank"]) for row in rows],
        [int(row["position"]) for row in rows],
    )
    counted = count_wins(pairs.first, pairs.second, pairs.label)
    wins, ties = counted.wins, counted.ties
    estimate = expected_wins_of_pairs(pairs.first, pairs.second, pairs.label).estimate
    skill = trueskill(wins, ties, rng=np.random.default_rng(1), runs=100)
    for scores in (
        bradley_terry(wins, ties=ties).log_strength,
        davidson(wins, ties).log_strength,
        skill.mean,
    ):
        assert np.corrcoef(estimate, scores)[0, 1] > 0.99
        assert "uedin-heafield" in str(counted.systems[np.argmax(scores)])
