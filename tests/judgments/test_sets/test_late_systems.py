"""Systems that come to a test set that is there, and may be judged already."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.models import Act, Output, System
from judgments.models.chains import record
from judgments.models.chains.record_checking import check_record
from tests import factory
from tests.base import CastTestCase


def sent(name, content):
    return SimpleUploadedFile(name, content.encode())


class LateSystemsTest(CastTestCase):
    name = "systems-new"

    def post(self, user=None, **files):
        return self.post_as(user or self.owner, self.name, self.test_set.pk, data=files)

    def texts(self, system):
        rows = Output.objects.filter(system__test_set=self.test_set, system__name=system)
        return dict(rows.values_list("segment__key", "text"))

    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused(self.name, self.test_set.pk, users=users, method=method)

    def test_the_test_set_leads_there(self):
        address = reverse(self.name, args=[self.test_set.pk])
        self.assertContains(self.get_as(self.owner, "test-set", self.test_set.pk), address)
        page = self.get_as(self.researcher, "test-set", self.test_set.pk)
        self.assertNotContains(page, address)
        page = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertContains(page, "add them as a wave")

    def test_plain_text_an_empty_line_is_an_empty_translation(self):
        response = self.post(systems=[sent("late.txt", "one\n\nthree\nfour\n")])
        self.assertEqual(response["Location"], f"/testsets/{self.test_set.pk}/#systems")
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(page, "Added 1 system with 4 outputs.")
        self.assertEqual(self.texts("late"), {"1": "one", "2": "", "3": "three", "4": "four"})
        self.assertEqual(Act.objects.filter(act=self.name).count(), 1)

    def test_a_table_of_two_systems_one_of_them_not_whole(self):
        rows = "system\tsegment\ttext\nX\t1\ta\nX\t2\tb\nX\t3\t\nX\t4\td\nY\t3\t<b>c</b>\n"
        self.post(table=sent("late.tsv", rows))
        self.assertEqual(self.texts("X"), {"1": "a", "2": "b", "3": "", "4": "d"})
        self.assertEqual(self.texts("Y"), {"3": "<b>c</b>"})
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(page, "&lt;b&gt;c&lt;/b&gt;")

    def test_what_is_wrong_is_told_and_nothing_comes_in(self):
        head = "system\tsegment\ttext\n"
        for words, field, file in (
            ("the test set already has the system “System-A”", "systems",
             sent("System-A.txt", "a\nb\nc\nd\n")),
            ("late.txt: the file has 2 lines", "systems", sent("late.txt", "a\nb\n")),
            ("is named like a reference", "systems", sent("reference.txt", "a\nb\nc\nd\n")),
            ("the test set has no segment “9”", "table", sent("t.tsv", head + "X\t9\ta\n")),
            ("a second output of “X”", "table", sent("t.tsv", head + "X\t1\ta\nX\t1\tb\n")),
            ("Choose either plain text files or a table.", "table", None),
        ):  # fmt: skip
            with self.subTest(words):
                response = self.post(**({field: file} if file else {}))
                self.assertContains(response, words, status_code=422)
                self.assertEqual(System.objects.filter(test_set=self.test_set).count(), 3)

    def test_a_test_set_of_keys_gets_its_texts_first(self):
        keys = factory.take_texts(factory.make_test_set(self.owner, name="Keys"))
        response = self.get_as(self.owner, self.name, keys.pk)
        self.assertEqual(response.status_code, 404)

    def test_what_is_judged_and_its_record_stay(self):
        record.begin(self.campaign.pk, "opened")
        task = self.campaign.tasks.first()
        values = {"adequacy": [3, 4, 5], "fluency": [3, 4, 5]}
        factory.judge(task.items.first(), values)
        before = list(task.items.values_list("shown__output", flat=True))
        self.post(systems=[sent("late.txt", "one\n\nthree\nfour\n")])
        self.assertEqual(before, list(task.items.values_list("shown__output", flat=True)))
        self.assertEqual(check_record(self.campaign).found, [])
