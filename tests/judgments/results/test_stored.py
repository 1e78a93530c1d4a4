"""Rows that were read table by table are those that a join finds one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.models import Decision, Kind, Preference, Rating
from judgments.results.observations.observations import load
from judgments.results.observations.rows import Rows
from judgments.results.observations.tables import places
from judgments.results.selection.selection import Selection
from tests import factory

ids = st.integers(1, 60) | st.integers(10**12, 10**12 + 5)


@settings(max_examples=100, deadline=None)
@given(st.lists(ids, unique=True), st.lists(ids))
def test_places_are_those_of_a_list(names, values):
    expected = [names.index(value) if value in names else -1 for value in values]
    found = places(np.array(values, np.int64), np.array(names, np.int64))
    assert found.tolist() == expected


def test_chosen_rows_share_their_columns():
    rows = Rows({"code": np.array([3, 1, 2], np.int8), "value": np.array([0.5, 1.5, 2.5])})
    assert len(rows) == 3
    chosen = rows[rows["code"] > 1][np.array([1, 0])]
    assert chosen["value"].tolist() == [2.5, 0.5]
    assert chosen["code"].dtype == np.int64  # no product of codes overflows
    assert len(chosen[np.zeros(2, bool)]) == 0
    assert rows[np.ones(3, bool)] is rows


@pytest.fixture
def campaigns(db):
    """Two campaigns on the same texts, judged by turns, with revisions and kinds of items."""
    owner = factory.make_user("owner")
    people = [factory.make_user(name) for name in ("zoe", "adam")]
    factory.make_test_set(owner, name="Other texts")
    test_set = factory.make_test_set(owner)
    made = {}
    for preset in ("adequacy-fluency", "pairwise", "relative-ranking"):
        made[preset] = factory.make_campaign(test_set, preset=preset, annotators=people)
        made[preset, "again"] = factory.make_campaign(test_set, preset=preset, annotators=people)
    for seat, person in enumerate(people, 1):
        tasks = [factory.make_task(campaign, person, seat=seat) for campaign in made.values()]
        tasks[0].items.filter(position=1).update(kind=Kind.DEGRADED)
        for items in zip(*(task.items.order_by("position") for task in tasks), strict=True):
            for item in items:
                values = answer(item, item.pk)
                first = factory.judge(item, values, active_ms=100 * item.position)
                if item.position == 2:
                    factory.judge(item, answer(item, item.pk + 1), supersedes=first)
    return made


def answer(item, number):
    if item.task.campaign.protocol == "pairwise":
        return number % 3 - 1
    slugs = {"rating": ("adequacy", "fluency"), "ranking": ("rank",)}[item.task.campaign.protocol]
    return {slug: [1 + (number + k) % 3 for k in range(item.shown.count())] for slug in slugs}


def stored_ratings(campaign, **conditions):
    stored = Rating.objects.filter(
        judgment__campaign=campaign, judgment__superseded_by=None, **conditions
    ).order_by("pk")
    fields = "pk judgment_id judgment__annotator__username judgment__item_id judgment__active_ms"
    fields += " judgment__item__kind output__segment__key output__system__name dimension value"
    return list(stored.values_list(*fields.split()))


def loaded_ratings(observed):
    rows = observed.ratings
    columns = (
        rows["id"],
        rows["judgment"],
        observed.annotators[rows["annotator"]],
        rows["item"],
        rows["active_ms"],
        np.array(Kind.values, object)[rows["kind"]],
        observed.segment_keys[rows["segment"]],
        observed.system_names[rows["system"]],
        np.array([d.slug for d in observed.dimensions], object)[rows["dimension"]],
        rows["value"],
    )
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_ratings_are_those_of_a_join(campaigns):
    for key in ("adequacy-fluency", ("adequacy-fluency", "again")):
        expected = stored_ratings(campaigns[key])
        assert len(expected) == 2 * 4 * 3 * 2
        assert loaded_ratings(load(Selection.of(campaigns[key]))) == expected


def test_ranks_have_their_place_on_the_screen(campaigns):
    campaign = campaigns["relative-ranking"]
    observed = load(Selection.of(campaign))
    rows = observed.rows
    assert rows["value"].tolist() == [row[-1] for row in stored_ratings(campaign)]
    # The screens of the factory are in the order of the systems.
    assert rows["position"].tolist() == rows["system"].tolist()


def test_preferences_are_those_of_a_join(campaigns):
    campaign = campaigns["pairwise"]
    observed = load(Selection.of(campaign))
    rows = observed.preferences
    found = zip(
        rows["id"].tolist(),
        observed.annotators[rows["annotator"]].tolist(),
        observed.segment_keys[rows["segment"]].tolist(),
        observed.system_names[rows["first"]].tolist(),
        observed.system_names[rows["second"]].tolist(),
        rows["label"].tolist(),
        strict=True,
    )
    stored = Preference.objects.filter(judgment__campaign=campaign, judgment__superseded_by=None)
    fields = "pk judgment__annotator__username output_a__segment__key output_a__system__name"
    fields += " output_b__system__name value"
    assert list(found) == list(stored.order_by("pk").values_list(*fields.split()))
    assert len(rows) == 8


def test_who_is_left_out_gives_no_row(campaigns):
    campaign = campaigns["adequacy-fluency"]
    member = campaign.memberships.get(alias="zoe")
    Decision.objects.create(
        campaign=campaign,
        annotator=member.user,
        excluded=True,
        reason="A test",
        decided_by=member.user,
    )
    observed = load(Selection.of(campaign))
    assert observed.annotators.tolist() == ["adam"]
    expected = stored_ratings(campaign, judgment__annotator__username="adam")
    assert loaded_ratings(observed) == expected


def test_nothing_stored_is_nothing_loaded(db):
    campaign = factory.make_campaign(factory.make_test_set(factory.make_user("owner")))
    observed = load(Selection.of(campaign))
    assert len(observed.ratings) == len(observed.preferences) == len(observed.annotators) == 0
    assert observed.rows["value"].tolist() == []
