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
    BYRNE,
    ExampleCase,
    ExampleField,
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
    cells,
)
from .phrases import TOPIC

MOST_PATHS = 200
ROWS = """that is the | voila
these are the | voila
these are | voila
those are | voila
that is the | qui est
that is the | qui est le
fundamental problem | probleme fondamental
the fundamental problem | probleme fondamental
fundamental problem | le probleme fondamental
fundamental problem | la difficulte fondamental
the fundamental problem | le probleme fondamental
who is | qui est
it is | qui est le
it is the | qui est le"""


def read_pairs(lines: list[str]) -> list[PhrasePair]:
    """Rows such as "that is the | voila". Raises ValueError with the number of the line."""
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


COMPOSITION = WorkedExample(
    slug="phrase-translation",
    title="Phrase-based translation by composition",
    topic=TOPIC,
    about="A sentence is cut into the phrases of a table in every way, and each phrase is "
    "translated in every way, without reordering.",
    fields=(
        ExampleField(name="sentence", label="Sentence", most_words=15),
        ExampleField(
            name="rows",
            label="Phrase table",
            kind="lines",
            hint="On each line source | translation.",
            most_words=16,
            most_lines=25,
        ),
    ),
    compute=compute_composition,
    guides=("transducers",),
    pages=("transducers",),
    cases=(
        ExampleCase(
            slug="fundamental-problem",
            title="That is the fundamental problem",
            source=BYRNE,
            values={"sentence": "that is the fundamental problem", "rows": ROWS},
            remark="The lecture draws the machines T, S, U, Y and V, and prints no numbers.",
        ),
    ),
)

EXAMPLES = (COMPOSITION,)
