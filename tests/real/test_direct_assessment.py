"""WMT22 direct assessment, imported like a user's file: every published figure comes out.

Published by the WMT22 general task (github.com/wmt-conference/wmt22-news-systems, humaneval/DA):
z of each judgment, means of segments, averages, order and clusters of systems, p-values. The
release computed z from means and standard deviations that it had rounded to seven digits.
"""

import numpy as np
import pytest

from judgments.results.agreement import figures as agreement
from judgments.results.observations import observations
from judgments.results.observations.observations import KINDS
from judgments.results.scores import figures as scores_figures
from judgments.results.scores import page as pages
from judgments.results.selection.selection import Selection
from tests.real_data import WMT22_KINDS, import_wmt22
from tests.shared import read_tsv, shared_data

pytestmark = [pytest.mark.proof, pytest.mark.django_db]

NAME = "02_da_wmt22"
# z over all kinds of items of a worker, and rank-sum tests on segment means, as in the release.
AS_PUBLISHED = {"method": "z", "over": "all"}


@pytest.fixture(scope="module", params=["uk-en", "liv-en"])
def pair(request):
    shared_data(NAME, f"ratings.{request.param}.tsv.gz")
    return request.param


@pytest.fixture(scope="module")
def campaign(pair, imported):
    return imported(import_wmt22, pair)


def published(kind, pair):
    suffix = "tsv.gz" if kind == "segments" else "tsv"
    return read_tsv(shared_data(NAME, f"published_{kind}.{pair}.{suffix}"))


def test_every_z(campaign, pair):
    rows = read_tsv(shared_data(NAME, f"ratings.{pair}.tsv.gz"))
    observed, scaled = scores_figures.standardized(
        observations.load(Selection.of(campaign)), "raw", "z", "all"
    )
    found = observed.ratings
    names = (
        observed.annotators[found["annotator"]],
        observed.segment_keys[found["segment"]],
        observed.system_names[found["system"]],
    )
    expected = [(r["worker"], r["seg_id"], r["system"]) for r in rows]
    assert list(zip(*names, strict=True)) == expected
    kinds = [KINDS[code] for code in found["kind"]]
    assert kinds == [WMT22_KINDS[r["type"]] for r in rows]
    assert found["value"].tolist() == [float(r["raw"]) for r in rows]
    expected = np.array([float(r["z"]) for r in rows])
    mean, sd = (np.array([float(f"{x:.7g}") for x in xs]) for xs in (scaled.mean, scaled.sd))
    as_released = (found["value"] - mean[found["annotator"]]) / sd[found["annotator"]]
    np.testing.assert_allclose(as_released, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(scaled.values, expected, rtol=0, atol=5e-6)


@pytest.mark.parametrize(
    ("method", "column", "error"), [("raw", "mean_raw", 1e-12), ("z", "mean_z", 5e-6)]
)
def test_every_segment_mean(campaign, pair, method, column, error):
    scores = scores_figures.segment_scores(Selection.of(campaign), "raw", method, over="all")
    systems = {name: i for i, name in enumerate(scores.names)}
    segments = {key: j for j, key in enumerate(scores.segment_keys)}
    rows = published("segments", pair)
    at = ([systems[r["system"]] for r in rows], [segments[r["seg_id"]] for r in rows])
    means = [float(r[column]) for r in rows]
    np.testing.assert_allclose(scores.values[at], means, rtol=0, atol=error)
    assert scores.n[at].tolist() == [int(r["n"]) for r in rows]
    assert int((scores.n > 0).sum()) == len(rows)


def test_every_system_average(campaign, pair):
    raw = scores_figures.system_scores(Selection.of(campaign), "raw")
    z = scores_figures.system_scores(Selection.of(campaign), "raw", rule="wmt17-23", **AS_PUBLISHED)
    rows = published("systems", pair)
    assert z.names[z.order].tolist() == [r["system"] for r in rows]
    places = [raw.names.tolist().index(r["system"]) for r in rows]
    assert [f"{raw.mean[i]:.1f}".removesuffix(".0") for i in places] == [r["avg_raw"] for r in rows]
    assert [round(float(z.mean[i]), 3) for i in places] == [float(r["avg_z"]) for r in rows]
    assert z.n_segments[places].tolist() == [int(r["n_segments"]) for r in rows]
    assert z.n_judgments[places].tolist() == [int(r["n_judgments"]) for r in rows]


def test_every_wilcoxon_p(campaign, pair):
    z = scores_figures.system_scores(Selection.of(campaign), "raw", rule="wmt17-23", **AS_PUBLISHED)
    place = {name: i for i, name in enumerate(z.names)}
    rows = published("wilcoxon", pair)
    found = [z.p_of_rule[place[r["system_a"]], place[r["system_b"]]] for r in rows]
    # Our z's tie a little differently from the release's rounded ones: up to 1e-4.
    expected = [float(r["p_value_a_better"]) for r in rows]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-4)


def test_clusters_and_wins(campaign, pair):
    z = scores_figures.system_scores(Selection.of(campaign), "raw", rule="wmt17-23", **AS_PUBLISHED)
    rows = published("systems", pair)
    place = {name: i for i, name in enumerate(z.names)}
    for row in rows:
        i = place[row["system"]]
        bounds = (int(row["cluster_start"]), int(row["cluster_end"]))
        assert (z.cluster_low[i], z.cluster_high[i]) == bounds, row["system"]
        assert z.wins[i] == int(row["wins"]), row["system"]


def test_alpha(campaign, pair):
    """shared/data's own figure: SYSTEM rows only, the mean where a worker repeats."""
    regular = observations.load(Selection.of(campaign)).of_kinds(("regular",))
    (expected,) = (
        row
        for row in read_tsv(shared_data(NAME, "computed_agreement.tsv"))
        if row["what"].startswith(f"{pair} raw")
    )
    alpha = agreement.agreement_of(regular).headline.result
    assert round(alpha.estimate, 4) == float(expected["krippendorff_alpha_interval"])
    assert alpha.n_items == int(expected["items_with_2plus"])


def test_the_page_shows_the_published_order(campaign, pair):
    z = scores_figures.system_scores(Selection.of(campaign), "raw", rule="wmt17-23", **AS_PUBLISHED)
    table = pages.score_table(Selection.of(campaign), z)
    shown = [[text for _, text in row] for row in table.display()]
    assert [row[0] for row in shown] == [r["system"] for r in published("systems", pair)]
