"""Time of a baseline system: training, tuning, and translating 300 sentences of 20 words.

    .venv/bin/python benchmarks/baseline_system.py [--pairs 2000] [--kind phrase-based] [FILE]

FILE: your own bitext, a source and its translation per line, separated by a tab; its last 300 pairs
are translated, and the others used for training. Without it, a generated bitext: words by Zipf's
law, translated one by one with some choice, in groups that change their order. The limits are 60 s
for the translations and 1 GB for everything.
"""

import argparse
import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from metrics.lessons.baselines.registry import KINDS, without_full_collections
from metrics.scorers import get_scorer

TRANSLATED = 300
MOST_SECONDS = 60
MOST_BYTES = 2**30


def made_up(n: int, rng: np.random.Generator, words: int = 20) -> list[tuple[str, str]]:
    """Return pairs of sentences with ``words`` words."""
    vocabulary = 1 / np.arange(1, 8001)
    places = rng.choice(8000, size=(n, words), p=vocabulary / vocabulary.sum())
    choices = rng.choice(3, size=(n, words), p=[0.7, 0.2, 0.1])
    found = []
    for row, choice in zip(places.tolist(), choices.tolist(), strict=True):
        target: list[str] = []
        for start in range(0, words, 4):
            group = [f"t{w}{'abc'[c]}" for w, c in zip(row, choice, strict=True)][start : start + 4]
            target += group[::-1] if row[start] % 3 == 0 else group
        found.append((" ".join(f"s{w}" for w in row), " ".join(target)))
    return found


def read(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(line.split("\t")[0], line.split("\t")[1]) for line in lines if "\t" in line]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--kind", choices=list(KINDS), default="phrase-based")
    asked = parser.parse_args()
    rng = np.random.default_rng(1)
    pairs = read(asked.file) if asked.file else made_up(asked.pairs + TRANSLATED, rng)
    learned, translated = pairs[:-TRANSLATED], pairs[-TRANSLATED:]
    started = time.perf_counter()
    system = KINDS[asked.kind].train(learned, rng=rng, report=lambda step: None)
    trained = time.perf_counter()
    with without_full_collections():
        outputs = [system.translate(source).text for source, _ in translated]
    ended = time.perf_counter()
    bleu = get_scorer("bleu")
    score = bleu.score(bleu.statistics(outputs, [[pair[1] for pair in translated]]).sum(axis=0))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    n_words = sum(len(source.split()) for source, _ in translated) / len(translated)
    print(f"{asked.kind}, learned from {len(learned):,} pairs:")
    print(f"  trained and tuned in {trained - started:.1f} s")
    print(f"  {len(translated)} sentences of {n_words:.1f} words in {ended - trained:.1f} s")
    print(f"  BLEU {score:.1f}, at most {memory / 2**20:.0f} MB")
    print(", ".join(f"{name}: {value}" for name, value in system.described().items()))
    return int(ended - trained > MOST_SECONDS or memory > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
