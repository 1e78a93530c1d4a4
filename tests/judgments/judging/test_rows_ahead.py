"""Rows that the script of a judging screen fetches before they are opened, several at once."""

import re
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from judgments.judging.views import ROWS_AT_ONCE
from judgments.models import Judgment, Reference, Segment, Status, Task
from judgments.people.staffing.settings import set_staffing
from tests import factory

from .judge_pages import JudgingTestCase, answers, rows_in

TICKET = re.compile(r'name="ticket" value="([^"]+)"')


class RowsAheadTest(JudgingTestCase):
    def ask(self, asked: str, number=1, user=None):
        self.client.force_login(user or self.annotator_1)
        return self.client.get(self.item_url(number), headers={"X-Rows": asked})

    def test_each_row_is_the_screen_of_its_item(self):
        found = self.ask("1,2,4").json()["rows"]
        self.assertEqual(list(found), ["1", "2", "4"])
        for number, row in found.items():
            page = self.open(int(number)).content.decode()
            self.assertIn(f'data-number="{number}"', row)
            (texts,) = {
                tuple(re.findall(r'<p class="segment-text"[^>]*>([^<]*)</p>', text))
                for text in (row, page)
            }
            self.assertGreater(len(texts), 1)

    def test_an_answer_to_each_is_stored_with_its_item(self):
        rows = self.ask("1,2,3").json()["rows"]
        for number, row in rows.items():
            ticket = TICKET.search(row)[1]
            response = self.answer(int(number), answers(int(number)), ticket=ticket)
            self.assertEqual(response.status_code, 302)
        stored = Judgment.objects.order_by("item__position")
        found = [(each.item.position, {r.value for r in each.ratings.all()}) for each in stored]
        self.assertEqual(found, [(0, {1}), (1, {2}), (2, {3})])

    def test_items_of_several_batches_and_none_of_others(self):
        factory.make_task(self.campaign, self.annotator_1, batch=7)
        first = Task.objects.filter(annotator=self.annotator_1).earliest("pk").n_items
        asked = f"{first},{first + 1},{10**6}"
        found = self.ask(asked).json()["rows"]
        self.assertEqual(list(found), [str(first), str(first + 1)])
        self.assertEqual(self.ask(str(10**6)).json(), {"rows": {}})
        self.assertEqual(self.ask("1", user=self.outsider).status_code, 404)
        self.assertEqual(self.ask("1", user=self.researcher).status_code, 403)

    def test_what_is_no_list_of_numbers_is_refused(self):
        many = ",".join(map(str, range(1, ROWS_AT_ONCE + 2)))
        for asked in ("x", "1,", "1;2", "-1", "1.5", "9" * 30, many):
            with self.subTest(asked):
                self.assertEqual(self.ask(asked).status_code, 400)
        self.assertEqual(self.ask("0").json(), {"rows": {}})

    def test_more_rows_take_no_more_statements(self):
        self.ask("1")
        with self.assertNumQueries(5):
            self.assertEqual(len(rows_in(self.ask_again("1"))), 1)
        with self.assertNumQueries(5):
            self.assertEqual(len(rows_in(self.ask_again("1,2,3,4"))), 4)

    def ask_again(self, asked: str):
        return self.client.get(self.item_url(1), headers={"X-Rows": asked})

    def test_the_reference_is_the_first_by_name(self):
        self.campaign.options |= {"show_reference": True}
        self.campaign.save()
        Reference.objects.all().delete()
        one, two = Segment.objects.order_by("position")[:2]
        Reference.objects.create(segment=one, name="b", text="Second reference")
        Reference.objects.create(segment=one, name="a", text="First reference")
        rows = self.ask("1,2").json()["rows"]
        self.assertIn("First reference", rows["1"])
        self.assertNotIn("Second reference", rows["1"])
        self.assertNotIn('data-part="reference"', rows["2"])
        self.assertEqual(two.references.count(), 0)

    def test_no_row_of_a_campaign_that_is_not_open_or_before_the_consent(self):
        entry = reverse("judge", args=[self.campaign.pk])
        self.set_status(Status.PAUSED)
        self.assertRedirects(self.ask("1,2"), entry, fetch_redirect_response=False)
        self.set_status(Status.OPEN)
        set_staffing(self.campaign, {"consent": {"texts": {"en": "You may withdraw."}}})
        self.assertRedirects(self.ask("1,2"), entry, fetch_redirect_response=False)

    def test_rows_hold_the_answers_that_were_given(self):
        self.answer(2, answers(4))
        rows = self.ask("1,2").json()["rows"]
        self.assertNotIn(" checked>", rows["1"])
        self.assertEqual(rows["2"].count(" checked>"), 6)
        self.assertIn('data-judged="1"', rows["2"])

    def test_texts_of_other_scripts_are_not_written_as_escapes(self):
        Segment.objects.update(source="你好")
        self.assertIn("你好".encode(), self.ask("1").content)

    def test_the_time_of_the_request_is_the_one_from_which_a_wait_counts(self):
        before = timezone.now()
        ticket = TICKET.search(self.ask("1,2").json()["rows"]["2"])[1]
        self.answer(2, answers() | {"waited_ms": "0"}, ticket=ticket)
        opened = Judgment.objects.get().started_at
        self.assertLess(abs(opened - before), timedelta(seconds=5))
