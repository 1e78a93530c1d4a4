"""The texts for the benchmarks of metrics.

They are generated (words by Zipf's law, errors and moved blocks by chance, all seeded), or come
from a folder of text files, one segment per line: reference.txt, and any other *.txt as a system.
"""

import random
from argparse import Namespace
from pathlib import Path


def find_texts(arguments: Namespace) -> tuple[list[str], list[list[str]]]:
    """Return a reference, and systems: from the folder ``data`` if it is given, or generated."""
    if arguments.data:
        return _read_texts(arguments.data, arguments.systems, arguments.segments)
    return _make_texts(arguments.systems, arguments.segments)


def _read_texts(folder: Path, n_systems: int, n_segments: int) -> tuple[list[str], list[list[str]]]:
    """Return the first segments of the reference and of the first systems."""
    lines = {
        path.name: path.read_text(encoding="utf-8").split("\n")
        for path in sorted(folder.glob("*.txt"))
    }
    reference = lines.pop("reference.txt")[:n_segments]
    systems = list(lines.values())[:n_systems]
    return reference, [system[: len(reference)] for system in systems]


def _make_texts(n_systems: int, n_segments: int) -> tuple[list[str], list[list[str]]]:
    """Return a reference, and systems that differ from it more and more."""
    rng = random.Random(20)
    words = _vocabulary(rng, 20_000)
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    cumulative = [sum(weights[:1])]
    for weight in weights[1:]:
        cumulative.append(cumulative[-1] + weight)

    def sentence() -> list[str]:
        length = max(1, round(rng.lognormvariate(3, 0.5)))
        return rng.choices(words, cum_weights=cumulative, k=length)

    def output(reference: list[str], error: float) -> str:
        found: list[str] = []
        for word in reference:
            kind = rng.random() / error
            if kind < 0.5:
                found.append(rng.choices(words, cum_weights=cumulative)[0])
            elif kind < 0.8:
                found += [word, rng.choices(words, cum_weights=cumulative)[0]]
            elif kind >= 1:
                found.append(word)
        if rng.random() < 2 * error:
            start = rng.randrange(len(found) + 1)
            block = found[start : start + rng.randint(1, 4)]
            del found[start : start + len(block)]
            to = rng.randint(0, len(found))
            found[to:to] = block
        return " ".join(found) + "."

    references = [sentence() for _ in range(n_segments)]
    errors = [0.15 + 0.4 * number / max(n_systems - 1, 1) for number in range(n_systems)]
    systems = [[output(reference, error) for reference in references] for error in errors]
    return [" ".join(reference) + "." for reference in references], systems


def _vocabulary(rng: random.Random, size: int) -> list[str]:
    """Return different words, the frequent ones short, some with a capital or a punctuation
    mark."""
    words: dict[str, None] = {}
    while len(words) < size:
        length = min(2 + len(words) // 60, 4) + rng.randrange(6 if len(words) > 100 else 2)
        word = "".join(rng.choices("etaoinshrdlucmfwypvbgkqjxz", range(26, 0, -1), k=length))
        kind = rng.random()
        words[word.title() if kind < 0.08 else word + "," if kind < 0.13 else word] = None
    return list(words)
