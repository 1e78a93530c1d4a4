"""Edits on pages, in files, in the programming interface, and handed over to HTER."""

import csv
import io
import json

from django.urls import reverse
from statsmodels.stats.proportion import proportion_confint

from judgments.models import Campaign, Decision, Item, Output, Rating, TargetedReference
from judgments.protocols import PRESETS
from judgments.results.edits.figures import edits_report
from judgments.results.edits.hand_over import hand_over, set_name
from judgments.results.selection.selection import Selection
from metrics.models import MetricScore
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase
from tests.judgments.protocols.test_acceptability import edit


class EditsTestCase(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.editing = factory.make_campaign(
            cls.test_set,
            preset="sentence-editing",
            name="Editing",
            owner=cls.owner,
            researchers=[cls.researcher],
            annotators=[cls.annotator_1, cls.annotator_2],
        )
        cls.items = {}
        for seat, person in enumerate([cls.annotator_1, cls.annotator_2], 1):
            task = factory.make_task(cls.editing, person, seat=seat, n_outputs=1)
            cls.items[person] = list(task.items.order_by("position"))
        first = cls.items[cls.annotator_1]
        text = first[1].shown.first().output.text
        cls.edits = [
            edit(first[0], "edited", "Source text number one here", editor=cls.annotator_1),
            edit(first[1], "no_correction", text, editor=cls.annotator_1),
            edit(first[2], "unable", "", editor=cls.annotator_1),
            edit(cls.items[cls.annotator_2][0], "edited", "Another text", editor=cls.annotator_2),
        ]
        for n, row in enumerate(cls.edits, 1):
            row.keystrokes, row.active_ms = 10 * n, 1000 * n
            with factory.rewriting():
                row.save()

    def references(self):
        rows = TargetedReference.objects.order_by("name", "output__segment__position")
        return list(rows.values_list("name", "output__segment__key", "text"))


class EditsTest(EditsTestCase):
    def test_counts(self):
        report = edits_report(Selection.of(self.editing))
        (system,) = report.systems
        self.assertEqual(
            (system.name, system.n_edited, system.n_untouched, system.n_unable),
            ("System-A", 2, 1, 1),
        )
        low, high = proportion_confint(1, 4, method="wilson")
        self.assertAlmostEqual(system.untouched.low, low, 12)
        self.assertAlmostEqual(system.untouched.high, high, 12)
        self.assertEqual((system.median_keystrokes, system.median_seconds), (25, 2.5))
        self.assertEqual([(a.name, a.n) for a in report.annotators],
                         [("annotator-1", 3), ("annotator-2", 1)])  # fmt: skip

    def test_revisions_copies_and_exclusions(self):
        first = self.edits[0]
        old = first.judgment
        edit(old.item, "unable", "", editor=self.annotator_1, supersedes=old)
        twin = self.edits[1].output.segment.outputs.get(system__name="System-B")
        self.edits[1].judgment.edits.create(
            output=twin, outcome="no_correction", text=twin.text, is_copy=True
        )
        report = edits_report(Selection.of(self.editing))
        self.assertEqual(
            [(s.name, s.n) for s in report.systems], [("System-B", 1), ("System-A", 4)]
        )
        self.assertEqual((report.n_edits, report.n_copies), (4, 1))
        self.assertEqual(report.systems[1].n_unable, 2)
        Decision.objects.create(
            campaign=self.editing, annotator=self.annotator_1, excluded=True, decided_by=self.owner
        )
        self.assertEqual(
            [a.name for a in edits_report(Selection.of(self.editing)).annotators], ["annotator-2"]
        )

    def test_the_page(self):
        self.assert_refused("edits", self.editing.pk)
        page = self.get_as(self.researcher, "edits", self.editing.pk)
        self.assertContains(page, "25 % of the outputs of System-A needed no correction")
        self.assertContains(page, "4 texts by 2 annotators.")
        self.assertEqual(self.get_as(self.owner, "edits", self.campaign.pk).status_code, 404)

    def test_the_empty_page_says_what_to_do(self):
        empty = factory.make_campaign(self.test_set, preset="post-editing", owner=self.owner)
        self.assertContains(self.get_as(self.owner, "edits", empty.pk), "No edits yet")

    def test_the_interface_gives_the_figures_of_the_page(self):
        for user, status in ((None, 403), (self.outsider, 404), (self.annotator_1, 403)):
            response = self.get_as(user, "api-edits", self.editing.pk)
            self.assertEqual(response.status_code, status)
        found = self.get_as(self.researcher, "api-edits", self.editing.pk).json()
        self.assertEqual(found["n_edits"], 4)
        self.assertEqual(found["systems"][0]["untouched"], 0.25)
        self.assertEqual(found["editors"][1]["median_seconds"], 4.0)
        none = self.get_as(self.researcher, "api-edits", self.campaign.pk).json()
        self.assertEqual((none["n_edits"], none["systems"]), (0, []))

    def test_files(self):
        pk = self.editing.pk
        for table in ("edits-systems", "edits-annotators"):
            self.assertEqual(
                self.get_as(self.researcher, "export-table", pk, table).status_code, 200
            )
        text = self.get_as(self.researcher, "export-table", pk, "edits").content.decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([row["outcome"] for row in rows],
                         ["edited", "no_correction", "unable", "edited"])  # fmt: skip
        self.assertEqual((rows[0]["text"], rows[0]["seconds"]), (self.edits[0].text, "1.0"))
        found = json.loads(b"".join(self.get_as(self.researcher, "export-json", pk)))
        self.assertEqual(found["edits"]["report"]["systems"][0]["n_edited"], 2)
        self.assertEqual(len(found["edits"]["edits"]), 4)
        response = self.get_as(self.researcher, "chart", pk, "edits-untouched", "svg")
        self.assertContains(response, "System-A")

    def test_judged_edits_in_files(self):
        judging = factory.make_campaign(
            self.test_set, preset="acceptability", owner=self.owner, name="Judging",
            annotators=[self.annotator_2], options={"edits_of": str(self.editing.pk)},
        )  # fmt: skip
        task = factory.make_task(judging, self.annotator_2, n_outputs=1)
        for item, judged in zip(task.items.order_by("position"), self.edits[:3], strict=False):
            item.part = str(judged.pk)
            item.save()
            factory.judge(item, {"acceptable": [float(judged.outcome != "unable")]})
        text = self.get_as(self.owner, "export-table", judging.pk, "edits-judged").content.decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(
            [(row["editor"], row["outcome"], row["text"], row["acceptable"]) for row in rows],
            [
                ("annotator-1", "edited", "Source text number one here", "1"),
                ("annotator-1", "no_correction", self.edits[1].text, "1"),
                ("annotator-1", "unable", self.edits[2].output.text, "0"),
            ],
        )


class HandOverTest(EditsTestCase):
    """Of a campaign whose editors see the source."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.editing.preset = "post-editing"
        cls.editing.options = dict(PRESETS["post-editing"].options)
        cls.editing.save()

    def test_not_offered_from_editing_without_the_source(self):
        offer = "Use these post-edits for HTER"
        url = ("edits", self.editing.pk)
        self.assertContains(self.get_as(self.owner, *url), offer)
        self.assertNotContains(self.get_as(self.researcher, *url), offer)
        self.editing.options = {
            "show_source": False,
            "show_reference": True,
        }  # as Snover et al. did
        self.editing.save()
        self.assertContains(self.get_as(self.owner, *url), offer)
        self.editing.preset = "sentence-editing"
        self.editing.save()
        page = self.get_as(self.owner, *url)
        self.assertNotContains(page, offer)
        self.assertContains(page, "HTER is not computed from these edits")
        response = self.post_as(self.owner, "edits-hand-over", self.editing.pk)
        self.assertEqual(response.status_code, 404)
        with self.assertRaisesMessage(ValueError, "neither the source nor a reference"):
            hand_over(self.editing)
        self.assertEqual(self.references(), [])

    def test_who_may(self):
        self.assert_refused("edits-hand-over", self.editing.pk, method="post")
        self.assert_post_only("edits-hand-over", self.editing.pk)
        response = self.post_as(self.researcher, "edits-hand-over", self.editing.pk)
        self.assertEqual(response.status_code, 403)
        response = self.post_as(self.owner, "edits-hand-over", self.campaign.pk)
        self.assertEqual(response.status_code, 404)
        # Who owns the campaign alone may not change the test set.
        self.editing.memberships.filter(user=self.researcher).update(role="owner")
        response = self.post_as(self.researcher, "edits-hand-over", self.editing.pk)
        self.assertEqual(response.status_code, 403)
        self.assertEqual(self.references(), [])

    def test_every_set_holds_an_output_once(self):
        response = self.post_as(self.owner, "edits-hand-over", self.editing.pk)
        self.assertRedirects(response, reverse("edits", args=[self.editing.pk]))
        name = set_name(self.editing)
        self.assertEqual(
            self.references(),
            [
                (name, "1", "Source text number one here"),
                (name, "2", self.edits[1].text),
                (f"{name} (2)", "1", "Another text"),
            ],
        )
        page = self.get_as(self.owner, "edits", self.editing.pk)
        self.assertContains(page, f"<strong>{name} (2)</strong>")

    def test_again_replaces_its_own_and_no_other(self):
        other = TargetedReference.objects.create(
            output=self.edits[0].output, name="Jo", text="Somebody's"
        )
        self.assertEqual(hand_over(self.editing), 3)
        Decision.objects.create(
            campaign=self.editing, annotator=self.annotator_2, excluded=True, decided_by=self.owner
        )
        self.assertEqual(hand_over(self.editing), 2)
        self.assertEqual(len(self.references()), 3)
        self.assertTrue(TargetedReference.objects.filter(pk=other.pk).exists())

    def test_a_long_name_fits(self):
        self.editing.name = "x" * 200
        self.editing.save()
        self.assertEqual(hand_over(self.editing), 3)

    def test_nothing_to_hand_over(self):
        empty = factory.make_campaign(self.test_set, preset="post-editing", owner=self.owner)
        response = self.post_as(self.owner, "edits-hand-over", empty.pk, follow=True)
        self.assertContains(response, "no edits that HTER could use")

    def test_hter_counts_against_them(self):
        hand_over(self.editing)
        Output.objects.filter(pk=self.edits[0].output_id).update(text="Source text number two here")
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("hter")], ["ref"]).pk)
        score = MetricScore.objects.get(system__name="System-A")
        # One of the five words of the first output was replaced, none of the second's.
        segments = list(self.test_set.segments.order_by("position"))
        self.assertEqual(len(segments), 4)
        self.assertAlmostEqual(score.segment_scores[0], 20.0)
        self.assertAlmostEqual(score.segment_scores[1], 0.0)
        self.assertFalse(Rating.objects.filter(judgment__campaign=self.editing).exists())


class ThroughThePagesTest(EditsTestCase):
    """What a manager does to have edits judged."""

    def make(self, **changes):
        data = {
            "name": "Are they right?",
            "test_set": self.test_set.pk,
            "edits_of": self.editing.pk,
        } | changes
        return self.post_as(self.owner, "campaign-new-preset", "acceptability", data=data)

    def test_from_the_form_to_the_plan(self):
        self.assertEqual(self.make().status_code, 302)
        campaign = Campaign.objects.get(name="Are they right?")
        self.assertEqual(campaign.options["edits_of"], str(self.editing.pk))
        data = {"batch_items": 30, "seats": 1, "seed": 1}
        page = self.post_as(
            self.owner, "campaign-design", campaign.pk, data=data | {"preview": "1"}
        )
        self.assertContains(page, "<dt>Answers</dt>")
        self.post_as(self.owner, "campaign-design", campaign.pk, data=data)
        parts = Item.objects.filter(task__campaign=campaign).values_list("part", flat=True)
        self.assertEqual(set(parts), {str(edit.pk) for edit in self.edits})

    def test_bad_values(self):
        other = factory.make_test_set(self.owner, name="Other texts")
        hidden = factory.make_campaign(self.test_set, preset="sentence-editing", name="Hidden")
        for changes in (
            {"edits_of": ""},
            {"edits_of": "x"},
            {"edits_of": self.campaign.pk},  # nothing is edited there
            {"edits_of": hidden.pk},  # of other people
            {"test_set": other.pk},
        ):
            self.assertNotEqual(self.make(**changes).status_code, 302, changes)
        self.assertFalse(Campaign.objects.filter(name="Are they right?").exists())

    def test_nothing_to_judge_is_said_before_it_is_planned(self):
        empty = factory.make_campaign(self.test_set, preset="sentence-editing", owner=self.owner)
        self.make(edits_of=empty.pk)
        campaign = Campaign.objects.get(name="Are they right?")
        data = {"batch_items": 30, "seats": 1, "seed": 1}
        page = self.post_as(self.owner, "campaign-design", campaign.pk, data=data)
        self.assertContains(page, "has no edits yet")
        self.assertFalse(campaign.tasks.exists())


class DashboardsTest(CastTestCase):
    """What follows from edits is read on every page of results."""

    def test_words_kept_has_agreement_scores_and_the_rest(self):
        campaign = factory.make_campaign(
            self.test_set, preset="post-editing", owner=self.owner,
            annotators=[self.annotator_1, self.annotator_2],
        )  # fmt: skip
        for seat, person in enumerate([self.annotator_1, self.annotator_2], 1):
            task = factory.make_task(campaign, person, seat=seat)
            for n, item in enumerate(task.items.order_by("position")):
                factory.judge(item, {"words_kept": [90.0 - n, 70.0 + seat, 50.0 + n * seat]})
        for name in ("campaign", "agreement", "scores", "quality", "power", "correlation"):
            page = self.get_as(self.owner, name, campaign.pk)
            self.assertEqual(page.status_code, 200, name)
        self.assertContains(self.get_as(self.owner, "scores", campaign.pk), "Systems by words kept")
        found = self.get_as(self.owner, "api-scores", campaign.pk).json()
        self.assertEqual(found["systems"][0]["system"], "System-A")
        self.assertEqual(found["systems"][0]["score"], 88.5)

    def test_neither_the_value_nor_the_system_is_shown_to_annotators(self):
        for preset in ("post-editing", "sentence-editing"):
            options = {"show_source": True, "show_reference": True}
            campaign = factory.make_campaign(
                self.test_set, preset=preset, annotators=[self.annotator_1], options=options
            )
            factory.make_task(campaign, self.annotator_1, n_outputs=1)
            page = self.get_as(self.annotator_1, "judge-item", campaign.pk, 1)
            for secret in ("System-", "words_kept", "Words kept", "HTER"):
                self.assertNotContains(page, secret)
        for secret in ("Quelltext", "stands here ."):  # held back, whatever the options say
            self.assertNotContains(page, secret)
