"""A researcher's way through released files, from the import to a release that others can check.

The files are those of the WMT23 metrics task (English–German: texts, 45 metrics) and of the ESA
study, whose annotators judged the same texts, as published (shared/data/10_as_released).
"""

import csv
import gzip
import json
import re
from collections import defaultdict
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Page, expect

from judgments.exchange.releases import uploads
from judgments.models import Campaign, Upload
from tests import factory
from tests.shared import shared_data

from .judging import sign_in

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]
STUDY = ("240315rc5ESA.scores.csv.gz", "Annotators_mapping.csv.gz")
NUMBER = re.compile(r"-?[\d.]+(e-?\d+)?")
TIDY = "03_mqm_esa_wmt23_en-de"


def work() -> None:
    """What a worker would do by now."""
    uploads.work(Upload.objects.latest("pk").pk)


def judged_list(path):
    """Which segments of each document were judged, which the study's own batches say and its export
    does not."""
    lines = defaultdict(set)
    with gzip.open(shared_data(TIDY, "appraise.en-de.tsv.gz"), "rt", encoding="utf-8") as rows:
        for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["protocol"] == "ESA-1" and row["line"]:
                lines[row["document_id"].split("#")[0]].add(int(row["line"]) + 1)
    pairs = [f"{name}\t{line}\n" for name, found in lines.items() for line in sorted(found)]
    path.write_text("".join(["document\tsegment\n", *pairs]), "utf-8")
    return path


def press(page: Page, button: str) -> None:
    """Press a button, and do the worker's task that it queues."""
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).click()
    if page.get_by_text("Waiting for a worker.").is_visible():
        work()
        page.reload()


def bring(page: Page, site: str, *files, texts: str = "") -> None:
    """Import files; texts: the name of the test set that their judgments are of."""
    page.goto(f"{site}/import/")
    page.get_by_label(re.compile("^Files")).set_input_files(files)
    press(page, "Check the files")
    if texts:
        page.get_by_label(re.compile("^Which texts are these")).select_option(label=texts)
        press(page, "Check again with these answers")
    expect(page.get_by_role("heading", name="What was found")).to_be_visible()
    press(page, "Import")
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()


def all_rows(client: Client, table: dict) -> list[list]:
    """The rows of a table, which answers hold in parts."""
    rows, url = [], f"{table['url']}{'&' if '?' in table['url'] else '?'}limit=500"
    while url:
        part = json.loads(client.get(url).content)
        rows += part["rows"]
        url = part["next"]
    assert len(rows) == table["count"]
    return rows


def same_figures(page: Page, client: Client, campaign: int, slug: str) -> int:
    """Every number in the tables of a page of results is that of the API's JSON, to the last digit;
    how many there were."""
    query = urlsplit(page.url).query
    answer = client.get(f"/api/campaigns/{campaign}/pages/{slug}/?{query}")
    assert answer.status_code == 200
    known: set[float] = set()
    for section in json.loads(answer.content)["sections"]:
        for table in section["tables"]:
            for row in all_rows(client, table):
                known |= {float(cell) for cell in row if NUMBER.fullmatch(str(cell))}
    cells = "#results table.data-table td[data-value], #results table.figures td[data-value]"
    values = page.locator(cells).evaluate_all("all => all.map((cell) => cell.dataset.value)")
    shown = [float(value) for value in values if NUMBER.fullmatch(value)]
    assert [value for value in shown if value not in known] == []
    return len(shown)


def place_of(address: str) -> tuple[str, str]:
    """The segment and the output that an address leads to, whatever the list is sorted by."""
    return urlsplit(address).path, urlsplit(address).fragment


def import_all(page: Page, site: str, folder: Path) -> Campaign:
    """In, as released."""
    bring(page, site, shared_data("10_as_released", "wmt23.en-de.tar.gz"))
    listed = judged_list(folder / "judged.tsv")
    study = [shared_data("10_as_released", "appraise", name) for name in STUDY]
    bring(page, site, *study, listed, texts="wmt23 en-de")
    campaign = Campaign.objects.latest("pk")
    assert campaign.test_set.name == "wmt23 en-de"
    return campaign


def see_how_long_pages_are(page: Page, at: str) -> None:
    """What is secondary is folded on the longest ones."""
    for name in ("correlation", "compare", "exports"):
        page.goto(f"{at}/{name}/")
        assert page.evaluate("document.documentElement.scrollHeight") <= 3 * 900, name


def see_the_best_metric(page: Page, at: str) -> None:
    page.goto(f"{at}/correlation/")
    table = page.locator("#section-metric-overview table")
    expect(table.locator("tbody tr")).to_have_count(48)  # 45 metrics, and three sentinels


def open_the_farthest_point(page: Page) -> None:
    """An output far from the line of a metric's scatter plot, and what people marked in it."""
    section = page.locator("#section-metric-segments")
    section.locator("summary").click()
    points = section.locator(".chart svg .mark-symbol path")
    expect(points.first).to_be_attached(timeout=30_000)
    links = points.evaluate_all("all => all.map((point) => point.__data__.href)")
    assert len(links) > 1000
    rows = page.locator("#section-metric-farthest tbody tr")
    people = rows.evaluate_all("all => all.map((row) => Number(row.cells[3].dataset.value))")
    far = rows.nth(people.index(min(people))).locator("a").first.get_attribute("href")
    points.nth([place_of(link) for link in links].index(place_of(far))).dispatch_event("click")
    page.wait_for_url(re.compile(r"/segments/\d+/"))
    system = page.locator(f"#{urlsplit(page.url).fragment}")
    expect(system).to_be_in_viewport()
    expect(system).to_contain_text(re.compile("(minor|major)"))  # an error that is missing in it
    expect(page.locator("article mark").first).to_be_visible()  # and those in other outputs


def leave_out(page: Page, at: str, alias: str, domain: str) -> None:
    """The same without one annotator, and in one domain only."""
    page.goto(f"{at}/correlation/")
    before = page.locator("#section-metric-systems .finding").inner_text()
    page.get_by_text("Filter", exact=True).first.click()
    page.select_option("[name=without]", alias)
    page.select_option("[name=domain]", domain)
    page.click("#filter-submit")
    page.wait_for_url(re.compile("without="))  # it is computed first
    line = page.locator("#selection")
    expect(line).to_contain_text("1 annotator is left out")
    expect(line).to_contain_text(f"only documents of the domain {domain}")
    assert page.locator("#section-metric-systems .finding").inner_text() != before
    asked = parse_qs(urlsplit(page.url).query)
    assert (asked["without"], asked["domain"]) == ([alias], [domain])


def take_the_report(page: Page, folder: Path) -> None:
    """As a paper."""
    page.get_by_role("link", name="Report", exact=True).click()
    with page.expect_download() as started:
        page.get_by_role("link", name="PDF").click()
    report = folder / "report.pdf"
    started.value.save_as(report)
    assert report.read_bytes().startswith(b"%PDF-")


def release_and_verify(campaign: Campaign, folder: Path) -> None:
    """As a release that anybody can compute again."""
    packed = folder / "release.zip"
    call_command("release", str(campaign.pk), to=packed, verbosity=0)
    call_command("verify_release", str(packed))


def test_from_the_import_to_the_release(page: Page, site: str, tmp_path, axe):
    manager = factory.make_user("manager", is_staff=True)
    client = Client()
    client.force_login(manager)
    sign_in(page, site, manager)
    page.set_viewport_size({"width": 1440, "height": 900})
    campaign = import_all(page, site, tmp_path)
    at = f"{site}/campaigns/{campaign.pk}"
    see_how_long_pages_are(page, at)
    see_the_best_metric(page, at)
    assert same_figures(page, client, campaign.pk, "metrics") > 48
    axe(page)
    open_the_farthest_point(page)
    axe(page)
    first = campaign.memberships.filter(role="annotator").order_by("alias")[0]
    leave_out(page, at, first.alias, "news")
    assert same_figures(page, client, campaign.pk, "metrics") > 48
    take_the_report(page, tmp_path)
    release_and_verify(campaign, tmp_path)
