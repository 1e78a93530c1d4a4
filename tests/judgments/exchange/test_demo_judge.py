"""The demo's simulated judge: labelled, stored as a run stores, and never among the people."""

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import TestCase
from django.urls import reverse

from judgments.exchange import demo
from judgments.judges import price
from judgments.judges.conversation import Fits, StoredAnswer, next_step, problem_with
from judgments.judges.prompts import PROMPTS
from judgments.judges.questions import screen_for
from judgments.models import Campaign, Judge, JudgeStatus, Judgment, Rating, Status
from judgments.protocols import protocol_of
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from metrics.models import MetricScore
from metrics.scores import model_judges


@pytest.mark.slow
class DemoJudgeTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        demo.load()
        cls.judge = Judge.objects.select_related("campaign", "answers").get()

    def test_it_has_judged_all_in_a_campaign_that_is_labelled(self):
        judge = self.judge
        own = judge.answers
        assert (judge.status, own.status) == (JudgeStatus.DONE, Status.CLOSED)
        assert own.simulated and own.by_model
        assert "Simulated" in judge.message
        n = Judgment.objects.filter(campaign=own).count()
        assert n == judge.raw_answers.count() == price.forecast(judge).n_items == 150
        assert not own.test_set.may_leave
        assert set(Judgment.objects.filter(campaign=own).values_list("active_ms", flat=True)) == {
            None
        }
        call_command("verify_judgments", own.pk, verbosity=0)

    def test_its_answers_are_read_as_those_of_a_model_are(self):
        """Each answer, put through the prompt of the judge, gives what is stored."""
        judge = self.judge
        protocol, prompt = protocol_of(judge.answers), PROMPTS[judge.prompt]
        n_errors = 0
        for answer in judge.raw_answers.select_related("judgment", "item__segment"):
            screen = screen_for(protocol, answer.item)
            assert problem_with(prompt, screen, [], answer.text, "stop") == ""
            step = next_step(prompt, screen, [StoredAnswer(answer.text, "")])
            assert isinstance(step, Fits) and step.form_data.n_unplaced == 0
            form = protocol.form(screen.item, screen.shown, step.form_data.data)
            assert form.is_valid()
            said = form.cleaned_data
            marks = {(m.start, m.end, m.severity) for m in said["output1-spans"]}
            stored = answer.judgment.spans.values_list("start", "end", "severity")
            assert marks == set(stored)
            assert (
                said["output1-esa"]
                == Rating.objects.get(judgment=answer.judgment, dimension="esa").value
            )
            n_errors += len(marks)
        assert n_errors > 100

    def test_people_are_without_it(self):
        judge = self.judge
        people = Campaign.objects.get(protocol="spans", by_model=False)
        assert judge.campaign == people
        assert not people.memberships.filter(alias=judge.name).exists()
        assert not people.judgments.filter(annotator__username__startswith="model-").exists()
        assert not judge.answers.joined.exists()  # the demo's project

    def test_it_orders_the_systems_and_is_a_metric(self):
        judge = self.judge
        scores = system_scores(Selection.of(judge.answers), "esa")
        order = sorted(zip(scores.mean, scores.names, strict=True))
        assert [str(name) for _, name in order] == [
            "Baseline",
            "Pebble",
            "Meadow",
            "Lantern",
            "Harbor",
        ]
        assert model_judges.publish(judge) == 5
        stored = MetricScore.objects.get(system__name="Harbor")
        assert stored.score == pytest.approx(order[-1][0])

    def test_visitors_see_its_pages(self):
        judge = self.judge
        self.client.force_login(get_user_model().objects.get(username="manager"))
        people = judge.campaign
        page = self.client.get(reverse("campaign-judges", args=[people.pk])).content.decode()
        assert "Simulated model" in page
        page = self.client.get(judge.get_absolute_url()).content.decode()
        assert "no model was asked" in page
        assert "150 answers are stored as judgments" in page
        page = self.client.get(judge.answers.get_absolute_url()).content.decode()
        assert "Simulated." in page
