"""Published figures that need only the checkout; their sources are in tests/data."""

import numpy as np
import pytest

from judgments.stats.clusters import range_gaps, rank_clusters
from metrics.stats.correlation import pairwise_accuracy, pearson

from .shared import ROOT, read_tsv

DATA = ROOT / "tests" / "data"


def rows_of(name: str, **chosen: str) -> list[dict[str, str]]:
    rows = read_tsv(DATA / name)
    found = [row for row in rows if all(row[column] == value for column, value in chosen.items())]
    assert found, f"nothing of {chosen} in {name}"
    return found


def column(rows: list[dict[str, str]], name: str) -> np.ndarray:
    return np.array([float(row[name]) for row in rows])


@pytest.mark.parametrize(("pair", "n"), [("uk-en", 9), ("liv-en", 5)])
def test_wins_and_clusters_of_wmt22(pair, n):
    rows = rows_of("wmt22_systems.tsv", pair=pair)
    assert len(rows) == n
    p = np.full((n, n), np.nan)
    for row in rows_of("wmt22_p_values.tsv", pair=pair):
        p[int(row["system_a"]) - 1, int(row["system_b"]) - 1] = float(row["p_a_better"])
    ranking = rank_clusters(column(rows, "avg_z"), p, rule="wmt17-23")
    assert ranking.wins.tolist() == column(rows, "wins").tolist()
    assert ranking.cluster_low.tolist() == column(rows, "cluster_start").tolist()
    assert ranking.cluster_high.tolist() == column(rows, "cluster_end").tolist()


PAIRS_OF_WMT16 = ["tur-eng", "eng-tur", "ron-eng", "eng-ron", "deu-eng", "fin-eng"]


@pytest.mark.parametrize("pair", PAIRS_OF_WMT16)
def test_clusters_of_wmt16_follow_from_its_rank_ranges(pair):
    rows = rows_of("wmt16_systems.tsv", pair=pair)
    assert (np.diff(column(rows, "trueskill_mean")) <= 0).all(), "the best is the first"
    ends = range_gaps(column(rows, "rank_from"), column(rows, "rank_to"))
    clusters = 1 + np.searchsorted(ends, np.arange(len(rows)), side="right")
    assert clusters.tolist() == column(rows, "cluster").tolist()


AGREEMENT = rows_of("wmt23_en-de_agreement.tsv")


@pytest.mark.parametrize("expected", AGREEMENT, ids=lambda row: row["metric"])
def test_metrics_of_wmt23_against_mqm(expected):
    systems = rows_of("wmt23_en-de_systems.tsv")
    assert len(systems) == 12
    people, metric = column(systems, "mqm"), column(systems, expected["metric"])
    accuracy = pairwise_accuracy(people, metric).estimate
    assert accuracy == pytest.approx(float(expected["pairwise_accuracy"]), abs=5.1e-5)
    r = pearson(people, metric).estimate
    assert r == pytest.approx(float(expected["pearson"]), abs=5.1e-5)


def test_the_excerpt_is_numbers_only():
    """In addition to names of language pairs and metrics."""
    for file in sorted(DATA.glob("*.tsv")):
        rows = read_tsv(file)
        for name in rows[0].keys() - {"pair", "metric"}:
            column(rows, name)
    assert sum(file.stat().st_size for file in DATA.glob("*.tsv")) < 20_000
