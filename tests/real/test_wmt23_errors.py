"""WMT23 English–German: the 19,569 marked errors as released, with the reader's weights."""

from collections import Counter

import numpy as np
import pytest

from judgments.models import Campaign, ErrorSpan, Rating
from judgments.results.agreement import figures as agreement_figures
from judgments.results.agreement import marks
from judgments.results.errors import figures as errors
from judgments.results.errors.kinds_page import UNITS, kind_table
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.only_errors import OnlyErrors
from judgments.results.selection.selection import Selection
from tests.judgments.results.one_answer import answers_of, contradictions
from tests.releases import bring
from tests.shared import read_tsv, shared_data

pytestmark = [pytest.mark.proof, pytest.mark.django_db]

NAME = "03_mqm_esa_wmt23_en-de"
THREE_RATERS = "04_mqm_3raters_wmt23_en-de"
RELEASE = ("10_as_released", "wmt23.en-de.tar.gz")


def import_wmt23(folder) -> Campaign:
    written = bring([shared_data(*RELEASE)])
    return next(each for each, _ in written.campaigns if each.name == "wmt23 en-de mqm")


def import_three_raters(folder) -> Campaign:
    ((campaign, _),) = bring([shared_data(THREE_RATERS, "ratings.en-de.tsv.gz")]).campaigns
    return campaign


@pytest.fixture(scope="module")
def campaign(imported):
    return imported(import_wmt23)


@pytest.fixture(scope="module")
def three_raters(imported):
    return imported(import_three_raters)


def test_every_error_came_in(campaign):
    assert ErrorSpan.objects.filter(judgment__campaign=campaign).count() == 19_569
    report = errors.errors(Selection.of(campaign))
    assert report.n_errors == 19_569
    assert report.n_judgments.sum() == 5980
    assert "non-translation" in report.categories
    assert report.counts.sum(axis=0).tolist() == [12_925, 6_644]


def test_google_weights_give_the_published_scores(campaign):
    published = {
        (row["system"], str(int(row["line"]) + 1)): float(row["mqm"])
        for row in read_tsv(shared_data(NAME, "human_segments.en-de.tsv.gz"))
        if row["mqm"]
    }
    found = scores_figures.segment_scores(Selection.of(campaign, weights="google"), "mqm")
    ours = {
        (str(name), str(key)): found.values[i, j]
        for i, name in enumerate(found.names)
        for j, key in enumerate(found.segment_keys)
        if found.n[i, j]
    }
    assert len(ours) == len(published) == 5980
    assert ours == {key: pytest.approx(value, abs=1e-9) for key, value in published.items()}
    scores = scores_figures.system_scores(Selection.of(campaign, weights="google"), "mqm")
    systems = read_tsv(shared_data(NAME, "published_systems.en-de.tsv"))
    assert len(systems) == len(scores.names) == 13
    means = dict(zip(map(str, scores.names), scores.mean.tolist(), strict=True))
    for row in systems:
        assert means[row["system"]] == pytest.approx(float(row["mqm"]), abs=1e-9)
    report = errors.errors(Selection.of(campaign, weights="google"))
    np.testing.assert_allclose(report.score, [means[name] for name in report.names], atol=1e-9)


def test_googles_numbers_typed_by_hand_give_the_same_scores_and_ranks(campaign):
    """To the last digit, on all pages that read scores."""
    typed = "major=5, minor=1, neutral=0, undecided=0, non-translation=25, */non-translation=25"
    typed += "\nminor/fluency/punctuation=0.1\n*/source issue=0\n*/source error=0"
    typed += "\n*/creative reinterpretation=0\n*/accuracy/creative reinterpretation=0"
    preset, own = (
        scores_figures.system_scores(Selection.of(campaign, weights=weights), "mqm")
        for weights in ("google", typed)
    )
    for name in ("mean", "low", "high", "rank_low", "rank_high", "cluster", "p_values"):
        np.testing.assert_array_equal(getattr(own, name), getattr(preset, name))


def test_errors_per_1000_words_of_a_category(campaign):
    """Counted from the stored rows alone: mistranslations, and words between spaces."""
    report = errors.errors(Selection.of(campaign, errors=OnlyErrors("accuracy/mistranslation")))
    table = kind_table(Selection.of(campaign), report, UNITS["words"])
    row = next(row for row in table.rows if row[:2] == ("accuracy/mistranslation", "all"))
    spans = ErrorSpan.objects.filter(judgment__campaign=campaign)
    kinds = spans.values_list("output__system__name", "category")
    n = Counter(system for system, kind in kinds if kind.lower() == "accuracy/mistranslation")
    words: Counter[str] = Counter()
    judged = Rating.objects.filter(judgment__campaign=campaign, dimension="mqm")
    for system, source in judged.values_list("output__system__name", "output__segment__source"):
        words[system] += len(source.split())
    for name, rate in zip(report.names, row[3:], strict=True):
        assert rate == pytest.approx(1000 * n[name] / words[name], rel=1e-12)


def test_the_stored_scores_are_by_the_weights_of_the_release(campaign):
    """Which are Google's: the score that was published, to the last bit."""
    plain = scores_figures.segment_scores(Selection.of(campaign), "mqm").values
    esa = scores_figures.segment_scores(Selection.of(campaign, weights="esa"), "mqm").values
    google = scores_figures.segment_scores(Selection.of(campaign, weights="google"), "mqm").values
    np.testing.assert_allclose(plain, google, rtol=0, atol=1e-9)
    assert not np.array_equal(plain, esa, equal_nan=True)


def test_three_raters(three_raters):
    """Severities and categories are stored as they were released, and weighed whatever their
    letter case; "Non-translation!" is one of them."""
    selection = Selection.of(three_raters, weights="google")
    found = scores_figures.segment_scores(selection, "mqm")
    ours = {
        (str(name), i): value
        for name, row in zip(found.names, found.values.tolist(), strict=True)
        for i, value in enumerate(row)
    }
    segments = read_tsv(shared_data(THREE_RATERS, "segments.en-de.tsv.gz"))
    places = {row["seg_id"]: i for i, row in enumerate(segments)}
    published = read_tsv(shared_data(THREE_RATERS, "published_segments.en-de.tsv"))
    assert len(published) == 240
    for row in published:
        value = -ours[row["system"], places[row["seg_id"]]]
        assert value == pytest.approx(float(row["mqm_mean_of_raters"]), abs=1.1e-6)
    assert "Non-translation!" in set(
        ErrorSpan.objects.filter(judgment__campaign=three_raters).values_list("category", flat=True)
    )
    assert errors.errors(selection).severities == ("minor", "major")
    agreement = marks.marks(selection)
    assert agreement.n_judgments == 3120
    assert agreement.n_spans == 9_977
    # shared/data's own figure, computed from the ratings with the same weights.
    headline = agreement_figures.agreement(selection, "mqm").headline
    assert headline.slug == "alpha"
    assert headline.result.estimate == pytest.approx(0.5385, abs=5e-5)


def test_published_scores_come_in_as_they_are(campaign):
    """382 of 5,980 MQM scores are below -25, and half of the DA+SQM values are not whole."""
    sqm = Campaign.objects.get(name="wmt23 en-de da-sqm")
    for each, dimension in ((campaign, "mqm"), (sqm, "da_sqm")):
        published = [
            float(row[dimension])
            for row in read_tsv(shared_data(NAME, "human_segments.en-de.tsv.gz"))
            if row[dimension]
        ]
        ratings = Rating.objects.filter(judgment__campaign=each)
        assert sorted(ratings.values_list("value", flat=True)) == sorted(published)
        if dimension == "mqm":
            assert sum(value < -25 for value in published) == 382
        else:
            assert sum(value % 1 != 0 for value in published) > len(published) / 3
    assert agreement_figures.agreement(Selection.of(sqm)).headline.result.reason


def test_one_number_stands_for_each_pair_of_systems(campaign, admin_client):
    found = answers_of(campaign, admin_client)
    assert list(contradictions(found)) == []
    separated = [values for key, values in found.items() if key[2] == "separated"]
    n_systems = len(scores_figures.system_scores(Selection.of(campaign)).names)
    assert len(separated) == n_systems * (n_systems - 1) // 2
