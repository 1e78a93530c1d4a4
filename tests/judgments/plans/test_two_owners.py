"""Two owners of a campaign at the same moment, each with a separate connection: nothing that one of
them saves is lost or reverted by the other."""

import ast
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import transaction
from django.test import Client, TransactionTestCase
from django.urls import reverse

from judgments.judging.practice import practice
from judgments.models import Campaign, Membership, Note, Project, Role, Status
from judgments.models.locks import lock_campaign, lock_project
from tests import factory
from tests.base import CastTestCase

from ..models.test_locks import in_a_thread, until_somebody_waits


class TwoOwnersTest(TransactionTestCase):
    def setUp(self):
        self.owners = [factory.make_user(name, is_staff=True) for name in ("ada", "ben")]
        annotator = factory.make_user("annotator")
        test_set = factory.make_test_set(self.owners[0])
        self.campaign = factory.make_campaign(
            test_set, owner=self.owners[0], annotators=[annotator], instructions={"en": "Read."}
        )
        Membership.objects.create(
            campaign=self.campaign, user=self.owners[1], role=Role.OWNER, alias="ben"
        )
        factory.make_task(self.campaign, annotator)

    def both(self, name, *sent, args=(), between=lambda campaign: None):
        """Both owners post to a page at once: both have read the campaign when the first of them
        is let on. between: what a third does before."""
        clients = [Client(), Client()]
        for client, owner in zip(clients, self.owners, strict=True):
            client.force_login(owner)
        address = reverse(name, args=[self.campaign.pk, *args])
        with ThreadPoolExecutor(len(sent)) as pool:
            with transaction.atomic():
                campaign = lock_campaign(self.campaign.pk)
                posted = [
                    pool.submit(in_a_thread, client.post, address, data)
                    for client, data in zip(clients, sent, strict=False)
                ]
                until_somebody_waits(len(sent))
                between(campaign)
            answers = [each.result(timeout=20) for each in posted]
        self.campaign.refresh_from_db()
        return answers

    def test_of_two_instructions_one_is_stored_and_the_other_shown_beside_it(self):
        texts = ["Read twice.", "Read aloud."]
        sent = [{"text": text, "initial-text": "Read.", "version": "1"} for text in texts]
        answers = self.both("campaign-instructions", *sent)
        self.assertEqual(sorted(answer.status_code for answer in answers), [302, 409])
        self.assertEqual(self.campaign.guideline_version, 2)
        stored = self.campaign.instructions["en"]
        self.assertIn(stored, texts)
        refused = next(answer for answer in answers if answer.status_code == 409)
        for text in texts:
            self.assertContains(refused, text, status_code=409)
        self.assertContains(refused, "saved instructions while you were writing", status_code=409)
        self.assertContains(refused, 'name="version" value="2"', status_code=409)

    def test_of_two_tutorials_one_is_stored_and_shown_to_who_wrote_the_other(self):
        version = practice.version_of(self.campaign)
        sent = [
            {"source": word, "output1": f"{word}.", "version": version} for word in ("Eins", "Zwei")
        ]
        answers = self.both("campaign-practice-item", *sent, args=[1])
        self.assertEqual(sorted(answer.status_code for answer in answers), [302, 409])
        (stored,) = self.campaign.practices.values_list("source", flat=True)
        refused = next(answer for answer in answers if answer.status_code == 409)
        mine = next(each for each in sent if each["source"] != stored)
        for text in (mine["output1"], "Somebody saved other tutorial items while you were writing"):
            self.assertContains(refused, text, status_code=409)
        now = practice.version_of(self.campaign)
        self.assertContains(refused, f'name="version" value="{now}"', status_code=409)
        client = Client()
        client.force_login(self.owners[0])
        address = reverse("campaign-practice-item", args=[self.campaign.pk, 2])
        self.assertEqual(client.post(address, mine | {"version": now}).status_code, 302)
        self.assertEqual(self.campaign.practices.count(), 2)

    def test_one_who_pauses_does_not_reopen_what_another_has_closed(self):
        def close(campaign):
            campaign.status = Status.CLOSED
            campaign.save(update_fields=["status"])

        (answer,) = self.both("campaign-status", {"status": "paused"}, between=close)
        self.assertEqual(answer.status_code, 302)
        self.assertEqual(self.campaign.status, Status.CLOSED)

    def test_of_two_who_add_campaigns_to_a_project_both_are_heard(self):
        second = factory.make_campaign(self.campaign.test_set, owner=self.owners[0], name="Second")
        project = Project.objects.create(name="Year", slug="year", owner=self.owners[0])
        client = Client()
        client.force_login(self.owners[0])

        def add(campaign):
            address = reverse("api-project-campaigns", args=["year"])
            return client.post(address, {"add": [campaign.pk]}, content_type="application/json")

        with ThreadPoolExecutor(2) as pool:
            with transaction.atomic():
                lock_project(project.pk)
                sent = [pool.submit(in_a_thread, add, each) for each in (self.campaign, second)]
                until_somebody_waits(2)
            answers = [each.result(timeout=20) for each in sent]
        self.assertEqual([answer.status_code for answer in answers], [200, 200])
        self.assertEqual(set(project.campaigns.all()), {self.campaign, second})

    def test_both_open_it(self):
        Campaign.objects.update(status=Status.DRAFT)
        self.both("campaign-status", {"status": "open"}, {"status": "open"})
        self.assertEqual(self.campaign.status, Status.OPEN)


class InstructionsTest(CastTestCase):
    def save(self, version, **texts):
        data = {"version": version} | texts
        return self.post_as(self.owner, "campaign-instructions", self.campaign.pk, data=data)

    def test_the_page_says_which_version_it_was_made_from(self):
        page = self.get_as(self.owner, "campaign-instructions", self.campaign.pk)
        self.assertContains(page, 'name="version" value="1"')
        self.assertContains(page, 'name="initial-text"')

    def test_without_a_version_nothing_is_saved(self):
        response = self.save("", text="Read.")
        self.assertContains(response, "Reload this page: the form", status_code=422)
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.instructions, {})

    def test_the_second_keeps_what_the_first_wrote_in_another_language(self):
        self.save(1, text="Read.", text_de="Lies.")
        second = self.save(1, **{"text_de": "Lest.", "initial-text": "", "text": ""})
        self.assertContains(second, "saved instructions while you were writing", status_code=409)
        # What the second did not touch is as the first left it; what both wrote is shown twice.
        self.assertEqual(second.context["form"]["text"].value(), "Read.")
        self.assertEqual(second.context["form"]["text_de"].value(), "Lest.")
        self.assertContains(second, "Lies.", status_code=409)
        saved = self.save(2, **{"text": "Read.", "text_de": "Lest.", "initial-text": "Read."})
        self.assertEqual(saved.status_code, 302)
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.instructions, {"en": "Read.", "de": "Lest."})
        self.assertEqual(self.campaign.guideline_version, 3)

    def test_the_same_text_again_is_no_clash(self):
        self.save(1, text="Read.")
        self.assertEqual(self.save(1, text="Read.").status_code, 302)
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.guideline_version, 2)


class StatusTest(CastTestCase):
    MAY_BECOME = {
        "draft": {"open"},
        "open": {"paused", "closed"},
        "paused": {"open", "closed"},
        "closed": {"open"},
    }

    def test_page_and_api_let_a_campaign_become_what_it_may(self):
        client = self.as_user(self.owner)
        by_api = {"content_type": "application/json"}
        for name, extra, refused in (
            ("campaign-status", {}, 302),
            ("api-campaign-status", by_api, 409),
        ):
            for before in Status.values:
                for wanted in Status.values:
                    with self.subTest(name=name, before=before, wanted=wanted):
                        Campaign.objects.update(status=before)
                        address = reverse(name, args=[self.campaign.pk])
                        response = client.post(address, {"status": wanted}, **extra)
                        may = wanted == before or wanted in self.MAY_BECOME[before]
                        ok = 302 if name == "campaign-status" else 200
                        self.assertEqual(response.status_code, ok if may else refused)
                        self.campaign.refresh_from_db()
                        self.assertEqual(self.campaign.status, wanted if may else before)

    def test_the_page_says_why_not(self):
        response = self.post_as(
            self.owner, "campaign-status", self.campaign.pk, data={"status": "draft"}, follow=True
        )
        self.assertContains(response, "A campaign that is open cannot become a draft")

    def test_steer_closes_only_what_is_under_way(self):
        for before, after in (("draft", "draft"), ("paused", "closed"), ("closed", "closed")):
            Campaign.objects.update(status=before)
            self.post_as(self.owner, "campaign-close", self.campaign.pk, data={"close-sure": "on"})
            self.campaign.refresh_from_db()
            self.assertEqual(self.campaign.status, after)


class ResolveTest(CastTestCase):
    def setUp(self):
        item = self.campaign.tasks.first().items.first()
        self.note = Note.objects.create(item=item, annotator=self.annotator_1, kind="flag")

    def resolve(self, **data):
        self.post_as(self.owner, "note-resolve", self.campaign.pk, self.note.pk, data=data)
        self.note.refresh_from_db()
        return self.note.resolved_at

    def test_pressed_twice_a_note_stays_resolved(self):
        first = self.resolve(resolved="yes")
        self.assertIsNotNone(first)
        self.assertEqual(self.resolve(resolved="yes"), first)
        self.assertIsNone(self.resolve(resolved="no"))
        self.assertIsNone(self.resolve(resolved="no"))

    def test_without_saying_what_is_wanted_nothing_changes(self):
        self.assertIsNone(self.resolve())
        self.assertIsNone(self.resolve(resolved="perhaps"))

    def test_the_page_asks_for_the_other_state(self):
        page = self.get_as(self.owner, "campaign-notes", self.campaign.pk)
        self.assertContains(page, '<input type="hidden" name="resolved" value="yes">', html=True)
        self.resolve(resolved="yes")
        page = self.get_as(self.owner, "campaign-notes", self.campaign.pk)
        self.assertContains(page, '<input type="hidden" name="resolved" value="no">', html=True)


def writes_of_campaigns():
    """(place, function) of every write to the row of a campaign that is there already: a `save` of
    named fields, and an `update` of a queryset of campaigns."""
    for path in (settings.BASE_DIR / "judgments").rglob("*.py"):
        if "migrations" in path.parts:
            continue
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and is_write(node):
                    yield f"{path.name}:{node.lineno}", function


def is_write(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Name(id="campaign" | "locked"), attr="save"):
            return any(keyword.arg == "update_fields" for keyword in call.keywords)
        case ast.Attribute(value=queryset, attr="update" | "bulk_update" | "update_or_create"):
            return ast.unparse(queryset).startswith("Campaign.objects")
    return False


class GateTest(CastTestCase):
    def test_every_write_to_a_campaign_locks_it_first(self):
        found = list(writes_of_campaigns())
        self.assertGreaterEqual(len(found), 4)
        unlocked = [
            place
            for place, function in found
            # `design.clear` locks it for `design.plan`.
            if not {"lock_campaign", "lock_campaigns", "clear"}
            & {
                node.func.id
                for node in ast.walk(function)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
        ]
        self.assertEqual(unlocked, [])
