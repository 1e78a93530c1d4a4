"""Folds of a page: an address opens its own, charts are drawn in them, and paper has none."""

import pytest
from playwright.sync_api import Locator, Page, expect

from judgments.models import Campaign

from .judging import comes_true
from .test_metrics import SIZES, manager  # noqa: F401 (a fixture)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
SEGMENTS = "#section-metric-segments"


@pytest.fixture
def metrics(page: Page, site: str, manager) -> str:  # noqa: F811
    """The address of a page with folds, wide."""
    campaign = Campaign.objects.get(preset="adequacy-fluency")
    page.set_viewport_size(SIZES[1])
    return f"{site}/campaigns/{campaign.pk}/correlation/"


def open_folds(page: Page) -> list[str]:
    return page.locator("details.fold[open]").evaluate_all("all => all.map((fold) => fold.id)")


def width_of(chart: Locator) -> float:
    expect(chart.locator("svg")).to_be_visible()
    box = chart.locator("svg").bounding_box()
    assert box
    return box["width"]


def test_an_address_opens_its_fold(page: Page, metrics: str, axe):
    page.goto(metrics)
    assert open_folds(page) == []
    page.goto(f"{metrics}?{SEGMENTS}")
    fold = page.locator(SEGMENTS)
    expect(fold).to_have_js_property("open", True)
    expect(fold.locator("summary")).to_be_in_viewport()
    expect(fold.locator(".chart svg")).to_be_visible()
    assert open_folds(page) == ["section-metric-segments"]
    axe(page)

    # The reader goes to another place on the page, and to the first again after closing it.
    page.evaluate("location.hash = 'section-metric-differences'")
    expect(page.locator("#section-metric-differences .chart svg")).to_be_visible()
    page.locator("#section-metric-differences > .permalink").focus()
    page.evaluate("document.querySelector('#section-metric-differences').open = false")
    page.evaluate("document.querySelector('#section-metric-differences > .permalink').click()")
    expect(page.locator("#section-metric-differences summary")).to_be_in_viewport()
    assert open_folds(page) == ["section-metric-segments", "section-metric-differences"]
    page.goto(f"{metrics}?grouping=item#%")
    assert open_folds(page) == [], "what is no name of a place opens nothing"


def test_a_file_is_found_in_its_fold_by_keyboard_too(page: Page, site: str, manager, axe):  # noqa: F811
    campaign = Campaign.objects.get(preset="adequacy-fluency")
    page.goto(f"{site}/campaigns/{campaign.pk}/exports/#file-metric-pairs")
    expect(page.locator("#file-metric-pairs")).to_be_in_viewport()
    assert open_folds(page) == ["files-metrics"]
    axe(page)
    page.locator("#files-scores summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")  # the box that scrolls
    page.keyboard.press("Tab")
    expect(page.locator("#files-scores a").first).to_be_focused()


def test_charts_in_a_fold_follow_the_window_and_the_theme(page: Page, metrics: str):
    page.goto(metrics)
    fold = page.locator(SEGMENTS)
    chart = fold.locator(".chart")
    expect(chart.locator("svg")).to_have_count(0)
    below = "document.querySelector('#how-computed').offsetTop"
    opened = page.evaluate(
        f"() => {{ document.querySelector('{SEGMENTS}').open = true; return {below} }}"
    )
    chart.scroll_into_view_if_needed()
    wide = width_of(chart)
    assert wide > 800
    assert abs(page.evaluate(below) - opened) < 5, "its place was kept before it was drawn"

    fold.locator("summary").click()
    point = chart.locator(".mark-symbol path").first
    light = point.get_attribute("fill")
    page.set_viewport_size(SIZES[0])
    page.emulate_media(color_scheme="dark")
    fold.locator("summary").click()
    expect(point).not_to_have_attribute("fill", light or "")
    comes_true(
        page,
        "([at, low, high]) => { const w = document.querySelector(at).getBoundingClientRect().width;"
        " return low < w && w < high }",
        arg=[f"{SEGMENTS} .chart svg", 200, 360],
    )
    page.set_viewport_size(SIZES[1])
    comes_true(
        page,
        "([at, width]) => document.querySelector(at).getBoundingClientRect().width > width",
        arg=[f"{SEGMENTS} .chart svg", wide - 2],
    )


def test_a_filter_leaves_folds_open(page: Page, metrics: str):
    page.goto(f"{metrics}{SEGMENTS}")
    expect(page.locator(f"{SEGMENTS} .chart svg")).to_be_visible()
    page.get_by_text("Filter", exact=True).first.click()
    page.select_option("[name=without]", index=0)
    page.click("#filter-submit")
    expect(page.locator("#selection")).to_contain_text("1 annotator is left out")
    expect(page.locator(SEGMENTS)).to_have_js_property("open", True)
    page.locator(f"{SEGMENTS} .chart").scroll_into_view_if_needed()
    expect(page.locator(f"{SEGMENTS} .chart svg")).to_be_visible()
    assert open_folds(page) == ["section-metric-segments"]


def test_paper_has_no_folds(page: Page, metrics: str):
    page.goto(metrics)
    first = page.locator(".chart").first
    expect(first.locator("svg")).to_be_visible()
    page.evaluate(
        """() => window.addEventListener("beforeprint", () => {
          window.printed = [
            document.querySelectorAll("details:not([open], .filters, .settings-fold)").length,
            document.querySelectorAll(".chart:not(:has(svg))").length,
          ];
        })"""
    )
    pages = page.pdf()
    assert pages.startswith(b"%PDF")
    assert page.evaluate("window.printed") == [0, 0], "folds that are closed, charts not drawn"
    assert page.locator("details[open]").count() == 0
