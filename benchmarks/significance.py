"""Speed and memory of tests between systems, compared with sacreBLEU.

    python benchmarks/significance.py [--systems 10] [--segments 2000] [--repeats 5] [--data DIR]

The job: from the texts of ten systems and a reference to p-values by BLEU and chrF, by paired
bootstrap and by approximate randomization, each with 1,000 and then with 10,000 samples; once more
with 1,000 from precomputed statistics. sacreBLEU (`PairedTest`) tests the first system against the
nine others. mteval tests all 45 pairs, computes intervals, and adjusts the p-values; it cannot do
less. sacreBLEU cannot start from stored statistics, so its side of that line starts from the texts
as well.

A new process for every measurement, the tools in turns, the median of the repeats. The ratio is
that of the processor time of all threads, which other work on the machine disturbs least; the
wall-clock time is printed, too. Peak memory is that of the whole process, interpreter and texts
included. Imports and reading are not timed. Both tools run in one thread: if other work takes a
core, OpenBLAS with several threads wastes many times the cost of a product by waiting for that
core. The figures are compared as well: the scores have to be equal within 1e-9, and the p-values of
sacreBLEU's own two tests, replayed from our statistics, to the last digit.

Ten thousand samples take sacreBLEU minutes: it runs them `--slow-repeats` times.

The texts are generated (texts.py), or come from a folder, one segment per line: reference.txt, and
any other *.txt as a system. From a TSV file with the columns system, line, text:

    awk -F'\\t' 'NR > 1 { print $3 > ($1 ".txt") }' outputs.tsv
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from texts import find_texts

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
METRICS = ("bleu", "chrf")
SEED = 12345
# Name of a line, samples, whether mteval starts from statistics, the least ratio.
LINES = (
    ("1,000 samples, text to p-values", 1000, False, 15),
    ("1,000 samples, from statistics", 1000, True, 100),
    ("10,000 samples, text to p-values", 10_000, False, 40),
)
MOST_MEGABYTES = 200
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def main() -> None:
    arguments = _arguments()
    if arguments.worker:
        tool, samples, is_stored = arguments.worker
        print(json.dumps(_measure(tool, int(samples), is_stored == "stored", arguments)))
        return
    reference, systems = find_texts(arguments)
    print(f"{len(systems)} systems, {len(reference)} segments; BLEU and chrF, both tests; seconds")
    print(f"{'':34}{'sacreBLEU':>18}{'mteval':>18}{'CPU':>8}{'time':>8}{'aim':>7}")
    passed = [_compare(*line, arguments) for line in LINES]
    passed.append(_memory(arguments))
    sys.exit(0 if all(passed) else 1)


def _compare(
    title: str, samples: int, is_stored: bool, aim: int, arguments: argparse.Namespace
) -> bool:
    """Run both tools in turns, print one line, and return whether the target was met."""
    repeats = arguments.repeats if samples <= 1000 else arguments.slow_repeats
    runs: dict[str, list[dict]] = {"sacrebleu": [], "mteval": []}
    for turn in range(max(repeats, arguments.repeats)):
        for tool, done in runs.items():
            if tool == "mteval" or turn < repeats:
                done.append(_in_fresh_process(tool, samples, is_stored))
    theirs, ours = (_median(done) for done in runs.values())
    found = [done[0]["found"] for done in runs.values()]
    is_same = _is_same(*found)
    ratio = theirs["cpu"] / ours["cpu"]
    is_met = ratio >= aim and is_same
    print(
        f"{title:34}{theirs['cpu']:10.2f} ({theirs['time']:.1f}){ours['cpu']:10.3f} "
        f"({ours['time']:.2f}){ratio:7.0f}x{theirs['time'] / ours['time']:7.0f}x"
        f"{aim:6}x  {'pass' if is_met else 'FAIL'}{'' if is_same else ': figures differ'}",
        flush=True,
    )
    return is_met


def _memory(arguments: argparse.Namespace) -> bool:
    """Print the peak memory of the largest job: all of ours, and sacreBLEU with only two
    systems."""
    ours = _in_fresh_process("mteval", 10_000, False)["megabytes"]
    theirs = _in_fresh_process("sacrebleu-two", 10_000, False)["megabytes"]
    is_met = ours <= MOST_MEGABYTES
    print(
        f"peak memory, 10,000 samples: mteval {ours:.0f} MB, sacreBLEU with two systems "
        f"{theirs:.0f} MB; aim {MOST_MEGABYTES} MB  {'pass' if is_met else 'FAIL'}"
    )
    return is_met


def _median(runs: list[dict]) -> dict[str, float]:
    return {name: statistics.median(run[name] for run in runs) for name in ("cpu", "time")}


def _is_same(theirs: dict, ours: dict) -> bool:
    close = all(abs(a - b) < 1e-9 for a, b in zip(theirs["scores"], ours["scores"], strict=True))
    return close and theirs["p_values"] == ours["p_values"]


def _in_fresh_process(tool: str, samples: int, is_stored: bool) -> dict:
    where = "stored" if is_stored else "texts"
    command = [sys.executable, __file__, *sys.argv[1:], "--worker", tool, str(samples), where]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=os.environ | ONE_THREAD)
    return json.loads(done.stdout)


def _measure(tool: str, samples: int, is_stored: bool, arguments: argparse.Namespace) -> dict:
    reference, systems = find_texts(arguments)
    if tool == "sacrebleu-two":
        systems = systems[:2]
    measure = _mteval if tool == "mteval" else _sacrebleu
    return measure(reference, systems, samples, is_stored)


def _sacrebleu(
    reference: list[str], systems: list[list[str]], samples: int, is_stored: bool
) -> dict:
    """Run both tests like the command line: one `PairedTest` for all metrics."""
    from sacrebleu import BLEU, CHRF
    from sacrebleu.significance import PairedTest

    named: list[tuple[str, Sequence[str]]] = [
        (str(number), system) for number, system in enumerate(systems)
    ]
    start = time.perf_counter(), time.process_time()
    found: list[dict[str, Any]] = []
    for test in ("bs", "ar"):
        metrics = {"BLEU": BLEU(references=[reference]), "chrF2": CHRF(references=[reference])}
        _, results = PairedTest(named, metrics, None, test_type=test, n_samples=samples)()
        found.append(results)
    measured = _since(*start)
    rows = [result for results in found for name in ("BLEU", "chrF2") for result in results[name]]
    p_values = [row.p_value for row in rows if row.p_value is not None]
    return {**measured, "found": {"scores": [row.score for row in rows], "p_values": p_values}}


def _mteval(reference: list[str], systems: list[list[str]], samples: int, is_stored: bool) -> dict:
    import numpy as np

    from metrics.scorers import get_scorer
    from metrics.stats.pairs import compare_all

    start = time.perf_counter(), time.process_time()
    scorers = [get_scorer(metric) for metric in METRICS]
    statistics_of = [
        np.array([scorer.statistics(system, [reference]) for system in systems])
        for scorer in scorers
    ]
    if is_stored:
        start = time.perf_counter(), time.process_time()
    for scorer, stats in zip(scorers, statistics_of, strict=True):
        rng = np.random.default_rng(SEED)
        compare_all(scorer, stats, rng=rng, resamples=samples, trials=samples)
    measured = _since(*start)
    return {**measured, "found": _replayed(scorers, statistics_of, samples)}


def _replayed(scorers: list, statistics_of: list, samples: int) -> dict:
    """Return sacreBLEU's results with its seed, from our statistics; to compare, not timed."""
    import numpy as np

    from tests.metrics.stats.replay import replay_sacrebleu

    rows = [
        row
        for test in ("bs", "ar")
        for scorer, stats in zip(scorers, statistics_of, strict=True)
        for row in replay_sacrebleu(
            scorer, stats, rng=np.random.default_rng(SEED), test=test, samples=samples
        )
    ]
    p_values = [row.p_value for row in rows if not np.isnan(row.p_value)]
    return {"scores": [row.score for row in rows], "p_values": p_values}


def _since(wall: float, cpu: float) -> dict[str, float]:
    return {
        "time": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--slow-repeats", type=int, default=1, help="of sacreBLEU, 10,000 samples")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
