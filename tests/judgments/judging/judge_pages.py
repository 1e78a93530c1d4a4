"""The judging page as tests open and answer it."""

import re

from django.urls import reverse

from judgments.models import (
    Item,
    Judgment,
    Membership,
    Preference,
    Rating,
    Task,
)
from tests.base import CastTestCase


def answers(value=3, n_outputs=3, dimensions=("adequacy", "fluency")):
    return {
        f"output{place}-{dimension}": str(value)
        for place in range(1, n_outputs + 1)
        for dimension in dimensions
    }


def ticket_in(response) -> str:
    return re.search(r'name="ticket" value="([^"]+)"', response.content.decode())[1]


def rows_in(response) -> list[str]:
    """Return the rows that a script requested, as HTML."""
    return list(response.json()["rows"].values())


def everything_stored():
    """A picture of all rows that judging may change."""
    return [
        list(model.objects.order_by("pk").values())
        for model in (Task, Item, Judgment, Rating, Preference, Membership)
    ]


class JudgingTestCase(CastTestCase):
    def item_url(self, number=1, campaign=None):
        return reverse("judge-item", args=[(campaign or self.campaign).pk, number])

    def open(self, number=1, *, user=None, campaign=None):
        self.client.force_login(user or self.annotator_1)
        return self.client.get(self.item_url(number, campaign))

    def answer(self, number=1, data=None, *, ticket=None, campaign=None, **extra):
        """Open an item as the first annotator and post an answer to it."""
        ticket = ticket or ticket_in(self.open(number, campaign=campaign))
        data = (answers() if data is None else data) | {"ticket": ticket}
        self.client.force_login(self.annotator_1)
        return self.client.post(self.item_url(number, campaign), data, **extra)

    def set_status(self, status):
        self.campaign.status = status
        self.campaign.save()
