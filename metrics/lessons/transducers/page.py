"""The steps of the page in words, each with its drawing and its arcs."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from metrics.lessons.baselines.lecture_example import FORMULAS
from metrics.lessons.baselines.machines import Machine

from .drawing import MOST_STATES, MachineDrawing, can_be_drawn, drawing_of, weight_words
from .steps import SourceSide, TargetSide

MOST_ROWS = 150
# A machine with a column for every state, as a language model is drawn, is soon a tangle.
MOST_COLUMNS = 10
# The letters are the lecture's; V2, W and L are ours.
TITLES = {
    "T": gettext_lazy("The sentence"),
    "S": gettext_lazy("Words become phrases"),
    "U": gettext_lazy("The sentence in phrases"),
    "Y": gettext_lazy("The phrase table"),
    "V": gettext_lazy("Translations, phrase by phrase"),
    "V2": gettext_lazy("Phrases change places"),
    "W": gettext_lazy("Words instead of phrases"),
    "L": gettext_lazy("A language model"),
    "WL": gettext_lazy("The words, weighed by the language model"),
}
TEXTS = {
    "T": gettext_lazy(
        "An acceptor: one path, an arc for each word. It begins in the bold state and ends in the "
        "one with two circles."
    ),
    "S": gettext_lazy(
        "A transducer: it reads the words of a phrase of the table, writes ε, the empty string, "
        "and with the last word the phrase; then it is back at the start."
    ),
    "U": gettext_lazy(
        "T and S are composed: what T writes, S reads. Of the result the output is kept "
        "(projection), arcs of ε are removed, and states from which the same follows are joined."
    ),
    "Y": gettext_lazy(
        "A transducer with one state and an arc for each row. The weight of an arc is the negative "
        "natural logarithm of the row’s probability; without probabilities it is 0."
    ),
    "V": gettext_lazy(
        "U and Y are composed, and the output is kept. The phrases stand in the order of the "
        "source, and nothing knows yet which of them go together."
    ),
    "V2": gettext_lazy(
        "A reordering transducer R lets a phrase come before its turn; each phrase that waits for "
        "it has a weight. R is composed with U, then Y as before."
    ),
    "W": gettext_lazy(
        "A transducer that reads phrases and writes their words is composed with V₂. Sequences of "
        "phrases with the same words become one path."
    ),
    "L": gettext_lazy(
        "An acceptor as well: a state for each context, whose words stand below it, and an arc for "
        "each n-gram. Where a word has no arc, φ leads back to the shorter context, at last to "
        "that of no words (∅), where every word has one."
    ),
    "WL": gettext_lazy(
        "W and the model are composed, and its weights are added to every sentence. Words that "
        "were one state are parted where their contexts differ."
    ),
}


class ArcRow(NamedTuple):
    """Of the table beside a drawing; ``reads`` and ``writes`` with ε written out."""

    state: int
    reads: str
    writes: str
    weight: str
    next: int


class StepWords(NamedTuple):
    """What is said of a step. ``letter``: a short name for it, used in ids."""

    letter: str
    title: str
    text: str
    formula: str = ""


class MachineStep(NamedTuple):
    """``drawing``: None if it is too large; ``ends``: (final state, weight)."""

    words: StepWords
    finding: str
    size: str
    drawing: MachineDrawing | None
    rows: list[ArcRow]
    n_more: int
    ends: list[tuple[int, str]]

    @property
    def symbol(self) -> str:
        return {"V2": "V₂", "WL": "W ∘ L"}.get(self.words.letter, self.words.letter)


def step(
    letter: str,
    finding: str,
    machine: Machine,
    names: Sequence[str] = (),
    columns: Sequence[int] | None = None,
) -> MachineStep:
    """Return a step of this page."""
    words = StepWords(letter, str(TITLES[letter]), str(TEXTS[letter]), FORMULAS.get(letter, ""))
    return machine_step(words, finding, machine, names, columns)


def machine_step(
    words: StepWords,
    finding: str,
    machine: Machine,
    names: Sequence[str] = (),
    columns: Sequence[int] | None = None,
) -> MachineStep:
    rows = [
        ArcRow(
            state,
            arc.input.strip() or "ε",
            arc.output.strip() or "ε",
            weight_words(arc.weight),
            arc.next,
        )
        for state, arc in machine.all_arcs()
    ]
    drawing = None
    if can_be_drawn(machine, MOST_COLUMNS if columns else MOST_STATES):
        drawing = drawing_of(machine, names, columns)
    states = ngettext("%(n)s state", "%(n)s states", len(machine)) % {"n": len(machine)}
    arcs = ngettext("%(n)s arc", "%(n)s arcs", len(rows)) % {"n": len(rows)}
    return MachineStep(
        words,
        finding,
        f"{states}, {arcs}",
        drawing,
        rows[:MOST_ROWS],
        max(0, len(rows) - MOST_ROWS),
        [(state, weight_words(weight) or "0") for state, weight in sorted(machine.finals.items())],
    )


def source_steps(source: SourceSide) -> list[MachineStep]:
    """Return the steps of the lecture."""
    words = ngettext("%(n)s word", "%(n)s words", source.t.n_arcs) % {"n": source.t.n_arcs}
    phrases = ngettext(
        "%(n)s phrase of the table stands in the sentence; others cannot be used",
        "%(n)s phrases of the table stand in the sentence; others cannot be used",
        source.n_phrases,
    ) % {"n": source.n_phrases}
    segmentations = ngettext(
        "%(n)s segmentation", "%(n)s segmentations", source.n_segmentations
    ) % {"n": source.n_segmentations}
    rows = ngettext("%(n)s row for phrases of U", "%(n)s rows for phrases of U", source.n_rows) % {
        "n": source.n_rows
    }
    return [
        step("T", words, source.t),
        step("S", phrases, source.s),
        step("U", segmentations, source.u),
        step("Y", rows, source.y),
        step("V", sequences(source.n_sequences), source.v),
    ]


def sequences(n: int) -> str:
    return ngettext("%(n)s target sequence", "%(n)s target sequences", n) % {"n": n}


def target_steps(target: TargetSide) -> list[MachineStep]:
    """Return the steps after it: other orders, words, a language model."""
    sources = ngettext("%(n)s source sequence", "%(n)s source sequences", target.n_sources) % {
        "n": target.n_sources
    }
    sentences = ngettext(
        "%(n)s different sentence", "%(n)s different sentences", target.n_sentences
    ) % {"n": target.n_sentences}
    found = [
        step("V2", f"{sources}, {sequences(target.n_sequences)}", target.moved),
        step("W", sentences, target.words),
    ]
    model = target.language_model
    if model:
        states = ngettext("%(n)s state", "%(n)s states", model.n_states) % {"n": model.n_states}
        part = _("%(states)s; here is what reads the words of the best sentence")
        found += [
            step("L", part % {"states": states}, model.acceptor, model.contexts, model.columns),
            step("WL", sentences, model.machine),
        ]
    return found
