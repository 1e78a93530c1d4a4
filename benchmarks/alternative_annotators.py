"""Whether recorded metrics may replace an expert: the alternative annotator test on WMT23.

    python benchmarks/alternative_annotators.py shared/data/04_mqm_3raters_wmt23_en-de
        shared/data/03_mqm_esa_wmt23_en-de

The first folder contains expert MQM of WMT23 English–German by three raters for each output, the
second one metrics' scores of the same outputs, GEMBA-MQM of a language model among them. Scores are
standardized for each rater and each metric, as on the page *Metrics*. GPT4-5shot, which raters saw
twice, and the human reference are left out.

Prints the mean advantage probability ρ with its interval by bootstrap over documents, and the
winning rate ω for ε of experts, trained annotators and crowds; then ρ of each rater as if they were
the judge of the others, which is the ceiling.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from human_cost_designs import read_rows

from judgments.stats.alternative_annotator import (
    EPSILONS,
    alternative_annotator,
    closer_numbers,
    document_draws,
)
from judgments.stats.normalization import standardize

WEIGHTS = {"Major": 5.0, "Minor": 1.0}
FREE = ("Source issue", "Accuracy/Creative Reinterpretation")
LEFT_OUT = ("GPT4-5shot", "refA")
SEED = 7


def mqm(row: dict[str, str]) -> float:
    """Return the penalty of one error (Freitag et al. 2021)."""
    if row["category"] in FREE or row["severity"] not in WEIGHTS:
        return 0.0
    if row["category"].startswith("Non-translation"):
        return 25.0
    is_light = row["severity"] == "Minor" and row["category"] == "Fluency/Punctuation"
    return 0.1 if is_light else WEIGHTS[row["severity"]]


def scores_of_raters(folder: Path) -> dict[tuple[str, str, str], float]:
    """Return the score of each (rater, system, segment)."""
    found: dict[tuple[str, str, str], float] = defaultdict(float)
    for row in read_rows(folder, "ratings"):
        if row["severity"] != "HOTW-test" and not row["system"].startswith(LEFT_OUT):
            found[row["rater"], row["system"], row["seg_id"]] -= mqm(row)
    return dict(found)


def scores_of_metrics(folder: Path) -> dict[str, dict[tuple[str, str], float]]:
    """Return the scores of each metric by (system, source)."""
    sources = {row["line"]: row["source"] for row in read_rows(folder, "segments")}
    found: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
    for row in read_rows(folder, "metric_segments"):
        if row["score"]:
            found[row["metric"]][row["system"], sources[row["line"]]] = float(row["score"])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("raters", type=Path)
    parser.add_argument("metrics", type=Path)
    asked = parser.parse_args()
    segments = {row["seg_id"]: row for row in read_rows(asked.raters, "segments")}
    rows = scores_of_raters(asked.raters)
    places: dict[tuple[str, str], int] = {}
    for _, system, segment in rows:
        places.setdefault((system, segments[segment]["source"]), len(places))
    people = np.array([rater for rater, _, _ in rows])
    instances = np.array(
        [places[system, segments[segment]["source"]] for _, system, segment in rows]
    )
    names = [segments[segment]["doc"] for _, _, segment in rows]
    documents = np.unique(names, return_inverse=True)[1]
    draws = document_draws(int(documents.max()) + 1, np.random.default_rng(SEED))
    values = standardize(list(rows.values()), np.unique(people, return_inverse=True)[1]).values
    print(f"{len(rows):,} ratings of {len(places)} outputs by {len(set(people))} raters")
    print(
        f"{'metric':16} {'ρ':>5} {'95 %':>12}", *(f"ω {key} ({e})" for key, e in EPSILONS.items())
    )
    for name, scores in sorted(scores_of_metrics(asked.metrics).items()):
        judge = np.array([scores.get(place, math.nan) for place in places])
        judge = standardize(judge, np.zeros(len(judge), int)).values
        closer = closer_numbers(instances, values, judge)
        tests = [
            alternative_annotator(closer, people, documents, epsilon=e, draws=draws)
            for e in EPSILONS.values()
        ]
        first = tests[0]
        print(f"{name:16} {first.advantage:5.2f} {first.low:6.2f} {first.high:5.2f}", end="")
        print(*(f"{each.winning_rate:15.2f}" for each in tests), flush=True)
    ceiling = []
    for rater in np.unique(people):
        own = people == rater
        judge = np.full(len(places), math.nan)
        judge[instances[own]] = values[own]
        closer = closer_numbers(instances[~own], values[~own], judge)
        ceiling.append(alternative_annotator(closer, people[~own], epsilon=0.2).advantage)
    print("a rater as the judge of the others: ρ", *(f"{each:.2f}" for each in ceiling))
    print(f"{'':8} on average {np.nanmean(ceiling):.2f}")


if __name__ == "__main__":
    main()
