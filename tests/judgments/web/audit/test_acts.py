"""Which acts the audit log holds, and what it says of them."""

import contextlib

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.test import RequestFactory, TestCase, TransactionTestCase
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, get_resolver, reverse

from judgments.models import Act, ApiToken, Campaign, Invitation, Item, Result
from judgments.people.tokens import tokens as api_tokens
from judgments.web.audit import acting, facts, words
from judgments.web.audit.model_admins import RecordedAdmin
from metrics.models import ScoringJob
from mteval_site import settings as of_the_site
from tests import factory, watched_acts
from tests.base import CastTestCase
from tests.gates.addresses import converters_of
from tests.judgments.judging.judge_pages import answers, ticket_in

# They answer a POST like a GET, and change nothing.
PLAIN = {"home", "about", "accessibility", "welcome", "health"}
MARKER = "Zwölfkämpferin-4711"


class PostTest(CastTestCase):
    def test_whatever_answers_a_post_is_recorded_in_words_or_known_to_change_nothing(self):
        """The addresses come from the resolver; one that is new has to be named."""
        self.owner.is_superuser = True
        self.owner.save()
        seen = set()
        for name, _ in patterns(get_resolver()):
            kinds = converters_of(name).items()
            arguments = {key: 0 if kind.regex == "[0-9]+" else "none" for key, kind in kinds}
            client = self.as_user(self.owner)
            if client.post(reverse(name, kwargs=arguments)).status_code == 405:
                continue
            seen.add(name)
            if words.is_recorded(name, "POST"):
                self.assertTrue(name in words.acts() or name in PLAIN, f"{name} has no words")
        self.assertGreater(len(seen), 40)
        posted = {name for name in words.acts() if name not in words.TAKEN}
        self.assertEqual(posted - seen, set(), "words for what takes no POST")

    def test_what_is_not_recorded_is_judging_and_reading(self):
        names = {name for name, _ in patterns(get_resolver())}
        unrecorded = {name for name in names if not words.is_recorded(name, "POST")}
        judging = {name for name in unrecorded if name.startswith("judge")}
        reading = {
            *("column-widths", "compared-texts", "own-keys", "reading-settings"),
            *("return", "trial-item"),
        }
        self.assertEqual(unrecorded - judging, reading)


def patterns(resolver):
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            yield each.name, each
        elif not str(each.pattern).startswith("admin/"):
            yield from patterns(each)


class ActsTest(CastTestCase):
    def act(self, **expected):
        (found,) = Act.objects.all()
        for name, value in expected.items():
            self.assertEqual(getattr(found, name), value, name)
        return found

    def test_an_act_of_an_owner(self):
        response = self.post_as(
            self.owner, "campaign-status", self.campaign.pk, data={"status": "paused"}
        )
        act = self.act(
            account="owner", role="owner", act="campaign-status", result=Result.DONE,
            campaign=self.campaign.pk, facts={"status": "paused"}, test_set=None,
            user=self.owner.pk,
        )  # fmt: skip
        self.assertEqual(act.request, response["X-Request-ID"])

    def test_a_refusal(self):
        """A researcher is no owner; an annotator who tries is recorded too, without a name, since
        names of annotators can be erased and rows here cannot."""
        number = f"account {self.annotator_1.pk}"
        for user, role, account in (
            (self.researcher, "researcher", self.researcher.username),
            (self.annotator_1, "annotator", number),
        ):
            response = self.post_as(
                user, "campaign-status", self.campaign.pk, data={"status": "closed"}
            )
            self.assertEqual(response.status_code, 403)
            act = Act.objects.first()
            self.assertEqual((act.account, act.role), (account, role))
            self.assertEqual((act.result, act.campaign), (Result.REFUSED, self.campaign.pk))
        self.assertEqual(Act.objects.count(), 2)

    def test_what_changed_nothing_is_no_act(self):
        self.post_as(self.owner, "member-new", self.campaign.pk, data={"member-username": "none"})
        self.post_as(self.outsider, "campaign-status", self.campaign.pk, data={"status": "open"})
        self.post_as(None, "campaign-status", self.campaign.pk, data={"status": "open"})
        self.assertFalse(Act.objects.exists())

    def test_what_was_made_is_what_the_answer_leads_to(self):
        data = {
            "name": "Made here", "test_set": self.test_set.pk, "outputs_per_item": 3,
            "show_source": "on", "context": "none",
        }  # fmt: skip
        response = self.post_as(self.owner, "campaign-new-preset", "adequacy-fluency", data=data)
        self.assertEqual(response.status_code, 302, response.content.decode()[-3000:])
        made = Campaign.objects.get(name="Made here")
        self.act(act="campaign-new-preset", campaign=made.pk)

    def test_an_act_of_the_api(self):
        sent = {"metrics": [{"metric": "bleu"}]}
        address = reverse("api-metrics", args=[self.test_set.pk])
        self.as_user(self.owner).post(address, sent, content_type="application/json")
        self.assertTrue(ScoringJob.objects.exists())
        self.act(
            act="api-metrics", test_set=self.test_set.pk, role="owner",
            facts={"metrics": '[{"metric": "bleu"}]'},
        )  # fmt: skip

    def test_files_that_leave(self):
        self.get_as(self.researcher, "export-table", self.campaign.pk, "notes")
        self.act(act="export-table", role="researcher", objects_named={"table": "notes"})
        self.get_as(self.researcher, "exports", self.campaign.pk)  # the page takes none
        self.assertEqual(Act.objects.count(), 1)
        self.get_as(self.annotator_1, "export-json", self.campaign.pk)
        self.assertEqual(Act.objects.first().result, Result.REFUSED)

    def test_what_is_only_taken_opens_no_transaction(self):
        """Nor does what is only looked at: in one, no moment of the database could begin."""
        for name in ("campaign-log-file", "campaign-log"):
            client = self.as_user(self.owner)
            with CaptureQueriesContext(connection) as captured:
                client.get(reverse(name, args=[self.campaign.pk]))
            self.assertFalse([query for query in captured if "SAVEPOINT" in query["sql"]], name)

    def test_tokens_and_passwords_are_not_kept(self):
        invitation = Invitation.objects.create(
            campaign=self.campaign, created_by=self.owner, role="researcher"
        )
        self.as_user(self.outsider).post(
            reverse("join", args=[invitation.token]), {"alias": "somebody"}
        )
        act = self.act(act="join", role="researcher", campaign=self.campaign.pk)
        self.assertEqual(act.objects_named, {"token": facts.KEPT_BACK})
        self.client.logout()
        self.client.post(
            reverse("login"), {"username": "owner", "password": factory.PASSWORD}, follow=False
        )
        act = Act.objects.first()
        self.assertEqual((act.act, act.account, act.role), ("login", "owner", "owner"))
        self.assertEqual(act.facts, {})
        everything = str(list(Act.objects.values()))
        self.assertNotIn(invitation.token, everything)
        self.assertNotIn(factory.PASSWORD, everything)

    def test_annotators_own_accounts_are_their_affair(self):
        self.client.post(
            reverse("login"), {"username": "annotator-1", "password": factory.PASSWORD}
        )
        self.client.post(reverse("logout"))
        self.assertFalse(Act.objects.exists())

    def test_judging_is_not_recorded_and_costs_nothing(self):
        client = self.as_user(self.annotator_1)
        address = reverse("judge-item", args=[self.campaign.pk, 1])
        ticket = ticket_in(client.get(address))
        with CaptureQueriesContext(connection) as captured:
            response = client.post(address, answers(3, 3) | {"ticket": ticket})
        self.assertEqual(response.status_code, 302)
        self.assertFalse([q for q in captured if "judgments_act" in q["sql"]])
        self.assertFalse([q for q in captured if "xact_id" in q["sql"]])
        self.assertFalse(Act.objects.exists())

    def test_the_middleware_is_the_last(self):
        """It hears first of what a view raises. In tests it also watches: see `watched_acts`."""
        self.assertEqual(settings.MIDDLEWARE[-1], "tests.watched_acts.WatchedActs")
        self.assertEqual(
            of_the_site.MIDDLEWARE[-1], "judgments.web.audit.middleware.AuditMiddleware"
        )


class AdminActsTest(CastTestCase):
    def setUp(self):
        self.root = factory.make_user("root", is_staff=True, is_superuser=True)

    def test_a_change(self):
        response = self.post_as(
            self.root, "admin:judgments_campaign_change", self.campaign.pk, data={"name": "R. E."}
        )
        self.assertEqual(response.status_code, 302, response.content.decode()[-2000:])
        act = Act.objects.get()
        self.assertEqual((act.role, act.campaign), ("operator", self.campaign.pk))
        self.assertEqual(words.in_words(act.act), "changed: campaign, in the admin")
        self.assertIn("R. E.", act.facts["name"])
        self.assertIn("Changed", act.facts[f"campaign {self.campaign.pk}"])

    def test_a_deletion_names_the_row_that_is_gone(self):
        token, text = api_tokens.create(self.owner, "Script", "read", 1)
        number = token.pk
        address = reverse("admin:judgments_apitoken_delete", args=[number])
        response = self.as_user(self.root).post(address, {"post": "yes"})
        self.assertEqual(response.status_code, 302)
        self.assertFalse(ApiToken.objects.exists())
        act = Act.objects.get()
        self.assertEqual(act.act, "admin:judgments_apitoken_delete")
        self.assertIn(f"apitoken {number}", act.facts)
        self.assertNotIn(text, str(act.facts))

    def test_several_at_once(self):
        tokens = [api_tokens.create(self.owner, f"Script {n}", "read", 1)[0].pk for n in range(2)]
        data = {"action": "delete_selected", "_selected_action": tokens, "post": "yes"}
        self.as_user(self.root).post(reverse("admin:judgments_apitoken_changelist"), data)
        self.assertFalse(ApiToken.objects.exists())
        act = Act.objects.get()
        self.assertEqual({f"apitoken {pk}" for pk in tokens} - set(act.facts), set())

    def test_a_new_account_and_a_password(self):
        client = self.as_user(self.root)
        data = {"username": "zoe", "password1": factory.PASSWORD, "password2": factory.PASSWORD}
        data["usable_password"] = "true"
        client.post(reverse("admin:auth_user_add"), data)
        zoe = get_user_model().objects.get(username="zoe")
        address = reverse("admin:auth_user_password_change", args=[zoe.pk])
        client.post(address, data | {"password1": "dr4ft-other", "password2": "dr4ft-other"})
        names = [act.act for act in Act.objects.order_by("pk")]
        self.assertEqual(names, ["admin:auth_user_add", "admin:auth_user_password_change"])
        self.assertNotIn(factory.PASSWORD, str(list(Act.objects.values())))

    def test_every_part_of_the_admin_records(self):
        request = RequestFactory().get("/")
        request.user = self.root
        every = [each for each in apps.get_models() if admin.site.is_registered(each)]
        self.assertGreater(len(every), 10)
        for each in map(admin.site.get_model_admin, every):
            if any(each.get_model_perms(request)[verb] for verb in ("add", "change", "delete")):
                self.assertIsInstance(each, RecordedAdmin)


class FactsTest(TestCase):
    def facts(self, data, **extra):
        request = RequestFactory().post("/", data, **extra)
        _ = request.POST
        return facts.facts_of(request)

    def test_long_values_are_told_by_their_length(self):
        found = self.facts({"text": MARKER * 100, "note": "short"})
        self.assertEqual(found, {"text": "(1,900 characters)", "note": "short"})

    def test_secrets_are_known_by_their_names(self):
        names = ["password", "old_password", "new_password1", "csrf_token", "token", "API-Secret"]
        for name in [*names, "email"]:
            self.assertEqual(self.facts({name: MARKER}), {name: facts.KEPT_BACK})
        self.assertEqual(self.facts({"csrfmiddlewaretoken": MARKER}), {})

    def test_files_by_name_and_size(self):
        found = self.facts({"file": SimpleUploadedFile("a.tsv", b"x" * 2000), "kind": "z"})
        self.assertEqual(found, {"kind": "z", "file": "a.tsv (2,000 bytes)"})

    def test_many_fields(self):
        found = self.facts({f"f{n}": n for n in range(1000)})
        self.assertEqual(len(found), 31)
        self.assertEqual(found["…"], "970 more fields")

    def test_no_nul_reaches_the_database(self):
        self.assertEqual(self.facts({"a": "x\0y"}), {"a": "xy"})


class TogetherTest(TransactionTestCase):
    """The act and its row are one transaction."""

    def setUp(self):
        self.owner = factory.make_user("owner")
        test_set = factory.make_test_set(self.owner)
        self.campaign = factory.make_campaign(test_set, owner=self.owner)
        factory.make_task(self.campaign)
        self.client.force_login(self.owner)
        self.client.raise_request_exception = False
        self.address = reverse("campaign-status", args=[self.campaign.pk])

    def test_what_cannot_be_recorded_is_not_done(self):
        def refuse(*args, **kwargs):
            raise DatabaseError("no room")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Act, "save", refuse)
            response = self.client.post(self.address, {"status": "closed"})
        self.assertEqual(response.status_code, 503)  # as whenever the database cannot do its work
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, "open")

    def test_what_cannot_be_recorded_is_not_sent(self):
        def refuse(*args, **kwargs):
            raise DatabaseError("no room")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Act, "save", refuse)
            response = self.client.get(reverse("export-observations", args=[self.campaign.pk]))
        self.assertEqual(response.status_code, 503)

    def test_what_failed_half_way_is_taken_back_and_recorded_as_failed(self):
        def fail(self, *args, **kwargs):
            Campaign.objects.filter(pk=self.pk).update(name="Half done")
            raise RuntimeError

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Campaign, "save", fail)
            response = self.client.post(self.address, {"status": "closed"})
        self.assertEqual(response.status_code, 500)
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.name, "Small campaign")
        self.assertEqual(Act.objects.get().result, Result.FAILED)

    def test_an_answer_that_only_says_what_is_wrong_is_no_act(self):
        response = self.client.post(self.address, {"status": "nonsense"})
        self.assertEqual(response.status_code, 302)
        self.assertFalse(Act.objects.exists())
        self.client.post(self.address, {"status": "paused"})
        self.assertEqual(Act.objects.get().facts, {"status": "paused"})

    def test_the_transaction_ends_where_the_act_is_done(self):
        """Nothing is said or drawn in it."""
        seen = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "django.contrib.messages.success",
                lambda *args, **kwargs: seen.append(connection.in_atomic_block),
            )
            self.client.post(self.address, {"status": "paused"})
        self.assertEqual(seen, [False])
        self.assertEqual(Act.objects.get().facts, {"status": "paused"})

    def test_an_act_that_is_written_elsewhere_is_caught(self):
        """By the gate that all tests of pages have."""
        self.client.raise_request_exception = True
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "judgments.plans.campaigns.views.acting", lambda request: contextlib.nullcontext()
            )
            with self.assertRaisesMessage(AssertionError, "writes outside of an act"):
                self.client.post(self.address, {"status": "paused"})
        (violation,) = watched_acts.violations
        self.assertIn("campaign-status writes outside of an act: UPDATE", violation)
        watched_acts.violations.clear()

    def test_what_writes(self):
        for sql in (
            'UPDATE "judgments_campaign" SET x',
            "WITH t AS (SELECT 1) UPDATE judgments_campaign SET x",
            "SELECT judgments_erase(1)",
            "\n INSERT INTO judgments_note VALUES (1) ON CONFLICT DO UPDATE SET x = 1",
        ):
            self.assertTrue(watched_acts.writes(sql), sql)
        for sql in (
            "SELECT 1 FROM judgments_campaign FOR UPDATE OF judgments_campaign",
            "SELECT 1 FROM judgments_campaign FOR NO KEY UPDATE",
            "INSERT INTO judgments_attempts VALUES (1)",
            'UPDATE "judgments_apitoken" SET "last_used_at" = 1',
        ):
            self.assertFalse(watched_acts.writes(sql), sql)

    def test_a_file_that_is_asked_for_is_one_act(self):
        self.client.post(reverse("export-json", args=[self.campaign.pk]))
        act = Act.objects.get()
        self.assertEqual((act.act, act.campaign), ("export-json", self.campaign.pk))

    def test_what_was_written(self):
        with transaction.atomic():
            self.assertFalse(acting.what_was_written({})[0])
            list(Item.objects.all())
            self.assertFalse(acting.what_was_written({})[0])
            Campaign.objects.update(name="Other")
            self.assertTrue(acting.what_was_written({})[0])


class KeptTest(TransactionTestCase):
    def test_the_database_refuses_changes(self):
        act = Act.objects.create(account="a", role="owner", act="login", result="done")
        for change in (
            lambda: Act.objects.filter(pk=act.pk).update(account="b"),
            lambda: Act.objects.all()._raw_delete("default"),
            lambda: Act.objects.filter(pk=-1).update(account="b"),
            truncate,
        ):
            with (
                self.assertRaisesMessage(DatabaseError, "are only ever added"),
                transaction.atomic(),
            ):
                change()
        self.assertEqual(Act.objects.get().account, "a")


def truncate():
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE judgments_act")
