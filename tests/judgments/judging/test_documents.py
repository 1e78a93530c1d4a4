"""A whole document on the judging screen: its rows, what they hold back, what they cost."""

import re

from django.urls import reverse
from django.utils import timezone

from judgments.judging.document import document_rows
from judgments.judging.screen import open_item
from judgments.models import Item, Judgment, Membership, Output, Task
from tests import factory

from .judge_pages import JudgingTestCase, answers, rows_in, ticket_in


class DocumentTestCase(JudgingTestCase):
    def setUp(self):
        super().setUp()
        self.campaign.options |= {"context": "document"}
        self.campaign.save()

    def rows(self, number=1, campaign=None):
        membership = Membership.objects.select_related("campaign__test_set").get(
            campaign=campaign or self.campaign, user=self.annotator_1
        )
        return document_rows(open_item(membership, number, timezone.now()))


class RowsTest(DocumentTestCase):
    def test_a_document_is_shown_in_order_and_nothing_of_others(self):
        self.assertEqual([r.number for r in self.rows(1)], [1, 2])
        self.assertEqual([r.number for r in self.rows(4)], [3, 4])
        self.assertEqual([r.is_open for r in self.rows(4)], [False, True])
        page = self.open(3).content.decode()
        self.assertIn("Quelltext Nummer 4", page)
        self.assertNotIn("Quelltext Nummer 2", page)

    def test_without_the_option_there_are_no_rows(self):
        self.campaign.options |= {"context": "none"}
        self.campaign.save()
        self.assertNotContains(self.open(1), "Quelltext Nummer 2")

    def test_of_several_translations_none_is_shown_before_its_turn(self):
        page = self.open(1).content.decode()
        for output in Output.objects.filter(segment__position=1):
            self.assertNotIn(output.text, page)

    def test_a_single_translation_reads_on(self):
        campaign = factory.make_campaign(
            self.test_set,
            preset="da-sqm",
            annotators=[self.annotator_1],
            options={"context": "document"},
        )
        segments = list(self.test_set.segments.all())[:2]
        task = factory.make_task(campaign, self.annotator_1, segments=segments * 2, n_outputs=1)
        texts = [row.output for row in self.rows(1, campaign)]
        self.assertEqual(texts, [s.outputs.first().text for s in segments])
        # The document once more, as in another translation, is another reading.
        self.assertEqual([r.number for r in self.rows(3, campaign)], [3, 4])
        factory.judge(task.items.first(), {"sqm": [71]})
        self.assertNotIn("71", self.rows(2, campaign)[0].summary)

    def test_rows_tell_neither_systems_nor_kinds(self):
        Item.objects.filter(position=1).update(kind="degraded")
        for number, system in enumerate(self.test_set.systems.all()):
            system.name = f"Telltale {number}"
            system.save()
        page = self.open(1).content.decode()
        self.assertNotIn("Telltale", page)
        self.assertNotIn("degraded", page)
        lines = re.findall(r'<li class="row[^>]*>', page)
        self.assertEqual(lines[1], '<li class="row" data-number="2">')

    def test_in_a_pass_on_fluency_no_source_is_shown(self):
        Item.objects.filter(task__campaign=self.campaign).update(part="fluency")
        self.assertEqual({r.source for r in self.rows(1)}, {""})
        self.assertNotContains(self.open(1), "Quelltext")

    def test_what_was_answered_is_summarized_in_the_order_of_the_screen(self):
        task = Task.objects.get(campaign=self.campaign, annotator=self.annotator_1)
        first = factory.judge(task.items.first(), {"adequacy": [1, 2, 3], "fluency": [5, 5, 4]})
        self.assertEqual(self.rows(2)[0].summary, "Adequacy 1, 2, 3 · Fluency 5, 5, 4")
        factory.judge(
            task.items.first(), {"adequacy": [4, 2, 3], "fluency": [5, 5, 4]}, supersedes=first
        )
        self.assertEqual(self.rows(2)[0].summary, "Adequacy 4, 2, 3 · Fluency 5, 5, 4")
        self.assertTrue(self.rows(2)[0].is_judged)

    def test_a_preference_is_summarized_as_it_was_seen(self):
        self.pairwise.options |= {"context": "document"}
        self.pairwise.save()
        task = Task.objects.get(campaign=self.pairwise, annotator=self.annotator_1)
        factory.judge(task.items.first(), -1)
        self.assertEqual(self.rows(2, self.pairwise)[0].summary, "the second is better")


class AnswerTest(DocumentTestCase):
    def test_the_script_is_told_the_summary(self):
        data = answers() | {"output2-fluency": "1"}
        response = self.answer(1, data, headers={"accept": "application/json"})
        self.assertEqual(
            response.json(),
            {"next": self.item_url(2), "summary": "Adequacy 3, 3, 3 · Fluency 3, 1, 3"},
        )

    def test_identical_translations_are_summarized_once(self):
        Output.objects.update(text="The same words .")
        data = answers(2, n_outputs=1)
        response = self.answer(1, data, headers={"accept": "application/json"})
        self.assertEqual(response.json()["summary"], "Adequacy 2 · Fluency 2")
        self.assertEqual(self.rows(2)[0].summary, "Adequacy 2 · Fluency 2")

    def test_a_row_alone(self):
        self.client.force_login(self.annotator_1)
        response = self.client.get(self.item_url(2), headers={"x-rows": "2"})
        (row,) = rows_in(response)
        self.assertEqual(row.count('id="stage"'), 1)
        self.assertEqual(row.count("Quelltext Nummer 2"), 1)
        self.assertNotIn("<script", row)
        self.assertIn("no-store", response["Cache-Control"])

    def test_the_time_that_a_row_waited_is_not_part_of_the_answer(self):
        for value, waited, is_late in (
            (1, "60000", True), (2, "-5", False), (3, "9" * 12, True), (4, "x", False)
        ):  # fmt: skip
            with self.subTest(waited):
                ticket = ticket_in(self.open(1))
                fetched = timezone.now()
                self.answer(1, answers(value) | {"waited_ms": waited}, ticket=ticket)
                judgment = Judgment.objects.current().get()
                # Not later than the answer, whatever the browser says.
                self.assertLessEqual(judgment.started_at, judgment.submitted_at)
                self.assertEqual(judgment.started_at >= fetched, is_late)

    def test_a_script_is_told_why_an_answer_was_not_stored(self):
        ticket = ticket_in(self.open(1))
        asks = {"accept": "application/json"}

        def problem(data=None, **extra):
            response = self.answer(1, data, headers=asks, **{"ticket": ticket} | extra)
            return response.status_code, response.json()["problem"]

        self.assertEqual(problem({}), (400, "incomplete"))
        self.assertEqual(problem(ticket="x"), (400, "stale"))
        self.set_status("paused")
        self.assertEqual(problem(), (409, "not-open"))
        self.set_status("open")
        Task.objects.update(annotator=None)
        self.assertEqual(problem(), (409, "not-yours"))
        self.assertFalse(Judgment.objects.exists())


class CostTest(DocumentTestCase):
    def test_as_many_statements_for_long_documents_as_for_short_ones(self):
        for n_segments in (2, 60):
            test_set = factory.make_test_set(
                self.owner, n_segments=n_segments, n_documents=1, name=f"{n_segments}"
            )
            campaign = factory.make_campaign(
                test_set, annotators=[self.annotator_1], options={"context": "document"}
            )
            task = factory.make_task(campaign, self.annotator_1)
            for item in list(task.items.all())[: n_segments // 2]:
                factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
            self.client.force_login(self.annotator_1)
            url = reverse("judge-item", args=[campaign.pk, n_segments])
            self.client.get(url)
            with self.assertNumQueries(10):
                response = self.client.get(url)
            self.assertEqual(len(response.context["rows"]), n_segments)
            with self.assertNumQueries(5):
                self.client.get(url, headers={"x-rows": str(n_segments)})
