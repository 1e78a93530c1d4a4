"""What operators can type in Django's admin: nothing that breaks a page."""

import json

from django import forms
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import transaction
from django.urls import reverse

from judgments.models import DeletedCampaign, Status
from judgments.people.tokens import tokens as api_tokens
from judgments.quality.decisions.decisions import decide
from tests import factory
from tests.base import CastTestCase

# What can be changed of each model; of all others nothing.
EDITABLE = {
    "judgments.testset": {"name", "owner", "note"},
    "judgments.campaign": {"name"},
}
# Django's own, for accounts and their rights.
OF_DJANGO = {"auth.user", "auth.group"}
OF_CAMPAIGNS = (
    *("campaign", "campaign-design", "campaign-people", "campaign-instructions", "campaign-notes"),
    *("campaign-practice", "campaign-steer", "watch", "quality", "agreement", "scores"),
    *("exports", "campaign-log", "api-campaign"),
)
NAMES = {"name": '<b>"Ä\u202e', "note": "<script>"}


def hostile(name, field):
    """What no page could use, as far as the field lets one type it."""
    match field:
        case forms.JSONField():
            return json.dumps(["nonsense"])
        case forms.BooleanField():
            return "on"
        case forms.ModelChoiceField() | forms.ChoiceField() | forms.SplitDateTimeField():
            return None
        case forms.IntegerField():
            return "7"
        case _:
            return NAMES.get(name, "nonsense")


class AdminTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.root = factory.make_user("root", is_staff=True, is_superuser=True)
        Group.objects.create(name="Readers")
        cls.campaign.invitations.create(created_by=cls.owner)
        item = cls.campaign.tasks.first().items.first()
        factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        decide(cls.campaign, cls.annotator_2, excluded=True, reason="Late.", by=cls.owner)
        DeletedCampaign.objects.create(
            campaign=10**6,
            test_set=10**6,
            simulated=False,
            judgments=0,
            annotators=0,
            tasks=0,
        )
        api_tokens.create(cls.owner, "Script", "read", 1)

    def registered(self):
        found = [model for model in apps.get_models() if admin.site.is_registered(model)]
        self.assertGreaterEqual(len(found), 12)
        return found

    def asked(self, model, what, *args):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}"
        return self.get_as(self.root, name, *args)

    def test_only_names_and_notes_can_be_changed(self):
        for model in self.registered():
            label = model._meta.label_lower
            with self.subTest(model=label):
                self.assertEqual(self.asked(model, "changelist").status_code, 200)
                if label in OF_DJANGO:
                    continue
                self.assertEqual(self.asked(model, "add").status_code, 403)
                row = model.objects.first()
                if row is not None:
                    page = self.asked(model, "change", row.pk)
                    self.assertEqual(page.status_code, 200)
                    fields = page.context["adminform"].form.fields
                    self.assertEqual(set(fields), EDITABLE.get(label, set()))

    def test_nothing_that_can_be_typed_breaks_a_page(self):
        for model in self.registered():
            row = model.objects.order_by("pk").first()
            if row is None or model._meta.label_lower in OF_DJANGO:
                continue
            with self.subTest(model=model._meta.label), transaction.atomic():
                page = self.asked(model, "change", row.pk)
                self.assertEqual(page.status_code, 200)
                form = page.context["adminform"].form
                if not form.fields:
                    continue
                data = {name: form[name].value() or "" for name in form.fields}
                wrong = {name: hostile(name, field) for name, field in form.fields.items()}
                data |= {name: value for name, value in wrong.items() if value is not None}
                posted = self.as_user(self.root).post(self.change_address(model, row), data)
                self.assertEqual(posted.status_code, 302)
                self.assert_all_pages_come()
                transaction.set_rollback(True)

    def change_address(self, model, row):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
        return reverse(name, args=[row.pk])

    def assert_all_pages_come(self):
        for name in OF_CAMPAIGNS:
            page = self.get_as(self.owner, name, self.campaign.pk)
            self.assertEqual(page.status_code, 200, name)
        for name in ("home", "campaigns", "test-sets", "api-campaigns"):
            self.assertEqual(self.get_as(self.owner, name).status_code, 200, name)
        test_set = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertEqual(test_set.status_code, 200)
        judging = self.get_as(self.annotator_1, "judge", self.campaign.pk, follow=True)
        self.assertEqual(judging.status_code, 200)

    def test_a_new_name_leaves_what_others_change_meanwhile(self):
        """The form was opened before another owner paused the campaign."""
        address = reverse("admin:judgments_campaign_change", args=[self.campaign.pk])
        client = self.as_user(self.root)
        sent = client.get(address).context["adminform"].form
        data = {name: sent[name].value() or "" for name in sent.fields} | {"name": "Renamed"}
        self.campaign.status = Status.PAUSED
        self.campaign.save()
        self.assertEqual(client.post(address, data).status_code, 302)
        self.campaign.refresh_from_db()
        self.assertEqual((self.campaign.name, self.campaign.status), ("Renamed", Status.PAUSED))

    def test_only_tokens_can_be_deleted(self):
        for model in self.registered():
            row = model.objects.first()
            label = model._meta.label_lower
            if row is None or label in OF_DJANGO:
                continue
            expected = 200 if label == "judgments.apitoken" else 403
            self.assertEqual(self.asked(model, "delete", row.pk).status_code, expected, label)
