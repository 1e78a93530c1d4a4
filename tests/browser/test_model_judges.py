"""A manager lets a model judge, from the first click to its results, against a scripted one."""

import json
import re

import pytest
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import Page, expect

from judgments.exchange import demo
from judgments.models import Campaign, Judge, Judgment
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
    page.get_by_label("Price per million input tokens").fill("2.5")
    page.get_by_label("Price per million output tokens").fill("10")
    page.get_by_label("Maximum cost").fill("5")
    axe(page)
    page.get_by_role("button", name="Continue to the price").click()
    expect(page.get_by_text("12 items are left")).to_be_visible()
    page.get_by_text("The first request, as it is sent").click()
    expect(page.get_by_text("Quelltext Nummer 1 steht hier .")).to_be_visible()
    axe(page)
    assert not endpoint.got
    page.get_by_role("button", name="Agree and start judging").click()
    expect(page.get_by_text("Waiting for its turn: 0 of 12 items")).to_be_visible()
    axe(page)
    work_off("judge")
    # Without a reload.
    expect(page.get_by_text("12 answers are stored as judgments")).to_be_visible()
    assert len(endpoint.got) == 12
    judge = Judge.objects.get()
    assert Judgment.objects.filter(campaign=judge.answers).count() == 12
    assert not Judgment.objects.filter(campaign=campaign).exists()
    page.get_by_role("link", name="Its own campaign").click()
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
    page.get_by_label("Maximum cost").fill("5")
    page.get_by_role("button", name="Continue to the price").click()
    page.get_by_role("button", name="Agree and start judging").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled: 0 of 12 items")).to_be_visible()
    work_off("judge")
    assert not endpoint.got
    page.get_by_role("button", name="Agree and continue").click()
    expect(page.get_by_text("Waiting for its turn")).to_be_visible()
    work_off("judge")
    expect(page.get_by_text("12 answers are stored as judgments")).to_be_visible()


def add_by_clicks(page: Page, name: str) -> None:
    """From the overview of a campaign to the price of a judge, and through its run."""
    page.get_by_role("link", name="Models as judges").click()
    page.get_by_role("button", name="Let the texts be sent to models").click()
    page.get_by_role("link", name="Add a judge").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Model", exact=True).fill("stub-1")
    page.get_by_label("Price per million input tokens").fill("2.5")
    page.get_by_label("Price per million output tokens").fill("10")
    page.get_by_label("Maximum cost").fill("50")
    page.get_by_text("Sampling, family and limits").click()
    page.get_by_label("Maximum requests per minute").fill("100000")
    page.get_by_label("Maximum tokens per minute").fill("100000000")
    page.get_by_role("button", name="Continue to the price").click()
    expect(page.get_by_text("At 50.00 EUR it stops")).to_be_visible()
    page.get_by_role("button", name="Agree and start judging").click()
    expect(page.get_by_text("Waiting for its turn")).to_be_visible()
    work_off("judge")
    expect(page.get_by_text("answers are stored as judgments")).to_be_visible()


def into_the_report(page: Page, site: str, campaign: Campaign, name: str) -> None:
    """The estimate from people and the judge, from Scores to the report."""
    page.goto(f"{site}/campaigns/{campaign.pk}/scores/")
    page.get_by_role("link", name="One estimate from people and metrics").click()
    page.get_by_label(name, exact=True).check()
    page.get_by_role("button", name="Estimate").click()
    expect(page.get_by_role("heading", name="People and metrics: quality")).to_be_in_viewport()
    page.get_by_role("link", name="Report with this estimate").click()
    page.locator("summary", has_text="Scores and ranks").click()
    expect(page.get_by_text("People and metrics: quality").first).to_be_visible()


def test_on_the_demo_to_what_it_is_worth_and_the_report(page: Page, site, axe, endpoint):
    """People judged all of its segments there, so a judge adds nothing: the report says so."""
    demo.load()
    campaign = Campaign.objects.of_people().get(preset="esa")
    sign_in(page, site, campaign.memberships.get(role="owner").user)
    page.goto(f"{site}/campaigns/{campaign.pk}/")
    add_by_clicks(page, "Stub")
    page.get_by_role("link", name="What it is worth").click()
    expect(page.get_by_role("heading", name="What Stub is worth")).to_be_visible()
    axe(page)
    into_the_report(page, site, campaign, "Stub")
    expect(page.get_by_text("so that Stub can add nothing").first).to_be_visible()


JUDGED = re.compile(
    r"Translation 1 \(English\):\nSource text number (\d+)(?: stands wrong)?((?: here)+)"
)


def score_of(number: int, system: int) -> float:
    """What the person and the model of the test below give, alike."""
    return (90.0 - number % 5, 50.0 + number % 7, 40.0 + number % 7)[system]


def as_the_person(body, number):
    said = JUDGED.search(body["messages"][-1]["content"])
    segment, system = int(said[1]), said[2].count("here") - 1
    mark = {"quote": "number", "before": "", "after": "", "side": "target", "severity": "minor"}
    return json.dumps(
        {"translation_1_spans": [mark], "translation_1_esa": score_of(segment, system)}
    )


def test_with_enough_documents_it_saves_judgments(page: Page, site, endpoint):
    """A model that says what the person says explains all, and half of the segments were judged by
    the person: the variance is half of the person's alone, and so the intervals are 1 - √½ = 29 %
    narrower."""
    endpoint.script = as_the_person
    owner, person = factory.make_user("owner", is_staff=True), factory.make_user("ann")
    texts = factory.make_test_set(owner, n_segments=60, n_documents=30)
    campaign = factory.make_campaign(texts, preset="esa", owner=owner, annotators=[person])
    for item in factory.make_task(campaign, person).items.order_by("position")[:30]:
        number = int(item.segment.key)
        factory.judge(item, {"esa": [score_of(number, system) for system in range(3)]})
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/")
    add_by_clicks(page, "Stub")
    into_the_report(page, site, campaign, "Stub")
    found = page.get_by_text("is explained, out of sample").first.inner_text()
    narrower, explained = map(int, re.search(r"are (\d+) %.* (\d+) % is explained", found).groups())
    assert explained == 100
    assert narrower == pytest.approx(29, abs=5)  # the judged half differs a little from the rest
