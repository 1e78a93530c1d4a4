"""Published figures of real campaigns, straight from the files of shared/data to the functions.

The same data go through the import and the pages elsewhere; here only the statistics are tested.
Each folder of shared/data has a README with the sources of its figures.
"""

import functools

import numpy as np
import pytest

from judgments.stats.agreement import alpha_from_long, expand_rankings, pairwise_agreement
from judgments.stats.clusters import range_gaps
from judgments.stats.normalization import aggregate, standardize
from judgments.stats.ranking import (
    compare_systems,
    expected_wins_of_pairs,
    rank_clusters,
)
from tests.judgments.stats.long_form import agreement_matrix, collapse_repeats
from tests.shared import read_tsv, shared_data

pytestmark = pytest.mark.slow

KO_EN, DA, WMT16, WMT13 = (
    "01_adequacy_fluency_ko-en",
    "02_da_wmt22",
    "05_ranking_wmt16",
    "06_ranking_wmt13_fr-en",
)


@functools.cache
def _columns(*parts: str) -> dict[str, np.ndarray]:
    rows = read_tsv(shared_data(*parts))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def _floats(texts: np.ndarray) -> np.ndarray:
    return np.array([float(text) if text else np.nan for text in texts])


def _rankings(folder: str, system: str) -> dict[str, np.ndarray]:
    """Return all pairs of the rankings of a folder, with segment, judge and language pair."""
    columns = _columns(folder, "rankings.tsv.gz")
    # A ranking of several language pairs is named by both.
    name = columns["ranking_id"]
    pairs = expand_rankings(
        name, columns[system], _floats(columns["rank"]), columns["position"].astype(int)
    )
    names, row = np.unique(name, return_index=True)
    at = row[np.searchsorted(names, pairs.ranking)]
    context = {k: columns[k][at] for k in ("seg_id", "judge", "lp") if k in columns}
    return context | {"first": pairs.first, "second": pairs.second, "label": pairs.label}


@functools.cache
def _wmt13() -> dict[str, np.ndarray]:
    return _rankings(WMT13, "system")


@functools.cache
def _wmt16() -> dict[str, np.ndarray]:
    return _rankings(WMT16, "systems")


def _agreement(pairs: dict[str, np.ndarray], rows: np.ndarray, reading: str, **options):
    names = ("seg_id", "judge", "first", "second", "label")
    return pairwise_agreement(*(pairs[name][rows] for name in names), reading=reading, **options)


READING = {
    ("inter", "presented"): "wmt16-compat",
    ("inter", "any"): "any-order",
    ("intra", "presented"): "intra-wmt16-compat",
    ("intra", "any"): "intra",
}


@pytest.mark.proof
@pytest.mark.parametrize("judges", ["all", "researchers", "turkers"])
@pytest.mark.parametrize(("mode", "order"), READING)
def test_wmt13_kappas(judges, mode, order):
    rows = read_tsv(shared_data(WMT13, "computed_kappa.tsv"))
    [row] = [r for r in rows if (r["judges"], r["mode"], r["order"]) == (judges, mode, order)]
    pairs = _wmt13()
    who = np.char.startswith(pairs["judge"], "" if judges == "all" else judges[:-1] + "_")
    result = _agreement(pairs, who, READING[mode, order])
    counts = (result.n_agreeing, result.n_pairs, result.n_ties, result.n_labels)
    assert counts == tuple(int(row[k]) for k in ("agree", "comparable", "ties", "total"))
    assert result.p_observed == pytest.approx(float(row["pA"]), abs=5.1e-5)
    assert result.p_expected == pytest.approx(float(row["pE"]), abs=5.1e-5)
    assert result.estimate == pytest.approx(float(row["kappa"]), abs=5.1e-5)


@pytest.mark.proof
def test_wmt13_strict_leaves_out_own_repeats():
    pairs = _wmt13()
    everyone = np.ones(len(pairs["label"]), bool)
    strict = _agreement(pairs, everyone, "strict", rng=np.random.default_rng(1))
    any_order = _agreement(pairs, everyone, "any-order")
    intra = _agreement(pairs, everyone, "intra")
    assert strict.n_pairs == any_order.n_pairs - intra.n_pairs == 197047 - 8607
    assert strict.n_agreeing == 107538 - 6831
    assert strict.low < strict.estimate < strict.high
    assert strict.high - strict.low < 0.06
    assert (strict.n_units, strict.n_undefined) == (2278, 0)


def test_wmt13_expected_wins():
    pairs = _wmt13()
    expected = {
        row["system"]: float(row["expected_wins"])
        for row in read_tsv(shared_data(WMT13, "computed_expected_wins.tsv"))
    }
    result = expected_wins_of_pairs(
        pairs["first"],
        pairs["second"],
        pairs["label"],
        units=pairs["seg_id"],
        rng=np.random.default_rng(1),
    )
    assert len(result.systems) == 13
    assert not result.unmet
    for system, estimate in zip(result.systems.tolist(), result.estimate, strict=True):
        assert estimate == pytest.approx(expected[system], abs=5.1e-5)
    assert (result.low < result.estimate).all()
    assert (result.estimate < result.high).all()
    assert (result.high - result.low < 0.05).all()
    ranking = rank_clusters(result.estimate, rule="wmt13-16", resampled=result.resampled)
    assert result.systems[ranking.order].tolist() == list(expected)
    assert ranking.cluster[ranking.order[0]] == 1
    assert ranking.cluster[ranking.order[1]] == 2  # uedin-heafield first, as published


@pytest.mark.proof
@pytest.mark.parametrize("lp", ["tur-eng", "eng-tur", "ron-eng", "eng-ron", "deu-eng", "fin-eng"])
@pytest.mark.parametrize("mode", ["inter", "intra"])
def test_wmt16_published_kappas(lp, mode):
    rows = read_tsv(shared_data(WMT16, "published_kappa.tsv"))
    [row] = [r for r in rows if (r["mode"], r["lp"]) == (mode, lp)]
    pairs = _wmt16()
    result = _agreement(pairs, pairs["lp"] == lp, READING[mode, "presented"])
    counts = (result.n_agreeing, result.n_pairs, result.n_ties, result.n_labels)
    assert counts == tuple(int(row[k]) for k in ("agree", "comparable", "ties", "total"))
    assert round(result.estimate, 3) == float(row["kappa"])
    [row] = [
        r
        for r in read_tsv(shared_data(WMT16, "computed_kappa_any_order.tsv"))
        if (r["mode"], r["lp"]) == (mode, lp)
    ]
    result = _agreement(pairs, pairs["lp"] == lp, READING[mode, "any"])
    assert result.n_pairs == int(row["comparable_any_order"])
    assert result.estimate == pytest.approx(float(row["kappa_any_order"]), abs=5.1e-4)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("lp", "kappa"),
    [("eng-tur", 0.279), ("tur-eng", 0.333), ("ron-eng", 0.343), ("eng-ron", 0.266),
     ("deu-eng", 0.429)],
)  # fmt: skip
def test_wmt16_strict(lp, kappa):
    """Only pairs of two judges, in any order: the intention of the organizers' script."""
    pairs = _wmt16()
    result = _agreement(pairs, pairs["lp"] == lp, "strict")
    assert round(result.estimate, 3) == kappa


@pytest.mark.parametrize("lp", ["tur-eng", "eng-tur", "ron-eng", "eng-ron", "deu-eng", "fin-eng"])
def test_wmt16_clusters_follow_from_the_published_rank_ranges(lp):
    rows = [r for r in read_tsv(shared_data(WMT16, "published_systems.tsv")) if r["lp"] == lp]
    low, high = (np.array([float(r[k]) for r in rows]) for k in ("rank_from", "rank_to"))
    cluster = np.array([int(r["cluster"]) for r in rows])
    assert range_gaps(low, high) == (np.flatnonzero(np.diff(cluster)) + 1).tolist()


@pytest.mark.parametrize(("what", "left_out"), [("adequacy", 0), ("fluency", 40),
                                                ("believability", 40)])  # fmt: skip
def test_ko_en_z_and_segment_means(what, left_out):
    """The authors excluded one annotator from two questions, although those scores vary: so do we
    here."""
    columns = _columns(KO_EN, "ratings.tsv.gz")
    result = standardize(_floats(columns[what]), columns["annotator"])
    published = _floats(columns[f"z_{what}"])
    kept = ~np.isnan(published)
    assert (~kept).sum() == left_out
    assert not result.excluded
    np.testing.assert_allclose(result.values[kept], published[kept], rtol=0, atol=1e-13)
    scores = aggregate(columns["system"][kept], columns["seg_id"][kept], result.values[kept])
    segments = _columns(KO_EN, "published_segments.tsv.gz")
    rows = segments["dimension"] == what
    at = np.searchsorted(scores.segments, segments["seg_id"][rows])
    assert (scores.segments[at] == segments["seg_id"][rows]).all()
    assert len(scores.segment_mean) == rows.sum() == 1976
    mean = segments["mean_z"][rows].astype(float)
    np.testing.assert_allclose(scores.segment_mean[at], mean, rtol=0, atol=1e-13)


@pytest.mark.parametrize("what", ["adequacy", "fluency", "believability", "z_adequacy",
                                  "z_fluency", "z_believability"])  # fmt: skip
def test_ko_en_agreement(what):
    [row] = [r for r in read_tsv(shared_data(KO_EN, "computed_agreement.tsv")) if r["what"] == what]
    columns = _columns(KO_EN, "ratings.tsv.gz")
    long = columns["seg_id"], columns["annotator"], _floats(columns[what])
    result = alpha_from_long(*long, rng=np.random.default_rng(1), resamples=200)
    assert result.estimate == pytest.approx(float(row["krippendorff_alpha_interval"]), abs=5.1e-5)
    assert (result.n_items, result.n_annotators) == (int(row["items"]), int(row["raters"]))
    assert result.low < result.estimate < result.high
    pairs = agreement_matrix(*long, measure="pearson", min_shared=20).pairs()
    assert len(pairs) == int(row["rater_pairs_20plus"])
    assert pairs.mean() == pytest.approx(float(row["mean_pairwise_pearson"]), abs=5.1e-5)


def _da(lp: str) -> dict[str, np.ndarray]:
    return _columns(DA, f"ratings.{lp}.tsv.gz")


@pytest.mark.parametrize("lp", ["uk-en", "liv-en"])
def test_wmt22_direct_assessment(lp):
    columns = _da(lp)
    raw = columns["raw"].astype(float)
    published_z = columns["z"].astype(float)
    z = standardize(raw, columns["worker"])
    assert not z.excluded
    np.testing.assert_allclose(z.values, published_z, rtol=0, atol=3e-6)
    # The release printed mean and sd with seven digits before using them; so exactly:
    mean, sd = ([float(f"{x:.7g}") for x in xs] for xs in (z.mean, z.sd))
    worker = np.searchsorted(z.annotators, columns["worker"])
    as_printed = (raw - np.array(mean)[worker]) / np.array(sd)[worker]
    np.testing.assert_allclose(as_printed, published_z, rtol=0, atol=1e-11)
    rows = np.isin(columns["type"], ["SYSTEM", "REPEAT"])
    by_z, by_raw = (
        aggregate(columns["system"][rows], columns["seg_id"][rows].astype(int), values[rows])
        for values in (z.values, raw)
    )
    by_printed_z = aggregate(
        columns["system"][rows], columns["seg_id"][rows].astype(int), as_printed[rows]
    )
    segments = _columns(DA, f"published_segments.{lp}.tsv.gz")
    key = {
        (by_z.systems[s], by_z.segments[g]): i
        for i, (s, g) in enumerate(zip(by_z.system_of, by_z.segment_of, strict=True))
    }
    at = [key[s, int(g)] for s, g in zip(segments["system"], segments["seg_id"], strict=True)]
    assert len(at) == len(key)
    mean_z, mean_raw = (segments[k].astype(float) for k in ("mean_z", "mean_raw"))
    np.testing.assert_allclose(by_z.segment_mean[at], mean_z, rtol=0, atol=3e-6)
    np.testing.assert_allclose(by_printed_z.segment_mean[at], mean_z, rtol=0, atol=1e-11)
    np.testing.assert_allclose(by_raw.segment_mean[at], mean_raw, rtol=0, atol=1e-11)
    assert (by_z.segment_n[at] == segments["n"].astype(int)).all()
    published = read_tsv(shared_data(DA, f"published_systems.{lp}.tsv"))
    place = {name: i for i, name in enumerate(by_z.systems.tolist())}
    assert len(place) == len(published)
    for row in published:
        i = place[row["system"]]
        assert by_z.mean[i] == pytest.approx(float(row["avg_z"]), abs=5.1e-4)
        assert by_raw.mean[i] == pytest.approx(float(row["avg_raw"]), abs=0.051)
        assert by_z.n_segments[i] == int(row["n_segments"])
        assert by_z.n_ratings[i] == int(row["n_judgments"])
        assert by_z.low[i] < by_z.mean[i] < by_z.high[i]
    order = by_z.systems[np.argsort(-by_z.mean)].tolist()
    assert order == [row["system"] for row in published]


@pytest.mark.parametrize("lp", ["uk-en", "liv-en"])
def test_wmt22_significance_and_clusters(lp):
    """On the published segment scores p agrees to rounding; recomputed z have other near-ties."""
    segments = _columns(DA, f"published_segments.{lp}.tsv.gz")
    scores = aggregate(segments["system"], segments["seg_id"], segments["mean_z"].astype(float))
    p = compare_systems(scores.table(), test="mann-whitney")
    place = {name: i for i, name in enumerate(scores.systems.tolist())}
    published = read_tsv(shared_data(DA, f"published_wilcoxon.{lp}.tsv"))
    for row in published:
        pair = place[row["system_a"]], place[row["system_b"]]
        assert p[pair] == pytest.approx(float(row["p_value_a_better"]), rel=1e-9)
    assert int((p < 0.05).sum()) == len(published)
    ranking = rank_clusters(scores.mean, p, rule="wmt17-23")
    for row in read_tsv(shared_data(DA, f"published_systems.{lp}.tsv")):
        i = place[row["system"]]
        assert ranking.wins[i] == int(row["wins"])
        assert ranking.cluster_low[i] == int(row["cluster_start"])
        assert ranking.cluster_high[i] == int(row["cluster_end"])


@pytest.mark.parametrize("lp", ["uk-en", "liv-en"])
@pytest.mark.parametrize("what", ["raw", "z"])
def test_wmt22_agreement(lp, what):
    [row] = [
        r
        for r in read_tsv(shared_data(DA, "computed_agreement.tsv"))
        if r["what"].startswith(f"{lp} {what} ")
    ]
    columns = _da(lp)
    rows = columns["type"] == "SYSTEM"
    item = np.char.add(np.char.add(columns["system"], "/"), columns["seg_id"])[rows]
    long = collapse_repeats(item, columns["worker"][rows], columns[what][rows].astype(float))
    assert len(long[0]) == int(row["values"])
    assert len(np.unique(long[0])) == int(row["items"])
    assert len(np.unique(long[1])) == int(row["raters"])
    result = alpha_from_long(*long)
    assert result.estimate == pytest.approx(float(row["krippendorff_alpha_interval"]), abs=5.1e-5)
    assert result.n_items == int(row["items_with_2plus"])
    pairs = agreement_matrix(*long, measure="pearson", min_shared=20).pairs()
    assert len(pairs) == int(row["rater_pairs_20plus"])
    assert pairs.mean() == pytest.approx(float(row["mean_pairwise_pearson"]), abs=5.1e-5)
