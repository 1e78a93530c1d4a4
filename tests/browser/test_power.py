"""The Power page in a browser: charts, tables and the planner, narrow and wide, light and dark."""

import pytest

from .test_results import SIZES, complaints, demo, draw_all, sign_in

pytestmark = pytest.mark.proof

__all__ = ["complaints", "demo"]  # fixtures


@pytest.mark.parametrize(("size", "theme"), [("narrow", "dark"), ("wide", "light")])
def test_page_and_planner(page, site, demo, complaints, axe, size, theme):
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=theme)
    sign_in(page, site)
    page.goto(f"{site}/campaigns/{demo['pairwise']}/power/")
    assert page.locator(".lead").count() >= 1
    page.goto(f"{site}/campaigns/{demo['rating']}/power/")
    draw_all(page)
    page.get_by_text("How many items it takes").click()
    page.fill("[name=sd]", "20")
    page.fill("[name=effect]", "3")
    page.fill("[name=systems]", "4")
    page.fill("[name=looks]", "5")
    page.get_by_role("button", name="Calculate").click()
    page.get_by_text("When to look, and when to stop").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    page.locator("details summary").first.click()
    draw_all(page)
    axe(page)
    assert complaints == []
