"""Results of campaigns whose blocks show some of the systems, and the waves of a race.

Expected differences are those of `weighted_differences`, from what was planned and judged.
"""

import csv
import io
import itertools
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from django.conf import settings
from django.core.management import call_command
from django.test import TestCase
from django.urls import reverse

from judgments.exchange.project_files.loader import create_project
from judgments.models import ItemOutput, Kind, Output, Rating, Role, System
from judgments.models.chains import record
from judgments.models.chains.record_checking import check_record
from judgments.models.chains.sealing import seal_all
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.plans.stopping import PlanTooLate, register
from judgments.results.power.figures import power
from judgments.results.scores.choice import contenders_of
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from judgments.stats.chosen_systems import weighted_differences
from judgments.stats.planning.choice import SystemChoice, price_of_random
from tests import factory

NAMES = [f"System-{letter}" for letter in "ABCDE"]
# How good the systems are; the first two are close.
LEVELS = dict(zip(NAMES, (80, 79, 50, 40, 30), strict=True))


class ChoiceTestCase(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner", is_staff=True)
        cls.annotator = factory.make_user("annotator")
        cls.outsider = factory.make_user("outsider")
        cls.test_set = factory.make_test_set(cls.owner, n_segments=64, n_systems=5, n_documents=32)

    def planned(self, **values):
        campaign = factory.make_campaign(
            self.test_set, preset="cesa-wmt26", owner=self.owner, annotators=[self.annotator]
        )
        design.plan(campaign, PlanSettings(repeats=0.0, **values))
        return campaign

    def judge(self, campaign, *, but=()):
        """Whatever is not judged yet; scores are drawn about the systems' levels."""
        rng = np.random.default_rng(campaign.tasks.count())
        for task in campaign.tasks.order_by("batch"):
            factory.seat(task, self.annotator)
            for item in task.items.filter(is_judged=False).exclude(pk__in=but):
                names = item.shown.order_by("position").values_list("output__system__name")
                scores = [LEVELS[name] + int(rng.integers(-15, 16)) for (name,) in names]
                factory.judge(item, {"esa": scores})
                item.task.refresh_from_db()

    def expected(self, campaign, left_out=()):
        """`weighted_differences` of the rows in the database."""
        segments = list(self.test_set.segments.order_by("position"))
        at = {segment.pk: i for i, segment in enumerate(segments)}
        scores = np.full((5, len(segments)), np.nan)
        for name, segment, value in Rating.objects.filter(
            judgment__campaign=campaign, dimension="esa"
        ).values_list("output__system__name", "output__segment_id", "value"):
            scores[NAMES.index(name), at[segment]] = value
        wave = np.full(len(segments), -1)
        choices = {}
        for task in campaign.tasks.all():
            choice = task.choice
            chances = np.array([choice["chances"][name] for name in NAMES])
            choices[choice["wave"] - 1] = SystemChoice(chances, choice["size"])
            for item in task.items.exclude(segment__in=left_out):
                wave[at[item.segment_id]] = choice["wave"] - 1
        documents = np.array([segment.document_id for segment in segments])
        kept = wave >= 0
        return weighted_differences(
            scores[:, kept], documents[kept], wave[kept], [choices[k] for k in sorted(choices)]
        )

    def scores(self, campaign):
        return system_scores(Selection.of(campaign), "esa")

    def get(self, campaign, name, *more):
        self.client.force_login(self.owner)
        return self.client.get(reverse(name, args=[campaign.pk, *more]))


class ExperimentTest(ChoiceTestCase):
    """The same texts in blocks of three systems and of all, in one project."""

    def both(self):
        """As the guide makes them."""
        guide = (settings.BASE_DIR / "docs/guide/projects.md").read_text()
        rounds = guide[guide.index("```yaml\nrounds:") + len("```yaml\n") :]
        rounds = rounds[: rounds.index("```")]
        project = create_project(
            f"""name: Contrast
address: contrast
pairs: [{self.test_set.name}]
protocols: [{{preset: cesa-wmt26, plan: {{repeats: 0}}}}]
{rounds}""",
            self.owner,
        )
        complete, few = project.campaigns.order_by("pk")
        for campaign in (complete, few):
            campaign.memberships.create(user=self.annotator, role=Role.ANNOTATOR, alias="a")
        return project, few, complete

    def table(self, campaign):
        segments = list(self.test_set.segments.order_by("position").values_list("pk", flat=True))
        found = np.full((5, len(segments)), np.nan)
        for name, segment, value in Rating.objects.filter(
            judgment__campaign=campaign, dimension="esa"
        ).values_list("output__system__name", "output__segment_id", "value"):
            found[NAMES.index(name), segments.index(segment)] = value
        return found

    def test_differences_that_both_have_are_compared(self):
        project, few, complete = self.both()
        self.judge(few)
        self.judge(complete)
        total, freedom = np.zeros((2, 2)), 0
        x, y = self.table(few), self.table(complete)
        for a, b in itertools.combinations(range(5), 2):
            d = np.stack([x[a] - x[b], y[a] - y[b]])
            d = d[:, ~np.isnan(d).any(axis=0)]
            total, freedom = total + np.cov(d) * (d.shape[1] - 1), freedom + d.shape[1] - 1
        expected = total / freedom
        self.client.force_login(self.owner)
        page = self.client.get(reverse("project-page", args=["contrast", "protocols"]))
        self.assertContains(page, "with 3 of 5 systems in a block, a difference between two varies")
        file = reverse("project-file", args=["contrast", "protocols", "project-contrast", "csv"])
        [row] = csv.DictReader(io.StringIO(self.client.get(file).content.decode()))
        self.assertEqual((row["shown"], row["systems"], row["segments"]), ("3", "5", "64"))
        for name, value in (
            ("few", expected[0, 0]),
            ("complete", expected[1, 1]),
            ("shared", expected[0, 1]),
            ("ratio", expected[0, 0] / expected[1, 1]),
        ):
            self.assertAlmostEqual(float(row[name]), value)
        self.assertTrue(float(row["low"]) < float(row["ratio"]) < float(row["high"]))
        price = price_of_random(5, 3, gaps=0.34)
        self.assertAlmostEqual(float(row["break_even"]), 1 / price)
        seal_all()
        with TemporaryDirectory() as folder:
            path = Path(folder) / "release.zip"
            call_command("release", project=project.slug, to=path, stdout=io.StringIO())
            said = io.StringIO()
            call_command("verify_release", path, stdout=said)
            names = zipfile.ZipFile(path).namelist()
        self.assertTrue(any("project-contrast" in name for name in names))
        self.assertNotIn("WRONG", said.getvalue())

    def test_nothing_is_said_until_both_are_judged(self):
        _, few, _ = self.both()
        self.judge(few)
        self.client.force_login(self.owner)
        page = self.client.get(reverse("project-page", args=["contrast", "protocols"]))
        self.assertNotContains(page, "What direct contrast is worth")


class RandomTest(ChoiceTestCase):
    def test_differences_are_weighted_and_ranks_follow(self):
        campaign = self.planned(choice="random", systems_shown=3)
        self.judge(campaign)
        found, expected = self.scores(campaign), self.expected(campaign)
        self.assertEqual((found.test, found.unit), ("weighted", "documents"))
        upper = np.triu_indices(5, 1)
        for one, other in (
            (found.pairs.difference, expected.estimate),
            (found.pairs.low, expected.low),
            (found.p_values, expected.p_values),
            (found.adjusted, expected.adjusted),
        ):
            np.testing.assert_allclose(one[upper], other[upper])
        np.testing.assert_allclose(
            found.mean[:, None] - found.mean,
            expected.estimate.mean(axis=1)[:, None] - expected.estimate.mean(axis=1),
        )
        self.assertEqual([NAMES[i] for i in found.order][2:], NAMES[2:])
        self.assertTrue(expected.sign[0, 4] == 1 and found.rank_low[4] > found.rank_high[0])

    def test_power_has_the_differences_of_the_page_scores(self):
        campaign = self.planned(choice="random", systems_shown=3)
        self.judge(campaign)
        found, report = self.scores(campaign), power(Selection.of(campaign))
        names = found.names.tolist()
        self.assertEqual(len(report.pairs), 10)
        for pair in report.pairs:
            at = names.index(pair.first), names.index(pair.second)
            said = (
                pair.difference.estimate,
                pair.difference.low,
                pair.difference.high,
                pair.adjusted,
            )
            own = (found.pairs.difference, found.pairs.low, found.pairs.high, found.adjusted)
            self.assertEqual(said, tuple(each[at] for each in own))
            self.assertEqual(pair.separated, found.differs[at])
            self.assertTrue(np.isnan(pair.needed))
        page = self.get(campaign, "power")
        self.assertContains(page, "depends on later draws")
        self.assertContains(page, "weighted by the chance that both systems were shown")
        self.assertNotContains(page, "paired t")
        self.assertNotContains(page, "the smallest difference that")
        self.assertNotContains(page, "register a stopping plan")
        part = self.get(campaign, "watch-part", "ranks")
        self.assertNotContains(part, "register a plan under Power")

    def test_the_page_says_how_they_were_drawn(self):
        campaign = self.planned(choice="random", systems_shown=3)
        self.judge(campaign)
        page = self.get(campaign, "scores")
        self.assertContains(page, "Blocks show 3 of 5 systems, drawn at random")
        self.assertContains(page, "weighted differences, by document, two-sided, Holm")
        rows = self.get(campaign, "api-page", "scores").json()["sections"]
        [table] = [each["tables"][0] for each in rows if each["slug"] == "choice-of-systems"]
        planned = ItemOutput.objects.filter(item__task__campaign=campaign, item__kind=Kind.REGULAR)
        self.assertEqual(
            table["rows"],
            [
                [1, name, 0.6, 3, planned.filter(output__system__name=name).count(), 64]
                for name in NAMES
            ],
        )

    def test_segments_of_which_not_all_is_judged_do_not_count(self):
        campaign = self.planned(choice="random", systems_shown=5, batch_items=8)
        items = list(campaign.tasks.first().items.order_by("position"))
        self.judge(campaign, but=[items[0].pk])
        found = self.scores(campaign)
        expected = self.expected(campaign, left_out=[items[0].segment_id])
        np.testing.assert_allclose(found.pairs.difference[0, 1], expected.estimate[0, 1])
        self.assertEqual(expected.n, 63)

    def test_what_does_not_hold_there_is_not_offered(self):
        campaign = self.planned(choice="random", systems_shown=3)
        self.assertNotContains(self.get(campaign, "campaign-design"), "register a stopping plan")
        with self.assertRaisesRegex(PlanTooLate, "systems drawn for blocks"):
            register(campaign, by=self.owner)
        self.judge(campaign)
        self.assertNotContains(self.get(campaign, "scores"), "With other choices")
        self.assertContains(self.get(campaign, "pair-test"), "weighted differences are tested")
        other = self.planned()
        self.assertContains(self.get(other, "campaign-design"), "register a stopping plan")
        self.judge(other)
        self.assertContains(self.get(other, "scores"), "With other choices")
        self.assertNotContains(self.get(other, "pair-test"), "weighted differences are tested")

    def test_other_campaigns_have_no_such_section(self):
        campaign = self.planned()
        self.judge(campaign)
        self.assertNotContains(self.get(campaign, "scores"), "Choice of systems")
        self.assertEqual(self.scores(campaign).test, "signed-rank-documents")

    def test_a_release_beside_a_batch_that_shows_all_is_computed_again(self):
        campaign = self.planned(choice="random", systems_shown=3)
        record.begin(campaign.pk, "opened")
        self.judge(campaign)
        third = factory.make_task(campaign, batch=99, segments=self.test_set.segments.all()[:1])
        campaign.tasks.filter(pk=third.pk).update(is_adjudication=True)
        third.items.update(kind=Kind.THIRD)
        self.assertIsNone(campaign.tasks.get(pk=third.pk).choice)
        seal_all()
        with TemporaryDirectory() as folder:
            path = Path(folder) / "release.zip"
            call_command("release", campaign.pk, to=path, stdout=io.StringIO())
            said = io.StringIO()
            call_command("verify_release", path, stdout=said)
        self.assertNotIn("WRONG", said.getvalue())

    def test_of_some_systems_alone_nothing_is_said(self):
        campaign = self.planned(choice="random", systems_shown=3)
        self.judge(campaign)
        page = self.get(campaign, "scores")
        self.assertEqual(page.status_code, 200)
        self.client.force_login(self.owner)
        some = self.client.get(
            reverse("scores", args=[campaign.pk]), {"system": ["System-A", "System-B"]}
        )
        self.assertContains(
            some, "of systems that are drawn, some have no ratings here".capitalize()
        )


class RaceTest(ChoiceTestCase):
    def race(self, **values):
        campaign = self.planned(choice="race", wave_documents=12, **values)
        record.begin(campaign.pk, "opened")
        return campaign

    def next(self, campaign, number, user=None):
        self.client.force_login(user or self.owner)
        address = reverse("next-wave", args=[campaign.pk])
        return self.client.post(address, {"number": number}, follow=True)

    def test_a_wave_after_the_other(self):
        campaign = self.race()
        documents = [set(campaign.tasks.values_list("items__segment__document", flat=True))]
        self.assertEqual(len(documents[0]), 12)
        page = self.get(campaign, "campaign-design")
        self.assertContains(page, "The race: wave 1 of 3")
        self.assertNotContains(page, "Plan wave 2")
        self.assertContains(self.next(campaign, 2), "Wave 1 is not judged yet")
        self.judge(campaign)
        self.assertContains(self.get(campaign, "campaign-design"), "Plan wave 2")
        self.assertContains(self.get(campaign, "scores"), "This is final after wave 3")
        self.assertContains(self.next(campaign, 2), "Wave 2 is planned: 2 systems in every block.")
        second = campaign.tasks.filter(choice__wave=2)
        chances = second.first().choice["chances"]
        self.assertEqual(chances, dict(zip(NAMES, (1, 1, 0.1, 0.1, 0.1), strict=True)))
        self.assertEqual(second.first().batch, 2)
        documents.append(set(second.values_list("items__segment__document", flat=True)))
        self.assertContains(self.next(campaign, 2), "There is no such wave to plan")
        self.judge(campaign)
        self.next(campaign, 3)
        third = campaign.tasks.filter(choice__wave=3)
        documents.append(set(third.values_list("items__segment__document", flat=True)))
        self.assertEqual([len(each) for each in documents], [12, 12, 8])
        for one, other in itertools.combinations(documents, 2):
            self.assertFalse(one & other)
        self.judge(campaign)
        self.assertContains(self.next(campaign, 4), "There is no such wave to plan")
        self.assertContains(self.get(campaign, "campaign-design"), "All waves are planned")
        self.assertNotContains(self.get(campaign, "scores"), "This is final after")
        self.assertEqual(check_record(campaign).found, [])
        found, expected = self.scores(campaign), self.expected(campaign)
        upper = np.triu_indices(5, 1)
        np.testing.assert_allclose(found.pairs.difference[upper], expected.estimate[upper])
        np.testing.assert_allclose(found.p_values[upper], expected.p_values[upper])

    def test_a_system_that_comes_later_takes_no_part(self):
        campaign = self.race()
        self.judge(campaign)
        late = System.objects.create(test_set=self.test_set, name="Late")
        Output.objects.bulk_create(
            Output(segment=segment, system=late, text="Late")
            for segment in self.test_set.segments.all()
        )
        self.next(campaign, 2)
        second = campaign.tasks.filter(choice__wave=2).first()
        self.assertEqual(set(second.choice["chances"]), set(NAMES))
        self.judge(campaign)
        self.assertEqual(self.get(campaign, "scores").status_code, 200)

    def test_nobody_else_plans_a_wave(self):
        campaign = self.race()
        self.judge(campaign)
        for user, status in ((self.outsider, 404), (self.annotator, 403)):
            self.assertEqual(self.next(campaign, 2, user).status_code, status)
        self.assertFalse(campaign.tasks.filter(choice__wave=2).exists())
        for number in ("", "x", "1"):
            self.assertContains(self.next(campaign, number), "There is no such wave")

    def test_a_campaign_without_a_race_has_no_waves(self):
        campaign = self.planned()
        self.assertContains(self.next(campaign, 2), "There is no such wave")
        with self.assertRaisesRegex(design.PlanError, "has no race"):
            contenders_of(campaign)
