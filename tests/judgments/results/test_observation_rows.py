"""Observations read some judgments at a time are those of one join of everything, and z is what
Python's statistics make of them."""

import statistics
from datetime import UTC, date, datetime, timedelta
from unittest import mock

import pytest
from django.db.models import OuterRef, Subquery
from django.test import TestCase

from judgments.models import (
    Decision,
    Item,
    ItemOutput,
    Judgment,
    Kind,
    Membership,
    Preference,
    Rating,
)
from judgments.quality.rules.figures import times_of
from judgments.results import exports
from judgments.results.observations import observation_rows
from judgments.results.observations.observations import forget, load
from judgments.results.selection.filters import Filters
from judgments.results.selection.selection import Selection

from ... import factory

START = datetime(2026, 3, 1, 22, tzinfo=UTC)
ABOUT = ("judgment__annotator_id", "judgment__item_id", "judgment__item__kind")
TIMES = ("judgment__started_at", "judgment__submitted_at", "judgment__active_ms")

FILTERS = (
    Filters(),
    Filters(systems=("System-A", "System-B")),
    Filters(domains=("news",)),
    Filters(kinds=("degraded",)),
    Filters(annotators=("annotator-0", "annotator-1")),
    Filters(since=date(2026, 3, 2), until=date(2026, 3, 2)),
    Filters(fewest_words=100),
)


def about(selection, user, started, submitted, ms):
    return (
        "yes" if user in selection.excluded else "",
        started.isoformat() if started else "",
        submitted.isoformat() if submitted else "",
        "" if ms is None else repr(ms / 1000),
    )


def joined_ratings(selection):
    """Ratings in one statement, with a query of the place on the screen for each."""
    shown = ItemOutput.objects.filter(item=OuterRef("judgment__item"), output=OuterRef("output"))
    rows = (
        selection.rows_of(Rating.objects.all(), everyone=True)
        .annotate(place=Subquery(shown.order_by().values("position")[:1]))
        .order_by("judgment_id", "place", "pk")
    )
    own = ("output__segment__key", "output__system__name", "dimension", "value", "is_copy", "pk")
    z = list(z_of(selection))
    for (
        user,
        item,
        kind,
        *times,
        segment,
        system,
        dimension,
        value,
        is_copy,
        pk,
    ) in rows.values_list(*ABOUT, *TIMES, *own):
        end = (kind, "yes" if is_copy else "", *about(selection, user, *times))
        end += tuple(scores.get(pk, "") for scores in z)
        yield (selection.alias(user), segment, system, dimension, value, item, *end)


def z_of(selection):
    """z of the ratings that count by id, over regular items and over all."""
    rows = selection.rows_of(Rating.objects.all())
    known = list(rows.values_list("pk", ABOUT[0], "dimension", "value", ABOUT[2]))
    for of_scale in (lambda kind: kind in ("regular", "repeat"), lambda kind: kind != "tutorial"):
        groups = {}
        for _, user, dimension, value, kind in known:
            if of_scale(kind):
                groups.setdefault((user, dimension), []).append(value)
        scales = {
            each: (statistics.fmean(values), statistics.stdev(values))
            for each, values in groups.items()
            if len(set(values)) > 1
        }
        yield {
            pk: pytest.approx((value - scales[user, dimension][0]) / scales[user, dimension][1])
            for pk, user, dimension, value, kind in known
            if (user, dimension) in scales and kind != "tutorial"
        }


def joined_preferences(selection):
    outputs = ("output_a", "output_b")
    rows = selection.rows_of(Preference.objects.all(), outputs=outputs, everyone=True)
    own = ("output_a__segment__key", "output_a__system__name", "output_b__system__name")
    own += ("judgment__item__control_output__system__name",)
    for user, item, kind, *times, segment, a, b, control, value, strength in rows.order_by(
        "judgment_id", "pk"
    ).values_list(*ABOUT, *TIMES, *own, "value", "strength"):
        much = "" if strength is None else strength
        end = (much, item, kind, control or "", *about(selection, user, *times))
        yield (selection.alias(user), segment, a, b, value, *end)


class ObservationRowsTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.people = [factory.make_user(f"annotator-{i}") for i in range(3)]
        cls.test_set = factory.make_test_set(cls.owner)
        first = cls.test_set.segments.first()
        first.document.domain = "news"
        first.document.save()

    def judged(self, preset, values):
        """Everybody judges all segments, the outputs in another order than they were stored in;
        the last item is a degraded one, and everybody revises the first."""
        campaign = factory.make_campaign(
            self.test_set, preset=preset, owner=self.owner, annotators=self.people
        )
        for seat, user in enumerate(self.people):
            task = factory.make_task(campaign, user, seat=seat + 1)
            for n, item in enumerate(task.items.all()):
                self.turn(item, n)
                old = factory.judge(item, values(item, n + seat))
                if n == 0:
                    factory.judge(item, values(item, n + seat + 1), supersedes=old)
            Item.objects.filter(pk=item.pk).update(kind=Kind.DEGRADED)
        for n, judgment in enumerate(Judgment.objects.filter(campaign=campaign)):
            judgment.active_ms = None if n % 3 == 0 else 1234 + n
            judgment.started_at = START + timedelta(hours=n) if n % 4 else None
            judgment.submitted_at = START + timedelta(hours=n, minutes=1, microseconds=n)
            with factory.rewriting():
                judgment.save()
        Decision.objects.create(
            campaign=campaign,
            annotator=self.people[1],
            excluded=True,
            decided_by=self.owner,
            reason="hasty",
        )
        Membership.objects.filter(campaign=campaign, user=self.people[2]).delete()
        return campaign

    def turn(self, item, n):
        """The outputs in another order on the screen; one is not on it any more."""
        shown = list(item.shown.order_by("position"))
        for place, row in enumerate(shown):
            ItemOutput.objects.filter(pk=row.pk).update(position=100 + place)
        for place, row in enumerate(reversed(shown)):
            ItemOutput.objects.filter(pk=row.pk).update(position=place)

    def assert_same(self, campaign, joined):
        seen = set()
        for chosen in FILTERS:
            selection = Selection.of(campaign, filters=chosen)
            expected = list(joined(selection))
            seen.add(len(expected))
            for at_once in (1, 5, 2000):
                with mock.patch.object(observation_rows, "AT_ONCE", at_once):
                    self.assertEqual(list(exports.observation_rows(selection)), expected)
        self.assertGreater(len(seen), 3)
        self.assertIn(0, seen)
        self.assertGreater(len(list(joined(Selection.of(campaign)))), 10)

    def test_ratings(self):
        campaign = self.judged(
            "adequacy-fluency",
            lambda item, n: {"fluency": [1 + n % 5, 3, 2], "adequacy": [2, 1.5, 1 + n % 3]},
        )
        gone = ItemOutput.objects.filter(item__task__campaign=campaign, position=1)
        gone.filter(item__position=1).delete()
        with factory.rewriting():
            Rating.objects.filter(output__system__name="System-B", dimension="fluency").update(
                is_copy=True
            )
        self.assert_same(campaign, joined_ratings)

    def test_ranks(self):
        campaign = self.judged("relative-ranking", lambda item, n: {"rank": [1 + n % 2, 2, 1]})

        def joined(selection):
            for alias, segment, system, _, value, item, *rest in joined_ratings(selection):
                yield (item, alias, segment, system, int(value), *rest[:-2])

        self.assert_same(campaign, joined)

    def test_preferences(self):
        campaign = self.judged("pairwise", lambda item, n: n % 3 - 1)
        with factory.rewriting():
            Preference.objects.filter(value=1).update(strength=2)
        self.assert_same(campaign, joined_preferences)

    def test_times_are_of_the_judgments_that_count(self):
        campaign = self.judged("adequacy-fluency", lambda item, n: {"adequacy": [1, 2, 3]})
        for chosen in (*FILTERS, Filters(systems=("System-A",))):
            for selection in (
                Selection.of(campaign, filters=chosen),
                Selection.of(campaign, filters=chosen).everyone,
            ):
                expected = sorted(selection.judgments().values_list("pk", flat=True))
                self.assertEqual(times_of(selection)["judgment"].tolist(), expected)

    def test_statements(self):
        """No more of them for all judgments than for one."""
        campaign = self.judged("adequacy-fluency", lambda item, n: {"adequacy": [1, 2, 3]})
        selection = Selection.of(campaign)
        load(selection)  # what results are made of
        with self.assertNumQueries(5):  # ids, outputs; of all judgments: they, screens, ratings
            list(exports.observation_rows(selection))

    def test_z_has_two_scales(self):
        """A degraded item shifts the mean over all items only (both by hand: 4 of 2, 4, 6 is the
        mean of the regular ones with sd 2; with 0 the mean is 3 and the sd the root of 20 / 3)."""
        campaign = factory.make_campaign(
            self.test_set, preset="direct-assessment", owner=self.owner, annotators=self.people
        )
        task = factory.make_task(campaign, self.people[0], n_outputs=1)
        for item, value in zip(task.items.order_by("position"), (2, 4, 6, 0), strict=True):
            factory.judge(item, {"da": [value]})
        Item.objects.filter(pk=item.pk).update(kind=Kind.DEGRADED)
        forget()
        selection = Selection.of(campaign)
        columns = exports.observation_columns(selection)
        rows = [dict(zip(columns, r, strict=True)) for r in exports.observation_rows(selection)]
        root = (20 / 3) ** 0.5
        assert [row["z"] for row in rows] == pytest.approx([-1, 0, 1, -2])
        assert [row["z_all"] for row in rows] == pytest.approx(
            [-1 / root, 1 / root, 3 / root, -3 / root]
        )
