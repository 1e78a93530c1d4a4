"""The steps of the page in words, each with its drawing and its arcs."""

from typing import NamedTuple

from django.utils.translation import gettext_lazy, ngettext

from metrics.baselines.machines import Machine

from .drawing import MachineDrawing, can_be_drawn, drawing_of, weight_words
from .steps import SourceSide, TargetSide

MOST_ROWS = 150
# The letters are the lecture's; V2 and L are ours.
TITLES = {
    "T": gettext_lazy("The sentence"),
    "S": gettext_lazy("Words become phrases"),
    "U": gettext_lazy("The sentence in phrases"),
    "Y": gettext_lazy("The phrase table"),
    "V": gettext_lazy("Translations, phrase by phrase"),
    "V2": gettext_lazy("Phrases change places"),
    "W": gettext_lazy("Words instead of phrases"),
    "L": gettext_lazy("The language model is composed"),
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
        "A language model is an acceptor as well: a state for each context, an arc for each "
        "n-gram, and an arc back to the shorter context. Composed with W, its weights are added to "
        "every sentence."
    ),
}
FORMULAS = {
    "U": "U = minimize (remove ε (project (T ∘ S)))",
    "V": "V = minimize (remove ε (project (U ∘ Y)))",
    "V2": "V₂ = minimize (remove ε (project (U ∘ R ∘ Y)))",
    "W": "W = minimize (remove ε (project (V₂ ∘ spelling)))",
    "L": "W ∘ L",
}


class ArcRow(NamedTuple):
    """Of the table beside a drawing; ``reads`` and ``writes`` with ε written out."""

    state: int
    reads: str
    writes: str
    weight: str
    next: int


class MachineStep(NamedTuple):
    """``letter``: what the lecture calls it, used in ids; ``drawing``: None if it is too large;
    ``ends``: (final state, weight)."""

    letter: str
    finding: str
    size: str
    drawing: MachineDrawing | None
    rows: list[ArcRow]
    n_more: int
    ends: list[tuple[int, str]]

    @property
    def title(self) -> str:
        return str(TITLES[self.letter])

    @property
    def text(self) -> str:
        return str(TEXTS[self.letter])

    @property
    def formula(self) -> str:
        return FORMULAS.get(self.letter, "")


def step(letter: str, finding: str, machine: Machine) -> MachineStep:
    rows = [
        ArcRow(state, arc.input or "ε", arc.output or "ε", weight_words(arc.weight), arc.next)
        for state, arc in machine.all_arcs()
    ]
    states = ngettext("%(n)s state", "%(n)s states", len(machine)) % {"n": len(machine)}
    arcs = ngettext("%(n)s arc", "%(n)s arcs", len(rows)) % {"n": len(rows)}
    return MachineStep(
        letter,
        finding,
        f"{states}, {arcs}",
        drawing_of(machine) if can_be_drawn(machine) else None,
        rows[:MOST_ROWS],
        max(0, len(rows) - MOST_ROWS),
        [(state, weight_words(weight) or "0") for state, weight in sorted(machine.finals.items())],
    )


def source_steps(source: SourceSide) -> list[MachineStep]:
    """The steps of the lecture."""
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
    """The steps after it: other orders, words, a language model."""
    orders = ngettext("%(n)s order of phrases", "%(n)s orders of phrases", target.n_orders) % {
        "n": target.n_orders
    }
    sentences = ngettext(
        "%(n)s different sentence", "%(n)s different sentences", target.n_sentences
    ) % {"n": target.n_sentences}
    found = [
        step("V2", f"{orders}, {sequences(target.n_sequences)}", target.moved),
        step("W", sentences, target.words),
    ]
    if target.language_model:
        size = len(target.language_model.acceptor)
        model = ngettext(
            "The model has %(n)s state and is not drawn itself",
            "The model has %(n)s states and is not drawn itself",
            size,
        ) % {"n": size}
        found.append(step("L", model, target.language_model.machine))
    return found
