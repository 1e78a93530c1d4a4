"""Tables of results that are sorted and keep their heads; pages of an archive, from the disk."""

import io
import json

import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from judgments.exchange.demo import loading
from judgments.models import Campaign, Role
from tests import seeds

from .judging import SIZES, comes_true, sign_in
from .test_every_page import FAULTS

HEADS = """(table) => [...table.tHead.rows[0].cells].map(
  (c) => [c.offsetWidth, c.offsetHeight])"""
COLUMN = """([table, place]) => [...table.tBodies[0].rows].map(
  (row) => row.cells[place].dataset.value)"""


@pytest.fixture
def rated(transactional_db):
    seeds.take("campaigns", loading.load)
    return Campaign.objects.get(protocol="rating")


def owner_of(campaign):
    return campaign.memberships.filter(role=Role.OWNER).first().user


def column(table, place):
    found = table.evaluate(f"(table) => ({COLUMN})([table, {place}])")
    return [float(value) for value in found if value is not None]


@pytest.mark.parametrize("size", SIZES)
def test_a_head_sorts_by_keyboard(page, site, rated, size, axe):
    page.set_viewport_size(SIZES[size])
    sign_in(page, site, owner_of(rated))
    page.goto(f"{site}/campaigns/{rated.pk}/scores/")
    table = page.locator("table.sortable:visible").first
    heads, first = table.evaluate(HEADS), column(table, 1)
    head = table.locator("thead th").nth(1)
    head.get_by_role("button").focus()
    for order, reverse in (("descending", True), ("ascending", False), ("descending", True)):
        page.keyboard.press("Enter")
        expect(head).to_have_attribute("aria-sort", order)
        assert column(table, 1) == sorted(first, reverse=reverse)
        assert table.evaluate(HEADS) == heads, "nothing jumps"
        expect(head.get_by_role("button")).to_be_focused()
    table.locator("thead th").first.get_by_role("button").click()
    names = table.locator("tbody th").all_inner_texts()
    assert names == sorted(names) and len(names) > 2
    expect(table.locator("[aria-sort]")).to_have_count(1)
    axe(page)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_a_long_table_keeps_its_heads(page, site, rated, size):
    """And what the keyboard comes to is not under them."""
    page.set_viewport_size(SIZES[size])
    sign_in(page, site, owner_of(rated))
    page.goto(f"{site}/campaigns/{rated.pk}/scores/")
    page.evaluate(
        """() => {
      const body = document.querySelector("table.sortable").tBodies[0];
      while (body.rows.length < 45) body.append(body.rows[0].cloneNode(true));
    }"""
    )
    box = page.locator(".scroll:has(table.sortable)").first
    room = box.evaluate("(box) => [box.clientHeight, box.scrollHeight, window.innerHeight]")
    assert room[0] < room[1] and room[0] <= 0.8 * room[2] + 1
    box.evaluate("(box) => { box.scrollTop = 400; box.scrollLeft = 60; }")
    head = box.locator("thead th").nth(1).bounding_box()
    assert abs(head["y"] - box.bounding_box()["y"]) < 2
    covering = """([x, y]) => document.elementFromPoint(x, y).closest("th, td").tagName"""
    box.scroll_into_view_if_needed()
    head = box.locator("thead th").nth(1).bounding_box()
    at = [head["x"] + head["width"] / 2, head["y"] + head["height"] / 2]
    assert page.evaluate(f"({covering})({json.dumps(at)})") == "TH", "rows go under the heads"
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]


@pytest.mark.proof
def test_tables_that_come_later_are_sorted_too(page, site, rated):
    sign_in(page, site, owner_of(rated))
    page.goto(f"{site}/campaigns/{rated.pk}/scores/")
    page.locator("details.filters summary").click()
    with page.expect_response(lambda answer: "/scores/?" in answer.url):
        page.locator("#filter-submit").click()
    comes_true(page, "document.querySelectorAll('table.sortable .sort').length > 2")
    page.locator("table.sortable .sort").nth(1).click()
    expect(page.locator("table.sortable [aria-sort]")).to_have_count(1)


@pytest.mark.proof
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_of_the_api(page, site, rated, axe, theme):
    page.emulate_media(color_scheme=theme)
    sign_in(page, site, owner_of(rated))
    for size in SIZES.values():
        page.set_viewport_size(size)
        page.goto(f"{site}/api/")
        assert page.evaluate(FAULTS) == []
        axe(page)


@pytest.mark.proof
def test_an_archive_opens_from_the_disk(page, rated, tmp_path, axe):
    """Without a server, and requesting only its own files."""
    folder = tmp_path / "archive"
    call_command("archive", rated.pk, to=folder, stdout=io.StringIO())
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    for name in ("index", "pages/scores", "pages/agreement", "segments/index"):
        page.goto((folder / f"{name}.html").as_uri())
        for size in SIZES.values():
            page.set_viewport_size(size)
            assert page.evaluate(FAULTS) == [], name
    page.locator("tbody a").first.click()
    page.wait_for_url("**/segment-*.html")
    assert page.evaluate(FAULTS) == []
    segment = page.url
    page.goto((folder / "pages/scores.html").as_uri())
    drawn = "[...document.images].every((i) => i.complete && i.naturalWidth > 100)"
    for i in range(page.locator("figure img").count()):
        page.locator("figure img").nth(i).scroll_into_view_if_needed()
    comes_true(page, drawn)
    page.locator("table.sortable .sort").nth(1).click()
    expect(page.locator("table.sortable [aria-sort]")).to_have_count(1)
    assert {url.partition(":")[0] for url in asked} <= {"file", "data"}
    assert complaints == []
    for address in (page.url, segment, (folder / "index.html").as_uri()):
        page.goto(address)
        axe(page)  # which asks for the style sheets itself
