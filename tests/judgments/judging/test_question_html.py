"""Questions are drawn once for all screens, so what differs between screens is part of the key."""

import re

from django.urls import reverse

from judgments.templatetags import protocols

from .judge_pages import JudgingTestCase, answers, rows_in, ticket_in

CHECKED = re.compile(r'name="(output\d-\w+)" value="(\d)"[^>]* checked>')


class QuestionHtmlTest(JudgingTestCase):
    def setUp(self):
        super().setUp()
        self.client.force_login(self.annotator_1)

    def row(self, number: int, language: str = "en") -> str:
        headers = {"X-Rows": str(number), "Accept-Language": language}
        (row,) = rows_in(self.client.get(self.item_url(number), headers=headers))
        return row

    def test_each_language_has_its_own(self):
        for _ in range(2):
            self.assertIn("of translation 1", self.row(1))
            self.assertNotIn("of translation 1", self.row(1, "de"))
            self.assertIn("von Übersetzung 1", self.row(1, "de"))

    def test_what_was_answered_is_on_the_screen_of_that_item_alone(self):
        for value in (4, 2):
            self.answer(2, answers(value))
            expected = {(name, str(value)) for name in answers()}
            self.assertEqual(set(CHECKED.findall(self.row(2))), expected)
            for other in (1, 3):
                self.assertEqual(CHECKED.findall(self.row(other)), [])

    def test_an_error_stands_at_its_question_and_nowhere_later(self):
        data = answers()
        del data["output2-fluency"]
        refused = self.answer(1, data, ticket=ticket_in(self.open(1))).content.decode()
        (place,) = re.findall(r'class="question has-error" id="q-([\w-]+)"', refused)
        self.assertEqual(place, "output2-fluency")
        self.assertEqual(len(CHECKED.findall(refused)), 5)
        for number in (1, 2):
            self.assertNotIn("has-error", self.row(number))

    def test_nothing_that_is_sent_stays_in_memory(self):
        self.open(1)
        trial = reverse("trial-item", args=[1])
        self.client.get(trial)
        kept = protocols.drawn_once.cache_info().currsize
        ticket = ticket_in(self.open(1))
        for value in ("6", "x" * 1000, "<b>"):
            refused = self.answer(1, answers(value), ticket=ticket)
            self.assertEqual(refused.status_code, 400)
        self.client.post(trial, {"output1-score": "y" * 1000})
        self.assertEqual(protocols.drawn_once.cache_info().currsize, kept)
