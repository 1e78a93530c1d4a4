"""Results of a campaign whose judgments are of two waves: filters, scores, and what is said."""

import numpy as np
from django.http import QueryDict
from django.test import TestCase

from judgments.models import Item, Membership, Output, Role, System, Task
from judgments.plans import design, waves
from judgments.plans.settings import PlanSettings
from judgments.plans.waves import Wave
from judgments.results.observations.observations import load
from judgments.results.scores.figures import system_scores
from judgments.results.scores.waves import effects_in_words, later_waves
from judgments.results.selection.selection import Selection
from judgments.stats.mixed_model import mixed_model
from tests import factory

QUALITY = {"System-A": 70, "System-B": 60, "Late": 66}


class WavesTest(TestCase):
    """Six people; those of the second wave give 20 points less."""

    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.people = [factory.make_user(f"annotator-{n}") for n in range(6)]
        cls.test_set = factory.make_test_set(
            cls.owner, n_segments=30, n_systems=2, n_documents=10, name="Waves"
        )
        cls.campaign = factory.make_campaign(
            cls.test_set, preset="direct-assessment", owner=cls.owner, annotators=cls.people
        )
        cls.rng = np.random.default_rng(1)
        design.plan(cls.campaign, PlanSettings(batch_items=20))
        cls.judge(cls.people[:3], 0)
        late = System.objects.create(test_set=cls.test_set, name="Late")
        for segment in cls.test_set.segments.all():
            Output.objects.create(segment=segment, system=late, text=f"Late {segment.key}")
        waves.add_wave(cls.campaign, Wave((late.pk,), share=0.5, links=5))
        cls.judge(cls.people[3:], -20)

    @classmethod
    def judge(cls, people, shift):
        free = Task.objects.filter(campaign=cls.campaign, annotator=None).order_by("batch")
        for place, task in enumerate(free):
            factory.seat(task, people[place % len(people)])
            for item in Item.objects.filter(task=task).order_by("position"):
                item.task = task
                names = item.shown.order_by("position").values_list("output__system__name")
                given = [QUALITY[name] + shift + cls.rng.normal(0, 5) for (name,) in names]
                factory.judge(item, {"da": np.clip(given, 0, 100).round()})

    def asked(self, query=""):
        return Selection.asked(self.campaign, QueryDict(query))

    def page(self, query):
        self.client.force_login(self.owner)
        return self.client.get(f"/campaigns/{self.campaign.pk}/scores/{query}")

    def scores(self, method, query=""):
        found = system_scores(self.asked(query), method=method)
        return found, dict(zip(found.names.tolist(), found.mean.tolist(), strict=True))

    def test_means_are_wrong_by_the_shift_and_the_model_is_not(self):
        _, means = self.scores("raw")
        assert means["Late"] < means["System-B"] - 2  # the truth is 6 points above
        found, estimates = self.scores("mixed")
        assert abs(estimates["Late"] - estimates["System-B"] - 6) < 3
        assert abs(estimates["System-A"] - estimates["Late"] - 4) < 3
        (note,) = [note for note in found.notes if "in wave 2" in note]
        assert "points lower in wave 2" in note

    def test_the_model_has_every_rating_that_links_and_people_by_wave(self):
        """The same columns, made here from the tables."""
        observed = load(self.asked())
        rows = Item.objects.filter(task__campaign=self.campaign, is_judged=True)
        columns = rows.values_list(
            "shown__output__system__name",
            "task__annotator",
            "segment",
            "judgments__ratings__value",
            "task__wave",
        )
        system, annotator, segment, value, wave = zip(*columns, strict=True)
        assert len(value) == len(observed.ratings)
        both = [f"{a} {w}" for a, w in zip(annotator, wave, strict=True)]
        expected = mixed_model(system, both, segment, np.array(value, float), wave)
        _, estimates = self.scores("mixed")
        for name, mean in zip(expected.systems, expected.mean, strict=True):
            assert abs(estimates[name] - mean) < 1e-6

    def test_results_of_one_wave(self):
        _, first = self.scores("raw", "wave=1")
        assert set(first) == {"System-A", "System-B"}
        _, second = self.scores("raw", "wave=2")
        assert set(second) == {"System-A", "System-B", "Late"}
        assert second["Late"] > second["System-B"]
        assert self.asked("wave=2").sentence == "Only wave 2"
        assert dict(self.asked("wave=2").address) == {"wave": "2"}
        kinds = self.asked("wave=1").rows_of(Item.judgments.rel.related_model.objects, judgment="",
                                             outputs=())  # fmt: skip
        assert set(kinds.values_list("item__task__wave", flat=True)) == {1}

    def test_the_page_says_which_scores_account_for_waves(self):
        page = self.page("")
        self.assertContains(page, "The judgments are from 2 waves")
        self.assertContains(page, "the estimates of the mixed model do")
        self.assertContains(page, 'name="wave"')
        page = self.page("?method=mixed")
        self.assertContains(page, "They account for 2 waves")
        self.assertContains(page, "in wave 2, which is accounted for")
        page = self.page("?wave=1")
        self.assertNotContains(page, "The judgments are from")
        assert self.page("?wave=3").status_code == 400

    def test_a_wave_of_which_nothing_is_judged_yet_is_not_spoken_of(self):
        other = factory.make_campaign(
            self.test_set, preset="direct-assessment", owner=self.owner, name="Other"
        )
        Membership.objects.create(
            campaign=other, user=self.people[0], role=Role.ANNOTATOR, alias="one"
        )
        design.plan(other, PlanSettings(systems=("System-A",)))
        waves.add_wave(other, Wave((System.objects.get(name="Late").pk,), links=0))
        assert later_waves(Selection.of(other)) is None


def test_effects_go_by_the_numbers_of_waves():
    (said,) = effects_in_words(np.array([1, 3]), np.array([0.0, -2.5]))
    assert said.startswith(
        "compared with wave 1, ratings of the same are 2.5 points lower in wave 3"
    )
