"""Error of the time left, compared with simpler estimates.

    python benchmarks/time_left.py [--readers 200] [--items 100] [--seed 14]
        [--released shared/data/03_mqm_esa_wmt23_en-de]

Simulated readers judge a batch with known properties: documents of short or long segments, first
all of it for fluency, without the source, and then for adequacy. Each reader has an individual pace
for each of the two passes and a fixed time per item; people get faster within the first items of a
pass, the time of an item varies (log-normal, sigma .5), and one in thirty is interrupted for up to
a minute. A second run asks all at once instead. In a third, readers have a given speed: they never
get faster, their documents have sentences or whole texts of 8 to 436 words, and the time of an item
varies little (sigma .2).

With `--released` also real ones: the export of Appraise in the ESA study at WMT23, per account the
time from one answer to the next (those over 15 minutes are breaks and left out, none counts more
than 5). These people judged whole paragraphs with ESA or MQM.

Prints the medians over readers of the error of the forecast after 3 items of 100, and after 10, 25,
50 and 75 % of the batch, in percent of the time that the rest really took, and how much too long it
was.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


from judgments.people.workload.rates import Reading, rate_of

WAYS = ("time of an item", "time of a word", "as the screen tells it")
SHARES = (0.03, 0.1, 0.25, 0.5, 0.75)
BREAK_S, MOST_S = 900, 300
Batch = list[tuple[float, float, str, float]]  # words of outputs and sources, pass, milliseconds


def simulated(rng: random.Random, n_items: int, *, two_passes: bool = True) -> Batch:
    """Return the items of a batch in the order in which they are judged."""
    texts: list[tuple[float, float]] = []
    while len(texts) < (n_items // 2 if two_passes else n_items):
        mean = rng.choice((12, 25, 60, 140))
        for _ in range(rng.randint(3, 12)):
            n = max(2.0, rng.gauss(mean, mean / 4))
            texts.append((n, n * rng.uniform(0.85, 1.15)))
    texts = texts[: n_items // 2 if two_passes else n_items]
    pace = rng.uniform(200, 600)  # milliseconds per word
    besides = rng.uniform(4_000, 15_000)
    rows: Batch = []
    for part in ("fluency", "adequacy") if two_passes else ("",):
        times = rng.uniform(0.6, 1.4)  # relative time of this pass
        for number, (outputs, sources) in enumerate(texts):
            words = outputs if part == "fluency" else outputs + sources
            slow = 1 + 0.8 * 0.5 ** (number / 6)
            ms = (besides + times * pace * words) * slow * rng.lognormvariate(-0.125, 0.5)
            if rng.random() < 1 / 30:
                ms += rng.uniform(10_000, 60_000)
            rows.append((outputs, sources, part, ms))
    return rows


def of_given_speed(rng: random.Random, n_items: int) -> Batch:
    """Return the items of a batch for a reader who never gets faster."""
    pace = rng.choice((150, 250, 400, 700))  # milliseconds per word
    besides = rng.choice((0, 3_000, 10_000))
    rows: Batch = []
    while len(rows) < n_items:
        mean = rng.choice((8, 25, 60, 140, 436))
        for _ in range(rng.randint(1, 8)):
            outputs = max(2.0, rng.gauss(mean, mean / 4))
            sources = outputs * rng.uniform(0.85, 1.15)
            ms = (besides + pace * (outputs + sources)) * rng.lognormvariate(-0.02, 0.2)
            rows.append((outputs, sources, "", ms))
    return rows[:n_items]


def released(folder: Path) -> Iterator[Batch]:
    """Yield, per account, the items in the order of their answers."""

    def read(name: str) -> list[dict[str, str]]:
        csv.field_size_limit(10**9)
        with gzip.open(folder / name, "rt", encoding="utf8", newline="") as file:
            return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))

    sources = {row["line"]: len(row["source"].split()) for row in read("segments.en-de.tsv.gz")}
    outputs = {
        (row["system"], row["line"]): len(row["text"].split())
        for row in read("outputs.en-de.tsv.gz")
    }
    accounts = defaultdict(list)
    for row in read("appraise.en-de.tsv.gz"):
        if row["type"] != "TUTORIAL":
            accounts[row["protocol"], row["login"]].append(row)
    for rows in accounts.values():
        rows.sort(key=lambda row: float(row["end_time"]))
        batch: Batch = []
        for before, row in pairwise(rows):
            seconds = float(row["end_time"]) - float(before["end_time"])
            output = outputs.get((row["system"], row["line"]))
            if output and 0 < seconds < BREAK_S:
                ms = 1000 * min(seconds, MOST_S)
                batch.append((output, sources[row["line"]], "", ms))
        if len(batch) >= 40:
            yield batch


def forecasts(batch: Batch, share: float) -> tuple[float, ...]:
    """Return forecast over truth after that share of a batch, in the order of WAYS."""
    n = max(3, round(len(batch) * share))
    done, rest = batch[:n], batch[n:]
    truth = sum(row[-1] for row in rest)

    def reading(outputs: float, sources: float, part: str, _) -> Reading:
        return Reading(outputs if part == "fluency" else outputs + sources, part)

    def words(rows: Batch) -> float:
        return sum(outputs + sources for outputs, sources, *_ in rows)

    taken = sum(row[-1] for row in done)
    rate = rate_of([(reading(*row), row[-1]) for row in reversed(done)], n)
    assert rate is not None
    now = rate.time_ms(reading(*row) for row in rest)
    return taken / n * len(rest) / truth, taken * words(rest) / words(done) / truth, now / truth


def errors(batches: list[Batch]) -> dict[float, list[tuple[float, float]]]:
    """Return {share: [(error, bias) of each of WAYS]}, medians over batches."""
    found = {}
    for share in SHARES:
        by_way = zip(*(forecasts(batch, share) for batch in batches), strict=True)
        found[share] = [
            (statistics.median(abs(r - 1) for r in ratios), statistics.median(ratios) - 1)
            for ratios in by_way
        ]
    return found


def show(title: str, batches: list[Batch]) -> None:
    print(f"{title}: {len(batches)} batches")
    print("  judged" + "".join(f"{way:>24}" for way in WAYS))
    for share, ways in errors(batches).items():
        cells = (f"{error:.0%} ({bias:+.0%} too long)" for error, bias in ways)
        print(f"  {share:6.0%}" + "".join(f"{cell:>24}" for cell in cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--released", type=Path)
    asked = parser.parse_args()
    for title, two_passes in (("fluency, then adequacy", True), ("all at once", False)):
        rng = random.Random(asked.seed)
        batches = [simulated(rng, asked.items, two_passes=two_passes) for _ in range(asked.readers)]
        show(f"Simulated, {title}", batches)
    rng = random.Random(asked.seed)
    show("Of given speed", [of_given_speed(rng, asked.items) for _ in range(asked.readers)])
    if asked.released:
        show("ESA study at WMT23", list(released(asked.released)))


if __name__ == "__main__":
    main()
