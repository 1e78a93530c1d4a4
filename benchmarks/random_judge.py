"""Value of a model with random weights as a judge of the demo's campaign of error spans.

    python benchmarks/random_judge.py [--models 3]

Needs the environment of the neural metrics (./run neural), in which `random_model.py` serves a
model of two layers, made from a seed, whose answers fit the questions and mean nothing. For each
model: its answers and errors, its cost, the alternative annotator test against the demo's simulated
people, as on the page *Metrics*, and R² out of sample: how much of the variance of people's
differences between two systems on a segment its differences explain, with slopes from other
segments, over all pairs of systems. The same is printed for the demo's simulated judge, which sees
a noisy truth, and for sentinels.

The exit code is 1 if an answer of a random model did not fit, it may replace a person, its R² is
above .1, all have more than .05 on average, or the cost of one does not equal its tokens.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
from judge_site import empty_site, judged_by, scores_of_metric

HERE = Path(__file__).parent
FOLDS = 10
# Of each, and of all on average; with the demo's thirty segments, random scores reach .05, too.
MOST_EXPLAINED, MOST_ON_AVERAGE = 0.1, 0.05
PRICE_IN, PRICE_OUT = 2, 8  # per million tokens


@contextlib.contextmanager
def random_model(seed: int) -> Iterator[str]:
    """Yield the URL of the model while it serves."""
    from metrics.neural import environment

    if reason := environment.unavailable():
        raise SystemExit(reason)
    command = [str(environment.python()), str(HERE / "random_model.py"), str(seed)]
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert child.stdin and child.stdout
    try:
        yield child.stdout.readline().strip()
    finally:
        child.stdin.close()
        child.wait(60)


def explained(judge: np.ndarray, people: np.ndarray) -> float:
    """Return R² out of sample of people's paired differences, for (systems, segments); NaN if a
    score is missing."""
    left, before = 0.0, 0.0
    for a, b in itertools.combinations(range(len(people)), 2):
        x, y = judge[a] - judge[b], people[a] - people[b]
        there = ~np.isnan(x) & ~np.isnan(y)
        x, y = x[there], y[there]
        fold = np.arange(len(x)) % FOLDS
        for k in range(FOLDS):
            out, rest = fold == k, fold != k
            dx, dy = x[rest] - x[rest].mean(), y[rest] - y[rest].mean()
            slope = dx @ dy / (dx @ dx) if dx @ dx else 0.0
            error = y[out] - y[rest].mean()
            before += error @ error
            error = error - slope * (x[out] - x[rest].mean())
            left += error @ error
    return 1 - left / before


@dataclass(frozen=True)
class Worth:
    """rho, omega: of the alternative annotator test at the ε of trained annotators."""

    name: str
    rho: float
    omega: float
    may_stand: bool
    explained: float


def worth_of_metrics(campaign) -> list[Worth]:
    """Return the worth of all metrics with scores of segments."""
    from judgments.results.selection.selection import Selection
    from metrics.with_people.alternative_annotators import annotator_tests
    from metrics.with_people.board import board_of
    from metrics.with_people.study import StudyChoice, study_of

    selection, board = Selection.of(campaign), board_of(campaign.test_set)
    choice = StudyChoice("esa")
    study = study_of(selection, choice, board)
    scores = dict(zip([m.slug for m in study.metrics], study.segments, strict=True))
    return [
        Worth(
            row.metric.label,
            row.first.advantage,
            row.first.winning_rate,
            row.first.may_stand,
            explained(scores[row.metric.slug], study.human),
        )
        for row in annotator_tests(selection, choice, board).rows
        if row.metric
    ]


def random_judge(campaign, seed: int) -> tuple[str, bool]:
    """Return the name of a judge that has judged all, and whether its answers are valid and its
    cost is correct."""
    from judgments.judges import price
    from judgments.models import ErrorSpan, Item, Judgment

    with random_model(seed) as address:
        judge = judged_by(
            *(address, campaign, campaign.memberships.get(role="owner").user),
            name=f"Random {seed}", price_in=PRICE_IN, price_out=PRICE_OUT, seed=seed, at_once=2,
        )  # fmt: skip
    n_items = Item.objects.filter(task__campaign=judge.answers).count()
    n_judged = Judgment.objects.filter(campaign=judge.answers).count()
    n_errors = ErrorSpan.objects.filter(judgment__campaign=judge.answers).count()
    answers = judge.raw_answers.values_list("tokens_in", "tokens_out", "n_unplaced")
    rows = np.array(list(answers), np.int64)
    spent = price.spent(judge).cost
    owed = Decimal(int(rows[:, 0].sum()) * PRICE_IN + int(rows[:, 1].sum()) * PRICE_OUT) / 1_000_000
    values = np.array(list(scores_of_metric(judge).values()))
    print(
        f"{judge.name}: {n_judged} of {n_items} items judged with {len(rows)} answers; "
        f"{n_errors} errors placed, {rows[:, 2].sum()} nowhere; scores {values.mean():.1f} ± "
        f"{values.std():.1f}; it cost {spent:.4f} {judge.currency}"
    )
    return judge.name, n_judged == n_items == len(rows) and spent == owed > 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", type=int, default=3)
    options = parser.parse_args()
    with empty_site():
        from judgments.exchange import demo
        from judgments.models import Campaign, Judge, TestSet
        from metrics.scores.model_judges import store

        demo.load()
        for simulated in Judge.objects.all():
            store(simulated)
        TestSet.objects.update(may_leave=True)
        campaign = Campaign.objects.of_people().get(preset="esa")
        judged = dict(random_judge(campaign, seed) for seed in range(1, options.models + 1))
        rows = worth_of_metrics(campaign)
    random = [row for row in rows if row.name in judged]
    is_right = all(judged.values()) and len(random) == len(judged)
    is_right &= not any(row.may_stand or row.explained > MOST_EXPLAINED for row in random)
    is_right &= bool(np.mean([row.explained for row in random]) < MOST_ON_AVERAGE)
    print(f"{'':24}{'ρ':>7}{'ω':>7}  stands     R²")
    for row in rows:
        stands = "yes" if row.may_stand else "no"
        print(f"{row.name:24}{row.rho:7.3f}{row.omega:7.2f}  {stands:6}{row.explained:7.3f}")
    print("worth nothing, as it must be" if is_right else "NOT as it must be")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
