"""Speed of NIST and METEOR, compared with NLTK.

    python benchmarks/nist_meteor.py [--systems 10] [--segments 2000] [--repeats 5] [--data DIR]

Both tools score the same systems against the same reference in one run: a new process for every
measurement, the tools in turns, the median of the repeats. Measures processor time of all threads
and wall-clock time, from texts to scores, and the peak memory of the process. Import, reading the
texts and opening WordNet are not measured. NLTK takes tokens; they come from sacreBLEU's tokenizer
13a, which mteval also uses.

Where the two compute the same, their scores are compared as well: NIST of every system; METEOR of
every segment, with NLTK's alignment, synonyms and parameters and the same stemmer. The last line
compares both with their defaults: NLTK with its Porter stemmer in Python, mteval with the longest
runs linked first and the parameters of METEOR 1.5.

The texts are generated, or come from a folder (see texts.py). WordNet knows few of the generated
words, so real English texts are the better test of METEOR. Without WordNet there are no synonyms.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from texts import find_texts

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

AS_NLTK = {"parameters": "2005", "alignment": "greedy", "synonyms": "listed"}
# Title → metric, our options, whether the scores are equal, the least ratio.
LINES: dict[str, tuple[str, dict, bool, float]] = {
    "NIST": ("nist", {}, True, 5.0),
    "METEOR, same figures": ("meteor", AS_NLTK, True, 5.0),
    "METEOR, as each comes": ("meteor", {}, False, 5.0),
}
# Words of a reference; with longer ones METEOR only has to be no slower than NLTK.
SENTENCE = 40
TOOLS = ("nltk", "mteval")


def main() -> None:
    arguments = _arguments()
    if arguments.worker:
        tool, title = arguments.worker
        print(json.dumps(_measure(tool, title, arguments)))
        return
    reference, systems = find_texts(arguments)
    n_words = sum(len(text.split()) for text in reference)
    print(
        f"{len(systems)} systems, {len(reference)} segments, {n_words} words each, "
        f"median of {arguments.repeats}, {'with' if _wordnet() else 'without'} WordNet"
    )
    print(
        f"{'':24}{'CPU s':>8}{'':8}{'':8}{'clock s':>9}{'':9}{'':8}{'MB':>6}{'':6}\n{'':24}"
        f"{'NLTK':>8}{'mteval':>8}{'ratio':>8}{'NLTK':>9}{'mteval':>9}{'ratio':>8}"
        f"{'NLTK':>6}{'mteval':>7}   largest difference"
    )
    if n_words / len(reference) > SENTENCE:
        for title, line in LINES.items():
            LINES[title] = (*line[:3], 1.0 if line[0] == "meteor" else line[3])
    if not all([_compare(title, arguments) for title in LINES]):  # noqa: C419  runs them all
        sys.exit("A ratio is below its threshold, or scores differ.")


def _compare(title: str, arguments: argparse.Namespace) -> bool:
    """Run both tools in turns, print one line, and return whether the limit is met."""
    _, _, same, threshold = LINES[title]
    runs: dict[str, list[dict]] = {tool: [] for tool in TOOLS}
    for _ in range(arguments.repeats):
        for tool in TOOLS:
            command = [sys.executable, __file__, *sys.argv[1:], "--worker", tool, title]
            done = subprocess.run(command, check=True, capture_output=True)
            runs[tool].append(json.loads(done.stdout))
    theirs, ours = (
        {
            what: statistics.median(run[what] for run in runs[tool])
            for what in ("cpu", "clock", "mb")
        }
        for tool in TOOLS
    )
    scores = [runs[tool][0]["scores"] for tool in TOOLS]
    difference = max(abs(a - b) for a, b in zip(*scores, strict=True))
    ratio = theirs["cpu"] / ours["cpu"]
    passed = ratio >= threshold and (not same or difference < 1e-9)
    verdict = f"{'pass' if passed else 'FAIL'} (at least {threshold:g}x)"
    print(
        f"{title:24}{theirs['cpu']:8.2f}{ours['cpu']:8.2f}{ratio:7.1f}x"
        f"{theirs['clock']:9.2f}{ours['clock']:9.2f}{theirs['clock'] / ours['clock']:7.1f}x"
        f"{theirs['mb']:6.0f}{ours['mb']:7.0f}   "
        f"{f'{difference:.1e}' if same else 'other figures by design'}   {verdict}",
        flush=True,
    )
    return passed


def _measure(tool: str, title: str, arguments: argparse.Namespace) -> dict:
    metric, options, _, _ = LINES[title]
    texts = find_texts(arguments)
    scores, cpu, clock = (
        _mteval(metric, options, *texts)
        if tool == "mteval"
        else _nltk_nist(*texts)
        if metric == "nist"
        else _nltk_meteor(bool(options), *texts)
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"scores": scores, "cpu": cpu, "clock": clock, "mb": peak}


Timed = tuple[list[float], float, float]


def _mteval(metric: str, options: dict, reference: list[str], systems: list[list[str]]) -> Timed:
    from metrics.scorers import get_scorer

    _wordnet()  # is opened once per process
    get_scorer(metric, **options).statistics(["a"], [["a"]])  # imports what is imported on use
    scores: list[float] = []
    clock, cpu = time.perf_counter(), time.process_time()
    scorer = get_scorer(metric, **options)
    for system in systems:
        stats = scorer.statistics(system, [reference])
        if metric == "nist":
            scores.append(float(scorer.score(stats.sum(axis=0))))
        else:
            scores += scorer.segment_scores(stats).tolist()
    return scores, time.process_time() - cpu, time.perf_counter() - clock


def _nltk_nist(reference: list[str], systems: list[list[str]]) -> Timed:
    from nltk.translate.nist_score import corpus_nist

    tokens = _tokenizer()
    clock, cpu = time.perf_counter(), time.process_time()
    lists = [[words] for words in map(tokens, reference)]
    scores = [corpus_nist(lists, list(map(tokens, system))) for system in systems]
    return scores, time.process_time() - cpu, time.perf_counter() - clock


def _nltk_meteor(same_stemmer: bool, reference: list[str], systems: list[list[str]]) -> Timed:
    import Stemmer
    from nltk.stem.porter import PorterStemmer
    from nltk.translate.meteor_score import meteor_score

    class Snowball:
        stem = Stemmer.Stemmer("english").stemWord

    class NoWordNet:
        def synsets(self, word: str) -> list:
            return []

    options = {"stemmer": Snowball() if same_stemmer else PorterStemmer(), "wordnet": NoWordNet()}
    tokens = _tokenizer()
    with tempfile.TemporaryDirectory() as folder:
        if _wordnet():
            from tests.metrics.scorers.nltk_wordnet import open_with_nltk

            options["wordnet"] = open_with_nltk(Path(folder))
        clock, cpu = time.perf_counter(), time.process_time()
        lists = [[words] for words in map(tokens, reference)]
        scores = [
            meteor_score(references, tokens(text), **options)
            for system in systems
            for references, text in zip(lists, system, strict=True)
        ]
        return scores, time.process_time() - cpu, time.perf_counter() - clock


def _tokenizer() -> Callable[[str], list[str]]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize = Tokenizer13a()
    return lambda text: tokenize(text).split()


def _wordnet() -> bool:
    from metrics.scorers.wordnet import FOLDER, WordNet, find_wordnet

    found = find_wordnet()
    # NLTK gets a copy of Debian's files, so both have to read these.
    return isinstance(found, WordNet) and (FOLDER / "index.noun").exists()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
