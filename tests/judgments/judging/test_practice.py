"""Tutorial items: who writes them, what annotators see and when, that none of it counts."""

from django.urls import reverse

from judgments.judging.practice.practice import read_rows, replace, rows_of
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


def said_by(draft):
    """What a browser sends of the page of an item when nothing is changed."""
    forms = [draft.texts, *([draft.expected] if draft.expected else [])]
    values = {each.html_name: each.value() for form in forms for each in form}
    return {name: value for name, value in values.items() if value is not None}


class PracticeTestCase(JudgingTestCase):
    def write(self, *rows, campaign=None):
        campaign = campaign or self.campaign
        replace(campaign, read_rows(campaign, rows))

    def practice(self, number, data):
        return self.post_as(self.annotator_1, "judge-practice", self.campaign.pk, number, data=data)


class ManagerTest(PracticeTestCase):
    """Items are written in forms, one on a page."""

    def save(self, number, *, user=None, campaign=None, status=302, **said):
        """Send the page of an item with what it shows, but for what is said."""
        campaign = campaign or self.campaign
        address = ("campaign-practice-item", campaign.pk, number)
        page = self.get_as(user or self.owner, *address)
        data = said_by(page.context["draft"]) | said
        data = {name: value for name, value in data.items() if value is not None}
        answer = self.post_as(user or self.owner, *address, data=data)
        self.assertEqual(answer.status_code, status, answer.content.decode()[-3000:])
        return answer

    def stored(self, campaign=None):
        return rows_of(campaign or self.campaign)

    def test_only_owners_write_them(self):
        for name, *args in (("campaign-practice",), ("campaign-practice-item", 1)):
            for user, status in (
                (None, 302),
                (self.outsider, 404),
                (self.annotator_1, 403),
                (self.researcher, 403),
            ):
                with self.subTest(name, user=user):
                    got = self.get_as(user, name, self.campaign.pk, *args)
                    self.assertEqual(got.status_code, status)
                    if args:
                        response = self.post_as(user, name, self.campaign.pk, *args, data={})
                        self.assertEqual(response.status_code, status)

    def test_an_item_is_written_then_what_is_expected(self):
        answer = self.save(1, source="Es regnet.", output1="It rains.", feedback="**So**.")
        address = reverse("campaign-practice-item", args=[self.campaign.pk, 1])
        self.assertEqual(answer["Location"], address)
        self.save(1, output2="Rain it.")
        said = {"expected-output1-adequacy": ["5"], "expected-output2-fluency": ["1", "2"]}
        self.save(1, **said)
        wanted = {"reference": "", "feedback": "**So**."} | {
            key: FIRST[key] for key in ("source", "outputs", "expected")
        }
        self.assertEqual(self.stored(), [wanted])
        page = self.get_as(self.owner, "campaign-practice", self.campaign.pk)
        for words in ("Es regnet.", "Rain it.", "Incomprehensible / Disfluent English"):
            self.assertContains(page, words)
        self.assertContains(page, reverse("campaign-practice-item", args=[self.campaign.pk, 2]))

    def test_items_are_moved_and_removed(self):
        for word in "ABC":
            self.save("ABC".index(word) + 1, output1=word)
        self.save(3, place="1")
        self.assertEqual([row["outputs"] for row in self.stored()], [["C"], ["A"], ["B"]])
        self.save(2, remove="1")
        self.assertEqual([row["outputs"] for row in self.stored()], [["C"], ["B"]])
        self.save(1, place="99")
        self.assertEqual([row["outputs"] for row in self.stored()], [["B"], ["C"]])
        for number, status in ((3, 200), (4, 404), (0, 404)):
            page = self.get_as(self.owner, "campaign-practice-item", self.campaign.pk, number)
            self.assertEqual(page.status_code, status)

    def test_what_is_shown_and_sent_again_changes_nothing(self):
        """Also what came with a file and has no place in the form."""
        above = {"from": 2, "to": 5, "above": "output2-adequacy"}
        self.write(FIRST, SECOND, FIRST | {"expected": {"output1-adequacy": above}})
        before = self.stored()
        for number in (1, 2, 3):
            self.save(number)
        self.assertEqual(self.stored(), before)
        page = self.get_as(self.owner, "campaign-practice-item", self.campaign.pk, 3)
        self.assertContains(page, "2 to 5, &gt; ")
        self.save(3, **{"expected-output1-adequacy": ["4"]})
        self.assertEqual(self.stored()[2]["expected"], {"output1-adequacy": 4})

    def test_without_a_version_nothing_is_saved(self):
        answer = self.save(1, output1="Snow.", version=None, status=422)
        self.assertContains(answer, "Reload this page: the form", status_code=422)
        self.write(SECOND)
        self.save(1, remove="1", version=None, status=422)
        self.assertEqual(Practice.objects.count(), 1)

    def test_what_is_wrong_is_said_and_nothing_is_stored(self):
        for said, words in (
            ({}, "This field is required"),
            ({"output1": "x" * 5001}, "at most 5000"),
            ({"output1": "A", "place": "0"}, "greater than or equal to 1"),
            ({"output1": "A", "feedback": "> " * 500 + "x"}, "are nested"),
            ({"output1": "a\0b"}, "Null characters"),
        ):
            with self.subTest(str(said)[:40]):
                self.assertContains(self.save(1, status=422, **said), words, status_code=422)
        self.write(SECOND)
        for said, words in (
            ({"expected-output1-adequacy": ["9"]}, "not one of the available choices"),
            ({"output1": ""}, "This field is required"),
        ):
            self.assertContains(self.save(1, status=422, **said), words, status_code=422)
        self.assertEqual([row["outputs"] for row in self.stored()], [["Snow."]])

    def test_a_range_and_a_score_above_another(self):
        self.campaign.preset, self.campaign.protocol = "contrastive-da", "rating"
        self.campaign.options = {}
        self.campaign.save()
        self.save(1, output1="A", output2="B")
        low, high = "expected-output1-da-from", "expected-output1-da-to"
        self.save(1, **{low: "60", "expected-output2-da-above": "output1-da"})
        expected = {"output1-da": {"from": 60, "to": 100}, "output2-da": {"above": "output1-da"}}
        self.assertEqual(self.stored()[0]["expected"], expected)
        self.save(1)
        self.assertEqual(self.stored()[0]["expected"], expected)
        answer = self.save(1, status=422, **{low: "60", high: "50"})
        self.assertContains(answer, "“From” is greater than “To”", status_code=422)
        self.save(1, **{low: "", high: "", "expected-output2-da-above": ""})
        self.assertEqual(self.stored()[0]["expected"], {})

    def test_a_comparison_needs_two(self):
        answer = self.save(1, campaign=self.pairwise, output1="A", status=422)
        self.assertContains(answer, "This field is required", status_code=422)
        self.save(1, campaign=self.pairwise, output1="A", output2="B")
        self.save(1, campaign=self.pairwise, **{"expected-preference": ["0", "1"]})
        self.assertEqual(self.stored(self.pairwise)[0]["expected"], {"preference": [0, 1]})


class RowsTest(PracticeTestCase):
    """Items that come in a file."""

    def test_what_is_wrong_is_said_with_its_number(self):
        one = ["It rains."]
        for bad, words in (
            ([], "write an object"),
            ({"outputs": one, "answer": 1}, "write an object"),
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
                    [[[[[[1]]]]]],
                )
            ),
        ):
            with self.subTest(str(bad)[:40]), self.assertRaisesMessage(ValueError, words) as said:
                self.write(SECOND, bad)
            self.assertTrue(str(said.exception).startswith("Item 2: "))
        with self.assertRaisesMessage(ValueError, "At most 100"):
            self.write(*[SECOND] * 101)
        self.assertFalse(Practice.objects.exists())


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
            with self.assertRaisesMessage(ValueError, "must be a value"):
                self.write(row)

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
