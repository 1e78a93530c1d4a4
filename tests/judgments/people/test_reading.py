"""A person's settings of the judging screen, and the language that pages speak."""

from django.conf import settings
from django.urls import reverse

from judgments.models import ReadingSettings
from judgments.people.reading.own_keys import COMMANDS
from tests.base import CastTestCase

GOOD = {"text_size": "130", "theme": "dark", "span_unit": "character", "language": "de"}


class SettingsTest(CastTestCase):
    def save(self, **changes):
        return self.post_as(self.annotator_1, "reading-settings", data=GOOD | changes)

    def test_only_who_is_signed_in_has_settings(self):
        for response in (
            self.get_as(None, "reading-settings"),
            self.post_as(None, "reading-settings", data=GOOD),
        ):
            self.assertEqual(response.status_code, 302)
            self.assertIn("/sign-in/", response["Location"])
        self.assertFalse(ReadingSettings.objects.exists())

    def test_they_are_stored_once_and_for_oneself(self):
        following = reverse("judge-item", args=[self.campaign.pk, 2])
        self.assertRedirects(self.save(next=following), following)
        self.save(text_size="90")
        stored = ReadingSettings.objects.get()
        self.assertEqual((stored.user, stored.text_size), (self.annotator_1, 90))
        page = self.client.get(following)
        self.assertContains(page, 'data-theme="dark"')
        self.assertContains(page, 'data-text-size="90"')
        self.assertContains(page, 'data-span-unit="character"')
        other = self.get_as(self.annotator_2, "judge-item", self.campaign.pk, 1)
        self.assertNotContains(other, "data-theme")

    def test_going_on_by_itself_is_on_until_it_is_turned_off(self):
        def body():
            page = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1)
            return page.content.decode().partition("<body")[2].partition(">")[0]

        self.assertIn("data-goes-on", body())
        self.save(goes_on="on")
        self.assertIn("data-goes-on", body())
        self.save()
        self.assertNotIn("data-goes-on", body())

    def test_the_key_of_the_screen_changes_one_setting(self):
        self.save(text_size="130")
        answer = self.post_as(self.annotator_1, "compared-texts", data={"compared_texts": "list"})
        self.assertEqual(answer.status_code, 204)
        stored = ReadingSettings.objects.get()
        self.assertEqual((stored.compared_texts, stored.text_size), ("list", 130))
        page = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1)
        self.assertContains(page, 'data-compared-texts="list"')
        bad = self.post_as(self.annotator_1, "compared-texts", data={"compared_texts": "board"})
        self.assertEqual(bad.status_code, 422)
        self.assertEqual(self.post_as(None, "compared-texts", data={}).status_code, 302)

    def test_comfort_is_on_the_page_of_who_asked_for_it(self):
        self.save(line_spacing="wide", typeface="legible", contrast="more", reminds_of_breaks="on")
        page = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1)
        for part in (
            'data-line-spacing="wide"',
            'data-typeface="legible"',
            'data-contrast="more"',
            'id="break"',
        ):
            self.assertContains(page, part)
        other = self.get_as(self.annotator_2, "judge-item", self.campaign.pk, 1)
        self.assertNotContains(other, "data-typeface")
        self.assertNotContains(other, 'id="break"')

    def test_the_widths_of_the_source_are_kept_alone(self):
        self.save()
        for sent, kept in (
            ({"source_pane": "55", "source_column": ""}, (55, None)),
            ({"source_pane": "", "source_column": "150"}, (None, 150)),
        ):
            answer = self.post_as(self.annotator_1, "column-widths", data=sent)
            self.assertEqual(answer.status_code, 204)
            stored = ReadingSettings.objects.get()
            self.assertEqual((stored.source_pane, stored.source_column), kept)
            self.assertEqual((stored.text_size, stored.theme), (130, "dark"))
        page = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1)
        self.assertContains(page, 'data-source-column="150"')
        self.assertNotContains(page, "data-source-pane")
        for bad in ({"source_pane": "71"}, {"source_column": "49"}, {"source_pane": "x"}):
            answer = self.post_as(self.annotator_1, "column-widths", data=bad)
            self.assertEqual(answer.status_code, 422)
        self.assertEqual(self.post_as(None, "column-widths", data={}).status_code, 302)

    def test_bad_values_are_refused(self):
        for name, bad in (
            ("text_size", "1000"),
            ("text_size", ""),
            ("text_size", "x"),
            ("theme", "pink"),
            ("span_unit", ""),
            ("sentence_steps", "maybe"),
            ("compared_texts", "maybe"),
            ("line_spacing", "huge"),
            ("typeface", "comic"),
            ("contrast", "less"),
            ("language", "xx"),
        ):
            with self.subTest(name=name, bad=bad):
                self.assertEqual(self.save(**{name: bad}).status_code, 422)
        self.assertFalse(ReadingSettings.objects.exists())

    def test_one_is_not_led_to_another_site(self):
        away_from_here = (
            "https://elsewhere.example/",
            "//elsewhere.example/",
            "javascript:alert(1)",
        )
        for away in (*away_from_here, "home-of-nobody", "a\0b"):
            self.assertRedirects(self.save(next=away), reverse("home"))


class OwnKeysTest(CastTestCase):
    def save(self, **changes):
        data = {f"key_{usual}": usual for usual in COMMANDS} | changes
        return self.post_as(self.annotator_1, "own-keys", data=data)

    def stored(self) -> str:
        return ReadingSettings.objects.get().own_keys

    def test_only_who_is_signed_in_has_keys(self):
        for response in (self.get_as(None, "own-keys"), self.post_as(None, "own-keys", data={})):
            self.assertEqual(response.status_code, 302)
            self.assertIn("/sign-in/", response["Location"])
        self.assertFalse(ReadingSettings.objects.exists())

    def test_they_are_kept_for_oneself_beside_the_other_settings(self):
        self.post_as(self.annotator_1, "reading-settings", data=GOOD)
        following = reverse("judge-item", args=[self.campaign.pk, 1])
        self.assertRedirects(self.save(key_x="q", key_j="K", key_k="j", next=following), following)
        self.assertEqual(self.stored(), "jk kj xq")
        self.assertContains(self.client.get(following), 'data-own-keys="jk kj xq"')
        other = self.get_as(self.annotator_2, "judge-item", self.campaign.pk, 1)
        self.assertNotContains(other, "data-own-keys")
        self.assertContains(self.get_as(self.annotator_1, "own-keys"), 'value="q"')
        self.post_as(self.annotator_1, "reading-settings", data=GOOD)
        self.assertEqual(self.stored(), "jk kj xq")
        self.save()
        self.assertEqual(self.stored(), "")

    def test_a_letter_has_one_command(self):
        answer = self.save(key_x="n")
        self.assertContains(
            answer, "“n” is already the key for “next item, without submitting”.", status_code=422
        )
        for key, words in (
            ("7", "“7” is not a letter."),
            (".", "“.” is not a letter."),
            ("d", "“d” deletes errors and underlines differences."),
        ):
            self.assertContains(self.save(key_x=key), words, status_code=422)
        for bad in ("", " ", "qq", "\0"):
            self.assertEqual(self.save(key_x=bad).status_code, 422)
        self.assertFalse(ReadingSettings.objects.exists())

    def test_the_usual_keys_come_back(self):
        self.save(key_x="q")
        self.save(key_x="n", reset="1")
        self.assertEqual(self.stored(), "")

    def test_letters_of_all_scripts(self):
        self.save(key_x="Ж", key_s="é")
        self.assertEqual(self.stored(), "xж sé")


class LanguageTest(CastTestCase):
    def language_of(self, user, name, *args, **headers):
        return self.get_as(user, name, *args, headers=headers)["Content-Language"]

    def test_annotators_pages_follow_the_browser(self):
        asks = {"accept-language": "ar,de;q=0.5"}
        response = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1, headers=asks)
        self.assertContains(response, '<html lang="ar" dir="rtl"')
        self.assertEqual(self.language_of(None, "login", **asks), "ar")
        self.assertEqual(self.language_of(self.annotator_1, "home", **asks), "ar")
        self.assertEqual(self.language_of(None, "login", **{"accept-language": "sv"}), "en")

    def test_the_pages_of_those_who_run_campaigns_are_in_english(self):
        asks = {"accept-language": "de"}
        for name, *rest in (("home",), ("campaigns",), ("scores", self.campaign.pk)):
            self.assertEqual(self.language_of(self.owner, name, *rest, **asks), "en", name)

    def test_files_do_not_depend_on_the_language_of_the_browser(self):
        pk = self.campaign.pk
        for name, *rest in (
            ("export-json", pk),
            ("export-observations", pk),
            ("export-table", pk, "segment-scores"),
            ("chart", pk, "annotators", "svg"),
            ("api-scores", pk),
        ):
            with self.subTest(name=name):
                asked = self.get_as(self.owner, name, *rest, headers={"accept-language": "de"})
                self.assertEqual(asked.status_code, 200)
                self.assertEqual(asked["Content-Language"], "en")

    def test_the_chosen_language_comes_before_the_browsers_and_along_to_other_devices(self):
        self.post_as(self.annotator_1, "reading-settings", data=GOOD | {"language": "cs"})
        asks = {"accept-language": "ar"}
        self.assertEqual(self.language_of(self.annotator_1, "home", **asks), "cs")
        self.client.cookies.clear()
        self.client.post(
            reverse("login"), {"username": "annotator-1", "password": "correct horse battery"}
        )
        self.assertEqual(self.client.cookies[settings.LANGUAGE_COOKIE_NAME].value, "cs")
        self.post_as(self.annotator_1, "reading-settings", data=GOOD | {"language": ""})
        self.assertEqual(self.client.cookies[settings.LANGUAGE_COOKIE_NAME].value, "")
