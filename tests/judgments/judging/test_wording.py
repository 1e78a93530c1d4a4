"""What a screen says fits what it shows: every preset, with and without source and reference."""

import re
from itertools import product

from django.urls import reverse
from django.utils.html import strip_tags

from judgments.models import Item, Output, Reference
from judgments.plans.campaigns.forms import CampaignForm
from judgments.protocols import PRESETS, PROTOCOLS, protocol_of
from judgments.protocols.rating import RatingProtocol
from tests import factory
from tests.base import CastTestCase

# Texts that no wording contains.
SOURCE, REFERENCE, OUTPUT = "Quelle eins.", "Reffo eins.", "Auspo eins."


def words_of(page: bytes) -> str:
    """What can be read on a page."""
    text = re.sub(r"<(script|noscript|title|style).*?</\1>", " ", page.decode(), flags=re.S)
    return " ".join(strip_tags(text.partition("<main")[2]).split())


def type_of(preset):
    return PROTOCOLS[preset.protocol]


class WordingTest(CastTestCase):
    def setUp(self):
        super().setUp()
        self.test_set.segments.update(source=SOURCE)
        Reference.objects.update(text=REFERENCE)
        for output in Output.objects.all():
            Output.objects.filter(pk=output.pk).update(text=f"{OUTPUT} {output.pk}")

    def campaign_of(self, preset, **options):
        campaign = factory.make_campaign(
            self.test_set, preset=preset.slug, name=preset.slug, annotators=[self.annotator_1]
        )
        campaign.options |= options
        campaign.save()
        most = protocol_of(campaign).outputs_per_item()[1]
        factory.make_task(campaign, self.annotator_1, n_outputs=most)
        return campaign

    def said(self, campaign) -> str:
        address = reverse("judge-item", args=[campaign.pk, 1])
        instructions = reverse("judge-instructions", args=[campaign.pk])
        self.client.force_login(self.annotator_1)
        pages = [self.client.get(address), self.client.get(instructions)]
        self.assertEqual([page.status_code for page in pages], [200, 200])
        return " ".join(words_of(page.content) for page in pages)

    def test_no_screen_speaks_of_a_text_that_it_does_not_show(self):
        n_screens = 0
        for preset in PRESETS.values():
            for source, reference in product((True, False), repeat=2):
                shows = {"show_source": source, "show_reference": reference}
                offered = {option.slug for option in type_of(preset).option_fields(preset)}
                if not offered.issuperset(name for name in shows if not shows[name]):
                    continue  # nobody can hide it
                protocol = protocol_of(self.campaign_of(preset, **shows))
                if protocol.problems(preset, protocol.campaign.options, self.test_set):
                    continue
                n_screens += 1
                with self.subTest(preset.slug, **shows):
                    said = self.said(protocol.campaign)
                    # The words of the source stand one by one where words are linked.
                    if SOURCE not in said and preset.protocol != "alignment":
                        self.assertNotRegex(said, r"(?i)\bsource\b(?! issue| language)")
                    if REFERENCE not in said:
                        self.assertNotRegex(said, r"(?i)(?<!cross-)(?<!external )\breference\b")
                    # Questions stand above the texts.
                    self.assertNotRegex(said, r"(?i)\babove\b")
        self.assertGreater(n_screens, 40)

    def test_what_is_shown_is_named(self):
        """The questions that compare name what stands there."""
        for slug, (source, reference), words in (
            ("adequacy-fluency", (True, True), "expressed in the reference translation"),
            ("adequacy-fluency", (True, False), "expressed in the source text"),
            ("direct-assessment", (False, True), "semantics of the reference text"),
            ("direct-assessment-reference", (True, False), "the meaning of the source."),
            ("contrastive-da", (False, True), "semantics of the reference text"),
            ("xsts", (False, True), "How close are reference and translation"),
        ):
            with self.subTest(slug):
                shows = {"show_source": source, "show_reference": reference}
                self.assertIn(words, self.said(self.campaign_of(PRESETS[slug], **shows)))

    def test_a_question_that_compares_is_not_asked_of_nothing(self):
        nothing = {"show_source": False, "show_reference": False}
        refused = [
            preset.slug
            for preset in PRESETS.values()
            if preset.protocol == "rating"
            and RatingProtocol.problems(preset, preset.options | nothing, self.test_set)
        ]
        self.assertEqual(
            refused,
            ["adequacy-fluency", "direct-assessment", "direct-assessment-reference",
             "contrastive-da", "xsts", "xsts-rp", "correct-or-not"],
        )  # fmt: skip
        whole = PRESETS["document-assessment"]
        found = RatingProtocol.problems(
            whole, whole.options | {"source_document": False}, self.test_set
        )
        self.assertEqual(list(found), ["source_document"])

    def test_the_first_pass_names_what_it_holds_back(self):
        for shows, words in (
            ({}, "The source and the reference are hidden"),
            ({"show_reference": False}, "The source is hidden"),
            ({"show_source": False}, "The reference is hidden"),
        ):
            with self.subTest(words):
                campaign = self.campaign_of(
                    PRESETS["adequacy-fluency"], separate_passes=True, **shows
                )
                Item.objects.filter(task__campaign=campaign).update(part="fluency")
                self.assertIn(words, self.said(campaign))

    def test_instructions_left_as_they_are_fit_what_was_chosen(self):
        for show_source, text in (
            (True, PRESETS["esa"].instructions), (False, PRESETS["esa"].unsourced)
        ):  # fmt: skip
            data = {
                "name": f"ESA {show_source}",
                "test_set": self.test_set.pk,
                "context": "none",
                "unmarked": "ask",
                "unmarked_below": 66,
                "mark_by": "reader",
                "outputs_per_item": 1,
                "instructions_text": PRESETS["esa"].instructions,
            }
            data |= {"show_source": "on"} if show_source else {}
            form = CampaignForm(self.owner, PRESETS["esa"], data=data)
            self.assertTrue(form.is_valid(), form.errors)
            form.instance.created_by = self.owner
            saved = form.save(commit=False)
            self.assertEqual(form.instance.instructions, {"en": text}, saved)
        self.assertNotEqual(PRESETS["esa"].unsourced, PRESETS["esa"].instructions)

    def test_a_source_that_is_not_shown_cannot_be_marked(self):
        campaign = self.campaign_of(PRESETS["mqm"], show_source=False)
        said = self.said(campaign)
        self.assertIn("Read all that is shown, in the context of the document.", said)
        campaign = self.campaign_of(PRESETS["mqm"])
        self.assertIn("to the source, and back", self.said(campaign))
