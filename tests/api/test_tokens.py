"""Tokens of programs: what they open, and what they never do."""

import re
import shlex
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.models import ApiToken, Item, Project
from judgments.people.tokens import tokens as api_tokens
from judgments.results.selection.api import SelectionQuery
from metrics.models import ScoringJob
from tests import factory
from tests.base import CastTestCase
from tests.shared import ROOT

ASKED = {"metrics": [{"metric": "ter"}]}


class TokenTestCase(CastTestCase):
    def token(self, user, scope="read", name="script"):
        return api_tokens.create(user, name, scope, days=30)[1]

    def by_token(self, text, name, *args, data=None, **headers):
        client = Client(enforce_csrf_checks=True)
        address = reverse(name, args=args)
        headers = {"authorization": f"Bearer {text}", **headers}
        if data is None:
            return client.get(address, headers=headers)
        return client.post(address, data, content_type="application/json", headers=headers)


class TokenAccessTests(TokenTestCase):
    def test_a_token_gives_what_the_role_gives(self):
        expected = {self.owner: 200, self.researcher: 200}
        expected |= {self.annotator_1: 403, self.outsider: 404}
        for user, status in expected.items():
            for scope in ("read", "write"):
                text = self.token(user, scope, name=scope)
                response = self.by_token(text, "api-scores", self.campaign.pk)
                self.assertEqual(response.status_code, status, f"{user} {scope}")

    def test_reading_and_writing(self):
        read, write = self.token(self.owner), self.token(self.owner, "write", name="other")
        start = ("api-metrics", self.test_set.pk)
        refused = self.by_token(read, *start, data=ASKED)
        self.assertEqual(refused.status_code, 403)
        self.assertIn("This token may only read", refused.json()["detail"])
        self.assertFalse(ScoringJob.objects.exists())
        self.assertEqual(self.by_token(write, *start, data=ASKED).status_code, 201)
        researcher = self.token(self.researcher, "write")
        self.assertEqual(self.by_token(researcher, *start, data=ASKED).status_code, 403)

    def test_who_loses_the_role_loses_it_with_the_token(self):
        text = self.token(self.researcher)
        self.campaign.memberships.filter(user=self.researcher).delete()
        self.assertEqual(self.by_token(text, "api-campaign", self.campaign.pk).status_code, 404)
        self.researcher.is_active = False
        self.researcher.save()
        self.assertEqual(self.by_token(text, "api-campaigns").status_code, 401)

    def test_what_opens_nothing(self):
        text = self.token(self.owner)
        stored = ApiToken.objects.get()
        for wrong in ("", "x", text[:-1], text + "x", text.upper(), stored.digest, "'; --", "é"):
            response = self.by_token(wrong, "api-campaigns")
            self.assertEqual(response.status_code, 401, wrong)
            self.assertIn("Bearer", response["WWW-Authenticate"])
            self.assertIn("not known", response.json()["detail"])
        ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        self.assertEqual(self.by_token(text, "api-campaigns").status_code, 401)

    def test_pages_take_no_token(self):
        text = self.token(self.owner, "write")
        for name in ("tokens", "account", "campaigns"):
            self.assertEqual(self.by_token(text, name).status_code, 302, name)

    def test_a_wrong_token_counts_and_a_right_one_is_never_closed_out(self):
        text = self.token(self.owner)
        statuses = [self.by_token("wrong", "api-campaigns").status_code for _ in range(31)]
        self.assertEqual(statuses, [401] * 30 + [429])
        refused = self.by_token("wrong", "api-campaigns")
        self.assertLessEqual(int(refused["Retry-After"]), 900)
        self.assertEqual(self.by_token(text, "api-campaigns").status_code, 200)

    def test_the_token_goes_before_the_session(self):
        client = Client()
        client.force_login(self.owner)
        text = self.token(self.outsider)
        address = reverse("api-campaign", args=[self.campaign.pk])
        self.assertEqual(client.get(address).status_code, 200)
        headers = {"authorization": f"Bearer {text}"}
        self.assertEqual(client.get(address, headers=headers).status_code, 404)

    def test_the_last_use_is_noted_to_the_minute(self):
        text = self.token(self.owner)
        self.by_token(text, "api-campaigns")
        first = ApiToken.objects.get().last_used_at
        self.assertLess(timezone.now() - first, timedelta(minutes=1))
        self.by_token(text, "api-campaigns")
        self.assertEqual(ApiToken.objects.get().last_used_at, first, "no write for each request")
        ApiToken.objects.update(last_used_at=first - timedelta(hours=1))
        self.by_token(text, "api-campaigns")
        self.assertGreater(ApiToken.objects.get().last_used_at, first)

    def test_the_schema_tells_how(self):
        schema = self.get_as(self.owner, "api-schema", data={"format": "json"}).json()
        scheme = schema["components"]["securitySchemes"]["token"]
        self.assertEqual((scheme["type"], scheme["scheme"]), ("http", "bearer"))
        for path, operations in schema["paths"].items():
            for operation in operations.values():
                self.assertIn({"token": []}, operation["security"], path)
                self.assertLessEqual({"401", "403", "429"}, set(operation["responses"]), path)


class TokenPageTests(TokenTestCase):
    FORM = {"name": "nightly export", "scope": "read", "days": "90"}

    def test_who_is_signed_out_is_sent_to_sign_in(self):
        for name, arguments, act in (
            ("tokens", [], self.get_as),
            ("tokens", [], self.post_as),
            ("token-revoke", [1], self.post_as),
        ):
            self.assertIn("/sign-in/", act(None, name, *arguments)["Location"])
        self.assert_post_only("token-revoke", 1)

    def test_the_token_is_shown_once_and_stored_as_a_digest(self):
        response = self.post_as(self.researcher, "tokens", data=self.FORM)
        text = response.context["text"]
        self.assertRegex(text, r"^mteval_[\w-]{43}$")
        self.assertContains(response, text, count=1)
        self.assertIn("no-store", response["Cache-Control"])
        self.assertEqual(self.by_token(text, "api-campaigns").status_code, 200)
        self.assertNotContains(self.client.get(reverse("tokens")), text)
        row = ApiToken.objects.values().get()
        self.assertNotIn(text, str(row))
        self.assertNotIn(text.removeprefix("mteval_"), str(row))
        lasts = row["expires_at"] - row["created_at"]
        self.assertLess(abs(lasts - timedelta(days=90)), timedelta(minutes=1))

    def test_errors_are_told_in_words(self):
        self.post_as(self.owner, "tokens", data=self.FORM)
        for changed, said in (
            ({}, "You already have a token with this name."),
            ({"name": ""}, "Name: This field is required."),
            ({"name": "other", "scope": "all"}, "Select a valid choice"),
            ({"name": "other", "days": "100000"}, "Select a valid choice"),
            ({"name": "x" * 61}, "at most 60 characters"),
        ):
            response = self.post_as(self.owner, "tokens", data=self.FORM | changed)
            self.assertContains(response, said, status_code=422)
        self.assertEqual(ApiToken.objects.count(), 1)

    def test_at_most_twenty(self):
        for n in range(20):
            self.token(self.owner, name=str(n))
        response = self.post_as(self.owner, "tokens", data=self.FORM)
        self.assertContains(response, "You have 20 tokens.", status_code=422)

    def test_revoking(self):
        text = self.token(self.owner)
        token = ApiToken.objects.get()
        for user in (self.researcher, self.outsider):
            self.assertEqual(self.post_as(user, "token-revoke", token.pk).status_code, 404)
        self.assertNotContains(self.get_as(self.outsider, "tokens"), "> script<")
        self.assertContains(self.get_as(self.owner, "tokens"), "> script</span></button>")
        response = self.post_as(self.owner, "token-revoke", token.pk)
        self.assertRedirects(response, reverse("tokens"))
        self.assertEqual(self.by_token(text, "api-campaigns").status_code, 401)

    def test_the_operator_can_forget_attempts(self):
        for _ in range(31):
            self.by_token("wrong", "api-campaigns")
        self.assertEqual(self.by_token("wrong", "api-campaigns").status_code, 429)
        call_command("forget_attempts", verbosity=0)
        self.assertEqual(self.by_token("wrong", "api-campaigns").status_code, 401)


@pytest.mark.django_db(transaction=True)
def test_the_program_in_the_guide_runs(live_server, monkeypatch, capsys):
    owner = factory.make_user("owner", is_staff=True)
    annotator = factory.make_user("annotator")
    people = {"owner": owner, "annotators": [annotator]}
    campaign = factory.make_campaign(factory.make_test_set(owner), **people)
    factory.make_task(campaign, annotator)
    for item in Item.objects.all():
        factory.judge(item, {"adequacy": [5.0, 3.0, 1.0], "fluency": [4.0, 4.0, 4.0]})
    guide = (ROOT / "docs" / "api.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(programs) == 2
    monkeypatch.setenv("MTEVAL_SITE", live_server.url)
    monkeypatch.setenv("MTEVAL_TOKEN", api_tokens.create(owner, "guide", "read", 30)[1])
    names: dict = {}
    exec(compile("\n".join(programs), "docs/api.md", "exec"), names)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[:2] for line in lines[:3]] == [
        ["Small campaign", f"System-{letter}"] for letter in "ABC"
    ]
    assert [float(line.split("\t")[2]) for line in lines[:3]] == [5.0, 3.0, 1.0]
    n = len(names["segments"])
    assert n > 1 and names["values"].tolist() == [[5.0] * n, [3.0] * n, [1.0] * n]
    shares = [100, 0, 0]
    assert lines[3:] == [
        f"System-{letter} best on {share}% of {n} segments"
        for letter, share in zip("ABC", shares, strict=True)
    ]


def test_the_commands_in_the_guide_are_answered(client, db):
    """Every line that calls `api`, with what is sent."""
    owner = factory.make_user("owner", is_staff=True)
    annotators = [factory.make_user("ada"), factory.make_user("ben")]
    test_set = factory.make_test_set(owner)
    test_set.documents.update(domain="news")
    campaign = factory.make_campaign(test_set, owner=owner, annotators=annotators)
    for seat, annotator in enumerate(annotators, 1):
        campaign.memberships.filter(user=annotator).update(alias=f"annotator-{seat}")
        factory.make_task(campaign, annotator, seat=seat)
    for item in Item.objects.all():
        factory.judge(item, {"adequacy": [5.0, 3.0, 1.0], "fluency": [4.0, 4.0, 4.0]})
    token = api_tokens.create(owner, "guide", "write", 30)[1]
    project = Project.objects.create(name="WMT23", slug="wmt23", owner=owner)
    project.campaigns.add(campaign)
    others = [factory.make_campaign(test_set, owner=owner) for _ in range(2)]
    numbers = {str(n): str(each.pk) for n, each in enumerate([campaign, *others], 1)}
    guide = (ROOT / "docs" / "api.md").read_text()
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", guide, re.DOTALL)).replace("\\\n", " ")
    commands = [line for line in blocks.splitlines() if line.startswith("api ")]
    assert len(commands) > 12
    for command in commands:
        words = shlex.split(command.partition(" >")[0])
        (address,) = [word for word in words if word.startswith("$")]
        path = address.replace("$CAMPAIGN", f"/api/campaigns/{campaign.pk}").replace("$SITE", "")
        path = path.replace("$PROJECT", "/api/projects/wmt23").replace("ONLINE-W", "System-A")
        headers = {"authorization": f"Bearer {token}"}
        if "-d" in words:
            body = words[words.index("-d") + 1]
            if "/projects/" in path:  # campaigns by their numbers
                body = re.sub(r"\b[123]\b", lambda found: numbers[found[0]], body)
            answer = client.post(path, body, content_type="application/json", headers=headers)
        else:
            answer = client.get(path, headers=headers)
        assert answer.status_code in (200, 201), (command, answer.content)


def test_the_guide_names_every_filter():
    guide = (ROOT / "docs" / "api.md").read_text()
    section = guide.partition("## Filters")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", re.sub("`(kept|all|in)`", "", section)))
    assert named - {"selection"} == set(SelectionQuery().fields)
