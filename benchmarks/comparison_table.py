"""Effort of reading and judging five long translations, one after the other and in a table.

    python benchmarks/comparison_table.py [--sizes 1440x900 1366x768 360x740 720x450] [--words 436]

Starts a separate site; in Chromium, an item of five translations of 436 words in 24 sentences, each
next to its source and reference, as a ranking and for adequacy and fluency. A reader goes sentence
by sentence with the space bar: through one translation after the other, or through the rows of the
table; and answers each question by its key. Prints for both the height of the page, how far the
page and everything in it was scrolled, in CSS pixels, and the number of pressed keys; and the
ratios of table to list.
"""

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

from served import Site, cookies_of, use_django

SIZES = ["1440x900", "1366x768", "360x740", "720x450"]
PRESETS = {"relative-ranking": ["1", "2", "3", "4", "5"], "adequacy-fluency": ["4"] * 10}
N_OUTPUTS = 5
WATCH = """() => {
  const last = new Map();
  const of = (node) => node === document ? document.scrollingElement : node;
  window.scrolled = 0;
  document.addEventListener("scroll", ({ target }) => {
    const { scrollTop, scrollLeft } = of(target);
    const [top, left] = last.get(target) ?? [0, 0];
    window.scrolled += Math.abs(scrollTop - top) + Math.abs(scrollLeft - left);
    last.set(target, [scrollTop, scrollLeft]);
  }, true);
}"""
FRAMES = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""


@dataclass
class Taken:
    """height, scrolled: CSS pixels."""

    height: int
    scrolled: int
    n_keys: int


def long_item(annotator, preset: str, n_words: int) -> int:
    """Return the campaign of an item with five long translations."""
    from judgments.models import Output, Reference, Segment
    from tests import factory
    from tests.browser.test_comparison import text

    owner = factory.make_user(f"owner-{preset}")
    test_set = factory.make_test_set(
        owner, n_segments=1, n_systems=N_OUTPUTS, source_language="de", target_language="en"
    )
    Segment.objects.filter(test_set=test_set).update(source=text(98, n_words=n_words))
    Reference.objects.filter(segment__test_set=test_set).update(text=text(99, n_words=n_words))
    for number, output in enumerate(Output.objects.filter(system__test_set=test_set)):
        Output.objects.filter(pk=output.pk).update(text=text(number, n_words=n_words))
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner, annotators=[annotator])
    factory.make_task(campaign, annotator)
    return campaign.pk


def judged(page, answers: list[str]) -> Taken:
    """Read to the end and answer; in a list, at the end of each text."""
    is_table = page.locator("#stage.is-table").count() > 0
    page.evaluate(WATCH)
    n_keys = 0
    n_steps = int(page.locator("#sentence-steps span").inner_text().split("/")[1])
    per_text = n_steps if is_table else n_steps // N_OUTPUTS
    waiting = list(answers)
    for step in range(1, n_steps + 1):
        if step % per_text == 0:
            for _ in range(len(answers) // (n_steps // per_text)):
                press(page, waiting.pop(0))
                n_keys += 1
            page.evaluate("document.getElementById('stage').focus({ preventScroll: true })")
        if step < n_steps:
            press(page, " ")
            n_keys += 1
    assert page.locator("#go:not(.is-incomplete)").count(), "an answer is missing"
    return Taken(
        page.evaluate("document.documentElement.scrollHeight"),
        round(page.evaluate("scrolled")),
        n_keys + 1,
    )


def press(page, key: str) -> None:
    page.keyboard.press(key)
    page.evaluate(FRAMES)


def measure(browser, base: str, sizes: list[str], n_words: int) -> None:
    from judgments.models import ReadingSettings
    from tests import factory

    annotator = factory.make_user("reader")
    settings = ReadingSettings.objects.create(user=annotator, sentence_steps="on")
    campaigns = {preset: long_item(annotator, preset, n_words) for preset in PRESETS}
    cookies = [{"name": name, "value": value, "url": base}
               for name, value in cookies_of(annotator).items()]  # fmt: skip
    print(f"{'':28}{'page px':>9}{'scrolled px':>13}{'keys':>6}")
    for size in sizes:
        width, height = map(int, size.split("x"))
        for preset, answers in PRESETS.items():
            found = {}
            for shown in ("list", "table"):
                settings.compared_texts = shown
                settings.save()
                context = browser.new_context(
                    viewport={"width": width, "height": height}, reduced_motion="reduce"
                )
                context.add_cookies(cookies)
                page = context.new_page()
                page.goto(f"{base}/judge/{campaigns[preset]}/")
                page.wait_for_selector("#stage .is-current")
                found[shown] = taken = judged(page, answers)
                print(
                    f"{size:10}{preset:18}{shown:6}"[:28].ljust(34)
                    + f"{taken.height:>7,}{taken.scrolled:>13,}{taken.n_keys:>6}"
                )
                context.close()
            one, other = found["table"], found["list"]
            print(
                f"{'':34}{one.height / other.height:>7.2f}"
                f"{one.scrolled / max(1, other.scrolled):>13.2f}{one.n_keys / other.n_keys:>6.2f}"
            )


def main() -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser import chromium

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sizes", nargs="+", default=SIZES)
    parser.add_argument("--words", type=int, default=436)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder:
        site = Site(Path(folder) / "var", Path(folder) / "log")
        site.start()
        try:
            site.wait()
            use_django(site.environment)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=chromium.find(), args=chromium.ARGUMENTS
                )
                measure(browser, f"http://127.0.0.1:{site.port}", arguments.sizes, arguments.words)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
