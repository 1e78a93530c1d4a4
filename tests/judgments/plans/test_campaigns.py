from django.urls import reverse
from django.utils.html import conditional_escape

from judgments.models import Campaign, Role
from judgments.protocols import PRESETS
from tests import factory
from tests.base import CastTestCase

FORM = {
    "name": "A new one",
    "show_source": "on",
    "show_reference": "on",
    "context": "none",
    "outputs_per_item": "5",
}

OWN = {"dimensions": "adequacy: 1-5"}


class CampaignListTests(CastTestCase):
    def test_owner_and_researcher_see_it(self):
        for user in (self.owner, self.researcher):
            self.assertContains(self.get_as(user, "campaigns"), "Small campaign")

    def test_annotators_and_outsiders_see_none(self):
        for user in (self.annotator_1, self.outsider):
            response = self.get_as(user, "campaigns")
            self.assertNotContains(response, "Small campaign")
            self.assertContains(response, "No campaign yet")
        self.assertEqual(self.get_as(None, "campaigns").status_code, 302)


class NewCampaignTests(CastTestCase):
    def post(self, user=None, preset="adequacy-fluency", **data):
        data = FORM | {"test_set": self.test_set.pk} | data
        return self.post_as(user or self.owner, "campaign-new-preset", preset, data=data)

    def test_the_first_step_offers_every_preset(self):
        response = self.as_user(self.owner).get(reverse("campaign-new") + "?test_set=7")
        for preset in PRESETS.values():
            url = reverse("campaign-new-preset", args=[preset.slug])
            self.assertContains(response, f'href="{url}?test_set=7"')
            self.assertContains(response, conditional_escape(preset.summary))

    def test_the_second_step_has_the_fields_of_its_preset_only(self):
        for preset, has, has_not in (
            ("adequacy-fluency", {"separate_passes", "outputs_per_item"}, {"dimensions"}),
            ("direct-assessment", {"context"}, {"dimensions", "separate_passes"}),
            ("custom-rating", {"dimensions", "separate_passes"}, set()),
            ("pairwise", {"context"}, {"outputs_per_item", "separate_passes", "dimensions"}),
        ):
            with self.subTest(preset):
                form = self.get_as(self.owner, "campaign-new-preset", preset).context["form"]
                self.assertLessEqual(has, set(form.fields))
                self.assertFalse(has_not & set(form.fields))

    def test_every_preset_can_be_made_as_it_is(self):
        """What the form shows at first is right, and what the preset says is stored."""
        edits = factory.make_campaign(
            self.test_set, preset="sentence-editing", owner=self.owner, status="closed"
        )
        for preset in PRESETS.values():
            page = self.get_as(self.owner, "campaign-new-preset", preset.slug)
            form = page.context["form"]
            values = {f.html_name: f.value() for f in form}
            data = {name: v for name, v in values.items() if v is not None and v is not False}
            data |= {"name": preset.name, "test_set": self.test_set.pk}
            data |= {"custom-rating": OWN, "acceptability": {"edits_of": str(edits.pk)}}.get(
                preset.slug, {}
            )
            with self.subTest(preset.slug):
                self.post_as(self.owner, "campaign-new-preset", preset.slug, data=data)
                campaign = Campaign.objects.get(preset=preset.slug, status="draft")
                self.assertEqual(campaign.protocol, preset.protocol)
                self.assertLessEqual(preset.options.items(), campaign.options.items())

    def test_an_unknown_preset_is_not_found(self):
        self.assertEqual(self.post(preset="nonsense").status_code, 404)

    def test_outsiders_see_neither_step(self):
        for args in (["campaign-new"], ["campaign-new-preset", "pairwise"]):
            for user, status in ((None, 302), (self.outsider, 403), (self.annotator_1, 403)):
                self.assertEqual(self.get_as(user, *args).status_code, status)

    def test_makes_a_draft_owned_by_its_maker(self):
        response = self.post()
        campaign = Campaign.objects.get(name="A new one")
        self.assertRedirects(response, reverse("campaign-design", args=[campaign.pk]))
        self.assertEqual(campaign.status, "draft")
        self.assertEqual(campaign.protocol, "rating")
        self.assertEqual(campaign.memberships.get().role, Role.OWNER)

    def test_only_staff_makes_campaigns(self):
        for user in (self.researcher, self.annotator_1, self.outsider):
            self.assertEqual(self.post(user).status_code, 403)
        self.assertFalse(Campaign.objects.filter(name="A new one").exists())

    def test_not_on_a_test_set_one_cannot_see(self):
        other = factory.make_test_set(self.outsider, name="Private")
        response = self.post(test_set=other.pk)
        self.assertContains(response, "There is a problem")

    def test_own_questions(self):
        self.post(preset="custom-rating", dimensions="adequacy: 1-5\nbelievability: 0-100")
        campaign = Campaign.objects.get(name="A new one")
        self.assertEqual(
            campaign.options["dimensions"],
            [
                {"slug": "adequacy", "low": 1, "high": 5},
                {"slug": "believability", "low": 0, "high": 100},
            ],
        )

    def test_bad_values_are_named(self):
        for change, words in (
            ({"name": ""}, "required"),
            ({"context": "nonsense"}, "valid choice"),
            ({"outputs_per_item": "0"}, "greater than or equal to 1"),
            ({"outputs_per_item": "6"}, "less than or equal to 5"),
            ({"preset": "custom-rating"}, "required"),
            ({"preset": "custom-rating", "dimensions": "\n "}, "required"),
            ({"preset": "custom-rating", "dimensions": "a: 5-1"}, "Line 1"),
            ({"preset": "custom-rating", "dimensions": "a: 1-5\na: 1-5"}, "Line 2"),
            ({"preset": "custom-rating", "dimensions": "a" * 41 + ": 1-5"}, "Line 1"),
            ({"preset": "custom-rating", "dimensions": "a: 0-1000000"}, "Line 1"),
            ({"preset": "custom-rating", "dimensions": "a: 0-" + "9" * 5000}, "Line 1"),
            ({"preset": "custom-rating", "dimensions": "a: ١-٥"}, "Line 1"),
            (
                {
                    "preset": "custom-rating",
                    "dimensions": "\n".join(f"d{i}: 1-5" for i in range(21)),
                },
                "at most 20 questions",
            ),
        ):
            with self.subTest(change):
                response = self.post(**change)
                self.assertContains(response, "There is a problem")
                self.assertContains(response, words)

    def test_without_texts_the_way_to_them_is_shown(self):
        newcomer = factory.make_user("newcomer", is_staff=True)
        self.assertRedirects(self.get_as(newcomer, "campaign-new"), reverse("test-set-new"))


class OverviewTests(CastTestCase):
    def test_refused_to_others(self):
        self.assert_refused("campaign", self.campaign.pk)

    def test_counts_what_was_judged(self):
        item = self.campaign.tasks.get(annotator=self.annotator_1).items.first()
        values = {"adequacy": [5, 3, 1], "fluency": [5, 3, 1]}
        first = factory.judge(item, values, active_ms=90_000)
        factory.judge(item, values, active_ms=30_000, supersedes=first)
        response = self.get_as(self.researcher, "campaign", self.campaign.pk)
        self.assertContains(response, "1 of 8 items have been judged (12 %)")
        self.assertContains(response, "<dd>1</dd>", html=True)
        rows = {row["alias"]: row for row in response.context["rows"]}
        self.assertEqual(rows["annotator-1"]["judged"], 1)
        self.assertEqual(rows["annotator-1"]["active_ms"], 120_000)
        self.assertEqual(rows["annotator-2"]["judged"], 0)
        self.assertNotContains(response, "Manage the campaign")

    def test_no_time_is_no_work_of_no_seconds(self):
        item = self.campaign.tasks.get(annotator=self.annotator_1).items.first()
        factory.judge(item, {"adequacy": [5, 3, 1], "fluency": [5, 3, 1]}, active_ms=0)
        response = self.get_as(self.researcher, "campaign", self.campaign.pk)
        self.assertContains(response, "1 of 8 items have been judged (12 %), 2 annotators.")
        self.assertNotContains(response, "0 s")

    def test_the_owner_gets_the_controls(self):
        page = self.get_as(self.owner, "campaign", self.campaign.pk)
        self.assertContains(page, "Manage the campaign")

    def test_statements_do_not_grow_with_annotators(self):
        self.get_as(self.owner, "campaign", self.campaign.pk)
        with self.assertNumQueries(9):
            self.client.get(reverse("campaign", args=[self.campaign.pk]))
        for i in range(20):
            annotator = factory.make_user(f"extra-{i}")
            self.campaign.memberships.create(user=annotator, role="annotator", alias=f"extra {i}")
            factory.make_task(self.campaign, annotator, seat=10 + i)
        with self.assertNumQueries(9):
            self.client.get(reverse("campaign", args=[self.campaign.pk]))

    def test_simulated_is_said(self):
        self.campaign.simulated = True
        self.campaign.save()
        response = self.get_as(self.owner, "campaign", self.campaign.pk)
        self.assertContains(response, "generated by a program")


class StatusTests(CastTestCase):
    def test_refused_to_others(self):
        self.assert_refused("campaign-status", self.campaign.pk, method="post")
        response = self.post_as(
            self.researcher, "campaign-status", self.campaign.pk, data={"status": "closed"}
        )
        self.assertEqual(response.status_code, 403)

    def test_post_only(self):
        self.assert_post_only("campaign-status", self.campaign.pk)

    def test_pause_and_nonsense(self):
        for sent, expected in (("paused", "paused"), ("nonsense", "paused"), ("open", "open")):
            self.post_as(self.owner, "campaign-status", self.campaign.pk, data={"status": sent})
            self.campaign.refresh_from_db()
            self.assertEqual(self.campaign.status, expected)

    def test_nothing_to_judge_is_not_opened(self):
        empty = factory.make_campaign(self.test_set, owner=self.owner, status="draft")
        response = self.post_as(self.owner, "campaign-status", empty.pk, data={"status": "open"})
        self.assertRedirects(response, reverse("campaign-design", args=[empty.pk]))
        empty.refresh_from_db()
        self.assertEqual(empty.status, "draft")


class InstructionsTests(CastTestCase):
    def test_refused_to_others(self):
        self.assert_refused("campaign-instructions", self.campaign.pk)
        response = self.get_as(self.researcher, "campaign-instructions", self.campaign.pk)
        self.assertEqual(response.status_code, 403)

    def test_a_change_counts_up_the_version_and_none_does_not(self):
        for text, version in (("Read twice.", 2), ("Read twice.", 2), ("Read thrice.", 3)):
            data = {"text": text, "version": self.campaign.guideline_version}
            self.post_as(self.owner, "campaign-instructions", self.campaign.pk, data=data)
            self.campaign.refresh_from_db()
            self.assertEqual(self.campaign.guideline_version, version)
        self.assertEqual(self.campaign.instructions, {"en": "Read thrice."})

    def test_each_language_has_its_text(self):
        texts = {"en": "Read.", "de": "Lies.", "zh-hans": "读。"}
        data = {"version": 1, "text": "Read.", "text_de": "Lies.", "text_zh-hans": "读。"}
        self.post_as(self.owner, "campaign-instructions", self.campaign.pk, data=data)
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.instructions, texts)
        page = self.get_as(self.owner, "campaign-instructions", self.campaign.pk)
        for text in texts.values():
            self.assertContains(page, text)
        # Those that are written are open and come first.
        self.assertContains(page, "<details open>", count=2)
        self.assertContains(page, "not written; English is shown", count=9)
        self.assertLess(page.content.index(b"text_zh-hans"), page.content.index(b"text_cs"))
        for asked, text in (("de", "Lies."), ("zh-CN", "读。"), ("cs", "Read.")):
            page = self.get_as(
                self.annotator_1,
                "judge-instructions",
                self.campaign.pk,
                headers={"accept-language": asked},
            )
            self.assertContains(page, f"<p>{text}</p>", html=True)
