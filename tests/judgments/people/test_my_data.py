"""What is stored about a person: shown, taken away, erased; and erased for them by an owner."""

import json

from django.db import connection
from django_tasks_db.models import DBTaskResult

from judgments.files.guest_list import Guest
from judgments.models import (
    Act,
    ConsentRecord,
    Erasure,
    Invitation,
    Item,
    Judgment,
    Membership,
    Project,
)
from judgments.people.accounts.tasks import mail_new_password
from judgments.people.invitations import links as invitations
from judgments.people.members import members as people
from judgments.people.projects import links as project_links
from judgments.people.staffing.settings import record_answers, record_consent, set_staffing
from tests import factory
from tests.base import CastTestCase

VALUES = {"adequacy": [1.0, 2.0, 3.0], "fluency": [4.0, 4.0, 4.0]}
TRACES = ("Lovelace", "ada@example.org", "PERSON77", "Zulu and Xhosa", "calm otter")


def everything():
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" AS t')
            yield from (f"{table}: {text}" for (text,) in cursor.fetchall())


class MyDataTests(CastTestCase):
    def setUp(self):
        set_staffing(
            self.campaign,
            {"consent": {"texts": {"en": "Store."}}, "questions": [{"name": "q", "label": "Q"}]},
        )
        guest = Guest("Ada Lovelace", "ada@example.org", "calm otter")
        invitations.invite_many(self.campaign, [guest], by=self.owner)
        invitation = Invitation.objects.get(email="ada@example.org")
        self.member = people.accept(invitation, None, "calm otter", {"PROLIFIC_PID": "PERSON77"})
        self.ada = self.member.user
        record_consent(self.member, accepted=True, language="en", text="Store.")
        record_answers(self.member, {"q": "Zulu and Xhosa"})
        self.task = factory.make_task(self.campaign, self.ada, batch=2)
        for item in Item.objects.filter(task=self.task).select_related("task")[:2]:
            item.task.refresh_from_db()
            factory.judge(item, VALUES)

    def test_the_page_tells_what_there_is(self):
        page = self.get_as(self.ada, "my-data")
        for words in (*TRACES, "accepted", "Small campaign"):
            self.assertContains(page, words)
        self.assertNotContains(self.get_as(self.annotator_1, "my-data"), "Zulu and Xhosa")

    def test_the_file_has_it_all_and_stays_blind(self):
        response = self.get_as(self.ada, "my-data-file")
        text = response.content.decode()
        self.assertIn("attachment", response["Content-Disposition"])
        found = json.loads(text)
        for words in TRACES:
            self.assertIn(words, text)
        (part,) = found["campaigns"]
        self.assertEqual(part["questionnaire"], {"q": "Zulu and Xhosa"})
        self.assertEqual(part["consent"][0]["text"], "Store.")
        self.assertEqual(len(found["judgments"]), 2)
        ratings = found["judgments"][0]["ratings"]
        self.assertIn({"dimension": "adequacy", "value": 2.0, "places": [1]}, ratings)
        self.assertNotIn("System-", text)
        self.assertNotIn('"kind": "regular"', text)

    def test_what_a_project_and_its_link_say_about_them(self):
        project = Project.objects.create(name="Year", slug="year", owner=self.owner)
        project.campaigns.add(self.pairwise)
        guest = Guest("Ada of Year", "year@example.org", "swift swan")
        (link,) = project_links.make_links(
            project, [(guest, ["de-en"])], role="annotator", by=self.owner, expires_at=None
        )
        project_links.accept(link, self.ada)
        page = self.get_as(self.ada, "my-data")
        for words in ("Year", "Ada of Year", "year@example.org", "swift swan"):
            self.assertContains(page, words)
        (found,) = json.loads(self.get_as(self.ada, "my-data-file").content)["projects"]
        self.assertEqual(found["project"], "Year")
        self.assertEqual(found["parts"][0]["alias"], "swift swan")
        self.assertEqual(found["links"][0]["email"], "year@example.org")
        project.people.all().delete()
        self.assertContains(self.get_as(self.ada, "my-data"), "year@example.org")
        self.assertNotContains(self.get_as(self.annotator_1, "my-data"), "year@example.org")

    def test_all_kinds_of_observations_are_told(self):
        from judgments.models.chains.judgment_rows import MODELS
        from judgments.people.my_data.answers import SAID, said_of

        self.assertEqual(set(SAID), set(MODELS))
        for kind, model in MODELS.items():
            list(said_of(kind, model, self.ada, {}, {}) if kind != "ratings" else ())

    def erase(self, user, **data):
        return self.post_as(user, "my-data-erase", data=data)

    def test_they_erase_themselves(self):
        link = self.member.get_return_url()
        self.assertEqual(self.erase(self.ada).status_code, 422)
        self.assertFalse(Erasure.objects.exists())
        self.assertContains(self.erase(self.ada, sure="on"), "Your data has been erased")
        self.assertNotIn("_auth_user_id", self.client.session)
        self.assertEqual(self.client.get(link).status_code, 404)
        left = [text for text in everything() if any(trace in text for trace in TRACES)]
        self.assertEqual(left, [])
        self.assertEqual(Judgment.objects.filter(annotator=self.ada).count(), 2)
        record = ConsentRecord.objects.get()
        self.assertEqual((record.membership, record.accepted), (None, True))
        act = Act.objects.get(act="my-data-erase")
        self.assertEqual((act.account, act.result), (f"account {self.ada.pk}", "done"))
        # What they did not judge is there for others.
        rest = self.campaign.tasks.filter(annotator=None, n_items__gt=0)
        self.assertEqual(sum(task.n_items for task in rest), 2)

    def test_no_task_has_their_address(self):
        self.ada.email = "ada@example.org"
        self.ada.save()
        for address in ("Ada@Example.org", "other@example.org"):
            mail_new_password.enqueue(address, "http://example.org", "en")
        self.erase(self.ada, sure="on")
        (left,) = DBTaskResult.objects.filter(task_path=mail_new_password.module_path)
        self.assertEqual(left.args_kwargs["args"][0], "other@example.org")

    def test_the_log_has_no_name_of_somebody_without_a_campaign(self):
        nobody = factory.make_user("real-name-of-somebody")
        self.erase(nobody, sure="on")
        self.assertFalse([text for text in everything() if "real-name-of-somebody" in text])

    def test_who_runs_campaigns_is_told_whom_to_ask(self):
        self.assertContains(self.get_as(self.owner, "my-data"), "Ask the operator")
        self.assertEqual(self.erase(self.owner, sure="on").status_code, 422)
        self.owner.refresh_from_db()
        self.assertEqual(self.owner.username, "owner")

    def test_a_link_for_many_keeps_its_words_when_one_of_them_is_erased(self):
        shared = Invitation.objects.create(
            campaign=self.campaign, created_by=self.owner, name="Class 3b"
        )
        member = people.accept(shared, None)
        self.erase(member.user, sure="on")
        shared.refresh_from_db()
        self.assertEqual(shared.name, "Class 3b")


class EraseMemberTests(CastTestCase):
    def setUp(self):
        invitation = self.campaign.invitations.create(created_by=self.owner)
        self.guest = people.accept(invitation, None, "Grete")

    def erase(self, membership, user=None, **data):
        user = user or self.owner
        return self.post_as(user, "member-erase", self.campaign.pk, membership.pk, data=data)

    def test_refused_to_others(self):
        for method in ("get", "post"):
            self.assert_refused("member-erase", self.campaign.pk, self.guest.pk, method=method)
        self.assertEqual(self.erase(self.guest, self.researcher).status_code, 403)

    def test_an_owner_erases_a_guest(self):
        self.assertEqual(self.erase(self.guest).status_code, 422)
        self.assertEqual(self.erase(self.guest, reason="They asked.").status_code, 302)
        record = Erasure.objects.get()
        self.assertEqual((record.erased_by, record.reason), ("owner", "They asked."))
        self.guest.refresh_from_db()
        self.assertEqual(self.guest.alias, f"erased-{record.pk}")
        self.assertEqual(Act.objects.get(act="member-erase").result, "done")

    def test_accounts_of_ones_own_and_others_campaigns_are_not_theirs_to_erase(self):
        own = self.campaign.memberships.get(user=self.annotator_1)
        self.assertContains(self.erase(own, reason="x"), "belongs to the person", status_code=422)
        elsewhere = factory.make_campaign(self.test_set, owner=self.outsider)
        Membership.objects.create(
            campaign=elsewhere, user=self.guest.user, role="annotator", alias="G"
        )
        self.assertContains(self.erase(self.guest, reason="x"), "not yours", status_code=422)
        researcher = self.campaign.memberships.get(user=self.researcher)
        self.assertContains(self.erase(researcher, reason="x"), "Only annotators", status_code=422)
        self.assertFalse(Erasure.objects.exists())
