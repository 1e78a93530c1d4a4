"""Metric scores and their correlation with people, in a real browser with a real worker."""

import os
import re
import threading
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import caches
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django_tasks_db.models import DBTaskResult
from playwright.sync_api import Page, expect

from judgments.models import Campaign, Project, TestSet
from metrics.models import MetricScore, ScoringJob
from metrics.scores import comparisons as comparing
from metrics.scores import tasks as scores_tasks
from metrics.scoring import jobs
from metrics.scoring.choices import parse_metric
from metrics.with_people import tasks as with_people_tasks
from tests import seeds

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = [{"width": 360, "height": 800}, {"width": 1440, "height": 900}]


@pytest.fixture
def manager(page: Page, site: str):
    """The demo is loaded, and its manager signed in."""
    seeds.take("demo", lambda: call_command("load_demo", verbosity=0))
    user = get_user_model().objects.get(username="manager")
    client = Client()
    client.force_login(user)
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": site}])
    problems: list[str] = []
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield user
    assert not problems, problems


def keep_picture(page: Page, name: str) -> None:
    """For people who want to look: set MTEVAL_SCREENSHOTS to a folder."""
    if folder := os.environ.get("MTEVAL_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def look(page: Page, axe, name: str) -> None:
    """At both widths, in light and in dark: nothing wider than the window, no barrier."""
    for size in SIZES:
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.reload()
            page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            for chart in page.locator(".chart").all():
                chart.scroll_into_view_if_needed()
                expect(chart.locator("svg")).to_be_visible()
            page.evaluate("window.scrollTo(0, 0)")
            keep_picture(page, f"{name}-{size['width']}-{scheme}")
            wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert wide <= 0, f"{name} is {wide} px too wide at {size['width']} px"
            axe(page)


@pytest.mark.proof
def test_scores_from_request_to_table(page: Page, site: str, manager):
    test_set = TestSet.objects.get()
    MetricScore.objects.all().delete()
    ScoringJob.objects.all().delete()
    page.goto(f"{site}/testsets/{test_set.pk}/metrics/")
    expect(page.get_by_text("No scores yet")).to_be_visible()
    page.get_by_label("chrF++").uncheck()
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("Waiting for a worker: 0 of 15 scores")).to_be_visible()

    def work():
        jobs.work_on(ScoringJob.objects.get().pk)
        connections.close_all()

    worker = threading.Thread(target=work)
    worker.start()
    # The page notices by itself.
    table = page.get_by_role("region", name="Scores of the systems").get_by_role("table")
    expect(table).to_be_visible(timeout=20_000)
    worker.join()
    expect(page.get_by_text("Done 15 scores")).to_be_visible(timeout=20_000)
    expect(table.get_by_role("columnheader")).to_have_text(
        ["System", re.compile("BLEU"), re.compile("chrF"), re.compile("TER")]
    )
    page.reload()
    expect(page.get_by_text("BLEU|nrefs:2|case:mixed|")).to_be_visible()
    expect(page.get_by_role("button", name="Compute")).to_be_hidden()  # what there is comes first


@pytest.mark.proof
def test_the_table_fills_while_the_reader_keeps_the_place(page: Page, site: str, manager):
    """Another metric is computed while somebody reads: what is open stays open, what has the focus
    keeps it, and intervals come by themselves."""
    test_set = TestSet.objects.get()
    job = jobs.create_job(test_set, [parse_metric("bleu:lowercase=yes")], ["ref"])
    page.set_viewport_size(SIZES[0])
    page.goto(f"{site}/testsets/{test_set.pk}/metrics/")
    table = page.locator("#score-table")
    link = table.get_by_role("link", name="chrF++", exact=True)
    link.focus()
    page.locator("summary", has_text="The numbers as a table").click()
    link.focus()
    table.evaluate("e => e.scrollLeft = 150")

    jobs.work_on(job.pk)
    scores_tasks.enqueue_comparisons(test_set.pk)
    expect(page.get_by_text("BLEU (lowercase)").first).to_be_visible(timeout=20_000)
    expect(page.get_by_text("The differences are being tested …")).to_be_visible(timeout=20_000)
    expect(link).to_be_focused()
    assert table.evaluate("e => e.scrollLeft") == 150
    numbers = page.locator("details", has_text="The numbers as a table")
    assert numbers.evaluate("e => e.open")
    comparing.compute_comparisons(test_set)
    DBTaskResult.objects.all().delete()
    expect(page.get_by_text("The differences are being tested …")).to_have_count(0, timeout=20_000)
    expect(page.locator(".chart svg")).to_be_visible()


@pytest.mark.proof
def test_options_are_shown_of_chosen_metrics_only(page: Page, site: str, manager):
    page.goto(f"{site}/testsets/{TestSet.objects.get().pk}/metrics/")
    page.get_by_text("Choose metrics and their options").click()
    options = page.locator(".metric-options", has_text=re.compile(r"Options of BLEU\b"))
    expect(options).to_be_visible()
    box = page.locator("input[name=metrics][value=bleu]")
    box.uncheck()
    expect(options).to_be_hidden()
    box.check()
    options.locator("summary").click()
    page.locator("#id_bleu-tokenize").select_option("char")
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("BLEU (tokenize char): 0 of")).to_be_visible()


@pytest.mark.proof
def test_the_page_of_one_metric_at_both_widths(page: Page, site: str, axe, manager):
    test_set = TestSet.objects.get()
    page.goto(f"{site}/testsets/{test_set.pk}/metrics/")
    page.get_by_role("link", name=re.compile("in full.*BLEU")).click()
    expect(page.get_by_role("heading", name="Every pair of systems")).to_be_visible()
    look(page, axe, "column")
    page.get_by_role("link", name="By document").click()
    look(page, axe, "documents")


@pytest.mark.proof
def test_from_a_segment_to_its_words(page: Page, site: str, axe, manager):
    page.goto(f"{site}/testsets/{TestSet.objects.get().pk}/metrics/segments/")
    page.get_by_label("Compare with").select_option(index=2)
    page.get_by_role("button", name="Show", exact=True).first.click()
    look(page, axe, "segments-of-two")
    page.get_by_role("link", name=re.compile("^details of segment")).first.click()
    expect(page.get_by_role("heading", name="Edits")).to_be_visible()
    look(page, axe, "diagnostic")


@pytest.mark.proof
def test_the_page_of_references_at_both_widths(page: Page, site: str, axe, manager):
    page.goto(f"{site}/testsets/{TestSet.objects.get().pk}/metrics/references/")
    # What takes longer to count comes by itself.
    expect(page.get_by_role("heading", name="Substitutions by kind")).to_be_visible(timeout=60_000)
    for summary in page.locator("main summary").all():
        if summary.is_visible():  # settings stand without a fold in wide windows
            summary.click()
    look(page, axe, "references")


@pytest.mark.proof
def test_the_page_of_substitutions_at_both_widths(page: Page, site: str, axe, manager):
    page.goto(f"{site}/testsets/{TestSet.objects.get().pk}/metrics/substitutions/")
    look(page, axe, "substitutions")


@pytest.mark.proof
def test_the_pages_about_metrics_at_both_widths(page: Page, site: str, axe, manager):
    page.goto(f"{site}/metrics/")
    look(page, axe, "metric-list")
    page.get_by_role("link", name="BLEU", exact=True).first.click()
    look(page, axe, "metric-bleu")


@pytest.mark.proof
def test_a_job_can_be_cancelled(page: Page, site: str, manager):
    test_set = TestSet.objects.get()
    page.goto(f"{site}/testsets/{test_set.pk}/metrics/")
    page.get_by_text("Choose metrics and their options").click()
    page.get_by_role("button", name="Compute").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Finished scores are kept.")).to_be_visible()
    assert ScoringJob.objects.first().status == "cancelled"
    expect(page.get_by_role("button", name="Resume")).to_be_visible()


@pytest.mark.proof
def test_the_page_of_scores_at_both_widths(page: Page, site: str, axe, manager):
    page.goto(f"{site}/testsets/{TestSet.objects.get().pk}/metrics/")
    look(page, axe, "metrics")


@pytest.mark.proof
def test_the_page_of_segments_at_both_widths(page: Page, site: str, axe, manager):
    page.goto(f"{site}/testsets/{TestSet.objects.get().pk}/metrics/segments/")
    look(page, axe, "segments")


@pytest.mark.proof
@pytest.mark.parametrize("preset", ["adequacy-fluency", "pairwise"])
def test_the_page_of_correlation_at_both_widths(page: Page, site: str, axe, manager, preset):
    campaign = Campaign.objects.get(preset=preset)
    page.goto(f"{site}/campaigns/{campaign.pk}/correlation/")
    expect(page.locator(".lead")).to_contain_text("Pearson r =")
    look(page, axe, f"correlation-{preset}")


@pytest.mark.proof
def test_averages_over_campaigns_are_computed_when_asked_for(page: Page, site: str, axe, manager):
    caches["results"].clear()
    campaign = Campaign.objects.get(preset="adequacy-fluency")
    project = Project.objects.get(slug="demo")
    project.campaigns.set([campaign])
    page.goto(f"{site}/metrics/projects/demo/")
    expect(page.get_by_text(f"Not computed yet: {campaign.name}.")).to_be_visible()
    look(page, axe, "averages-to-compute")
    assert not DBTaskResult.objects.exists()
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("0 of 1 campaign done")).to_be_visible()

    def work():
        with_people_tasks.run_agreement.call(campaign.pk, "page")
        connections.close_all()

    worker = threading.Thread(target=work)
    worker.start()
    # The page notices by itself.
    expect(page.get_by_text("Highest on average:")).to_be_visible(timeout=30_000)
    worker.join()
    expect(page.locator(".chart svg")).to_be_visible()
    look(page, axe, "averages")


@pytest.mark.proof
def test_a_point_leads_to_its_texts(page: Page, site: str, manager):
    campaign = Campaign.objects.get(preset="adequacy-fluency")
    page.set_viewport_size(SIZES[1])
    page.goto(f"{site}/campaigns/{campaign.pk}/correlation/#section-metric-segments")
    chart = page.locator("figure", has_text="over segments").locator(".chart")
    expect(chart.locator("svg")).to_be_visible()
    chart.locator(".mark-symbol path").last.click()
    page.wait_for_url(re.compile(rf"/campaigns/{campaign.pk}/segments/\d+/(\?.*)?#system-\d+$"))
    output = page.url.rpartition("#")[2]
    expect(page.locator(f"#{output}")).to_be_in_viewport()
