"""The page that takes a file of judgments."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.utils import override_settings
from django.urls import reverse

from judgments.models import Judgment, Membership
from tests.base import CastTestCase

RATINGS = "annotator\tsegment\tsystem\tdimension\tvalue\n"
GOOD = "ann\t1\tSystem-A\tadequacy\t4\n"


class ImportTests(CastTestCase):
    def post(self, content, user=None, campaign=None, name="r.tsv"):
        file = SimpleUploadedFile(name, content.encode())
        return self.post_as(
            user or self.owner,
            "import-judgments",
            (campaign or self.campaign).pk,
            data={"file": file},
        )

    def assert_shown(self, response, sentence):
        self.assertContains(response, sentence, status_code=422)
        self.assertFalse(Judgment.objects.exists())

    def test_only_owners_import(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("import-judgments", self.campaign.pk, users=users, method=method)
        for user in (self.outsider, self.annotator_1, self.researcher):
            self.post(RATINGS + GOOD, user=user)
        self.assertFalse(Judgment.objects.exists())

    def test_the_page_names_columns_scales_and_limits(self):
        response = self.get_as(self.owner, "import-judgments", self.campaign.pk)
        for words in ("<code>dimension</code>", "<code>fluency</code> from 1 to 5", "250,000 rows"):
            self.assertContains(response, words)
        response = self.get_as(self.owner, "import-judgments", self.pairwise.pk)
        self.assertContains(response, "<code>system_a</code>")

    def test_a_good_file(self):
        response = self.post(RATINGS + GOOD)
        self.assertRedirects(response, reverse("campaign", args=[self.campaign.pk]))
        judgment = Judgment.objects.get()
        membership = Membership.objects.get(campaign=self.campaign, user=judgment.annotator)
        self.assertEqual(membership.alias, "ann")

    def test_a_bad_row(self):
        response = self.post(RATINGS + GOOD + "ann\t1\tSystem-A\tfluency\t<b>\n")
        self.assert_shown(
            response,
            "Nothing was imported. r.tsv, row 3, column value: “&lt;b&gt;” is not a number.",
        )
        self.assertFalse(Membership.objects.filter(alias="ann").exists())

    def test_bad_rows_are_left_out_where_that_is_chosen(self):
        rows = [f"ann\t{n}\tSystem-A\tadequacy\t4\n" for n in (1, 2)] * 60
        rows = [f"a{n}\t" + row.split("\t", 1)[1] for n, row in enumerate(rows)]
        content = RATINGS + "".join(rows) + "ann\t1\tSystem-A\tadequacy\t9\n"
        self.assert_shown(self.post(content), "row 122, column value")
        file = SimpleUploadedFile("r.tsv", content.encode())
        data = {"file": file, "leave_out": "on"}
        self.post_as(self.owner, "import-judgments", self.campaign.pk, data=data)
        self.assertEqual(Judgment.objects.count(), 120)
        page = self.get_as(self.owner, "campaign", self.campaign.pk)
        self.assertContains(page, "1 row could not be read and was left out")
        self.assertContains(
            self.get_as(self.owner, "scores", self.campaign.pk), "1 row of the release was left out"
        )
        file = self.get_as(self.owner, "export-file", self.campaign.pk, "yaml")
        self.assertNotContains(file, "left_out")  # it holds no judgments

    def test_several_bad_rows(self):
        bad = "ann\t1\tSystem-A\tfluency\t9\n"
        response = self.post(RATINGS + GOOD + bad + bad)
        self.assert_shown(response, "There is 1 more problem.")

    def test_the_same_file_twice(self):
        self.post(RATINGS + GOOD)
        response = self.post(RATINGS + GOOD)
        self.assertContains(response, "was the file imported before?", status_code=422)
        self.assertEqual(Judgment.objects.count(), 1)

    def test_no_file_another_kind_of_file_and_too_large_a_file(self):
        response = self.post_as(self.owner, "import-judgments", self.campaign.pk)
        self.assert_shown(response, "This field is required")
        self.assert_shown(self.post("x", name="r.xlsx"), "should end in .tsv")
        self.assert_shown(self.post(RATINGS + GOOD, campaign=self.pairwise), "column system_a")
        with override_settings(MAX_UPLOAD_BYTES=10):
            self.assert_shown(self.post(RATINGS + GOOD), "this site accepts")
