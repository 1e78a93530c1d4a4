"""The cheap design in a browser: proposed without asking, and taken by one button; and a pilot."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from judgments.models import Campaign, ItemOutput, RegisteredPlan, Task
from tests import factory
from tests.judgments.plans.test_proposal import upload_scores

from .judging import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_proposal_becomes_the_plan(page: Page, site: str, axe):
    owner = factory.make_user("owner", is_staff=True)
    texts = factory.make_test_set(owner, n_segments=150, n_documents=25)
    upload_scores(texts, "COMET-22")
    campaign = factory.make_campaign(texts, preset="mqm", owner=owner, status="draft")
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/design/")
    proposal = page.get_by_role("form", name="Proposal")
    expect(proposal).to_contain_text(re.compile(r"Judge \d+ of 150 segments"))
    expect(proposal).to_contain_text("with COMET-22 as controls")
    n = int(re.search(r"Judge (\d+) of", proposal.inner_text())[1])
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        axe(page)
    proposal.get_by_role("button", name="Fill in the settings").click()
    expect(page.locator("#price")).to_contain_text(f"{150 - n} segments: they were not drawn")
    page.get_by_role("button", name="Make the plan").click()
    expect(page.get_by_text("The work is planned.")).to_be_visible()
    assert Campaign.objects.get().plan["segments"] == n
    assert Task.objects.exists()
    [control] = RegisteredPlan.objects.get().controls
    assert "COMET-22" in control["signature"]


def test_a_pilot_then_the_rest(page: Page, site: str, axe):
    """Thirty segments by one button; once they are judged, what all of it takes, and the rest."""
    owner = factory.make_user("owner", is_staff=True)
    annotator = factory.make_user("annotator")
    texts = factory.make_test_set(owner, n_segments=90, n_documents=30, n_systems=4)
    campaign = factory.make_campaign(
        texts, preset="esa", owner=owner, annotators=[annotator], status="draft"
    )
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/design/")
    page.get_by_role("link", name="A pilot", exact=True).click()
    expect(page.locator("#price")).to_contain_text("60 segments: they were not drawn")
    page.get_by_role("button", name="Make the plan").click()
    expect(page.get_by_text("The work is planned.")).to_be_visible()
    rng = np.random.default_rng(5)
    for task in campaign.tasks.order_by("batch"):
        factory.seat(task, annotator)
        for item in task.items.filter(is_judged=False):
            factory.judge(item, {"esa": rng.integers(0, 101, item.shown.count()).tolist()})
    page.reload()
    page.get_by_role("link", name="Add a wave").click()
    expect(page.get_by_text("With all segments of the test set")).to_be_visible()
    page.get_by_text("How this is computed").click()
    expect(page.get_by_text("adjusted by 30 segments of this campaign")).to_be_visible()
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        axe(page)
    expect(page.get_by_label("Further segments")).to_have_value("60")
    page.get_by_role("button", name="Show cost and time").click()
    expect(page.get_by_role("status").filter(has_text="Wave 2:")).to_be_visible()
    page.get_by_role("button", name="Add the wave").click()
    expect(page.get_by_text("as wave 2")).to_be_visible()
    shown = ItemOutput.objects.filter(item__task__campaign=campaign, item__kind="regular")
    assert shown.values("output__segment").distinct().count() == 90
