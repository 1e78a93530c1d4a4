"""Time of the researcher's pages on WMT23 English–German as released.

    python benchmarks/desk_pages.py SHARED/data

The files of SHARED/data/10_as_released/wmt23.en-de.tar.gz are imported as on the page Import: 14
systems, 45 metrics, MQM and DA+SQM. Each page is requested in this process with an empty cache
(cold), and again (warm, the best of three): seconds from the request to the last byte. Uses a
separate PostgreSQL. The exit status says whether every page met its limits.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from databases import database_in
from metric_pages import clear, timed

COLD, WARM = 2.0, 0.5
# Under a campaign's URL, and under its test set's.
PAGES = {
    "Overview": "",
    "Scores": "scores/",
    "Scores, one domain": "scores/?domain=news",
    "Agreement": "agreement/",
    "Quality": "quality/",
    "Errors": "errors/",
    "Errors of one kind": "errors/?error_severity=major",
    "Segments": "segments/",
    "By disagreement": "segments/?sort=disagreement",
    "Evaluators": "evaluators/",
    "Domains": "domains/",
    "Two systems": "compare/",
    "Two campaigns": "compare/campaigns/",
    "Learning curve": "learning-curve/",
    "Metrics": "correlation/",
    "Power": "power/",
    "Report": "report/",
    "Exports": "exports/",
}
OF_TEST_SET = {
    "Scores of metrics": "metrics/",
    "References": "metrics/references/",
}


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
    from django.urls import Resolver404, resolve

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.SESSION_COOKIE_SECURE = False
    settings.SECURE_SSL_REDIRECT = False
    campaigns, owner = imported_campaigns()
    client = Client()
    client.force_login(owner)
    met = []
    for campaign in campaigns:
        print(f"\n{campaign.name}")
        base = f"/campaigns/{campaign.pk}/"
        pages = {name: base + path for name, path in PAGES.items()}
        segment = campaign.test_set.segments.order_by("position")[3]
        pages["One segment"] = f"{base}segments/{segment.pk}/"
        pages |= {name: f"/testsets/{campaign.test_set_id}/{p}" for name, p in OF_TEST_SET.items()}
        for name, path in pages.items():
            try:
                resolve(path.partition("?")[0])
            except Resolver404:
                print(f"{name:22} is not there")
                continue
            if client.get(path).status_code != 200:
                print(f"{name:22} has nothing to show")
                continue
            clear()
            met.append(timed(client, name, path, COLD, WARM, None))
    return all(met)


def imported_campaigns():
    """Return the campaigns of the release, with the scores of its metrics, and their owner."""
    from tests.releases import bring
    from tests.shared import shared_data

    written = bring([shared_data("10_as_released", "wmt23.en-de.tar.gz")])
    campaigns = [campaign for campaign, _ in written.campaigns]
    return campaigns, campaigns[0].test_set.owner


if __name__ == "__main__":
    main()
