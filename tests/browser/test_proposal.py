"""The cheap design in a browser: proposed without asking, and taken by one button."""

import re

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Campaign, RegisteredPlan, Task
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
