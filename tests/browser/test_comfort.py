"""What people set for their eyes: typeface, spacing, contrast, a reminder of breaks."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import ReadingSettings

from .judging import at_item, press, sign_in
from .test_spans import campaign_of

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


def test_keys_of_ones_own_act_and_are_shown(page: Page, site: str, annotator, axe):
    """The letter that was given up stands for the one that was taken: here that of a mark."""
    campaign = campaign_of(annotator, "esa", marks=["Tone"])
    sign_in(page, site, annotator)
    page.goto(f"{site}/settings/keys/?next=/judge/{campaign.pk}/1/")
    axe(page)
    page.get_by_label("something is missing").fill("x")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".field-error").first).to_contain_text("“x” is already the key for")
    axe(page)
    page.get_by_label("something is missing").fill("g")
    page.get_by_label("find a word").fill("m")
    page.get_by_role("button", name="Save").click()
    at_item(page, 1)
    expect(page.locator("[data-act=missing] kbd")).to_have_text("g")
    expect(page.locator("[data-act=mark] kbd")).to_have_text("f")
    expect(page.locator(".span-find kbd")).to_have_text("m")
    page.keyboard.press("g")
    expect(page.locator(".span-name")).to_contain_text("something is missing")
    page.keyboard.press("f")
    expect(page.locator(".span-name").nth(1)).to_contain_text("Tone")
    page.keyboard.press("m")
    field = page.locator("[data-part=find]")
    expect(field).to_be_focused()
    page.keyboard.type("m")  # what is typed stays as it is
    expect(field).to_have_value("m")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    listed = page.locator("#keys dt", has_text="m").first
    expect(listed).to_have_text("m /")
    page.get_by_role("link", name="Custom keys").click()
    page.get_by_role("button", name="Restore the default keys").click()
    at_item(page, 1)
    expect(page.locator("[data-act=missing] kbd")).to_have_text("m")
    assert ReadingSettings.objects.get().own_keys == ""
