"""Late systems in a plan that stands: what a wave holds, who gets it, and what stays."""

from collections import Counter

import numpy as np
import pytest
from django.urls import reverse

from judgments.judging import queue
from judgments.models import Act, Item, ItemOutput, Output, RegisteredPlan, Role, System, Task
from judgments.models.chains import record
from judgments.models.chains.record_checking import check_record
from judgments.people.workload.release import free_rest
from judgments.plans import seats, waves
from judgments.plans.errors import PlanError
from judgments.plans.waves import Turns, Wave
from judgments.quality.decisions.decisions import decide
from tests import factory

from .plan_cases import SEVERAL, SINGLE, PlanTestCase, items_of, shown_on


class WaveTestCase(PlanTestCase):
    def late(self, name="Late", segments=None):
        system = System.objects.create(test_set=self.test_set, name=name)
        for segment in segments or self.test_set.segments.all():
            text = f"Late text of {name}, number {segment.key}"
            Output.objects.create(segment=segment, system=system, text=text)
        return system

    def judged_campaign(self, preset=SINGLE, dimension="da", **settings):
        """A campaign whose first batch somebody has judged; it is recorded."""
        campaign = self.campaign(preset=preset)
        self.plan(campaign, **{"block_length": 3, "batch_items": 20} | settings)
        record.begin(campaign.pk, "opened")
        task = factory.seat(campaign.tasks.order_by("batch")[0], self.people[0])
        for item in Item.objects.filter(task=task).order_by("position"):
            item.task = task
            factory.judge(item, {dimension: [50] * item.shown.count()})
        return campaign

    def systems_in(self, campaign, wave, **kind):
        """{system: regular items with an output of it}"""
        items = items_of(campaign, task__wave=wave, **{"kind": "regular"} | kind)
        shown = shown_on(items)
        return Counter(row.output.system.name for each in items for row in shown[each.pk])


class AddedTests(WaveTestCase):
    def test_late_outputs_a_share_of_earlier_ones_and_links(self):
        campaign = self.judged_campaign()
        before = list(Item.objects.filter(task__campaign=campaign).order_by("pk").values())
        tasks = waves.add_wave(campaign, Wave((self.late().pk,), share=0.25, links=4))
        assert before == list(
            Item.objects.filter(task__campaign=campaign, task__wave=1).order_by("pk").values()
        )
        found = self.systems_in(campaign, 2)
        assert found["Late"] == 24  # every segment once
        # A quarter of 3 × 24 outputs in eight blocks of three segments: six blocks, two each.
        assert [found[f"System-{x}"] for x in "ABC"] == [6, 6, 6]
        last = campaign.tasks.filter(wave=1).latest("batch").batch
        assert [task.batch for task in tasks] == list(range(last + 1, last + 1 + len(tasks)))
        judged = {
            (item.segment_id, row.output_id)
            for item in items_of(campaign, task__annotator=self.people[0])
            for row in shown_on([item])[item.pk]
        }
        for task in tasks:
            links = list(task.items.filter(kind="control"))
            assert len(links) == len({link.segment_id for link in links}) == 4
            on_them = {(link.segment_id, row.output_id) for link in links
                       for row in shown_on([link])[link.pk]}  # fmt: skip
            assert on_them <= judged
        assert check_record(campaign).found == []

    def test_several_outputs_on_a_screen(self):
        campaign = self.judged_campaign(preset=SEVERAL, dimension="adequacy")
        waves.add_wave(campaign, Wave((self.late().pk,), share=0.5, links=2))
        items = items_of(campaign, task__wave=2, kind="regular")
        shown = shown_on(items)
        names = [{row.output.system.name for row in shown[item.pk]} for item in items]
        assert len(items) == 24
        assert all("Late" in on for on in names)
        assert {len(on) for on in names} == {2, 3}

    def test_comparisons_meet_an_earlier_system_on_every_segment(self):
        campaign = self.campaign(preset="pairwise")
        self.plan(campaign, block_length=3, batch_items=40)
        waves.add_wave(campaign, Wave((self.late().pk,), share=0.2, links=0))
        items = items_of(campaign, task__wave=2)
        assert {item.segment_id for item in items} == set(
            self.test_set.segments.values_list("pk", flat=True)
        )
        for rows in shown_on(items).values():
            assert "Late" in {row.output.system.name for row in rows}

    def test_only_segments_that_are_planned(self):
        campaign = self.judged_campaign(segments=9)
        planned = {item.segment_id for item in items_of(campaign, kind="regular")}
        waves.add_wave(campaign, Wave((self.late().pk,), links=0))
        assert {item.segment_id for item in items_of(campaign, task__wave=2)} == planned

    def test_control_items_and_seats_of_the_plan(self):
        campaign = self.judged_campaign(repeats=1, degraded=1, loud_checks=1, seats=2)
        tasks = waves.add_wave(campaign, Wave((self.late().pk,)))
        kinds = Counter(item.kind for item in items_of(campaign, task__in=tasks, task__seat=1))
        assert kinds["repeat"] >= 2
        assert kinds["degraded"] >= 2
        assert kinds["check"] == len(tasks) / 2
        assert {task.seat for task in tasks} == {1, 2}
        assert check_record(campaign).found == []

    def test_two_waves(self):
        campaign = self.judged_campaign()
        waves.add_wave(campaign, Wave((self.late("Late").pk,)))
        assert not waves.late_systems(campaign).exists()
        waves.add_wave(campaign, Wave((self.late("Later").pk,), share=0.5))
        found = self.systems_in(campaign, 3)
        assert found["Later"] == 24
        assert set(found) == {"Later", "Late", "System-A", "System-B", "System-C"}
        numbered = [(each.number, each.systems) for each in waves.waves_of(campaign)]
        assert numbered == [
            (1, ("System-A", "System-B", "System-C")),
            (2, ("Late",)),
            (3, ("Later",)),
        ]

    def test_what_nobody_counts_on_links_nothing(self):
        campaign = self.judged_campaign()
        with pytest.raises(PlanError, match="Nothing would link"):
            waves.add_wave(campaign, Wave((self.late().pk,), share=0, links=0))
        decide(campaign, self.people[0], reason="Random", by=self.owner, excluded=True)
        with pytest.raises(PlanError, match="Nothing would link"):
            waves.add_wave(campaign, Wave((System.objects.get(name="Late").pk,), share=0, links=5))

    def test_where_there_is_no_wave(self):
        late = self.late().pk
        for settings, words in (
            ({"design": "latin-square"}, "paired plans"),
            ({}, "Choose at least one system"),
        ):
            campaign = self.judged_campaign(**settings)
            with pytest.raises(PlanError, match=words):
                waves.add_wave(campaign, Wave((late,) if settings else ()))
        campaign = self.campaign()
        with pytest.raises(PlanError, match="Nothing is planned"):
            waves.add_wave(campaign, Wave((late,)))

    def test_seats_that_come_later_are_of_the_same_wave(self):
        campaign = self.judged_campaign()
        tasks = waves.add_wave(campaign, Wave((self.late().pk,), people=(self.people[1].pk,)))
        task = Task.objects.get(pk=tasks[0].pk)
        factory.judge(task.items.order_by("position")[0], {"da": [50]})
        free_rest(task)
        seats.extend(campaign, seats=1, batches=[task.batch], rng=np.random.default_rng(1))
        assert set(campaign.tasks.filter(batch=task.batch).values_list("wave", flat=True)) == {2}
        assert check_record(campaign).found == []

    def test_a_wave_that_is_tampered_with_is_found(self):
        campaign = self.judged_campaign()
        tasks = waves.add_wave(campaign, Wave((self.late().pk,)))
        Task.objects.filter(batch=tasks[0].batch, campaign=campaign).update(wave=3)
        (found,) = check_record(campaign).found
        assert f"The wave of batch {tasks[0].batch}: its wave was 2 and is 3" in found


class PeopleTests(WaveTestCase):
    def test_the_batches_go_to_the_named_in_turn_and_do_not_lapse(self):
        campaign = self.judged_campaign(seats=2, batch_items=14)
        people = tuple(user.pk for user in self.people[1:])
        tasks = waves.add_wave(campaign, Wave((self.late().pk,), people=people, links=2))
        held = Counter(task.annotator_id for task in tasks)
        assert held == {people[0]: len(tasks) / 2, people[1]: len(tasks) / 2}
        for batch in {task.batch for task in tasks}:
            assert len({task.annotator_id for task in tasks if task.batch == batch}) == 2
        assert not campaign.tasks.filter(wave=2).exclude(leased_until=None).exists()

    def test_more_seats_than_people_leave_some_free(self):
        campaign = self.judged_campaign(seats=2)
        tasks = waves.add_wave(campaign, Wave((self.late().pk,), people=(self.people[1].pk,)))
        assert {task.seat for task in tasks if task.annotator_id} == {1}

    def test_rows_of_a_pool_stay_with_one_person(self):
        campaign = self.judged_campaign(pool=True, repeats=1)
        people = tuple(user.pk for user in self.people[1:])
        tasks = waves.add_wave(campaign, Wave((self.late().pk,), people=people))
        by_batch = {task.batch: task for task in tasks}
        followers = [task for task in tasks if task.follows]
        assert followers
        for task in followers:
            assert by_batch[task.follows].annotator_id == task.annotator_id

    def test_the_pool_gets_it_after_what_was_there(self):
        campaign = self.judged_campaign()
        waves.add_wave(campaign, Wave((self.late().pk,)))
        member = campaign.memberships.get(user=self.people[1])
        given = [task.wave for task in queue.free_seats(member)]
        assert given == sorted(given)
        assert given[-1] == 2


def test_turns_give_the_share_and_every_system_as_often():
    for share, n in ((0.2, 5), (0.2, 3), (0.5, 4), (1.0, 3)):
        turns = Turns(range(n), share, 0, np.random.default_rng(1))
        taken = Counter(system for _ in range(120) for system in turns.next())
        assert abs(sum(taken.values()) - share * n * 120) <= 1
        assert max(taken.values()) - min(taken.values()) <= 1
    least = Turns(range(4), 0.0, 1, np.random.default_rng(1))
    assert all(len(least.next()) == 1 for _ in range(8))


class PageTests(WaveTestCase):
    name = "campaign-wave"

    def address(self, campaign):
        return reverse(self.name, args=[campaign.pk])

    def data(self, **more):
        late = System.objects.get(name="Late").pk
        return {"systems": [late], "share": "20", "links": "3"} | more

    def test_who_may(self):
        campaign = self.judged_campaign()
        users = {factory.make_user("outsider"): 404, self.people[0]: 403}
        for user, status in users.items():
            self.client.force_login(user)
            assert self.client.get(self.address(campaign)).status_code == status
            assert self.client.post(self.address(campaign)).status_code == status
        self.client.logout()
        assert "/sign-in/" in self.client.post(self.address(campaign))["Location"]

    def test_what_it_comes_to_and_then_the_wave(self):
        campaign = self.judged_campaign()
        self.late()
        self.client.force_login(self.owner)
        page = self.client.get(reverse("campaign-design", args=[campaign.pk]))
        self.assertContains(page, self.address(campaign))
        self.assertNotContains(page, "<h3>Waves</h3>")
        n = campaign.tasks.count()
        page = self.client.post(self.address(campaign), self.data(preview="1"))
        assert campaign.tasks.count() == n
        words = page.context["preview"]
        page = self.client.post(self.address(campaign), self.data(), follow=True)
        tasks = campaign.tasks.filter(wave=2)
        items = tasks.progress()["items"]
        assert words == f"{tasks.count()} batches with {items} items"
        self.assertContains(page, f"Added {items} items as wave 2.")
        self.assertContains(page, '<td class="words">Late</td>')
        assert Act.objects.filter(act=self.name, result="done").count() == 1
        page = self.client.get(self.address(campaign))
        self.assertContains(page, "All systems and segments of the test set are in the plan")

    def test_what_is_wrong_is_told(self):
        campaign = self.judged_campaign()
        self.late()
        self.client.force_login(self.owner)
        shown = System.objects.get(name="System-A").pk
        stranger = factory.make_user("stranger")
        other = factory.make_campaign(self.test_set, name="Other", annotators=[stranger])
        theirs = other.memberships.get(role=Role.ANNOTATOR).pk
        for data in (
            {"systems": [shown]},
            {"systems": []},
            {"share": "101"},
            {"links": "-1"},
            {"share": "0", "links": "0"},
            {"people": [theirs]},
        ):
            page = self.client.post(self.address(campaign), self.data(**data))
            assert page.status_code == 422, data
        assert not campaign.tasks.filter(wave=2).exists()

    def test_a_registered_plan_is_of_the_systems_that_there_were(self):
        campaign = self.judged_campaign()
        self.late()
        RegisteredPlan.objects.create(
            campaign=campaign, registered_by=self.owner, n_systems=3, looks=[12, 24], most=24
        )
        self.client.force_login(self.owner)
        self.assertContains(
            self.client.get(self.address(campaign)), "A stopping plan is registered"
        )
        page = self.client.post(self.address(campaign), self.data())
        assert page.status_code == 422

    def test_without_a_plan_it_leads_there(self):
        campaign = self.campaign()
        self.client.force_login(self.owner)
        response = self.client.get(self.address(campaign))
        assert response["Location"] == reverse("campaign-design", args=[campaign.pk])


class FurtherSegmentsTest(WaveTestCase):
    """A pilot of some segments, and what was not asked then."""

    def pilot(self, **settings):
        return self.judged_campaign(segments=6, **settings)

    def segments_in(self, campaign, wave):
        items = items_of(campaign, task__wave=wave, kind="regular")
        return {item.segment_id for item in items}

    def test_the_rest_of_a_pilot_comes_with_all_its_systems(self):
        campaign = self.pilot()
        first = self.segments_in(campaign, 1)
        assert len(first) == 6
        assert waves.further_segments(campaign).count() == 18
        waves.add_wave(campaign, Wave(segments=18, links=3))
        rest = self.segments_in(campaign, 2)
        assert (len(rest), rest & first) == (18, set())
        assert self.systems_in(campaign, 2) == {f"System-{x}": 18 for x in "ABC"}
        assert waves.further_segments(campaign).count() == 0
        assert check_record(campaign).found == []

    def test_a_part_is_drawn_in_whole_blocks_and_by_chance_of_its_own(self):
        campaign = self.pilot()
        waves.add_wave(campaign, Wave(segments=6, links=0))
        second = self.segments_in(campaign, 2)
        assert len(second) == 6
        waves.add_wave(campaign, Wave(segments=6, links=0))
        assert not second & self.segments_in(campaign, 3)
        order = list(self.test_set.segments.order_by("position").values_list("pk", flat=True))
        places = sorted(order.index(pk) for pk in second)
        blocks_of_three = {place // 3 for place in places}
        assert places == [3 * b + k for b in sorted(blocks_of_three) for k in range(3)]

    def test_late_systems_come_with_what_is_planned_and_with_what_is_further(self):
        campaign = self.pilot()
        late = self.late()
        waves.add_wave(campaign, Wave((late.pk,), share=0.5, links=2, segments=18))
        found = self.systems_in(campaign, 2)
        assert found["Late"] == 24
        assert sum(found.values()) == 24 + 3 * 18 + 3 * 6 / 2

    def test_calibration_items_are_not_asked_again_as_regular_ones(self):
        campaign = self.pilot(calibration=2)
        shown = {item.segment_id for item in items_of(campaign, kind="control")}
        assert shown
        assert not shown & set(waves.further_segments(campaign).values_list("pk", flat=True))

    def test_from_pilot_to_rest_by_the_pages(self):
        campaign = self.campaign(preset=SINGLE)
        design, wave = (reverse(f"campaign-{n}", args=[campaign.pk]) for n in ("design", "wave"))
        self.client.force_login(self.owner)
        page = self.client.get(design, {"for": "pilot"})
        self.assertContains(page, "A pilot</a>")
        self.assertEqual(page.context["form"]["segments"].value(), 30)
        self.plan(campaign, segments=6, block_length=3)
        page = self.client.get(wave)
        self.assertContains(page, "Of 18 that are in no plan")
        self.assertContains(page, "With all segments of the test set")
        self.assertNotIn("systems", page.context["form"].fields)
        refused = self.client.post(wave, {"segments": 19, "links": 0})
        self.assertContains(refused, "less than or equal to 18", status_code=422)
        nothing = self.client.post(wave, {"segments": 0, "links": 0})
        self.assertContains(nothing, "or some segments", status_code=422)
        added = self.client.post(wave, {"segments": 18, "links": 0}, follow=True)
        self.assertContains(added, "none: further segments")
        self.assertEqual(waves.further_segments(campaign).count(), 0)

    def test_a_hidden_reference_is_no_system_of_further_segments(self):
        campaign = self.campaign(preset=SEVERAL, options={"show_reference": False})
        self.plan(campaign, segments=12, references=1, batch_words=10**6)
        waves.add_wave(campaign, Wave(segments=12, links=0))
        hidden = System.objects.filter(test_set=self.test_set).exclude(copies_reference="")
        assert hidden.exists()
        shown = ItemOutput.objects.filter(item__task__campaign=campaign, item__task__wave=2)
        of_hidden = shown.filter(output__system__in=hidden)
        # Where it stands, it is the control of its screen.
        assert all(row.output_id == row.item.control_output_id for row in of_hidden)
        assert set(self.systems_in(campaign, 2)) >= {"System-A", "System-B", "System-C"}
