"""The outputs of the demo's baseline system, as made by the button on the demo's test set.

`python -m tests.metrics.lessons.baseline_jobs.demo_outputs` writes them into the demo's file again,
after the aligner, the phrase table or the decoder has changed.
"""

import csv
from pathlib import Path

import numpy as np

from metrics.lessons.baseline_jobs.fold_texts import fold
from metrics.lessons.baselines.folds import folds_of
from metrics.lessons.baselines.registry import KINDS

FILE = Path(__file__).parents[4] / "judgments/exchange/demo/texts.tsv"
SEED = 1
REFERENCES = ("ref", "ref2")


def read():
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def outputs(rows):
    """Return one for each row, each document translated with a system trained on the others."""
    names = list(dict.fromkeys(row["document"] for row in rows))
    found = {}
    sizes = [sum(row["document"] == name for row in rows) for name in names]
    for number, places in enumerate(folds_of(sizes), start=1):
        own = {names[place] for place in places}
        pairs = [
            (row["source"], row[f"reference:{name}"])
            for row in rows
            if row["document"] not in own
            for name in REFERENCES
        ]
        here = [(int(row["segment"]), row["source"]) for row in rows if row["document"] in own]
        part = fold(pairs, here)
        rng = np.random.default_rng([SEED, number])
        system = KINDS["phrase-based"].train(part.pairs, rng=rng, report=lambda step: None)
        found |= {key: system.translate(source).text for key, source in part.segments}
    return [found[int(row["segment"])] for row in rows]


if __name__ == "__main__":
    known = read()
    heads = list(dict.fromkeys([*known[0], "system:Baseline"]))
    made = [
        row | {"system:Baseline": text} for row, text in zip(known, outputs(known), strict=True)
    ]
    lines = ["\t".join(heads), *("\t".join(row[head] for head in heads) for row in made)]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
