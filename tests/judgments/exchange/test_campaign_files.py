"""The page New campaign from a file, the download, the schema, and the same by the API."""

import json

import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.models import Act, Campaign, Role
from tests.base import CastTestCase

FILE = "name: From a file\ntexts: Small set\npreset: pairwise\nplan: {}\nstatus: open\n"
TABLE = "segment\tdocument\tsource\tsystem:A\tsystem:B\n1\td\tGuten Tag.\tGood day.\tDay.\n"


class CampaignFiles(CastTestCase):
    def bring(self, text, *, user=None, several=(), name="campaign.yaml"):
        files = {"file": SimpleUploadedFile(name, text.encode())}
        if several:
            files["several"] = several
        return self.post_as(user or self.owner, "campaign-from-file", data=files)

    def test_a_file_makes_a_campaign_of_its_owner(self):
        response = self.bring(FILE)
        campaign = Campaign.objects.get(name="From a file")
        self.assertRedirects(response, campaign.get_absolute_url())
        self.assertTrue(campaign.is_open)
        self.assertEqual(campaign.memberships.get().user, self.owner)
        self.assertEqual(campaign.memberships.get().role, Role.OWNER)
        self.assertTrue(Act.objects.filter(act="campaign-from-file").exists())

    def test_files_of_texts_come_with_it(self):
        text = FILE.replace("texts: Small set", "texts: {files: [t.tsv], source_language: de, "
                            "target_language: en, name: Imported}")  # fmt: skip
        response = self.bring(text, several=[SimpleUploadedFile("t.tsv", TABLE.encode())])
        self.assertEqual(response.status_code, 302, response.content.decode())
        self.assertEqual(Campaign.objects.get(name="From a file").test_set.name, "Imported")

    def test_faults_are_shown_with_their_lines_and_escaped(self):
        response = self.bring(FILE.replace("pairwise", "<b>"))
        self.assertContains(response, "line 3, preset: “&lt;b&gt;” is not known", status_code=422)
        self.assertFalse(Campaign.objects.filter(name="From a file").exists())

    def test_files_lead_nowhere_else(self):
        for path in ("/etc/passwd", "../../etc/passwd", "..\\\\x"):
            text = FILE.replace("texts: Small set", f'texts: {{files: ["{path}"]}}')
            response = self.bring(text)
            self.assertContains(response, "would be outside its folder", status_code=422)

    def test_the_number_of_a_test_set_may_be_written_with_a_point(self):
        self.bring(FILE.replace("Small set", f"{self.campaign.test_set_id}.0"))
        made = Campaign.objects.get(name="From a file")
        self.assertEqual(made.test_set_id, self.campaign.test_set_id)
        response = self.bring(FILE.replace("Small set", "1e14"))
        self.assertContains(response, "there is no test set", status_code=422)

    def test_paths_that_no_folder_holds_are_said(self):
        deep = "a/" * 3000 + "b"
        response = self.bring(FILE.replace("texts: Small set", f"texts: {{files: [{deep}]}}"))
        self.assertContains(response, "too long", status_code=422)
        # A file, and another that lies in it.
        files = {
            "file": SimpleUploadedFile("campaign.yaml", FILE.encode()),
            "several": [SimpleUploadedFile("t", b"1")],
            "folder": [SimpleUploadedFile("x.tsv", TABLE.encode())],
            "paths": json.dumps(["t/x.tsv"]),
        }
        for more in ({}, {"several": [], "folder": files["folder"], "paths": json.dumps([deep])}):
            response = self.post_as(self.owner, "campaign-from-file", data=files | more)
            self.assertEqual(response.status_code, 422)
        self.assertFalse(Campaign.objects.filter(name="From a file").exists())

    def test_only_who_may_make_campaigns_comes_here(self):
        self.assert_refused(
            "campaign-from-file", users={None: 302, self.outsider: 403, self.researcher: 403}
        )
        self.assertContains(self.get_as(self.owner, "campaign-new"), "From a file")

    def test_only_owners_download_the_file(self):
        self.assert_refused("export-file", self.campaign.pk, "yaml",
            users={None: 302, self.outsider: 404, self.researcher: 403})  # fmt: skip
        response = self.get_as(self.owner, "export-file", self.campaign.pk, "yaml")
        said = yaml.safe_load(response.content)
        self.assertEqual((said["preset"], said["texts"]), ("adequacy-fluency", "Small set"))
        self.assertIn("small-campaign.yaml", response["Content-Disposition"])
        self.assertEqual(self.bring(response.content.decode()).status_code, 302)
        as_json = self.get_as(self.owner, "export-file", self.campaign.pk, "json")
        self.assertEqual(json.loads(as_json.content), said)
        none = self.get_as(self.owner, "export-file", self.campaign.pk, "exe")
        self.assertEqual(none.status_code, 404)
        page = self.get_as(self.owner, "exports", self.campaign.pk)
        self.assertContains(page, reverse("export-file", args=[self.campaign.pk, "yaml"]))
        page = self.get_as(self.researcher, "exports", self.campaign.pk)
        self.assertNotContains(page, reverse("export-file", args=[self.campaign.pk, "yaml"]))

    def test_what_no_file_can_say_is_refused_in_words(self):
        Campaign.objects.filter(pk=self.campaign.pk).update(preset="released-errors",
                                                            protocol="spans")  # fmt: skip
        for name, extra in (("export-file", ["yaml"]), ("api-campaign-file", [])):
            response = self.get_as(self.owner, name, self.campaign.pk, *extra)
            self.assertContains(response, "its judgments were imported", status_code=400)

    def test_the_schema_is_open_to_editors(self):
        found = self.get_as(None, "campaign-schema").json()
        self.assertEqual(found["required"], ["name", "texts", "preset"])

    def api(self, content, kind, user=None):
        client = self.as_user(user or self.owner)
        return client.post(reverse("api-campaign-from-file"), content, content_type=kind)

    def test_programs_make_campaigns_and_take_their_files(self):
        response = self.api(FILE, "application/yaml")
        self.assertEqual(response.status_code, 201, response.content)
        number = response.json()["id"]
        said = self.get_as(self.owner, "api-campaign-file", number).json()
        self.assertEqual((said["name"], said["plan"]), ("From a file", {}))
        again = self.api(json.dumps(said), "application/json")
        self.assertEqual(again.status_code, 201, again.content)
        self.assertEqual(
            self.get_as(self.researcher, "api-campaign-file", self.campaign.pk).status_code, 403
        )

    def test_programs_are_told_all_faults(self):
        text = (
            '{\n "name": "x",\n "texts": {"files": ["/etc/passwd"]},\n "preset": "mqm",\n "a": 1}'
        )
        response = self.api(text, "application/json")
        self.assertEqual(response.status_code, 400)
        faults = response.json()["faults"]
        self.assertEqual([(f["line"], f["path"]) for f in faults], [(3, "texts.files.1"), (5, "a")])
        self.assertEqual(self.api(FILE, "application/yaml", self.researcher).status_code, 403)
        self.assertEqual(self.api(FILE, "text/plain").status_code, 415)
