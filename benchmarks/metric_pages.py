"""Time of metrics against people on WMT23 English–German: 71 metrics, 12 systems, MQM.

    python benchmarks/metric_pages.py SHARED/data [--folder DIR]

SHARED/data contains 03_mqm_esa_wmt23_en-de (texts and people's scores) and 10_as_released (every
metric's scores of segments and systems, as in mt-metrics-eval); 26 copies of them with noise and
long names make 71, as many as at WMT25. Uses a separate PostgreSQL, and requests pages in this
process, which is as warm as one that serves (`mteval_site/warm_up.py`): seconds from the request to
the last byte, with an empty cache (cold) and again (warm); for files also the maximum growth of the
process's memory. Then campaign.json of half as many and of all metrics: its time has to grow with
its rows. The exit status says whether every limit was met.
"""

import argparse
import os
import resource
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

from databases import database_in

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["OPENBLAS_NUM_THREADS"] = "1"
HIGHEST = 6000
N_METRICS = 71
RELEASED = "10_as_released/wmt23.en-de.tar.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    arguments = parser.parse_args()
    os.environ["MTEVAL_SHARED"] = str(arguments.shared.resolve().parent)
    with (
        tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder,
        database_in(Path(folder)),
    ):
        is_met = measure(Path(folder), arguments.shared)
    sys.exit(0 if is_met else 1)


def measure(home: Path, shared: Path) -> bool:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from mteval_site.warm_up import warm_up

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    settings.ALLOWED_HOSTS = ["testserver", "127.0.0.1"]
    settings.SESSION_COOKIE_SECURE = False
    settings.SECURE_SSL_REDIRECT = False
    campaign, owner = imported(home, shared)
    warm_up()
    client = Client()
    client.force_login(owner)
    base = f"/campaigns/{campaign.pk}"
    met = []
    for name, path, cold, warm, most in (
        ("Metrics page", "/correlation/", 2.0, 0.3, None),
        ("chart of all metrics", "/correlation/charts/metric-overview.svg", None, 0.3, None),
        ("chart of differences", "/correlation/charts/metric-differences.svg", None, 0.3, None),
        ("scatter over systems", "/correlation/charts/metric-systems.svg", None, 0.3, None),
        ("scatter over outputs", "/correlation/charts/metric-segments.svg", None, 0.3, None),
        ("Exports page", "/exports/", None, 0.5, None),
        ("campaign.json", "/exports/campaign.json", 10.0, None, 300),
    ):
        if name == "campaign.json":
            clear()
        met.append(timed(client, name, base + path, cold, warm, most))
    met.append(low_enough(client, f"{base}/correlation/"))
    return all(met) and linear(campaign)


def low_enough(client, path: str) -> bool:
    """Return whether the page is low enough in a browser 1440 pixels wide; its picture is saved in
    /tmp."""
    from threading import Thread
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    from django.core.wsgi import get_wsgi_application
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import ARGUMENTS, find_or_install

    class Quiet(WSGIRequestHandler):
        def log_message(self, *arguments) -> None:
            pass

    server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
    Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    session = client.cookies["sessionid"].value
    cookie: Any = {"name": "sessionid", "value": session, "url": site}
    heights = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_or_install(), args=ARGUMENTS)
        for width in (1440, 360):
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.context.add_cookies([cookie])
            page.goto(site + path)
            for chart in page.locator(".chart:visible").all():
                chart.scroll_into_view_if_needed()
                chart.locator("svg").first.wait_for(timeout=60_000)
            heights.append(page.evaluate("document.documentElement.scrollHeight"))
            page.screenshot(path=f"/tmp/metric-page-{width}.png", full_page=True)
        browser.close()
    server.shutdown()
    ok = heights[0] <= HIGHEST
    print(f"{heights[0]:,} px high at 1440 px (≤ {HIGHEST:,}), {heights[1]:,} px at 360 px")
    return ok


def clear() -> None:
    from django.core.cache import caches

    from judgments.results.observations import observations as observed

    for name in ("default", "results"):
        caches[name].clear()
    observed.forget()


def timed(
    client, name: str, path: str, cold: float | None, warm: float | None, most: int | None
) -> bool:
    """Request it twice; return whether the limits were met."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    first, size = asked(client, path)
    cpu = time.process_time() - started
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    started = time.process_time()
    again = min(asked(client, path)[0] for _ in range(3))
    cpu_again = (time.process_time() - started) / 3
    ok = not (
        (cold is not None and first > cold)
        or (warm is not None and again > warm)
        or (most is not None and grown > most)
    )
    bounds = f"cold ≤ {cold or '–'}, warm ≤ {warm or '–'}, ≤ {most or '–'} MB"
    print(
        f"{name:22} cold {first:7.2f} s (cpu {cpu:6.2f}) "
        f"warm {again:6.3f} s (cpu {cpu_again:5.3f}) {size / 1e6:6.2f} MB  "
        f"+{grown:5.0f} MB  {'pass' if ok else 'FAIL'} ({bounds})",
        flush=True,
    )
    return ok


def asked(client, path: str) -> tuple[float, int]:
    start = time.perf_counter()
    response = client.get(path)
    content = b"".join(response.streaming_content) if response.streaming else response.content
    seconds = time.perf_counter() - start
    if response.status_code != 200:
        raise SystemExit(f"{path}: status {response.status_code}")
    return seconds, len(content)


def linear(campaign) -> bool:
    """Compare the seconds per row of the table of figures, for a part of its rows and for all."""
    from judgments.results.selection.selection import Selection
    from judgments.web.sections import table_objects as records
    from judgments.web.tables import Table
    from metrics.with_people import exports

    table = exports.agreement_table(Selection.of(campaign))
    each = []
    for share in (4, 1):
        part = Table(table.slug, table.title, table.columns, table.rows[::share])
        start = time.perf_counter()
        n = len(records(part))
        each.append((time.perf_counter() - start) / n)
    is_linear = each[1] < 2 * each[0]
    print(f"a row of a quarter of {n:,} rows {each[0] * 1e6:.0f} µs, of all {each[1] * 1e6:.0f} µs")
    return is_linear


def add_copies(test_set) -> None:
    """Copy stored scores with noise and long names, until there are N_METRICS metrics."""
    import numpy as np

    rng = np.random.default_rng(71)
    by_signature: dict[str, list] = {}
    for score in test_set.metric_scores.order_by("signature", "pk"):
        by_signature.setdefault(score.signature, []).append(score)
    for n, (signature, scores) in enumerate(list(by_signature.items())):
        if len(by_signature) + n >= N_METRICS:
            break
        for score in scores:
            name = f"{score.options['name']}-with-noise-for-the-benchmark-{n:02}"
            score.pk, score.options = None, score.options | {"name": name}
            score.signature = f"{name}|{signature}"
            score.segment_signature = f"{name}|{score.segment_signature}"
            values = np.asarray(score.segment_scores)
            noise = rng.normal(0, 0.1 * (np.nanstd(values) or 1), len(values))
            score.segment_data = (values + noise).astype("<f8").tobytes()
        type(scores[0]).objects.bulk_create(scores)


def imported(home: Path, shared: Path):
    """Return the campaign of MQM scores with all metrics of the release, imported from files."""
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    from tests.real.test_wmt23_metrics import import_wmt23
    from tests.real_data import OWNER

    owner, _ = get_user_model().objects.get_or_create(username=OWNER)
    folder = home / "files"
    folder.mkdir()
    campaign = import_wmt23(folder)
    campaign.test_set.metric_scores.all().delete()
    with tarfile.open(shared / RELEASED) as files:
        files.extractall(home / "released", filter="data")
    scores = home / "released/wmt23/metric-scores/en-de"
    paths = [*sorted(scores.glob("*.seg.score")), *sorted(scores.glob("*.sys.score"))]
    call_command(
        *("import_scores", str(campaign.test_set_id), *map(str, paths)),
        *("--higher-is-better", "--skip-unknown"),
        verbosity=0,
    )
    add_copies(campaign.test_set)
    columns = campaign.test_set.metric_scores.order_by().values_list("signature", "references")
    n = len({(signature, *references) for signature, references in columns})
    print(f"{n} metrics")
    return campaign, owner


if __name__ == "__main__":
    main()
