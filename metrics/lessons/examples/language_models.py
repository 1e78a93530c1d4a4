"""Language models: stupid backoff beside Kneser–Ney, word by word."""

import numpy as np

from metrics.scorers.ngram_lm import NgramLM

from .base import (
    BYRNE,
    OURS,
    ExampleCase,
    ExampleField,
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
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
    """The score of every word that the model knows after the words of ``context``, of one that it
    does not know, and of the end of the sentence."""
    place = len(context.split())
    words = [*model.vocabulary, UNKNOWN]
    scores, texts = model.word_scores([f"{context} {word}" for word in words] + [context])
    starts = np.searchsorted(texts, np.arange(len(words) + 1))
    return dict(zip([*words, END], scores[starts + place].tolist(), strict=True))


BACK_OFF = WorkedExample(
    slug="back-off",
    title="Stupid backoff and Kneser–Ney",
    topic="Language models",
    about="Both fall back to shorter contexts. Only one of them gives probabilities that sum to 1.",
    fields=(
        ExampleField(
            name="text",
            label="Text to learn from",
            kind="lines",
            hint="One sentence on each line.",
            most_lines=20,
        ),
        ExampleField(name="sentence", label="Sentence to score"),
        ExampleField(
            name="context",
            label="Words before the next one",
            hint="What may follow them is summed.",
            optional=True,
        ),
        ExampleField(
            name="order",
            label="Longest runs of words",
            kind="choice",
            choices=tuple((str(n), str(n)) for n in range(1, 6)),
        ),
        ExampleField(
            name="factor",
            label="α of stupid backoff",
            kind="number",
            low=0.01,
            high=0.99,
        ),
    ),
    compute=compute_models,
    guides=("metrics",),
    metrics=("ngram_lm",),
    cases=(
        ExampleCase(
            slug="internet-users",
            title="The number of internet users",
            source=BYRNE,
            values={
                "text": "By 2005 , the number of internet users in the whole country will reach "
                "200 million\n"
                "By 2005 , the number of internet users in China is estimated to be 200 million\n"
                "By 2005 , internet customers across the country is to reach 200 million\n"
                "In 2005 , the internet users in China will total 0.2 billion",
                "sentence": "By 2005 , the number of internet users will reach 200 million",
                "context": "internet users",
                "order": "3",
                "factor": "0.4",
            },
            errata=("The recursion of stupid backoff",),
            remark="The sentences are an example of the lecture, which prints no digits of a "
            "language model.",
        ),
        ExampleCase(
            slug="cats-and-dogs",
            title="Cats and dogs",
            source=OURS,
            values={
                "text": "the cat sleeps\nthe dog sleeps\nthe cat eats",
                "sentence": "the dog eats",
                "context": "dog",
                "order": "2",
                "factor": "0.4",
            },
        ),
    ),
)

EXAMPLES = (BACK_OFF,)
