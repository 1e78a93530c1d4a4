"""How long judging takes: usual, set, and a campaign's own."""

import pytest

from judgments.people.workload.pace import LEAST_JUDGED, pace_of
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.protocols import PRESETS
from judgments.protocols.registry import PROTOCOLS
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

    def test_usual_before_anybody_judged_and_what_is_set_goes_before_it(self):
        usual = pace_of(self.own)
        assert (usual.seconds, usual.n_judged, usual.is_set) == (0.45, 0, False)
        assert pace_of(self.own, 2.5).seconds == 2.5
        assert pace_of(self.own, 2.5).is_set

    def test_a_campaign_has_its_own_pace_after_enough_judgments(self):
        (task,) = design.plan(self.own, PlanSettings(batch_items=100))
        words = sum(
            len(row.output.text.split()) + len(row.output.segment.source.split())
            for item in task.items.all()
            for row in item.shown.select_related("output__segment")
        )
        task.n_judged = task.n_items
        task.active_ms = 3000 * words
        task.save()
        own = pace_of(self.own)
        assert own.seconds == pytest.approx(3)
        assert own.n_judged == task.n_items == 80
        assert own.hours(1200) == pytest.approx(1)
        task.n_judged = LEAST_JUDGED - 1
        task.save()
        assert pace_of(self.own).n_judged == 0
