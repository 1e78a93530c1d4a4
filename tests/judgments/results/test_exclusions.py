"""Annotators left out of one dimension, segments and single translations left out of all figures.

Expected figures are computed by hand from the ratings below: means over segments, each the mean of
its ratings.
"""

import csv

import numpy as np
import pytest
from django.core.cache import cache

from judgments.models import Decision, Preference, Rating, RemovedItem
from judgments.quality.decisions.decisions import AlreadyDecided, decide, decide_item
from judgments.quality.decisions.exclusions import (
    ExclusionRow,
    NotExcluded,
    add_exclusions,
    exclusions_in_force,
)
from judgments.quality.rules import figures as rules
from judgments.results import exports
from judgments.results.agreement import figures as agreement
from judgments.results.observations.observations import load
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.exclusions import NO_EXCLUSIONS, Exclusions
from judgments.results.selection.selection import Selection
from tests import factory

from .test_stored import loaded_ratings, stored_ratings

pytestmark = pytest.mark.django_db
# By annotator: systems A, B, C on adequacy, in the first segment and in the three others; fluency.
ADA = [1, 1, 1], [5, 3, 1], [4, 4, 2]
BELA = [1, 1, 1], [1, 1, 5], [2, 5, 5]
ADEQUACY = [2.5, 1.75, 2.5]  # (1 + 3 × 3)/4, (1 + 3 × 2)/4, (1 + 3 × 3)/4
FLUENCY = [3.0, 4.5, 3.5]


@pytest.fixture(autouse=True)
def nothing_kept():
    cache.clear()


@pytest.fixture
def campaign():
    owner, *people = (factory.make_user(name) for name in ("owner", "ada", "bela"))
    made = factory.make_campaign(factory.make_test_set(owner), owner=owner, annotators=people)
    for user, (first, others, fluent) in zip(people, (ADA, BELA), strict=True):
        task = factory.make_task(made, user, seat=1 + people.index(user))
        for item in task.items.order_by("position"):
            adequate = others if item.position else first
            factory.judge(item, {"adequacy": adequate, "fluency": fluent})
    return made


def by(campaign):
    return campaign.test_set.owner


def user(campaign, name):
    return campaign.members.get(username=name)


def segment(campaign, key):
    return campaign.test_set.segments.get(key=key)


def system(campaign, letter):
    return campaign.test_set.systems.get(name=f"System-{letter}")


def means(campaign, dimension, annotators="kept"):
    scores = scores_figures.system_scores(Selection.of(campaign, annotators), dimension)
    found = dict(zip(scores.names, scores.mean.tolist(), strict=True))
    return [found[name] for name in sorted(found)]


def test_without_exclusions(campaign):
    assert Selection.of(campaign).decided == NO_EXCLUSIONS
    assert not NO_EXCLUSIONS
    assert (means(campaign, "adequacy"), means(campaign, "fluency")) == (ADEQUACY, FLUENCY)


def test_one_dimension_without_an_annotator(campaign):
    before = scores_figures.system_scores(Selection.of(campaign), "adequacy")
    bela = user(campaign, "bela")
    decide(campaign, bela, excluded=True, reason="No spread.", by=by(campaign), dimension="fluency")
    kept = Selection.of(campaign)
    assert kept.sentence == "1 annotator is left out of fluency"
    assert (kept.excluded, kept.left_out, kept.is_everything) == ((), (), False)
    assert means(campaign, "fluency") == [4, 4, 2]
    assert scores_figures.system_scores(kept, "fluency").n_judgments.tolist() == [4] * 3
    # The other dimension: not only the means, whatever is computed with the same seeds.
    after = scores_figures.system_scores(kept, "adequacy")
    for name in ("mean", "low", "high", "p_values", "rank_low", "rank_high", "n_judgments"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name), name)
    z = scores_figures.standardized(load(kept), "fluency", "z", "regular")[1]
    assert z.annotators.tolist() == [0]
    assert agreement.agreement(kept, "fluency").n_annotators == 1
    assert agreement.agreement(kept, "adequacy").n_annotators == 2
    everyone = Selection.of(campaign, "all")
    assert everyone.sentence == "What the owners left out of dimensions or of items counts too"
    assert means(campaign, "fluency", "all") == FLUENCY
    assert everyone.is_everything


def test_a_dimension_is_decided_once(campaign):
    bela = user(campaign, "bela")

    def decided(excluded, dimension=""):
        known = {"reason": "x", "by": by(campaign), "dimension": dimension}
        return decide(campaign, bela, excluded=excluded, **known)

    decided(True, "fluency")
    for excluded, dimension in ((True, "fluency"), (False, ""), (False, "adequacy")):
        with pytest.raises(AlreadyDecided):
            decided(excluded, dimension)
    decided(True)
    assert Exclusions.of(campaign) == Exclusions(annotators=(bela.pk,))
    with pytest.raises(AlreadyDecided, match="left out already"):
        decided(True, "adequacy")
    decided(False)
    assert Exclusions.of(campaign) == Exclusions(partly=((bela.pk, "fluency"),))
    with pytest.raises(AlreadyDecided, match="not left out"):
        decided(False, "adequacy")
    decided(False, "fluency")
    assert Exclusions.of(campaign) == NO_EXCLUSIONS
    assert Decision.objects.count() == 4


def test_a_segment_is_left_out_and_taken_in_again(campaign):
    mark = Selection.of(campaign).fingerprint
    known = {"reason": "The source is cut off.", "by": by(campaign)}
    first = segment(campaign, "1")
    decide_item(campaign, first, None, removed=True, **known)
    kept = Selection.of(campaign)
    assert kept.sentence == "1 segment is left out: 1"
    assert kept.fingerprint != mark
    assert means(campaign, "adequacy") == [3, 2, 3]
    assert scores_figures.system_scores(kept).n_segments.tolist() == [3] * 3
    assert kept.judgments().count() == 6
    assert agreement.agreement(kept).headline.result.n_items == 9
    assert means(campaign, "adequacy", "all") == ADEQUACY
    assert Selection.of(campaign, "all").fingerprint == mark
    assert rules.quality(kept).annotators[0].n_scores == 12  # of the person, whatever counts
    for removed, of in (
        (True, None),
        (True, system(campaign, "A")),
        (False, system(campaign, "A")),
    ):
        with pytest.raises(AlreadyDecided):
            decide_item(campaign, first, of, removed=removed, **known)
    decide_item(campaign, first, None, removed=False, **known)
    assert means(campaign, "adequacy") == ADEQUACY
    assert Selection.of(campaign).fingerprint == mark
    assert RemovedItem.objects.count() == 2


def test_one_translation_is_left_out(campaign):
    known = {"reason": "Empty in the release.", "by": by(campaign)}
    decide_item(campaign, segment(campaign, "2"), system(campaign, "A"), removed=True, **known)
    kept = Selection.of(campaign)
    assert kept.sentence == "1 translation is left out: 2 of System-A"
    assert means(campaign, "adequacy") == [pytest.approx(7 / 3), 1.75, 2.5]  # (1 + 3 + 3)/3
    assert scores_figures.system_scores(kept).n_segments.tolist() == [3, 4, 4]
    decide_item(campaign, segment(campaign, "2"), None, removed=True, **known)
    assert Selection.of(campaign).sentence == "1 segment is left out: 2"


def test_comparisons_with_a_translation_that_is_left_out():
    owner, *people = (factory.make_user(name) for name in ("owner", "ada", "bela"))
    made = factory.make_campaign(
        factory.make_test_set(owner), preset="pairwise", owner=owner, annotators=people
    )
    for seat, person in enumerate(people, 1):
        for item in factory.make_task(made, person, seat=seat).items.order_by("position"):
            factory.judge(item, 1 if item.position else -1)
    known = {"removed": True, "reason": "x", "by": owner}
    decide_item(made, segment(made, "1"), system(made, "B"), **known)
    kept = Selection.of(made)
    assert load(kept).preferences["label"].tolist() == [1] * 6
    outputs = ("output_a", "output_b")
    assert kept.rows_of(Preference.objects.all(), outputs=outputs).count() == 6
    assert kept.rows_of(Preference.objects.all(), outputs=outputs, everyone=True).count() == 8
    decide_item(made, segment(made, "2"), system(made, "C"), **known)  # which nobody compared
    assert len(load(Selection.of(made)).preferences) == 6


def test_the_rows_are_those_that_the_database_finds(campaign):
    known = {"reason": "x", "by": by(campaign)}
    decide(campaign, user(campaign, "ada"), excluded=True, dimension="adequacy", **known)
    decide_item(campaign, segment(campaign, "1"), None, removed=True, **known)
    decide_item(campaign, segment(campaign, "3"), system(campaign, "B"), removed=True, **known)
    for selection in (Selection.of(campaign), Selection.of(campaign, "all")):
        counted = selection.rows_of(Rating.objects.all())
        expected = stored_ratings(campaign, pk__in=counted.values("pk"))
        assert loaded_ratings(load(selection)) == expected
        # Of 2 × 2 × 12: without segment 1 36, without B of segment 3 32, without Ada's adequacy 24.
        assert counted.count() == (24 if selection.in_force else 48)


def test_files_say_which_rows_are_left_out(campaign):
    known = {"reason": "x", "by": by(campaign)}
    decide(campaign, user(campaign, "ada"), excluded=True, dimension="adequacy", **known)
    decide_item(campaign, segment(campaign, "3"), system(campaign, "B"), removed=True, **known)
    rows = list(csv.DictReader(exports.tsv_lines(Selection.of(campaign)), delimiter="\t"))
    assert len(rows) == 48
    for row in rows:
        of_ada = (row["annotator"], row["dimension"]) == ("ada", "adequacy")
        of_item = (row["segment"], row["system"]) == ("3", "System-B")
        assert (row["excluded"] == "yes") == (of_ada or of_item), row
    document = exports.document(Selection.of(campaign))
    assert document["exclusions"][0]["dimension"] == "adequacy"
    (item,) = document["removed_items"]
    assert (item["segment"], item["system"], item["decision"]) == ("3", "System-B", "left out")
    assert document["selection"]["left_out_of_dimensions"] == [["ada", "adequacy"]]
    assert document["selection"]["removed_items"] == [["3", "System-B"]]


# Many at once


ROWS = [
    ExclusionRow("bela", "fluency", reason="No spread."),
    ExclusionRow(segment="1", reason="The source is cut off."),
    ExclusionRow(segment="2", system="System-A", reason="Empty."),
    ExclusionRow(segment="1", system="System-A", reason="Within segment 1."),
    ExclusionRow("bela", "fluency", reason="Again."),
]


def test_exclusions_of_a_release(campaign):
    assert add_exclusions(campaign, by(campaign), ROWS) == 3
    assert add_exclusions(campaign, by(campaign), ROWS) == 0
    assert Selection.of(campaign).sentence == (
        "1 annotator is left out of fluency; 1 segment is left out: 1; "
        "1 translation is left out: 2 of System-A"
    )
    assert means(campaign, "fluency") == [4, 4, 2]
    assert means(campaign, "adequacy") == [3, 2, 3]
    assert sorted(exclusions_in_force(campaign)) == sorted(ROWS[:3])
    assert add_exclusions(campaign, by(campaign), [ExclusionRow("bela", reason="Hurried.")]) == 1
    assert add_exclusions(campaign, by(campaign), [ExclusionRow("bela", reason="Hurried.")]) == 0
    assert Selection.of(campaign).excluded == (user(campaign, "bela").pk,)


def test_what_a_release_names_and_nobody_knows(campaign):
    bad = [
        (ExclusionRow("zoe", reason="x"), "there is no annotator 'zoe'."),
        (ExclusionRow("ada", "style", reason="x"), "there is no dimension 'style'."),
        (ExclusionRow(segment="9", reason="x"), "there is no segment '9'."),
        (ExclusionRow(segment="1", system="D", reason="x"), "there is no system 'D'."),
        (ExclusionRow(reason="x"), "it names either an annotator or a segment."),
        (ExclusionRow("ada", segment="1", reason="x"), "it names either an annotator or a segment"),
        (ExclusionRow("ada", system="System-A", reason="x"), "an annotator is left out of all"),
        (ExclusionRow("", "fluency", "1", reason="x"), "a segment is left out of all dimensions."),
        (ExclusionRow("ada", reason=" "), "it has no reason."),
        (ExclusionRow("ada", reason="x" * 2001), "its reason is longer than 2,000 characters."),
    ]
    with pytest.raises(NotExcluded) as raised:
        add_exclusions(campaign, by(campaign), [ROWS[0], *(row for row, _ in bad)])
    assert raised.value.n == len(bad) == len(raised.value.problems)
    for number, (found, (_row, said)) in enumerate(
        zip(raised.value.problems, bad, strict=True), start=2
    ):
        assert found.startswith(f"Row {number}: {said}"), found
    with pytest.raises(NotExcluded) as raised:
        add_exclusions(campaign, by(campaign), [bad[0][0]] * 150)
    assert (len(raised.value.problems), raised.value.n) == (100, 150)
    assert not Decision.objects.exists() and not RemovedItem.objects.exists()
