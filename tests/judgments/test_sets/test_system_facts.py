"""Facts of systems: who may state them, what is refused, and what follows from them."""

import re

import yaml
from django.core.cache import cache
from django.http import QueryDict
from django.urls import reverse

from judgments.exchange.campaign_files.loader import as_yaml, create_campaign, document_of
from judgments.exchange.campaign_files.nodes import BadCampaignFile
from judgments.models import Act, SystemFacts, facts_of, humans_among
from judgments.results.observations.observations import load
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from judgments.test_sets.system_facts.forms import in_units
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.with_people import StudyChoice, board_of, study_of
from metrics.with_people.ranking import ranking_note, system_ranking
from tests import factory
from tests.base import CastTestCase

from ..results.test_results import ResultsTestCase


class FactsTestCase(CastTestCase):
    def system(self, name):
        return self.test_set.systems.get(name=name)

    def state(self, name, user=None, **said):
        address = [self.test_set.pk, self.system(name).pk]
        return self.post_as(user or self.owner, "system-facts", *address, data=said)


class FactsPageTest(FactsTestCase):
    def test_only_the_owner_of_the_test_set_states_facts(self):
        address = [self.test_set.pk, self.system("System-A").pk]
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("system-facts", *address, users=users, method=method)
        page = self.get_as(self.researcher, "test-set", self.test_set.pk).content.decode()
        self.assertNotIn(reverse("system-facts", args=address), page)
        self.assertFalse(SystemFacts.objects.exists())

    def test_a_system_of_another_test_set(self):
        other = factory.make_test_set(self.outsider, name="Other").systems.first()
        response = self.post_as(self.owner, "system-facts", self.test_set.pk, other.pk)
        self.assertEqual(response.status_code, 404)
        choice = {"post_edited_from": other.pk}
        self.assertContains(
            self.state("System-A", **choice), "Select a valid choice", status_code=422
        )

    def test_what_is_stated_is_shown_and_logged(self):
        response = self.state(
            "System-A", kind="LLM", parameters="1.5B", words_per_second="12.5", is_human="no",
            post_edited_from=self.system("System-B").pk,
        )  # fmt: skip
        self.assertRedirects(response, f"{self.test_set.get_absolute_url()}#systems")
        page = self.get_as(self.researcher, "test-set", self.test_set.pk)
        self.assertContains(
            page,
            "System-A: LLM, not human, 1.5B parameters, 12.5 words per second, "
            "post-edited from System-B",
        )
        self.assertEqual(Act.objects.filter(act="system-facts").count(), 1)
        page = self.get_as(self.owner, "system-facts", self.test_set.pk, self.system("System-A").pk)
        for value in ('value="LLM"', 'value="1.5B"', 'value="12.5"'):
            self.assertContains(page, value)
        self.state("System-A")
        self.assertFalse(SystemFacts.objects.exists())

    def test_what_is_refused(self):
        for said, words in (
            ({"parameters": "seven"}, "Write a number such as"),
            ({"parameters": "0"}, "Write a number such as"),
            ({"parameters": "9999999999999999T"}, "Write a number such as"),
            ({"words_per_second": "-1"}, "greater than or equal to"),
            ({"words_per_second": "nan"}, "Enter a number"),
            ({"words_per_second": "1e300"}, "less than or equal to"),
            ({"kind": "x" * 41}, "at most 40"),
            ({"kind": "a\0b"}, "Null characters"),
            ({"is_human": "perhaps"}, "Select a valid choice"),
            ({"kind": "Human", "is_human": "no"}, "Change one of the two"),
            ({"kind": "Human", "is_control": "on"}, "cannot be a control system of known weakness"),
        ):
            with self.subTest(said):
                self.assertContains(self.state("System-A", **said), words, status_code=422)
        self.assertFalse(SystemFacts.objects.exists())

    def test_sizes_with_units(self):
        for n, words in ((7_000_000_000, "7B"), (1_500_000, "1.5M"), (1234, "1234"), (12, "12")):
            self.assertEqual(in_units(n), words)


class HumansTest(FactsTestCase):
    def test_what_is_stated_counts_before_what_texts_tell(self):
        a, b, c = (self.system(f"System-{x}").pk for x in "ABC")
        self.assertEqual(humans_among(facts_of(self.test_set), [c]), {c})
        self.state("System-A", kind="human")
        self.state("System-C", is_human="no")
        self.assertEqual(humans_among(facts_of(self.test_set), [c]), {a})
        self.state("System-C", kind="neural")
        self.assertEqual(humans_among(facts_of(self.test_set), [c]), {a, c})
        self.assertNotIn(b, facts_of(self.test_set))

    def test_metrics_read_the_same(self):
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        cache.clear()
        before = board_of(self.test_set)
        self.state("System-A", kind="human")
        after = board_of(self.test_set)
        self.assertEqual(after.humans - before.humans, {self.system("System-A").pk})
        self.assertNotEqual(after.state, before.state)


class ControlTest(FactsTestCase, ResultsTestCase):
    def setUp(self):
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        cache.clear()
        self.judge_everything()

    def study(self, **choice):
        selection = Selection.of(self.campaign)
        choice = StudyChoice("adequacy", **choice)
        return study_of(selection, choice, board_of(self.test_set))

    def test_any_system_may_be_a_control_and_rankings_say_what_became_of_it(self):
        page = self.get_as(self.researcher, "scores", self.campaign.pk)
        self.assertNotContains(page, "known weakness")
        self.state("System-A", is_control="on")
        page = self.get_as(self.researcher, "scores", self.campaign.pk)
        self.assertContains(page, "System-A, a control system of known weakness, is")
        self.assertContains(page, "of known weakness</td>")
        self.state("System-A")
        self.assertFalse(SystemFacts.objects.exists())

    def test_correlations_leave_it_out_unless_a_reader_keeps_it(self):
        page = self.get_as(self.researcher, "correlation", self.campaign.pk)
        self.assertNotContains(page, 'name="controls"')
        before = board_of(self.test_set)
        self.state("System-B", is_control="on")
        self.assertNotEqual(board_of(self.test_set).state, before.state)
        self.assertEqual(self.study().systems, ("System-A", "System-C"))
        self.assertEqual(self.study().left_out, ())
        self.assertEqual(self.study(controls="in").systems, ("System-A", "System-B", "System-C"))
        page = self.get_as(self.researcher, "correlation", self.campaign.pk)
        self.assertContains(page, 'name="controls"')
        self.assertContains(page, "System-B is a control system of known weakness and was left out")
        address = reverse("correlation", args=[self.campaign.pk]) + "?controls=in"
        self.assertContains(self.client.get(address), "of known weakness and is kept")
        ranking = system_ranking(
            Selection.of(self.campaign), StudyChoice("adequacy"), board_of(self.test_set)
        )
        self.assertEqual((ranking.controls, ranking.left_out), (("System-B",), ()))
        self.assertIn("without AutoRank: System-B.", ranking_note(ranking))

    def test_annotators_see_nothing_of_it(self):
        campaign = factory.make_campaign(
            self.test_set, name="Other", owner=self.owner, annotators=[self.annotator_1]
        )
        factory.make_task(campaign, self.annotator_1)
        before = self.get_as(self.annotator_1, "judge-item", campaign.pk, 1).content
        self.state("System-A", is_control="on", kind="statistical")
        after = self.get_as(self.annotator_1, "judge-item", campaign.pk, 1).content
        self.assertIn(b"Source text number", before)
        self.assertEqual(bare(before), bare(after))


def bare(page: bytes) -> bytes:
    """Without what is drawn anew for every page."""
    return re.sub(rb'(value|token|nonce)="[^"]*"', b"", page)


class FilterTest(FactsTestCase, ResultsTestCase):
    def test_only_systems_of_a_kind(self):
        self.judge_everything()
        for name, kind in (("System-A", "neural"), ("System-B", "LLM"), ("System-C", "LLM")):
            self.state(name, kind=kind)
        found = Selection.asked(self.campaign, QueryDict("system_kind=LLM"))
        self.assertEqual(list(system_scores(found).names), ["System-B", "System-C"])
        self.assertEqual(found.sentence, "Only systems of the kind LLM")
        n = len(load(Selection.of(self.campaign)).ratings)
        self.assertEqual(len(load(found).ratings), n * 2 // 3)
        # A kind that is stated anew changes what the same address says.
        self.state("System-C", kind="neural")
        again = Selection.asked(self.campaign, QueryDict("system_kind=LLM"))
        self.assertEqual(list(system_scores(again).names), ["System-B"])
        page = self.get_as(self.researcher, "scores", self.campaign.pk)
        self.assertContains(page, 'name="system_kind"')


class FileTest(FactsTestCase):
    said = {
        "System-A": {"kind": "LLM", "parameters": 7 * 10**9, "words_per_second": 2.5},
        "System-B": {"kind": "human", "post_edited_from": "System-A"},
        "System-C": {"control": True},
    }

    def document(self, **more):
        said = {"name": "x", "texts": "Small set", "preset": "pairwise", "systems": self.said}
        return yaml.safe_dump(said | more)

    def test_facts_come_and_go_back(self):
        campaign = create_campaign(self.document(), self.owner, name="a.yaml")
        self.assertEqual(document_of(campaign)["systems"], self.said)
        again = create_campaign(as_yaml(campaign), self.owner, name="a.yaml")
        self.assertEqual(document_of(again)["systems"], self.said)

    def test_what_is_wrong_is_told(self):
        for systems, words in (
            ({"Nobody": {"kind": "LLM"}}, "no such system"),
            ({"System-A": {"post_edited_from": "Nobody"}}, "no system Nobody"),
            ({"System-A": {"kind": "human", "human": False}}, "Change one of the two"),
            ({"System-A": {"parameters": 0}}, "is not from 1 to"),
            ({"System-A": {"colour": "red"}}, "not known here"),
        ):
            with self.subTest(words), self.assertRaises(BadCampaignFile) as caught:
                create_campaign(self.document(systems=systems), self.owner, name="a.yaml")
            self.assertIn(words, str(caught.exception))
        self.assertFalse(SystemFacts.objects.exists())

    def test_of_somebody_elses_test_set_only_what_is_stored(self):
        self.researcher.is_staff = True
        self.researcher.save()
        with self.assertRaises(BadCampaignFile) as caught:
            create_campaign(self.document(), self.researcher, name="a.yaml")
        self.assertIn("only the owner of the test set", str(caught.exception))
        create_campaign(self.document(), self.owner, name="a.yaml")
        create_campaign(self.document(), self.researcher, name="a.yaml")
