"""Judgments that a rule needs to detect people who do not read, in batches and in a pool.

    python -m benchmarks.pool_controls [--seeds 11]

120 segments in five translations, blocks of three segments, batches of about 100 screens, per ten
items one repeat, one reference and one degraded copy, and in each batch one loud and one silent
check, the defaults of *For crowds*. Two careful people stay for 150 judgments at most; when
somebody else stops, a careful visitor comes for 15. One person answers at random, one gives 50 to
everything, one is fast and reads every other screen. After every five judgments the rule gives its
verdict; a person who fails stops.
"""

from __future__ import annotations

import argparse
import os
import statistics
import uuid
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime

STAY, VISITORS = ("careful 1", "careful 2"), 6
CARELESS = {"random": "random", "lazy": "middle", "fast": "fast"}
EVERY, MOST = 5, 150


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
        measure(options.seeds)


def measure(n_seeds: int) -> None:
    found: dict[bool, dict[str, list]] = {False: defaultdict(list), True: defaultdict(list)}
    for seed in range(1, n_seeds + 1):
        for pool in found:
            seen = campaign(seed, pool)
            for name, verdict in seen.items():
                found[pool][name].append(verdict)
            words = {name: " after ".join(map(str, seen[name])) for name in CARELESS}
            print(seed, "pool" if pool else "batches", words, flush=True)
    for pool, verdicts in found.items():
        print("in a pool" if pool else "in batches")
        for name in CARELESS:
            needed = [n for state, n in verdicts[name] if state == "fail"]
            summary = f"median {statistics.median(needed):g}, most {max(needed)}" if needed else "-"
            print(f"  {name:8} found in {len(needed)} of {n_seeds}: {summary} judgments")
        careful = [each for name in verdicts if name not in CARELESS for each in verdicts[name]]
        wrong = sum(state == "fail" for state, _ in careful)
        print(f"  careful people who failed at any moment: {wrong} of {len(careful)}")


def campaign(seed: int, pool: bool) -> dict[str, tuple[str, int]]:
    """Return {person: the last verdict, and the number of judgments before it}."""
    import numpy as np

    from judgments.models import QualityRule
    from judgments.plans import design
    from judgments.plans.controls.settings import with_controls
    from judgments.plans.settings import PlanSettings
    from tests import factory
    from tests.judgments.quality.control_campaigns import RULE, Planned, make_texts
    from tests.judgments.quality.test_planned_campaigns import with_qualities

    rng = np.random.default_rng(seed)
    key = uuid.uuid4().hex[:8]
    owner = factory.make_user(f"owner {key}")
    names = [*CARELESS, *STAY, *(f"visitor {n}" for n in range(VISITORS))]
    users = {name: factory.make_user(f"{name} {key}") for name in names}
    made = factory.make_campaign(
        make_texts(owner, rng, n_systems=5),
        preset="direct-assessment",
        owner=owner,
        annotators=list(users.values()),
    )
    settings = PlanSettings(pool=pool, block_length=3, batch_items=100, seed=seed)
    design.plan(made, with_controls(settings))
    QualityRule.objects.create(campaign=made, n_judgments=0, written_by=owner, **RULE)
    made.refresh_from_db()
    planned = Planned(made)
    with_qualities(planned, rng)
    at_work = {
        name: work(planned, made.memberships.get(user=user), name, rng)
        for name, user in users.items()
        if not name.startswith("visitor")
    }
    waiting = [name for name in names if name.startswith("visitor")]
    found: dict[str, tuple[str, int]] = {}
    while at_work:
        for name in list(at_work):
            step = next(at_work[name], None)
            if step is None:
                del at_work[name]
                if waiting and name not in STAY:  # somebody else comes
                    visitor = waiting.pop(0)
                    member = made.memberships.get(user=users[visitor])
                    at_work[visitor] = work(planned, member, visitor, rng)
            else:
                found[name] = step
    return found


def work(planned, member, name: str, rng) -> Iterator[tuple[str, int]]:
    """Yield (verdict, judgments so far) after every five; a visitor leaves after 15."""
    from judgments.judging import queue
    from judgments.models import Item, Task
    from judgments.quality.rules.verdicts import verdict_of

    care = CARELESS.get(name, "good")
    n = 0
    while task := queue.claim(member, datetime.now(UTC)):
        items = list(task.items.filter(is_judged=False).order_by("position"))
        for item in items:
            judge(planned, member, item, care, rng)
            Item.objects.filter(pk=item.pk).update(is_judged=True)
            task.n_judged += 1
            Task.objects.filter(pk=task.pk).update(n_judged=task.n_judged)
            n += 1
            if n % EVERY == 0:
                state = verdict_of(member).state
                yield state, n
                leaves = name.startswith("visitor") and n >= 15
                if state == "fail" or n >= MOST or leaves:
                    queue.give_up(member, task.pk)
                    return


def judge(planned, member, item, care, rng) -> None:
    from judgments.models import ItemOutput, Judgment, Rating
    from tests.judgments.quality.control_campaigns import score

    judgment = Judgment.objects.create(
        item=item,
        campaign=planned.campaign,
        annotator=member.user,
        client_key=uuid.uuid4(),
        active_ms=2_000 if care == "fast" else 20_000,
    )
    row = ItemOutput.objects.select_related("altered").get(item=item)
    quality = planned.quality[row.output_id, row.altered.rule if row.altered else ""]
    said = score(care, quality, rng)
    Rating.objects.create(judgment=judgment, output_id=row.output_id, dimension="da", value=said)


if __name__ == "__main__":
    main()
