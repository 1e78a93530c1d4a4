"""Every page of those who judge by Tab alone: each control is reached, forwards and backwards, and
what has the focus is seen to have it."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from tests.gates.addresses import converters_of

from .judging import SIZES, sign_in
from .test_every_page import FOR_ANNOTATORS, arguments, campaigns, patterns, quiet

__all__ = ["campaigns"]  # a fixture
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

BESIDE = {"home", "reading-settings", "own-keys", "judge-note", "account", "accessibility", "trial"}

# What Tab should come to: of radio buttons of one name only one.
CONTROLS = """() => {
  const all = [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, audio[controls], [tabindex]")];
  const groups = new Set();
  return all.filter((node) => {
    if (node.disabled || node.tabIndex < 0 || node.type === "hidden") return false;
    if (!node.checkVisibility({ visibilityProperty: true })) return false;
    if (node.type !== "radio") return true;
    const isNew = !groups.has(node.name);
    groups.add(node.name);
    return isNew;
  });
}"""
START = """() => {
  const controls = window.controlsOf = CONTROLS;
  const label = (node) => node.closest("label");
  const look = (node) => [node, label(node), node.parentElement].filter(Boolean)
    .flatMap((each) => [getComputedStyle(each), getComputedStyle(each, "::after")])
    .map((s) => [s.outlineStyle, s.outlineWidth, s.outlineColor, s.boxShadow, s.borderColor,
      s.backgroundColor, s.insetInlineStart].join(" ")).join(" | ");
  const before = new Map(controls().map((node) => [node, look(node)]));
  const seen = new Set();
  const keyOf = (node) => (node.type === "radio" ? `radio ${node.name}` : node);
  const name = (node) => node.outerHTML.slice(0, 120);
  const place = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round).join(" ");
  };
  // Whether a part of it is in the window with nothing above it.
  const isInSight = (node) => {
    const boxes = [node, label(node)].filter(Boolean).flatMap((each) => [...each.getClientRects()]);
    return boxes.some((box) => {
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      if (right <= left || bottom <= top) return false;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return node.contains(hit) || Boolean(label(node)?.contains(hit));
    });
  };
  window.tabbed = async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const node = document.activeElement;
    if (node?.tagName === "IFRAME") {
      seen.add(node); // and what is in it
      return { isOut: false, faults: [] };
    }
    if (!node || node === document.body || seen.has(keyOf(node))) return { isOut: true };
    seen.add(keyOf(node));
    const faults = [];
    if (before.get(node) === look(node)) faults.push(`looks the same: ${name(node)}`);
    if (!isInSight(node)) faults.push(`is out of sight: ${name(node)} ${place(node)}`);
    return { isOut: false, faults, first: node.className };
  };
  window.missed = () => controls().filter((node) => !seen.has(keyOf(node))).map(name);
}""".replace("CONTROLS", CONTROLS)


def walked(page: Page, key: str) -> list[str]:
    """What is wrong on the way through an open page by one key."""
    page.evaluate(START)
    faults: list[str] = []
    most = page.evaluate("controlsOf().length") + 100  # some come with the focus
    for number in range(most):
        page.keyboard.press(key)
        step = page.evaluate("tabbed()")
        if step["isOut"]:
            break
        faults += step["faults"]
        if key == "Tab" and number == 0 and "skip-link" not in step.get("first", ""):
            faults.append("the first is no link that skips")
    else:
        faults.append(f"no end after {most} times {key}")
    return faults + [f"not reached by {key}: {each}" for each in page.evaluate("missed()")]


def faults_of(page: Page, site: str, names: set[str]) -> Iterator[str]:
    """Of one page of each name that is there; of screens, of one of every preset."""
    for pattern in patterns():
        if pattern.name not in names:
            continue
        n_walked = 0
        for values in arguments(pattern.name, list(converters_of(pattern.name))):
            address = site + reverse(pattern.name, kwargs=values)
            response = page.goto(address)
            if not response or response.status != 200 or page.url != address:
                continue
            for key in ("Tab", "Shift+Tab"):
                expect(page.locator("main [aria-busy=true]")).to_have_count(0)  # a script fills it
                yield from (f"{address}: {fault}" for fault in walked(page, key))
                page.goto(address)
            n_walked += 1
            if pattern.name != "judge-item":
                break
        if not n_walked:
            yield f"{pattern.name}: no page"


@pytest.mark.parametrize("size", SIZES)
def test_every_control_is_reached(browser: Browser, site: str, campaigns, size):
    faults: list[str] = []
    context = browser.new_context(viewport=SIZES[size])
    page = quiet(context.new_page())
    sign_in(page, site, campaigns["annotator"])
    faults += faults_of(page, site, FOR_ANNOTATORS | BESIDE)
    context.close()
    assert not faults, "\n".join(faults)


def test_a_link_skips_what_is_above(page: Page, site: str):
    """To the texts, which stay as they are."""
    page.goto(site + reverse("trial-item", args=[1]))
    page.evaluate("window.stageBefore = document.getElementById('stage')")
    for key in ("4", "Tab", "Enter", "Tab"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert page.evaluate("document.getElementById('main').contains(document.activeElement)")
    assert page.evaluate("document.getElementById('stage') === stageBefore")
