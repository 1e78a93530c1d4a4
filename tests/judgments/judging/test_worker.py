"""The service worker's script, and the pages that ask for it."""

from django.test import Client, override_settings
from django.urls import reverse

from judgments.judging import worker

from .judge_pages import JudgingTestCase, rows_in


class WorkerTest(JudgingTestCase):
    def test_it_is_of_the_judging_pages_and_the_start_page_and_never_old(self):
        response = Client().get(reverse("worker"))
        self.assertEqual(response["Content-Type"], "text/javascript; charset=utf-8")
        self.assertEqual(response["Service-Worker-Allowed"], "/")
        self.assertEqual(response["Cache-Control"], "no-cache")
        self.assertIn("worker-src 'self'", response["Content-Security-Policy"])
        self.assertContains(response, 'const OWN = "";')
        self.assertEqual(Client().post(reverse("worker")).status_code, 405)

    def test_the_page_of_what_is_held_has_nothing_of_a_campaign(self):
        """The browser fills it in; it is stored for weeks, and only by the signed-in user."""
        self.open(1)
        page = self.client.get(reverse("held-work"))
        self.assertContains(page, 'data-owner="')
        self.assertNotContains(page, self.campaign.name)
        self.assertIn("no-store", page["Cache-Control"])
        self.assertEqual(Client().get(reverse("held-work")).status_code, 302)

    def test_other_static_files_are_another_version(self):
        worker.script.cache_clear()
        first = worker.script("").splitlines()[0]
        with_another = {"js/judging/rows.js": "js/rows.0123456789ab.js"}
        worker.script.cache_clear()
        with self.subTest(first):
            storage = worker.staticfiles_storage
            before = getattr(storage, "hashed_files", None)
            try:
                storage.hashed_files = with_another
                self.assertNotEqual(worker.script("").splitlines()[0], first)
            finally:
                storage.hashed_files = before or {}
                worker.script.cache_clear()

    def test_a_site_that_holds_nothing_takes_it_back(self):
        address = f'data-worker="{reverse("worker")}"'
        self.assertContains(self.open(1), address)
        with override_settings(HOLDS_WORK=False):
            self.assertContains(self.open(1), 'data-worker=""')
            self.assertContains(self.client.get(reverse("worker")), "unregister()")

    def test_pages_say_whose_they_are_and_those_of_nobody_do_not(self):
        page = self.open(1).content.decode()
        key = page.partition('data-owner="')[2].partition('"')[0]
        self.assertEqual(len(key), 20)
        self.assertContains(self.client.get(reverse("account")), f'<body data-owner="{key}">')
        other = self.open(1, user=self.annotator_2).content.decode()
        self.assertNotIn(key, other)
        self.assertNotContains(Client().get(reverse("login")), "data-owner")

    def test_a_row_comes_with_the_list_of_its_document_when_asked_for(self):
        self.campaign.options |= {"context": "document"}
        self.campaign.save()
        self.open(1)
        (listed,) = rows_in(self.client.get(self.item_url(1), headers={"X-Rows": "list"}))
        self.assertIn('id="rows"', listed)
        self.assertEqual(listed.count('id="stage"'), 1)
        self.assertNotIn("<form", listed)
        (alone,) = rows_in(self.client.get(self.item_url(1), headers={"X-Rows": "1"}))
        self.assertNotIn('id="rows"', alone)
        self.assertIn(f'data-end="{self.campaign.tasks.first().n_items}"', alone)
