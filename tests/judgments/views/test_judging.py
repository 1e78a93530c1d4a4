"""The annotator's pages: who may see them, what they hold, what they store, what they cost."""

import re
from datetime import timedelta

from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.assignment import design
from judgments.assignment.plan_settings import PlanSettings
from judgments.assignment.ticket import new_ticket, unseal
from judgments.models import (
    Item,
    Judgment,
    Kind,
    Membership,
    Output,
    Preference,
    Rating,
    Status,
    Task,
)
from tests import factory
from tests.base import CastTestCase


def answers(value=3, n_outputs=3, dimensions=("adequacy", "fluency")):
    return {
        f"output{place}-{dimension}": str(value)
        for place in range(1, n_outputs + 1)
        for dimension in dimensions
    }


def ticket_in(response) -> str:
    return re.search(r'name="ticket" value="([^"]+)"', response.content.decode())[1]


def everything_stored():
    """A picture of all rows that judging may change."""
    return [
        list(model.objects.order_by("pk").values())
        for model in (Task, Item, Judgment, Rating, Preference, Membership)
    ]


class JudgingTestCase(CastTestCase):
    def item_url(self, number=1, campaign=None):
        return reverse("judge-item", args=[(campaign or self.campaign).pk, number])

    def open(self, number=1, *, user=None, campaign=None):
        self.client.force_login(user or self.annotator_1)
        return self.client.get(self.item_url(number, campaign))

    def answer(self, number=1, data=None, *, ticket=None, campaign=None, **extra):
        """Open an item as the first annotator and post an answer to it."""
        ticket = ticket or ticket_in(self.open(number, campaign=campaign))
        data = (answers() if data is None else data) | {"ticket": ticket}
        self.client.force_login(self.annotator_1)
        return self.client.post(self.item_url(number, campaign), data, **extra)

    def set_status(self, status):
        self.campaign.status = status
        self.campaign.save()


class AccessTest(JudgingTestCase):
    PAGES = (("judge",), ("judge-item", 1), ("judge-items",), ("judge-instructions",))

    def test_only_annotators_judge(self):
        for name, *rest in self.PAGES:
            for user, status in (
                (None, 302),
                (self.outsider, 404),
                (self.owner, 403),
                (self.researcher, 403),
            ):
                with self.subTest(name=name, user=user):
                    response = self.get_as(user, name, self.campaign.pk, *rest)
                    self.assertEqual(response.status_code, status)
                    if user is None:
                        self.assertIn("/sign-in/", response["Location"])

    def test_nobody_else_posts(self):
        before = everything_stored()
        item = Task.objects.get(campaign=self.campaign, annotator=self.annotator_1).items.first()
        for user, status in (
            (None, 302),
            (self.outsider, 404),
            (self.owner, 403),
            (self.researcher, 403),
            (self.annotator_2, 409),
        ):
            ticket = new_ticket(item.pk, user.pk if user else 0, 1, timezone.now(), 1).seal()
            for name, rest in (("judge-item", [1]), ("judge", [])):
                if name == "judge" and user == self.annotator_2:
                    continue
                with self.subTest(name=name, user=user):
                    response = self.post_as(
                        user, name, self.campaign.pk, *rest, data=answers() | {"ticket": ticket}
                    )
                    self.assertEqual(response.status_code, status)
        self.assertEqual(everything_stored(), before)

    def test_another_annotators_ticket_is_refused(self):
        ticket = ticket_in(self.open(1, user=self.annotator_2))
        self.assertEqual(self.answer(1, ticket=ticket).status_code, 409)
        self.assertFalse(Judgment.objects.exists())

    def test_there_is_no_such_campaign_or_item(self):
        self.client.force_login(self.annotator_1)
        for url in (self.item_url(0), self.item_url(5), self.item_url(10**30),
                    reverse("judge", args=[10**6])):  # fmt: skip
            self.assertEqual(self.client.get(url).status_code, 404, url)

    def test_a_form_without_its_token_is_refused(self):
        client = Client(enforce_csrf_checks=True)
        client.force_login(self.annotator_1)
        response = client.post(self.item_url(), answers())
        self.assertEqual(response.status_code, 403)

    def test_a_get_changes_nothing(self):
        Task.objects.filter(annotator=self.annotator_1).update(annotator=None)
        before = everything_stored()
        for user in (self.annotator_1, self.annotator_2):
            for name, *rest in self.PAGES:
                self.get_as(user, name, self.campaign.pk, *rest)
        self.assertEqual(everything_stored(), before)

    def test_pages_are_not_kept_by_browsers(self):
        self.client.force_login(self.annotator_1)
        for name, *rest in self.PAGES[:3]:
            response = self.client.get(reverse(name, args=[self.campaign.pk, *rest]))
            self.assertIn("no-store", response["Cache-Control"], name)
        self.assertIn("no-store", self.answer()["Cache-Control"])


class BlindnessTest(JudgingTestCase):
    def test_nothing_tells_the_system_the_kind_or_the_output(self):
        """Names and numbers are made unlike anything else, and looked for in whole responses."""
        for number, system in enumerate(self.test_set.systems.all()):
            system.name = f"Tellтale{number}x"
            system.save()
        Task.objects.all().delete()
        for number, output in enumerate(list(Output.objects.all())):
            key = 770_000_000 + number
            Output.objects.filter(pk=output.pk).delete()
            Output.objects.create(pk=key, segment=output.segment, system=output.system,
                                  text=f"Some text {number % 7}")  # fmt: skip
        tasks = [factory.make_task(self.campaign, self.annotator_1, batch=2)]
        tasks.append(factory.make_task(self.pairwise, self.annotator_1, batch=2))
        kinds = [kind for kind in Kind if kind != Kind.REFERENCE]  # "Reference" is also a label
        for task in tasks:
            for item, kind in zip(task.items.all(), kinds, strict=False):
                Item.objects.filter(pk=item.pk).update(kind=kind)
        told = re.compile(
            r"Tell|7700000|\b(repeat|degraded|control|tutorial|regular|kind)\b", re.IGNORECASE
        )
        self.client.force_login(self.annotator_1)
        for campaign in (self.campaign, self.pairwise):
            n_items = sum(t.n_items for t in Task.objects.filter(annotator=self.annotator_1,
                                                                 campaign=campaign))  # fmt: skip
            data = answers() if campaign == self.campaign else {"preference": "1"}
            for number in range(1, n_items + 1):
                opened = self.open(number, campaign=campaign)
                ticket = ticket_in(opened)
                url = self.item_url(number, campaign)
                posts = [
                    self.client.post(url, {"ticket": ticket}),
                    self.client.post(url, data | {"ticket": ticket}),
                ]
                again = self.client.get(url)
                for response in (opened, *posts, again):
                    self.assert_silent(response, told)
            for name in ("judge", "judge-items", "judge-instructions"):
                self.assert_silent(self.client.get(reverse(name, args=[campaign.pk])), told)

    def assert_silent(self, response, told):
        self.assertIn(response.status_code, (200, 302, 400))
        headers = {k: v for k, v in response.headers.items() if k != "Cache-Control"}
        whole = f"{headers} {response.content.decode()}"
        found = told.search(whole)
        self.assertIsNone(found, whole[max(0, found.start() - 80) :][:200] if found else "")

    def test_source_and_reference_are_sent_only_if_the_campaign_shows_them(self):
        for source in (True, False):
            for reference in (True, False):
                with self.subTest(source=source, reference=reference):
                    self.campaign.options |= {"show_source": source, "show_reference": reference}
                    self.campaign.save()
                    page = self.open(2).content.decode()
                    self.assertEqual("Quelltext Nummer 2 steht hier" in page, source)
                    self.assertEqual("Source text number 2 stands here" in page, reference)

    def test_fluency_in_a_pass_of_its_own_is_judged_without_both(self):
        Item.objects.filter(task__campaign=self.campaign).update(part="fluency")
        response = self.open(1)
        self.assertContains(response, "source and reference are held back")
        self.assertNotContains(response, "Quelltext")
        self.assertNotContains(response, "stands here")
        self.assertContains(response, 'name="output1-fluency"')
        self.assertNotContains(response, "adequacy")
        self.campaign.options |= {"texts_in_fluency_pass": True}
        self.campaign.save()
        self.assertContains(self.open(1), "Quelltext")

    def test_adequacy_in_a_pass_of_its_own(self):
        Item.objects.filter(task__campaign=self.campaign).update(part="adequacy")
        response = self.open(1)
        self.assertContains(response, "Quelltext")
        self.assertNotContains(response, "output1-fluency")
        self.answer(1, answers(4, dimensions=["adequacy"]))
        self.assertEqual(set(Rating.objects.values_list("dimension", "value")), {("adequacy", 4)})


class ItemPageTest(JudgingTestCase):
    def test_the_screen_shows_texts_questions_and_progress(self):
        Task.objects.filter(campaign=self.campaign, annotator=self.annotator_1).update(
            n_items=3064, n_judged=14, active_ms=14 * 86_000
        )
        response = self.open(1)
        self.assertContains(response, '<p class="segment-text" lang="de" dir="ltr">Quelltext')
        self.assertContains(response, "<strong>14 of 3,064</strong> judged")
        self.assertContains(response, "86 s per sentence")
        self.assertContains(response, "about 73 h left")  # 3,050 · 86 s = 72.9 h
        self.assertContains(response, 'type="radio"', count=3 * 2 * 5)
        for words in ("Flawless English", "Incomprehensible", "Most", "Little"):
            self.assertContains(response, words)

    def test_text_from_outside_is_escaped(self):
        self.test_set.segments.update(source="<script>alert('source')</script>")
        Output.objects.update(text="<img src=x onerror=alert(1)>")
        response = self.open(1)
        self.assertNotContains(response, "<script>alert")
        self.assertNotContains(response, "<img")
        self.assertContains(response, "&lt;img src=x")

    def test_right_to_left_texts_in_a_left_to_right_page(self):
        self.test_set.target_language = "ar"
        self.test_set.save()
        response = self.open(1)
        self.assertContains(response, 'lang="ar" dir="rtl"', count=4)  # the reference, 3 outputs
        self.assertContains(response, 'lang="de" dir="ltr"', count=1)
        self.assertContains(response, '<html lang="en">')

    def test_identical_outputs_are_shown_once(self):
        Output.objects.update(text="The same words .")
        response = self.open(1)
        self.assertContains(response, "The same words .", count=1)
        self.assertEqual(self.answer(1, answers(2, n_outputs=1)).status_code, 302)
        self.assertEqual(Rating.objects.count(), 6)
        shown = Rating.objects.filter(is_copy=False).values_list("output_id", flat=True)
        self.assertEqual(len(set(shown)), 1)
        self.assertEqual(len(shown), 2)

    def test_no_inline_script_or_style(self):
        page = self.open(1).content.decode()
        self.assertNotRegex(page, r"<style|style=|\son\w+=|javascript:")
        self.assertNotRegex(page, r"<script(?![^>]*src=)")


class SubmitTest(JudgingTestCase):
    def test_an_answer_is_stored_and_leads_on(self):
        response = self.answer(1, answers(4), ticket=None)
        self.assertRedirects(response, self.item_url(2))
        judgment = Judgment.objects.get()
        self.assertEqual(judgment.annotator, self.annotator_1)
        self.assertEqual(set(judgment.ratings.values_list("value", flat=True)), {4.0})

    def test_a_script_is_told_where_to_go(self):
        response = self.answer(1, headers={"accept": "application/json"})
        self.assertEqual(response.json(), {"next": self.item_url(2)})

    def test_the_last_item_leads_to_the_page_after(self):
        for number in (1, 2, 3):
            self.answer(number)
        response = self.answer(4)
        self.assertRedirects(response, reverse("judge", args=[self.campaign.pk]))
        after = self.client.get(response["Location"])
        self.assertContains(after, "All done. Thank you!")
        self.assertContains(after, "4 of 4")

    def test_sending_again_stores_nothing_new(self):
        ticket = ticket_in(self.open(1))
        first = self.answer(1, ticket=ticket)
        before = everything_stored()
        second = self.answer(1, ticket=ticket)
        self.assertEqual(first["Location"], second["Location"])
        self.assertEqual(everything_stored(), before)

    def test_going_back_shows_the_answer_and_revises_it(self):
        self.answer(1, answers(2))
        response = self.open(1)
        self.assertContains(response, "You have judged this item")
        self.assertContains(response, "required checked>", count=6)
        self.assertRegex(response.content.decode(), r'value="2"[^>]* checked')
        self.assertRedirects(self.answer(1, answers(5)), self.item_url(2))
        current = Judgment.objects.current().get()
        self.assertEqual(current.revision, 2)
        self.assertEqual(Judgment.objects.count(), 2)
        self.assertContains(self.open(1), "<strong>1 of 4</strong> judged")

    def test_missing_and_bad_values_come_back_with_the_others(self):
        for bad in ("", "0", "6", "3.5", "nan", "inf", "-1", "1e9", "<b>", "3" * 5000):
            with self.subTest(bad[:10]):
                response = self.answer(1, answers(4) | {"output2-fluency": bad})
                self.assertEqual(response.status_code, 400)
                self.assertContains(response, 'href="#q-output2-fluency"', status_code=400)
                self.assertContains(response, "required checked>", count=5, status_code=400)
                self.assertNotContains(response, "<b>", status_code=400)
        response = self.answer(1, {})
        self.assertContains(response, 'href="#q-', count=6, status_code=400)
        self.assertFalse(Judgment.objects.exists())

    def test_what_was_incomplete_is_the_same_answer_when_completed(self):
        ticket = ticket_in(self.open(1))
        response = self.answer(1, {}, ticket=ticket)
        kept = ticket_in(response)
        self.assertEqual(unseal(kept), unseal(ticket))
        self.answer(1, ticket=kept)
        self.answer(1, ticket=ticket)
        self.assertEqual(Judgment.objects.get().client_key, unseal(ticket).key)

    def test_a_bad_ticket_gives_the_answers_back(self):
        good = ticket_in(self.open(1))
        forged = signing.dumps([1, 2, 3], salt="another")
        for bad in ("x", good[:-2], good + "x", forged, "\x00", "é"):
            with self.subTest(bad[:10]):
                response = self.answer(1, ticket=bad)
                self.assertContains(response, "this page was too old", status_code=400)
                self.assertContains(response, "required checked>", count=6, status_code=400)
        self.assertFalse(Judgment.objects.exists())
        self.assertRedirects(self.answer(1, ticket=ticket_in(response)), self.item_url(2))

    def test_no_ticket_at_all(self):
        self.client.force_login(self.annotator_1)
        self.assertEqual(self.client.post(self.item_url(1), answers()).status_code, 400)

    def test_odd_active_times_are_not_believed(self):
        for odd in ("-5", "1e6", "abc", "9" * 400, "", "٣"):
            with self.subTest(odd[:5]):
                value = 1 + Judgment.objects.count() % 5
                response = self.answer(1, answers(value) | {"active_ms": odd})
                self.assertEqual(response.status_code, 302)
                self.assertIsNone(Judgment.objects.latest("pk").active_ms)

    def test_active_time_is_at_most_the_time_since_the_screen_was_opened(self):
        item = Task.objects.get(campaign=self.campaign, annotator=self.annotator_1).items.first()
        opened = timezone.now() - timedelta(minutes=2)
        for value, sent, least, most in ((1, 45_000, 45_000, 45_000), (2, 10**9, 120_000, 150_000)):
            ticket = new_ticket(item.pk, self.annotator_1.pk, 1, opened, 1).seal()
            self.answer(1, answers(value) | {"active_ms": str(sent)}, ticket=ticket)
            stored = Judgment.objects.current().get().active_ms
            self.assertTrue(least <= stored <= most, stored)

    def test_a_paused_campaign_stores_nothing_and_loses_nothing(self):
        ticket = ticket_in(self.open(1))
        for status, words in ((Status.PAUSED, "It is paused now"), (Status.CLOSED, "It is closed")):
            self.set_status(status)
            response = self.answer(1, answers(5), ticket=ticket)
            self.assertContains(response, words, status_code=409)
            self.assertContains(response, "required checked>", count=6, status_code=409)
            self.assertFalse(Judgment.objects.exists())
        self.set_status(Status.OPEN)
        self.assertRedirects(self.answer(1, answers(5), ticket=ticket), self.item_url(2))

    def test_an_item_that_was_taken_back_gets_a_page(self):
        ticket = ticket_in(self.open(1))
        Task.objects.filter(annotator=self.annotator_1).update(annotator=None)
        response = self.answer(1, ticket=ticket)
        self.assertContains(response, "no longer yours", status_code=409)
        self.assertFalse(Judgment.objects.exists())

    def test_pairwise(self):
        response = self.open(1, campaign=self.pairwise)
        for words in ("The first is better", "Both are equal", "The second is better"):
            self.assertContains(response, words)
        self.assertEqual(self.answer(1, {}, campaign=self.pairwise).status_code, 400)
        self.answer(1, {"preference": "-1"}, campaign=self.pairwise)
        self.assertEqual(Preference.objects.get().value, -1)
        page = self.open(1, campaign=self.pairwise).content.decode()
        self.assertRegex(page, r'value="-1"[^>]* checked')


class BetweenTest(JudgingTestCase):
    def page(self, user=None):
        self.client.force_login(user or self.annotator_1)
        return self.client.get(reverse("judge", args=[self.campaign.pk]))

    def test_one_goes_on_where_one_left(self):
        self.assertRedirects(self.page(), self.item_url(1))
        self.answer(1)
        self.answer(3)
        self.assertRedirects(self.page(), self.item_url(2))

    def test_a_batch_is_claimed_by_a_post(self):
        self.campaign.tasks.all().delete()
        design.plan(self.campaign, PlanSettings(batch_items=2))
        url = reverse("judge", args=[self.campaign.pk])
        self.assertContains(self.page(), "A batch with 2 items is waiting")
        self.assertFalse(self.campaign.tasks.exclude(annotator=None).exists())
        self.assertRedirects(self.client.post(url), url, target_status_code=302)
        self.assertRedirects(self.page(), self.item_url(1))
        self.answer(1)
        self.answer(2)
        self.assertContains(self.page(), "another batch with 2 items is waiting")
        self.client.post(url)
        self.assertRedirects(self.page(), self.item_url(3))
        self.assertContains(self.page(self.annotator_2), "Nothing to judge yet")

    def test_claiming_when_nothing_is_free_is_no_error(self):
        url = reverse("judge", args=[self.campaign.pk])
        self.campaign.tasks.all().delete()
        self.client.force_login(self.annotator_1)
        self.assertRedirects(self.client.post(url), url)
        self.assertContains(self.page(), "Nothing to judge yet")

    def test_states_of_the_campaign(self):
        for status, words in (
            (Status.DRAFT, "has not begun"),
            (Status.PAUSED, "is paused"),
            (Status.CLOSED, "is closed"),
        ):
            with self.subTest(status):
                self.set_status(status)
                self.assertContains(self.page(), words)
                url = reverse("judge", args=[self.campaign.pk])
                self.assertRedirects(self.open(1), url)
                before = everything_stored()
                self.assertContains(self.client.post(url), words)
                self.assertEqual(everything_stored(), before)

    def test_the_list_of_ones_own_items(self):
        self.answer(2)
        response = self.get_as(self.annotator_1, "judge-items", self.campaign.pk)
        self.assertContains(response, "1 of 4 judged")
        self.assertContains(response, 'class="is-judged"', count=1)
        self.assertContains(response, f'<a href="{self.item_url(2)}" class="is-judged">2')
        url = reverse("judge-items", args=[self.campaign.pk])
        self.assertRedirects(self.client.get(url, {"number": "3"}), self.item_url(3))
        for bad in ("0", "5", "x", "-1", "9" * 50, "3.0", "²"):
            response = self.client.get(url, {"number": bad})
            self.assertContains(response, "There is no such item", msg_prefix=bad)
        for page in ("0", "2", "x", "-1"):
            self.assertContains(self.client.get(url, {"page": page}), "1 of 4 judged")

    def test_a_long_list_has_pages_and_right_numbers(self):
        segments = list(self.test_set.segments.all()) * 60
        factory.make_task(self.campaign, self.annotator_1, batch=9, segments=segments)
        url = reverse("judge-items", args=[self.campaign.pk])
        self.client.force_login(self.annotator_1)
        second = self.client.get(url, {"page": "2"})
        self.assertContains(second, f'href="{self.item_url(201)}"')
        self.assertContains(second, f'href="{self.item_url(244)}"')
        self.assertNotContains(second, f'href="{self.item_url(200)}"')

    def test_instructions(self):
        self.campaign.instructions = {"en": "Read **both** texts.\n\n<script>x</script>"}
        self.campaign.save()
        response = self.get_as(self.annotator_1, "judge-instructions", self.campaign.pk)
        self.assertContains(response, "<strong>both</strong>")
        self.assertNotContains(response, "<script>x")
        self.assertContains(response, "How do you judge the fluency of this translation?")
        self.assertContains(response, "Flawless English")
