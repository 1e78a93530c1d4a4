"""Questions refer to the shown texts, and state the source of their wording."""

import re

import pytest
from django.urls import reverse

from judgments.judging import trial
from judgments.models import Reference
from judgments.protocols import PRESETS, protocol_of
from judgments.protocols.base import as_shown
from tests import factory
from tests.base import CastTestCase

WORDED = [
    pytest.param(dimension, id=f"{preset.slug}-{dimension.slug}")
    for preset in PRESETS.values()
    for dimension in preset.dimensions
]
RATED = [
    pytest.param(dimension, id=f"{preset.slug}-{dimension.slug}")
    for preset in PRESETS.values()
    if preset.protocol == "rating"
    for dimension in preset.dimensions
]


@pytest.mark.parametrize("dimension", WORDED)
def test_a_question_says_whose_wording_it_is(dimension):
    assert re.search(r"\b(19|20)\d\d\b|Appraise|LDC", dimension.provenance)


@pytest.mark.parametrize("dimension", RATED)
def test_no_question_speaks_of_a_hidden_text(dimension):
    assert "reference" not in as_shown(dimension, True, False).question.lower()
    assert "source" not in as_shown(dimension, False, True).question.lower()


@pytest.mark.parametrize("dimension", WORDED)
def test_no_question_says_where_the_texts_stand(dimension):
    """The texts are above the questions on the screen, and absent on the page of instructions."""
    for question in (dimension.question, dimension.of_source, dimension.of_reference):
        assert not re.search(r"\b(above|below|left|right|beside)\b", question)


class ShownTest(CastTestCase):
    def make(self, preset, **options):
        campaign = factory.make_campaign(
            factory.make_test_set(self.owner, name=f"{preset} {options}"),
            preset=preset,
            annotators=[self.annotator_1],
        )
        campaign.options |= options
        campaign.save()
        factory.make_task(campaign, self.annotator_1, n_outputs=1)
        return campaign

    def asked(self, campaign):
        return protocol_of(campaign).dimensions()[0].question

    def page(self, campaign, name="judge-item", *arguments):
        self.client.force_login(self.annotator_1)
        return self.client.get(reverse(name, args=[campaign.pk, *arguments])).content.decode()

    def test_adequacy_without_the_reference_asks_about_the_source(self):
        campaign = self.make("adequacy-fluency", show_reference=False)
        for name, arguments in (("judge-item", (1,)), ("judge-instructions", ())):
            page = self.page(campaign, name, *arguments)
            self.assertIn("meaning expressed in the source text", page)
            self.assertNotIn("meaning expressed in the reference", page)

    def test_adequacy_beside_both_asks_about_the_reference(self):
        campaign = self.make("adequacy-fluency")
        self.assertIn(
            "expressed in the reference translation", self.page(campaign, "judge-item", 1)
        )

    def test_adequacy_asks_about_the_translation(self):
        """The screen calls it a translation; LDC's word for it, hypothesis, is jargon."""
        for shown in ({}, {"show_reference": False}):
            campaign = self.make("adequacy-fluency", **shown)
            for name, arguments in (("judge-item", (1,)), ("judge-instructions", ())):
                page = self.page(campaign, name, *arguments)
                self.assertIn("is also expressed in the translation?", page)
        for number, _ in enumerate(trial.presets(), 1):
            for name in ("trial-item", "trial-instructions"):
                page = self.client.get(reverse(name, args=[number])).content.decode()
                self.assertNotRegex(page, "(?i)hypothes[ie]s")

    def test_a_segment_without_a_reference(self):
        campaign = self.make("adequacy-fluency")
        Reference.objects.all().delete()
        self.assertIn("expressed in the source text", self.page(campaign, "judge-item", 1))

    def test_in_the_language_of_the_page(self):
        campaign = self.make("adequacy-fluency", show_reference=False)
        self.client.force_login(self.annotator_1)
        url = reverse("judge-item", args=[campaign.pk, 1])
        page = self.client.get(url, headers={"accept-language": "de"}).content.decode()
        self.assertIn("vom Inhalt des Ausgangstextes", page)

    def test_direct_assessment_against_what_is_shown(self):
        shown = {"show_source": False, "show_reference": True}
        self.assertIn("semantics of the source text", self.asked(self.make("direct-assessment")))
        self.assertIn(
            "semantics of the reference text", self.asked(self.make("direct-assessment", **shown))
        )
        hidden = {"show_source": True, "show_reference": False}
        self.assertIn(
            "meaning of the source", self.asked(self.make("direct-assessment-reference", **hidden))
        )

    def test_a_whole_document_has_its_texts_in_paragraphs(self):
        campaign = self.make("document-assessment")
        self.assertEqual(protocol_of(campaign).texts_beside(), (False, False))
        self.assertEqual(protocol_of(campaign).texts_shown(), (True, False))
        self.assertIn("its source", self.asked(campaign))
        campaign.options |= {"source_document": False, "reference_document": True}
        self.assertIn("its reference", self.asked(campaign))

    def test_what_a_preset_holds_back_no_option_shows(self):
        campaign = self.make("sentence-editing", show_source=True, show_reference=True)
        self.assertEqual(protocol_of(campaign).texts_beside(), (False, False))
