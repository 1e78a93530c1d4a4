"""Language models: stupid backoff beside Kneser–Ney, word by word."""

import numpy as np

from metrics.scorers.ngram_lm import NgramLM

from .base import (
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    cells,
    shown,
)

END = "</s>"
# A word that no text has: half of it is a character for private use.
UNKNOWN = "\ue001unknown"
MODELS = (("stupid-backoff", "Stupid backoff"), ("kneser-ney", "Kneser–Ney"))


def compute_models(values: Values) -> ExampleResult:
    sentence, context = values["sentence"], values["context"]
    order = int(values["order"])
    scores, rows = [], []
    for smoothing, name in MODELS:
        model = NgramLM(order=order, smoothing=smoothing, backoff=values["factor"], tokenize="none")
        model.train(values["text"])
        of_words, _ = model.word_scores([sentence])
        scores.append(of_words)
        follows = distribution(model, context)
        rows += [
            ResultRow(
                f"{smoothing}-sum",
                f"{name}: sum over all that can follow “{context or '<s>'}”",
                float(sum(follows.values())),
                "probabilities" if smoothing == "kneser-ney" else "scores, no probabilities",
            ),
            ResultRow(
                f"{smoothing}-sentence",
                f"{name}: score of the sentence",
                float(np.log10(of_words).sum()),
                "sum of log₁₀",
            ),
        ]
    words = [*sentence.split(), END]
    lines = []
    for place, word in enumerate(words):
        before = words[max(0, place - order + 1) : place]
        history = " ".join((["<s>"] if place < order - 1 else []) + before)
        lines.append(
            (word, cells(history or "–", *(shown(float(each[place]), 4) for each in scores)))
        )
    table = ResultTable("Word by word", ["Word", "After", *(name for _, name in MODELS)], lines)
    return ExampleResult(rows, [table])


def distribution(model: NgramLM, context: str) -> dict[str, float]:
    """Return the score of every word that the model knows after the words of ``context``, of one
    that it does not know, and of the end of the sentence."""
    place = len(context.split())
    words = [*model.vocabulary, UNKNOWN]
    scores, texts = model.word_scores([f"{context} {word}" for word in words] + [context])
    starts = np.searchsorted(texts, np.arange(len(words) + 1))
    return dict(zip([*words, END], scores[starts + place].tolist(), strict=True))
