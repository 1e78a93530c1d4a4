"""Time from the key that submits an answer to the painted next item, on a slow network.

    python benchmarks/next_item.py [--items 60] [--latency 300] [--presets direct-assessment esa]

Starts a separate site with ./run and, for each preset, a campaign of documents of five segments of
80 words, one translation on a screen, the document around it. A Chromium of 1440 × 900 judges item
after item by keyboard, with two seconds of thinking in between; every request of its pages takes
that many milliseconds longer, by Chromium's own network emulation.

Measured is from the time stamp of the key Enter to the first frame after the one in which the next
item is in the page with its first question marked, within a document and across documents. The
frame adds up to 17 ms. Exits with 1 if the 95th percentile of either is above 50 ms.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from served import Site, cookies_of, use_django

MOST_MS = 50.0
EACH = 5  # segments of a document
WORDS = "The committee met again in the evening and did not come to any conclusion . " * 6
THINK = 2.0
# Answer of an item for each preset, before Enter.
KEYS = {
    "direct-assessment": ["7"],
    "da-sqm": ["5"],
    "esa": ["ArrowRight", "1", "j", "2"],
    "adequacy-fluency": ["4", "3"],
}
WATCH = """(() => {
  const key = "benchmark-pressed";
  const stage = () => document.getElementById("stage");
  addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !stage()) return;
    const pressed = [performance.timeOrigin + event.timeStamp, stage().dataset.number];
    sessionStorage.setItem(key, JSON.stringify(pressed));
  }, true);
  const look = () => {
    requestAnimationFrame(look);
    const [at, from] = JSON.parse(sessionStorage.getItem(key) ?? "[0, 0]");
    if (!at || !stage() || stage().dataset.number === from) return;
    if (!document.querySelector(".is-current")) return;
    sessionStorage.removeItem(key);
    requestAnimationFrame(() => {
      window.measured = [Number(from), performance.timeOrigin + performance.now() - at];
    });
  };
  requestAnimationFrame(look);
})();"""


def main() -> int:
    options = parsed()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        site = Site(Path(folder) / "var", Path(folder) / "log")
        site.start()
        try:
            site.wait()
            use_django(site.environment)
            return judged(site, options)
        finally:
            site.stop()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--items", type=int, default=60, help="of each preset")
    parser.add_argument("--latency", type=int, default=300, help="milliseconds of a request")
    presets = ["direct-assessment", "esa"]
    parser.add_argument("--presets", nargs="+", default=presets, choices=sorted(KEYS))
    return parser.parse_args()


def judged(site: Site, options: argparse.Namespace) -> int:
    from playwright.sync_api import sync_playwright

    slow = False
    print(f"key to painted next item, {options.latency} ms of network\n")
    print(f"{'preset':<20}{'next item':<18}{'n':>5}{'p50 ms':>9}{'p95 ms':>9}{'most ms':>9}")
    with sync_playwright() as playwright:
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for preset in options.presets:
            campaign, cookies = campaign_of(preset, options.items)
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            address = f"http://127.0.0.1:{site.port}"
            context.add_cookies(
                [{"name": name, "value": value, "url": address} for name, value in cookies.items()]
            )
            times = times_of(context, f"{address}/judge/{campaign.pk}/", preset, options)
            context.close()
            for where, found in times.items():
                slow |= said(preset, where, found) > MOST_MS
            check(campaign, options.items)
        browser.close()
    return int(slow)


def campaign_of(preset: str, n_items: int):
    """Return a campaign with one annotator who has one task; and that annotator's cookies."""
    from judgments.models import Output, Segment
    from judgments.people.members.members import new_guest
    from tests import factory

    owner = factory.make_user(f"owner-{preset}")
    annotator = new_guest()
    test_set = factory.make_test_set(
        owner, n_segments=n_items, n_systems=1, n_documents=-(-n_items // EACH), name=preset
    )
    Segment.objects.filter(test_set=test_set).update(source=WORDS)
    Output.objects.filter(segment__test_set=test_set).update(text=WORDS)
    options = {"context": "document", "show_source": True, "outputs_per_item": 1}
    campaign = factory.make_campaign(
        test_set, preset=preset, owner=owner, annotators=[annotator], name=preset
    )
    campaign.options |= options
    campaign.save()
    factory.make_task(campaign, annotator, n_outputs=1)
    return campaign, cookies_of(annotator)


def times_of(context, address: str, preset: str, options) -> dict[str, list[float]]:
    """Return milliseconds, by the place of the next item."""
    page = context.new_page()
    page.add_init_script(WATCH)
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    conditions = {"offline": False, "latency": options.latency}
    unlimited = {"downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", conditions | unlimited)
    page.goto(address)
    times: dict[str, list[float]] = {"of the document": [], "of another one": []}
    for number in range(1, options.items):
        page.wait_for_selector(f"#stage[data-number='{number}']")
        page.wait_for_selector(".is-current")
        page.wait_for_timeout(1000 * THINK)
        for key in [*KEYS[preset], "Enter"]:
            page.keyboard.press(key)
        where = "of another one" if number % EACH == 0 else "of the document"
        times[where].append(measured(page, number))
    page.keyboard.press("Escape")
    page.wait_for_timeout(1000 + 3 * options.latency)  # background requests arrive
    return times


def measured(page, number: int) -> float:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            found = page.evaluate("window.measured ?? null")
        except Exception:  # noqa: BLE001  in the middle of a page that loads
            found = None
        if found and found[0] == number:
            return found[1]
        page.wait_for_timeout(20)
    sys.exit(f"The item after {number} did not come: {page.url}")


def said(preset: str, where: str, found: list[float]) -> float:
    """Print the line of a preset; return its 95th percentile."""
    ordered = sorted(found)
    p50, p95 = (ordered[min(len(ordered) - 1, int(len(ordered) * q))] for q in (0.5, 0.95))
    print(f"{preset:<20}{where:<18}{len(found):>5}{p50:>9.0f}{p95:>9.0f}{ordered[-1]:>9.0f}")
    return p95


def check(campaign, n_items: int) -> None:
    from judgments.models import Judgment

    n_stored = Judgment.objects.filter(campaign=campaign).count()
    if n_stored != n_items - 1:
        sys.exit(f"{n_items - 1} answers were given, {n_stored} are stored.")


if __name__ == "__main__":
    sys.exit(main())
