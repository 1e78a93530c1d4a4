"""A site with ten million judgments in a hundred campaigns, beside a small one.

    python benchmarks/many_campaigns.py [--judgments 10000000] [--keep FOLDER]
                                        [--only pages upkeep partitions deletion] [--repeats 5]
                                        [--names NAME …] [--pages pages.tsv]

A PostgreSQL of its own holds two sites: a small one with a campaign of 10,000 judgments, beside one
campaign of each kind that has pages of its own, and a large one that has all of that and a hundred
campaigns more, a tenth of their judgments in the largest (`hundred_campaigns.py`). --keep leaves
them in a folder for the next time.

pages       every page of every role on both sites by turns (`role_pages.py`)
upkeep      ANALYZE, VACUUM and a backup of the large site, with sizes (`large_upkeep.py`)
partitions  the tables of judgments and ratings beside copies that are partitioned by campaign:
            what pages ask for, an answer, a deletion (`partitions.py`)
deletion    the largest campaign is deleted while somebody answers in another one; with --keep it
            is gone then

The database is made without durability, and then started again with it: `deletion` and `upkeep`
wait for the disk as a site does.
"""

import argparse
import contextlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["OPENBLAS_NUM_THREADS"] = "1"

PARTS = ("pages", "upkeep", "partitions", "deletion")
SMALL_SITE = "small_site"  # the name of its database
PATIENCE = 300.0  # a large database takes its time to stop


@contextlib.contextmanager
def cluster_in(folder: Path, *, durable: bool) -> Iterator[None]:
    """The PostgreSQL of a folder, to which the settings of this process lead."""
    from mteval_site.local.postgres import Cluster
    from tests.throw_away import allow_going_around_triggers

    folder.chmod(0o711)
    cluster = Cluster(folder / "postgres", durable=durable)
    cluster.start()
    try:
        os.environ |= {
            "DATABASE_URL": cluster.url(),
            "MTEVAL_VAR": str(folder),
            "SECRET_KEY": "only-for-the-benchmark",
            "RATE_LIMITS": "0",
            "ALLOWED_HOSTS": "testserver",
            "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        }
        if not durable:
            allow_going_around_triggers(folder / "postgres")
        yield
    finally:
        cluster.stop(PATIENCE)


def make_both(judgments: int) -> None:
    """The small site, a copy of it as a database of its own, and the large site."""
    import django

    django.setup()
    logging.getLogger("mteval.slow").setLevel(logging.ERROR)
    import hundred_campaigns
    from django.core.management import call_command
    from django.db import connection

    from tests.gates.world import World

    call_command("migrate", verbosity=0)
    world = World()
    people = [world.people[role] for role in ("owner", "researcher", "annotator")]
    hundred_campaigns.make_small(*people)
    connection.close()
    copy_database(connection.settings_dict["NAME"], SMALL_SITE)
    began = time.perf_counter()
    hundred_campaigns.make_others(judgments, *people)
    print(f"the hundred campaigns were made in {time.perf_counter() - began:.0f} s", flush=True)


def copy_database(name: str, copy: str) -> None:
    """Within a cluster, while nobody is connected to it."""
    import psycopg2

    url = os.environ["DATABASE_URL"].replace(f"/{name}?", "/postgres?")
    with contextlib.closing(psycopg2.connect(url)) as session, session.cursor() as cursor:
        session.autocommit = True
        cursor.execute(f"CREATE DATABASE {copy} TEMPLATE {name}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--judgments", type=int, default=10_000_000)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--names", nargs="+", help="of addresses: these pages only")
    parser.add_argument("--pages", type=Path, default=Path("pages.tsv"), help="all pages, as TSV")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="mteval-bench-", dir="/tmp"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if not (folder / "made").exists():
            with cluster_in(folder, durable=False):
                make_both(arguments.judgments)
            (folder / "made").touch()
        with cluster_in(folder, durable=True):
            measure(arguments)
    finally:
        if arguments.keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def measure(arguments: argparse.Namespace) -> None:
    import django

    django.setup()
    logging.disable(logging.WARNING)  # slow statements and pages that are not there
    import large_upkeep
    import partitions
    import role_pages
    from django.core.management import call_command
    from django.db import connection

    call_command("collectstatic", interactive=False, verbosity=0)
    if "pages" in arguments.only:
        rows = role_pages.measure(
            SMALL_SITE, connection.settings_dict["NAME"], arguments.repeats, arguments.names
        )
        role_pages.print_rows(rows, arguments.pages)
    if "upkeep" in arguments.only:
        large_upkeep.measure(Path(os.environ["MTEVAL_VAR"]))
    if "partitions" in arguments.only:
        partitions.measure(arguments.repeats)
    if "deletion" in arguments.only:
        large_upkeep.delete_while_others_answer()


if __name__ == "__main__":
    main()
