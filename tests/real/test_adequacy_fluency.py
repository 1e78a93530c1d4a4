"""Adequacy, fluency and believability of Korean–English talks (Martindale et al., the data set
mt_believability 1.1): every published z and every mean z of a segment.

The authors left ANNOTATOR_17 out of fluency and believability, though the forty scores vary there;
the campaign leaves them out too.
"""

import numpy as np
import pytest

from judgments.results.agreement import figures as agreement
from judgments.results.observations import observations
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests.real_data import import_ko_en
from tests.shared import read_tsv, shared_data

pytestmark = [pytest.mark.proof, pytest.mark.django_db]

NAME = "01_adequacy_fluency_ko-en"
DIMENSIONS = ("adequacy", "fluency", "believability")


@pytest.fixture(scope="module")
def campaign(imported):
    shared_data(NAME, "ratings.tsv.gz")
    return imported(import_ko_en)


def test_who_is_left_out(campaign):
    assert Selection.of(campaign).sentence == (
        "1 annotator is left out of believability; 1 annotator is left out of fluency"
    )
    decided = campaign.decisions.order_by("dimension")
    aliases = dict(campaign.memberships.values_list("user", "alias"))
    assert [(aliases[d.annotator_id], d.dimension) for d in decided] == [
        ("ANNOTATOR_17", "believability"),
        ("ANNOTATOR_17", "fluency"),
    ]


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_z(campaign, dimension):
    rows = read_tsv(shared_data(NAME, "ratings.tsv.gz"))
    kept = observations.load(Selection.of(campaign))
    observed, scaled = scores_figures.standardized(kept, dimension, "z", "regular")
    found = observed.ratings
    aliases = observed.annotators[found["annotator"]].tolist()
    keys = observed.segment_keys[found["segment"]].tolist()
    z = dict(zip(zip(aliases, keys, strict=True), scaled.values.tolist(), strict=True))
    published = {
        (row["annotator"], row["seg_id"]): float(row[f"z_{dimension}"])
        for row in rows
        if row[f"z_{dimension}"]
    }
    assert len(rows) == 19_760
    assert z.keys() == published.keys()
    ours = [z[key] for key in published]
    np.testing.assert_allclose(ours, list(published.values()), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_segment_mean(campaign, dimension):
    rows = [
        row
        for row in read_tsv(shared_data(NAME, "published_segments.tsv.gz"))
        if row["dimension"] == dimension
    ]
    scores = scores_figures.segment_scores(Selection.of(campaign), dimension, "z")
    segments = {key: j for j, key in enumerate(scores.segment_keys)}
    at = [segments[row["seg_id"]] for row in rows]
    assert len(rows) == 1976
    expected = [float(row["mean_z"]) for row in rows]
    np.testing.assert_allclose(scores.values[0, at], expected, rtol=0, atol=1e-12)
    assert scores.n[0, at].tolist() == [int(row["n_annotators"]) for row in rows]


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_alpha(campaign, dimension):
    """shared/data's own figure, of the raw values of all annotators."""
    (expected,) = (
        row
        for row in read_tsv(shared_data(NAME, "computed_agreement.tsv"))
        if row["what"] == dimension
    )
    report = agreement.agreement(Selection.of(campaign, "all"), dimension)
    alpha = report.headline.result
    assert f"{alpha.estimate:.4f}" == expected["krippendorff_alpha_interval"]
    assert (alpha.n_items, alpha.n_annotators) == (1976, 26)
    pearson = next(c.result for c in report.between if c.slug == "pearson")
    assert f"{pearson.estimate:.4f}" == expected["mean_pairwise_pearson"]
