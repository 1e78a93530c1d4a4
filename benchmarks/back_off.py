"""Errors of the ε-reading of back-off, and the speed of a language model.

    python benchmarks/back_off.py FILE [--sentences 500]

FILE: one sentence per line. Models are trained on all lines except the last ``--sentences``; for
these, the weights with arcs back read as ε are compared with the exact ones. The ε-reading is
computed without building the machine, by the least weights to all contexts word by word.
"""

import argparse
import sys
import time
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--sentences", type=int, default=500)
    arguments = parser.parse_args()
    from metrics.lessons.baselines.machines import LanguageModelStates, train
    from metrics.scorers.tokenizers import get_tokenizer

    encoder = get_tokenizer("13a").encoder
    lines = arguments.file.read_text(encoding="utf-8").lower().splitlines()
    texts = [words for words in (encoder.tokens(line) for line in lines) if words]
    learned, heldout = texts[: -arguments.sentences], texts[-arguments.sentences :]
    print(f"{len(learned)} sentences of {sum(map(len, learned)) / len(learned):.1f} words learned")
    for smoothing in ("kneser-ney", "stupid-backoff"):
        for order in (2, 3):
            model, vocabulary = train(learned, order=order, smoothing=smoothing)
            states = LanguageModelStates(model, vocabulary)
            start = time.perf_counter()
            exact = [states.weight_of(words) for words in heldout]
            seconds = time.perf_counter() - start
            steps = sum(map(len, heldout)) + len(heldout)
            loose = [by_epsilon(model, vocabulary, words) for words in heldout]
            gains = [e - w for e, w in zip(exact, loose, strict=True)]
            assert min(gains) > -1e-6, "ε can only be lighter"
            differing = [gain for gain in gains if gain > 1e-6]
            mean = sum(differing) / len(differing) if differing else 0.0
            print(
                f"{smoothing}, order {order}: {len(differing)} of {len(heldout)} sentences lighter "
                f"by ε, by {mean:.3f} on average; {steps / seconds:,.0f} new steps a second"
            )


def by_epsilon(model, vocabulary, sentence) -> float:
    from metrics.lessons.baselines.machines.ngram_ranks import NgramRanks
    from metrics.scorers.language_model import END, UNKNOWN

    ranks = _RANKS.setdefault(id(model), NgramRanks(model))
    reached = {ranks.start: 0.0}
    for word in [*(vocabulary.get(each, UNKNOWN) for each in sentence), END]:
        after: dict = {}
        for context, total in _closed(ranks, reached).items():
            length, rank, forgotten = context
            found = word if not length else ranks.find(length, rank, word)
            if found < 0:
                continue
            weight = total + ranks.weight(length + 1, found)
            if word == END:
                after[None] = min(weight, after.get(None, inf))
                continue
            arrived = ranks.after(length + 1, found, length + forgotten)
            weight += arrived.forgotten * ranks.unseen
            after[arrived] = min(weight, after.get(arrived, inf))
        reached = after
    return reached[None]


_RANKS: dict = {}


def _closed(ranks, reached: dict) -> dict:
    """Return the contexts with all shorter ones that arcs back lead to."""
    from metrics.lessons.baselines.machines.ngram_ranks import Context

    closed = dict(reached)
    for length in range(ranks.order - 1, 0, -1):
        for context, total in list(closed.items()):
            if context.length == length:
                kept = context.forgotten + 1 if ranks.unseen else 0
                shorter = Context(length - 1, ranks.shorter(length, context.rank), kept)
                weight = total + ranks.backoff(length, context.rank)
                closed[shorter] = min(weight, closed.get(shorter, inf))
    return closed


if __name__ == "__main__":
    main()
