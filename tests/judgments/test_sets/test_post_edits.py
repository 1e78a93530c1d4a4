"""The page that takes post-edits of a test set."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.models import Output, TargetedReference
from tests import factory
from tests.base import CastTestCase


def sent(name, text):
    return SimpleUploadedFile(name, text.encode())


class PostEditsTest(CastTestCase):
    def post(self, user=None, **data):
        data = {"name": "Mia"} | data
        return self.post_as(user or self.owner, "post-edits", self.test_set.pk, data=data)

    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("post-edits", self.test_set.pk, users=users, method=method)
        self.assertFalse(TargetedReference.objects.exists())

    def test_the_test_set_leads_there(self):
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(page, f"/testsets/{self.test_set.pk}/post-edits/")
        page = self.get_as(self.researcher, "test-set", self.test_set.pk)
        self.assertNotContains(page, "post-edits/")

    def test_plain_text(self):
        files = [sent("System-A.txt", "one\n\n\n\n"), sent("System-B.txt", "\n\n<b>\nfour\n")]
        response = self.post(systems=files)
        self.assertEqual(response["Location"], f"/testsets/{self.test_set.pk}/post-edits/")
        page = self.get_as(self.owner, "post-edits", self.test_set.pk)
        self.assertContains(page, "Imported 3 post-edits.")
        self.assertContains(page, '<td>System-B</td><td class="num">2</td>', html=False)

    def test_a_table(self):
        self.post(table=sent("t.tsv", "system\tsegment\ttext\nSystem-C\t2\ttwo\n"))
        found = TargetedReference.objects.get()
        self.assertEqual((found.name, found.text), ("Mia", "two"))

    def test_what_is_wrong_stands_beside_the_field(self):
        response = self.post(systems=[sent("System-A.txt", "one\n")])
        self.assertEqual(response.status_code, 422)
        self.assertContains(
            response, "System-A.txt: the file has 1 line, but the test set", status_code=422
        )
        self.assertIn("systems", response.context["form"].errors)
        self.assertFalse(TargetedReference.objects.exists())

    def test_one_kind_of_file(self):
        table = sent("t.tsv", "system\tsegment\ttext\nSystem-C\t2\ttwo\n")
        for data in ({}, {"table": table, "systems": [sent("System-A.txt", "a\n\n\n\n")]}):
            response = self.post(**data)
            self.assertContains(
                response, "Choose either plain text files or a table.", status_code=422
            )

    def test_two_files_of_one_name(self):
        files = [sent("System-A.txt", "a\n\n\n\n"), sent("System-A.txt.gz", "a\n\n\n\n")]
        self.assertContains(self.post(systems=files), "Two files have the name", status_code=422)

    def test_replacing(self):
        self.post(systems=[sent("System-A.txt", "one\n\n\n\n")])
        again = {"systems": [sent("System-A.txt", "two\n\n\n\n")]}
        self.assertContains(self.post(**again), "You can choose to replace it", status_code=422)
        again = {"systems": [sent("System-A.txt", "two\n\n\n\n")]}
        self.assertEqual(self.post(**again, replace="on").status_code, 302)
        self.assertEqual(TargetedReference.objects.get().text, "two")

    def test_statements_do_not_grow_with_post_edits(self):
        address = reverse("post-edits", args=[self.test_set.pk])
        self.as_user(self.owner)
        for systems in ("A", "BC"):
            edits = [sent(f"System-{system}.txt", "a\nb\nc\nd\n") for system in systems]
            self.client.post(address, {"name": "Mia", "systems": edits})
            self.client.get(address)  # shows the message away
            with self.assertNumQueries(5):
                self.client.get(address)


class DeleteTest(CastTestCase):
    name = "post-edits-delete"

    def setUp(self):
        outputs = Output.objects.filter(system__test_set=self.test_set)
        for output in outputs[:3]:
            TargetedReference.objects.create(output=output, name="Mia & Ed", text="one")
        TargetedReference.objects.create(output=outputs[0], name="Bo", text="two")

    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused(self.name, self.test_set.pk, users=users, method=method)
        self.assertEqual(TargetedReference.objects.count(), 4)

    def test_it_asks_first(self):
        page = self.get_as(self.owner, "post-edits", self.test_set.pk)
        self.assertContains(page, "post-edits/delete/?name=Mia%20%26%20Ed")
        page = self.get_as(self.owner, self.name, self.test_set.pk, data={"name": "Mia & Ed"})
        self.assertContains(page, "3 post-edits of the set Mia &amp; Ed")
        self.assertEqual(TargetedReference.objects.count(), 4)

    def test_one_set_goes(self):
        response = self.post_as(self.owner, self.name, self.test_set.pk, data={"name": "Mia & Ed"})
        page = self.client.get(response["Location"])
        self.assertContains(page, "Deleted 3 post-edits of Mia &amp; Ed.")
        self.assertEqual(TargetedReference.objects.get().name, "Bo")

    def test_the_name_stands_in_the_post(self):
        address = reverse(self.name, args=[self.test_set.pk]) + "?name=Bo"
        for data in ({}, {"name": "nobody"}, {"name": "B\0o"}):
            self.assertEqual(self.as_user(self.owner).post(address, data).status_code, 404)
        self.assertEqual(TargetedReference.objects.count(), 4)

    def test_sets_of_other_test_sets_stay(self):
        other = factory.make_test_set(self.owner, name="Other")
        output = Output.objects.filter(system__test_set=other)[0]
        TargetedReference.objects.create(output=output, name="Bo", text="three")
        self.post_as(self.owner, self.name, self.test_set.pk, data={"name": "Bo"})
        self.assertEqual(TargetedReference.objects.filter(name="Bo").get().output, output)
