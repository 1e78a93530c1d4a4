"""A baseline system in a real browser: from the button to a ranking that says that it is last."""

import threading

import pytest
from django.contrib.auth import get_user_model
from django.db import connections
from playwright.sync_api import Page, expect

from judgments.models import Campaign, System, Task, TestSet
from metrics.lessons.baseline_jobs import work
from metrics.models import BaselineJob
from tests import factory

from .test_metrics import look, manager

__all__ = ["manager"]

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]


def test_from_the_button_to_the_ranking(page: Page, site: str, axe, manager):
    test_set = TestSet.objects.get()
    page.goto(f"{site}/testsets/{test_set.pk}/")
    page.get_by_role("link", name="Add a baseline system").click()
    page.get_by_label("Name").fill("Weak one")
    page.get_by_role("button", name="Add the system").click()
    expect(page.get_by_text("Weak one is waiting for a worker")).to_be_visible()

    def run():
        work.work_on(BaselineJob.objects.get().pk)
        connections.close_all()

    worker = threading.Thread(target=run)
    worker.start()
    # The page notices by itself.
    expect(page.get_by_text("Weak one was added with 30 outputs")).to_be_visible(timeout=30_000)
    worker.join()
    look(page, axe, "baseline")
    page.get_by_role("link", name="Read them").click()
    page.get_by_text("Systems and references").click()
    line = page.locator("#systems li").filter(has_text="Weak one")
    expect(line).to_contain_text("statistical, control system of known weakness")

    # A campaign that is planned from now on judges it.
    campaign = factory.make_campaign(test_set, owner=manager, name="Later", status="draft")
    page.goto(f"{site}/campaigns/{campaign.pk}/design/")
    expect(page.get_by_label("Weak one", exact=True)).to_be_checked()
    Campaign.objects.filter(pk=campaign.pk).update(status="open")
    campaign.refresh_from_db()
    annotator = get_user_model().objects.get(username="annotator")
    judge_all(factory.make_task(campaign, annotator))
    page.goto(f"{site}/campaigns/{campaign.pk}/scores/")
    lead = page.get_by_text("Baseline and Weak one, control systems of known weakness, are last")
    expect(lead.first).to_be_visible()


def judge_all(task: Task) -> None:
    """The systems and the hidden reference in the order of quality, the new one below all."""
    quality = {"Baseline": 2.0, "Harbor": 5.0, "Lantern": 4.0, "Meadow": 3.0, "Pebble": 3.0}
    quality["ref"] = 5.0
    names = list(System.objects.order_by("name").values_list("name", flat=True))
    values = [quality.get(name, 1.0) for name in names]
    for item in task.items.all():
        factory.judge(item, {"adequacy": values, "fluency": values})
