"""The page Import: uploaded → reviewed → stored, each at an address of its own."""

import gzip
import json
from dataclasses import replace
from datetime import timedelta
from unittest import mock

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.exchange.releases import from_database, uploads
from judgments.exchange.releases import import_views as views
from judgments.exchange.releases.records import JudgedScreen, JudgmentsPart, Problems, Release
from judgments.exchange.releases.tasks import forget_upload
from judgments.exchange.releases.writing import NothingImported, write
from judgments.models import Campaign, ErrorSpan, JobStatus, System, TestSet, Upload, UploadPiece
from judgments.results.selection.selection import Selection
from judgments.test_sets.media.tasks import sweep_media
from tests.base import CastTestCase
from tests.shared import shared_data

TEXTS = {
    "news/source.txt": b"eins\nzwei\n",
    "news/refA.txt": b"one\ntwo\n",
    "news/X.txt": b"one!\ntwo!\n",
}
LANGUAGES = {"source-language": "de", "target-language": "en"}


def files(texts):
    return [SimpleUploadedFile(path.rpartition("/")[2], text) for path, text in texts.items()]


class ImportTestCase(CastTestCase):
    def bring(self, texts=TEXTS, **extra):
        """Upload a folder as a browser does: names in the files, paths in addition."""
        data = {"folder": files(texts), "paths": json.dumps(list(texts)), **extra}
        self.response = self.as_user(self.owner).post(reverse("import"), data)
        return Upload.objects.latest("pk") if self.response.status_code == 302 else None

    def upload_file(self, name, content):
        data = {"several": [SimpleUploadedFile(name, content)]}
        self.response = self.as_user(self.owner).post(reverse("import"), data)
        return Upload.objects.latest("pk")

    def page(self, upload):
        return self.as_user(self.owner).get(reverse("import-found", args=[upload.pk]))

    def answer(self, upload, act="import", **answers):
        """As the form of the page has it, with some answers changed."""
        form = self.page(upload).context["form"]
        named = {name: field for field, name in form.names.items()}
        data = {field: form[field].initial or "" for field in form.fields}
        data |= {named[name]: value for name, value in answers.items() if name in named}
        data |= {name: value for name, value in answers.items() if name == "test_set"}
        address = reverse("import-answer", args=[upload.pk])
        self.response = self.as_user(self.owner).post(address, {**data, "act": act})
        upload.refresh_from_db()


class FolderTest(ImportTestCase):
    def test_a_folder_is_looked_at_then_stored(self):
        upload = self.bring()
        before = TestSet.objects.count()
        self.assertTrue(upload.is_reviewed)
        page = self.page(upload)
        self.assertContains(page, "Missing information")
        self.assertNotContains(page, 'value="import"')  # before the languages are said
        self.answer(upload, "look", **LANGUAGES)
        page = self.page(upload)
        self.assertContains(
            page,
            "2 segments in 1 document with 1 reference and 2 outputs of 1 system, de-en",
        )
        self.assertContains(page, "refA: one")
        self.assertContains(page, "Is this right?")  # nothing is asked any more
        self.assertEqual(TestSet.objects.count(), before)
        self.answer(upload, **{"test-set-1": "News of today"})
        self.assertTrue(upload.is_imported)
        found = TestSet.objects.get(name="News of today")
        self.assertEqual(found.owner, self.owner)
        self.assertEqual([s.name for s in System.objects.filter(test_set=found)], ["X"])
        self.assertFalse(UploadPiece.objects.filter(upload=upload).exists())
        self.assertRedirects(self.page(upload), reverse("import-done", args=[upload.pk]))
        done = self.as_user(self.owner).get(reverse("import-done", args=[upload.pk]))
        self.assertContains(done, f"Test set {found.pk}, News of today: 2 segments, 1 system.")
        link = f'<li>Test set <a href="{found.get_absolute_url()}">News of today</a></li>'
        self.assertContains(done, link, html=True)

    def test_what_was_brought_is_listed_by_its_first_file(self):
        self.bring()
        self.upload_file("one.de-en.jsonl", b'{"src": "a", "refs": {"r": "b"}}\n')
        page = self.as_user(self.owner).get(reverse("import"))
        self.assertContains(page, "news/source.txt and 2 more</a>")
        self.assertContains(page, "one.de-en.jsonl</a>")
        self.answer(Upload.objects.latest("pk"))
        self.assertContains(self.as_user(self.owner).get(reverse("import")), "1 file</a>")

    def test_without_scripts_files_have_their_names_alone(self):
        upload = self.bring(paths="")
        self.assertEqual(upload.pieces.first().path, "source.txt")
        self.assertTrue(upload.is_reviewed)

    def test_a_path_cannot_lead_elsewhere(self):
        for path in ("../x.txt", "/etc/x.txt", "a/../../x.txt", "a\0b", "x" * 300):
            with self.subTest(path):
                self.assertIsNone(self.bring({"a.txt": b"x"}, paths=json.dumps([path])))
                self.assertEqual(self.response.status_code, 422)

    def test_a_wrong_answer_can_be_mended(self):
        upload = self.bring()
        self.answer(upload, "look", **LANGUAGES, **{"role:news/refA.txt": "source"})
        self.assertEqual(upload.status, JobStatus.FAILED)
        self.assertContains(self.page(upload), "only one file can be the source")
        self.answer(upload, "look", **LANGUAGES, **{"role:news/refA.txt": "reference"})
        self.assertTrue(upload.is_reviewed)


class ProblemsTest(ImportTestCase):
    def test_the_first_hundred_problems_and_their_number(self):
        lines = '{"src": "a", "refs": {"r": "b"}}\n'
        upload = self.upload_file("x.de-en.jsonl", (lines + '{"src": ""}\n').encode())
        page = self.page(upload)
        self.assertContains(page, "1 problem has to be fixed first")
        self.assertContains(page, "there is no source.")
        upload.outcome |= {"n_problems": 1234, "problems": upload.outcome["problems"] * 100}
        upload.save()
        self.assertContains(self.page(upload), "The first 100 of 1,234 problems")

    def test_what_nobody_knows(self):
        upload = self.upload_file("x.bin", b"\x00\x01\x02")
        self.assertContains(self.page(upload), "no format that the site reads has files like this")

    def test_plain_text_without_a_source_is_told_what_is_missing(self):
        page = self.page(self.upload_file("online-A.txt", b"One.\nTwo.\n"))
        self.assertContains(page, "no format that the site reads has files like this")
        self.assertContains(page, "a file that is named like a source, such as source.txt")

    def test_nothing_chosen(self):
        response = self.as_user(self.owner).post(reverse("import"), {})
        self.assertContains(response, "Choose a file, several files or a folder.", status_code=422)

    def test_the_quota_of_a_person(self):
        with mock.patch.object(uploads, "quota", lambda: 50):
            self.bring()
            self.assertEqual(self.response.status_code, 302)
            self.bring()
            self.assertContains(self.response, "Import or discard those first", status_code=422)

    def test_paths_that_are_none(self):
        """The field with the paths holds whatever somebody sends."""
        for path, why in (
            ("../x.txt", "the file would be outside its folder"),
            ("..\\x.txt", "the file would be outside its folder"),
            ("/tmp/mteval-x.txt", "the file would be outside its folder"),
            ("\\tmp\\mteval-x.txt", "the file would be outside its folder"),
            ("\\\\host\\x.txt", "the file would be outside its folder"),
            (".", "the file would be outside its folder"),
            ("a\0.txt", "this is not the name of a file"),
            ("a\ud800.txt", "this is not the name of a file"),
            (f"{'a' * 201}.txt", "the file has too long a name"),
            ("a/" * 200 + "x.txt", "the file has too long a name"),
        ):
            with self.subTest(path=path):
                data = {"folder": files({"x.txt": b"eins\n"}), "paths": json.dumps([path])}
                response = self.as_user(self.owner).post(reverse("import"), data)
                self.assertContains(response, why, status_code=422)
        self.assertFalse(Upload.objects.exists())

    def test_a_file_that_is_not_kept_any_more(self):
        upload = self.bring()
        uploads.forget(upload)
        self.answer(upload, "look", **LANGUAGES)
        self.assertContains(self.page(upload), "no longer stored. Upload them again")


GOOD_ROW = "{system}\tdoc\td1\t{n}\tr1\teins\tone {system} {n}\tno-error\tno-error\n"
MQM_HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
BAD_ROW = "X\tdoc\td1\t{n}\tr1\teins\t<v>one X {n}\tAccuracy\tmajor\n"


class LeftOutRowsTest(ImportTestCase):
    """A bad row is mended, left out, or stops the import."""

    def upload_mqm(self, n_good, *bad):
        """Rows of Google's MQM of two systems; the bad ones open a mark and do not close it."""
        rows = [GOOD_ROW.format(system=s, n=n) for n in range(n_good) for s in "XY"]
        rows += [BAD_ROW.format(n=n) for n in bad]
        return self.upload_file("mqm_ende.tsv", (MQM_HEADER + "".join(rows)).encode())

    def test_it_stops_with_a_list(self):
        upload = self.upload_mqm(100, 1)
        self.assertEqual(upload.status, JobStatus.FAILED)
        page = self.page(upload)
        self.assertContains(page, "Leave out 1 row and check again")
        self.assertContains(page, '<td class="num">202</td>', html=True)
        self.answer(upload, "import")
        self.assertFalse(Campaign.objects.filter(name="mqm_ende").exists())

    def test_one_button_leaves_it_out_and_every_page_says_so(self):
        upload = self.upload_mqm(100, 1)
        self.answer(upload, "leave-out")
        self.assertTrue(upload.is_reviewed)
        self.assertContains(self.page(upload), "1 row left out")
        self.answer(upload, "import")
        self.assertTrue(upload.is_imported)
        campaign = Campaign.objects.get(name="mqm_ende")
        record = campaign.import_records.get()
        self.assertEqual((record.n_judgments, record.n_left_out), (200, 1))
        self.assertEqual(record.left_out[0][:3], ["mqm_ende.tsv", 202, "target"])
        said = "1 row of the release was left out"
        for address in ("scores", "errors", "segments", "report"):
            self.assertContains(
                self.get_as(self.owner, address, campaign.pk), said, msg_prefix=address
            )
        page = self.get_as(self.owner, "campaign", campaign.pk)
        self.assertContains(page, "1 row could not be read and was left out")
        self.assertIn(said, Selection.of(campaign).described["sentence"])

    def test_more_than_one_percent_is_asked_again(self):
        upload = self.upload_mqm(20, 1, 2)
        self.answer(upload, "leave-out")
        self.assertEqual(upload.status, JobStatus.FAILED)
        self.assertContains(self.page(upload), "more than 1 %")
        self.answer(upload, "leave-out-many")
        self.assertTrue(upload.is_reviewed)

    def test_a_row_is_mended_here(self):
        upload = self.upload_mqm(3, 1)
        address = reverse("import-mend", args=[upload.pk, 1])
        page = self.as_user(self.owner).get(address)
        self.assertContains(page, "&lt;v&gt;one X 1\tAccuracy")
        line = BAD_ROW.format(n=1).rstrip().replace("one X 1", "one</v> X 1")
        refused = self.as_user(self.owner).post(address, {"line": line + "\nmore"})
        self.assertContains(refused, "Write one line", status_code=422)
        self.as_user(self.owner).post(address, {"line": line})
        upload.refresh_from_db()
        self.assertTrue(upload.is_reviewed)
        self.answer(upload, "import")
        span = ErrorSpan.objects.get(judgment__campaign__name="mqm_ende")
        self.assertEqual((span.start, span.end, span.severity), (0, 3, "major"))

    def test_a_row_that_cannot_be_shown(self):
        rows = MQM_HEADER + GOOD_ROW.format(system="X", n=1) + BAD_ROW.format(n=1)
        upload = self.upload_file("mqm_ende.tsv.gz", gzip.compress(rows.encode()))
        page = self.as_user(self.owner).get(reverse("import-mend", args=[upload.pk, 1]))
        self.assertContains(page, "cannot be shown here")

    def test_a_line_of_json_is_shown_only_where_rows_are_lines(self):
        line = '{"a": 1}'
        shown = {
            f"{line}\n{line}": line,  # an object in each line
            f"{line}\n\n{line}": None,  # its second object is in the third line
            f"[{line},\n{line}]": None,
            '{\n"a": 1}\n{"a": 1}': None,
            "[Applause]\tone\nb\tc": "b\tc",
        }
        for text, expected in shown.items():
            upload = self.upload_file("rows.json", text.encode())
            self.assertEqual(uploads.line_of(upload, "rows.json", 2), expected, text)
            if expected is None:
                with self.assertRaises(ValueError):
                    uploads.replace_line(upload, "rows.json", 2, line)

    def test_a_file_that_is_too_large_to_be_mended_here(self):
        upload = self.upload_mqm(3, 1)
        with mock.patch.object(uploads, "MENDED_PIECES", 0):
            page = self.as_user(self.owner).get(reverse("import-mend", args=[upload.pk, 1]))
        self.assertContains(page, "cannot be shown here")


class JudgedTwiceTest(CastTestCase):
    def test_it_is_left_out_or_stops(self):
        """A judgment that occurs twice in the file is a row like any other invalid one."""
        names = [each.name for each in self.test_set.systems.order_by("pk")]
        keys = list(self.test_set.segments.values_list("key", flat=True))
        screens = [
            JudgedScreen(
                "f.tsv", row, "r1", key, names[:1], "1", ratings=[(names[0], "adequacy", 3)]
            )
            for row, key in enumerate([*keys, keys[0]], 2)
        ]
        part = JudgmentsPart("Twice", "t", "adequacy-fluency", lambda: iter(screens))
        texts = from_database.texts_part(self.test_set)
        release = Release(texts=[replace(texts, key="t")], judgments=[part])
        row, why = len(keys) + 2, "this judgment occurs in the file twice"
        for leave_out in (None, 0.1):
            problems = Problems()
            with self.assertRaises(NothingImported):
                write(release, self.owner, problems, leave_out=leave_out)
            (problem,) = problems.first
            self.assertEqual((problem.row, problem.reason), (row, why))
        written = write(release, self.owner, Problems(), leave_out=50)
        ((campaign, added),) = written.campaigns
        self.assertEqual((added.judgments, campaign.options["rows_left_out"]), (len(keys), 1))


class LivesTest(ImportTestCase):
    def test_discarded_files_are_gone(self):
        upload = self.bring()
        response = self.as_user(self.owner).post(reverse("import-cancel", args=[upload.pk]))
        self.assertRedirects(response, reverse("import"))
        self.assertFalse(UploadPiece.objects.exists())
        self.assertContains(self.page(upload), "Discarded")

    def test_after_a_day_they_are_forgotten(self):
        upload = self.bring()
        forget_upload.call(upload.pk)
        self.assertFalse(Upload.objects.exists())

    def test_media_of_an_import_that_was_ended_are_swept_later(self):
        sweeps = DBTaskResult.objects.filter(task_path=sweep_media.module_path)
        for status, n in ((JobStatus.DONE, 0), (JobStatus.CANCELLED, 1)):
            upload = self.bring()
            Upload.objects.update(status=status, keeps=True)
            forget_upload.call(upload.pk)
            self.assertEqual(sweeps.count(), n)
        self.assertGreater(sweeps.get().run_after, timezone.now() + timedelta(hours=23))

    def test_nobody_else_sees_them(self):
        upload = self.bring()
        names = ("import-found", "import-done", "import-progress")
        for user in (self.outsider, self.researcher):
            for name in names:
                response = self.as_user(user).get(reverse(name, args=[upload.pk]))
                self.assertEqual(response.status_code, 404)
            mend = reverse("import-mend", args=[upload.pk, 1])
            self.assertEqual(self.as_user(user).get(mend).status_code, 404)
            for name in ("import-answer", "import-retry", "import-cancel"):
                response = self.as_user(user).post(reverse(name, args=[upload.pk]))
                self.assertEqual(response.status_code, 404)
            self.assertEqual(self.as_user(user).get(reverse("import")).status_code, 403)

    def test_who_may_make_nothing_any_more_imports_nothing(self):
        upload = self.bring()
        self.owner.is_staff = False
        self.owner.save()
        response = self.as_user(self.owner).post(
            reverse("import-answer", args=[upload.pk]), {"act": "import"}
        )
        self.assertEqual(response.status_code, 403)
        upload.refresh_from_db()
        self.assertTrue(upload.is_reviewed)

    def test_what_is_large_waits_for_a_worker_and_is_lost_with_it(self):
        with mock.patch("judgments.exchange.releases.import_views.is_light", lambda upload: False):
            upload = self.bring()
        self.assertEqual(upload.status, JobStatus.QUEUED)
        self.assertContains(self.page(upload), "Waiting for a worker.")
        with uploads.held(upload.pk):  # and no more
            pass
        moved = upload.moved_at.replace(year=2020)
        Upload.objects.filter(pk=upload.pk).update(moved_at=moved)
        self.assertContains(
            self.page(upload), "The worker that was reading these files has stopped."
        )
        self.as_user(self.owner).post(reverse("import-retry", args=[upload.pk]))
        upload.refresh_from_db()
        self.assertTrue(upload.is_reviewed)

    def test_the_moving_part_asks_for_the_page_once_it_is_over(self):
        upload = self.bring()
        address = reverse("import-progress", args=[upload.pk])
        self.assertEqual(self.as_user(self.owner).get(address)["HX-Refresh"], "true")
        Upload.objects.update(status=JobStatus.RUNNING, n_rows=12_345)
        response = self.as_user(self.owner).get(address)
        self.assertContains(response, "Reading: 12,345 rows so far.")
        self.assertNotIn("HX-Refresh", response)

    def test_of_two_clicks_one_imports(self):
        for status in (JobStatus.RUNNING, JobStatus.DONE):  # by the other click
            upload = self.bring()
            Upload.objects.filter(pk=upload.pk).update(status=status, keeps=True)
            with self.subTest(status), mock.patch.object(views, "start") as start:
                views.begin_again(upload)
                start.assert_not_called()
                self.assertEqual(Upload.objects.get(pk=upload.pk).status, status)


class XmlTest(ImportTestCase):
    def test_the_released_file_comes_in(self):
        path = shared_data("10_as_released", "wmt22", "wmttest2022.liv-en.all.xml.gz")
        upload = self.upload_file(path.name, path.read_bytes())
        self.assertContains(
            self.page(upload),
            "420 segments in 420 documents of 1 domain with 1 reference and 2,100 outputs of "
            "5 systems, liv-en",
        )
        self.answer(upload)
        self.assertTrue(upload.is_imported)
        self.assertEqual(TestSet.objects.latest("pk").segments.count(), 420)
        self.assertFalse(Campaign.objects.filter(test_set=TestSet.objects.latest("pk")).exists())


class ColumnsTest(ImportTestCase):
    TABLE = b"wer,satz,a,note\nMia,7,X,3\nBen,7,X,2\n"

    def test_columns_are_assigned_looked_at_and_saved_as_a_recipe(self):
        upload = self.upload_file("t.csv", self.TABLE)
        self.assertContains(self.page(upload), "Mia · Ben")
        meanings = {"column:wer": "annotator", "column:satz": "segment", "column:note": "score"}
        self.answer(upload, "look", **meanings, **{"column:a": "system"}, **LANGUAGES)
        self.assertTrue(upload.is_reviewed, upload.outcome["problems"])
        self.assertContains(self.page(upload), "2 ratings by 2 raters on 1 segment of 1 system")
        self.answer(upload, "look", **LANGUAGES)  # what was said before is kept
        self.assertContains(self.page(upload), "2 ratings by 2 raters on 1 segment of 1 system")
        response = self.as_user(self.owner).get(reverse("import-recipe", args=[upload.pk]))
        recipe = json.loads(response.content)
        self.assertEqual(
            recipe["tables"],
            [{"columns": {"wer": "annotator", "satz": "segment", "a": "system", "note": "score"}}],
        )
        data = {
            "several": [
                SimpleUploadedFile("t.csv", self.TABLE),
                SimpleUploadedFile("recipe.json", response.content),
            ]
        }
        self.as_user(self.owner).post(reverse("import"), data)
        again = Upload.objects.latest("pk")
        self.assertContains(self.page(again), "2 ratings by 2 raters on 1 segment of 1 system")
        self.assertContains(self.page(again), "was read by the recipe “t.csv”")

    def test_there_is_no_recipe_of_other_files_or_for_others(self):
        upload = self.bring()
        address = reverse("import-recipe", args=[upload.pk])
        response = self.as_user(self.owner).get(address)
        self.assertRedirects(response, reverse("import-found", args=[upload.pk]))
        self.assertEqual(self.as_user(self.outsider).get(address).status_code, 404)
