"""How long judging takes: usual, set, and a campaign's own."""

import pytest

from judgments.people.workload.pace import pace_of, usual_time
from judgments.people.workload.words import words_of_items
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.protocols import PRESETS
from judgments.protocols.registry import PROTOCOLS
from judgments.stats.planning.times import AnnotatorSpread
from tests.base import CastTestCase
from tests.factory import make_campaign, make_test_set


@pytest.mark.parametrize("preset", PRESETS)
def test_every_protocol_has_a_usual_pace(preset):
    assert 0.1 <= PROTOCOLS[PRESETS[preset].protocol].seconds_per_word <= 10


class PaceTest(CastTestCase):
    def setUp(self):
        super().setUp()
        self.texts = make_test_set(self.owner, n_segments=40, n_systems=2)
        self.own = make_campaign(self.texts, preset="direct-assessment", owner=self.owner)

    def judged(self, campaign, times):
        """A whole plan of the campaign, judged in so many times the usual time."""
        (task,) = design.plan(campaign, PlanSettings(batch_items=100))
        words = sum(
            len(row.output.text.split()) + len(row.output.segment.source.split())
            for item in task.items.all()
            for row in item.shown.select_related("output__segment")
        )
        task.n_judged = task.n_items
        task.annotator = self.annotator_1
        task.active_ms = times * 1000 * usual_time(campaign).seconds(task.n_items, words)
        task.save()
        return task

    def test_usual_before_anybody_judged_and_what_is_set_goes_before_it(self):
        usual = pace_of(self.own)
        assert (usual.per_output, usual.per_word) == (0, 0.45)
        assert (usual.n_judged, usual.n_elsewhere, usual.is_set) == (0, 0, False)
        esa = pace_of(make_campaign(self.texts, preset="esa", name="ESA", owner=self.owner))
        # Fitted to the ESA study of WMT23: of two campaigns 24.8 + .155 W and 38.6 + .164 W.
        assert esa.per_output == pytest.approx(31.7, abs=0.15)
        assert esa.per_word == pytest.approx(0.16, abs=0.001)
        assert pace_of(self.own, 2.5).hours(7, 1440) == pytest.approx(1)
        assert pace_of(self.own, 2.5).is_set

    def test_a_campaigns_own_times_move_it(self):
        """80 outputs of three times the usual time, where 200 of the usual one were known before;
        these are nearly all of one length, so that of other lengths less is learned."""
        task = self.judged(self.own, 3)
        own = pace_of(self.own)
        assert own.n_judged == task.n_items == 80
        assert own.n_elsewhere == 0
        words = sum(words_of_items([task])[task.pk].values())
        usual = usual_time(self.own).seconds(80, words)
        assert usual < own.seconds(80, words) < 3 * usual
        assert own.spread == AnnotatorSpread()  # of one annotator nothing is known

    def test_other_campaigns_with_the_preset_move_it_first(self):
        other = make_campaign(
            self.texts, preset="direct-assessment", name="another", owner=self.owner
        )
        self.judged(other, 3)
        pairs = make_campaign(self.texts, preset="esa", name="ESA", owner=self.owner)
        self.judged(pairs, 9)
        found = pace_of(self.own)
        assert (found.n_judged, found.n_elsewhere) == (0, 80)
        assert found.seconds(1, 20) > usual_time(self.own).seconds(1, 20)
        self.judged(self.own, 3)
        both = pace_of(self.own)
        assert (both.n_judged, both.n_elsewhere) == (80, 80)
        assert both.seconds(1, 20) > found.seconds(1, 20)
