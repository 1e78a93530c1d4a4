"""Systems that race, in a browser: what it costs, the first wave, the next, and what it says."""

import os

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from judgments.plans.design import plan
from judgments.plans.settings import PlanSettings
from tests import factory

from .judging import SIZES, sign_in

pytestmark = pytest.mark.django_db(transaction=True)
LEVELS = (80, 79, 50, 40, 30)


def look(page: Page, name: str) -> None:
    if folder := os.environ.get("LOOK"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def judge(campaign, annotator):
    """Whatever waits, with scores about the systems' levels."""
    rng = np.random.default_rng(1)
    for task in campaign.tasks.filter(is_unfinished=True):
        factory.seat(task, annotator)
        for item in task.items.all():
            systems = item.shown.order_by("position").values_list("output__system__name")
            at = ["ABCDE".index(name[-1]) for (name,) in systems]
            factory.judge(item, {"esa": [LEVELS[i] + int(rng.integers(-9, 10)) for i in at]})
            item.task.refresh_from_db()


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_race_from_its_price_to_its_scores(page: Page, site: str, axe, size):
    page.set_viewport_size(SIZES[size])
    owner, annotator = factory.make_user("owner"), factory.make_user("annotator")
    test_set = factory.make_test_set(owner, n_segments=48, n_systems=5, n_documents=24)
    campaign = factory.make_campaign(
        test_set, preset="cesa-wmt26", owner=owner, annotators=[annotator], status="draft"
    )
    sign_in(page, site, owner)
    address = f"{site}/campaigns/{campaign.pk}"
    page.goto(f"{address}/design/")
    price = page.locator("#price")
    expect(price).to_contain_text("3 of 5 systems in a block")
    expect(price).to_contain_text("times as many translations")
    look(page, f"price-{size}")
    axe(page)
    page.get_by_label("Some, drawn at random for each block").check()
    expect(price).to_contain_text("All systems in a block")
    page.get_by_label("A race for the top cluster").check()
    expect(price).to_contain_text("3 of 5 systems in a block")
    page.get_by_role("button", name="Make the plan").click()
    expect(page.get_by_role("heading", name="The race: wave 1 of 3")).to_be_visible()
    judge(campaign, annotator)
    page.reload()
    look(page, f"wave-{size}")
    axe(page)
    page.get_by_role("button", name="Plan wave 2").click()
    expect(page.get_by_text("Wave 2 is planned: 2 systems in every block.")).to_be_visible()
    expect(page.get_by_text("The next wave can be planned when this one is judged")).to_be_visible()
    page.goto(f"{address}/scores/")
    section = page.locator("section", has=page.locator("#section-choice-of-systems"))
    expect(section).to_contain_text("Wave 2 of 3 shows 2 of 5 systems in every block")
    expect(section).to_contain_text("This is final after wave 3")
    look(page, f"scores-{size}")
    axe(page)


def test_few_systems_on_scores(page: Page, site: str, axe):
    owner, annotator = factory.make_user("owner"), factory.make_user("annotator")
    test_set = factory.make_test_set(owner, n_segments=48, n_systems=5, n_documents=24)
    campaign = factory.make_campaign(
        test_set, preset="cesa-wmt26", owner=owner, annotators=[annotator]
    )
    plan(campaign, PlanSettings(choice="random"))
    judge(campaign, annotator)
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/scores/")
    section = page.locator("section", has=page.locator("#section-choice-of-systems"))
    expect(section).to_contain_text("two of them meet in one of 3.3 blocks")
    look(page, "few")
    axe(page)
