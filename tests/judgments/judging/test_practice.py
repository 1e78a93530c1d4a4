"""Tutorial items: who writes them, what annotators see and when, that nothing of it counts."""

import json

from django.urls import reverse

from judgments.judging.practice.practice import version_of
from judgments.models import Membership, Practice, Task

from .judge_pages import JudgingTestCase, answers, everything_stored

FIRST = {
    "source": "Es regnet.",
    "reference": "It is raining.",
    "outputs": ["It rains.", "Rain it."],
    "expected": {"output1-adequacy": 5, "output2-fluency": [1, 2]},
    "feedback": "The second is **no** English. <script>x</script>",
}
SECOND = {"source": "Es schneit.", "outputs": ["Snow."]}


class PracticeTestCase(JudgingTestCase):
    def write(self, *rows, user=None, campaign=None):
        text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
        campaign = campaign or self.campaign
        data = {"items": text, "version": version_of(campaign)}
        return self.post_as(user or self.owner, "campaign-practice", campaign.pk, data=data)

    def practice(self, number, data):
        return self.post_as(self.annotator_1, "judge-practice", self.campaign.pk, number, data=data)


class ManagerTest(PracticeTestCase):
    def test_only_owners_write_them(self):
        for user, status in (
            (None, 302),
            (self.outsider, 404),
            (self.annotator_1, 403),
            (self.researcher, 403),
        ):
            with self.subTest(user=user):
                got = self.get_as(user, "campaign-practice", self.campaign.pk)
                self.assertEqual(got.status_code, status)
                response = self.post_as(user, "campaign-practice", self.campaign.pk, data={})
                self.assertEqual(response.status_code, status)

    def test_they_are_written_shown_and_written_anew(self):
        self.assertEqual(self.write(FIRST, "", SECOND).status_code, 302)
        self.assertEqual(list(Practice.objects.values_list("position", flat=True)), [0, 1])
        page = self.get_as(self.owner, "campaign-practice", self.campaign.pk)
        self.assertContains(page, "Es schneit.")
        self.write(SECOND)
        self.assertEqual(Practice.objects.get().outputs, ["Snow."])
        self.write()
        self.assertFalse(Practice.objects.exists())

    def test_without_a_version_nothing_is_saved(self):
        address, data = "campaign-practice", {"items": json.dumps(SECOND)}
        response = self.post_as(self.owner, address, self.campaign.pk, data=data)
        self.assertContains(response, "Open this page again", status_code=422)
        self.assertFalse(Practice.objects.exists())

    def test_what_is_wrong_is_said_with_its_line_and_nothing_is_stored(self):
        one = ["It rains."]
        for bad, words in (
            ("{", "not JSON"),
            ("[" * 100_000, "not JSON"),
            ("[]", "JSON object"),
            ({"outputs": one, "answer": 1}, "JSON object"),
            ({"source": 3, "outputs": one}, "“source” must be text"),
            ({"source": "a\0b", "outputs": one}, "“source” must be text"),
            ({"source": "x"}, "must be a list of translations"),
            ({"outputs": "It rains."}, "must be a list of translations"),
            ({"outputs": [""]}, "must be a list of translations"),
            ({"outputs": []}, "write 1 to 5 translations; these are 0"),
            ({"outputs": one * 6}, "these are 6"),
            ({"outputs": one, "expected": []}, "“expected” must be an object"),
            ({"outputs": one, "expected": {"output2-fluency": 1}}, "the screen has no"),
            ({"outputs": one, "expected": {"output1-fluency": {"from": 1}}}, "from and to"),
            ({"outputs": one, "expected": {"output1-fluency": None}}, "from and to"),
            ({"source": "\ud800", "outputs": one}, "“source” must be text"),
            ({"outputs": ["\ud800"]}, "must be a list of translations"),
            *(
                ({"outputs": one, "expected": {"output1-fluency": value}}, "“expected” has")
                for value in (
                    "\0",
                    "\ud800",
                    float("inf"),
                    10**400,
                    {"from": float("nan"), "to": 1},
                )
            ),
            ('{"outputs": ["A"], "expected": ' + '{"a":' * 100 + "1" + "}" * 101, "“expected” has"),
        ):
            with self.subTest(str(bad)[:40]):
                response = self.write(SECOND, bad)
                self.assertContains(response, "Line 2: ", status_code=422)
                self.assertContains(response, words, status_code=422)
        self.assertContains(self.write(*[SECOND] * 101), "at most 100", status_code=422)
        self.assertFalse(Practice.objects.exists())

    def test_a_comparison_needs_two(self):
        self.assertContains(self.write(SECOND, campaign=self.pairwise), "2 to 2", status_code=422)
        two = {"outputs": ["A", "B"], "expected": {"preference": [0, 1]}}
        self.assertEqual(self.write(two, campaign=self.pairwise).status_code, 302)


class AnnotatorTest(PracticeTestCase):
    def setUp(self):
        super().setUp()
        self.write(FIRST, SECOND)

    def entry(self):
        return self.get_as(self.annotator_1, "judge", self.campaign.pk)

    def url(self, number):
        return reverse("judge-practice", args=[self.campaign.pk, number])

    def test_only_annotators_practice(self):
        for user, status in (
            (None, 302), (self.outsider, 404), (self.owner, 403), (self.researcher, 403)
        ):  # fmt: skip
            for method in (self.get_as, self.post_as):
                response = method(user, "judge-practice", self.campaign.pk, 1)
                self.assertEqual(response.status_code, status)
        self.assertEqual(
            self.get_as(self.annotator_1, "judge-practice", self.campaign.pk, 3).status_code, 404
        )

    def test_practice_comes_first_and_does_not_count(self):
        before = everything_stored()[:-1]
        self.assertRedirects(self.entry(), self.url(1))
        page = self.client.get(self.url(1))
        self.assertContains(page, "does not count")
        self.assertContains(page, "Es regnet.")
        self.assertNotContains(page, "no English")
        self.assertNotContains(page, "expected&quot;")
        self.assertRedirects(self.entry(), self.url(1))
        self.practice(1, answers(5, n_outputs=2))
        self.assertRedirects(self.entry(), self.url(2))
        self.practice(2, answers(3, n_outputs=1))
        self.assertRedirects(self.entry(), self.item_url(1))
        self.practice(1, answers(5, n_outputs=2))  # once more for oneself
        self.assertRedirects(self.entry(), self.item_url(1))
        self.assertEqual(everything_stored()[:-1], before)
        other = Membership.objects.get(user=self.annotator_2, campaign=self.campaign)
        self.assertEqual(other.n_practiced, 0)

    def test_one_score_is_to_be_above_another(self):
        above = {"from": 2, "to": 5, "above": "output2-adequacy"}
        self.write(FIRST | {"expected": {"output1-adequacy": above}})
        given = answers(4, n_outputs=2)
        self.assertContains(self.practice(1, given), "Not quite")  # both are 4
        self.assertContains(self.practice(1, given), "2 to 5, &gt; ")
        right = self.practice(1, given | {"output2-adequacy": "3"})
        self.assertNotContains(right, "Not quite")
        for unknown in ({"above": "output9-adequacy"}, {"above": 1}, {"from": 1, "above": "x"}):
            row = FIRST | {"expected": {"output1-adequacy": unknown}}
            self.assertContains(self.write(row), "must be a value", status_code=422)

    def test_nobody_skips_ahead(self):
        response = self.practice(2, answers(3, n_outputs=1))
        self.assertEqual(response["Location"], reverse("judge", args=[self.campaign.pk]))
        self.assertRedirects(self.entry(), self.url(1))
        Task.objects.filter(annotator=self.annotator_1).update(annotator=None)
        self.post_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertFalse(Task.objects.filter(annotator=self.annotator_1).exists())

    def test_feedback_says_what_was_expected(self):
        wrong = self.practice(1, answers(5, n_outputs=2))
        self.assertContains(wrong, "Not quite")
        self.assertContains(wrong, "Incomprehensible / Disfluent English")
        self.assertContains(wrong, "✗", count=1)
        self.assertContains(wrong, "<strong>no</strong> English")
        self.assertNotContains(wrong, "<script>x")
        right = self.practice(1, answers(5, n_outputs=2) | {"output2-fluency": "2"})
        self.assertContains(right, "<h1>Right</h1>", html=True)

    def test_a_bad_answer_comes_back_and_is_no_practice(self):
        response = self.practice(1, answers(5, n_outputs=2) | {"output2-fluency": "9"})
        self.assertContains(response, "some answers are missing", status_code=400)
        self.assertEqual(
            Membership.objects.get(user=self.annotator_1, campaign=self.campaign).n_practiced, 0
        )

    def test_a_range_of_a_slider(self):
        self.campaign.preset, self.campaign.protocol = "direct-assessment", "rating"
        self.campaign.options = {}
        self.campaign.save()
        row = {"outputs": ["It rains."], "expected": {"output1-da": {"from": 60, "to": 100}}}
        self.write(row)
        for value, mark in ((60, "✓"), (59, "✗"), (100, "✓")):
            self.assertContains(self.practice(1, {"output1-da": str(value)}), mark)
        self.assertContains(self.practice(1, {"output1-da": "59"}), "60 to 100")

    def test_a_closed_campaign_has_no_practice(self):
        self.set_status("closed")
        self.assertRedirects(
            self.practice(1, answers(5, n_outputs=2)), reverse("judge", args=[self.campaign.pk])
        )
