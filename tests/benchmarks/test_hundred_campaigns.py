"""Copies of a campaign by SQL are campaigns of their own, whole and apart from each other."""

import hundred_campaigns
import pytest
from django.db.models import Count, F

from judgments.models import Campaign, Judgment, RecordedPart, Seal, Task
from tests import factory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

N_COPIES, N_ANNOTATORS, N_JUDGMENTS = 2, 2, 200


@pytest.fixture
def copied(monkeypatch):
    monkeypatch.setattr("large_campaign.N_SEGMENTS", 100)
    owner = factory.make_user("owner")
    seed = hundred_campaigns.make("Seed", N_JUDGMENTS, N_ANNOTATORS, owner)
    hundred_campaigns.copy_campaign(seed, N_COPIES)
    return Campaign.objects.order_by("pk")


def test_every_copy_has_the_judgments_of_the_first(copied):
    counted = copied.annotate(n=Count("judgments"), rated=Count("judgments__ratings"))
    seed, *copies = counted
    assert seed.n >= N_JUDGMENTS
    assert [(each.n, each.rated) for each in copies] == [(seed.n, seed.rated)] * N_COPIES
    assert Seal.objects.count() == (1 + N_COPIES) * seed.n
    parts = [RecordedPart.objects.filter(campaign_id=each.pk).count() for each in copied]
    assert parts == [parts[0]] * (1 + N_COPIES)
    assert parts[0] > seed.n


def test_copies_share_neither_texts_nor_annotators(copied):
    assert len({each.test_set_id for each in copied}) == 1 + N_COPIES
    people = Task.objects.values_list("annotator", flat=True).distinct()
    assert len(people) == (1 + N_COPIES) * N_ANNOTATORS
    own = Judgment.objects.filter(
        campaign__test_set=F("ratings__output__system__test_set"),
        campaign=F("item__task__campaign"),
        annotator=F("item__task__annotator"),
        item__segment=F("ratings__output__segment"),
    )
    assert own.distinct().count() == Judgment.objects.count()
