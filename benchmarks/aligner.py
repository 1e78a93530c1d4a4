"""Speed and memory of word linking, compared with fast_align.

    python benchmarks/aligner.py [--segments 1000] [--words 25] [--repeats 5] [--data FILE]

Both tools learn from the same lines in one run, in turns, with a new process for every measurement:
from lists of words to links, both directions, grow-diag-final-and (fast_align, in systran-align,
computes one of the two itself). Prints the median seconds of each, their ratio, and the peak memory
of the process. The lines are generated (words by Zipf's law, a translation of each word, some moved
and left out), or come from a file of `source ||| target`.
"""

import argparse
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TOOLS = ("mteval", "fast_align")


def main() -> None:
    arguments = _arguments()
    if arguments.worker:
        print(*_measure(arguments.worker, arguments.data))
        return
    with tempfile.TemporaryDirectory() as folder:
        lines = arguments.data or _made_up(Path(folder) / "lines", arguments)
        pairs = _read(lines)
        n_words = sum(map(len, pairs[0])) / len(pairs[0])
        print(f"{len(pairs[0])} segments of {n_words:.0f} words, median of {arguments.repeats}")
        found: dict[str, list[tuple[float, float]]] = {tool: [] for tool in TOOLS}
        for _ in range(arguments.repeats):
            for tool in TOOLS:
                found[tool].append(_run(tool, lines))
    seconds = {}
    for tool, rows in found.items():
        seconds[tool] = statistics.median(row[0] for row in rows)
        memory = max(row[1] for row in rows)
        print(f"{tool:12} {seconds[tool]:7.2f} s  {memory:6.0f} MB")
    print(f"fast_align takes {seconds['fast_align'] / seconds['mteval']:.2f} of our time")


def _run(tool: str, lines: Path) -> tuple[float, float]:
    command = [sys.executable, __file__, "--worker", tool, "--data", str(lines)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, memory = map(float, said.split())
    return seconds, memory


def _measure(tool: str, lines: Path) -> tuple[float, float]:
    """Return seconds of wall-clock time and megabytes."""
    sources, targets = _read(lines)
    learn = _ours if tool == "mteval" else _theirs
    began = time.perf_counter()
    learn(sources, targets, lines)
    seconds = time.perf_counter() - began
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _ours(sources, targets, lines) -> None:
    from metrics.lessons.baselines.aligner import align

    align(sources, targets)


def _theirs(sources, targets, lines) -> None:
    import systran_align

    with tempfile.TemporaryDirectory() as folder:
        learned = [f"{folder}/{name}" for name in ("forward", "backward")]
        systran_align.generate_alignment_probabilities(str(lines), *learned, favor_diagonal=True)
        aligner = systran_align.Aligner(*learned)
        for source, target in zip(sources, targets, strict=True):
            aligner.align(source, target)


def _read(lines: Path) -> tuple[list[list[str]], list[list[str]]]:
    pairs = [line.split(" ||| ") for line in lines.read_text(encoding="utf-8").splitlines()]
    return [pair[0].split() for pair in pairs], [pair[1].split() for pair in pairs]


def _made_up(path: Path, arguments: argparse.Namespace) -> Path:
    rng = random.Random(15)
    words = range(1, 20_001)
    cumulative = list(accumulate(1 / rank for rank in words))
    with path.open("w", encoding="utf-8") as out:
        for _ in range(arguments.segments):
            n = max(1, round(rng.gauss(arguments.words, arguments.words / 4)))
            source = rng.choices(words, cum_weights=cumulative, k=n)
            kept = [(k + rng.gauss(0, 1), word) for k, word in enumerate(source)]
            kept = [each for each in kept if rng.random() > 0.05] or kept
            target = [f"t{word}" for _, word in sorted(kept)]
            out.write(f"{' '.join(f's{word}' for word in source)} ||| {' '.join(target)}\n")
    return path


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--segments", type=int, default=1000)
    parser.add_argument("--words", type=int, default=25)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--worker", choices=TOOLS, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
