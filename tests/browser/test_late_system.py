"""A system that comes late, from its file to the estimates: what its owner does, in a browser."""

import numpy as np
import pytest
from django.core.cache import caches
from playwright.sync_api import Page, expect

from judgments.models import Item, Task
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from tests import factory

from .judging import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
QUALITY = {"System-A": 70, "System-B": 60, "late": 66}


def judge_all(campaign, people, shift):
    """Everybody gives what systems deserve, and so many points more."""
    rng = np.random.default_rng(1)
    for place, task in enumerate(Task.objects.filter(campaign=campaign, n_judged=0)):
        if task.annotator is None:
            factory.seat(task, people[place % len(people)])
        for item in Item.objects.filter(task=task).order_by("position"):
            item.task = task
            names = item.shown.order_by("position").values_list("output__system__name", flat=True)
            factory.judge(item, {"da": [QUALITY[n] + shift + rng.normal(0, 4) for n in names]})


def test_a_late_system_is_judged_and_compared(page: Page, site: str, axe):
    caches["results"].clear()
    owner = factory.make_user("owner", is_staff=True)
    people = [factory.make_user(f"annotator-{n}") for n in range(4)]
    test_set = factory.make_test_set(owner, n_segments=24, n_systems=2, n_documents=8)
    campaign = factory.make_campaign(
        test_set, preset="direct-assessment", owner=owner, annotators=people
    )
    design.plan(campaign, PlanSettings(batch_items=16))
    judge_all(campaign, people[:2], 0)
    sign_in(page, site, owner)

    page.goto(f"{site}/testsets/{test_set.pk}/")
    page.get_by_text("Systems and references").click()
    page.get_by_role("link", name="Add late systems").click()
    lines = "".join(f"A late text, number {n}\n" for n in range(24)).encode()
    file = {"name": "late.txt", "mimeType": "text/plain", "buffer": lines}
    page.get_by_label("System outputs").set_input_files(file)
    expect(page.get_by_text("do not judge the new systems automatically")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Add the systems").click()
    expect(page.get_by_text("Added 1 system with 24 outputs.")).to_be_visible()

    page.goto(f"{site}/campaigns/{campaign.pk}/design/")
    page.get_by_role("link", name="Add a wave").click()
    expect(page.get_by_label("late")).to_be_checked()
    page.get_by_label("annotator-2").check()
    page.get_by_label("annotator-3").check()
    page.get_by_role("button", name="Show cost and time").click()
    expect(page.get_by_role("status")).to_contain_text("Wave 2:")
    expect(page.get_by_label("annotator-3")).to_be_checked()
    axe(page)
    page.get_by_role("button", name="Add the wave").click()
    expect(page.get_by_role("region", name="Table: waves")).to_contain_text("late")
    axe(page)
    given = campaign.tasks.filter(wave=2).values_list("annotator", flat=True)
    assert set(given) == {people[2].pk, people[3].pk}

    judge_all(campaign, people[2:], -15)
    page.goto(f"{site}/campaigns/{campaign.pk}/scores/")
    expect(page.get_by_text("The judgments are from 2 waves").first).to_be_visible()
    page.goto(f"{site}/campaigns/{campaign.pk}/scores/?method=mixed")
    expect(page.get_by_text("They account for 2 waves").first).to_be_visible()
    rows = page.locator("table").first.locator("tbody tr th")
    expect(rows.first).to_contain_text("System-A")
    assert [name.strip() for name in rows.all_text_contents()] == ["System-A", "late", "System-B"]
    axe(page)


def test_batches_for_somebody(page: Page, site: str, axe):
    owner = factory.make_user("owner", is_staff=True)
    person = factory.make_user("annotator-1")
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=[person])
    for batch in (1, 2):
        factory.make_task(campaign, batch=batch)
    sign_in(page, site, owner)
    page.goto(f"{site}/campaigns/{campaign.pk}/design/")
    page.get_by_role("link", name="Assign batches to an annotator").click()
    page.get_by_label("Batches", exact=True).fill("2")
    expect(page.get_by_role("heading", name="Batches for an annotator")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Assign the batches").click()
    expect(page.get_by_text("Batches given to annotator-1: 2.")).to_be_visible()
    assert campaign.tasks.filter(annotator=person, leased_until=None).count() == 2


def test_an_output_without_segments_is_seen_before_it_is_stored(page: Page, site: str, axe):
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner, n_segments=12, n_systems=1, n_documents=2)
    sign_in(page, site, owner)
    page.goto(f"{site}/testsets/{test_set.pk}/systems/new/")
    words = " ".join(f"Source text number {n} stands there." for n in range(1, 13))
    file = {"name": "heard.txt", "mimeType": "text/plain", "buffer": words.encode()}
    page.get_by_label("System outputs").set_input_files(file)
    page.get_by_label("Lines of the plain text files").select_option("ref")
    page.get_by_role("button", name="Add the systems").click()
    expect(page.get_by_role("heading", name="Assignment to segments")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="Source text number 7 stands there.")
    expect(row.get_by_role("rowheader")).to_have_text("7")
    axe(page)
    page.get_by_role("button", name="Add what is shown").click()
    expect(page.get_by_text("Added 1 system with 12 outputs.")).to_be_visible()
