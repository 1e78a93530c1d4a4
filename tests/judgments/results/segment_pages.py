"""The list of a campaign's segments and one of them, as tests ask for them."""

from django.core.cache import cache, caches
from django.urls import reverse

from tests import factory
from tests.base import CastTestCase


class SegmentsCase(CastTestCase):
    def setUp(self):
        cache.clear()
        caches["results"].clear()
        self.segments = list(self.test_set.segments.order_by("position"))

    def made(self, preset, *, n_outputs=None, **fields):
        """A campaign of a preset, with its first items: one of each annotator."""
        people = [self.annotator_1, self.annotator_2]
        campaign = factory.make_campaign(
            self.test_set,
            preset=preset,
            name=preset,
            owner=self.owner,
            researchers=[self.researcher],
            annotators=people,
            **fields,
        )
        tasks = [
            factory.make_task(campaign, who, seat=seat, n_outputs=n_outputs)
            for seat, who in enumerate(people, 1)
        ]
        return campaign, [task.items.get(position=0) for task in tasks]

    def listed(self, campaign, query=""):
        return self.as_user(self.researcher).get(reverse("segments", args=[campaign.pk]) + query)

    def page(self, campaign, segment=None, query="", user=None):
        segment = segment or self.segments[0]
        address = reverse("segment", args=[campaign.pk, segment.pk])
        return self.as_user(user or self.researcher).get(address + query)

    def first(self, item, system="System-A"):
        return item.shown.get(output__system__name=system).output
