"""Corrected copies of a reference. Expected scores are sacreBLEU's, τ is SciPy's."""

import numpy as np
import sacrebleu
from django.db import connection
from django.test import SimpleTestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from scipy import stats

from judgments.models import CloningStep, Output, Reference, ReferenceFacts
from metrics.with_people.references.corrections import (
    changed_words,
    corrected_references,
    replaced,
)
from tests import factory
from tests.base import CastTestCase

ORIGINAL = [
    "Trouble shooting is is described here for all of the pumps .",
    "The fluid is made clean by passing through a filter each day .",
    "Failure to check the oil each day can damage the pump .",
    "Change the oil filter by turning it to the left .",
]
ERRORS = [ORIGINAL[0].replace("is is", "is"), *ORIGINAL[1:]]
SAME = [
    ERRORS[0].replace("Trouble shooting", "Troubleshooting"),
    ERRORS[1].replace("fluid", "oil"),
    *ERRORS[2:],
]
PLAIN = [*SAME[:2], SAME[2].replace("Failure to check the oil each day", "It"), SAME[3]]
SYSTEMS = [
    [*PLAIN[:3], "Change the oil filter by turning left ."],
    [
        "Troubleshooting is described here for pumps .",
        "The oil is made clean by a filter each day .",
        "It can break the pump .",
        "Change the filter by turning it left .",
    ],
    [ORIGINAL[0], ORIGINAL[1], "Failure to check can damage pumps .", "Turn the oil filter left ."],
]


def stated(name, original, step, kind="corrected"):
    return ReferenceFacts(name=name, kind=kind, original=original, step=step)


class CorrectionsTest(SimpleTestCase):
    names = ("a-2", "a-1", "ref", "b", "a-3")
    streams = (SAME, ERRORS, ORIGINAL, ORIGINAL, PLAIN)

    def families(self, *facts):
        return corrected_references(self.names, self.streams, {each.name: each for each in facts})

    def test_each_step_is_compared_with_the_one_before(self):
        """Whether copies were stated to be made from the original or from each other."""
        for first, second in (("ref", "ref"), ("a-1", "a-2")):
            (found,) = self.families(
                stated("a-3", second, "interpretations"),
                stated("a-1", "ref", "errors"),
                stated("a-2", first, "inconsistencies"),
                stated("b", "", "", kind="human"),
            )
            self.assertEqual(found.line, (2, 1, 0, 4))
            self.assertEqual([copy.before for copy in found.copies], [2, 1, 0])
            self.assertEqual([copy.changed for copy in found.copies], [(0,), (0, 1), (2,)])
            self.assertEqual([copy.n_from_original for copy in found.copies], [1, 2, 3])

    def test_a_copy_without_a_step_is_compared_with_its_original(self):
        (found,) = self.families(stated("a-1", "ref", "errors"), stated("a-3", "ref", ""))
        self.assertEqual([copy.before for copy in found.copies], [2, 2])

    def test_an_original_that_is_gone_has_no_copies(self):
        self.assertEqual(self.families(stated("a-1", "gone", "errors")), [])

    def test_a_segment_that_a_copy_lacks(self):
        streams = ([None, *ORIGINAL[1:]], ORIGINAL)
        facts = {"x": stated("x", "y", "errors")}
        (found,) = corrected_references(("x", "y"), streams, facts)
        self.assertEqual((found.copies[0].changed, found.copies[0].n_unpaired), ((0,), 1))

    def test_words_that_changed(self):
        pairs = replaced(["The", "fluid", "is", "cleaned", "by", "passing", "a", "filter"],
                         ["The", "oil", "is", "cleaned", "via", "a", "filter", "now"])  # fmt: skip
        expected = [("fluid", "oil"), ("by passing", "via"), ("", "now")]
        self.assertEqual(pairs, expected)
        steps = (("a-1", "errors"), ("a-2", "inconsistencies"), ("a-3", "interpretations"))
        found = self.families(*(stated(name, "ref", step) for name, step in steps))
        by_words = {(w.before, w.after): w for w in changed_words(found, self.streams, "13a")}
        self.assertEqual(
            set(by_words),
            {
                ("is", ""),
                ("Trouble shooting", "Troubleshooting"),
                ("fluid", "oil"),
                ("Failure to check the oil each day", "It"),
            },
        )
        self.assertEqual(by_words["fluid", "oil"].places, (1,))
        self.assertEqual(by_words["fluid", "oil"].reference, 0)


class CorrectedPageTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(cls.owner, name="Texts")
        cls.segments = list(cls.texts.segments.order_by("position"))
        for i, segment in enumerate(cls.segments):
            segment.references.update(text=ORIGINAL[i])
        for s, system in enumerate(cls.texts.systems.order_by("name")):
            for i, segment in enumerate(cls.segments):
                rows = Output.objects.filter(system=system, segment=segment)
                rows.update(text=SYSTEMS[s][i])

    def add_copies(self, steps=CloningStep.values):
        for step, texts in zip(CloningStep.values, (ERRORS, SAME, PLAIN), strict=True):
            if step not in steps:
                continue
            name = f"ref-{step}"
            Reference.objects.bulk_create(
                Reference(segment=segment, name=name, text=texts[i])
                for i, segment in enumerate(self.segments)
            )
            facts = stated(name, "ref", step)
            facts.test_set = self.texts
            facts.save()

    def section(self, **query):
        data = {"several": "1"} | query
        response = self.get_as(self.owner, "metric-references", self.texts.pk, data=data)
        return response, response.context["several"][1]

    def tables(self, section):
        return {each.slug: each.make() for each in section.files}

    def test_no_copy_says_how_to_make_one(self):
        response, section = self.section()
        self.assertIn("No reference has a corrected copy", section.sentence())
        self.assertContains(response, "No reference has a corrected copy")
        self.assertContains(response, reverse("reference-new", args=[self.texts.pk]))
        self.assertContains(response, 'href="#section-wordings"')
        self.assertEqual(self.tables(section)["corrected-steps"].rows, [])

    def test_steps(self):
        self.add_copies()
        response, section = self.section()
        tables = self.tables(section)
        bleu = np.array(
            [
                [sacrebleu.corpus_bleu(system, [texts]).score for system in SYSTEMS]
                for texts in (ORIGINAL, ERRORS, SAME, PLAIN)
            ]
        )
        ranks = np.array([stats.rankdata(-row, method="min") for row in bleu])
        rows = tables["corrected-steps"].rows
        self.assertEqual(
            [row[:5] for row in rows],
            [
                ("ref", "original", None, None, None),
                ("ref-errors", "errors corrected", "ref", 1, 1),
                (
                    "ref-inconsistencies",
                    "variants and synonyms made consistent",
                    "ref-errors",
                    2,
                    2,
                ),
                (
                    "ref-interpretations",
                    "additions, omissions and interpretations removed",
                    "ref-inconsistencies",
                    1,
                    3,
                ),
            ],
        )
        for u in range(4):
            self.assertAlmostEqual(rows[u][5], bleu[u].mean())
        for u in range(1, 4):
            self.assertAlmostEqual(rows[u][6], (bleu[u] - bleu[u - 1]).mean())
            self.assertAlmostEqual(rows[u][7], (bleu[u] - bleu[0]).mean())
            self.assertEqual(rows[u][8], (ranks[u] != ranks[0]).sum())
            self.assertAlmostEqual(rows[u][9], stats.kendalltau(bleu[u], bleu[0])[0])
        self.assertGreater(rows[3][8], 0)  # otherwise the test would not cover ranks
        systems = {row[0]: row for row in tables["corrected-scores-1"].rows}
        for s, name in enumerate(("System-A", "System-B", "System-C")):
            self.assertEqual(systems[name][2::2], ranks[:, s].tolist())
            np.testing.assert_allclose(systems[name][1::2], bleu[:, s])
        rise = (bleu[3] - bleu[0]).mean()
        self.assertIn(f"systems score {abs(rise):.1f} points", section.sentence())
        self.assertIn("differs from ref in 3 segments", section.sentence())
        self.assertContains(response, "ref-interpretations")

    def test_changed_segments_and_words_lead_to_their_place(self):
        self.add_copies()
        _response, section = self.section()
        tables = self.tables(section)
        found = tables["corrected-segments"]
        self.assertEqual([row[0] for row in found.rows], ["1", "1", "2", "3"])
        self.assertEqual(found.rows[0][3:], (ORIGINAL[0], ERRORS[0]))
        self.assertEqual(self.client.get(found.links[3, "segment"]).status_code, 200)
        words = {row[:2]: row[2:] for row in tables["corrected-words"].rows}
        self.assertEqual(words["fluid", "oil"], (1, 1, "ref-inconsistencies", "2"))
        self.assertEqual(words["is", None], (1, 1, "ref-errors", "1"))

    def test_copies_are_no_further_references(self):
        self.add_copies()
        response, _section = self.section()
        more = response.context["several"][0]
        self.assertIn("has one reference", more.sentence())
        slugs = [each.slug for each in response.context["sections"] if each.exists()]
        self.assertNotIn("held-out", slugs)
        for segment in self.segments:
            Reference.objects.create(segment=segment, name="other", text=segment.source)
        response, _section = self.section()
        more = response.context["several"][0]
        self.assertIn("Corrected copies are not further translations", " ".join(more.notes()))
        rows = next(t for t in more.tables if t.slug == "scores-by-number").make().rows
        self.assertEqual([row[:3] for row in rows], [(1, 2, 2), (2, 1, 1)])

    def test_stated_copies_are_not_told_to_be_alike(self):
        self.add_copies()
        words = "one may be made from the other"
        self.assertNotContains(self.section()[0], words)
        ReferenceFacts.objects.all().delete()
        self.assertContains(self.section()[0], words)

    def test_a_fact_that_changes_is_seen_at_once(self):
        self.add_copies()
        self.section()
        ReferenceFacts.objects.filter(name="ref-interpretations").delete()
        _response, section = self.section()
        self.assertEqual(len(self.tables(section)["corrected-steps"].rows), 3)

    def test_a_copy_with_other_segments_is_warned_of(self):
        self.add_copies()
        self.segments[0].references.filter(name="ref-errors").delete()
        _response, section = self.section()
        self.assertIn("do not have the same segments", " ".join(section.notes()))

    def test_readers_who_do_not_own_it_are_not_led_to_the_form(self):
        factory.make_campaign(self.texts, owner=self.owner, researchers=[self.researcher])
        page = self.get_as(self.researcher, "metric-references", self.texts.pk)
        self.assertNotContains(page, reverse("reference-new", args=[self.texts.pk]))

    def test_statements_do_not_grow_with_copies(self):
        self.add_copies(["errors"])
        self.section()
        before = self.n_statements()
        self.add_copies(["inconsistencies", "interpretations"])
        self.section()
        self.assertEqual(self.n_statements(), before)

    def n_statements(self):
        with CaptureQueriesContext(connection) as found:
            self.section()
        return len(found)
