"""Phrase-based translation by composing machines: segmentations and their translations."""

from metrics.lessons.baselines.machines import acceptor_of, paths
from metrics.lessons.baselines.phrase_machines import (
    PhrasePair,
    applied,
    segmentation_transducer,
    translation_transducer,
    uncovered_words,
)

from .base import (
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    cells,
)

MOST_PATHS = 200


def read_pairs(lines: list[str]) -> list[PhrasePair]:
    """Return rows such as "that is the | voila". Raise ValueError with the number of the line."""
    pairs = []
    for number, line in enumerate(lines, start=1):
        phrases = [tuple(side.split()) for side in line.split("|")]
        if len(phrases) != 2 or not all(phrases):
            raise ValueError(f"Line {number}: a row is source | translation.")
        pairs.append(PhrasePair(phrases[0], phrases[1]))
    return pairs


def compute_composition(values: Values) -> ExampleResult:
    words, pairs = values["sentence"].split(), read_pairs(values["rows"])
    sources = {pair.source for pair in pairs}
    segmentations = applied(acceptor_of(words), segmentation_transducer(sources))
    translations = applied(segmentations, translation_transducer(pairs))
    cut, made = (
        sorted(path.outputs for path in paths(machine, limit=MOST_PATHS))
        for machine in (segmentations, translations)
    )
    missing = uncovered_words(words, sources)
    return ExampleResult(
        [
            ResultRow("segmentations", "Segmentations, paths of U", str(len(cut)), "T ∘ S"),
            ResultRow("translations", "Translations, paths of V", str(len(made)), "U ∘ Y"),
        ],
        [
            ResultTable(
                title,
                ["Number", "Phrases"],
                [(str(n), cells(" ".join(p))) for n, p in enumerate(of, 1)],
            )
            for title, of in (("Segmentations", cut), ("Translations", made))
        ],
        [f"No phrase has: {', '.join(missing)}."] if missing else [],
    )
