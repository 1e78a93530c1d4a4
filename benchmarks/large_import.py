"""Processor time of an import of 100,000 judgments, in a throw-away database.

    python -m benchmarks.large_import [JUDGMENTS]

Direct assessment by a hundred annotators of ten systems. Prints the seconds of this process and of
its PostgreSQL process.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from tests.throw_away import throw_away

N_ANNOTATORS, N_SYSTEMS = 100, 10


def main(n: int) -> None:
    with throw_away() as cluster:
        os.environ |= {"DATABASE_URL": cluster.url(), "SECRET_KEY": "benchmark"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "mteval_site.settings"
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        own, server = measure(n)
    print(f"{n:,} judgments: {own:.1f} s of Python, {server:.1f} s of PostgreSQL")


def measure(n: int) -> tuple[float, float]:
    """Return the processor seconds of this process and of its PostgreSQL process (Linux)."""
    from judgments.exchange.judgments.importer import import_judgments
    from tests import factory

    from .plan import texts

    owner = factory.make_user("owner")
    n_segments = n // N_SYSTEMS
    campaign = factory.make_campaign(
        texts(owner, n_segments), preset="direct-assessment", owner=owner
    )
    with tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder:
        file = Path(folder) / "judgments.tsv"
        rows = (
            f"annotator {i * N_ANNOTATORS // n}\t{i // N_SYSTEMS}\tsystem {i % N_SYSTEMS}\tda\t50\n"
            for i in range(n)
        )
        file.write_text("annotator\tsegment\tsystem\tdimension\tvalue\n" + "".join(rows))
        before = spent()
        assert import_judgments(campaign, file).judgments == n
        own, server = (now - then for now, then in zip(spent(), before, strict=True))
    return own, server


def spent() -> tuple[float, float]:
    from django.db import connection

    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    nanoseconds = int(Path(f"/proc/{backend}/schedstat").read_text().split()[0])
    return time.process_time(), nanoseconds / 1e9


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
