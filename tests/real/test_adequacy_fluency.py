"""Adequacy, fluency and believability of Korean–English talks (Martindale et al., the data set
mt_believability 1.1): every published z and every mean z of a segment.

The authors left ANNOTATOR_17 out of fluency and believability, though the forty scores vary there;
they are left out here too where figures are compared.
"""

import numpy as np
import pytest

from judgments import results
from judgments.results.selection import Selection
from tests.real_data import import_ko_en
from tests.shared import read_tsv, shared_data

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

NAME = "01_adequacy_fluency_ko-en"
LEFT_OUT = {"adequacy": "", "fluency": "ANNOTATOR_17", "believability": "ANNOTATOR_17"}
DIMENSIONS = tuple(LEFT_OUT)


@pytest.fixture(scope="module")
def campaign(imported):
    shared_data(NAME, "ratings.tsv.gz")
    return imported(import_ko_en)


def compared(campaign, dimension):
    """The judgments that the published figures of a dimension are computed from."""
    return results.load(Selection.of(campaign)).by(lambda alias: alias != LEFT_OUT[dimension])


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_z(campaign, dimension):
    rows = read_tsv(shared_data(NAME, "ratings.tsv.gz"))
    observed, scaled = results.standardized(
        compared(campaign, dimension), dimension, "z", "regular"
    )
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
    scores = results.segment_scores_of(compared(campaign, dimension), dimension, "z")
    segments = {key: j for j, key in enumerate(scores.segment_keys)}
    at = [segments[row["seg_id"]] for row in rows]
    assert len(rows) == 1976
    expected = [float(row["mean_z"]) for row in rows]
    np.testing.assert_allclose(scores.values[0, at], expected, rtol=0, atol=1e-12)
    assert scores.n[0, at].tolist() == [int(row["n_annotators"]) for row in rows]


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_alpha(campaign, dimension):
    """shared/data's own figure, of the raw values."""
    (expected,) = (
        row
        for row in read_tsv(shared_data(NAME, "computed_agreement.tsv"))
        if row["what"] == dimension
    )
    report = results.agreement(Selection.of(campaign), dimension)
    alpha = report.headline.result
    assert f"{alpha.estimate:.4f}" == expected["krippendorff_alpha_interval"]
    assert (alpha.n_items, alpha.n_annotators) == (1976, 26)
    pearson = next(c.result for c in report.between if c.slug == "pearson")
    assert f"{pearson.estimate:.4f}" == expected["mean_pairwise_pearson"]
