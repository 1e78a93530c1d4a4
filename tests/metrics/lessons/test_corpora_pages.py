"""The page of a user's texts for language models."""

from unittest import mock

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from django.urls import reverse

from metrics.models import MonolingualCorpus
from metrics.scoring import corpora
from tests.base import CastTestCase

GOOD = {"name": "News", "language": "en"}


class CorporaTests(CastTestCase):
    def post(self, data=GOOD, content=b"a b\nc d\n", user=None, name="news.txt"):
        file = {"file": SimpleUploadedFile(name, content)} if content is not None else {}
        return self.post_as(user or self.owner, "corpora", data={**data, **file})

    def assert_shown(self, response, sentence):
        self.assertContains(response, sentence, status_code=422)
        self.assertFalse(MonolingualCorpus.objects.exists())

    def make(self, user, name="News"):
        corpus = MonolingualCorpus(owner=user, name=name, language="en")
        corpora.read_corpus(corpus, SimpleUploadedFile("x.txt", b"a b\n"))
        corpus.save()
        return corpus

    def test_only_people_who_may_make_test_sets(self):
        users = {None: 302, self.outsider: 403, self.annotator_1: 403, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("corpora", users=users, method=method)
        self.post(user=self.outsider)
        self.assertFalse(MonolingualCorpus.objects.exists())

    def test_a_good_file(self):
        response = self.post()
        self.assertRedirects(response, reverse("corpora"))
        corpus = MonolingualCorpus.objects.get()
        self.assertEqual((corpus.owner, corpus.n_lines), (self.owner, 2))
        self.assertContains(self.get_as(self.owner, "corpora"), corpus.digest[:16])

    def test_the_list_reads_no_texts_and_shows_ones_own_only(self):
        self.make(self.owner, "<b>Mine</b>")
        self.make(self.outsider, "Theirs")
        with mock.patch.object(corpora, "gzip", None):
            response = self.get_as(self.owner, "corpora")
        self.assertContains(response, "&lt;b&gt;Mine&lt;/b&gt;")
        self.assertNotContains(response, "Theirs")

    def test_what_is_wrong_is_said(self):
        self.assert_shown(self.post(content=None), "Choose a file.")
        self.assert_shown(self.post(content=b""), "news.txt: it is empty, or a folder.")
        self.assert_shown(self.post(content=b"a\n\xff\n"), "Nothing was imported. news.txt, row 2")
        self.assert_shown(self.post({**GOOD, "name": "a,b"}), "cannot contain a comma")
        self.assert_shown(self.post({**GOOD, "language": "?"}), "Use a language tag")
        self.assert_shown(self.post(name="news.gz"), "not a whole gzip file")
        with override_settings(MAX_UPLOAD_BYTES=3):
            self.assert_shown(self.post(), "this site accepts")

    def test_a_name_twice(self):
        self.post()
        self.assertContains(self.post(), "You already have a corpus named “News”", status_code=422)
        self.make(self.outsider)  # somebody else may have the same name
        # Two requests at once both find the name free.
        with mock.patch(
            "metrics.lessons.phrase_tables.corpus_forms.CorpusForm.clean_name", lambda form: "News"
        ):
            self.assertContains(
                self.post(), "You already have a corpus of this name", status_code=422
            )
        self.assertEqual(MonolingualCorpus.objects.count(), 2)

    def test_delete(self):
        corpus, other = self.make(self.owner), self.make(self.outsider)
        self.assert_post_only("corpus-delete", corpus.pk)
        users = {None: 302, self.annotator_1: 404, self.researcher: 404}
        self.assert_refused("corpus-delete", corpus.pk, users=users, method="post")
        self.assertEqual(self.post_as(self.owner, "corpus-delete", other.pk).status_code, 404)
        self.assertEqual(MonolingualCorpus.objects.count(), 2)
        self.assertRedirects(
            self.post_as(self.owner, "corpus-delete", corpus.pk), reverse("corpora")
        )
        self.assertEqual(MonolingualCorpus.objects.get(), other)

    def test_the_form_of_scores_leads_here(self):
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, f'<a href="{reverse("corpora")}">Corpora</a>')
        self.make(self.owner)
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, '<option value="News">News</option>')
