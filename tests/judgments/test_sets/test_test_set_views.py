"""Pages of test sets: the list, a new one from files, the texts."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse

from judgments.files import texts
from judgments.models import TestSet
from judgments.test_sets.corpus import import_test_set
from tests import factory
from tests.base import CastTestCase

from ..files.files import packed, upload


def sent(name, content):
    content = content if isinstance(content, bytes) else content.encode()
    return SimpleUploadedFile(name, content)


class ListTests(CastTestCase):
    def test_owner_and_researcher_see_the_test_set(self):
        for user in (self.owner, self.researcher):
            response = self.get_as(user, "test-sets")
            self.assertContains(response, "Small set")
            self.assertContains(response, '<td class="num">4</td>', html=True)
            self.assertContains(response, '<td class="num">3</td>', html=True)

    def test_annotators_and_outsiders_see_none(self):
        for user in (self.annotator_1, self.outsider):
            response = self.get_as(user, "test-sets")
            self.assertNotContains(response, "Small set")
            self.assertContains(response, "No test set yet")
            self.assertNotContains(response, reverse("test-set-new"))

    def test_the_empty_list_says_what_to_do(self):
        newcomer = factory.make_user("newcomer", is_staff=True)
        response = self.get_as(newcomer, "test-sets")
        self.assertContains(response, "No test set yet")
        self.assertContains(response, reverse("test-set-new"))

    def test_signed_out(self):
        self.assert_refused("test-sets", users={None: 302})

    def test_statements_do_not_grow_with_test_sets(self):
        self.as_user(self.owner)

        def statements():
            with CaptureQueriesContext(connection) as queries:
                self.client.get(reverse("test-sets"))
            return len(queries)

        few = statements()
        for number in range(5):
            factory.make_test_set(self.owner, name=f"More {number}")
        self.assertEqual(statements(), few)


class DetailTests(CastTestCase):
    def test_who_may_read(self):
        for user in (self.owner, self.researcher):
            response = self.get_as(user, "test-set", self.test_set.pk)
            self.assertContains(response, "Quelltext Nummer 1")
            self.assertContains(response, "System-B")
        # An annotator who could read this would know which system wrote what.
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.annotator_2: 404}
        self.assert_refused("test-set", self.test_set.pk, users=users)

    def test_texts_carry_their_language_and_direction(self):
        arabic = factory.make_test_set(self.owner, source_language="ar", target_language="de-AT")
        response = self.get_as(self.owner, "test-set", arabic.pk)
        self.assertContains(response, '<p class="segment-text" lang="ar" dir="rtl">')
        self.assertContains(response, '<dd class="segment-text" lang="de-AT" dir="ltr">')

    def test_texts_are_escaped(self):
        self.test_set.segments.update(source="<script>alert(1)</script>")
        response = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(response, "&lt;script&gt;alert(1)&lt;/script&gt;")
        self.assertNotContains(response, "<script>alert")

    def test_one_document(self):
        second = self.test_set.documents.get(name="doc1")
        url = reverse("test-set", args=[self.test_set.pk])
        response = self.as_user(self.owner).get(url, {"document": second.pk})
        self.assertNotContains(response, "Quelltext Nummer 1 ")
        self.assertContains(response, "Quelltext Nummer 3 ")
        for odd in ("0", "x", "-1"):
            response = self.client.get(url, {"document": odd, "page": odd})
            self.assertContains(response, "Quelltext Nummer 1 ")

    def test_the_way_on(self):
        response = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(response, reverse("test-set-metrics", args=[self.test_set.pk]))
        self.assertContains(response, reverse("campaign-new") + f"?test_set={self.test_set.pk}")
        self.assertContains(response, reverse("campaign", args=[self.campaign.pk]))
        response = self.get_as(self.researcher, "test-set", self.test_set.pk)
        self.assertNotContains(response, reverse("campaign-new"))

    def test_statements_do_not_grow_with_the_texts(self):
        """2,000 segments in 200 documents, 10 systems; a page shows 20 segments."""
        header = "document\tsource\treference\t" + "\t".join(f"system:s{s}" for s in range(10))
        rows = "".join(f"d{i // 10}\ts{i}\tr{i}" + f"\to{i}" * 10 + "\n" for i in range(2000))
        large = TestSet(name="Large", owner=self.owner, source_language="de", target_language="en")
        import_test_set(large, texts.from_table(upload("t.tsv", f"{header}\n{rows}".encode())))
        self.as_user(self.owner)
        for test_set in (self.test_set, large):
            # Session, user, test set, documents, facts of systems, facts of references, systems,
            # reference names, campaigns, number of segments, segments, references, outputs.
            with self.assertNumQueries(13):
                url = reverse("test-set", args=[test_set.pk])
                response = self.client.get(url, {"page": "1"})
        self.assertContains(response, "2,000 segments in 200 documents, 10 systems, 1 reference")
        self.assertContains(response, '<article class="card"', count=20)
        self.assertContains(response, "Page 1 of 100")


class NewTests(CastTestCase):
    fields = {"name": "New set", "source_language": "de", "target_language": "en"}

    def post(self, **files):
        data = self.fields | files
        return self.post_as(self.owner, "test-set-new", data=data)

    def files(self, **changes):
        return {
            "source": sent("src.txt", "eins\nzwei\n"),
            "references": [sent("ref.txt", "one\ntwo\n")],
            "systems": [
                sent("online-A.txt", "a\nb\n"),
                sent("B.txt.gz", packed(b"c\nd\n")),
            ],
        } | changes

    def assert_shown(self, response, *sentences):
        self.assertEqual(response.status_code, 422)
        for sentence in sentences:
            self.assertContains(response, sentence, status_code=422)
        self.assertFalse(TestSet.objects.filter(name="New set").exists())

    def test_a_script_is_told_where_to_go_and_the_page_there_has_the_message(self):
        data = self.fields | self.files()
        address = reverse("test-set-new")
        response = self.as_user(self.owner).post(address, data, headers={"X-Keeps-Files": "1"})
        self.assertEqual(response.status_code, 200)
        self.assertContains(self.client.get(response["Location"]), "The test set was imported.")

    def test_who_may_add_texts(self):
        for user in (self.researcher, self.annotator_1, self.outsider):
            self.assertEqual(self.get_as(user, "test-set-new").status_code, 403)
            response = self.post_as(user, "test-set-new", data=self.fields | self.files())
            self.assertEqual(response.status_code, 403)
        self.assert_refused("test-set-new", users={None: 302})
        response = self.get_as(self.owner, "test-set-new")
        self.assertContains(response, "250")  # the limit in MB
        self.assertContains(response, 'enctype="multipart/form-data"')

    def test_plain_text_files(self):
        response = self.post(**self.files(documents=sent("d.txt", "x\ny\n")))
        test_set = TestSet.objects.get(name="New set")
        self.assertRedirects(response, reverse("test-set", args=[test_set.pk]))
        self.assertEqual(test_set.owner, self.owner)
        self.assertEqual([s.name for s in test_set.systems.all()], ["B", "online-A"])
        self.assertEqual(test_set.reference_names, ["ref"])
        self.assertEqual([d.name for d in test_set.documents.all()], ["x", "y"])

    def test_a_table(self):
        self.post(table=sent("t.tsv", "source\tsystem:A\neins\tone\n"))
        self.assertEqual(TestSet.objects.get(name="New set").segments.get().source, "eins")

    def whole_folder(self, **more):
        """The outputs with the source and a reference among them, as a folder holds them."""
        data = self.fields | self.files() | more
        data["systems"] += [
            sent("src.txt", "eins\nzwei\n"),
            sent("<human>.txt", "one\ntwo \n"),
            sent("ref.B.txt", "One\nTwo\n"),
        ]
        return self.post_as(self.owner, "test-set-new", data=data, follow=True)

    def test_a_whole_folder_as_outputs_makes_no_systems_of_source_and_reference(self):
        self.assert_shown(
            self.whole_folder(),
            "src.txt is named like a source; &lt;human&gt;.txt has the same text as ref.txt "
            "on every line; ref.B.txt is named like a reference.",
            "tick “Leave out files that are source, reference or documents”",
        )

    def test_they_can_be_left_out(self):
        response = self.whole_folder(leave_out="on")
        self.assertContains(response, "The test set was imported")
        test_set = TestSet.objects.get(name="New set")
        self.assertEqual([s.name for s in test_set.systems.all()], ["B", "online-A"])

    def test_the_names_of_documents_make_no_system(self):
        """By the name of the file, or because it is the file of documents under another name."""
        names = "x\ny\n"
        folder = [sent("A.txt", "a\nb\n"), sent("documents.txt", names), sent("news.txt", names)]
        files = self.files(systems=folder, documents=sent("parts.txt", names))
        self.assert_shown(
            self.post(**files),
            "documents.txt is named like a list of documents; news.txt has the same text as "
            "parts.txt on every line.",
        )
        for file in (*folder, files["documents"], files["source"], *files["references"]):
            file.seek(0)
        self.post(**files, leave_out="on")
        test_set = TestSet.objects.get(name="New set")
        self.assertEqual([s.name for s in test_set.systems.all()], ["A"])
        self.assertEqual([d.name for d in test_set.documents.all()], ["x", "y"])

    def test_a_table_is_warned_about(self):
        """The texts are there all the same: a system may be a copy on purpose."""
        table = sent("t.tsv", "source\treference\tsystem:A\tsystem:B\neins\tone\teins\tone\n")
        fields = self.fields | {"table": table}
        response = self.post_as(self.owner, "test-set-new", data=fields, follow=True)
        self.assertContains(response, "The system “A” is identical to the source in every segment")
        self.assertContains(response, "The system “B” is identical to the reference “ref” in every")

    def test_a_system_that_is_sometimes_right_is_none_to_warn_about(self):
        data = self.fields | self.files(systems=[sent("A.txt", "one\nzwei\n")])
        response = self.post_as(self.owner, "test-set-new", data=data, follow=True)
        self.assertContains(response, "The test set was imported")
        self.assertNotContains(response, "has the same text as")

    def test_a_bad_file_is_shown_at_its_field(self):
        response = self.post(**self.files(systems=[sent("A.txt", "a\n"), sent("B.txt", "a\nb\n")]))
        self.assert_shown(
            response,
            "Nothing was imported. A.txt, row 2: the file has 1 line, but src.txt has 2.",
            '<a href="#id_systems">',
        )

    def test_what_is_missing_or_too_much(self):
        self.assert_shown(self.post(), "Choose the source text", "Choose at least one file")
        table = sent("t.tsv", "source\tsystem:A\neins\tone\n")
        self.assert_shown(self.post(**self.files(table=table)), "not both")
        twins = [sent("A.txt", "a\nb\n"), sent("A.txt.gz", packed(b"a\nb\n"))]
        self.assert_shown(self.post(**self.files(systems=twins)), "Two files have the name “A”")
        found = self.post(source=sent("src.txt", b""))
        self.assert_shown(found, "src.txt: it is empty, or a folder.")

    def test_languages_are_tags(self):
        self.fields = self.fields | {"source_language": "German (AT)"}
        self.assert_shown(self.post(**self.files()), "Use a language tag")

    def test_the_limit_counts_all_files(self):
        with override_settings(MAX_UPLOAD_BYTES=30):
            self.assert_shown(self.post(**self.files()), "this site accepts")

    def test_names_are_escaped(self):
        response = self.post(**self.files(systems=[sent("<b>x.txt", "a\n")]))
        self.assert_shown(response, "&lt;b&gt;x.txt")
