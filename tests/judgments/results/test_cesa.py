"""Contrastive ESA as at WMT26: from what is posted to tables, files and back.

Expected scores are counted by hand with the weights of ESA's severities, 1 and 5.
"""

from django.urls import reverse

from judgments.exchange.judgments.campaigns import new_campaign
from judgments.exchange.judgments.importer import import_judgments
from judgments.models import ErrorSpan, Judgment, Rating
from judgments.results.agreement.marks import marks
from judgments.results.errors.figures import errors
from judgments.results.errors.files import tsv_lines
from judgments.results.scores import figures as scores
from judgments.results.selection.selection import Selection

from ..files.files import upload
from .test_spans import SpansTestCase, mark

FAULT = mark(0, 0, "major", side="output", category="instructions fault")


class CesaTest(SpansTestCase):
    preset = "cesa-wmt26"

    def setUp(self):
        for user in (self.annotator_1, self.annotator_2):
            self.answer(user, self.answers([FAULT], [mark(0, 6)], [], score=85))

    def means(self, dimension):
        found = scores.system_scores(Selection.of(self.spans), dimension)
        return dict(zip(map(str, found.names), found.mean.tolist(), strict=True))

    def test_marks_count_in_scores_and_errors(self):
        self.assertEqual(set(self.means("esa").values()), {85.0})
        stored = Rating.objects.filter(judgment__campaign=self.spans, dimension="esa_spans")
        self.assertEqual(sorted(stored.values_list("value", flat=True)), [-5, -5, -1, -1, 0, 0])
        self.assertEqual(sum(self.means("esa_spans").values()), -6)  # three systems, two each
        selection = Selection.of(self.spans)
        self.assertEqual(errors(selection).n_errors, 4)
        self.assertEqual(marks(selection).n_spans, 2)  # places alone: what is of no place is not
        for page in ("errors", "agreement", "scores"):
            self.assertEqual(
                self.as_user(self.owner).get(reverse(page, args=[self.spans.pk])).status_code, 200
            )

    def test_out_and_in_again(self):
        table = "".join(tsv_lines(Selection.of(self.spans)))
        copy = new_campaign(self.test_set, self.owner, "Copy", "cesa-wmt26")
        import_judgments(copy, upload("errors.tsv", table.encode()))
        columns = ("side", "start", "end", "severity", "category", "output")
        of = ErrorSpan.objects.order_by(*columns).values_list(*columns)
        self.assertEqual(
            list(of.filter(judgment__campaign=copy)),
            list(of.filter(judgment__campaign=self.spans)),
        )

    def test_a_refused_score_stores_nothing(self):
        before = Judgment.objects.count()
        page = self.answer(self.annotator_1, self.answers([FAULT], [], [], score=84), number=2)
        self.assertEqual(page.status_code, 400)
        self.assertContains(page, "A score below 85 needs a marked error.", status_code=400)
        self.assertEqual(Judgment.objects.count(), before)
        self.answer(self.annotator_1, self.answers([FAULT], [], [], score=85), number=2)
        self.assertEqual(Judgment.objects.count(), before + 1)

    def test_how_much_there_is_is_told_nowhere(self):
        self.as_user(self.annotator_1)
        listed = self.client.get(reverse("judge-items", args=[self.spans.pk]))
        self.assertEqual([row.number for row in listed.context["items"]], [1])
        wrong = self.client.get(reverse("judge-items", args=[self.spans.pk]), {"number": "999"})
        self.assertContains(wrong, "There is no such item.")
        n = listed.context["work"].n_items
        self.assertNotContains(listed, f"of {n}")
        self.assertNotContains(self.client.get(reverse("home")), f"work-{self.spans.pk}")
        screen = self.client.get(reverse("judge-item", args=[self.spans.pk, 2]))
        self.assertRegex(screen.text, r"<title>Item 2\s+· ")
        self.assertContains(screen, 'id="pace" hidden')

    def test_other_campaigns_tell_it(self):
        self.spans.options |= {"hidden_progress": False}
        self.spans.save()
        self.as_user(self.annotator_1)
        listed = self.client.get(reverse("judge-items", args=[self.spans.pk]))
        work = listed.context["work"]
        self.assertEqual(len(listed.context["items"]), work.n_items)
        screen = self.client.get(reverse("judge-item", args=[self.spans.pk, 2]))
        self.assertRegex(screen.text, rf"<title>Item 2 of {work.n_items}\s+· ")
        self.assertNotContains(screen, 'id="pace" hidden')
