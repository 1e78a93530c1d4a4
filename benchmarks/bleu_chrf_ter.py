"""Speed and memory of BLEU, chrF, chrF++ and TER, compared with sacreBLEU.

    python benchmarks/bleu_chrf_ter.py [--systems 10] [--segments 2000] [--repeats 5] [--data DIR]

Both tools score the same systems against the same reference in one run: a new process for every
measurement, the tools in turns, the median of the repeats. The ratio is that of the processor time
of all threads, which other work on the machine disturbs least; the wall-clock time is printed, too.
sacreBLEU is used in its fastest way, with the n-grams of the reference reused from system to
system. Import and reading are not measured. Peak memory is that of the whole process, interpreter
and texts included. Both tools' statistics of every segment are compared, and have to be the same.

The texts are generated, or come from a folder (see texts.py). sacreBLEU's TER takes minutes if
segments are paragraphs; it is measured `--slow-repeats` times.
"""

import argparse
import hashlib
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from texts import find_texts

ROOT = Path(__file__).resolve().parent.parent
# Name of a metric here and in the registry, and the least ratio.
METRICS = {"BLEU": ("bleu", 6), "chrF": ("chrf", 15), "chrF++": ("chrfpp", 10), "TER": ("ter", 15)}
SLOW = "TER"


def main() -> None:
    arguments = _arguments()
    if arguments.worker:
        tool, metric = arguments.worker
        print(json.dumps(_measure(tool, metric, arguments)))
        return
    print(_what(arguments))
    print(f"{'':8}{'CPU seconds':^20}{'times faster':^20}{'peak MB':^16}")
    print(
        f"{'':8}{'sacreBLEU':>10}{'mteval':>10}{'CPU':>8}{'passed':>8}{'aim':>4}"
        f"{'sacreBLEU':>10}{'mteval':>7}   segments"
    )
    passed = [_compare(name, arguments) for name in arguments.metrics]
    sys.exit(0 if all(passed) else 1)


def _compare(name: str, arguments: argparse.Namespace) -> bool:
    """Run both tools in turns, print one line, and return whether the target was met."""
    metric, aim = METRICS[name]
    runs: dict[str, list[dict[str, Any]]] = {"sacrebleu": [], "mteval": []}
    for _ in range(arguments.slow_repeats if name == SLOW else arguments.repeats):
        for tool, done in runs.items():
            done.append(_in_fresh_process(tool, metric))
    theirs, ours = (
        {what: statistics.median(run[what] for run in done) for what in ("cpu", "time", "peak")}
        for done in runs.values()
    )
    ratio = theirs["cpu"] / ours["cpu"]
    is_same = len({run["digest"] for done in runs.values() for run in done}) == 1
    passed = ratio >= aim and is_same
    print(
        f"{name:8}{theirs['cpu']:10.3f}{ours['cpu']:10.3f}{ratio:7.1f}x"
        f"{theirs['time'] / ours['time']:7.1f}x{aim:4}{theirs['peak']:10.0f}{ours['peak']:7.0f}"
        f"   {'all the same' if is_same else 'DIFFERENT'}{'' if passed else ', MISSED'}",
        flush=True,
    )
    return passed


def _in_fresh_process(tool: str, metric: str) -> dict[str, Any]:
    command = [sys.executable, __file__, *sys.argv[1:], "--worker", tool, metric]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def _measure(tool: str, metric: str, arguments: argparse.Namespace) -> dict[str, Any]:
    import numpy as np

    reference, systems = find_texts(arguments)
    score = _sacrebleu(metric) if tool == "sacrebleu" else _mteval(metric)
    cpu, passed = time.process_time(), time.perf_counter()
    rows = score(reference, systems)
    cpu, passed = time.process_time() - cpu, time.perf_counter() - passed
    digest = hashlib.sha256(np.array(rows, dtype=float).tobytes()).hexdigest()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu": cpu, "time": passed, "peak": peak, "digest": digest}


def _sacrebleu(metric: str) -> Callable:
    import sacrebleu

    kinds: dict[str, Callable] = {
        "bleu": lambda **options: sacrebleu.BLEU(force=True, **options),
        "chrf": sacrebleu.CHRF,
        "chrfpp": lambda **options: sacrebleu.CHRF(word_order=2, **options),
        "ter": sacrebleu.TER,
    }

    def score(reference: list[str], systems: list[list[str]]) -> list:
        scorer = kinds[metric](references=[reference])
        found = []
        for system in systems:  # the two halves of corpus_score
            rows = scorer._extract_corpus_statistics(system, None)
            scorer._aggregate_and_compute(rows)
            found.append(rows)
        return found

    return score


def _mteval(metric: str) -> Callable:
    sys.path.insert(0, str(ROOT))
    from metrics.scorers import get_scorer

    def score(reference: list[str], systems: list[list[str]]) -> list:
        scorer = get_scorer(metric)
        found = []
        for system in systems:
            rows = scorer.statistics(system, [reference])
            scorer.score(rows.sum(axis=0))
            found.append(rows)
        return found

    return score


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--slow-repeats", type=int, default=5)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--metrics", nargs="+", choices=METRICS, default=list(METRICS))
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


def _what(arguments: argparse.Namespace) -> str:
    reference, systems = find_texts(arguments)
    n_words = sum(len(text.split()) for text in reference)
    return (
        f"{len(systems)} systems, {len(reference)} segments, {n_words:,} words each; "
        f"median of {arguments.repeats} ({SLOW}: {arguments.slow_repeats})"
    )


if __name__ == "__main__":
    main()
