"""Time and memory of a phrase table.

    python benchmarks/phrase_table.py [--segments 1000] [--words 90] [--max-length 7]

Phrase pairs are extracted from generated segments of real length and their links, counted, scored
and written in Moses' text format. WMT23's English–German test set has paragraphs of 90 words. Links
are generated like an aligner's: near the diagonal, blocks of some words moved, one word in eight
without a link, one in eight with two; words follow Zipf's law, and each has three translations.

The limits are those of the issue: 1,000 segments in 10 s, below 1 GB.
"""

import argparse
import random
import resource
import sys
import time
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

MOST_SECONDS, MOST_MB = 10.0, 1024.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--segments", type=int, default=1000)
    parser.add_argument("--words", type=int, default=90)
    parser.add_argument("--max-length", type=int, default=7)
    arguments = parser.parse_args()
    from metrics.lessons.baselines.moses import write_moses
    from metrics.lessons.baselines.phrases import phrase_table

    bitext = make_bitext(arguments.segments, arguments.words)
    start = time.perf_counter()
    table = phrase_table(*bitext, arguments.max_length)
    counted = time.perf_counter()
    file = BytesIO()
    write_moses(table, file)
    written = time.perf_counter()
    mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{arguments.segments} segments of {arguments.words} words: {counted - start:.2f} s for "
        f"{int(table.counts[:, 2].sum())} phrase pairs, {len(table)} different; "
        f"{written - counted:.2f} s for {len(file.getvalue()) / 1024**2:.1f} MB of Moses' form; "
        f"{mb:.0f} MB at the most"
    )
    if counted - start > MOST_SECONDS or mb > MOST_MB:
        sys.exit(f"More than {MOST_SECONDS:g} s or {MOST_MB:g} MB.")


def make_bitext(n_segments: int, n_words: int) -> tuple[list, list, list]:
    """Return sources, targets and links, always the same."""
    rng = random.Random(15)
    cumulative: list[float] = []
    for rank in range(1, 20_001):
        cumulative.append((cumulative[-1] if cumulative else 0) + 1 / rank)
    numbers = range(len(cumulative))
    sources, targets, links = [], [], []
    for _ in range(n_segments):
        size = max(1, round(rng.gauss(n_words, n_words / 3)))
        words = rng.choices(numbers, cum_weights=cumulative, k=size)
        order = list(range(size))
        for _ in range(size // 10):
            start = rng.randrange(size)
            block = order[start : start + 3]
            del order[start : start + 3]
            to = max(0, start + rng.randint(-6, 6))
            order[to:to] = block
        sources.append([f"s{word}" for word in words])
        targets.append([f"t{words[i]}-{rng.choices('abc', (8, 3, 1))[0]}" for i in order])
        found = {(i, j) for j, i in enumerate(order) if rng.random() > 1 / 8}
        more = {(i, min(j + 1, size - 1)) for i, j in found if rng.random() < 1 / 8}
        links.append(tuple(sorted(found | more)))
    return sources, targets, links


if __name__ == "__main__":
    main()
