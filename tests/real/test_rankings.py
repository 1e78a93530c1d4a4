"""WMT13 French–English: 10,196 rankings by 218 judges, imported like a user's file.

Kappas (by the script of the WMT organizers, and with pairs in any order) and expected wins as in
the tables beside the data.
"""

import numpy as np
import pytest

from judgments.results.agreement import figures as agreement
from judgments.results.observations import observations
from judgments.results.observations import pairs as observations_pairs
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from judgments.stats.agreement import pairwise_agreement
from tests.real_data import import_wmt13
from tests.shared import read_tsv, shared_data

pytestmark = [pytest.mark.proof, pytest.mark.django_db]

NAME = "06_ranking_wmt13_fr-en"
READINGS = {
    ("inter", "presented"): "wmt16-compat",
    ("inter", "any"): "any-order",
    ("intra", "presented"): "intra-wmt16-compat",
    ("intra", "any"): "intra",
}
JUDGES = {
    "all": lambda alias: True,
    "researchers": lambda alias: alias.startswith("researcher"),
    "turkers": lambda alias: alias.startswith("turker"),
}
ROWS = [(judges, *reading) for judges in JUDGES for reading in READINGS]


@pytest.fixture(scope="module")
def campaign(imported):
    shared_data(NAME, "rankings.tsv.gz")
    return imported(import_wmt13)


def test_all_rankings_are_there(campaign):
    observed = observations.load(Selection.of(campaign))
    assert len(np.unique(observed.ratings["judgment"])) == 10_196
    assert len(observed.ratings) == 50_980
    assert len(observed.annotators) == 218
    assert len(np.unique(observed.ratings["system"])) == 13
    assert len(np.unique(observed.ratings["segment"])) == 2_278
    assert len(observations_pairs.pairs_of(observed).label) == 101_960


@pytest.mark.parametrize(("judges", "mode", "order"), ROWS)
def test_kappa(campaign, judges, mode, order):
    (expected,) = (
        row
        for row in read_tsv(shared_data(NAME, "computed_kappa.tsv"))
        if (row["judges"], row["mode"], row["order"]) == (judges, mode, order)
    )
    pairs = observations_pairs.pairs_of(
        observations.load(Selection.of(campaign)).by(JUDGES[judges])
    )
    found = pairwise_agreement(
        pairs.segment,
        pairs.annotator,
        pairs.first,
        pairs.second,
        pairs.label,
        reading=READINGS[mode, order],
    )
    counts = (found.n_agreeing, found.n_pairs, found.n_ties, found.n_labels)
    assert counts == tuple(int(expected[c]) for c in ("agree", "comparable", "ties", "total"))
    assert f"{found.p_observed:.4f}" == expected["pA"]
    assert f"{found.p_expected:.4f}" == expected["pE"]
    assert f"{found.estimate:.4f}" == expected["kappa"]


def test_expected_wins(campaign):
    rows = read_tsv(shared_data(NAME, "computed_expected_wins.tsv"))
    scores = scores_figures.system_scores(Selection.of(campaign))
    assert scores.names[scores.order].tolist() == [row["system"] for row in rows]
    found = [f"{score:.4f}" for score in scores.mean[scores.order]]
    assert found == [row["expected_wins"] for row in rows]
    assert ((scores.low < scores.mean) & (scores.mean < scores.high)).all()


def test_the_page_shows_the_official_kappa(campaign):
    report = agreement.agreement(Selection.of(campaign))
    official = next(c.result for c in report.between if c.slug == "pairwise-presented")
    assert f"{official.estimate:.3f}" == "0.290"
    assert report.headline.slug == "pairwise"
    assert report.n_annotators == 218
    assert report.n_hidden == 178
