"""A project from a file: its matrix of campaigns, links, and what is wrong, all reported at
once."""

import csv
import io
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from judgments.exchange.campaign_files.loader import document_of
from judgments.exchange.project_files.loader import create_project
from judgments.models import Act, Campaign, Invitation, Project, Role, TestSet
from judgments.people.staffing.settings import staffing_of
from tests import factory
from tests.base import CastTestCase

FILE = """name: Shared task
address: task
campaigns:
  plan: {seats: 1}
  staffing:
    consent: {texts: {en: I take part.}}
    pay: {per: hour, amount: '15.00', currency: EUR}
  quality_rule: {text: Be careful., seconds_per_word: 0.2}
  status: open
pairs:
  - Small set
  - texts:
      name: Two
      source_language: en
      target_language: cs
      rows:
        - {document: a, source: Eins, "system:A": One, "system:B": Ones}
        - {document: a, source: Zwei, "system:A": Two, "system:B": Too}
    plan: {seats: 2}
protocols:
  - preset: pairwise
  - {preset: esa, options: {outputs_per_item: 1}}
rounds:
  - {}
  - {instructions: Once more.}
links: {for_each_pair: 3}
"""


class ProjectFilesTest(CastTestCase):
    def bring(self, text=FILE, user=None):
        files = {"file": SimpleUploadedFile("project.yaml", text.encode())}
        return self.post_as(user or self.owner, "project-from-file", data=files)

    def assert_refused_with(self, text, *words):
        before = Campaign.objects.count(), TestSet.objects.count()
        response = self.bring(text)
        for each in words:
            self.assertContains(response, each, status_code=422)
        self.assertEqual((Campaign.objects.count(), TestSet.objects.count()), before)
        self.assertFalse(Project.objects.exists())
        return response

    def test_refused_to_others(self):
        for user in (self.outsider, self.researcher):
            self.assertEqual(self.bring(user=user).status_code, 403)

    def test_a_campaign_for_each_pair_protocol_and_round(self):
        self.assertRedirects(self.bring(), reverse("project-watch", args=["task"]))
        project = Project.objects.get()
        self.assertEqual((project.name, project.owner), ("Shared task", self.owner))
        joined = [
            (each.campaign.name, each.round)
            for each in project.joined.select_related("campaign").order_by("pk")
        ]
        expected = [
            (f"Shared task, {texts}, {protocol}, round {n}", n)
            for texts in ("Small set", "Two")
            for protocol in ("pairwise", "esa")
            for n in (1, 2)
        ]
        self.assertEqual(joined, expected)
        self.assertTrue(Act.objects.filter(act="project-from-file").exists())

    def test_what_is_common_and_what_differs(self):
        self.bring()
        for campaign in Project.objects.get().campaigns.all():
            self.assertEqual(staffing_of(campaign).consent, {"en": "I take part."})
            self.assertEqual(staffing_of(campaign).pay.currency, "EUR")
            self.assertEqual(campaign.quality_rules.get().seconds_per_word, 0.2)
            self.assertTrue(campaign.is_open)
            seats = set(campaign.tasks.values_list("seat", flat=True))
            self.assertEqual(seats, {1, 2} if campaign.test_set.name == "Two" else {1})
            is_second = campaign.joined.get().round == 2
            self.assertEqual(campaign.instructions == {"en": "Once more."}, is_second)

    def test_texts_that_campaigns_share_come_in_once(self):
        self.bring()
        two = TestSet.objects.get(name="Two")
        self.assertEqual((two.campaigns.count(), two.segments.count()), (4, 2))

    def test_as_a_file_and_made_again(self):
        self.bring()
        first = Project.objects.get()
        for kind in ("yaml", "json"):
            text = self.get_as(self.owner, "project-as-file", "task", kind).content.decode()
            copy = re.sub(r'("?address"?: "?)task', rf"\1next-{kind}", text)
            again = create_project(copy, self.owner, name=f"project.{kind}")
            self.assertEqual(
                [(each.round, document_of(each.campaign)) for each in again.joined.all()],
                [(each.round, document_of(each.campaign)) for each in first.joined.all()],
            )
        common = yaml.safe_load(self.get_as(self.owner, "project-as-file", "task", "yaml").content)
        self.assertEqual(set(common["campaigns"]), {"staffing", "people", "quality_rule", "status"})

    def test_as_a_file_for_whoever_runs_all_of_it(self):
        self.bring()
        for user in (self.outsider, self.researcher):
            self.assertEqual(self.get_as(user, "project-as-file", "task", "yaml").status_code, 404)
        self.assertEqual(self.get_as(self.owner, "project-as-file", "task", "xml").status_code, 404)
        Project.objects.get().campaigns.first().memberships.update(role=Role.RESEARCHER)
        self.assertEqual(
            self.get_as(self.owner, "project-as-file", "task", "yaml").status_code, 403
        )

    def test_links_for_each_pair_as_one_table(self):
        self.bring()
        response = self.get_as(self.owner, "project-links-file", "task")
        rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
        pairs = [row["pairs"] for row in rows]
        self.assertEqual(sorted(pairs), ["de-en"] * 3 + ["en-cs"] * 3)
        self.assertEqual(len({row["link"] for row in rows}), 6)
        self.assertFalse(Invitation.objects.filter(campaign__projects__slug="task").exists())
        joined = self.client_of_guest().post(rows[0]["link"], {"alias": "Ann"})
        self.assertEqual(joined.status_code, 302)

    def client_of_guest(self):
        self.client.logout()
        return self.client

    def test_faults_of_the_common_part_are_told_once_with_their_line(self):
        text = FILE.replace("plan: {seats: 1}", "plan: {seets: 1}").replace("name: Two", "name: ''")
        response = self.assert_refused_with(text, "line 4, plan.seets", "line 13, texts.name")
        self.assertContains(response, "plan.seets", status_code=422, count=1)

    def test_other_faults(self):
        for text, words in (
            (FILE.replace("- Small set", "- Large set"), "line 11, texts: there is no test set"),
            (FILE.replace("preset: pairwise", "preset: pairs"), "line 21, preset: “pairs” is not"),
            (FILE.replace("for_each_pair: 3", "for_each_pair: 0"), "links.for_each_pair: 0 is not"),
            (
                FILE.replace("address: task", "address: join"),
                "line 2, address: “join” is a reserved addr",
            ),
            (FILE.replace("seats: 2}", "seats: 2, systems: [C]}"), "Shared task, Two, pairwise"),
            (FILE.replace("rounds:", "circles:"), "circles: this is not known here"),
            ("name: No pairs\n", "“pairs” is missing."),
            ("- a list\n", "mapping"),
            (
                FILE.replace("  - {}\n", "  - {}\n" * 49).replace(
                    "pairs:", "pairs:\n  - Small set"
                ),
                "these are 300 campaigns",
            ),
        ):
            with self.subTest(words):
                self.assert_refused_with(text, words)

    def test_an_address_that_is_taken(self):
        self.bring()
        self.assertContains(self.bring(), "line 2, address", status_code=422)
        self.assertEqual(Project.objects.count(), 1)

    def test_the_command(self):
        texts = factory.make_test_set(self.owner, name="More")
        with TemporaryDirectory() as folder:
            path = Path(folder) / "task.yaml"
            path.write_text(f"name: Task\npairs: [{texts.name}]\nprotocols: [{{preset: esa}}]\n")
            said = io.StringIO()
            call_command(
                "create_project_from_file", str(path), owner=self.owner.username, stdout=said
            )
            self.assertIn("Task: 1 campaign, 0 items.", said.getvalue())
            with self.assertRaises(CommandError):
                call_command(
                    "create_project_from_file",
                    str(path),
                    owner=self.owner.username,
                    stderr=io.StringIO(),
                )
