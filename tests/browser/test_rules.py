"""The page of hierarchical rules in a browser: the lecture's networks, and the user's own rules."""

import pytest
from playwright.sync_api import expect

from .test_results import SIZES, complaints

pytestmark = pytest.mark.proof

__all__ = ["complaints"]  # a fixture


@pytest.mark.parametrize(("size", "theme"), [("narrow", "dark"), ("wide", "light")])
def test_rules_become_networks_and_a_translation(page, site, complaints, axe, size, theme):
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=theme)
    page.goto(f"{site}/transducers/rules/")
    best = page.locator("#best tbody tr")
    expect(best.first).to_contain_text("F1 F4 F3")
    page.get_by_role("link", name="Networks with one and two gaps").click()
    expect(page.get_by_role("heading", name="T[1,3]")).to_be_visible()
    expect(page.get_by_role("img", name="The networks, expanded")).to_be_visible()
    expect(best).to_have_count(4)
    page.get_by_role("link", name="ne X1 pas, le X2 X1").click()
    expect(best.first).to_contain_text("John does not find the black cat")
    axe(page)
    page.get_by_text("Change the example").click()
    page.get_by_label("Sentence", exact=True).fill("Jean ne trouve pas")
    page.get_by_role("button", name="Translate").click()
    expect(best.first).to_contain_text("John does not find")
    expect(page.locator("#chart")).to_contain_text("X1 = Jean, X2 = trouve")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    page.get_by_text("Change the example").click()
    page.get_by_role("textbox", name="Rules").fill("Jean John")
    page.get_by_role("button", name="Translate").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 1: A rule has one arrow")
    assert complaints == []
