"""Number of keys to mark a word of a long paragraph, from the beginning of the text.

    python benchmarks/marking_keys.py [FOLDER] [--paragraphs 3]

FOLDER contains system, line, text (outputs.*.tsv.gz); the longest outputs of different lines are
judged. Without it the paragraph is generated: 431 words by the law of Zipf and Mandelbrot. Chromium
shows each on the ESA screen, 1440 × 900, and every tenth word is marked, in three ways:

- arrows: the fewest presses of ← → ↑ ↓ Home End that lead to the word, found by search;
- sentences: the same with Ctrl and an arrow, with the site's sentence boundaries;
- letters: f, letters of the word until its place shows a key, that key (or Enter);

and one key for the severity. "Best" is the least of the three. Prints median, the 95th percentile
and maximum of each (inf: a word that occurs too often for each of its places to show a key), and
the share with at most five.
"""

import argparse
import csv
import gzip
import math
import os
import statistics
import sys
import tempfile
from pathlib import Path
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, make_server

from databases import database_in

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
FEWEST = """async (wanted) => {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const { SpanText } = await import(loaded.find((name) => name.includes("/span-texts.")));
  // Fewest presses from the beginning of the text to each unit, without and with sentences.
  const text = new SpanText("target", document.querySelector("#probe"),
    document.querySelector("#probe").dataset.text, { focused() {}, tapped() {}, chosen() {} });
  text.draw([]);
  const boxes = text.units.map((unit) => text.boxes(unit)[0]);
  text.boxes = ({ start }) => [boxes[text.units.findIndex((unit) => unit.start === start)]];
  const arrows = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End"];
  const search = (isBySentence) => {
    const keys = new Map([[-1, 0]]);
    for (const from of keys.keys()) {
      const steps = arrows.map((key) => () => text.move(key, false));
      for (const key of isBySentence ? ["ArrowRight", "ArrowLeft"] : [])
        steps.push(() => text.moveBySentence(key, false));
      for (const step of steps) {
        text.anchor = text.cursor = from;
        step();
        if (!keys.has(text.cursor)) keys.set(text.cursor, keys.get(from) + 1);
      }
    }
    return wanted.map((unit) => keys.get(unit) + 1);
  };
  const found = { arrows: search(false), sentences: search(true) };
  text.leave();
  return found;
}"""
PROBE = """async () => {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const { SpanText } = await import(loaded.find((name) => name.includes("/span-texts.")));
  const shown = document.querySelector(".output .segment-text");
  const probe = shown.cloneNode(false);
  probe.id = "probe";
  probe.dataset.text = JSON.parse(shown.closest("[data-config]").dataset.config).texts.target;
  shown.before(probe);
  const text = new SpanText("target", probe, probe.dataset.text, {});
  text.leave();
  return text.units.map(({ start, end }) => [start, probe.dataset.text.slice(start, end)]);
}"""
LABEL = """(start) => {
  const text = document.querySelector(".output .segment-text.span-text:not(#probe)");
  let before = 0;
  for (const piece of text.querySelectorAll(".piece")) {
    if (before === start && piece.classList.contains("is-hit"))
      return piece.dataset.label || (piece.classList.contains("is-picked") ? "Enter" : "");
    before += piece.textContent.length;
  }
  return "";
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--paragraphs", type=int, default=3)
    arguments = parser.parse_args()
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with (
        tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder,
        database_in(Path(folder)),
    ):
        import django

        django.setup()
        measure(texts_of(arguments.folder, arguments.paragraphs))


def texts_of(folder: Path | None, n_texts: int) -> list[str]:
    return longest(folder, n_texts) if folder else [made_up()]


def made_up() -> str:
    from tests.browser.test_marking import paragraph

    return " ".join(paragraph(431))


def longest(folder: Path, n_texts: int) -> list[str]:
    """Return the longest outputs, one for each line."""
    found: dict[str, str] = {}
    for path in folder.glob("outputs.*.tsv.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if len(row["text"]) > len(found.get(row["line"], "")):
                    found[row["line"]] = row["text"]
    return sorted(found.values(), key=len)[-n_texts:]


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments) -> None:
        pass


def measure(texts: list[str]) -> None:
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import ARGUMENTS, find_or_install

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
    Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_or_install(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        address = new_work(page, site, texts)
        for number, text in enumerate(texts, 1):
            page.goto(f"{address}{number}/")
            page.locator(".is-current").wait_for()
            show(text, *counted(page))
        browser.close()
    server.shutdown()


def new_work(page, site: str, texts: list[str]) -> str:
    """Return the URL of the items of a campaign with the texts, for a signed-in page."""
    from tests import factory
    from tests.browser.judging import sign_in
    from tests.browser.test_spans import campaign_of

    annotator = factory.make_user("annotator")
    work = campaign_of(annotator, "esa", texts)
    sign_in(page, site, annotator)
    return f"{site}/judge/{work.pk}/"


def counted(page) -> tuple[list[str], dict[str, list[float]]]:
    """Return every tenth unit (and the 148th), and for each way the keys to mark it."""
    units = page.evaluate(PROBE)
    wanted = sorted({*range(9, len(units), 10), *([147] if len(units) > 147 else [])})
    keys = page.evaluate(FEWEST, wanted)
    page.evaluate("document.querySelector('#probe').remove()")
    page.locator(".output .segment-text").focus()
    keys["letters"] = [letters(page, *units[i]) for i in wanted]
    keys["best"] = [min(each) for each in zip(*keys.values(), strict=True)]
    return [f"{i + 1}" for i in wanted], keys


def letters(page, start: int, word: str) -> float:
    """Return how many keys mark a word by its letters, or inf; the search is closed again."""
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    for n_letters, letter in enumerate(word, 1):
        page.keyboard.insert_text(letter)
        if page.evaluate(LABEL, start):
            page.keyboard.press("Escape")
            return 1 + n_letters + 1 + 1
    page.keyboard.press("Escape")
    return math.inf


def show(text: str, numbers: list[str], keys: dict[str, list[float]]) -> None:
    print(f"{len(text.split())} words, {len(text):,} characters, {len(numbers)} of them marked")
    for way, counts in keys.items():
        ranked = sorted(counts)
        few = sum(count <= 5 for count in counts) / len(counts)
        word148 = counts[numbers.index("148")] if "148" in numbers else "–"
        print(
            f"  {way:<10} median {statistics.median(counts):>4}, 95th "
            f"{ranked[int(0.95 * (len(ranked) - 1))]:>3}, most {ranked[-1]:>3}; at most five "
            f"{few:.0%}; word 148: {word148}"
        )


if __name__ == "__main__":
    main()
