"""Plans of whole documents with questions, and of edits."""

from collections import Counter

import numpy as np
import pytest
from django.test import TestCase
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.judging import queue
from judgments.models import Item, Membership, Output, Question, Task
from judgments.plans import design, versions
from judgments.plans.layout import PlannedScreen
from judgments.plans.runs import Block
from judgments.plans.settings import PlanSettings
from tests import factory


def rng(seed=0):
    return np.random.default_rng(seed)


def add_questions(campaign, *, per_document=2):
    return [
        Question.objects.create(
            campaign=campaign,
            document=document,
            position=position,
            level=position % 3 + 1,
            text=f"What is said in {document.name}, part {position}?",
            choices=["a ferry", "a train", "a plane"] if position % 2 == 0 else [],
            right=["a ferry"] if position % 2 == 0 else [],
        )
        for document in campaign.test_set.documents.all()
        for position in range(per_document)
    ]


@given(
    n_documents=st.integers(1, 9),
    n_systems=st.integers(1, 5),
    size=st.integers(1, 10),
    seed=st.integers(0, 9),
)
@settings(max_examples=40, deadline=None)
def test_every_document_meets_every_system_once_and_a_batch_no_document_twice(
    n_documents, n_systems, size, seed
):
    made = [
        Block(
            document,
            versions={
                system: ((PlannedScreen(document, ((100 * document + system, system),)),),)
                for system in range(n_systems)
            },
        )
        for document in range(n_documents)
    ]
    batches = [
        [screen for run in runs for screen in run]
        for runs in versions.batches(made, size, True, "latin-square", False, rng(seed))
    ]
    met = Counter((screen.segment, screen.outputs[0][1]) for batch in batches for screen in batch)
    assert set(met.values()) == {1} and len(met) == n_documents * n_systems
    for batch in batches:
        assert len(batch) <= size
        assert len({screen.segment for screen in batch}) == len(batch)
        # Systems take turns within a batch.
        counts = Counter(screen.outputs[0][1] for screen in batch)
        assert max(counts.values()) - min(counts.get(s, 0) for s in range(n_systems)) <= 1


class DocumentsTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.people = [factory.make_user(f"annotator-{n}") for n in range(4)]
        cls.test_set = factory.make_test_set(cls.owner, n_segments=9, n_systems=3, n_documents=3)
        cls.campaign = factory.make_campaign(
            cls.test_set, preset="comprehension", owner=cls.owner, annotators=cls.people
        )

    def claim(self, person, campaign=None):
        membership = Membership.objects.select_related("campaign__test_set").get(
            user=person, campaign=campaign or self.campaign
        )
        return queue.claim(membership, timezone.now())

    def test_without_questions_nothing_is_planned(self):
        with self.assertRaisesMessage(design.PlanError, "There are no questions yet"):
            design.plan(self.campaign, PlanSettings(batch_items=30))

    def test_a_screen_is_a_document_in_order_by_one_system(self):
        add_questions(self.campaign)
        design.plan(self.campaign, PlanSettings(batch_items=30, seats=2))
        self.assertEqual(Task.objects.count(), 6)
        for item in Item.objects.all():
            outputs = [row.output for row in item.shown.select_related("output__segment")]
            self.assertEqual(len({output.system_id for output in outputs}), 1)
            segments = [output.segment for output in outputs]
            self.assertEqual(segments, list(item.segment.document.segments.all()))
            self.assertEqual(item.segment, segments[0])
        preview = design.preview(self.campaign, PlanSettings(batch_items=30, seats=2))
        self.assertEqual((preview.n_items, preview.n_answers, preview.n_segments), (18, 36, 9))

    def test_documents_without_questions_or_a_whole_translation_are_left_out(self):
        first, second, third = self.test_set.documents.all()
        for question in add_questions(self.campaign):
            if question.document == first:
                question.delete()
        Output.objects.filter(segment__document=second, system__name="System-A").first().delete()
        design.plan(self.campaign, PlanSettings(batch_items=30))
        met = Counter(
            (item.segment.document, item.shown.first().output.system.name)
            for item in Item.objects.all()
        )
        self.assertEqual(
            sorted(met, key=lambda key: (key[0].pk, key[1])),
            [
                *((second, f"System-{name}") for name in "BC"),
                *((third, f"System-{name}") for name in "ABC"),
            ],
        )

    def test_nobody_gets_a_document_twice(self):
        add_questions(self.campaign)
        design.plan(self.campaign, PlanSettings(batch_items=2))  # 2 + 1 documents, 3 systems
        taken = [self.claim(self.people[0])]
        for _ in range(3):
            Task.objects.filter(annotator=self.people[0]).update(n_judged=2, n_items=2)
            if task := self.claim(self.people[0]):
                taken.append(task)
        documents = Counter(
            Item.objects.filter(task__in=taken).values_list("segment__document", flat=True)
        )
        self.assertEqual(len(taken), 2)  # one batch of each set of documents
        self.assertEqual(set(documents.values()), {1})
        self.assertEqual(len(documents), 3)

    def test_nor_in_another_campaign_on_the_same_texts(self):
        other = factory.make_campaign(
            self.test_set, preset="comprehension", annotators=self.people, name="Again"
        )
        for campaign in (self.campaign, other):
            add_questions(campaign)
            design.plan(campaign, PlanSettings(batch_items=30))
        self.assertIsNotNone(self.claim(self.people[0]))
        self.assertIsNone(self.claim(self.people[0], other))
        self.assertIsNotNone(self.claim(self.people[1], other))

    def test_a_document_is_covered_by_as_many_people_as_there_are_systems(self):
        add_questions(self.campaign)
        design.plan(self.campaign, PlanSettings(batch_items=30))
        claimed = [self.claim(person) for person in self.people]
        self.assertIsNone(claimed[3])
        self.assertEqual(len({task.pk for task in claimed[:3]}), 3)


@pytest.mark.django_db
def test_the_same_seed_gives_the_same_plan():
    owner = factory.make_user("owner")
    campaign = factory.make_campaign(
        factory.make_test_set(owner, n_segments=6, n_documents=3), preset="comprehension"
    )
    add_questions(campaign)
    plans = []
    for _ in range(2):
        design.plan(campaign, PlanSettings(batch_items=2, seed=5))
        items = Item.objects.order_by("task__batch", "position", "shown__position")
        plans.append(list(items.values_list("segment", "shown__output")))
    assert plans[0] == plans[1]
