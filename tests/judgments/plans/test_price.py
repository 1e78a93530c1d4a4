"""What a plan costs and shows. Sizes of paired tests: Cohen (1988), as `judgments.stats.power` has
them: standard deviation 20, power .8, alpha .05 two-sided: 785 items for a difference of 2."""

import math
from dataclasses import replace

import pytest
from scipy.stats import t as student

from judgments.people.staffing.settings import set_staffing
from judgments.people.workload.pace import pace_of
from judgments.plans.design import preview
from judgments.plans.price.figures import hours_for, price_of, smallest_of
from judgments.plans.scope import PlannedWork, mean_seats, planned_work
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from tests import factory
from tests.base import CastTestCase

ONE_EACH = PlannedWork(
    n_systems=2,
    of_documents=[1] * 785,
    pooled=[1] * 785,
    n_blocks=785,
    batches=10,
    items=1570,
    answers=1570,
    words=36_000.0,
    outputs=1570.0,
)


def few(n_documents, z=1.96, power=0.8416):
    """By how much the reach z(.975) + z(.8) grows where Z = Σ S_g/√(Σ S_g²) is over G documents:
    Z = t·√(G/(G - 1 + t²)), so that Z > z asks for t > z·√(G/(G - z²)), nearly."""
    return (z * math.sqrt(n_documents / (n_documents - z**2)) + power) / (z + power)


def smallest_by(campaign, settings, work=ONE_EACH, **known):
    protocol = protocol_of(campaign)
    return smallest_of(protocol, settings, work, protocol.usual_spread(), **known)


class PriceTest(CastTestCase):
    def setUp(self):
        self.da = factory.make_campaign(
            self.test_set, preset="direct-assessment", owner=self.owner, status="draft"
        )

    def smallest_again(self, **settings):
        campaign = factory.make_campaign(self.test_set, preset="pairwise", name="pairs again")
        return smallest_by(campaign, PlanSettings(**settings)).value

    def smallest(self, work=ONE_EACH, preset="direct-assessment", **settings):
        campaign = factory.make_campaign(self.test_set, preset=preset, name=preset)
        return smallest_by(campaign, PlanSettings(**settings), work)

    def test_the_smallest_difference_is_that_of_the_paired_test(self):
        assert self.smallest().value == pytest.approx(2 * few(785), abs=0.001)
        assert self.smallest().words == "2 on the scale from 0 to 100"
        assert self.smallest(spread=0.4).value == pytest.approx(4 * few(785), abs=0.002)
        assert self.smallest(preset="adequacy-fluency").value == pytest.approx(0.08, abs=0.001)

    def test_without_a_setting_it_varies_as_measured_of_the_protocol_and_of_such_texts(self):
        """A standard deviation of 20 shows 2. Measured of ESA: 21 to 27 of 100, on the 69 words of
        its study's segments, less with long texts; of MQM .42 of 25 points on paragraphs of 59
        words, and more with long ones."""
        study = replace(ONE_EACH, source_words=69.2, source_squares=10_490.0)
        twice = replace(ONE_EACH, source_words=138.5, source_squares=25_440.0)
        work = replace(ONE_EACH, source_words=59.0, source_squares=86.0**2)
        long = replace(work, source_words=118.0, source_squares=150.0**2)
        esa, mqm = (self.smallest(of, preset=p).value for of, p in ((study, "esa"), (work, "mqm")))
        assert 2.1 <= esa <= 2.7
        assert self.smallest(twice, preset="esa").value < esa
        assert mqm == pytest.approx(25 * 0.42 / 10, rel=0.2)
        assert self.smallest(long, preset="mqm").value > 1.4 * mqm
        assert self.smallest(long).value == self.smallest(work).value

    def test_documents_weaken_it_and_so_do_other_raters_and_more_systems(self):
        whole = replace(ONE_EACH, of_documents=[5] * 157, pooled=[5] * 157)
        # Design effect 1 + (m - 1) rho with rho = .13 (Cochran 1977, ch. 10).
        assert self.smallest(whole).value == pytest.approx(
            2 * (1 + 4 * 0.13) ** 0.5 * few(157), abs=0.002
        )
        assert self.smallest(design="one-version").value == pytest.approx(
            2 * (5 / 3) ** 0.5 * few(785), abs=0.01
        )
        twelve = replace(ONE_EACH, n_systems=12)
        assert self.smallest(twelve).value > 2.5
        assert self.smallest(twelve, question="one-pair").value == pytest.approx(
            2 * few(785), abs=0.001
        )
        assert self.smallest(twelve, promise="bh").value < self.smallest(twelve).value

    def test_one_system_has_nothing_to_be_compared_with(self):
        assert self.smallest(replace(ONE_EACH, n_systems=1)).words == "nothing to compare"

    def test_no_difference_is_larger_than_any_can_be(self):
        """Of three segments: shares of wins differ by 1 at most, sliders by 100."""
        three = replace(ONE_EACH, n_systems=5, of_documents=[1] * 3, pooled=[1] * 3)
        found = self.smallest(three, preset="pairwise")
        assert found.words == "none up to 1: too few segments"
        assert self.smallest(three, spread=1).words == "none up to 100: too few segments"
        some = replace(three, of_documents=[1] * 30, pooled=[1] * 30)
        assert 0 < self.smallest(some, spread=0.01).value < 100
        price = price_of(self.da, PlanSettings(spread=1), three)
        assert price.sentence.endswith("hours of work for 2 annotators.")

    def test_several_annotators_for_an_item_gain_less_than_new_items(self):
        """Three raters leave .59 of the variance in MQM of WMT23, three new items a third; of a
        half of the segments with two raters, half the gain."""
        one, three = self.smallest().value, self.smallest(seats=3).value
        assert (three / one) ** 2 == pytest.approx(0.59, abs=0.001)
        some = self.smallest(agreement_share=0.5, agreement_seats=2).value
        two = self.smallest(seats=2).value
        assert (some / one) ** 2 == pytest.approx((1 + (two / one) ** 2) / 2, abs=0.0001)
        assert self.smallest(preset="pairwise").value == self.smallest_again(seats=3)
        words = "as many judgments of new segments remove half"
        for settings, is_said in ((PlanSettings(), False), (PlanSettings(seats=2), True)):
            notes = " ".join(price_of(self.da, settings, ONE_EACH).notes)
            assert (words in notes) == is_said

    def test_too_few_degraded_copies_for_a_verdict_are_told_of(self):
        """The signed-rank test of six pairs is the smallest: 2 ** -6 < .05 < 2 ** -4."""
        settings = PlanSettings(annotators=2)
        for degraded, said in ((0, None), (10, "About 5 degraded copies"), (12, None)):
            work = replace(ONE_EACH, degraded=degraded)
            notes = " ".join(price_of(self.da, settings, work).notes)
            assert ("the test of who reads with care needs 6" in notes) == bool(said)
            assert (said or "") in notes

    def test_texts_without_documents_are_told_of(self):
        one = replace(ONE_EACH, of_documents=[785], pooled=[785])
        two = replace(ONE_EACH, of_documents=[785, 0], pooled=[785, 10])
        for work, is_said in ((one, True), (two, False), (ONE_EACH, False)):
            notes = " ".join(price_of(self.da, PlanSettings(), work).notes)
            assert ("All segments are one document" in notes) == is_said

    def test_hours_days_and_money(self):
        settings = PlanSettings(seconds_per_word=0.5, annotators=2, pay_per_hour=20, currency="EUR")
        price = price_of(self.da, settings, ONE_EACH)
        found = dict(price.counters)
        assert found["Hours"] == "5.0"
        assert found["Days of 4 hours"] == "0.6"
        assert found["Cost"] == "100 EUR"
        assert found["Items for each annotator"] == "785"
        assert price.sentence.startswith(
            "5.0 hours of work for 2 annotators show a difference of 2 "
        )
        unpaid = replace(settings, pay_per_hour=None)
        assert "Cost" not in dict(price_of(self.da, unpaid, ONE_EACH).counters)
        pay = {"per": "hour", "amount": "12.50", "currency": "GBP"}
        set_staffing(self.da, {"pay": pay})
        assert dict(price_of(self.da, unpaid, ONE_EACH).counters)["Cost"] == "62 GBP"

    def test_context_of_blocks_costs_time_where_it_is_shown(self):
        """200 blocks of 3 segments, with 3 segments of 20 words around each, read once at 240 words
        a minute: 200 · 60 / 240 = 50 minutes."""
        work = replace(
            ONE_EACH,
            of_documents=[6] * 100,
            pooled=[6] * 100,
            n_blocks=200,
            around=600,
            source_words=20.0,
        )
        pace = price_of(self.da, PlanSettings(), work).notes[0]
        assert "a rule of thumb" in pace
        esa = factory.make_campaign(self.test_set, preset="esa", name="ESA")
        plain = hours_for(PlanSettings(), work, pace_of(esa), protocol_of(esa))
        cut = hours_for(PlanSettings(block_length=3), work, pace_of(esa), protocol_of(esa))
        assert cut == pytest.approx(plain + 50 / 60)
        said = PlanSettings(block_length=3, context_cost=1)
        cut = hours_for(said, work, pace_of(esa), protocol_of(esa))
        assert cut == pytest.approx(plain * (1 + 200 / 600))

    def test_hours_are_those_of_outputs_and_words(self):
        """1,570 outputs of 31.6 s and 36,000 words of .16 s, and how far nine plans of ten by two
        annotators are from that."""
        esa = factory.make_campaign(self.test_set, preset="esa", name="ESA")
        price = price_of(esa, PlanSettings(annotators=2), ONE_EACH)
        hours = (1570 * 31.6 + 36_000 * 0.16) / 3600
        # The mean of two log-normal times: Fenton (1960).
        variance = math.log(1 + (math.exp(0.39**2) - 1) / 2)
        far = math.exp(student.ppf(0.95, 10) * math.sqrt(variance + 0.39**2 / 10))
        median = hours * math.exp(-variance / 2)
        found = dict(price.counters)
        assert found["Hours"] == f"{hours:.0f}" == "15"
        assert found["Hours in nine plans of ten"] == f"{median / far:.1f} to {median * far:.0f}"
        assert price.notes[0] == (
            "31.6 s for each translation and 0.16 s for each word of sources and translations: as "
            "in the ESA study of WMT23."
        )

    def test_alternatives_cost_less_and_show_less(self):
        work = replace(ONE_EACH, of_documents=[8] * 40, pooled=[8] * 40, n_blocks=40)
        settings = PlanSettings(agreement_share=0.5, agreement_seats=3)
        assert mean_seats(settings) == 2
        found = price_of(self.da, settings, work)
        names = [each.words for each in found.alternatives]
        assert names == [
            "This plan",
            "One annotator for each batch",
            "Half of it, whole documents",
            "Half of it, blocks of at most 3",
            "That half, with trained metrics",
        ]
        smallest = [float(each.smallest.split()[0]) for each in found.alternatives]
        assert smallest[0] < smallest[1] < smallest[4] < smallest[3] < smallest[2]

    def test_half_of_it_is_what_the_plan_of_the_half_says(self):
        """Twelve blocks of three segments each, six of them given out, with their context read."""
        test_set = factory.make_test_set(factory.make_user("another"), n_segments=36, n_documents=4)
        esa = factory.make_campaign(test_set, preset="esa", name="ESA")
        whole = PlanSettings(seconds_per_word=100, context_cost=0.5)
        half = replace(whole, block_length=3, segments=18)
        _, _, row, _ = price_of(esa, whole, planned_work(preview(esa, whole))).alternatives
        itself = price_of(esa, half, planned_work(preview(esa, half))).alternatives[0]
        assert row.words == "Half of it, blocks of at most 3"
        assert (row.hours, row.smallest) == (itself.hours, itself.smallest)

    def test_controls_help_where_texts_stay_unjudged(self):
        """n/N = 1/2, one segment of a document: a variance of .83 + .17/2, by the formula
        of `segments_needed` (Cochran 1977)."""
        drawn = replace(ONE_EACH, pooled=[1] * 1570)
        found = {
            each.words: float(each.smallest.split()[0])
            for each in price_of(self.da, PlanSettings(), drawn).alternatives
        }
        ratio = found["This plan, with trained metrics"] / found["This plan"]
        assert ratio == pytest.approx(0.915**0.5, abs=0.005)
        esa = factory.make_campaign(self.test_set, preset="esa", name="ESA")
        every = smallest_by(esa, PlanSettings(), r_squared=0.2)
        assert every == smallest_by(esa, PlanSettings())
        pairwise = factory.make_campaign(self.test_set, preset="pairwise", name="pairs")
        others = price_of(pairwise, PlanSettings(), drawn).alternatives
        assert not [each for each in others if "metrics" in each.words]

    def test_the_price_of_the_question(self):
        found = dict(price_of(self.da, PlanSettings(), replace(ONE_EACH, n_systems=12)).questions)
        # Twelve systems, power .9, Holm: measured in replays of WMT23's MQM as .79 and .49.
        assert float(found["Compare one system with the others"]) == pytest.approx(0.79, abs=0.01)
        assert float(found["Compare one pair, named beforehand"]) == pytest.approx(0.49, abs=0.01)

    def test_nothing_is_told_apart_where_nothing_is_scored(self):
        links = factory.make_campaign(self.test_set, preset="word-alignment", name="links")
        price = price_of(links, PlanSettings(annotators=2), ONE_EACH)
        assert price.sentence.endswith(" hours of work for 2 annotators.")
        assert "Smallest difference" not in dict(price.counters)
        assert not price.questions and not price.alternatives
        assert len(price.notes) == 1  # of the time for each word

    def test_who_finds_no_batch_is_told_of(self):
        work = replace(ONE_EACH, batches=1)
        settings = PlanSettings(seconds_per_word=0.5, annotators=4)
        price = price_of(self.da, settings, work)
        found = dict(price.counters)
        assert found["Items for each annotator"] == "1,570"
        assert found["Days of 4 hours"] == "1.2"  # 5 hours, by one
        assert any(note.startswith("There is one batch for 4 annotators") for note in price.notes)
        enough = price_of(self.da, settings, replace(work, batches=4))
        assert len(enough.notes) == len(price.notes) - 1
        brief = dict(price_of(self.da, settings, replace(work, words=90)).counters)
        assert brief["Hours"] == "under 0.1"

    def test_a_batch_for_more_annotators_than_there_are_is_told_of(self):
        few = PlanSettings(seconds_per_word=0.5, annotators=2, seats=3)
        price = price_of(self.da, few, ONE_EACH)
        assert dict(price.counters)["Items for each annotator"] == "524"  # 1570 by three
        assert any("at least 3 are needed" in note for note in price.notes)
        enough = price_of(self.da, replace(few, annotators=3), ONE_EACH)
        assert enough.counters[-5:] == price.counters[-5:]
        assert len(enough.notes) == len(price.notes) - 1
        overlap = replace(few, seats=1, agreement_share=0.5, agreement_seats=4)
        notes = price_of(self.da, overlap, ONE_EACH).notes
        assert any("at least 4 are needed" in note for note in notes)

    def test_whole_blocks_that_are_more_than_was_asked_are_told_of(self):
        work = replace(ONE_EACH, of_documents=[3000], pooled=[3000])
        notes = price_of(self.da, PlanSettings(segments=100), work).notes
        assert any("3,000 segments will be judged, not 100" in note for note in notes)
        near = replace(ONE_EACH, of_documents=[3] * 34, pooled=[30] * 100)
        notes = price_of(self.da, PlanSettings(segments=100, block_length=3), near).notes
        assert not any("will be judged" in note for note in notes)
