"""Ranking: the input of its form, and what is stored."""

import pytest
from django.test import Client
from django.urls import reverse

from judgments.models import Judgment, Rating
from judgments.protocols.ranking import RankingForm
from tests import factory

pytestmark = pytest.mark.django_db
TEN = 10


def posted(ranks):
    return {f"output{place}-rank": str(rank) for place, rank in enumerate(ranks, 1)}


def errors(ranks, n_places=3, *, may_leave_out=False):
    form = RankingForm(n_places, may_leave_out=may_leave_out, data=posted(ranks))
    return list(form.errors)


@pytest.mark.parametrize("rank", ["", "0", "4", "-1", "1.5", "x", "nan", "²"])
def test_bad_ranks(rank):
    assert errors([1, rank, 2]) == ["output2-rank"]


def test_one_is_missing():
    assert errors([1, 2]) == ["output3-rank"]
    assert errors([1, 2], may_leave_out=True) == ["output3-rank"], "it must be said"


@pytest.mark.parametrize("ranks", [[0, 0, 0], [0, 2, 0]])
def test_at_least_two_are_ranked(ranks):
    assert errors(ranks, may_leave_out=True) == ["output1-rank"]


def test_no_campaign_changes_the_choices_of_another():
    assert errors([1, 2, 0], may_leave_out=True) == []
    assert errors([1, 2, 0]) == ["output3-rank"]


@pytest.mark.parametrize("ranks", [[1, 1, 1], [3, 3, 1], [1, 3, 3]])
def test_ties_and_gaps_are_right(ranks):
    assert errors(ranks) == []
    assert errors([*ranks[:2], 0], may_leave_out=True) == []


def test_a_text_that_stands_alone_has_one_rank():
    assert errors([1], 1) == []
    assert errors([0], 1, may_leave_out=True) == ["output1-rank"]


def test_ten_have_a_key_each():
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=TEN, n_segments=1)
    campaign = factory.make_campaign(test_set, preset="partial-ranking", annotators=[annotator])
    task = factory.make_task(campaign, annotator)
    client = Client()
    client.force_login(annotator)
    url = reverse("judge-item", args=[campaign.pk, 1])
    page = client.get(url)
    question = page.context["places"][0][2][0]
    keys = [option.key for option in question.options]
    assert keys == [*"1234567890", ""]
    assert question.options[-1].value == "0"
    ranks = [*range(1, TEN), 0]
    ticket = page.content.decode().partition('name="ticket" value="')[2].partition('"')[0]
    client.post(url, {"ticket": ticket} | posted(ranks))
    stored = dict(Rating.objects.values_list("output", "value"))
    shown = list(task.items.get().shown.order_by("position").values_list("output", flat=True))
    assert stored == dict(zip(shown[:-1], range(1, TEN), strict=True))
    again = client.get(url)
    chosen = [
        [option.value for option in asked[0].options if option.checked]
        for _, _, asked in again.context["places"]
    ]
    assert chosen == [[str(rank)] for rank in ranks]
    ticket = again.content.decode().partition('name="ticket" value="')[2].partition('"')[0]
    client.post(url, {"ticket": ticket} | posted([*ranks[:-2], 0, 9]))
    assert Judgment.objects.count() == 2, "another one left out is another answer"


def test_equal_texts_are_shown_once_and_left_out_together():
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=4, n_segments=1)
    campaign = factory.make_campaign(test_set, preset="partial-ranking", annotators=[annotator])
    item = factory.make_task(campaign, annotator).items.get()
    outputs = [row.output for row in item.shown.select_related("output").order_by("position")]
    outputs[2].text = outputs[0].text
    outputs[2].save()
    client = Client()
    client.force_login(annotator)
    url = reverse("judge-item", args=[campaign.pk, 1])
    for ranks, stored in (
        ([0, 2, 1], {outputs[1].pk: 2, outputs[3].pk: 1}),
        ([1, 0, 2], {outputs[0].pk: 1, outputs[2].pk: 1, outputs[3].pk: 2}),
    ):
        page = client.get(url).content.decode()
        ticket = page.partition('name="ticket" value="')[2].partition('"')[0]
        assert client.post(url, {"ticket": ticket} | posted(ranks)).status_code == 302
        last = Judgment.objects.order_by("pk").last()
        assert dict(last.ratings.values_list("output", "value")) == stored
    copies = Rating.objects.filter(is_copy=True).values_list("output", flat=True)
    assert list(copies) == [outputs[2].pk]
