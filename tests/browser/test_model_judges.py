"""A manager lets a model judge, from the first click to its results, against a scripted one."""

import json

import pytest
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import Page, expect

from judgments.models import Judge, Judgment
from tests import factory, model_endpoint

from .judging import sign_in

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]


def script(body, number):
    """Errors in texts that are longer, and a score that goes with them."""
    text = body["messages"][-1]["content"]
    mark = {"quote": "here", "before": "", "after": "", "side": "target", "severity": "minor"}
    has_errors = "stands wrong" in text
    errors = [mark] if has_errors else []
    return json.dumps(
        {"translation_1_spans": errors, "translation_1_esa": 60 if has_errors else 90}
    )


@pytest.fixture
def endpoint():
    with model_endpoint.serving(script) as found:
        lists = {"local": found.address}
        with override_settings(JUDGE_ENDPOINTS=lists, JUDGE_KEYS={"local": model_endpoint.KEY}):
            yield found


def work_off(queue: str) -> None:
    call_command("db_worker", queue_name=queue, batch=True, interval=0.01, startup_delay=False)


def test_a_judge_from_the_first_click_to_its_scores(page: Page, site, axe, endpoint):
    owner = factory.make_user("owner", is_staff=True)
    campaign = factory.make_campaign(
        factory.make_test_set(owner), preset="esa", name="News", owner=owner
    )
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/")
    page.get_by_role("link", name="Models as judges").click()
    expect(page.get_by_role("heading", name="Models as judges")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Let the texts be sent to models").click()
    expect(page.get_by_text("may be sent to the endpoints")).to_be_visible()
    page.get_by_role("link", name="Add a judge").click()
    page.get_by_label("Name").fill("Stub")
    page.get_by_label("Model", exact=True).fill("stub-1")
    page.get_by_label("Price of a million tokens read").fill("2.5")
    page.get_by_label("Price of a million tokens written").fill("10")
    page.get_by_label("What it may cost at most").fill("5")
    axe(page)
    page.get_by_role("button", name="Go on to the price").click()
    expect(page.get_by_text("12 items are left")).to_be_visible()
    page.get_by_text("The first request, as it is sent").click()
    expect(page.get_by_text("Quelltext Nummer 1 steht hier .")).to_be_visible()
    axe(page)
    assert not endpoint.got
    page.get_by_role("button", name="Agree, and let it judge").click()
    expect(page.get_by_text("Waiting for its turn: 0 of 12 items")).to_be_visible()
    axe(page)
    work_off("judge")
    # Without a reload.
    expect(page.get_by_text("12 answers are stored as judgments")).to_be_visible()
    assert len(endpoint.got) == 12
    judge = Judge.objects.get()
    assert Judgment.objects.filter(campaign=judge.answers).count() == 12
    assert not Judgment.objects.filter(campaign=campaign).exists()
    page.get_by_role("link", name="their own campaign").click()
    expect(page.get_by_text("Judged by a model.")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Errors").click()
    expect(page.get_by_text("Judged by a model.")).to_be_visible()


def test_cancel_and_go_on(page: Page, site, endpoint):
    owner = factory.make_user("owner", is_staff=True)
    campaign = factory.make_campaign(factory.make_test_set(owner), preset="esa", owner=owner)
    campaign.test_set.may_leave = True
    campaign.test_set.save()
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/judges/new/")
    page.get_by_label("Name").fill("Stub")
    page.get_by_label("Model", exact=True).fill("stub-1")
    page.get_by_label("What it may cost at most").fill("5")
    page.get_by_role("button", name="Go on to the price").click()
    page.get_by_role("button", name="Agree, and let it judge").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled: 0 of 12 items")).to_be_visible()
    work_off("judge")
    assert not endpoint.got
    page.get_by_role("button", name="Agree, and go on").click()
    expect(page.get_by_text("Waiting for its turn")).to_be_visible()
    work_off("judge")
    expect(page.get_by_text("12 answers are stored as judgments")).to_be_visible()
