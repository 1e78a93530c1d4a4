"""A late system against an earlier one, if people of another wave judge it: bias and coverage.

    python benchmarks/waves.py [--runs 500] [--seed 1]

Four systems are judged on 120 segments, every output once, by six people with a batch each. A fifth
comes late and is judged in a second wave of six batches, with a share of the earlier outputs and
five calibration items in every batch. On a scale of 100, people differ by a standard deviation of 8
points, segments by 10, a system from segment to segment by 6, and the rest is 12. The late system
is 3 points better than the first. In the second wave there are other people, people who are
generally milder, or the people of the first, who have become stricter.

The model with waves is that of the page *Scores*: an effect of the wave, and of each annotator in
each wave.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from scipy import stats

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from judgments.stats.mixed_model import contrasts, mixed_model  # noqa: E402

SYSTEMS, SEGMENTS, PEOPLE, LINKS = 4, 120, 6, 5
PERSON, SEGMENT, OUTPUT, REST = 8.0, 10.0, 6.0, 12.0
BETTER = 3.0
CASES = {
    # (the same people?, mean shift of the second wave, its standard deviation among people)
    "other people": (False, 0.0, 0.0),
    "other people, milder by 5": (False, 5.0, 0.0),
    "the same people, stricter by 5 ± 3": (True, -5.0, 3.0),
}


def campaign(rng, share: float, links: int, case: tuple[bool, float, float]):
    """Return the columns system, annotator, segment, value and wave, (n,) each; the late system is
    the last. Each batch of twenty segments has one annotator."""
    same, shift, spread = case
    late = SYSTEMS
    quality = np.append(rng.normal(0, 4, SYSTEMS), 0.0)
    quality[late] = quality[0] + BETTER
    segment = rng.normal(0, SEGMENT, SEGMENTS)
    output = rng.normal(0, OUTPUT, (SYSTEMS + 1, SEGMENTS))
    first = rng.normal(0, PERSON, PEOPLE)
    second = (first if same else rng.normal(0, PERSON, PEOPLE)) + rng.normal(shift, spread, PEOPLE)
    batch = np.arange(SEGMENTS) * PEOPLE // SEGMENTS
    rows = [(s, batch[i], i, 1) for s in range(SYSTEMS) for i in range(SEGMENTS)]
    name = 0 if same else PEOPLE
    rows += [(late, name + batch[i], i, 2) for i in range(SEGMENTS)]
    block = np.arange(SEGMENTS) // 3
    due = np.floor((np.arange(block[-1] + 2)) * share * SYSTEMS + 1e-9).astype(int)
    for i in range(SEGMENTS):
        turns = range(due[block[i]], due[block[i] + 1])
        rows += [(turn % SYSTEMS, name + batch[i], i, 2) for turn in turns]
    for link in rng.choice(SEGMENTS, links, replace=False):
        rows += [(link % SYSTEMS, name + person, link, 2) for person in range(PEOPLE)]
    s, a, i, w = np.array(rows).T
    person = np.where(w == 1, first[a % PEOPLE], second[a % PEOPLE])
    value = 60 + quality[s] + segment[i] + output[s, i] + person + rng.normal(0, REST, len(s))
    return s, a, i, value, w


def of_means(s, _a, i, value, _w) -> tuple[float, float, float]:
    """Return the difference of the means of segments, and its paired t interval."""
    sums, counts = np.zeros((2, SYSTEMS + 1, SEGMENTS))
    np.add.at(sums, (s, i), value)
    np.add.at(counts, (s, i), 1)
    each = sums[SYSTEMS] / counts[SYSTEMS] - sums[0] / counts[0]
    half = stats.t.ppf(0.975, SEGMENTS - 1) * each.std(ddof=1) / np.sqrt(SEGMENTS)
    return each.mean(), each.mean() - half, each.mean() + half


def of_model(s, a, i, value, _w) -> tuple[float, float, float]:
    return against_first(mixed_model(s, a, i, value))


def of_waves(s, a, i, value, w) -> tuple[float, float, float]:
    return against_first(mixed_model(s, a * 3 + w, i, value, w))


def against_first(fit) -> tuple[float, float, float]:
    found = contrasts(fit)
    return found.difference[SYSTEMS, 0], found.low[SYSTEMS, 0], found.high[SYSTEMS, 0]


METHODS = {
    "means": of_means,
    "mixed model": of_model,
    "mixed model with waves": of_waves,
}


def measured(rng, runs: int, share: float, links: int, case) -> dict[str, tuple[float, ...]]:
    """Return for each method bias, root mean squared error, half-width of the interval, and
    coverage."""
    found = {name: np.zeros((runs, 3)) for name in METHODS}
    for run in range(runs):
        columns = campaign(rng, share, links, case)
        for name, method in METHODS.items():
            found[name][run] = method(*columns)
    measures: dict[str, tuple[float, ...]] = {}
    for name, rows in found.items():
        error = rows[:, 0] - BETTER
        inside = (rows[:, 1] <= BETTER) & (rows[:, 2] >= BETTER)
        half = (rows[:, 2] - rows[:, 1]).mean() / 2
        measures[name] = error.mean(), np.sqrt((error**2).mean()), half, inside.mean()
    return measures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for case, known in CASES.items():
        for share, links in ((0.2, LINKS), (0.0, LINKS), (0.0, 0)):
            rng = np.random.default_rng(asked.seed)
            print(f"{case}; {share:.0%} of earlier outputs again, {links} calibration items")
            measures = measured(rng, asked.runs, share, links, known)
            for name, (bias, error, half, coverage) in measures.items():
                print(
                    f"  {name:24} bias {bias:+5.2f}  error {error:4.2f}  ± {half:4.2f}  "
                    f"coverage {coverage:.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
