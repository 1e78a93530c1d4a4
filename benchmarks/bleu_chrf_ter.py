"""How much faster than sacreBLEU: BLEU, chrF, chrF++ and TER, and bootstrap intervals.

    python benchmarks/bleu_chrf_ter.py [--systems 10] [--segments 2000] [--repeats 5] [--data DIR]

Both tools score the same systems against the same reference in one run: a fresh process for every
measurement, the tools by turns, the median of the repeats. Measured is processor time of all
threads, which other work on the machine disturbs least. sacreBLEU is used in its fastest way, with
the n-grams of the reference kept from system to system. Import and reading are not measured.
The scores are compared as well, so that a ratio is never that of two different things.

The texts are made up (words by Zipf's law, errors and moved blocks by chance, all seeded), or come
from a folder of text files, one segment a line: reference.txt, and any other *.txt as a system.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
METRICS = {"BLEU": "bleu", "chrF": "chrf", "chrF++": "chrfpp", "TER": "ter"}
RESAMPLES = 1000


def main() -> None:
    arguments = _arguments()
    if arguments.worker:
        tool, metric, job = arguments.worker
        print(json.dumps(_measure(tool, metric, job, arguments)))
        return
    print(f"{_what(arguments)}, median of {arguments.repeats}, CPU seconds")
    print(f"{'':24}{'sacreBLEU':>10}{'mteval':>10}{'ratio':>8}   largest difference of scores")
    for name in arguments.metrics:
        _compare(name, "score", arguments)
    if arguments.bootstrap:
        for name in arguments.metrics:
            _compare(name, "bootstrap", arguments)


def _compare(name: str, job: str, arguments: argparse.Namespace) -> None:
    """Run both tools by turns, and print one line."""
    times: dict[str, list[float]] = {"sacrebleu": [], "mteval": []}
    scores: dict[str, list[float]] = {}
    for _ in range(arguments.repeats):
        for tool, measured in times.items():
            result = _in_fresh_process(tool, METRICS[name], job)
            measured.append(result["seconds"])
            scores[tool] = result["scores"]
    theirs, ours = (statistics.median(measured) for measured in times.values())
    difference = max(abs(a - b) for a, b in zip(*scores.values(), strict=True))
    title = name if job == "score" else f"{name}, {RESAMPLES} resamples"
    print(
        f"{title:24}{theirs:10.3f}{ours:10.3f}{theirs / ours:7.1f}x   {difference:.1e}", flush=True
    )


def _in_fresh_process(tool: str, metric: str, job: str) -> dict:
    command = [sys.executable, __file__, *sys.argv[1:], "--worker", tool, metric, job]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def _measure(tool: str, metric: str, job: str, arguments: argparse.Namespace) -> dict:
    reference, systems = _texts(arguments)
    measure = _sacrebleu if tool == "sacrebleu" else _mteval
    seconds, scores = measure(metric, job, reference, systems)
    return {"seconds": seconds, "scores": scores}


def _sacrebleu(
    metric: str, job: str, reference: list[str], systems: list[list[str]]
) -> tuple[float, list[float]]:
    import sacrebleu

    kinds: dict[str, Callable] = {
        "bleu": lambda **options: sacrebleu.BLEU(force=True, **options),
        "chrf": sacrebleu.CHRF,
        "chrfpp": lambda **options: sacrebleu.CHRF(word_order=2, **options),
        "ter": sacrebleu.TER,
    }
    n_bootstrap = RESAMPLES if job == "bootstrap" else 1
    start = time.process_time()
    scorer = kinds[metric](references=[reference])
    scores = [
        scorer.corpus_score(system, None, n_bootstrap=n_bootstrap).score for system in systems
    ]
    return time.process_time() - start, scores


def _mteval(
    metric: str, job: str, reference: list[str], systems: list[list[str]]
) -> tuple[float, list[float]]:
    sys.path.insert(0, str(ROOT))
    import numpy as np

    from metrics.scorers import get_scorer
    from metrics.stats.significance import bootstrap_interval

    start = time.process_time()
    scorer = get_scorer(metric)
    scores = []
    for system in systems:
        stats = scorer.statistics(system, [reference])
        scores.append(float(scorer.score(stats.sum(axis=0))))
        if job == "bootstrap":
            bootstrap_interval(scorer, stats, rng=np.random.default_rng(1), resamples=RESAMPLES)
    return time.process_time() - start, scores


def _texts(arguments: argparse.Namespace) -> tuple[list[str], list[list[str]]]:
    if not arguments.data:
        return _pseudo_texts(arguments.systems, arguments.segments)
    lines = {
        path.name: path.read_text(encoding="utf-8").split("\n")
        for path in sorted(arguments.data.glob("*.txt"))
    }
    reference = lines.pop("reference.txt")[: arguments.segments]
    systems = list(lines.values())[: arguments.systems]
    return reference, [system[: len(reference)] for system in systems]


def _pseudo_texts(n_systems: int, n_segments: int) -> tuple[list[str], list[list[str]]]:
    """A reference, and systems that differ from it more and more."""
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
    """Different words, the frequent ones short, some with a capital or a punctuation mark."""
    words: dict[str, None] = {}
    while len(words) < size:
        length = min(2 + len(words) // 60, 4) + rng.randrange(6 if len(words) > 100 else 2)
        word = "".join(rng.choices("etaoinshrdlucmfwypvbgkqjxz", range(26, 0, -1), k=length))
        kind = rng.random()
        words[word.title() if kind < 0.08 else word + "," if kind < 0.13 else word] = None
    return list(words)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--metrics", nargs="+", choices=METRICS, default=list(METRICS))
    parser.add_argument("--bootstrap", action="store_true", help="intervals as well (slow)")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args()


def _what(arguments: argparse.Namespace) -> str:
    reference, systems = _texts(arguments)
    n_words = sum(len(text.split()) for text in reference)
    return f"{len(systems)} systems, {len(reference)} segments, {n_words} words each"


if __name__ == "__main__":
    main()
