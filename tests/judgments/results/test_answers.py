"""Answers to questions: accuracy on pages, in files and in the programming interface; grading."""

import csv
import io
import json
import re
import uuid

from django.urls import reverse
from statsmodels.stats.proportion import proportion_confint

from judgments.models import Answer, Decision, Grade, Item, Judgment, Kind
from judgments.protocols.questions.grading import verdict
from judgments.results.answers import grading
from judgments.results.answers.figures import answers_report, readers
from judgments.results.selection.selection import Selection
from tests import factory
from tests.judgments.judging.test_questions import RIGHT, QuestionsTestCase


class AnswersTestCase(QuestionsTestCase):
    """The first question is of choices, the second open with an accepted answer, the third open
    and graded by people."""

    def answer(self, annotator, system, texts, *, kind=Kind.REGULAR, supersedes=None):
        """All three answers of one annotator about the first document."""
        segment = self.documents[0].segments.first()
        output = segment.outputs.get(system__name=f"System-{system}")
        if supersedes:
            item = supersedes.item
        else:
            batch = self.asking.tasks.count() + 1
            task = factory.make_task(
                self.asking, annotator, batch=batch, segments=[segment], n_outputs=1
            )
            item = Item.objects.get(task=task)
            item.kind = kind
            item.save()
        judgment = Judgment.objects.create(
            item=item,
            campaign=self.asking,
            annotator=annotator,
            client_key=uuid.uuid4(),
            active_ms=1500,
            supersedes=supersedes,
            revision=2 if supersedes else 1,
        )
        for question, text in zip(self.questions, texts, strict=True):
            Answer.objects.create(
                judgment=judgment,
                output=output,
                question=question,
                text=text,
                is_right=verdict(question, text),
            )
        return judgment

    def cells(self):
        return {
            (cell.system[-1], cell.level): (cell.n_right, cell.n_wrong, cell.n_ungraded)
            for cell in answers_report(Selection.of(self.asking)).cells
        }


class AccuracyTest(AnswersTestCase):
    def setUp(self):
        self.first = self.answer(self.annotator_1, "A", [RIGHT, "for-the-secret-key", "Ada"])
        self.answer(self.annotator_2, "A", ["", "", "Bela"])
        self.answer(self.annotator_1, "B", ["forty-one", "", ""])

    def test_counts(self):
        self.assertEqual(
            self.cells(),
            {
                ("A", 0): (2, 2, 2),
                ("A", 1): (1, 1, 0),
                ("A", 2): (0, 0, 2),
                ("A", 3): (1, 1, 0),
                ("B", 0): (0, 3, 0),
                ("B", 1): (0, 1, 0),
                ("B", 2): (0, 1, 0),
                ("B", 3): (0, 1, 0),
            },
        )
        report = answers_report(Selection.of(self.asking))
        self.assertEqual(report.systems, ("System-A", "System-B"))
        self.assertEqual([cell.n_untold for cell in report.overall()], [2, 2])
        self.assertEqual((report.n_answers, report.n_ungraded, report.n_annotators), (9, 2, 2))

    def test_intervals_are_those_of_statsmodels(self):
        for cell in answers_report(Selection.of(self.asking)).cells:
            n = cell.n_right + cell.n_wrong
            if n:
                low, high = proportion_confint(cell.n_right, n, method="wilson")
                self.assertAlmostEqual(cell.accuracy.low, low, 12)
                self.assertAlmostEqual(cell.accuracy.high, high, 12)
            else:
                self.assertTrue(cell.accuracy.reason)

    def test_revisions_grades_exclusions_and_kinds(self):
        self.answer(self.annotator_1, "A", [RIGHT, "", ""], supersedes=self.first)
        self.assertEqual(self.cells()["A", 0], (1, 4, 1))
        bela = Answer.objects.get(text="Bela")
        for is_right in (False, True):
            Grade.objects.create(answer=bela, grader=self.owner, is_right=is_right)
        self.assertEqual(self.cells()["A", 0], (2, 4, 0))
        self.answer(self.annotator_2, "B", [RIGHT, "", ""], kind=Kind.CONTROL)
        self.assertEqual(self.cells()["B", 0], (0, 3, 0))
        Decision.objects.create(
            campaign=self.asking, annotator=self.annotator_2, excluded=True, decided_by=self.owner
        )
        self.assertEqual(self.cells()["A", 0], (1, 2, 0))

    def test_the_page(self):
        self.assert_refused("answers", self.asking.pk)
        page = self.get_as(self.researcher, "answers", self.asking.pk)
        self.assertContains(page, "Readers of System-A got 50 % of the answers right, readers of")
        self.assertContains(page, "9 answers by 2 annotators; 2 are waiting for a grade.")
        self.assertContains(page, "3 Nuance and intent")
        self.assertNotContains(page, "No such")
        self.assertEqual(self.get_as(self.owner, "answers", self.campaign.pk).status_code, 404)

    def test_the_empty_page_says_what_to_do(self):
        empty = factory.make_campaign(self.test_set, preset="comprehension", owner=self.owner)
        page = self.get_as(self.owner, "answers", empty.pk)
        self.assertContains(page, "No answers yet")
        self.assertContains(page, reverse("questions", args=[empty.pk]))

    def test_leaving_an_annotator_out_and_taking_them_in_again(self):
        pk = self.asking.pk
        self.assert_refused("answers-decide", pk, method="post")
        self.assert_post_only("answers-decide", pk)
        self.assertEqual(self.post_as(self.researcher, "answers-decide", pk).status_code, 403)
        self.assertEqual(
            self.post_as(self.owner, "answers-decide", self.campaign.pk).status_code, 404
        )
        data = {
            "decision-annotator": self.annotator_2.pk,
            "decision-action": "leave-out",
            "decision-reason": "Typed without reading",
        }
        for changes in (
            {"decision-annotator": self.outsider.pk},
            {"decision-action": "x"},
            {"decision-reason": " "},
            {"decision-action": "take-in"},  # was never left out
        ):
            response = self.post_as(self.owner, "answers-decide", pk, data=data | changes)
            self.assertEqual(response.status_code, 422, changes)
        self.assertFalse(Decision.objects.exists())
        response = self.post_as(self.owner, "answers-decide", pk, data=data)
        self.assertRedirects(response, reverse("answers", args=[pk]))
        page = self.get_as(self.researcher, "answers", pk)
        self.assertContains(page, "Typed without reading")
        self.assertContains(page, "6 answers by 1 annotator")
        everyone = self.get_as(self.researcher, "answers", pk, data={"annotators": "all"})
        self.assertContains(everyone, "9 answers by 2 annotators")
        data["decision-annotator"] = self.annotator_1.pk
        self.post_as(self.owner, "answers-decide", pk, data=data)
        self.assertContains(self.get_as(self.owner, "answers", pk), "All annotators are left out")
        self.post_as(self.owner, "answers-decide", pk, data=data | {"decision-action": "take-in"})
        self.assertEqual(answers_report(Selection.of(self.asking)).n_annotators, 1)

    def test_readers(self):
        one, two = readers(Selection.of(self.asking)).annotators
        self.assertEqual(
            (one.alias, one.n_documents, one.n_right, one.n_wrong, one.n_ungraded, one.n_untold),
            ("annotator-1", 2, 2, 3, 1, 2),
        )
        self.assertEqual((one.median_seconds, two.n_documents), (1.5, 1))

    def test_other_pages_have_nothing_to_say_and_say_so(self):
        for name in ("campaign", "agreement", "scores", "quality", "power", "exports"):
            response = self.get_as(self.owner, name, self.asking.pk)
            self.assertEqual(response.status_code, 200, name)
        self.assertContains(response, "3 judgments by 2 annotators")
        page = self.get_as(self.owner, "exports", self.campaign.pk)
        self.assertNotContains(page, "Answers")

    def test_the_interface_gives_the_figures_of_the_page(self):
        for user, status in ((None, 403), (self.outsider, 404), (self.annotator_1, 403)):
            response = self.get_as(user, "api-answers", self.asking.pk)
            self.assertEqual(response.status_code, status)
        found = self.get_as(self.researcher, "api-answers", self.asking.pk).json()
        self.assertEqual((found["n_answers"], found["n_ungraded"]), (9, 2))
        first = found["cells"][0]
        self.assertEqual((first["system"], first["level"], first["accuracy"]), ("System-A", 0, 0.5))
        self.assertIsNone(found["cells"][2]["accuracy"])
        self.assertEqual(found["cells"][2]["reason"], "there are no values")
        self.assertEqual(
            [(one["annotator"], one["n_right"], one["excluded"]) for one in found["readers"]],
            [("annotator-1", 2, False), ("annotator-2", 0, False)],
        )
        none = self.get_as(self.researcher, "api-answers", self.campaign.pk).json()
        self.assertEqual((none["n_answers"], none["cells"]), (0, []))

    def test_files(self):
        pk = self.asking.pk
        text = b"".join(self.get_as(self.researcher, "export-observations", pk)).decode()
        rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
        self.assertEqual(len(rows), 9)
        self.assertEqual(
            {k: rows[1][k] for k in ("annotator", "document", "system", "level", "answer", "right",
                                     "graded_by", "seconds")},
            {"annotator": "annotator-1", "document": "doc0", "system": "System-A", "level": "3",
             "answer": "for-the-secret-key", "right": "yes", "graded_by": "site",
             "seconds": "1.5"},
        )  # fmt: skip
        self.assertEqual((rows[2]["right"], rows[2]["graded_by"]), ("", ""))
        for table in ("answers-accuracy", "answers-annotators", "answers"):
            response = self.get_as(self.researcher, "export-table", pk, table)
            self.assertIn(
                "annotator" if "annotators" in table else "System-A", response.content.decode()
            )
        found = json.loads(b"".join(self.get_as(self.researcher, "export-json", pk)))
        self.assertEqual(found["counts"]["observations"], 9)
        self.assertEqual(len(found["observations"]["rows"]), 9)
        self.assertEqual(found["answers"]["report"]["cells"][0]["n_right"], 2)
        response = self.get_as(self.researcher, "chart", pk, "answers-right", "svg")
        self.assertContains(response, "System-A")


class GradingTest(AnswersTestCase):
    def setUp(self):
        self.answer(self.annotator_1, "A", [RIGHT, "for-the-secret-key", "Ada"])
        self.answer(self.annotator_2, "B", [RIGHT, "no idea", "ADA."])
        self.answer(self.annotator_2, "C", [RIGHT, "", "Bela"])
        self.question = self.questions[2]

    def keys(self, question=None):
        found = grading.answers_alike(question or self.question, self.owner)
        return {grading.normalized(alike.text): alike.key for alike in found}

    def grade(self, data, user=None, question=None):
        pk = (question or self.question).pk
        return self.post_as(
            user or self.researcher, "grading-question", self.asking.pk, pk, data=data
        )

    def test_who_may(self):
        self.assert_refused("grading", self.asking.pk)
        self.assert_refused("grading-question", self.asking.pk, self.question.pk)
        self.assert_refused("grading-question", self.asking.pk, self.question.pk, method="post")
        self.assertEqual(self.get_as(self.owner, "grading", self.campaign.pk).status_code, 404)
        choice = self.questions[0].pk
        for campaign, question in ((self.campaign, self.question.pk), (self.asking, choice)):
            response = self.get_as(self.owner, "grading-question", campaign.pk, question)
            self.assertEqual(response.status_code, 404)

    def test_what_waits(self):
        page = self.get_as(self.researcher, "grading", self.asking.pk)
        self.assertContains(page, "3 of 5 open answers are waiting for a grade.")
        empty = factory.make_campaign(self.test_set, preset="comprehension", owner=self.owner)
        self.assertContains(self.get_as(self.owner, "grading", empty.pk), "Nothing to grade")

    def test_graders_see_neither_system_nor_annotator(self):
        page = self.get_as(self.researcher, "grading-question", self.asking.pk, self.question.pk)
        text = re.search("<main.*</main>", page.content.decode(), re.S)[0]
        for secret in ("System-", "annotator-", "stands wrong"):
            self.assertNotIn(secret, text)
        self.assertIn("ADA.", text)
        self.assertIn("stands here .", text)  # the reference, to look up what is right

    def test_the_same_words_are_graded_once_for_all(self):
        response = self.grade({self.keys()["ada"]: "right"})
        self.assertRedirects(response, reverse("grading", args=[self.asking.pk]))
        self.assertEqual(
            sorted(Grade.objects.values_list("answer__text", "is_right", "grader")),
            [("ADA.", True, self.researcher.pk), ("Ada", True, self.researcher.pk)],
        )
        self.assertEqual(self.cells()["C", 2], (0, 0, 1))
        self.grade({self.keys()["ada"]: "right"})  # nothing new
        self.assertEqual(Grade.objects.count(), 2)

    def test_the_last_grade_counts_and_the_first_is_kept(self):
        for value in ("right", "wrong"):
            self.grade({self.keys()["bela"]: value})
        self.assertEqual(list(Grade.objects.values_list("is_right", flat=True)), [True, False])
        self.assertEqual(self.cells()["C", 2], (0, 1, 0))

    def test_what_the_site_found_wrong_can_be_right(self):
        question = self.questions[1]
        self.assertEqual(self.cells()["B", 3], (0, 1, 0))
        self.grade({self.keys(question)["no idea"]: "right"}, question=question)
        self.assertEqual(self.cells()["B", 3], (1, 0, 0))

    def test_bad_values_grade_nothing(self):
        for value in ("maybe", "1", "\0"):
            response = self.grade({self.keys()["ada"]: value, self.keys()["bela"]: "right"})
            self.assertEqual(response.status_code, 422, value)
        self.grade({"0" * 16: "right", "answer": "right"})
        self.assertFalse(Grade.objects.exists())

    def test_nobody_grades_their_own_answers(self):
        self.owner.is_superuser = True
        self.owner.save()
        with factory.rewriting():
            Judgment.objects.filter(annotator=self.annotator_2).update(annotator=self.owner)
        page = self.get_as(self.owner, "grading-question", self.asking.pk, self.question.pk)
        self.assertNotContains(page, "Bela")
        keys = self.keys()
        self.assertEqual(list(keys), ["ada"])
        self.grade({keys["ada"]: "right"}, user=self.owner)
        self.assertEqual([g.answer.text for g in Grade.objects.all()], ["Ada"])


class DecisionsByProgramTest(AnswersTestCase):
    def test_readers_are_left_out_and_included_by_the_interface(self):
        self.answer(self.annotator_1, "A", [RIGHT, "for-the-secret-key", "Ada"])
        address = reverse("api-decisions", args=[self.asking.pk])
        client = self.as_user(self.owner)
        alias = self.asking.memberships.get(user=self.annotator_1).alias
        for action, out in (("leave-out", {self.annotator_1.pk}), ("take-in", set())):
            asked = {"annotator": alias, "action": action, "reason": "Hurried."}
            answer = client.post(address, asked, content_type="application/json")
            self.assertEqual(answer.status_code, 201, answer.content)
            self.assertEqual(set(Selection.of(self.asking).decided.annotators), out)
        asked["annotator"] = self.asking.memberships.get(user=self.annotator_2).alias
        answer = client.post(address, asked, content_type="application/json")
        self.assertEqual(answer.status_code, 400)
