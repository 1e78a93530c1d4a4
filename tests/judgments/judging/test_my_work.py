"""*My work*: the annotator's own items, and nothing that their screens do not show."""

from datetime import UTC, datetime
from decimal import Decimal

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.files.copying import analyze
from judgments.models import (
    Item,
    ItemOutput,
    Judgment,
    Kind,
    Membership,
    Note,
    Output,
    Star,
    Status,
    Task,
)
from judgments.people.my_data.answers import stored_about
from judgments.people.my_data.erasure import erase
from judgments.people.staffing.pay import earned_so_far, pay_of
from judgments.people.staffing.settings import set_staffing
from judgments.people.workload.work import work_of
from tests import factory

from .judge_pages import JudgingTestCase

MOST_STATEMENTS = 17


class MyWorkTest(JudgingTestCase):
    def list(self, campaign=None, user=None, **asked):
        campaign = campaign or self.campaign
        return self.as_user(user or self.annotator_1).get(
            reverse("judge-items", args=[campaign.pk]), asked
        )

    def numbers(self, **asked):
        return [row.number for row in self.list(**asked).context["items"]]

    def item(self, number, user=None):
        task = Task.objects.get(campaign=self.campaign, annotator=user or self.annotator_1)
        return task.items.get(position=number - 1)

    def star(self, number, star="yes", user=None, query=""):
        url = reverse("judge-star", args=[self.campaign.pk, number]) + query
        return self.as_user(user or self.annotator_1).post(url, {"star": star})

    def part(self, user=None):
        return Membership.objects.get(campaign=self.campaign, user=user or self.annotator_1)


class ListTest(MyWorkTest):
    def test_a_line_has_text_answer_and_time(self):
        ratings = {"adequacy": [5, 4, 3], "fluency": [1, 2, 3]}
        first = factory.judge(self.item(2), ratings, active_ms=42_000)
        ratings["adequacy"] = [5, 5, 3]
        factory.judge(self.item(2), ratings, active_ms=21_000, supersedes=first)
        row = self.list().context["items"][1]
        self.assertEqual(row.text, self.item(2).segment.source)
        self.assertEqual(row.summary, "Adequacy 5, 5, 3 · Fluency 1, 2, 3")
        self.assertEqual(row.active_ms, 63_000)
        self.assertEqual((row.is_judged, row.is_skipped, row.is_flagged), (True, False, False))

    def test_the_first_words_stand_for_a_long_text(self):
        segment = self.item(1).segment
        segment.source = "lang  " * 200
        segment.save()
        text = self.list().context["items"][0].text
        self.assertTrue(text.startswith("lang lang lang"))
        self.assertTrue(text.endswith("…"))
        self.assertLessEqual(len(text), 161)

    def test_items_stand_by_document(self):
        groups = self.list().context["documents"]
        found = [{self.item(row.number).segment.document_id for row in rows} for rows in groups]
        self.assertTrue(all(len(each) == 1 for each in found), found)
        self.assertEqual(sum(len(rows) for rows in groups), 4)

    def test_filters(self):
        self.answer(1)
        Item.objects.filter(pk=self.item(2).pk).update(is_skipped=True)
        Note.objects.create(item=self.item(3), annotator=self.annotator_1, kind="flag")
        Note.objects.create(item=self.item(4), annotator=self.annotator_2, kind="flag")
        self.star(4)
        for show, numbers in {
            "": [1, 2, 3, 4], "to-do": [3, 4], "judged": [1], "skipped": [2], "flagged": [3],
            "starred": [4], "x": [1, 2, 3, 4],
        }.items():  # fmt: skip
            with self.subTest(show):
                self.assertEqual(self.numbers(show=show), numbers)
        self.assertContains(self.list(show="judged"), "1 item found")

    def test_where_one_stopped(self):
        self.assertIsNone(self.list().context["stop"])
        self.answer(3)
        self.answer(1)
        stop = self.list().context["stop"]
        self.assertEqual(stop.number, 1)
        self.assertEqual(stop.at, Judgment.objects.latest("pk").submitted_at)
        self.assertContains(self.list(), "You stopped at item 1 on")

    def test_what_is_left_is_told_in_the_unit_of_the_campaign(self):
        factory.judge(self.item(1), {"adequacy": [1] * 3, "fluency": [2] * 3}, active_ms=60_000)
        page = self.list()
        self.assertContains(page, "<dt>Time for each segment</dt>")
        self.assertRegex(page.text, r"<dt>Segments left</dt><dd>3, about \d")
        self.assertContains(self.open(2), "60 s per segment")
        self.campaign.plan = {"pool": True}
        self.campaign.save()
        self.assertRegex(self.list().text, r"<dt>Left in this block</dt><dd>3, about \d")
        self.assertRegex(self.open(2).text, r"about .* left in this block")
        self.campaign.options |= {"hidden_progress": True}
        self.campaign.save()
        self.assertNotContains(self.list(), "Left in this block")

    def test_long_work_takes_no_more_statements(self):
        segments = list(self.test_set.segments.all()) * 1250
        task = factory.make_task(self.campaign, self.annotator_1, batch=9, segments=segments)
        set_staffing(self.campaign, {"pay": {"per": "item", "amount": "0.10", "currency": "EUR"}})
        self.assertEqual(task.items.count(), 5000)
        analyze(Item, ItemOutput)  # as a plan does
        factory.judge(task.items.first(), {"adequacy": [1] * 3, "fluency": [2] * 3})
        self.client.force_login(self.annotator_1)
        url = reverse("judge-items", args=[self.campaign.pk])
        for asked in ({"page": "50"}, {"words": "a", "show": "judged"}, {"show": "starred"}):
            with (
                self.subTest(asked),
                CaptureQueriesContext(
                    connection,
                ) as found,
            ):
                self.assertEqual(self.client.get(url, asked).status_code, 200)
            statements = [query["sql"][:150] for query in found]
            self.assertLessEqual(len(found), MOST_STATEMENTS, statements)
        self.assertEqual(len(self.list(page="50").context["items"]), 50)


class SearchTest(MyWorkTest):
    def setUp(self):
        for number in (1, 2):
            segment = self.item(number).segment
            segment.source = f"Quelle{number} steht hier."
            segment.save()
            for shown in self.item(number).shown.all():
                Output.objects.filter(pk=shown.output_id).update(text=f"Output{number} here.")

    def test_sources_are_searched_and_translations_once_they_were_seen(self):
        self.assertEqual(self.numbers(words="quelle1"), [1])
        self.assertEqual(self.numbers(words="output1"), [])
        self.answer(1)
        self.assertEqual(self.numbers(words="output1"), [1])
        self.assertEqual(self.numbers(words="quelle", show="to-do"), [2])
        self.assertEqual(self.numbers(words="%"), [])

    def test_what_a_pass_hides_is_neither_shown_nor_found(self):
        self.campaign.options |= {"separate_passes": True}
        self.campaign.save()
        Item.objects.filter(task__campaign=self.campaign).update(part="adequacy")
        Item.objects.filter(pk=self.item(1).pk).update(part="fluency")
        page = self.list()
        self.assertNotContains(page, "Quelle")  # nothing was judged yet
        self.assertEqual(self.numbers(words="quelle"), [])
        Item.objects.filter(pk__in=[self.item(1).pk, self.item(2).pk]).update(is_judged=True)
        rows = self.list().context["items"]
        self.assertEqual(rows[0].text, "Output1 here.")
        self.assertEqual(rows[1].text, "Quelle2 steht hier.")
        self.assertEqual(self.numbers(words="quelle"), [2])

    def test_a_campaign_without_the_source_finds_none(self):
        self.campaign.options |= {"show_source": False}
        self.campaign.save()
        self.assertEqual(self.numbers(words="quelle"), [])
        self.assertNotContains(self.list(), "Quelle")

    def test_where_items_are_asked_twice_nothing_helps_to_answer_alike(self):
        self.answer(1)
        Item.objects.filter(pk=self.item(3).pk).update(kind=Kind.REPEAT)
        page = self.list(words="quelle1")
        self.assertEqual([row.number for row in page.context["items"]], [1, 2, 3, 4])
        self.assertNotContains(page, 'name="words"')
        self.assertNotContains(page, "Adequacy 3")
        self.assertContains(page, "when the campaign is closed")
        self.set_status(Status.CLOSED)
        self.assertContains(self.list(words="quelle1"), "Adequacy 3 · Fluency 3")

    def test_an_item_that_is_a_control_looks_like_the_others(self):
        before = self.list().text
        Item.objects.filter(pk=self.item(3).pk).update(kind=Kind.DEGRADED)
        Item.objects.filter(pk=self.item(4).pk).update(kind=Kind.CHECK)
        self.assertEqual(without_tokens(self.list().text), without_tokens(before))


def without_tokens(text):
    return [line for line in text.splitlines() if "csrfmiddlewaretoken" not in line]


class StarTest(MyWorkTest):
    def test_it_is_set_and_taken_back_whatever_is_there(self):
        for star, n in (("yes", 1), ("yes", 1), ("no", 0), ("no", 0), ("x", 0)):
            self.star(2, star)
            self.assertEqual(Star.objects.count(), n)

    def test_the_list_stands_as_it_was(self):
        url = reverse("judge-items", args=[self.campaign.pk])
        response = self.star(2, query="?show=to-do&words=a+b&page=3&x=https://elsewhere.example")
        self.assertRedirects(
            response, f"{url}?show=to-do&words=a+b&page=3#item-2", fetch_redirect_response=False
        )

    def test_it_is_ones_own(self):
        self.star(2)
        self.assertEqual([row.is_starred for row in self.list().context["items"]][1], True)
        rows = self.list(user=self.annotator_2).context["items"]
        self.assertFalse(any(row.is_starred for row in rows))
        self.assertEqual(self.star(99).status_code, 404)
        for user in (self.owner, self.outsider, self.researcher):
            self.assertIn(self.star(1, user=user).status_code, (403, 404))
        self.assertEqual(Star.objects.count(), 1)

    def test_the_judging_screen_sets_it_and_shows_it_to_its_annotator_alone(self):
        url = reverse("judge-star", args=[self.campaign.pk, 2])
        client = self.as_user(self.annotator_1)
        for star, status in (("x", 422), ("yes", 204)):
            response = client.post(url, {"star": star}, headers={"Accept": "application/json"})
            self.assertEqual(response.status_code, status)
        client = self.as_user(self.annotator_1)
        for number, is_starred in ((1, False), (2, True)):
            page = client.get(reverse("judge-item", args=[self.campaign.pk, number])).content
            self.assertEqual(b"data-starred" in page, is_starred)
        looked = reverse("annotator-screen", args=[self.campaign.pk, self.part().pk, 2])
        page = self.as_user(self.owner).get(looked)
        self.assertEqual(page.status_code, 200)
        self.assertNotIn(b"starred", page.content)

    def test_nothing_of_the_work_changes(self):
        self.answer(2)
        before = list(Item.objects.values()), list(Task.objects.values())
        self.star(2)
        self.assertEqual((list(Item.objects.values()), list(Task.objects.values())), before)

    def test_my_data_has_it_and_an_erasure_takes_it(self):
        self.star(2)
        parts = {each["campaign"]: each for each in stored_about(self.annotator_1)["campaigns"]}
        self.assertEqual(len(parts[self.campaign.name]["stars"]), 1)
        erase(self.annotator_1, by="test", reason="asked", judgments=False)
        self.assertFalse(Star.objects.exists())


class EarnedTest(MyWorkTest):
    def test_it_is_what_the_managers_page_says(self):
        """12 EUR an hour; half an hour and 6 minutes are 7.20."""
        for per, amount in (("hour", "12"), ("batch", "3"), ("item", "0.25")):
            set_staffing(self.campaign, {"pay": {"per": per, "amount": amount, "currency": "EUR"}})
            if per == "hour":
                self.answer(1)
                Task.objects.filter(annotator=self.annotator_1, campaign=self.campaign).update(
                    active_ms=2_160_000
                )
            own = earned_so_far(self.part(), work_of(self.part()))
            theirs = {each.member: each for each in pay_of(self.campaign).people}
            self.assertEqual(own, theirs[self.part().pk], per)
        set_staffing(self.campaign, {"pay": {"per": "hour", "amount": "12", "currency": "EUR"}})
        self.part().payments.create(
            kind="bonus", amount=Decimal("2.00"), reason="kind", approved_by=self.owner,
            paid_at=datetime(2026, 1, 1, tzinfo=UTC),
        )  # fmt: skip
        page = self.list()
        self.assertContains(page, "<dd>7.20 EUR</dd>")
        self.assertContains(page, "<dd>2.00 EUR</dd>", count=2)  # the bonus, and what was paid
        self.assertContains(page, "You are paid 12.00 EUR for each hour")

    def test_without_pay_nothing_is_said_of_it(self):
        page = self.list()
        self.assertIsNone(page.context["earned"])
        self.assertNotContains(page, "Earned so far")
