"""The effect of more references. Expected scores are sacreBLEU's, coefficients SciPy's."""

import random
from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
import sacrebleu
from django.test import SimpleTestCase
from django.urls import reverse
from scipy import stats

from judgments.models import Output, Reference, ReferenceFacts
from metrics.scorers import get_scorer
from metrics.with_people.references import choices
from mteval_site.deadline import TooSlow
from tests import factory
from tests.base import CastTestCase

WORDS = [f"word{i}" for i in range(40)]


def noisy(text, share, rng):
    """Return the text with some of its words swapped."""
    words = [rng.choice(WORDS) if rng.random() < share else word for word in text.split()]
    return " ".join(words)


def corpus(n_segments=12, n_references=3, n_systems=4):
    """Return systems that get worse from one to the next, and references that differ."""
    rng = random.Random(7)
    true = [" ".join(rng.choice(WORDS) for _ in range(12)) for _ in range(n_segments)]
    references = [[noisy(text, 0.3, rng) for text in true] for _ in range(n_references)]
    systems = [[noisy(text, 0.15 + 0.1 * s, rng) for text in true] for s in range(n_systems)]
    return systems, references


def choice_scores(scorer, systems, references, documents, *, rng):
    frame = choices.frame_of(references, documents, len(systems), rng)
    found = [choices.scores_of_system(scorer, outputs, frame) for outputs in systems]
    return choices.choice_scores(frame, found)


class ChoicesTest(SimpleTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.systems, cls.references = corpus()
        cls.references[1][5] = None  # which excludes segment 6 from everything
        cls.documents = np.repeat([0, 1, 2], 4)
        rng = np.random.default_rng(1)
        cls.found = choice_scores(
            get_scorer("bleu"), cls.systems, cls.references, cls.documents, rng=rng
        )
        cls.kept = [i for i in range(12) if i != 5]

    def expected(self, choice, places):
        """Return the corpus BLEU of each system over some segments, by sacreBLEU."""
        return [
            sacrebleu.corpus_bleu(
                [system[i] for i in places],
                [[self.references[r][i] for i in places] for r in choice],
            ).score
            for system in self.systems
        ]

    def test_every_choice_of_few_references(self):
        every = [c for k in (1, 2, 3) for c in combinations(range(3), k)]
        self.assertEqual(list(self.found.choices), every)
        self.assertEqual(self.found.places.tolist(), self.kept)

    def test_scores_of_systems_and_documents_are_sacrebleus(self):
        for u, choice in enumerate(self.found.choices):
            expected = self.expected(choice, self.kept)
            np.testing.assert_allclose(self.found.systems[u], expected, rtol=1e-12)
            for d in range(3):
                places = [i for i in self.kept if self.documents[i] == d]
                expected = self.expected(choice, places)
                np.testing.assert_allclose(self.found.documents[u, :, d], expected, rtol=1e-12)

    def test_agreement_with_all_is_scipys(self):
        ours = self.found.documents
        for level, scores in (("system", self.found.systems[:, :, None]), ("document", ours)):
            found = choices.agreement_with_all(self.found, level)
            for u in range(len(scores)):
                columns = range(scores.shape[2])
                taus = [stats.kendalltau(scores[u, :, g], scores[-1, :, g])[0] for g in columns]
                rs = [stats.pearsonr(scores[u, :, g], scores[-1, :, g])[0] for g in columns]
                self.assertAlmostEqual(found.tau[u], np.nanmean(taus))
                self.assertAlmostEqual(found.r[u], np.nanmean(rs))
            self.assertEqual(found.tau[-1], 1)

    def test_agreement_on_segments_is_scipys(self):
        bleu = sacrebleu.BLEU(effective_order=True)
        scores = np.array(
            [
                [
                    [
                        bleu.sentence_score(system[i], [self.references[r][i] for r in c]).score
                        for i in self.kept
                    ]
                    for system in self.systems
                ]
                for c in self.found.choices
            ]
        )
        people = np.array([[4.0 - s + 0.1 * i for i in range(11)] for s in range(4)])
        people[1, :3] = np.nan
        found = choices.agreement_with(self.found, "segment", people)
        for u, ours in enumerate(scores):
            taus = []
            for g in range(11):
                there = ~np.isnan(people[:, g])
                taus.append(stats.kendalltau(people[there, g], ours[there, g])[0])
            self.assertAlmostEqual(found.tau[u], np.nanmean(taus))
            self.assertEqual(found.n_groups[u], (~np.isnan(taus)).sum())

    def test_scores_rise_with_references(self):
        means = choices.spreads(self.found, choices.mean_of_systems(self.found))
        self.assertLess(means[0].high, means[1].low)
        self.assertLess(means[1].high, means[2].low)
        self.assertEqual(means[2].low, means[2].high)
        by_number = choices.by_number(self.found)
        np.testing.assert_allclose(by_number[0], self.found.systems[:3].mean(axis=0))

    def test_choices_of_many_references_are_drawn_once_each(self):
        drawn = choices.choices_of(9, 10, np.random.default_rng(3))
        again = choices.choices_of(9, 10, np.random.default_rng(3))
        self.assertEqual(drawn, again)
        self.assertEqual(len(set(drawn)), len(drawn))
        sizes = [len(choice) for choice in drawn]
        self.assertEqual([sizes.count(k) for k in range(1, 10)], [9, *[10] * 6, 9, 1])

    def test_each_reference_alone_is_always_there(self):
        drawn = choices.choices_of(12, 3, np.random.default_rng(3))
        self.assertEqual(drawn[:12], tuple((r,) for r in range(12)))
        self.assertEqual(len(drawn), 12 + 3 * 10 + 1)

    def test_large_sets_have_fewer_choices(self):
        self.assertEqual(choices.most_choices(4, 100), choices.MOST_CHOICES)
        self.assertEqual(choices.most_choices(9, 10_000_000), choices.FEWEST_CHOICES)

    def test_documents_of_people_are_means_of_judged_segments(self):
        values = np.array([[1.0, 3.0, np.nan, 5.0]])
        found = choices.of_documents(values, np.array([7, 7, 9, 9]), np.array([0, 1, 2, 3]))
        self.assertEqual(found.tolist(), [[2.0, 5.0]])

    def test_no_segment_has_all_references(self):
        gaps = [["a b c", None], [None, "d e f"]]
        found = choice_scores(
            get_scorer("bleu"),
            [["a b", "d e"]],
            gaps,
            np.array([0, 0]),
            rng=np.random.default_rng(1),
        )
        self.assertTrue(np.isnan(found.systems).all())
        self.assertEqual(len(found.places), 0)


class MoreReferencesTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.systems, cls.references = corpus()
        cls.texts = factory.make_test_set(cls.owner, n_segments=12, n_systems=4, name="Texts")
        cls.segments = list(cls.texts.segments.order_by("position"))
        Reference.objects.filter(segment__test_set=cls.texts).delete()
        Reference.objects.bulk_create(
            Reference(segment=segment, name=f"ref{'ABC'[r]}", text=stream[i])
            for r, stream in enumerate(cls.references)
            for i, segment in enumerate(cls.segments)
        )
        for s, system in enumerate(cls.texts.systems.order_by("name")):
            for i, segment in enumerate(cls.segments):
                rows = Output.objects.filter(system=system, segment=segment)
                rows.update(text=cls.systems[s][i])

    def section(self, test_set=None, **query):
        data = {"several": "1"} | query
        test_set = test_set or self.texts
        response = self.get_as(self.owner, "metric-references", test_set.pk, data=data)
        return response, response.context["several"][0]

    def tables(self, section):
        return {each.slug: each.make() for each in section.files}

    def test_the_page_says_whether_one_is_enough(self):
        response, section = self.section()
        bleu = [
            [sacrebleu.corpus_bleu(system, [each]).score for system in self.systems]
            for each in self.references
        ]
        every = [sacrebleu.corpus_bleu(system, self.references).score for system in self.systems]
        taus = [stats.kendalltau(scores, every)[0] for scores in bleu]
        self.assertIn("yes" if min(taus) == 1 else f"{min(taus):.3f}"[1:], section.sentence())
        self.assertIn(f"{np.mean(bleu):.1f} with one reference", section.sentence())
        self.assertIn(f"{np.mean(every):.1f} with all 3", section.sentence())
        rows = self.tables(section)["scores-by-number"].rows
        self.assertEqual([row[:3] for row in rows], [(1, 3, 3), (2, 3, 3), (3, 1, 1)])
        self.assertAlmostEqual(rows[0][3], np.mean(bleu))
        self.assertAlmostEqual(rows[0][5], np.mean(bleu, axis=1).max())
        systems = {row[0]: row for row in self.tables(section)["systems-by-number"].rows}
        self.assertAlmostEqual(systems["System-A"][1], np.mean(bleu, axis=0)[0])
        self.assertEqual(systems["System-D"][-1], stats.rankdata([-x for x in every])[3])
        self.assertContains(response, "τ with all references")
        taus_of_systems = [
            row for row in self.tables(section)["references-tau"].rows if row[0] == "Systems"
        ]
        self.assertAlmostEqual(taus_of_systems[0][3], np.mean(taus))
        self.assertEqual(taus_of_systems[-1][3], 1)

    def test_people_stand_beside(self):
        campaign = factory.make_campaign(
            self.texts, owner=self.owner, annotators=[self.annotator_1], name="On texts"
        )
        task = factory.make_task(campaign, self.annotator_1)
        for item in task.items.all():
            n = item.outputs.count()
            values = list(range(n, 0, -1))
            factory.judge(item, {"adequacy": values, "fluency": values})
        _response, section = self.section(campaign=campaign.pk)
        self.assertIn("τ with people is", section.sentence())
        rows = self.tables(section)["people-tau"].rows
        expected = [
            stats.kendalltau(
                [sacrebleu.corpus_bleu(system, [each]).score for system in self.systems],
                [4, 3, 2, 1],
            )[0]
            for each in self.references
        ]
        systems = [row for row in rows if row[0] == "Systems"]
        self.assertEqual([row[1] for row in systems], [1, 2, 3])
        self.assertAlmostEqual(systems[0][3], np.mean(expected))
        self.assertAlmostEqual(systems[0][4], min(expected))

    def test_one_reference(self):
        response, section = self.section(self.test_set)
        self.assertIn("has one reference", section.sentence())
        self.assertContains(response, section.sentence())
        self.assertEqual([row[0] for row in self.tables(section)["scores-by-number"].rows], [1])

    def test_two_systems_have_no_tau(self):
        self.texts.systems.filter(name__in=["System-C", "System-D"]).delete()
        response, section = self.section()
        self.assertIn("τ needs three systems", section.sentence())
        self.assertNotContains(response, ">nan<")

    def test_no_segment_with_all(self):
        for i, segment in enumerate(self.segments):
            segment.references.filter(name=("refA", "refB")[i % 2]).delete()
        response, section = self.section()
        self.assertIn("No segment has all", section.sentence())
        self.assertEqual(self.tables(section)["scores-by-number"].rows, [])
        self.assertEqual(response.status_code, 200)

    def test_a_request_whose_time_is_over_leaves_what_it_has(self):
        """The second of four systems takes too long; the next request begins with it."""
        times = []

        def slow(*args):
            times.append(args)
            if len(times) == 2:
                raise TooSlow
            return scores_of_system(*args)

        scores_of_system = choices.scores_of_system
        self.as_user(self.owner).raise_request_exception = False
        address = reverse("metric-references", args=[self.texts.pk])
        asked = {"several": "1", "metric": "gleu"}
        with patch("metrics.with_people.references.findings.scores_of_system", slow):
            self.assertEqual(self.client.get(address, asked).status_code, 503)
            self.assertEqual(self.client.get(address, asked).status_code, 200)
        self.assertEqual(len(times), 2 + 3)

    def test_a_system_that_is_human_no_longer_is_scored(self):
        """The reference is stated to be made from its outputs: being equal does not make it
        human."""
        system = self.texts.systems.get(name="System-B")
        for segment in self.segments:
            text = segment.references.get(name="refA").text
            Output.objects.filter(system=system, segment=segment).update(text=text)
        _response, section = self.section()
        self.assertEqual(len(self.tables(section)["systems-by-number"].rows), 3)
        said = {"test_set": self.texts, "name": "refA", "kind": "chosen", "system": system}
        ReferenceFacts.objects.create(**said)
        _response, section = self.section()
        self.assertEqual(len(self.tables(section)["systems-by-number"].rows), 4)

    def test_it_comes_a_moment_later_until_it_is_known(self):
        address = {"metric": "waft"}
        response = self.get_as(self.owner, "metric-references", self.texts.pk, data=address)
        self.assertIsNone(response.context["several"])
        self.assertContains(response, "metric=waft&amp;several=1")
        self.section(**address)
        again = self.client.get(response.request["PATH_INFO"], address)
        self.assertContains(again, "Is one reference enough?")


@pytest.mark.parametrize("metric", ["chrf", "waft"])
def test_one_reference_of_equal_ones_is_as_good_as_all(metric):
    systems, references = corpus(n_references=1)
    found = choice_scores(
        get_scorer(metric), systems, references * 2, np.zeros(12, int), rng=np.random.default_rng(1)
    )
    np.testing.assert_array_equal(found.systems[0], found.systems[2])
    for level in choices.LEVELS:
        assert choices.agreement_with_all(found, level).tau.tolist() == [1, 1, 1]
