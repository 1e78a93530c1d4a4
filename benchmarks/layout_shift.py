"""Layout movement of a judging screen during rating, in pixels.

    python benchmarks/layout_shift.py [--sizes 1440x900 360x740]

Starts a separate site; in Chromium every screen of *Try judging*, and the protocols with a
paragraph of 400 words in its document. Each is answered by keys until nothing is missing. A key
that answers should not move anything: for each screen this prints the maximum over the keys of how
far the page scrolled, and of how far the answered question and its text moved in the window, in CSS
pixels; and the sum of the browser's own layout shifts (web.dev/cls), including those soon after a
key, which contain what grows below: a list of marked errors, the words of a button.
"""

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from served import Site, cookies_of, use_django

SIZES = ["1440x900", "360x740"]
SOURCE = "The committee met again in the evening. It did not come to any conclusion about it. " * 26
MOST_KEYS = 60

# A key that also opens the next item would leave nothing to measure.
WATCH = """() => {
    delete document.body.dataset.goesOn;
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifts += entry.value;
    }).observe({ type: "layout-shift" });
}"""
# The current question and its text, to be found again after the key. Texts that appear while a
# recording plays scroll within their box ([data-texts]), which has to stay where it is.
REMEMBER = """() => {
    const question = document.querySelector("#stage .question.is-current, #stage .is-current");
    const around = question?.closest("article, .pair-question, fieldset") ?? question;
    const texts = "[data-texts], .segment-text";
    const text = around?.querySelector(texts) ?? document.querySelector(texts);
    window.remembered = [question, text].filter((each) => each?.offsetHeight);
    return [scrollY, ...remembered.map((each) => each.getBoundingClientRect().top)];
}"""
AGAIN = "() => [scrollY, ...remembered.map((each) => each.getBoundingClientRect().top)]"
# Until a requested scroll, which begins with a frame and takes time, has ended.
AT_REST = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let last = -1, still = 0, turn = 0; turn < 60 && still < 3; turn += 1) {
        still = last === scrollY ? still + 1 : 0;
        last = scrollY;
        await frame();
        await frame();
        await new Promise((resolve) => setTimeout(resolve, 30));
    }
}"""
STATE = """() => ({
    widget: document.querySelector("#stage .is-current")?.dataset.widget ?? "radio",
    isMissing: document.getElementById("go").matches(".is-incomplete"),
    isAnswered: Boolean(
        document.querySelector(
            "#stage .is-current input:checked, #stage .is-current.is-set, " +
            "#stage .is-current [aria-pressed=true]",
        ),
    ),
})"""
# Answer keys by widget; a slider and radio buttons are answered by one.
ANSWERS = {
    "radio": ["1"],
    "slider": ["2"],
    "rank": ["1"],
    "open-question": ["Escape", "0"],
    "spans": ["ArrowRight", "1", "Escape", "Delete", "0", "j"],
    "post-edit": ["Escape", "2"],
    "alignment": ["ArrowDown", "ArrowDown", " "],
    "continuous": [" ", "3", "0", " "],
}
TO_ANOTHER_PLACE = {"ArrowRight", "ArrowDown", "j"}  # request a move: to a word, to a question


@dataclass
class Moved:
    """scrolled, moved: the maximum over keys, in pixels. shift: the browser's sum of shifts."""

    scrolled: float = 0.0
    moved: float = 0.0
    shift: float = 0.0
    n_keys: int = 0


def answer_all(page) -> Moved:
    """Answer the open screen by keys, and measure. page: of Playwright, at a screen."""
    found = Moved()
    page.evaluate(WATCH)
    page.wait_for_timeout(100)
    for _ in range(MOST_KEYS):
        state = page.evaluate(STATE)
        if not state["isMissing"] and found.n_keys:
            break
        if state["isAnswered"] or state["widget"] not in ANSWERS:
            page.keyboard.press("Enter")  # go to what is missing
            if page.evaluate(STATE) == state:
                break
            continue
        for key in ANSWERS[state["widget"]]:
            before = page.evaluate(REMEMBER)
            page.keyboard.press(key)
            page.wait_for_timeout(30)
            found.n_keys += 1
            if key in TO_ANOTHER_PLACE:
                page.evaluate(AT_REST)
                continue
            after = page.evaluate(AGAIN)
            found.scrolled = max(found.scrolled, abs(after[0] - before[0]))
            shifts = [abs(b - a) for a, b in zip(before[1:], after[1:], strict=True)]
            found.moved = max([found.moved, *shifts])
    found.shift = page.evaluate("shifts")
    return found


def trial_screens(base: str) -> Iterator[tuple[str, str]]:
    """Yield (name, URL) of every screen of *Try judging*."""
    from django.urls import reverse

    from judgments.judging.trial import presets

    for number, preset in enumerate(presets(), 1):
        yield preset.slug, base + reverse("trial-item", args=[number])


def long_campaigns(annotator) -> Iterator[tuple[str, int]]:
    """Yield (name, campaign) of every preset, with paragraphs of some 400 words."""
    from judgments.models import Output, Question, Segment
    from judgments.protocols import PRESETS, protocol_of
    from tests import factory

    owner = factory.make_user("shift-owner")
    test_set = factory.make_test_set(owner, n_systems=5)
    Segment.objects.filter(test_set=test_set).update(source=SOURCE)
    Output.objects.filter(system__test_set=test_set).update(text=SOURCE)
    for slug, preset in PRESETS.items():
        options = dict(preset.options) | {"context": "document"} | factory.LEFT_OPEN.get(slug, {})
        campaign = factory.make_campaign(
            test_set, preset=slug, owner=owner, annotators=[annotator], options=options,
            name=f"Long {slug}", plan={"equal_once": False},
        )  # fmt: skip
        most = protocol_of(campaign).outputs_per_item()[1]
        factory.make_task(campaign, annotator, n_outputs=most)
        # Only one protocol asks them.
        Question.objects.bulk_create(
            Question(
                campaign=campaign, document=document, position=place, level=1,
                text="Did it come to a conclusion?", choices=choices, right=["no"],
            )
            for document in test_set.documents.all()
            for place, choices in enumerate((["yes", "no"], []))
        )  # fmt: skip
        yield slug, campaign.pk


def main() -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser import chromium

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", nargs="+", default=SIZES)
    sizes = parser.parse_args().sizes
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
                measure(browser, f"http://127.0.0.1:{site.port}", sizes)
        finally:
            site.stop()


def measure(browser, base: str, sizes: list[str]) -> None:
    from tests import factory

    annotator = factory.make_user("shift-annotator")
    screens = list(trial_screens(base))
    screens += [
        (f"{slug}, 400 words", f"{base}/judge/{pk}/") for slug, pk in long_campaigns(annotator)
    ]
    cookies = [{"name": name, "value": value, "url": base}
               for name, value in cookies_of(annotator).items()]  # fmt: skip
    for size in sizes:
        width, height = map(int, size.split("x"))
        context = browser.new_context(viewport={"width": width, "height": height})
        context.add_cookies(cookies)
        page = context.new_page()
        print(f"\n{size:36}{'keys':>6}{'scrolled px':>13}{'moved px':>10}{'shift':>8}")
        for name, address in screens:
            page.goto(address)
            page.wait_for_selector("#stage .is-current")
            found = answer_all(page)
            print(
                f"{name:36}{found.n_keys:6}{found.scrolled:13.0f}{found.moved:10.0f}{found.shift:8.3f}"
            )
        context.close()


if __name__ == "__main__":
    main()
