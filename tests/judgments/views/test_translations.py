"""The pages for translators."""

from django.urls import reverse

from judgments.translations.catalogs import key_of, path_of
from tests.base import CastTestCase

TEXT = key_of("Submit and go on")
HELD_BACK = key_of("The new password holds now, and you are signed in.")


class TranslationPagesTest(CastTestCase):
    def setUp(self):
        # With the first request of a process all screens are drawn, and the client would take what
        # they were drawn from for what the page shows.
        self.get_as(self.owner, "translation-catalog", "de")

    def page(self, name, *args, query=""):
        response = self.as_user(self.owner).get(reverse(name, args=args) + query)
        self.assertEqual(response.status_code, 200)
        return response

    def test_only_staff(self):
        others = [self.researcher, self.annotator_1, self.outsider]
        for name, *args in (
            ("translations",),
            ("translation-catalog", "de"),
            ("translation-file", "de"),
            ("translation-text", "de", TEXT),
            ("translation-screen", "de", TEXT, "esa"),
        ):
            for user in others:
                self.assertEqual(self.get_as(user, name, *args).status_code, 403, name)
            self.assertEqual(self.get_as(None, name, *args).status_code, 302, name)

    def test_languages_with_their_states(self):
        rows = self.page("translations").context["rows"]
        self.assertEqual([code for code, *_ in rows][:2], ["de", "cs"])
        self.assertEqual(len(rows), 11)
        self.assertContains(self.page("account"), reverse("translations"))

    def test_a_list_is_narrowed(self):
        found = self.page("translation-catalog", "de", query="?words=absenden")
        self.assertIn("Submit and go on", [text.text for text, _ in found.context["rows"]])
        found = self.page("translation-catalog", "de", query="?screen=note")
        self.assertIn("Skip this item", {text.text for text, _ in found.context["rows"]})
        found = self.page("translation-catalog", "de", query="?screen=-&words=password+holds")
        self.assertEqual([text.key for text, _ in found.context["rows"]][-1], HELD_BACK)
        found = self.page("translation-catalog", "de", query="?words=xyzzy")
        self.assertContains(found, "No text is like that.")

    def test_a_text_stands_beside_a_screen_that_shows_it(self):
        found = self.page("translation-text", "de", TEXT)
        address = reverse("translation-screen", args=["de", TEXT, "adequacy-fluency"])
        self.assertContains(found, f'<iframe src="{address}"')
        self.assertContains(found, "Absenden und weiter")
        found = self.page("translation-text", "de", TEXT, query="?screen=mqm")
        self.assertEqual(found.context["chosen"].slug, "mqm")

    def test_a_text_without_a_screen_stands_among_those_of_its_file(self):
        found = self.page("translation-text", "de", HELD_BACK)
        self.assertNotContains(found, "<iframe")
        beside = [each.key for each in found.context["beside"]]
        self.assertIn(HELD_BACK, beside)
        self.assertGreater(len(beside), 1)

    def test_a_screen_is_lit_up_framed_here_alone_and_sends_nothing(self):
        found = self.page("translation-screen", "de", TEXT, "adequacy-fluency")
        self.assertContains(found, '<mark class="lit">Absenden und weiter</mark>')
        self.assertContains(found, "css/lit.css")
        self.assertEqual(found["X-Frame-Options"], "SAMEORIGIN")
        policy = found["Content-Security-Policy"]
        self.assertIn("frame-ancestors 'self'", policy)
        self.assertIn("form-action 'none'", policy)
        self.assertIn("script-src 'self'", policy)

    def test_a_screen_in_arabic_runs_from_right_to_left(self):
        found = self.page("translation-screen", "ar", TEXT, "mqm")
        self.assertContains(found, 'lang="ar-x-marked" dir="rtl"')

    def test_a_mail_is_a_page_too(self):
        text = key_of("A new password for mteval")
        found = self.page("translation-screen", "de", text, "password-letter")
        self.assertContains(found, '<mark class="lit">Ein neues Passwort für mteval</mark>')

    def test_the_file_is_that_of_the_repository(self):
        found = self.page("translation-file", "de")
        self.assertEqual(b"".join(found.streaming_content), path_of("de").read_bytes())

    def test_what_is_not_there(self):
        for name, *args in (
            ("translation-catalog", "en"),
            ("translation-catalog", "tlh"),
            ("translation-text", "de", "0000000000"),
            ("translation-screen", "de", TEXT, "nowhere"),
        ):
            self.assertEqual(self.get_as(self.owner, name, *args).status_code, 404, args)
