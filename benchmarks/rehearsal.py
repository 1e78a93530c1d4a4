"""Whether a rehearsal predicts what happens when the same people judge the plan on the site.

    python -m benchmarks.rehearsal [--seeds 11]

120 segments in five translations with the default controls of *For crowds*, in batches and in a
pool; four careful people, one who answers at random, a lazy one and a fast one. Each seed is
rehearsed, and then the same people take their work from the site's queue, their answers are stored,
and the site gives verdicts and ranks. The second part rehearses plans with only careful people,
whose best and worst systems differ by the smallest difference that the plan's page promises to show
with a probability of 80 %.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import uuid


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=11)
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
        for pool in (False, True):
            compare(options.seeds, pool)
        for preset in ("direct-assessment", "esa", "mqm"):
            promise(options.seeds, preset)


def planned(preset: str, people: int, **settings):
    """Return a campaign with a plan, and its settings."""
    import numpy as np

    from judgments.models import QualityRule
    from judgments.plans import design
    from judgments.plans.settings import PlanSettings
    from tests import factory
    from tests.judgments.quality.control_campaigns import RULE, make_texts

    key = uuid.uuid4().hex[:8]
    owner = factory.make_user(f"owner {key}")
    users = [factory.make_user(f"{n} {key}") for n in range(people)]
    texts = make_texts(owner, np.random.default_rng(1), n_systems=5)
    made = factory.make_campaign(texts, preset=preset, owner=owner, annotators=users)
    design.plan(made, PlanSettings(**settings))
    QualityRule.objects.create(campaign=made, n_judgments=0, written_by=owner, **RULE)
    made.refresh_from_db()
    return made


def compare(n_seeds: int, pool: bool) -> None:
    from django.db import transaction

    from judgments.quality.rehearsal.figures import RehearsalAsked, rehearse_once
    from judgments.quality.rehearsal.plan import read_plan

    from .rehearsal_on_site import judged_on_site

    asked = RehearsalAsked(careful=4)
    kinds = {"repeats": 1.0, "references": 1.0, "degraded": 1.0, "loud_checks": 1}
    made = planned(
        "direct-assessment",
        len(asked.kinds),
        pool=pool,
        block_length=3,
        batch_items=100,
        silent_checks=1,
        **kinds,
    )
    plan = read_plan(made)
    same_verdicts = same_pairs = n_people = n_pairs = 0
    took: list[tuple[float, float]] = []
    failed: dict[str, list[float]] = {}
    for seed in range(1, n_seeds + 1):
        start = time.perf_counter()
        rehearsed = rehearse_once(plan, asked, seed)
        middle = time.perf_counter()
        with transaction.atomic():
            people, differs = judged_on_site(made, plan, asked, seed)
            transaction.set_rollback(True)
        took.append((middle - start, time.perf_counter() - middle))
        for one, other in zip(rehearsed.people, people, strict=True):
            same_verdicts += (one.verdict, one.judged) == (other.verdict, other.judged)
            n_people += 1
            if other.verdict == "fail":
                failed.setdefault(other.kind, []).append(other.judged)
        assert rehearsed.ranks is not None
        decided = rehearsed.ranks.decided | rehearsed.ranks.wrong
        same_pairs += int((decided == differs).sum()) - 15  # those below the diagonal, and on it
        n_pairs += 10
    print("in a pool" if pool else "in batches", flush=True)
    print(f"  same verdict after as many judgments: {same_verdicts} of {n_people} people")
    print(f"  same pairs of systems separated: {same_pairs} of {n_pairs}")
    for kind, n in failed.items():
        middle = statistics.median(n)
        print(f"  {kind}: {len(n)} fail, after {middle:g} judgments (median), {max(n):g} at most")
    times = [statistics.median(column) for column in zip(*took, strict=True)]
    print(f"  one rehearsal {times[0]:.2f} s, on the site {times[1]:.2f} s", flush=True)


def promise(n_seeds: int, preset: str) -> None:
    from judgments.plans import design
    from judgments.plans.price.figures import smallest_of
    from judgments.plans.scope import planned_work
    from judgments.plans.settings import PlanSettings
    from judgments.protocols import protocol_of
    from judgments.quality.rehearsal.figures import RehearsalAsked, pairs_by_distance, rehearse
    from judgments.quality.rehearsal.plan import read_plan
    from tests import factory

    made = planned(preset, 3, block_length=4)
    settings = PlanSettings.read(made.plan)
    again = factory.make_campaign(made.test_set, preset=preset)
    work = planned_work(design.preview(again, settings))
    protocol = protocol_of(made)
    smallest = smallest_of(protocol, settings, work, protocol.usual_spread())
    plan = read_plan(made)
    spread = 100 * smallest.value / plan.scale.width
    found = []
    for seed in range(1, n_seeds + 1):
        asked = RehearsalAsked(3, 0, 0, 0, spread=spread, noise=5.0, seed=seed)
        found.append(pairs_by_distance(rehearse(plan, asked))[-1].decided)
    print(
        f"{preset}: a difference of {smallest.words} is separated in "
        f"{100 * statistics.mean(found):.0f} % of {20 * n_seeds} rehearsals",
        flush=True,
    )


if __name__ == "__main__":
    main()
