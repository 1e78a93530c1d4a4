"""Whether a rehearsal says what happens when the same people judge the plan on the site.

    python -m benchmarks.rehearsal [--seeds 11]

120 segments in five translations with controls as *For crowds* fills them in, in batches and in a
pool; four careful people, one who answers at random, a lazy one and a fast one. Each seed is
rehearsed, and then the same people take their work from the site's queue, their answers are stored,
and the site gives verdicts and ranks. The second part rehearses plans with careful people alone,
whose best and worst systems differ by the smallest difference that the plan's page promises to show
with a chance of 80 %.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import uuid
from datetime import UTC, datetime


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
    """A campaign with a plan, and its settings."""
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
    from judgments.quality.rehearsal.planned import read_plan

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
            people, differs = judged_on_the_site(made, plan, asked, seed)
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


def judged_on_the_site(campaign, plan, asked, run):
    """What became of the people, and which pairs of systems differ, best first (S, S)."""
    import numpy as np

    from judgments.judging import queue
    from judgments.models import Item, Judgment, Output, Rating, Task
    from judgments.quality.decisions.decisions import decide
    from judgments.quality.rehearsal import figures
    from judgments.quality.rehearsal.hand_out import PlannedSeat
    from judgments.quality.rules.verdicts import FAIL, verdict_of
    from judgments.results.scores.figures import system_scores
    from judgments.results.selection.selection import Selection

    members = list(campaign.memberships.filter(role="annotator").order_by("pk"))
    owner = campaign.memberships.get(role="owner").user
    item_at = {pk: place for place, pk in enumerate(plan.items.number.tolist())}
    outputs = {
        (output.segment_id, output.system_id): output.pk
        for output in Output.objects.filter(segment__test_set=campaign.test_set)
    }

    class StoredWorker(figures.Worker):
        n_stored = 0
        member = None

        def judge(self, seat, *, has_more):
            seconds = super().judge(seat, has_more=has_more)
            self.store(len(self.items))
            return seconds

        def _verdict(self, n_items, n_rows, has_more):
            self.asked_at = self.n_controls
            self.store(n_items)
            self.verdict = verdict_of(self.member).state
            return self.verdict

        def store(self, n_items):
            work = plan.items
            for item in self.items[self.n_stored : n_items]:
                judgment = Judgment.objects.create(
                    item_id=work.number[item],
                    campaign=campaign,
                    annotator=self.member.user,
                    client_key=uuid.uuid4(),
                    active_ms=20_000,
                )
                for row in range(work.first[item], work.first[item + 1]):
                    segment = plan.segment_ids[work.segment[row]]
                    system = plan.system_ids[work.system[row]]
                    Rating.objects.create(
                        judgment=judgment,
                        output_id=outputs[int(segment), int(system)],
                        dimension=plan.dimension.slug,
                        value=self.values[np.flatnonzero(self.rows == row)[0]],
                        is_copy=work.twin[row] != row,
                    )
                Item.objects.filter(pk=work.number[item]).update(is_judged=True)
                task = Item.objects.get(pk=work.number[item]).task
                Task.objects.filter(pk=task.pk).update(n_judged=task.n_judged + 1)
            self.n_stored = max(self.n_stored, n_items)

    class SeatsOfTheSite:
        def __init__(self, workers):
            self.member_of = {id(worker.had): worker.member for worker in workers}
            self.task_of = {}

        def __bool__(self):
            return True  # verdict_of asks the site itself

        def take(self, had):
            task = queue.claim(self.member_of[id(had)], datetime.now(UTC))
            if task is None:
                return None
            items = task.items.order_by("position").values_list("pk", flat=True)
            seat = PlannedSeat(task.batch, task.seat, np.array([item_at[pk] for pk in items]))
            self.task_of[seat.place] = task
            return seat

        def give_back(self, seat, n_judged):
            task = self.task_of[seat.place]
            member = next(m for m in members if m.user_id == task.annotator_id)
            assert queue.give_up(member, task.pk) == len(seat.items) - n_judged

    cast = figures.cast_of(plan, asked, run, StoredWorker)
    for worker, member in zip(cast.workers, members, strict=True):
        worker.member = member
    figures.work_off(cast.workers, SeatsOfTheSite(cast.workers), cast.rng)
    for worker in cast.workers:
        if worker.verdict == FAIL:
            decide(campaign, worker.member.user, excluded=True, reason="By the rule.", by=owner)
    scores = system_scores(Selection.of(campaign))
    at = [scores.names.tolist().index(plan.system_names[code]) for code in cast.best_first]
    differs = np.triu(scores.differs[np.ix_(at, at)], 1)
    return [worker.told(run) for worker in cast.workers], differs


def promise(n_seeds: int, preset: str) -> None:
    from judgments.plans import design
    from judgments.plans.price.figures import smallest_of
    from judgments.plans.scope import planned_work
    from judgments.plans.settings import PlanSettings
    from judgments.protocols import protocol_of
    from judgments.quality.rehearsal.figures import RehearsalAsked, pairs_by_distance, rehearse
    from judgments.quality.rehearsal.planned import read_plan
    from tests import factory

    made = planned(preset, 3, block_length=4)
    settings = PlanSettings.read(made.plan)
    again = factory.make_campaign(made.test_set, preset=preset)
    work = planned_work(design.preview(again, settings))
    smallest = smallest_of(protocol_of(made), settings, work)
    plan = read_plan(made)
    spread = 100 * smallest.value / plan.scale.width
    found = []
    for seed in range(1, n_seeds + 1):
        asked = RehearsalAsked(3, 0, 0, 0, spread=spread, noise=5.0, seed=seed)
        found.append(pairs_by_distance(rehearse(plan, asked))[-1][2])
    print(
        f"{preset}: a difference of {smallest.words} is separated in "
        f"{100 * statistics.mean(found):.0f} % of {20 * n_seeds} rehearsals",
        flush=True,
    )


if __name__ == "__main__":
    main()
