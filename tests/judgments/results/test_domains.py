"""Scores by domain and by original language: the page, its figures, where its cells lead."""

import time
from statistics import fmean

from django.core.cache import caches
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from judgments.models import Document, Rating
from judgments.results.domains import page as domains_page
from judgments.results.domains.figures import domain_report
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from tests import factory

from .test_results import ResultsTestCase

# Of four segments the first two are news, the others law; every system's adequacy in each.
VALUES = {
    "System-A": {"news": [5, 5, 5, 4], "law": [1, 2, 1, 1]},
    "System-B": {"news": [3, 3, 4, 3], "law": [5, 5, 4, 5]},
    "System-C": {"news": [2, 1, 2, 2], "law": [3, 4, 3, 3]},
}


class DomainsTest(ResultsTestCase):
    def setUp(self):
        super().setUp()
        caches["results"].clear()
        for position, (domain, language) in enumerate((("news", "de-AT"), ("law", "en"))):
            document = Document.objects.filter(test_set=self.test_set, position=position)
            document.update(domain=domain, original_language=language)

    def judge_unlike(self):
        """Both annotators judge everything as VALUES has it."""
        for seat, task in enumerate(self.campaign.tasks.order_by("seat")):
            for item in task.items.order_by("position"):
                domain = item.segment.document.domain
                place = 2 * (item.segment.position % 2) + seat
                names = [shown.output.system.name for shown in item.shown.order_by("position")]
                adequacy = [VALUES[name][domain][place] for name in names]
                factory.judge(item, {"adequacy": adequacy, "fluency": [3, 3, 3]})

    def page(self, **query):
        return self.get_as(self.researcher, "domains", self.campaign.pk, query_params=query)

    def selection(self, query=""):
        return Selection.asked(self.campaign, QueryDict(query))

    def test_for_owners_and_researchers(self):
        self.assert_refused("domains", self.campaign.pk)
        self.assertContains(self.page(), "No judgments yet")

    def test_means_and_places_within_each_domain(self):
        self.judge_unlike()
        found = domain_report(self.selection(), "domains", "adequacy")
        self.assertEqual(found.parts, ("law", "news"))
        self.assertEqual(found.n_documents, (1, 1))
        for name, of in VALUES.items():
            for domain, values in of.items():
                cell = found.cells[name, domain]
                self.assertAlmostEqual(cell.mean, fmean(values))
                self.assertEqual((cell.n_segments, cell.n_judgments), (2, 4))
        places = {key: cell.place for key, cell in found.cells.items()}
        self.assertEqual(places["System-A", "news"], 1)
        self.assertEqual(places["System-A", "law"], 3)
        self.assertEqual(found.moves()[0], ("System-A", "news", "law"))
        self.assertEqual(found.spread(found.moves()[-1]), 1)

    def test_a_cell_is_what_the_page_scores_has_under_the_filter(self):
        self.judge_unlike()
        found = domain_report(self.selection(), "domains", "adequacy")
        scores = system_scores(self.selection("domain=law"), "adequacy")
        for i, name in enumerate(scores.names):
            cell = found.cells[name, "law"]
            self.assertEqual(
                (cell.mean, cell.low, cell.high, cell.rank_low, cell.rank_high),
                tuple(
                    getattr(scores, key)[i]
                    for key in ("mean", "low", "high", "rank_low", "rank_high")
                ),
            )

    def test_filters_narrow_the_parts(self):
        self.judge_unlike()
        found = domain_report(self.selection("domain=law"), "domains", "adequacy")
        self.assertEqual(found.parts, ("law",))
        self.assertEqual(domain_report(self.selection("domain=law"), "languages").parts, ("en",))

    def test_the_page_says_who_is_best_where_and_leads_to_segments(self):
        self.judge_unlike()
        page = self.page()
        self.assertContains(page, "Best by the mean: System-B in law; System-A in news.")
        self.assertContains(page, "System-A moves most: place 1 in news, place 3 in law.")
        listed = f"/campaigns/{self.campaign.pk}/segments/"
        asked = "system=System-A&amp;domain=law&amp;sort=lowest"
        self.assertContains(page, f'<a href="{listed}?{asked}">1.25</a>')
        self.assertContains(self.get_as(self.owner, "scores", self.campaign.pk), "/domains/")

    def test_mixed_directions_are_told(self):
        self.judge_unlike()
        self.assertContains(
            self.page(),
            "This test set mixes directions. Documents written in the source language, de: 1; "
            "written in the target language, en, so that their sources are translations "
            "(translationese): 1.",
        )
        Document.objects.filter(test_set=self.test_set).update(original_language="de")
        self.assertContains(self.page(), "Every document was written in the source language, de.")
        Document.objects.filter(test_set=self.test_set).update(original_language="fr")
        self.assertContains(self.page(), "Written in a third language: 2.")
        first, second = self.test_set.documents.order_by("pk").values_list("pk", flat=True)[:2]
        Document.objects.filter(pk=first).update(original_language="de")
        Document.objects.filter(pk=second).update(original_language="")
        self.assertContains(
            self.page(), "Written in the source language, de: all whose language is known."
        )

    def test_without_domains_the_page_says_how_to_bring_them(self):
        self.judge_unlike()
        Document.objects.filter(test_set=self.test_set).update(domain="", original_language="")
        self.assertContains(self.page(), "No domains and no original languages")
        self.assertEqual(domains_page.data(self.selection()), {})

    def test_comparisons_have_domains_too(self):
        self.judge_everything(self.pairwise)
        page = self.get_as(self.owner, "domains", self.pairwise.pk)
        self.assertContains(page, "Best by the mean")
        found = domain_report(Selection.of(self.pairwise), "domains")
        self.assertEqual(set(found.parts), {"law", "news"})

    def test_what_the_page_shows_is_in_files_and_json(self):
        self.judge_unlike()
        rows = self.get_csv(self.campaign, "domains-all-adequacy")
        self.assertEqual(len(rows), 6)
        first = rows[0]
        self.assertEqual(
            (first["part"], first["system"], first["mean"]), ("law", "System-B", "4.75")
        )
        data = domains_page.data(self.selection())["domains"]["adequacy"]
        (same,) = (
            each for each in data["scores"] if (each["part"], each["system"]) == ("law", "System-B")
        )
        self.assertEqual(same["mean"], 4.75)


class ManyDomainsTest(ResultsTestCase):
    def test_twenty_domains_cost_a_bounded_number_of_statements(self):
        caches["results"].clear()
        test_set = factory.make_test_set(
            self.owner, n_segments=80, n_systems=6, n_documents=20, name="Many"
        )
        for document in test_set.documents.all():
            document.domain = f"domain {document.position:02}"
            document.save()
        campaign = factory.make_campaign(
            test_set, owner=self.owner, researchers=[self.researcher], annotators=[self.annotator_1]
        )
        task = factory.make_task(campaign, self.annotator_1)
        for n, item in enumerate(task.items.all()):
            adequacy = [1 + (n * k + k) % 5 for k in range(6)]
            factory.judge(item, {"adequacy": adequacy, "fluency": adequacy})
        self.assertEqual(Rating.objects.filter(judgment__campaign=campaign).count(), 960)
        self.assertEqual(self.get_as(self.owner, "domains", campaign.pk).status_code, 200)
        with CaptureQueriesContext(
            connection,
        ) as seen:
            began = time.perf_counter()
            page = self.get_as(self.owner, "domains", campaign.pk)
            took = time.perf_counter() - began
        self.assertContains(page, "domain 19")
        self.assertLess(len(seen), 30)
        self.assertLess(took, 1.0)
