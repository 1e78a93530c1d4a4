"""Two systems and the learning curve, as pages and files."""

import numpy as np
from django.urls import reverse
from django.utils import timezone
from scipy import stats

from judgments.models import Judgment, Rating, Reference
from judgments.results.compare import page as compare_page
from judgments.results.learning_curve.figures import learning_curve
from judgments.results.scores import comparisons
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests import factory

from .comparisons import ComparisonTestCase


class TwoSystemsTest(ComparisonTestCase):
    def test_for_owners_and_researchers(self):
        self.judge_everything()
        self.assert_refused("compare", self.campaign.pk)
        self.assert_refused("compare-file", self.campaign.pk, "compared-segments", "csv")

    def test_nothing_to_compare(self):
        self.assertContains(self.page("compare"), "No two systems to compare")

    def test_files_before_two_systems_are_judged_are_empty(self):
        for campaign in (self.campaign, self.pairwise):
            for section in compare_page.sections(Selection.of(campaign)):
                for table in section.tables:
                    self.assertEqual(list(table.make().rows), [], table.slug)
                for chart in section.charts:
                    self.assertIsNone(chart.make(), chart.slug)

    def test_one_system_only(self):
        self.judge_everything()
        self.assertContains(self.page("compare", system="System-A"), "No two systems to compare")

    def test_the_nearest_two_at_the_top(self):
        self.judge_everything()
        response = self.page("compare")
        scores = scores_figures.system_scores(Selection.of(self.campaign), "adequacy")
        first, second = (str(scores.names[i]) for i in scores.order[:2])
        self.assertContains(response, f"{first} is ahead of {second} in adequacy")
        (row, _) = self.table(response, "compared").rows
        self.assertEqual(row[1:3], (first, second))

    def test_figures_are_those_of_the_page_of_scores(self):
        self.judge_everything()
        response = self.page("compare", a="System-C", b="System-A")
        ours = self.table(response, "compared").rows
        for slug, row in zip(("adequacy", "fluency"), ours, strict=True):
            listed = self.get_csv(self.campaign, f"pairs-{slug}-raw")
            (theirs,) = [
                each
                for each in listed
                if {each["system"], each["against"]} == {"System-A", "System-C"}
            ]
            self.assertEqual(row[1:3], (theirs["system"], theirs["against"]))
            keys = ("difference", "low", "high", "p", "p_adjusted")
            values = [float(theirs[key] or "nan") for key in keys]
            np.testing.assert_allclose([*row[3:6], *row[8:10]], values)

    def test_differences_of_the_asked_pair_as_a_file(self):
        self.judge_everything()
        rows = self.file("compare-file", "compared-segments", "csv", a="System-B", b="System-C")
        ratings = Rating.objects.filter(dimension="adequacy").values_list(
            "output__segment__key", "output__system__name", "value"
        )
        found = {}
        for key, system, value in ratings:
            found.setdefault((key, system), []).append(value)
        for row in rows:
            b, c = (np.mean(found[row["segment"], name]) for name in ("System-B", "System-C"))
            self.assertAlmostEqual(float(row["difference"]), b - c)
        self.assertEqual(
            {(row["first"], row["second"]) for row in rows}, {("System-B", "System-C")}
        )

    def test_the_difference_is_tested_as_scipy_does(self):
        self.judge_everything()
        rows = self.file("compare-file", "compared-segments", "csv", a="System-A", b="System-C")
        d = np.array([float(row["difference"]) for row in rows])
        d = d[d != 0]
        expected = stats.wilcoxon(d).pvalue
        row = self.table(self.page("compare", a="System-A", b="System-C"), "compared").rows[0]
        self.assertAlmostEqual(row[8], expected, places=6)

    def test_a_bar_leads_to_its_segments(self):
        self.judge_everything()
        response = self.page("compare", a="System-A", b="System-C", low="0", high="3")
        table = self.table(response, "compared-range")
        self.assertTrue(all(0 <= row[1] < 3 for row in table.rows))
        pk = self.test_set.segments.get(key=table.rows[0][0]).pk
        self.assertIn(reverse("segment", args=[self.campaign.pk, pk]), table.links[0, "segment"])

    def test_what_is_no_system_falls_back(self):
        self.judge_everything()
        for query in ({"a": "nobody"}, {"a": "System-A", "b": "System-A"}, {"low": "x", "a": "\0"}):
            response = self.page("compare", **query)
            self.assertEqual(response.status_code, 200)
            self.assertContains(response, "these are the two at the top")

    def test_equal_systems(self):
        for task in self.campaign.tasks.order_by("seat"):
            for item in task.items.all():
                factory.judge(item, {"adequacy": [3, 3, 3], "fluency": [2, 2, 2]})
        response = self.page("compare", a="System-A", b="System-B")
        n = self.test_set.segments.count()
        self.assertContains(response, f"System-B on 0, and neither on {n}.")

    def test_comparisons(self):
        self.judge_everything(self.pairwise)
        response = self.page("compare", self.pairwise)
        self.assertContains(response, "decided comparison")
        (row,) = self.table(response, "compared").rows
        found = comparisons.head_to_head(Selection.of(self.pairwise))
        i, j = (found.names.tolist().index(name) for name in row[:2])
        self.assertEqual(row[2:5], (found.wins[i, j], found.wins[j, i], found.ties[i, j]))

    def test_no_page_without_scores(self):
        campaign = factory.make_campaign(
            self.test_set, preset="word-alignment", name="E", owner=self.owner
        )
        for name in ("compare", "compare-campaigns", "learning-curve"):
            response = self.page(name, campaign, self.owner)
            self.assertEqual(response.status_code, 404, name)

    def test_words_that_one_has_more_often(self):
        Reference.objects.filter(segment__test_set=self.test_set).delete()
        self.judge_everything()
        response = self.page("compare", a="System-A", b="System-B")
        outputs = self.test_set.systems.get(name="System-A").outputs.all()
        texts = " ".join(f" {output.text} " for output in outputs)
        rows = self.table(response, "compared-words-first").rows
        self.assertTrue(rows)
        for words, ours, theirs, share in rows:
            self.assertGreater(ours, theirs)
            self.assertEqual(share, (ours + 1) / (ours + theirs + 2))
            self.assertIn(words.split()[0], texts)

    def test_files_that_are_not_there(self):
        self.judge_everything()
        for args in (("nothing", "csv"), ("compared-segments", "pdf"), ("compared", "svg")):
            response = self.get_as(self.owner, "compare-file", self.campaign.pk, *args)
            self.assertEqual(response.status_code, 404)
        response = self.get_as(
            self.owner, "compare-file", self.campaign.pk, "compared-differences", "svg"
        )
        self.assertIn(b"<svg", response.content)

    def test_files_lead_back_to_the_two(self):
        self.judge_everything()
        query = {"a": "System-C", "b": "System-A", "dimension": "fluency"}
        rows = self.file("compare-file", "compared-segments", "csv", **query)
        (address,) = {row["address"] for row in rows}
        place = self.client.get(address)["Location"]
        self.assertTrue(place.endswith("#section-compared-differences"), place)
        page = self.client.get(place).context["page"]
        self.assertEqual((page.pair, page.dimension), (("System-C", "System-A"), "fluency"))
        args = ("compare-file", self.campaign.pk, "compared-differences", "svg")
        picture = self.get_as(self.researcher, *args, data=query).text
        self.assertIn(address.removeprefix("http://testserver"), picture)

    def test_scores_lead_to_pairs(self):
        self.judge_everything()
        response = self.page("scores")
        address = reverse("compare", args=[self.campaign.pk])
        self.assertContains(response, f"{address}?a=System-")


class LearningCurveTest(ComparisonTestCase):
    def test_for_owners_and_researchers(self):
        self.assert_refused("learning-curve", self.campaign.pk)

    def test_nothing_judged(self):
        for campaign in (self.campaign, self.pairwise):
            self.assertContains(self.page("learning-curve", campaign), "there is no ranking yet")

    def test_the_end_is_the_page_of_scores(self):
        for campaign, dimension in ((self.campaign, "fluency"), (self.pairwise, None)):
            self.judge_everything(campaign)
            selection = Selection.of(campaign)
            curve = learning_curve(selection, dimension)
            scores = scores_figures.system_scores(selection, dimension)
            self.assertEqual(curve.names, tuple(scores.names[scores.order]))
            np.testing.assert_allclose(curve.scores[-1], scores.mean[scores.order])
            self.assertEqual(curve.shares[-1], 1)

    def test_judgments_count_as_they_were_submitted(self):
        """The last one in time was stored first."""
        items = list(self.campaign.tasks.order_by("seat").first().items.order_by("position")[:2])
        late = factory.judge(items[0], {"adequacy": [1, 5, 3], "fluency": [3, 3, 3]})
        early = factory.judge(items[1], {"adequacy": [5, 1, 3], "fluency": [3, 3, 3]})
        now = timezone.now()
        with factory.rewriting():
            for each, minutes in ((late, 0), (early, 60)):
                when = now - timezone.timedelta(minutes=minutes)
                Judgment.objects.filter(pk=each.pk).update(submitted_at=when)
        curve = learning_curve(Selection.of(self.campaign), "adequacy")
        self.assertTrue(curve.by_time)
        half = dict(zip(curve.names, curve.scores[np.searchsorted(curve.n, 3)], strict=True))
        self.assertEqual(half["System-A"], 5)
        self.assertEqual(half["System-B"], 1)

    def test_without_times_the_page_says_so(self):
        self.judge_everything()
        with factory.rewriting():
            Judgment.objects.filter(campaign=self.campaign).update(submitted_at=None)
        self.assertContains(
            self.page("learning-curve"), "The time of submission is not known for all judgments"
        )

    def test_halves_of_a_clear_difference_agree(self):
        for task in self.campaign.tasks.order_by("seat"):
            for item in task.items.all():
                factory.judge(item, {"adequacy": [5, 3, 1], "fluency": [3, 3, 3]})
        curve = learning_curve(Selection.of(self.campaign), "adequacy")
        self.assertEqual(curve.stands_since, curve.shares[0])
        upper = np.triu_indices(3, 1)
        self.assertTrue((curve.halves.same[upper] == 1).all())
        np.testing.assert_allclose(curve.halves.with_other, 1)
