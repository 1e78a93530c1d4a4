"""The segments of a campaign: the list, one of them with every protocol, flags of the team."""

import re

from django.core.cache import cache, caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.models import (
    Act,
    AlignmentLink,
    AlteredOutput,
    Answer,
    ErrorSpan,
    Item,
    ItemOutput,
    Note,
    Output,
    PostEdit,
    Question,
    SegmentMark,
)
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase


class SegmentsCase(CastTestCase):
    def setUp(self):
        cache.clear()
        caches["results"].clear()
        self.segments = list(self.test_set.segments.order_by("position"))

    def made(self, preset, *, n_outputs=None, **fields):
        """A campaign of a preset, with its first items: one of each annotator."""
        people = [self.annotator_1, self.annotator_2]
        campaign = factory.make_campaign(
            self.test_set,
            preset=preset,
            name=preset,
            owner=self.owner,
            researchers=[self.researcher],
            annotators=people,
            **fields,
        )
        tasks = [
            factory.make_task(campaign, who, seat=seat, n_outputs=n_outputs)
            for seat, who in enumerate(people, 1)
        ]
        return campaign, [task.items.get(position=0) for task in tasks]

    def listed(self, campaign, query=""):
        return self.as_user(self.researcher).get(reverse("segments", args=[campaign.pk]) + query)

    def page(self, campaign, segment=None, query="", user=None):
        segment = segment or self.segments[0]
        address = reverse("segment", args=[campaign.pk, segment.pk])
        return self.as_user(user or self.researcher).get(address + query)

    def first(self, item, system="System-A"):
        return item.shown.get(output__system__name=system).output


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
        self.assertContains(alone, "It is not on the list that this address asks for.")

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
        self.assertLessEqual(len(of_page), 32)
        with CaptureQueriesContext(connection) as of_list:
            self.listed(self.campaign)
        self.assertLessEqual(len(of_list), 24)


class OneSegmentTests(SegmentsCase):
    def test_ratings_side_by_side(self):
        for seat, row in ((1, [1, 2, 3]), (2, [2, 4, 3])):
            item = self.campaign.tasks.get(seat=seat).items.first()
            factory.judge(item, {"adequacy": row, "fluency": [4, 3, 3]})
        page = self.page(self.campaign)
        self.assertContains(page, "Quelltext Nummer 1 steht hier .")
        self.assertContains(page, "Source text number 1 stands here .")
        self.assertContains(page, '<p class="segment-text" lang="de" dir="ltr">')
        for system in self.test_set.systems.all():
            self.assertContains(page, f'id="system-{system.pk}"')
        body = " ".join(re.sub("<[^>]+>", " ", page.content.decode()).split())
        self.assertRegex(body, r"System-B Adequacy 3 \(n = 2\) Fluency 3 \(n = 2\)")
        self.assertRegex(body, r"annotator-1 Adequacy 2 Fluency 3 .* annotator-2 Adequacy 4")

    def test_only_what_is_selected(self):
        for seat, row in ((1, [1, 2, 3]), (2, [2, 4, 3])):
            item = self.campaign.tasks.get(seat=seat).items.first()
            factory.judge(item, {"adequacy": row, "fluency": [4, 3, 3]})
        page = self.page(self.campaign, query="?without=annotator-1&system=System-B")
        self.assertContains(page, "<strong>annotator-2</strong>", count=1)
        self.assertNotContains(page, "<strong>annotator-1</strong>")
        self.assertNotContains(page, "System-A</h4>")

    def test_what_is_revised_is_said_once(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        old = factory.judge(item, {"adequacy": [1, 1, 1], "fluency": [1, 1, 1]})
        factory.judge(item, {"adequacy": [5, 5, 5], "fluency": [5, 5, 5]}, supersedes=old)
        page = self.page(self.campaign)
        self.assertContains(page, "<strong>annotator-1</strong>", count=3)

    def test_an_altered_copy_stands_apart(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        row = item.shown.get(output__system__name="System-A")
        row.altered = AlteredOutput.objects.create(
            campaign=self.campaign, output=row.output, text="planted <b>", rule="wmt16"
        )
        row.save()
        item.kind = "degraded"
        item.save()
        factory.judge(item, {"adequacy": [1, 1, 3], "fluency": [3, 3, 3]})
        page = self.page(self.campaign)
        self.assertContains(page, "planted &lt;b&gt;")
        self.assertContains(page, "shown altered: Phrase replaced, lengths of WMT16")
        self.assertContains(page, f'id="altered-{row.altered.pk}"')
        self.assertContains(page, row.output.text)

    def test_comparisons(self):
        for seat, value in ((1, 1), (2, 0)):
            factory.judge(self.pairwise.tasks.get(seat=seat).items.first(), value)
        page = self.page(self.pairwise)
        self.assertContains(page, "annotator-1: System-A &gt; System-B")
        self.assertContains(page, "annotator-2: System-A = System-B")
        self.assertContains(page, "Share of wins")

    def test_rankings(self):
        campaign, items = self.made("relative-ranking")
        for item, row in zip(items, ([1, 2, 3], [2, 1, 3]), strict=True):
            factory.judge(item, {"rank": row})
        self.assertContains(self.listed(campaign), "1 segment was judged")
        self.assertContains(self.page(campaign), "Share of wins")
        self.assertContains(self.page(campaign), "<span>Rank <b>3</b></span>", count=2)

    def test_errors_are_marked_in_the_text_for_each_annotator(self):
        campaign, items = self.made("esa")
        kinds = ((0, 6, "target", "major"), (3, 11, "target", "minor"), (0, 9, "source", "minor"))
        judgment = factory.judge(items[0], {"esa": [40, 90, 90], "esa_spans": [-7, 0, 0]})
        for start, end, side, severity in kinds:
            ErrorSpan.objects.create(
                judgment=judgment, output=self.first(items[0]), start=start, end=end, side=side,
                severity=severity, category="accuracy/<i>",
            )  # fmt: skip
        ErrorSpan.objects.create(
            judgment=judgment, output=self.first(items[0]), start=0, end=0, side="missing",
            severity="major",
        )  # fmt: skip
        factory.judge(items[1], {"esa": [100, 90, 90], "esa_spans": [0, 0, 0]})
        page = self.page(campaign)
        self.assertContains(
            page,
            '<mark class="marked-error look-major">Sou</mark>'
            '<mark class="marked-error look-major">rce</mark>'
            '<span class="error-kind" dir="ltr" lang="en"> [major accuracy/&lt;i&gt;]</span>'
            '<mark class="marked-error look-minor"> text</mark>',
        )
        self.assertContains(page, '<mark class="marked-error look-minor">Quelltext</mark>')
        self.assertContains(page, "Missing from the translation: major")
        self.assertContains(page, "no error marked", count=5)
        listed = self.listed(campaign, "?severity=major")
        self.assertContains(listed, "1 segment where a major error is marked")

    def test_an_error_between_characters_and_one_beyond_the_text(self):
        campaign, items = self.made("mqm")
        judgment = factory.judge(items[0], {"mqm": [-2, 0, 0]})
        for start, end in ((2, 2), (5, 9999)):
            ErrorSpan.objects.create(
                judgment=judgment, output=self.first(items[0]), start=start, end=end,
                severity="odd", category="",
            )  # fmt: skip
        page = self.page(campaign)
        self.assertContains(page, 'So<mark class="marked-error look-minor"></mark>')
        self.assertContains(page, "[odd]", count=2)

    def test_edits_with_their_differences(self):
        campaign, items = self.made("post-editing", n_outputs=1)
        judgment = factory.judge(items[0], {})
        output = self.first(items[0])
        PostEdit.objects.create(
            judgment=judgment, output=output, outcome="edited", text="Source texts number 1 here"
        )
        unable = factory.judge(items[1], {})
        PostEdit.objects.create(judgment=unable, output=output, outcome="unable")
        self.assertContains(self.listed(campaign), "1 segment was judged")
        page = self.page(campaign)
        self.assertContains(page, 'Source <mark class="differs">texts</mark> number 1 here')
        self.assertContains(page, "Unable to correct")

    def test_answers_to_questions(self):
        campaign, items = self.made("comprehension", n_outputs=1)
        question = Question.objects.create(
            campaign=campaign, document=self.segments[0].document, position=0, level=1,
            text="How many swans?",
        )  # fmt: skip
        for item, text, right in ((items[0], "two <3", True), (items[1], "", None)):
            judgment = factory.judge(item, {})
            Answer.objects.create(
                judgment=judgment, output=self.first(item), question=question, text=text,
                is_right=right,
            )  # fmt: skip
        page = self.page(campaign)
        self.assertContains(page, "How many swans?", count=2)
        self.assertContains(page, "two &lt;3")
        self.assertContains(page, "does not tell")
        self.assertContains(self.listed(campaign), "1 segment was judged")

    def test_word_links(self):
        campaign, items = self.made("word-alignment", n_outputs=1)
        judgment = factory.judge(items[0], {})
        for target, sure in ((0, True), (1, False), (500, True)):
            AlignmentLink.objects.create(
                judgment=judgment, output=self.first(items[0]), source_token=0,
                target_token=target, is_sure=sure,
            )  # fmt: skip
        page = self.page(campaign)
        words = re.sub("<[^>]+>", "", page.content.decode())
        self.assertIn("Quelltext – Source", words)
        self.assertIn("Quelltext – text (possible)", words)

    def test_a_whole_document_stands_with_its_first_segment(self):
        campaign, items = self.made("document-assessment", n_outputs=1)
        second = self.segments[1]
        ItemOutput.objects.create(
            item=items[0], output=second.outputs.get(system__name="System-A"), position=1
        )
        judgment = factory.judge(items[0], {})
        first = self.segments[0].outputs.get(system__name="System-A")
        judgment.ratings.create(output=first, dimension="document", value=70)
        page = self.page(campaign, second)
        self.assertContains(page, "People judged the whole document.")
        address = reverse("segment", args=[campaign.pk, self.segments[0].pk])
        self.assertContains(page, f'<a href="{address}">1</a>')
        self.assertEqual(self.listed(campaign).status_code, 200)

    def test_differences_of_two_outputs(self):
        a, b = (self.test_set.systems.get(name=f"System-{x}").pk for x in "AB")
        page = self.page(self.campaign, query=f"?compare={a}&with={b}")
        self.assertRegex(
            page.content.decode(), r'<mark class="differs">stands wrong( here)?</mark>'
        )
        for query in (f"?compare={a}&with={a}", "?compare=x&with=-1"):
            self.assertContains(self.page(self.campaign, query=query), "Choose two different")

    def test_right_to_left_and_empty_outputs(self):
        test_set = factory.make_test_set(self.owner, name="Arabic", target_language="ar")
        campaign = factory.make_campaign(test_set, owner=self.owner, annotators=[self.annotator_1])
        task = factory.make_task(campaign, self.annotator_1)
        Output.objects.filter(system=test_set.systems.first()).update(text="")
        factory.judge(task.items.first(), {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        page = self.page(campaign, test_set.segments.first(), user=self.owner)
        self.assertContains(page, 'lang="ar" dir="rtl"')
        self.assertContains(page, "empty translation")

    def test_without_texts(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        factory.judge(item, {"adequacy": [1, 1, 3], "fluency": [3, 3, 3]})
        factory.take_texts(self.test_set)
        self.assertContains(self.page(self.campaign), "The texts are not here, only their keys.")
        self.assertNotContains(self.page(self.campaign), "empty translation")
        self.assertContains(self.listed(self.campaign), "1 segment was judged")

    def test_notes_of_annotators(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        Note.objects.create(
            item=item, annotator=self.annotator_1, kind="flag", reason="topic", comment="<hm>"
        )
        self.assertContains(self.page(self.campaign), "annotator-1, Flagged, I do not know enough")
        self.assertContains(self.page(self.campaign), "&lt;hm&gt;")


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
        self.assertRegex(page.content.decode(), rf"sort=clash-{slug}#system-\d+")
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
