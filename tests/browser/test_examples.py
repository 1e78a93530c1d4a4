"""A worked example in a browser: the figures follow every change of a word."""

import pytest
from playwright.sync_api import Browser, Page, expect

from metrics.lessons.examples import EXAMPLES

from .judging import SIZES

pytestmark = pytest.mark.django_db(transaction=True)

# Of every shape that a page has: a table of counts, a matrix, errata, many fields, one row.
LOOKED_AT = (
    "clipped-precision/six-times-the",
    "edit-distance/airport-b",
    "bleu/saudi",
    "wins-needed/five-sizes",
    "approximate-randomization/two-systems",
    "back-off/internet-users",
)


def row(page: Page, what: str):
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=what, exact=True))


@pytest.fixture
def problems(page: Page) -> list[str]:
    found: list[str] = []
    page.on("console", lambda m: found.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_figures_follow_while_somebody_types(page: Page, site: str, axe, problems, size):
    page.set_viewport_size(SIZES[size])
    page.goto(f"{site}/")
    page.get_by_role("link", name="worked examples").click()
    page.get_by_role("link", name="Word error rate: the matrix").click()
    expect(row(page, "Word error rate")).to_contain_text("57%")
    expect(row(page, "Word error rate")).to_contain_text("57.14%")
    expect(page.locator("mark")).to_have_count(8)
    output = page.get_by_label("Output", exact=True)
    output.press("Control+End")
    output.press_sequentially(" now")
    # One edit more, and the focus stays where somebody types.
    expect(row(page, "Word error rate")).to_contain_text("71.43%")
    expect(page.get_by_role("columnheader", name="now")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("the printed digits are those")
    expect(output).to_be_focused()
    axe(page)
    # What was typed is in the address, so that it can be passed on.
    page.goto(page.url)
    expect(output).to_have_value("Israeli officials responsibility of airport safety now")
    expect(row(page, "Word error rate")).to_contain_text("71.43%")
    page.get_by_role("link", name="Back to the original values").click()
    expect(row(page, "Word error rate")).to_contain_text("the same")
    assert not problems


@pytest.mark.proof
def test_what_is_wrong_is_said_and_mended_while_somebody_types(page: Page, site: str, problems):
    page.goto(f"{site}/examples/confidence-interval/")
    page.get_by_label("Right").fill("101")
    expect(page.get_by_role("alert")).to_contain_text("101 of 100 sentences cannot be right")
    page.get_by_label("Sentences").fill("200")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(row(page, "Mean")).to_contain_text("0.5050")
    page.get_by_label("Right").fill("20001")
    expect(page.get_by_role("alert")).to_contain_text("less than or equal to 5000")
    assert not problems


def test_an_example_without_scripts(browser: Browser, site: str):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/examples/clipped-precision/")
    page.get_by_label("Output").fill("the the cat")
    page.get_by_role("button", name="Compute").click()
    expect(row(page, "1-grams matched")).to_contain_text("3/3")
    assert "output=the+the+cat" in page.url
    page.get_by_label("References").fill("a\n" * 6)
    page.get_by_role("button", name="Compute").click()
    expect(page.locator("#id_references_error")).to_contain_text("there is room for 5")
    expect(page.locator(".example-rows")).to_have_count(0)
    context.close()


def test_verdicts_lead_to_their_errata(page: Page, site: str):
    page.goto(f"{site}/examples/bleu/saudi/")
    row(page, "BLEU").get_by_role("link", name="no: note 1").click()
    expect(page.locator("#erratum-1")).to_be_in_viewport()
    expect(page.locator("#erratum-1")).to_contain_text("32.3 %")


@pytest.mark.proof
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_at_every_size(page: Page, site: str, axe, problems, scheme):
    page.emulate_media(color_scheme=scheme)
    assert all(each.partition("/")[0] in EXAMPLES for each in LOOKED_AT)
    for path in ("", *(f"{each}/" for each in LOOKED_AT)):
        page.goto(f"{site}/examples/{path}")
        for size in SIZES.values():
            page.set_viewport_size(size)
            wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert wide <= 0, (path, size, wide)
            axe(page)
    assert not problems


def test_right_to_left_words_stand_in_their_own_direction(page: Page, site: str):
    page.goto(f"{site}/examples/edit-distance/?output=שלום עולם&reference=שלום לכולם")
    expect(row(page, "Word error rate")).to_contain_text("50.00%")
    head = page.get_by_role("columnheader", name="עולם")
    assert head.evaluate("e => getComputedStyle(e).direction") == "rtl"
    assert (
        page.get_by_label("Output", exact=True).evaluate("e => getComputedStyle(e).direction")
        == "rtl"
    )
