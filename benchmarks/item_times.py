"""Accuracy of a plan's hours: people of published studies, each held out in turn.

    python benchmarks/item_times.py shared/data/03_mqm_esa_wmt23_en-de
        [--raters shared/data/04_mqm_3raters_wmt23_en-de]

The first folder contains the ESA study of WMT23 (Kocmi et al. 2024): per account the time from one
answer to the next, for published outputs, up to 300 s. `--raters`: expert MQM with three raters for
each output, and the times logged by its interface, up to 300 s.

Of each person, the time of all their items is foretold from a + b·W seconds for an output, W words
of source and output, in two ways: *before* anybody has judged, by what a campaign begins with, and
*after* the others of the same campaign have, whose times move it. What a campaign begins with was
fitted to the ESA study, and how much people differ to all of them, so that the first is only a
check; for the second, a and b begin with those of all other people of the protocol.

Prints a and b fitted to a whole campaign, R² of items, and how many people's times are inside the
page's interval for nine of ten. The exit code is 1 if fewer are inside.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from judgments.stats.planning.times import (
    ESA_STUDY,
    AnnotatorSpread,
    ItemTime,
    log_ratio,
    refit,
    spread_of_annotators,
)

LONGEST_S = 300
NOMINAL = 0.9
People = dict[str, np.ndarray]  # annotator → (words, seconds) of each item


def read(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(10**9)
    with gzip.open(path, "rt", encoding="utf8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def words_of(folder: Path, line: str) -> dict[tuple[str, str], int]:
    """Return the words of source and output by (system, segment)."""
    sources = {
        row[line]: len(row["source"].split()) for row in read(folder / "segments.en-de.tsv.gz")
    }
    return {
        (row["system"], row[line]): sources[row[line]] + len(row["text"].split())
        for row in read(folder / "outputs.en-de.tsv.gz")
    }


def esa_study(folder: Path) -> dict[str, People]:
    words, accounts = words_of(folder, "line"), defaultdict(list)
    for row in read(folder / "appraise.en-de.tsv.gz"):
        if row["type"] != "TUTORIAL":
            accounts[row["protocol"], row["login"]].append(row)
    found: dict[str, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    for (campaign, _), rows in accounts.items():
        rows.sort(key=lambda row: float(row["end_time"]))
        for before, row in pairwise(rows):
            seconds = float(row["end_time"]) - float(before["end_time"])
            n = words.get((row["system"], row["line"]))
            if row["type"] == "TGT" and n and 0 < seconds < LONGEST_S:
                found[campaign][row["annotator"]].append((n, seconds))
    return {campaign: _arrays(people) for campaign, people in sorted(found.items())}


def three_raters(folder: Path) -> People:
    words = words_of(folder, "seg_id")
    seconds: dict[tuple[str, str, str], float] = defaultdict(float)
    for row in read(folder / "ratings.en-de.tsv.gz"):
        if row["severity"] != "HOTW-test":
            key = row["rater"], row["system"], row["seg_id"]
            seconds[key] += float(row["time_ms"] or 0) / 1000
    found = defaultdict(list)
    for (rater, system, segment), took in seconds.items():
        if 0 < took < LONGEST_S:
            found[rater].append((words[system, segment], took))
    return _arrays(found)


def _arrays(people: dict[str, list]) -> People:
    return {name: np.array(rows, float) for name, rows in people.items()}


def fitted(people: Iterable[np.ndarray]) -> tuple[ItemTime, float]:
    """Return a and b by least squares over items, and R²."""
    words, seconds = np.concatenate(list(people)).T
    x = np.stack([np.ones_like(words), words], axis=1)
    (a, b), *_ = np.linalg.lstsq(x, seconds, rcond=None)
    off = seconds - a - b * words
    return ItemTime(float(a), float(b)), float(1 - off.var() / seconds.var())


def is_inside(rows: np.ndarray, time: ItemTime, spread: AnnotatorSpread) -> bool:
    words, seconds = rows.sum(axis=0)
    low, high = spread.interval(time.seconds(len(rows), words), 1)
    return bool(low <= seconds <= high)


def after_others(held: str, people: People, alike: Iterable[np.ndarray]) -> bool:
    """Return whether ``held`` is inside, by the others of the campaign; ``alike``: all people to
    which the start of a and b is fitted."""
    others = [rows for name, rows in people.items() if name != held]
    sums = np.array([(len(rows), *rows.sum(axis=0)) for rows in others])
    time = refit(fitted(alike)[0], *sums.T)
    spread = spread_of_annotators([log_ratio(time, *row) for row in sums])
    return is_inside(people[held], time, spread)


def show(name: str, people: People, start: dict[str, list[np.ndarray]]) -> np.ndarray:
    """Print a campaign, and return how many people are inside before and after others have judged,
    and of how many. ``start``: by the person held back, the items that a and b begin with."""
    time, r_squared = fitted(people.values())
    before = sum(is_inside(rows, ESA_STUDY, AnnotatorSpread()) for rows in people.values())
    after = sum(after_others(held, people, start[held]) for held in people)
    n_items, n = sum(map(len, people.values())), len(people)
    print(f"{name:12} {n_items:6,} {time.per_output:6.1f} + {time.per_word:.3f} W", end=" ")
    print(f"{r_squared:6.2f} {before:4} of {n:2} {after:6} of {n:2}")
    return np.array([before, after, n])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--raters", type=Path)
    asked = parser.parse_args()
    study = esa_study(asked.folder)
    print(f"a campaign begins with {ESA_STUDY.per_output:g} + {ESA_STUDY.per_word:g} W seconds")
    print(f"{'campaign':12} {'items':>6} {'fitted':>16} {'R²':>6} {'before':>10} {'after':>12}")
    total = np.zeros(3, int)
    for campaign, people in study.items():
        protocol = campaign.partition("-")[0]
        alike = {
            name: rows
            for other, others in study.items()
            if other.startswith(protocol)
            for name, rows in others.items()
        }
        start = {held: [rows for name, rows in alike.items() if name != held] for held in people}
        total += show(campaign, people, start)
    if asked.raters:
        raters = three_raters(asked.raters)
        mqm = [rows for name in study if name.startswith("MQM") for rows in study[name].values()]
        total += show("three raters", raters, dict.fromkeys(raters, mqm))
    before, after, n = total.tolist()
    holds = min(before, after) >= NOMINAL * n
    print(f"inside {before} before and {after} after, of {n}: {'holds' if holds else 'FAILS'}")
    sys.exit(not holds)


if __name__ == "__main__":
    main()
