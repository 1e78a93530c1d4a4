"""Time and memory of a large plan: 100,000 items for 500 annotators.

    python -m benchmarks.plan [--items 100000] [--batches 500] [--preset direct-assessment]

Ten systems on as many segments as needed for the items, in documents of ten; blocks of three, one
repeat, one reference and one degraded copy in ten items. In a throw-away database.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time

N_SYSTEMS, LENGTH = 10, 10


def texts(owner, n_segments: int):
    """Return a test set of random words, with one reference."""
    import numpy as np

    from judgments.files.copying import analyze, copy_rows, new_ids
    from judgments.models import Document, Output, Reference, Segment, System, TestSet

    rng = np.random.default_rng(1)
    words = [f"word{n}" for n in range(5000)]

    def text() -> str:
        return " ".join(words[i] for i in rng.integers(5000, size=int(rng.integers(5, 40))))

    test_set = TestSet.objects.create(
        name="Large", owner=owner, source_language="de", target_language="en"
    )
    documents = Document.objects.bulk_create(
        Document(test_set=test_set, name=f"document {d}", position=d)
        for d in range(-(-n_segments // LENGTH))
    )
    systems = System.objects.bulk_create(
        System(test_set=test_set, name=f"system {s}") for s in range(N_SYSTEMS)
    )
    segments = new_ids(Segment, n_segments)
    copy_rows(
        Segment,
        ("id", "test_set", "document", "key", "position", "source"),
        (
            (pk, test_set.pk, documents[i // LENGTH].pk, str(i), i, text())
            for i, pk in enumerate(segments)
        ),
    )
    copy_rows(Reference, ("segment", "name", "text"), ((pk, "ref", text()) for pk in segments))
    copy_rows(
        Output,
        ("segment", "system", "text"),
        ((pk, system.pk, text()) for pk in segments for system in systems),
    )
    analyze(Segment, Output, Reference)
    return test_set


def timed(work):
    start, cpu = time.perf_counter(), time.process_time()
    found = work()
    return found, time.perf_counter() - start, time.process_time() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--batches", type=int, default=500)
    parser.add_argument("--preset", default="direct-assessment")
    options = parser.parse_args()
    from tests.throw_away import throw_away

    with throw_away() as cluster:
        os.environ |= {
            "DATABASE_URL": cluster.url(),
            "SECRET_KEY": "benchmark",
            "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        measure(options)


def measure(options) -> None:
    from judgments.plans import design
    from judgments.plans.settings import PlanSettings
    from judgments.protocols import PRESETS
    from tests import factory

    owner = factory.make_user("owner")
    shown = int(PRESETS[options.preset].options["outputs_per_item"])
    screens = -(-N_SYSTEMS // shown)
    n_segments = round(options.items * 0.7 / screens)
    test_set = texts(owner, n_segments)
    campaign = factory.make_campaign(test_set, preset=options.preset, owner=owner)
    settings = PlanSettings(
        block_length=3,
        batch_items=-(-options.items // options.batches),
        repeats=1,
        references=1,
        degraded=1,
        design="paired",
    )
    before = peak()
    seen, preview_s, _ = timed(lambda: design.preview(campaign, settings))
    tasks, plan_s, cpu_s = timed(lambda: design.plan(campaign, settings))
    print(f"{seen.n_items:,} items in {len(tasks):,} batches, {dict(seen.kinds)}")
    print(f"preview {preview_s:.1f} s; plan {plan_s:.1f} s, {cpu_s:.1f} s of them its own")
    print(f"peak {peak():.0f} MB")
    print(f"(before planning {before:.0f} MB; the limits are 30 s and 1,000 MB)")
    if plan_s > 30 or peak() > 1000:
        sys.exit("over the limit")


def peak() -> float:
    """Return the peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
