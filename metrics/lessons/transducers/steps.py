"""The machines from a sentence to its best translations, and what can be counted in them."""

from typing import NamedTuple

from metrics.lessons.baselines.machines import Machine, acceptor_of, n_paths
from metrics.lessons.baselines.phrase_machines import (
    Phrase,
    PhrasePair,
    applied,
    label_of,
    phrases_in,
    reordered,
    segmentation_transducer,
    spelling_transducer,
    translation_transducer,
    uncovered_words,
)

from .language_model_step import WeighedWords, weighed

# The page is open to everybody, so an exercise may not take long.
MOST_STATES_MADE = 3_000


class Exercise(NamedTuple):
    """What is translated with what. ``window``: how many places before its turn a phrase may come;
    ``waiting_cost``: what every phrase weighs that has to wait; ``text``: the sentences that the
    language model learns from; ``n``: so many best sentences."""

    sentence: Phrase
    pairs: tuple[PhrasePair, ...]
    window: int
    waiting_cost: float
    text: tuple[Phrase, ...]
    order: int
    smoothing: str
    n: int


class SourceSide(NamedTuple):
    """The steps of the lecture. ``n_phrases``: of the table, in the sentence; ``n_rows``: of the
    table, for phrases of U; ``missing``: words of the sentence that no row covers."""

    t: Machine
    s: Machine
    u: Machine
    y: Machine
    v: Machine
    n_phrases: int
    n_rows: int
    n_segmentations: int
    n_sequences: int
    missing: list[str]


class TargetSide(NamedTuple):
    """The steps after it. ``language_model``: None without a text to learn from."""

    moved: Machine
    words: Machine
    n_sources: int
    n_sequences: int
    n_sentences: int
    language_model: WeighedWords | None


def source_side(exercise: Exercise) -> SourceSide:
    """From the sentence to its translations phrase by phrase, in the order of the source."""
    sentence, pairs = exercise.sentence, exercise.pairs
    held = phrases_in(sentence, {pair.source for pair in pairs})
    t, s = acceptor_of(sentence), segmentation_transducer(held)
    u = applied(t, s)
    rows = rows_for(u, pairs)
    y = translation_transducer(rows)
    v = applied(u, y)
    missing = [] if v.finals else uncovered_words(sentence, held)
    return SourceSide(t, s, u, y, v, len(held), len(rows), n_paths(u), n_paths(v), missing)


def rows_for(u: Machine, pairs: tuple[PhrasePair, ...]) -> list[PhrasePair]:
    """Return the rows of a table for the phrases of an acceptor."""
    used = {arc.output for _, arc in u.all_arcs()}
    return [pair for pair in pairs if label_of(pair.source) in used]


def target_side(exercise: Exercise, source: SourceSide) -> TargetSide:
    """Return other orders of the phrases, words instead of phrases, and a language model.

    Raises ValueError if the machines become too large.
    """
    moved = reordered(source.u, exercise.window, exercise.waiting_cost, max_states=MOST_STATES_MADE)
    v = applied(moved, source.y)
    phrases = {pair.target for pair in rows_for(source.u, exercise.pairs)}
    words = applied(v, spelling_transducer(phrases))
    model = None
    if exercise.text:
        model = weighed(
            words,
            list(exercise.text),
            order=exercise.order,
            smoothing=exercise.smoothing,
            n=exercise.n,
            max_states=MOST_STATES_MADE,
        )
    return TargetSide(v, words, n_paths(moved), n_paths(v), n_paths(words), model)
