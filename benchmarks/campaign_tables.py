"""Time of tables of WMT23 English–German as files, as read by notebooks.

    python benchmarks/campaign_tables.py SHARED/data

The files of SHARED/data/10_as_released/wmt23.en-de.tar.gz are imported as on the page Import: MQM
and DA+SQM of 14 systems, 45 metrics. Uses a separate PostgreSQL. Each table is requested in this
process with an empty cache: seconds until its first rows, seconds until its last byte, processor
seconds meanwhile (without the database's), its size, and the maximum growth of the process's
memory. The exit status says whether the observations of each campaign began within 1 second and
were complete within 5.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from databases import database_in
from desk_pages import imported_campaigns
from metric_pages import clear

FIRST, WHOLE = 1.0, 5.0
KINDS = ("csv", "json", "parquet")
TABLES = ("observations", "spans", "segment-scores", "metric-segment-scores")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    arguments = parser.parse_args()
    os.environ["MTEVAL_SHARED"] = str(arguments.shared.resolve().parent)
    with (
        tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder,
        database_in(Path(folder)),
    ):
        is_met = measure()
    sys.exit(0 if is_met else 1)


def measure() -> bool:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.SESSION_COOKIE_SECURE = False
    settings.SECURE_SSL_REDIRECT = False
    campaigns, owner = imported_campaigns()
    client = Client()
    client.force_login(owner)
    met = []
    for campaign in campaigns:
        print(f"\n{campaign.name}")
        base = f"/api/campaigns/{campaign.pk}/tables/"
        known = {table["slug"] for table in client.get(base).json()["tables"]}
        for table in [name for name in TABLES if name in known]:
            for kind in KINDS:
                clear()
                is_met = timed(client, f"{base}{table}.{kind}", table == "observations")
                met.append(is_met)
    return all(met)


def timed(client, path: str, is_bound: bool) -> bool:
    """Request it once; return whether the limits were met, if there are any."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, cpu = time.perf_counter(), time.process_time()
    response = client.get(path)
    if response.status_code != 200:
        raise SystemExit(f"{path}: status {response.status_code}")
    pieces = iter(response.streaming_content)
    size = len(next(pieces))
    first = time.perf_counter() - start
    size += sum(map(len, pieces))
    whole, cpu = time.perf_counter() - start, time.process_time() - cpu
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    is_met = not is_bound or (first <= FIRST and whole <= WHOLE)
    verdict = ("pass" if is_met else "FAIL") if is_bound else ""
    name = path.rpartition("/")[2]
    print(
        f"{name:30} first {first:6.2f} s  whole {whole:6.2f} s (cpu {cpu:5.2f})  "
        f"{size / 1e6:7.2f} MB  +{grown:5.0f} MB  {verdict}",
        flush=True,
    )
    return is_met


if __name__ == "__main__":
    main()
