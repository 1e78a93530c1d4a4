"""The pages of a user's bitexts: the list, a new one, its phrase table."""

import gzip
from unittest import mock

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from django.urls import reverse

from metrics.lessons.bitext_files import read_bitext
from metrics.lessons.phrase_tables import linking
from metrics.lessons.phrase_tables import tasks as phrase_tables_tasks
from metrics.models import Bitext, LinkedTexts
from tests.base import CastTestCase

GOOD = {"name": "News", "source_language": "de", "target_language": "en"}
PAIRS = b"das Haus\tthe house\ndas Buch\tthe book\nein Buch\ta book\n"


class BitextTests(CastTestCase):
    def post(self, data=GOOD, user=None, **files):
        sent = {field: SimpleUploadedFile(*file) for field, file in files.items()}
        return self.post_as(user or self.owner, "bitexts", data={**data, **sent})

    def make(self, user, name="News"):
        bitext = Bitext(owner=user, **{**GOOD, "name": name})
        read_bitext(bitext, SimpleUploadedFile("x.tsv", PAIRS), None)
        bitext.save()
        return bitext

    def linked(self, user=None):
        bitext = self.make(user or self.owner)
        linking.work_on(linking.ask(bitext).pk)
        return bitext

    def assert_shown(self, response, sentence):
        self.assertContains(response, sentence, status_code=422)
        self.assertFalse(Bitext.objects.exists())

    def test_only_people_who_may_make_test_sets(self):
        users = {None: 302, self.outsider: 403, self.annotator_1: 403, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("bitexts", users=users, method=method)
        self.post(user=self.outsider, source=("x.tsv", PAIRS))
        self.assertFalse(Bitext.objects.exists())

    def test_a_bitext_is_nobody_elses(self):
        bitext = self.linked()
        other = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 404}
        for name, *more in (("bitext",), ("bitext-file", "terms"), ("bitext-moses",)):
            self.assert_refused(name, bitext.pk, *more, users=other)
        for name in ("bitext-link", "bitext-delete"):
            self.assert_refused(name, bitext.pk, users=other, method="post")
            self.assert_post_only(name, bitext.pk)
        self.assertTrue(Bitext.objects.exists())

    def test_a_table_is_uploaded_and_linked_by_a_worker(self):
        response = self.post(source=("news.tsv", PAIRS))
        bitext = Bitext.objects.get()
        self.assertRedirects(response, reverse("bitext", args=[bitext.pk]))
        page = self.get_as(self.owner, "bitext", bitext.pk)
        self.assertContains(page, "Waiting for a worker to link the words.")
        self.assertContains(page, 'hx-trigger="every 2s"')
        phrase_tables_tasks.run_linking.call(LinkedTexts.objects.get().pk)
        page = self.get_as(self.owner, "bitext", bitext.pk)
        self.assertContains(page, "The words were linked")
        self.assertNotContains(page, "hx-trigger")

    def test_two_files_are_uploaded(self):
        self.post(
            source=("de.txt", b"eins\nzwei\n"), target=("en.txt.gz", gzip.compress(b"1\n2\n"))
        )
        self.assertEqual(Bitext.objects.get().n_pairs, 2)

    def test_what_is_wrong_is_said(self):
        self.assert_shown(self.post(), "Choose a file.")
        self.assert_shown(self.post(source=("x.tsv", b"")), "x.tsv: it is empty, or a folder.")
        self.assert_shown(self.post(source=("x.tsv", b"a\n")), "Nothing was imported. x.tsv, row 1")
        bad = {"source": ("a.txt", b"a\nb\n"), "target": ("b.txt", b"a\n")}
        self.assert_shown(self.post(**bad), "b.txt: the file has 1 lines")
        wrong = {**GOOD, "target_language": "?"}
        self.assert_shown(self.post(wrong, source=("x.tsv", PAIRS)), "Use a language tag")
        with override_settings(MAX_UPLOAD_BYTES=3):
            self.assert_shown(self.post(source=("x.tsv", PAIRS)), "this site accepts")

    def test_a_name_twice(self):
        self.post(source=("x.tsv", PAIRS))
        again = self.post(source=("x.tsv", PAIRS))
        self.assertContains(again, "You already have a bitext named “News”", status_code=422)
        self.make(self.outsider)  # somebody else may have the same name
        # Two requests at once both find the name free.
        with mock.patch(
            "metrics.lessons.phrase_tables.forms.BitextForm.clean_name", lambda form: "News"
        ):
            again = self.post(source=("x.tsv", PAIRS))
        self.assertContains(again, "You already have a bitext of this name", status_code=422)
        self.assertEqual(Bitext.objects.count(), 2)

    def test_the_list_reads_no_texts_and_shows_ones_own_only(self):
        self.make(self.owner, "<b>Mine</b>")
        self.make(self.outsider, "Theirs")
        response = self.get_as(self.owner, "bitexts")
        self.assertContains(response, "&lt;b&gt;Mine&lt;/b&gt;")
        self.assertNotContains(response, "Theirs")
        self.assertFalse("data" in response.context["bitexts"][0].__dict__)

    def test_a_phrase_is_looked_up_both_ways(self):
        bitext = self.linked()
        page = self.get_as(self.owner, "bitext", bitext.pk, data={"q": "BUCH"})
        self.assertEqual([(r.text, r.counts) for r in page.context["renderings"]], [("book", [2])])
        self.assertContains(page, "<mark>Buch</mark>", 2)
        back = {"q": "the", "where": "target"}
        page = self.get_as(self.owner, "bitext", bitext.pk, data=back)
        self.assertEqual([r.text for r in page.context["renderings"]], ["das"])
        page = self.get_as(self.owner, "bitext", bitext.pk, data={"q": "Zug"})
        self.assertContains(page, "No text contains this phrase.")

    def test_terms_and_files(self):
        bitext = self.linked()
        page = self.get_as(self.owner, "bitext", bitext.pk, data={"show": "all"})
        terms = {term.text: term.cells[0] for term in page.context["terms"]}
        self.assertEqual(terms["Buch"], (1, 2, "book", 2))
        self.assertContains(page, "Of 2 terms that occur again, 2 are always translated alike")
        text = self.get_as(self.owner, "bitext-file", bitext.pk, "terms", data={"show": "all"})
        self.assertIn("Buch,2,2,News,bitext,2,1,1.0,book,2,", text.content.decode())
        moses = self.get_as(self.owner, "bitext-moses", bitext.pk)
        self.assertIn("Buch ||| book ||| 1 1 1 1 ||| 0-0 ||| 2 2 2", gunzip(moses))
        self.assertEqual(self.get_as(self.owner, "bitext-file", bitext.pk, "no").status_code, 404)

    def test_nothing_is_there_before_it_is_linked(self):
        bitext = self.make(self.owner)
        self.assertContains(self.get_as(self.owner, "bitext", bitext.pk), "Link the words")
        for name, *more in (("bitext-file", "terms"), ("bitext-moses",)):
            response = self.get_as(self.owner, name, bitext.pk, *more)
            self.assertEqual(response.status_code, 404)
        self.post_as(self.owner, "bitext-link", bitext.pk)
        self.assertEqual(LinkedTexts.objects.get().bitext, bitext)
        again = self.as_user(self.owner).post(reverse("bitext-link", args=[bitext.pk]), follow=True)
        self.assertContains(again, "The words are already being linked.")

    def test_delete(self):
        bitext = self.linked()
        response = self.post_as(self.owner, "bitext-delete", bitext.pk)
        self.assertRedirects(response, reverse("bitexts"))
        self.assertFalse(Bitext.objects.exists() or LinkedTexts.objects.exists())


def gunzip(response):
    return gzip.decompress(response.content).decode()
