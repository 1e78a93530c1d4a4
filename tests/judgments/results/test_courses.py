"""The page Course: what was held second by second, and every press."""

import csv
import io
import math

import numpy as np
from django.db.models import F
from django.urls import reverse

from judgments.models import Press
from judgments.results.courses.figures import courses_of, held
from judgments.results.selection.selection import Selection
from tests import factory

from .test_results import ResultsTestCase


def test_what_is_held_in_the_middle_of_each_second():
    found = held(np.array([400, 1600, 3000, 4200]), np.array([3.0, 1.0, math.nan, math.nan]))
    assert np.array_equal(found, [3, 3, 1, math.nan, math.nan], equal_nan=True)


class CoursesTest(ResultsTestCase):
    """Two annotators and two systems; the second system is rated lower by one step."""

    def setUp(self):
        super().setUp()
        people = [self.annotator_1, self.annotator_2]
        self.campaign = factory.make_campaign(
            self.test_set, preset="continuous-rating", owner=self.owner, annotators=people,
            researchers=[self.researcher], name="Talks",
        )  # fmt: skip
        segment = self.test_set.segments.first()
        for batch, (person, first) in enumerate(zip(people, (4, 2), strict=True), 1):
            for place, output in enumerate(segment.outputs.order_by("system__name")[:2]):
                task = factory.make_task(
                    self.campaign, person, batch=2 * batch + place, segments=[segment]
                )
                item = task.items.get()
                item.shown.exclude(output=output).delete()
                means = {"by_time": [first - place / 2], "by_press": [first - place / 2]}
                judgment = factory.judge(item, means)
                for at_ms, value in ((1000, first), (3000, first - place), (5000, None)):
                    Press.objects.create(
                        judgment=judgment, output=output, at_ms=at_ms, value=value, clock_ms=7
                    )

    def get(self, name, *more):
        self.as_user(self.owner)
        return self.client.get(reverse(name, args=[self.campaign.pk, *more]))

    def test_means_by_second(self):
        found = courses_of(Selection.of(self.campaign))
        assert found.names == ("System-A", "System-B")
        assert (found.step, found.recordings, found.courses) == (1, 1, 4)
        assert found.starts.tolist() == [1, 2, 3, 4]  # nothing was pressed before
        assert found.means.tolist() == [[3, 3, 3, 3], [3, 3, 2, 2]]
        assert found.n.tolist() == [[2, 2, 2, 2]] * 2

    def test_a_recording_that_begins_far_inside_its_file(self):
        with factory.rewriting():
            Press.objects.update(at_ms=F("at_ms") + 3_600_000)
        found = courses_of(Selection.of(self.campaign))
        assert (found.step, found.starts.tolist()) == (1, [3601, 3602, 3603, 3604])
        assert found.means.tolist() == [[3, 3, 3, 3], [3, 3, 2, 2]]
        assert {each.seconds for each in found.habits} == {8}

    def test_how_often_people_press(self):
        page = self.get("results-page", "courses")
        self.assertContains(page, "Presses by annotator")
        rows = list(csv.DictReader(io.StringIO(self.table("press-habits"))))
        # Two recordings, two presses each, the end four seconds after the first, none for two.
        expected = {"recordings": "2", "presses": "4", "seconds": "2.0", "longest": "2.0"}
        assert [row.pop("annotator") for row in rows] == ["annotator-1", "annotator-2"]
        assert [{key: row[key] for key in expected} for row in rows] == [expected] * 2

    def test_long_recordings_have_few_points(self):
        with factory.rewriting():
            Press.objects.filter(value=None).update(at_ms=3_600_000)
        found = courses_of(Selection.of(self.campaign))
        assert (found.step, len(found.starts)) == (15, 240)
        assert found.means[0, -1] == 3 and found.n[0, -1] == 28

    def test_the_page_its_files_and_the_api(self):
        page = self.get("results-page", "courses")
        self.assertContains(page, "The lowest mean is that of System-B, 2.00 from 0:03 on")
        self.assertContains(self.get("scores"), "results/courses/")
        rows = list(csv.DictReader(io.StringIO(self.table("presses"))))
        assert len(rows) == 12
        assert [(row["second"], row["value"]) for row in rows[:3]] == [
            ("1.0", "4"), ("3.0", "4"), ("5.0", ""),
        ]  # fmt: skip
        course = list(csv.DictReader(io.StringIO(self.table("course"))))
        assert [row["System-B"] for row in course] == ["3.0", "3.0", "2.0", "2.0"]
        tables = self.get("api-page", "courses").json()
        assert "3.0" not in str(tables["sections"][0]["title"])
        voices = self.get("segment", self.test_set.segments.first().pk)
        self.assertContains(voices, "Presses, each with its second")

    def table(self, slug):
        response = self.get("export-table", slug)
        assert response.status_code == 200
        return response.content.decode()

    def test_scores_are_those_by_time(self):
        page = self.get("scores")
        self.assertContains(page, "Systems by rating by time")

    def test_nothing_was_pressed_and_nobody_else_asks(self):
        other = factory.make_campaign(self.test_set, owner=self.owner, name="Other")
        self.as_user(self.owner)
        url = reverse("results-page", args=[other.pk, "courses"])
        assert self.client.get(url).status_code == 404
        empty = factory.make_campaign(
            self.test_set, preset="continuous-rating", owner=self.owner, name="Empty"
        )
        url = reverse("results-page", args=[empty.pk, "courses"])
        self.assertContains(self.client.get(url), "No presses yet")
        self.as_user(self.outsider)
        assert self.client.get(url).status_code == 404

    def test_statements(self):
        self.get("results-page", "courses")
        with self.assertNumQueries(17):
            self.get("results-page", "courses")
