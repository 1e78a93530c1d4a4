"""Who may judge, and what the judging page tells nobody: systems, kinds of items, outputs."""

import re

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.judging.ticket import new_ticket
from judgments.models import (
    Item,
    Judgment,
    Kind,
    Output,
    Rating,
    Task,
)
from tests import factory

from .judge_pages import JudgingTestCase, answers, everything_stored, ticket_in


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

    def test_a_script_learns_why_an_answer_is_refused_and_an_outsider_nothing(self):
        data = answers() | {"ticket": ticket_in(self.open(1))}
        as_script = {"headers": {"accept": "application/json"}}
        for user, status, problem in (
            (self.researcher, 403, "role"),
            (self.outsider, 404, "gone"),
        ):
            self.client.force_login(user)
            response = self.client.post(self.item_url(1), data, **as_script)
            self.assertEqual(
                (response.status_code, response.json()), (status, {"problem": problem})
            )
        nowhere = self.client.post("/judge/999999/1/", data, **as_script)
        self.assertEqual((nowhere.status_code, nowhere.json()), (404, {"problem": "gone"}))
        self.client.logout()
        signed_out = self.client.post(self.item_url(1), data, **as_script)
        self.assertEqual(signed_out.status_code, 302)

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
        forbidden = re.compile(
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
                    self.assert_silent(response, forbidden)
            for name in ("judge", "judge-items", "judge-instructions"):
                self.assert_silent(self.client.get(reverse(name, args=[campaign.pk])), forbidden)

    def assert_silent(self, response, forbidden):
        self.assertIn(response.status_code, (200, 302, 400))
        headers = {k: v for k, v in response.headers.items() if k != "Cache-Control"}
        whole = f"{headers} {response.content.decode()}"
        found = forbidden.search(whole)
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
        self.assertContains(response, "The source and the reference are hidden")
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
