"""People from Prolific and MTurk: an identifier in an address lets one person in, and opens
nothing."""

from judgments.models import Invitation
from judgments.people.staffing.settings import set_staffing
from tests.base import CastTestCase

PID = "5f0c8a2b1d"
PROLIFIC = f"?PROLIFIC_PID={PID}&STUDY_ID=s1&SESSION_ID=t1"


class ExternalTests(CastTestCase):
    def setUp(self):
        self.invitation = Invitation.objects.create(campaign=self.campaign, created_by=self.owner)
        self.link = self.invitation.get_absolute_url()

    def members(self):
        return self.campaign.memberships.exclude(external_ids={})

    def test_they_are_stored_on_joining(self):
        client = self.as_user(None)
        self.assertEqual(client.get(self.link + PROLIFIC).status_code, 200)
        self.assertFalse(self.members().exists())
        client.post(self.link + PROLIFIC, {"alias": "Grete"})
        member = self.members().get()
        self.assertEqual(
            member.external_ids, {"PROLIFIC_PID": PID, "STUDY_ID": "s1", "SESSION_ID": "t1"}
        )
        self.assertEqual(member.invitation, self.invitation)

    def test_the_same_person_goes_on_with_their_session(self):
        client = self.as_user(None)
        client.post(self.link + PROLIFIC, {})
        response = client.get(self.link + PROLIFIC)
        self.assertRedirects(response, f"/judge/{self.campaign.pk}/", fetch_redirect_response=False)
        self.assertEqual(self.members().count(), 1)

    def test_the_identifier_alone_opens_nothing(self):
        self.as_user(None).post(self.link + PROLIFIC, {})
        for other in (None, self.outsider, self.annotator_1):
            client = self.as_user(other)
            for send in (client.get, client.post):
                response = send(self.link + PROLIFIC)
                self.assertContains(response, "already takes part", status_code=409)
            response = client.post(self.link + f"?PROLIFIC_PID={PID}", {"other": "yes"})
            self.assertEqual(response.status_code, 409)
        self.assertEqual(self.members().count(), 1)

    def test_a_removed_person_does_not_come_again_as_another(self):
        self.as_user(None).post(self.link + PROLIFIC, {})
        self.members().update(removed_at="2026-01-01T00:00Z")
        self.assertEqual(self.as_user(None).post(self.link + PROLIFIC, {}).status_code, 409)

    def test_the_same_identifier_in_another_campaign_is_another_matter(self):
        self.as_user(None).post(self.link + PROLIFIC, {})
        other = Invitation.objects.create(campaign=self.pairwise, created_by=self.owner)
        self.as_user(None).post(other.get_absolute_url() + PROLIFIC, {})
        self.assertTrue(self.pairwise.memberships.exclude(external_ids={}).exists())

    def test_mturk(self):
        preview = "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1"
        client = self.as_user(None)
        for send in (client.get, client.post):
            self.assertContains(send(self.link + preview), "This is a preview")
        client.post(self.link + "?workerId=W1&assignmentId=A1&hitId=H1", {})
        self.assertEqual(self.members().get().external_ids["workerId"], "W1")

    def test_damaged_ones_are_refused(self):
        for value in ("{{%PROLIFIC_PID%}}", "x" * 65, "a b", "%00", "é"):
            client = self.as_user(None)
            for send in (client.get, client.post):
                response = send(self.link, query_params={"PROLIFIC_PID": value})
                self.assertEqual(response.status_code, 400, value)
        self.assertFalse(self.members().exists())

    def test_an_occasion_without_a_person_is_nothing(self):
        self.as_user(None).post(self.link + "?STUDY_ID=s1", {"alias": "Grete"})
        self.assertEqual(self.campaign.memberships.get(alias="Grete").external_ids, {})


class TypedNameTests(CastTestCase):
    def setUp(self):
        self.invitation = Invitation.objects.create(
            campaign=self.campaign, created_by=self.owner, alias="list name"
        )
        set_staffing(self.campaign, {"typed_names": False})

    def join(self, alias):
        before = set(self.campaign.memberships.values_list("pk", flat=True))
        self.as_user(None).post(self.invitation.get_absolute_url(), {"alias": alias})
        return self.campaign.memberships.exclude(pk__in=before).get().alias

    def test_only_names_of_the_site_or_of_the_list(self):
        self.assertEqual(self.join("list name"), "list name")
        self.assertEqual(self.join("calm otter"), "calm otter")
        for typed in ("calm otter", "Ada Lovelace", "list name", ""):
            self.assertEqual(len(self.join(typed).split()), 2)
        self.assertFalse(self.campaign.memberships.filter(alias="Ada Lovelace").exists())
