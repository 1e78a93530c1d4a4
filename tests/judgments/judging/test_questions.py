"""The pages of a campaign's questions: who may read and change them, and what annotators see."""

import json

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.models import Answer, Item, Question
from judgments.protocols.questions.form import field_name
from tests import factory
from tests.base import CastTestCase
from tests.judgments.judging.judge_pages import ticket_in

RIGHT = "forty-two-swans"
PAGES = ("questions",)
POSTS = ("questions-import", "question-new")


class QuestionsTestCase(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.asking = factory.make_campaign(
            cls.test_set,
            preset="comprehension",
            name="Asking",
            owner=cls.owner,
            researchers=[cls.researcher],
            annotators=[cls.annotator_1, cls.annotator_2],
        )
        cls.documents = list(cls.test_set.documents.all())
        rows = [
            (0, 1, "How many swans?", ["forty-one", RIGHT], [RIGHT]),
            (0, 3, "What for?", [], ["for-the-secret-key"]),
            (0, 2, "Who came?", [], []),
        ]
        cls.questions = [
            Question.objects.create(
                campaign=cls.asking,
                document=cls.documents[document],
                position=position,
                level=level,
                text=text,
                choices=choices,
                right=right,
            )
            for position, (document, level, text, choices, right) in enumerate(rows)
        ]

    def data(self, prefix="question-", **changes):
        fields = {
            "document": str(self.documents[1].pk),
            "level": "2",
            "text": "Who rowed?",
            "choices": "",
            "right": "",
        } | changes
        return {f"{prefix}{name}": value for name, value in fields.items()}


class PagesTest(QuestionsTestCase):
    def test_who_may(self):
        question = self.questions[0].pk
        for name in PAGES:
            self.assert_refused(name, self.asking.pk)
            self.assertEqual(self.get_as(self.researcher, name, self.asking.pk).status_code, 200)
        self.assert_refused("question-edit", self.asking.pk, question)
        for name, *rest in (*((name,) for name in POSTS), ("question-delete", question)):
            self.assert_refused(name, self.asking.pk, *rest, method="post")
            self.assert_post_only(name, self.asking.pk, *rest)
        for name, *rest in (*((name,) for name in POSTS), ("question-delete", question)):
            response = self.post_as(self.researcher, name, self.asking.pk, *rest)
            self.assertEqual(response.status_code, 403)
        self.assertEqual(self.asking.questions.count(), 3)

    def test_other_campaigns_have_none(self):
        for name in PAGES:
            self.assertEqual(self.get_as(self.owner, name, self.campaign.pk).status_code, 404)
        response = self.post_as(self.owner, "question-new", self.campaign.pk, data=self.data())
        self.assertEqual(response.status_code, 404)
        self.assertEqual(
            self.get_as(self.owner, "import-judgments", self.asking.pk).status_code, 404
        )
        other = factory.make_campaign(self.test_set, preset="comprehension", owner=self.owner)
        response = self.get_as(self.owner, "question-edit", other.pk, self.questions[0].pk)
        self.assertEqual(response.status_code, 404)

    def test_adding_changing_deleting(self):
        response = self.post_as(self.owner, "question-new", self.asking.pk, data=self.data())
        self.assertRedirects(response, reverse("questions", args=[self.asking.pk]))
        new = Question.objects.get(text="Who rowed?")
        self.assertEqual((new.document, new.position, new.level), (self.documents[1], 0, 2))
        data = self.data("", document=str(self.documents[0].pk), right="Ada\nBela\n")
        self.post_as(self.owner, "question-edit", self.asking.pk, new.pk, data=data)
        new.refresh_from_db()
        self.assertEqual(
            (new.document, new.position, new.right), (self.documents[0], 3, ["Ada", "Bela"])
        )
        self.post_as(self.owner, "question-delete", self.asking.pk, new.pk)
        self.assertFalse(Question.objects.filter(pk=new.pk).exists())

    def test_bad_values(self):
        for changes, words in (
            ({"document": "0"}, "Select a valid choice"),
            ({"level": "4"}, "Select a valid choice"),
            ({"text": " "}, "This field is required"),
            ({"text": "x" * 2001}, "at most 2000 characters"),
            ({"text": "a\0b"}, "Null characters"),
            ({"choices": "one"}, "One choice is not enough"),
            ({"choices": "one\none", "right": "one"}, "listed twice"),
            ({"choices": "one\ntwo"}, "Say which of the choices"),
            ({"choices": "one\ntwo", "right": "three"}, "is not one of the choices"),
            ({"right": "so", "untold": "on"}, "Either an answer is right"),
            (
                {"document": str(self.documents[0].pk), "text": "Who came?"},
                "already has this question",
            ),
        ):
            with self.subTest(changes):
                data = self.data(**changes)
                response = self.post_as(self.owner, "question-new", self.asking.pk, data=data)
                self.assertContains(response, words, status_code=422)
        self.assertEqual(self.asking.questions.count(), 3)

    def test_a_table(self):
        text = "document\tlevel\tquestion\ndoc1\t1\tWho sang?\n"
        file = SimpleUploadedFile("questions.tsv", text.encode())
        data = {"file": file, "replace": "on"}
        self.post_as(self.owner, "questions-import", self.asking.pk, data=data)
        self.assertEqual([q.text for q in self.asking.questions.all()], ["Who sang?"])
        file = SimpleUploadedFile("questions.tsv", b"document\tlevel\tquestion\ndoc7\t1\tWho?\n")
        response = self.post_as(self.owner, "questions-import", self.asking.pk, data={"file": file})
        self.assertContains(response, "row 2, column document", status_code=422)
        response = self.post_as(self.owner, "questions-import", self.asking.pk)
        self.assertContains(response, "This field is required", status_code=422)

    def test_what_was_asked_stays(self):
        task = factory.make_task(self.asking, self.annotator_1, n_outputs=1)
        factory.judge(task.items.first(), {})
        before = list(Question.objects.values())
        question = self.questions[0].pk
        self.post_as(self.owner, "question-delete", self.asking.pk, question)
        for name, rest in (("question-new", []), ("question-edit", [question])):
            prefix = "question-" if name == "question-new" else ""
            data = self.data(prefix)
            response = self.post_as(self.owner, name, self.asking.pk, *rest, data=data)
            self.assertContains(response, "cannot be changed", status_code=422)
        self.assertEqual(list(Question.objects.values()), before)
        page = self.get_as(self.owner, "questions", self.asking.pk)
        self.assertNotContains(page, "Add the question")

    def test_the_empty_page_says_what_to_do(self):
        Question.objects.all().delete()
        self.assertContains(
            self.get_as(self.owner, "questions", self.asking.pk), "No questions yet"
        )


class JudgingTest(QuestionsTestCase):
    """An annotator reads the first document in the translation of System-B."""

    def setUp(self):
        segments = list(self.documents[0].segments.all())
        self.task = factory.make_task(self.asking, self.annotator_1, segments=segments[:1])
        item = self.task.items.get()
        item.shown.all().delete()
        self.outputs = [s.outputs.get(system__name="System-B") for s in segments]
        for place, output in enumerate(self.outputs):
            item.shown.create(output=output, position=place)

    def named(self, data):
        """The data under the names of the form's fields, which tell the questions apart."""
        names = [field_name(q.pk, q.text, q.choices) for q in self.questions]
        return {names[int(name[8]) - 1] + name[9:]: value for name, value in data.items()}

    def answer(self, **data):
        page = self.get_as(self.annotator_1, "judge-item", self.asking.pk, 1)
        data = self.named(data) | {"ticket": ticket_in(page)}
        return self.post_as(self.annotator_1, "judge-item", self.asking.pk, 1, data=data)

    def test_the_screen_holds_the_translation_and_the_questions_alone(self):
        # Even where the campaign's options ask for more.
        self.asking.options = {"show_source": True, "show_reference": True}
        self.asking.save()
        self.answer(**{"question1": "1", "question2": "none", "question3-text": "Ada"})
        for name, rest in (("judge-item", [1]), ("judge-instructions", []), ("judge-items", [])):
            page = self.get_as(self.annotator_1, name, self.asking.pk, *rest).content.decode()
            for secret in ("for-the-secret-key", "System-", "Quelltext", "stands here .", "Facts"):
                self.assertNotIn(secret, page, name)
        page = self.get_as(self.annotator_1, "judge-item", self.asking.pk, 1)
        for output in self.outputs:
            self.assertContains(page, output.text)
        self.assertContains(page, RIGHT, count=1)  # as one of the choices, and nothing marks it
        for name in ("api-campaign", "api-scores", "questions"):
            response = self.get_as(self.annotator_1, name, self.asking.pk)
            self.assertEqual(response.status_code, 403)

    def test_equal_sentences_of_a_document_are_all_there(self):
        for output in self.outputs:
            output.text = "The same again."
            output.save()
        page = self.get_as(self.annotator_1, "judge-item", self.asking.pk, 1)
        self.assertContains(page, "The same again.", count=len(self.outputs))

    def test_what_is_chosen_is_stored_and_graded(self):
        page = self.get_as(self.annotator_1, "judge-item", self.asking.pk, 1)
        choices = page.context["form"].questions[0][2]
        self.assertEqual(sorted(choices), sorted(["forty-one", RIGHT]))
        self.answer(
            **{
                "question1": str(choices.index(RIGHT) + 1),
                "question2-text": "For the SECRET-key",
                "question3-text": "Ada",
            }
        )
        rows = Answer.objects.order_by("question__position")
        self.assertEqual(
            list(rows.values_list("text", "is_right")),
            [(RIGHT, True), ("For the SECRET-key", False), ("Ada", None)],
        )
        self.assertEqual({row.output for row in rows}, {self.outputs[0]})
        self.answer(
            **{"question1": "none", "question2-text": "for-the-secret-key.", "question3": "none"}
        )
        rows = Answer.objects.filter(judgment__superseded_by=None).order_by("question__position")
        self.assertEqual(
            list(rows.values_list("text", "is_right")),
            [("", False), ("for-the-secret-key.", True), ("", False)],
        )

    def test_the_answer_of_the_site_tells_nothing(self):
        page = self.get_as(self.annotator_1, "judge-item", self.asking.pk, 1)
        data = self.named({"question1": "1", "question2": "none", "question3": "none"})
        response = self.client.post(
            reverse("judge-item", args=[self.asking.pk, 1]),
            data | {"ticket": ticket_in(page)},
            headers={"Accept": "application/json"},
        )
        self.assertNotIn("right", json.dumps(response.json()))

    def test_what_is_missing_is_named(self):
        response = self.answer(**{"question1": "9", "question2-text": "x"})
        self.assertContains(response, "Not stored yet", status_code=400)
        (first, *_) = self.named({"question1": ""})
        self.assertContains(response, f'href="#q-{first}"', status_code=400)
        self.assertContains(response, f'id="q-{first}"', status_code=400)
        self.assertContains(response, "“The text does not say”", status_code=400)
        self.assertFalse(Answer.objects.exists())
        self.assertFalse(Item.objects.get(task=self.task).is_judged)


class PlanningTest(QuestionsTestCase):
    def test_from_the_questions_to_the_plan(self):
        page = self.get_as(self.owner, "campaign-design", self.asking.pk)
        self.assertContains(page, reverse("questions", args=[self.asking.pk]))
        data = {"batch_items": 30, "seats": 1, "seed": 1}
        preview = self.post_as(
            self.owner, "campaign-design", self.asking.pk, data=data | {"preview": "1"}
        )
        # One document has questions, three of them; three systems translated it.
        self.assertContains(preview, "<dd>9</dd>")
        self.post_as(self.owner, "campaign-design", self.asking.pk, data=data)
        self.assertEqual(self.asking.tasks.count(), 3)
        other = factory.make_campaign(self.test_set, preset="comprehension", owner=self.owner)
        page = self.post_as(self.owner, "campaign-design", other.pk, data=data)
        self.assertContains(page, "There are no questions yet")
