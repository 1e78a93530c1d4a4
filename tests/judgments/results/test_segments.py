"""The segments of a campaign: the list, metrics next to people, flags of the team."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.models import (
    Act,
    Item,
    SegmentMark,
)
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory

from .segment_pages import SegmentsCase


class ListViewTests(SegmentsCase):
    def setUp(self):
        super().setUp()
        for seat, rows in ((1, ([1, 2, 3], [5, 5, 5], [2, 2, 2])), (2, ([1, 4, 3], [5, 4, 5]))):
            items = self.campaign.tasks.get(seat=seat).items.order_by("position")
            for item, row in zip(items, rows, strict=False):
                item.task.refresh_from_db()
                factory.judge(item, {"adequacy": row, "fluency": [3, 3, 3]})

    def keys(self, response):
        return re.findall(r"doc\d (\d+)</a>", response.content.decode())

    def test_refused_to_others(self):
        segment = self.segments[0].pk
        self.assert_refused("segments", self.campaign.pk)
        self.assert_refused("segment", self.campaign.pk, segment)
        self.assert_refused("segment-mark", self.campaign.pk, segment, method="post")
        self.assert_post_only("segment-mark", self.campaign.pk, segment)

    def test_the_list_says_what_it_lists(self):
        for query, keys, words in (
            ("", "123", "3 segments were judged, in the order of the test set."),
            ("?sort=lowest", "312", "3 segments were judged, the lowest mean adequacy first."),
            ("?sort=disagreement", "123", "the largest disagreement first."),
            (
                "?by=annotator-1&low=1&high=2&sort=lowest",
                "31",
                "2 segments where annotator-1 rated adequacy 1 to 2, the lowest mean adequacy",
            ),
            ("?by=annotator-2&high=1", "1", "1 segment where annotator-2 rated adequacy 1 or less"),
            ("?low=4", "2", "1 segment with an output whose adequacy is 4 or more."),
            ("?document=doc1", "3", "1 segment was judged."),
            ("?show=flagged", "", "Flagged: 0 segments were judged."),
        ):
            page = self.listed(self.campaign, query)
            self.assertContains(page, words)
            self.assertEqual("".join(self.keys(page)), keys, query)

    def test_what_cannot_be_asked_is_said(self):
        for query, words in (
            ("?sort=nonsense", "Order: Select a valid choice"),
            ("?low=NaN", "Score, at least: Enter a number"),
            ("?by=<b>", "Rated by: Select a valid choice"),
            ("?dimension=x", "Question: Select a valid choice"),
            ("?show=%00", "Show: "),
        ):
            page = self.listed(self.campaign, query)
            self.assertContains(page, words)
            self.assertEqual(self.keys(page), list("123"), query)
        self.assertContains(self.listed(self.campaign, "?page=no"), "3 segments")
        self.assertEqual(self.listed(self.campaign, "?since=no").status_code, 400)

    def test_rows_lead_to_segments_and_keep_the_order(self):
        page = self.listed(self.campaign, "?sort=lowest&document=doc0")
        address = reverse("segment", args=[self.campaign.pk, self.segments[0].pk])
        self.assertContains(page, f'href="{address}?document=doc0&amp;sort=lowest"')

    def test_previous_and_next_walk_the_same_order(self):
        page = self.page(self.campaign, self.segments[0], "?sort=lowest")
        before, after = (
            reverse("segment", args=[self.campaign.pk, self.segments[i].pk]) for i in (2, 1)
        )
        self.assertContains(page, "2 of 3")
        self.assertContains(page, f'<a rel="prev" href="{before}?sort=lowest">')
        self.assertContains(page, f'<a rel="next" href="{after}?sort=lowest">')
        alone = self.page(self.campaign, self.segments[0], "?document=doc1")
        self.assertContains(alone, "It is not on the list that was requested.")

    def test_an_empty_campaign_says_what_to_do(self):
        self.assertContains(self.listed(self.pairwise), "No judged segments yet")
        page = self.page(self.pairwise)
        self.assertContains(page, "3 outputs that nobody judged here")

    def test_a_segment_of_another_test_set_is_none(self):
        other = factory.make_test_set(self.owner, name="Other").segments.first()
        for number in (other.pk, 10**12):
            address = reverse("segment", args=[self.campaign.pk, number])
            self.assertEqual(self.as_user(self.owner).get(address).status_code, 404)

    def test_few_statements_however_many_segments(self):
        self.page(self.campaign)
        with CaptureQueriesContext(
            connection,
        ) as of_page:
            self.page(self.campaign)
        self.assertLessEqual(len(of_page), 33)
        with CaptureQueriesContext(connection) as of_list:
            self.listed(self.campaign)
        self.assertLessEqual(len(of_list), 24)


class MetricSegmentTests(SegmentsCase):
    def setUp(self):
        super().setUp()
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        for item in Item.objects.filter(task__campaign=self.campaign, task__seat=1)[:3]:
            item.task.refresh_from_db()
            factory.judge(item, {"adequacy": [1, 2, 5], "fluency": [3, 3, 3]})

    def test_metrics_sort_and_stand_beside_people(self):
        page = self.listed(self.campaign)
        (slug,) = set(re.findall(r'value="metric-([\w-]+)"', page.content.decode()))
        page = self.listed(self.campaign, f"?sort=metric-{slug}")
        self.assertContains(page, "the worst by chrF")
        page = self.listed(self.campaign, f"?sort=clash-{slug}")
        self.assertContains(page, "farthest apart in chrF")
        # It opens at the output that is farthest apart.
        self.assertRegex(page.content.decode(), rf"sort=clash-{slug}&amp;output=(\d+)#system-\1")
        one = self.page(self.campaign, query=f"?sort=clash-{slug}")
        self.assertContains(one, "Score of 1 metric")
        self.assertContains(one, "NEVA − WAFT", count=3)
        system = self.test_set.systems.first().pk
        of_words = reverse(
            "metric-diagnostic", args=[self.test_set.pk, self.segments[0].pk, system]
        )
        self.assertContains(one, f'href="{of_words}"')

    def test_json_is_the_page(self):
        address = reverse("api-segments", args=[self.campaign.pk])
        client = self.as_user(self.researcher)
        found = client.get(address, {"sort": "lowest", "limit": 2}).json()
        self.assertEqual((found["count"], len(found["results"])), (3, 2))
        self.assertIn("offset=2", found["next"])
        self.assertEqual(found["results"][0]["scores"][2], {"system": "System-C", "score": 5.0})
        self.assertEqual(client.get(address, {"sort": "odd"}).status_code, 400)
        number = self.segments[0].pk
        one = client.get(reverse("api-segment", args=[self.campaign.pk, number])).json()
        best = one["outputs"][0]
        self.assertEqual(best["system"], "System-C")
        self.assertEqual(best["human"][0], {"question": "Adequacy", "score": 5.0, "n": 1})
        self.assertEqual(best["voices"][0]["annotator"], "annotator-1")
        (slug,) = one["metric_titles"]
        shown = self.page(self.campaign, query=f"?sort=metric-{slug}")
        self.assertContains(shown, f"{best['metrics'][slug]:.1f}")
        missing = reverse("api-segment", args=[self.campaign.pk, 10**9])
        self.assertEqual(client.get(missing).status_code, 404)


class SegmentMarkTests(SegmentsCase):
    def mark(self, user=None, query="", **data):
        address = reverse("segment-mark", args=[self.campaign.pk, self.segments[0].pk])
        return self.as_user(user or self.researcher).post(address + query, data)

    def test_a_flag_is_seen_by_all_and_its_history_stays(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        factory.judge(item, {"adequacy": [1, 1, 3], "fluency": [3, 3, 3]})
        response = self.mark(query="?sort=lowest", is_flagged="on", comment="Who is <right>?")
        self.assertRedirects(
            response,
            reverse("segment", args=[self.campaign.pk, self.segments[0].pk]) + "?sort=lowest#look",
            fetch_redirect_response=False,
        )
        listed = self.listed(self.campaign, "?show=flagged")
        self.assertContains(listed, "Flagged: 1 segment was judged")
        self.assertContains(listed, "Who is &lt;right&gt;?")
        self.mark(self.owner, comment="It is fine.")
        self.assertContains(self.listed(self.campaign, "?show=flagged"), "Flagged: 0 segments")
        page = self.page(self.campaign)
        self.assertContains(page, "Who is &lt;right&gt;?")
        self.assertContains(page, "owner: not flagged. ")
        self.assertEqual(SegmentMark.objects.count(), 2)
        self.assertEqual(Act.objects.filter(act="segment-mark", result="done").count(), 2)

    def test_nothing_and_too_much_are_refused_with_words(self):
        for data, words in (
            ({}, "Flag the segment, or write a comment."),
            ({"comment": "x" * 2001}, "at most 2000 characters"),
            ({"comment": "\0"}, "Null characters are not allowed."),
        ):
            response = self.mark(**data)
            self.assertContains(response, words, status_code=422)
        self.assertFalse(SegmentMark.objects.exists())

    def test_a_flag_can_be_taken_back_without_a_word(self):
        self.mark(is_flagged="on")
        self.mark()
        self.assertEqual(
            list(SegmentMark.objects.values_list("is_flagged", flat=True)), [True, False]
        )

    def test_marks_of_another_campaign_are_not_seen(self):
        self.mark(is_flagged="on", comment="seen here")
        self.assertNotContains(self.page(self.pairwise), "seen here")
