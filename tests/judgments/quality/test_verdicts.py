"""Annotators of known care are distinguished by the rule, with as many items as campaigns have."""

import numpy as np
import pytest

from judgments.models import Item, Kind, QualityRule
from judgments.quality.rules import figures as rules
from judgments.quality.rules.verdicts import verdict_of, verdicts_of
from judgments.results.selection.filters import Filters
from judgments.results.selection.selection import Selection
from tests import factory

from .control_campaigns import judge_all, plan

pytestmark = pytest.mark.django_db
EXPECTED = {"good": "pass", "middle": "fail", "random": "fail"}
WAYS = {
    "one output": {"preset": "direct-assessment"},
    "five outputs": {"preset": "direct-assessment", "n_outputs": 5},
    "esa": {"preset": "esa"},
}


def judged(way, seed, **more):
    rng = np.random.default_rng(seed)
    planned = plan(rng=rng, **WAYS[way], **more)
    judge_all(planned, rng, spans=way == "esa")
    return planned


def check(way, seed):
    planned = judged(way, seed)
    found = {care: verdict_of(member) for care, member in planned.people.items()}
    assert {care: each.state for care, each in found.items()} == EXPECTED, (way, seed, found)
    report = rules.quality(Selection.of(planned.campaign))
    # The page says the same as what is asked while they work.
    assert verdicts_of(planned.campaign, report) == {
        planned.people[care].user_id: each for care, each in found.items()
    }
    return report


@pytest.mark.parametrize("way", WAYS)
def test_careful_and_careless_are_told_apart(way):
    report = check(way, 1)
    by_alias = {each.alias[:4]: each for each in report.annotators}
    good, middle = by_alias["good"], by_alias["midd"]
    assert good.control.n_pairs == 10 and good.repeats.n_pairs >= 10
    assert good.checks.n_loud == good.checks.n_loud_passed == 4
    assert good.references.n_references == 6
    assert middle.checks.share == 0
    if way == "esa":
        assert good.found.share == 1 and good.found.p_value < 0.01
        assert middle.found.share == 0


def test_planted_errors_are_those_of_the_filtered_judgments():
    campaign = judged("esa", 1, cares=("good",)).campaign
    copies = Item.objects.filter(task__campaign=campaign, kind=Kind.DEGRADED)
    document = copies.order_by("pk").first().segment.document

    def planted(**filters):
        report = rules.quality(Selection.of(campaign, filters=Filters(**filters)))
        return [each.found.n_planted for each in report.annotators]

    assert planted() == [copies.count()] == [10]
    n = copies.filter(segment__document=document).count()
    assert 0 < n < 10
    assert planted(documents=(document.name,)) == [n]
    assert planted(kinds=("regular",)) == [0]
    assert planted(kinds=("regular", "degraded")) == [10]


@pytest.mark.proof
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(2, 22))
def test_twenty_seeds(way, seed):
    check(way, seed)


def test_too_little_is_open():
    planned = plan("direct-assessment", np.random.default_rng(1), cares=("good",))
    member = planned.people["good"]
    assert verdict_of(member).reasons == ("Nothing was judged yet.",)
    with factory.rewriting():
        QualityRule.objects.all().delete()
    assert verdict_of(member).state == "open"
    assert "No rule" in verdict_of(member).reasons[0]


def test_half_way_is_open():
    rng = np.random.default_rng(1)
    planned = plan("direct-assessment", rng, cares=("good",))
    member = planned.people["good"]
    judge_all(planned, rng, until=70)
    found = verdict_of(member)
    assert found.state == "open"
    assert any("Too few degraded copies: 4." in reason for reason in found.reasons)


def test_a_verdict_reads_one_annotator_only(django_assert_max_num_queries):
    planned = judged("one output", 3)
    member = planned.people["good"]
    with django_assert_max_num_queries(14):
        assert verdict_of(member).state == "pass"


def test_no_p_is_said_to_be_zero():
    reasons = " ".join(verdict_of(judged("one output", 3).people["good"]).reasons)
    assert "originals: p < 0.001 in" in reasons and "0.000" not in reasons
