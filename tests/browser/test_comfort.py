"""What people set for their eyes: typeface, spacing, contrast, a reminder of breaks."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import ReadingSettings

from .judging import at_item, press, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

STYLE = """() => {
  const { fontFamily, lineHeight, fontSize } =
    getComputedStyle(document.querySelector(".output .segment-text"));
  return [fontFamily.split(",")[0], parseFloat(lineHeight) / parseFloat(fontSize)];
}"""


def open_item(page: Page, site: str, annotator, campaign) -> None:
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)


def test_typeface_and_spacing_are_used(page: Page, site: str, annotator, campaign, axe):
    fonts: list[str] = []
    page.on("requestfinished", lambda request: fonts.append(request.url))
    ReadingSettings.objects.create(
        user=annotator, typeface="legible", line_spacing="wider", contrast="more", theme="dark"
    )
    open_item(page, site, annotator, campaign)
    family, spacing = page.evaluate(STYLE)
    assert family == '"Atkinson Hyperlegible"'
    assert spacing == pytest.approx(2.4, abs=0.01)
    page.evaluate("document.fonts.ready.then(() => null)")
    assert page.evaluate("document.fonts.check('16px \"Atkinson Hyperlegible\"')")
    assert any("atkinson" in url for url in fonts)
    axe(page)


def test_nobody_else_fetches_a_font(page: Page, site: str, annotator, campaign):
    fonts: list[str] = []
    page.on("request", lambda request: fonts.append(request.resource_type))
    open_item(page, site, annotator, campaign)
    assert "font" not in fonts


def test_a_break_is_named_after_twenty_minutes_of_work(page: Page, site: str, annotator, campaign):
    ReadingSettings.objects.create(user=annotator, reminds_of_breaks=True)
    page.clock.install()
    open_item(page, site, annotator, campaign)
    reminder = page.locator("#break")
    for _ in range(19):
        page.clock.fast_forward(60_000)
        page.keyboard.press("j")
    expect(reminder).to_be_hidden()
    page.clock.fast_forward(6 * 60_000)  # a break
    for _ in range(20):
        page.clock.fast_forward(60_000)
        page.keyboard.press("k")
    expect(reminder).to_be_hidden()
    page.clock.fast_forward(60_000)
    press(page, "j")
    expect(reminder).to_be_visible()
    reminder.get_by_role("button").click()
    expect(reminder).to_be_hidden()
