"""A test set and campaigns on it that are planned by settings."""

from collections import defaultdict

from django.test import TestCase

from judgments.models import (
    Item,
    ItemOutput,
    Output,
)
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from tests import factory

SINGLE = "direct-assessment"
SEVERAL = "adequacy-fluency"


def items_of(campaign, **filters):
    rows = Item.objects.filter(task__campaign=campaign, **filters)
    return list(rows.select_related("segment", "task").order_by("task", "position"))


def shown_on(items):
    """{item: the rows of its screen, in their order}"""
    found = defaultdict(list)
    rows = ItemOutput.objects.filter(item__in=items).select_related("output__system", "altered")
    for row in rows.order_by("item", "position"):
        found[row.item_id].append(row)
    return found


class PlanTestCase(TestCase):
    n_segments, n_documents, n_systems = 24, 4, 3

    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.people = [factory.make_user(f"annotator-{n}") for n in range(3)]
        cls.test_set = factory.make_test_set(
            cls.owner,
            n_segments=cls.n_segments,
            n_systems=cls.n_systems,
            n_documents=cls.n_documents,
        )

    def campaign(self, preset=SINGLE, **fields):
        fields = {"owner": self.owner, "annotators": self.people} | fields
        return factory.make_campaign(self.test_set, preset=preset, **fields)

    def plan(self, campaign, **values):
        return design.plan(campaign, PlanSettings(**values))

    def twins(self, name="System-C", of="System-A"):
        """Let one system's outputs read as another's."""
        for row in Output.objects.filter(system__name=of).values("segment", "text"):
            same = Output.objects.filter(system__name=name, segment=row["segment"])
            same.update(text=row["text"])
