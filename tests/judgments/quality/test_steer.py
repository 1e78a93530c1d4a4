"""Steering a campaign, looking at clashes, and an annotator's screen that takes nothing."""

from collections import Counter

from django.urls import reverse

from judgments.judging import queue
from judgments.models import Act, ClashMark, Item, Judgment, ReadingSettings, Task
from judgments.people import states
from judgments.quality.clashes.figures import clashes
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase


class SteerTests(CastTestCase):
    def post(self, name, *args, **data):
        return self.post_as(self.owner, name, self.campaign.pk, *args, data=data)

    def test_refused_to_others(self):
        task = self.campaign.tasks.first().pk
        users = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        self.assert_refused("campaign-steer", self.campaign.pk, users=users)
        for name, args in (
            ("campaign-close", ()),
            ("campaign-extend", ()),
            ("campaign-give", ()),
            ("task-free", (task,)),
        ):
            self.assert_refused(name, self.campaign.pk, *args, users=users, method="post")
            self.assert_post_only(name, self.campaign.pk, *args)

    def test_closing_early_is_confirmed_and_can_be_undone(self):
        page = self.get_as(self.owner, "campaign-steer", self.campaign.pk)
        self.assertContains(page, "8 items are not judged yet")
        self.assertContains(self.post("campaign-close"), "Tick the box", status_code=422)
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, "open")
        self.post("campaign-close", **{"close-sure": "on"})
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, "closed")
        page = self.get_as(self.owner, "campaign-steer", self.campaign.pk)
        self.assertContains(page, "Reopen the campaign")
        self.post("campaign-status", status="open")
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.status, "open")
        log = self.get_as(self.owner, "campaign-log", self.campaign.pk)
        self.assertContains(log, "closed the campaign early")

    def test_seats_are_added(self):
        self.post("campaign-extend", seats="2")
        self.assertEqual(
            list(self.campaign.tasks.order_by("seat").values_list("seat", "n_items")),
            [(1, 4), (2, 4), (3, 4), (4, 4)],
        )
        self.assertTrue(Act.objects.filter(act="campaign-extend", result="done").exists())

    def test_seats_come_first_where_the_fewest_people_are(self):
        factory.make_task(self.campaign, batch=2)
        factory.make_task(self.campaign, batch=3)
        self.post("campaign-extend", seats="1", n_batches="1")
        seats = Counter(self.campaign.tasks.values_list("batch", flat=True))
        self.assertEqual((seats[1], seats[2] + seats[3]), (2, 3))
        self.post("campaign-extend", seats="1", n_batches="1")
        seats = Counter(self.campaign.tasks.values_list("batch", flat=True))
        self.assertEqual(seats, {1: 2, 2: 2, 3: 2})

    def test_numbers_that_are_none(self):
        for data in ({"seats": "0"}, {"seats": "1", "n_batches": "0"}, {"seats": "x"}):
            response = self.post("campaign-extend", **data)
            self.assertEqual(response.status_code, 422, data)
        self.assertEqual(self.campaign.tasks.count(), 2)

    def give(self, user, n):
        member = self.campaign.memberships.get(user=user)
        return self.post("campaign-give", **{"give-member": str(member.pk), "give-n": str(n)})

    def test_batches_for_a_named_person(self):
        for batch in (2, 3, 4):
            factory.make_task(self.campaign, batch=batch)
        self.give(self.annotator_2, 2)
        held = self.campaign.tasks.filter(annotator=self.annotator_2).order_by("batch")
        self.assertEqual(
            list(held.values_list("batch", "claimed_at", "leased_until")),
            [(1, None, None), (2, None, None), (3, None, None)],
        )
        page = self.get_as(self.owner, "campaign-steer", self.campaign.pk)
        self.assertContains(page, "Batches given to annotator-2: 2.")
        self.assertTrue(Act.objects.filter(act="campaign-give", result="done").exists())
        # They are theirs in this order, and nobody else's.
        member = self.campaign.memberships.get(user=self.annotator_1)
        self.assertEqual([task.batch for task in queue.free_seats(member)], [4])
        self.give(self.annotator_2, 5)
        page = self.get_as(self.owner, "campaign-steer", self.campaign.pk)
        self.assertContains(page, "Batches given to annotator-2: 1.")
        self.assertContains(page, "There is no more free that annotator-2 may have.")

    def test_nobody_gets_two_seats_of_a_batch_or_work_while_held(self):
        factory.make_task(self.campaign, seat=3)
        self.give(self.annotator_1, 1)
        page = self.get_as(self.owner, "campaign-steer", self.campaign.pk)
        self.assertContains(page, "There is none free that annotator-1 may have.")
        factory.make_task(self.campaign, batch=2)
        states.hold(self.campaign, self.annotator_1, reason="Ask first", by=self.owner)
        response = self.give(self.annotator_1, 1)
        self.assertContains(response, "Select a valid choice", status_code=422)
        member = self.campaign.memberships.get(user=self.annotator_1)
        with self.assertRaises(queue.NotYours):
            queue.give(member, 1)
        for user in (self.researcher, self.owner):
            self.assertEqual(self.give(user, 1).status_code, 422)
        self.assertEqual(self.campaign.tasks.filter(annotator=None).count(), 2)

    def test_a_batch_is_taken_back_once_it_is_meant(self):
        task = self.campaign.tasks.get(annotator=self.annotator_1)
        page = self.get_as(self.owner, "campaign-steer", self.campaign.pk)
        self.assertContains(page, reverse("task-free", args=[self.campaign.pk, task.pk]))
        self.post("task-free", task.pk)
        self.assertEqual(Task.objects.filter(campaign=self.campaign, annotator=None).count(), 0)
        self.post("task-free", task.pk, sure="on")
        self.assertEqual(Task.objects.get(campaign=self.campaign, annotator=None).n_items, 4)

    def test_no_batch_of_another_campaign(self):
        task = self.pairwise.tasks.first()
        response = self.post("task-free", task.pk, sure="on")
        self.assertEqual(response.status_code, 404)


class AnnotatorScreenTests(CastTestCase):
    def screen(self, user, number=1, campaign=None):
        campaign = campaign or self.campaign
        member = campaign.memberships.get(user=self.annotator_1)
        return self.get_as(user, "annotator-screen", campaign.pk, member.pk, number)

    def test_for_owners_alone(self):
        member = self.campaign.memberships.get(user=self.annotator_1)
        users = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        args = self.campaign.pk, member.pk, 1
        self.assert_refused("annotator-screen", *args, users=users)
        self.assertEqual(self.post_as(self.owner, "annotator-screen", *args).status_code, 405)

    def test_the_same_texts_and_questions_and_no_form(self):
        seen = self.as_user(self.annotator_1).get(reverse("judge-item", args=[self.campaign.pk, 2]))
        shown = self.screen(self.owner, 2)
        self.assertNotContains(shown, "<form")
        self.assertNotContains(shown, "csrfmiddlewaretoken")
        self.assertContains(shown, '<input type="hidden" name="ticket" value="">')
        self.assertNotContains(shown, "System-")
        for page in (seen, shown):
            for place in (1, 2, 3):
                self.assertContains(page, f'name="output{place}-adequacy"')
            self.assertContains(page, "Quelltext Nummer 2")

    def test_it_claims_and_stores_nothing_and_is_logged(self):
        before = list(Task.objects.order_by("pk").values())
        self.screen(self.owner)
        self.assertEqual(list(Task.objects.order_by("pk").values()), before)
        self.assertFalse(Judgment.objects.exists())
        act = Act.objects.get(act="annotator-screen")
        self.assertEqual((act.user, act.campaign), (self.owner.pk, self.campaign.pk))
        log = self.get_as(self.owner, "campaign-log", self.campaign.pk)
        self.assertContains(log, "looked at an annotator&#x27;s screen")

    def test_answers_that_are_stored_and_their_language(self):
        item = self.campaign.tasks.get(annotator=self.annotator_1).items.first()
        factory.judge(item, {"adequacy": [5, 1, 1], "fluency": [1, 1, 1]})
        ReadingSettings.objects.create(user=self.annotator_1, language="de", text_size=130)
        shown = self.screen(self.owner)
        self.assertContains(shown, 'lang="de"')
        self.assertContains(shown, 'data-text-size="130"')
        self.assertRegex(shown.content.decode(), r'name="output1-adequacy" value="5"[^>]* checked')
        self.assertNotContains(shown, "change an answer")

    def test_the_screens_of_the_plan_tell_nobodys_answers(self):
        campaign = factory.make_campaign(
            self.test_set,
            owner=self.owner,
            annotators=[self.annotator_1],
            options={"context": "document"},
        )
        task = factory.make_task(campaign, self.annotator_1)
        for item in task.items.all()[:2]:
            item.task = task
            factory.judge(item, {"adequacy": [5, 1, 1], "fluency": [1, 1, 1]})
        page = self.get_as(self.owner, "planned-screen", campaign.pk, 1, 1)
        self.assertContains(page, 'name="output1-adequacy"')
        self.assertContains(page, "<strong>0 of 4</strong> judged")
        self.assertNotRegex(page.content.decode(), r"<input[^>]* checked")
        for words in ("You have judged", "✓", "Adequacy 5"):
            self.assertNotContains(page, words)

    def test_the_screens_of_a_batch_that_was_given_back(self):
        campaign = factory.make_campaign(
            self.test_set, owner=self.owner, annotators=[self.annotator_1]
        )
        task = factory.make_task(campaign, self.annotator_1)
        items = list(task.items.order_by("position"))
        Item.objects.filter(pk=items[3].pk).update(kind="repeat")
        items[1].task = task
        factory.judge(items[1], {"adequacy": [5, 1, 1], "fluency": [1, 1, 1]})
        queue.give_up(campaign.memberships.get(user=self.annotator_1), task.pk)
        shown = []
        for number in (1, 2, 3, 4):
            page = self.get_as(self.owner, "planned-screen", campaign.pk, 1, number)
            shown.append(page.context["screen"].item.pk)
            self.assertEqual(page.context["next_control"], 4 if number < 4 else None)
        self.assertEqual(shown, [items[place].pk for place in (1, 0, 2, 3)])
        page = self.get_as(self.owner, "planned-screen", campaign.pk, 1, 5)
        self.assertEqual(page.status_code, 404)

    def test_no_such_item_and_nobody_who_judges(self):
        self.assertEqual(self.screen(self.owner, 99).status_code, 404)
        owner = self.campaign.memberships.get(user=self.owner)
        response = self.get_as(self.owner, "annotator-screen", self.campaign.pk, owner.pk, 1)
        self.assertEqual(response.status_code, 404)


class ClashViewTests(CastTestCase):
    def setUp(self):
        for seat, value in ((1, 1), (2, 5)):
            for item in self.campaign.tasks.get(seat=seat).items.all()[:2]:
                item.task.refresh_from_db()
                factory.judge(item, {"adequacy": [value, 3, 3], "fluency": [3, 3, 3]})
        self.keys = [c.key for c in clashes(Selection.of(self.campaign)).clashes]

    def test_refused_to_others(self):
        self.assert_refused("clashes", self.campaign.pk)
        self.assert_refused("clash", self.campaign.pk, self.keys[0])
        self.assert_refused("clash-mark", self.campaign.pk, self.keys[0], method="post")
        self.assert_post_only("clash-mark", self.campaign.pk, self.keys[0])

    def test_the_list_and_the_way_to_the_next(self):
        self.assertEqual(len(self.keys), 2)
        page = self.get_as(self.researcher, "clashes", self.campaign.pk)
        self.assertContains(page, "2 pairs of ratings")
        self.assertContains(page, "<td>Adequacy</td>", count=2)
        for key in self.keys:
            self.assertContains(page, reverse("clash", args=[self.campaign.pk, key]))
        first = self.get_as(self.researcher, "clash", self.campaign.pk, self.keys[0])
        following = reverse("clash", args=[self.campaign.pk, self.keys[1]])
        self.assertContains(first, f'<a rel="next" href="{following}">')
        self.assertContains(first, "Quelltext Nummer 1")
        self.assertContains(first, "Source text number 1 stands here .")
        self.assertContains(first, "System-A, Adequacy", count=2)

    def test_a_clash_is_marked_for_all(self):
        self.post_as(
            self.researcher,
            "clash-mark",
            self.campaign.pk,
            self.keys[0],
            data={"is_flagged": "on", "comment": "Who is <right>?"},
        )
        mark = ClashMark.objects.get()
        self.assertEqual((mark.key, mark.is_flagged), (self.keys[0], True))
        page = self.get_as(self.owner, "clashes", self.campaign.pk)
        self.assertContains(page, "Who is &lt;right&gt;?")
        new = self.client.get(page.request["PATH_INFO"], {"show": "new"})
        self.assertEqual([row[0].key for row in new.context["rows"]], self.keys[1:])
        flagged = self.client.get(page.request["PATH_INFO"], {"show": "flagged"})
        self.assertEqual([row[0].key for row in flagged.context["rows"]], self.keys[:1])
        self.assertTrue(Act.objects.filter(act="clash-mark", result="done").exists())

    def test_marks_of_what_is_no_clash_are_not_stored(self):
        for key in ("nothing", "1-2", f"{self.keys[0]}-1"):
            response = self.post_as(self.owner, "clash-mark", self.campaign.pk, key)
            self.assertEqual(response.status_code, 404, key)
        self.assertFalse(ClashMark.objects.exists())

    def test_a_campaign_without_any(self):
        page = self.get_as(self.owner, "clashes", self.pairwise.pk)
        self.assertContains(page, "no ratings and no comparisons")
