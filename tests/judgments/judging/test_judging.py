"""The judging page: an item, its answer, and what comes between two items."""

from datetime import timedelta

from django.core import signing
from django.urls import reverse
from django.utils import timezone

from judgments.judging.ticket import new_ticket, unseal
from judgments.models import (
    Judgment,
    Output,
    Preference,
    Rating,
    Status,
    Task,
)
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from tests import factory

from .judge_pages import JudgingTestCase, answers, everything_stored, ticket_in


class ItemPageTest(JudgingTestCase):
    def test_the_screen_shows_texts_questions_and_progress(self):
        Task.objects.filter(campaign=self.campaign, annotator=self.annotator_1).update(
            n_items=3064, n_judged=14, active_ms=14 * 86_000
        )
        response = self.open(1)
        self.assertContains(response, '<p class="segment-text" lang="de" dir="ltr">Quelltext')
        self.assertContains(response, "<strong>14 of 3,064</strong> judged")
        self.assertContains(response, "86 s per segment")
        self.assertContains(response, "about 73 h left")  # 3,050 · 86 s = 72.9 h
        self.assertContains(response, 'type="radio"', count=3 * 2 * 5)
        for words in ("Flawless English", "Incomprehensible", "Most", "Little"):
            self.assertContains(response, words)

    def test_parts_that_are_kept_by_language_are_in_the_language_of_the_page(self):
        self.client.force_login(self.annotator_1)
        said = {
            "de": (
                "Wird gespeichert …",
                "absenden und weiter",
                "konnte die Antwort nicht speichern",
            ),
            "en": ("Saving…", "submit and continue, or", "could not store the answer"),
        }
        for language in ("de", "en", "de"):
            page = self.client.get(self.item_url(), headers={"accept-language": language})
            for words in said[language]:
                self.assertContains(page, words)
            for words in said["en" if language == "de" else "de"]:
                self.assertNotContains(page, words)

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
            (Status.DRAFT, "has not started"),
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
        self.assertContains(response, "<dd>1 of 4</dd>")
        self.assertContains(response, 'class="is-judged"', count=1)
        self.assertContains(response, f'<a href="{self.item_url(2)}" class="is-judged">')
        url = reverse("judge-items", args=[self.campaign.pk])
        self.assertRedirects(self.client.get(url, {"number": "3"}), self.item_url(3))
        for bad in ("0", "5", "x", "-1", "9" * 50, "3.0", "²"):
            response = self.client.get(url, {"number": bad})
            self.assertContains(response, "There is no such item", msg_prefix=bad)
        for page in ("0", "2", "x", "-1"):
            self.assertContains(self.client.get(url, {"page": page}), "<dd>1 of 4</dd>")

    def test_a_long_list_has_pages_and_right_numbers(self):
        segments = list(self.test_set.segments.all()) * 60
        factory.make_task(self.campaign, self.annotator_1, batch=9, segments=segments)
        url = reverse("judge-items", args=[self.campaign.pk])
        self.client.force_login(self.annotator_1)
        last = self.client.get(url, {"page": "5"})
        self.assertContains(last, f'href="{self.item_url(201)}"')
        self.assertContains(last, f'href="{self.item_url(244)}"')
        self.assertNotContains(last, f'href="{self.item_url(200)}"')

    def test_instructions(self):
        self.campaign.instructions = {"en": "Read **both** texts.\n\n<script>x</script>"}
        self.campaign.save()
        response = self.get_as(self.annotator_1, "judge-instructions", self.campaign.pk)
        self.assertContains(response, "<strong>both</strong>")
        self.assertNotContains(response, "<script>x")
        self.assertContains(response, "How do you judge the fluency of this translation?")
        self.assertContains(response, "Flawless English")
