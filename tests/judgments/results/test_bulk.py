"""Rows in bulk equal rows one by one."""

import numpy as np
import pytest
from django.core.cache import cache

from judgments.models import Rating
from judgments.models.bulk import MOMENT, copy_columns, ids_of, seconds_of
from judgments.results.observations.observations import load
from judgments.results.selection.selection import Selection
from tests import factory

pytestmark = pytest.mark.django_db

FIELDS = {"n": ("n", "i8"), "small": ("mod(n, %s)", "i4"), "x": ("n / 8.0 - 1", "f8")}


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_numbers_arrive_as_they_are(n):
    rows = copy_columns(FIELDS, "generate_series(1, %s) n", [7, n])
    expected = np.arange(1, n + 1)
    assert rows["n"].tolist() == expected.tolist()
    assert rows["small"].tolist() == (expected % 7).tolist()
    assert rows["x"].tolist() == (expected / 8 - 1).tolist()
    assert rows["n"].dtype == np.int64


def test_extremes():
    fields = {"big": ("cast(%s AS bigint)", "i8"), "x": ("'-Infinity'::float8", "f8")}
    row = copy_columns(fields, "generate_series(1, 1) n", [-(2**63)])
    assert row["big"].tolist() == [-(2**63)]
    assert row["x"].tolist() == [-np.inf]


def test_moments_are_the_database_s_seconds_to_the_last_digit():
    moment = "'1999-12-31 23:59:59.123457Z'::timestamptz + n * interval '97 days 3.000001 seconds'"
    fields = {
        "moment": (f"CASE WHEN n = 7 THEN '-infinity' ELSE {moment} END", MOMENT),
        "seconds": (f"extract(epoch FROM {moment})", "f8"),
    }
    found = copy_columns(fields, "generate_series(1, 500) n ORDER BY n")
    seconds, expected = seconds_of(found["moment"]).tolist(), found["seconds"].tolist()
    assert np.isnan(seconds.pop(6))
    expected.pop(6)
    assert seconds == expected


def test_ids_of_a_query():
    owner = factory.make_user("owner")
    segments = factory.make_test_set(owner).segments
    for rows in (
        segments.order_by("-position"),
        segments.filter(key__in=["3", "2"]).order_by("pk"),
        segments.filter(pk__in=[]),
    ):
        assert ids_of(rows).tolist() == list(rows.values_list("pk", flat=True))


def test_a_null_is_refused():
    with pytest.raises(ValueError, match="NULL"):
        copy_columns({"n": ("NULL", "i8")}, "generate_series(1, 3) n")


def test_a_parameter_is_never_sql():
    rows = copy_columns(
        {"n": ("length(%s)", "i4")}, "generate_series(1, 1) n", ["'); DROP TABLE x;"]
    )
    assert rows["n"].tolist() == [17]


def test_all_codes_lead_back_to_the_stored_rows():
    cache.clear()
    owner = factory.make_user("owner")
    people = [factory.make_user(name) for name in ("zoe", "adam")]
    # A set of other texts first, so that ids and places differ.
    factory.make_test_set(owner, name="Other")
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, annotators=people)
    for seat, person in enumerate(people, 1):
        for item in factory.make_task(campaign, person, seat=seat).items.all():
            values = [1 + (item.pk + k) % 5 for k in range(3)]
            factory.judge(item, {"adequacy": values, "fluency": values[::-1]}, active_ms=7)
    observed = load(Selection.of(campaign))
    rows = observed.ratings
    found = list(
        zip(
            rows["id"].tolist(),
            observed.annotators[rows["annotator"]].tolist(),
            observed.segment_keys[rows["segment"]].tolist(),
            observed.system_names[rows["system"]].tolist(),
            [observed.dimensions[code].slug for code in rows["dimension"]],
            rows["value"].tolist(),
            rows["active_ms"].tolist(),
            strict=True,
        )
    )
    stored = Rating.objects.filter(judgment__campaign=campaign).order_by("pk")
    fields = ("pk", "judgment__annotator__username", "output__segment__key")
    fields += ("output__system__name", "dimension", "value", "judgment__active_ms")
    assert found == list(stored.values_list(*fields))
    assert observed.annotators.tolist() == ["adam", "zoe"]


def test_ratings_on_a_dimension_that_is_not_asked_are_counted_apart():
    cache.clear()
    owner = factory.make_user("owner")
    campaign = factory.make_campaign(factory.make_test_set(owner), annotators=[owner])
    item = factory.make_task(campaign, owner).items.first()
    factory.judge(item, {"adequacy": [1, 2, 3], "beauty": [5, 5, 5]})
    observed = load(Selection.of(campaign))
    assert len(observed.ratings) == 3
    assert observed.n_off_protocol == 3
