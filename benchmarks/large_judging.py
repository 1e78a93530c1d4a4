"""Whether judging, planning and importing stay fast next to a campaign of five million judgments.

    python benchmarks/large_judging.py [--judgments 5000000] [--repeats 3] [--design paired]
                                       [--plans FILE]

In a throw-away PostgreSQL there are two campaigns with a judged batch of a hundred items of direct
assessment. The batch of the large one is multiplied by SQL (`large_site.py`): 50,000 batches of 500
annotators. The acts of annotators and managers (`large_work.py`) are done in the large campaign
before, as `few`, and after: in the `large` one, and in the small one `beside` it.

Prints for each the blocks of 8 kB that its statements touch, by EXPLAIN (ANALYZE, BUFFERS), and the
processor time of this process and of its PostgreSQL process together, in milliseconds, the median
of the repeats. --plans: writes every statement whose blocks grew, with its plan.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

KINDS = ("few", "large", "beside")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--judgments", type=int, default=5_000_000)
    parser.add_argument("--repeats", type=int, default=3, choices=(1, 2, 3))
    parser.add_argument("--design", default="paired", choices=("paired", "latin-square"))
    parser.add_argument("--plans", type=Path)
    arguments = parser.parse_args()
    from tests.throw_away import throw_away

    with throw_away() as cluster:
        os.environ |= {
            "DATABASE_URL": cluster.url(),
            "SECRET_KEY": "benchmark",
            "RATE_LIMITS": "0",
            "ALLOWED_HOSTS": "testserver",
            "MTEVAL_VAR": tempfile.mkdtemp(prefix="mteval-bench-", dir="/tmp"),
            "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        found = measured(arguments)
    print_table(found)
    if arguments.plans:
        write_plans(found, arguments.plans)


def measured(arguments) -> dict:
    """Return {kind: (milliseconds by step, statements by step)}."""
    from large_site import BATCH, make, multiply

    large = make("large", design=arguments.design)
    small = make("small", design=arguments.design, n_annotators=5)
    look_at_tables()
    found = {"few": measure(large, arguments.repeats)}
    started = time.perf_counter()
    multiply(large, arguments.judgments // BATCH)
    look_at_tables()
    seconds = time.perf_counter() - started
    print(f"{arguments.judgments:,} judgments stored in {seconds:.0f} s", flush=True)
    found["large"] = measure(large, arguments.repeats)
    found["beside"] = measure(small, arguments.repeats)
    return found


def look_at_tables() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def measure(judged, repeats: int):
    """Measure once with EXPLAIN, which also warms everything up, and then by the clock."""
    from large_work import all_steps
    from statement_blocks import explained

    statements: dict[str, list] = {}
    times: dict[str, list[float]] = {}
    for name, step in all_steps(judged):
        with explained() as found:
            tried(step)
        statements[name] = found.statements
    for _ in range(repeats):
        for name, step in all_steps(judged):
            started = spent()
            tried(step)
            times.setdefault(name, []).append(1000 * (spent() - started))
    return {name: statistics.median(each) for name, each in times.items()}, statements


def tried(step) -> None:
    """Run a step. A page that takes too long is refused, which is a finding."""
    from mteval_site.deadline import TooSlow

    try:
        step()
    except TooSlow:
        print("A page was refused: it took too long.", flush=True)


def spent() -> float:
    """Return the processor seconds of this process and of its PostgreSQL process (Linux)."""
    from django.db import connection

    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    nanoseconds = int(Path(f"/proc/{backend}/schedstat").read_text().split()[0])
    return time.process_time() + nanoseconds / 1e9


def print_table(found) -> None:
    head = [f"{kind}, {unit}" for unit in ("blocks", "ms") for kind in KINDS]
    print(f"{'':28}" + "".join(f"{each:>15}" for each in head))
    for name in found["few"][0]:
        blocks = [sum(each.blocks for each in found[kind][1][name]) for kind in KINDS]
        ms = [found[kind][0][name] for kind in KINDS]
        figures = [f"{n:15,}" for n in blocks] + [f"{t:15.1f}" for t in ms]
        print(f"{name:28}" + "".join(figures))


def write_plans(found, path: Path) -> None:
    """Write statements whose blocks grew, the worst first; a step's statements have the same
    positions before and after."""
    from statement_blocks import in_short

    rows = []
    for kind in KINDS[1:]:
        for name, statements in found[kind][1].items():
            before = found["few"][1][name]
            for place, each in enumerate(statements):
                was = before[place].blocks if place < len(before) else 0
                rows.append((each.blocks - was, kind, name, was, each))
    rows.sort(key=lambda row: -row[0])
    path.write_text(
        "\n\n".join(
            f"{name}, {kind}: {was:,} → {each.blocks:,} blocks\n{each.sql[:1500]}\n"
            f"{in_short(each.plan)}"
            for grown, kind, name, was, each in rows
            if grown > 8
        )
    )


if __name__ == "__main__":
    main()
