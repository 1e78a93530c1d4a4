"""Pairwise comparison and contrastive direct assessment: the input of forms, and what is stored."""

import pytest
from django.test import Client
from django.urls import reverse

from judgments.models import Preference, Rating
from judgments.protocols import PRESETS, protocol_of
from tests import factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    test_set = factory.make_test_set(factory.make_user("owner"))
    return factory.make_campaign(test_set, preset="pairwise")


def pair(campaign):
    annotator = factory.make_user("annotator")
    campaign.memberships.create(user=annotator, role="annotator", alias="annotator")
    task = factory.make_task(campaign, annotator, n_outputs=2)
    client = Client()
    client.force_login(annotator)
    return client, task.items.first()


def answer(client, campaign, data):
    url = reverse("judge-item", args=[campaign.pk, 1])
    page = client.get(url).content.decode()
    ticket = page.partition('name="ticket" value="')[2].partition('"')[0]
    return client.post(url, {"ticket": ticket} | data)


@pytest.mark.parametrize("value", ["", "2", "-2", "1.5", "x", "１"])
def test_bad_values_without_strength(campaign, value):
    form = protocol_of(campaign).form(None, [], {"preference": value})
    assert list(form.errors) == ["preference"]


@pytest.mark.parametrize("value", ["", "3", "-3", "0.5", "x"])
def test_bad_values_with_strength(campaign, value):
    campaign.options["ask_strength"] = True
    form = protocol_of(campaign).form(None, [], {"preference": value})
    assert list(form.errors) == ["preference"]


@pytest.mark.parametrize(
    ("asks", "sent", "sign", "strength"),
    [
        (False, "1", 1, None),
        (False, "0", 0, None),
        (False, "-1", -1, None),
        (True, "2", 1, 2),
        (True, "1", 1, 1),
        (True, "0", 0, None),
        (True, "-1", -1, 1),
        (True, "-2", -1, 2),
    ],
)
def test_what_was_chosen_is_stored_and_shown_again(campaign, asks, sent, sign, strength):
    campaign.options["ask_strength"] = asks
    campaign.save()
    client, item = pair(campaign)
    answer(client, campaign, {"preference": sent})
    (found,) = Preference.objects.all()
    first, second = item.shown.order_by("position").values_list("output", flat=True)
    assert (found.output_a_id, found.output_b_id) == (first, second)
    assert (found.value, found.strength) == (sign, strength)
    page = client.get(reverse("judge-item", args=[campaign.pk, 1]))
    (question,) = page.context["questions"]
    assert [option.value for option in question.options if option.checked] == [sent]


def test_another_strength_is_another_answer(campaign):
    campaign.options["ask_strength"] = True
    campaign.save()
    client, item = pair(campaign)
    for sent, n in (("2", 1), ("2", 1), ("1", 2)):
        answer(client, campaign, {"preference": sent})
        assert item.judgments.count() == n


def test_differences_are_marked_where_the_campaign_says_so(campaign):
    client, item = pair(campaign)
    output = item.shown.order_by("position").first().output
    output.text = "<b>bold</b> words"
    output.save()
    url = reverse("judge-item", args=[campaign.pk, 1])
    page = client.get(url).content.decode()
    assert '<mark class="differs">&lt;b&gt;bold&lt;/b&gt; words</mark>' in page
    assert "differences.js" in page
    campaign.options["highlight"] = False
    campaign.save()
    assert "<mark" not in client.get(url).content.decode()


def test_equal_texts_are_not_marked(campaign):
    client, item = pair(campaign)
    for row in item.shown.all():
        row.output.text = "The very same ."
        row.output.save()
    page = client.get(reverse("judge-item", args=[campaign.pk, 1]))
    assert page.status_code == 200
    assert "<mark" not in page.content.decode()


SLIDERS = {"output1-da": "70", "output2-da": "31"}


@pytest.mark.parametrize(
    "change",
    [{"output1-da": value} for value in ("", "-1", "101", "50.5", "nan", "1e999", "x")]
    + [{"output2-da": ""}],
)
def test_contrastive_bad_values(change):
    test_set = factory.make_test_set(factory.make_user("owner"))
    campaign = factory.make_campaign(test_set, preset="contrastive-da")
    client, _item = pair(campaign)
    response = answer(client, campaign, SLIDERS | change)
    assert response.status_code == 400
    assert list(response.context["form"].errors) == list(change)
    assert not Rating.objects.exists()


def test_contrastive_stores_both_sliders():
    test_set = factory.make_test_set(factory.make_user("owner"))
    campaign = factory.make_campaign(test_set, preset="contrastive-da")
    client, item = pair(campaign)
    answer(client, campaign, SLIDERS)
    shown = item.shown.order_by("position").values_list("output", flat=True)
    assert list(Rating.objects.order_by("pk").values_list("output", "value")) == [
        (shown[0], 70),
        (shown[1], 31),
    ]
    page = client.get(reverse("judge-item", args=[campaign.pk, 1])).content.decode()
    assert '<mark class="differs">' in page


def test_a_screen_of_contrastive_assessment_holds_two():
    assert PRESETS["contrastive-da"].options["fewest_per_item"] == 2
