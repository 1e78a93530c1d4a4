"""Phrase-based translation by composing machines, one step after the other, as it is taught.

A sentence T and a transducer S that puts words together to phrases give the acceptor U of the
sentence's segmentations into phrases; U and the transducer Y of the phrase table give the acceptor
V of the translations, phrase by phrase, in the order of the source. Reordering, words instead of
phrases and a language model follow. Kumar, Deng and Byrne 2006 (A weighted finite state transducer
translation template model for statistical machine translation); Kumar and Byrne 2005 (Local phrase
reordering models), whose orders of a window of one are a part of those here.

A phrase is a tuple of words; its label in machines is its words joined by "_".
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from .machines import (
    EPSILON,
    Machine,
    compose,
    connect,
    determinize,
    minimize,
    project,
    remove_epsilon,
)
from .machines.machine import Side

Phrase = tuple[str, ...]


class PhrasePair(NamedTuple):
    """``weight``: the negative logarithm of the translation's probability, 0 without one."""

    source: Phrase
    target: Phrase
    weight: float = 0.0


def label_of(phrase: Phrase) -> str:
    return "_".join(phrase)


def segmentation_transducer(phrases: Iterable[Phrase]) -> Machine:
    """S: reads the words of phrases, any number of them, and writes each phrase with its last word.
    Phrases that begin alike share their first states."""
    machine = Machine()
    machine.end_in(0)
    states: dict[Phrase, int] = {(): 0}
    for phrase in sorted(set(phrases)):
        for n, word in enumerate(phrase[:-1], start=1):
            if phrase[:n] not in states:
                states[phrase[:n]] = machine.add_state()
                before = states[phrase[: n - 1]]
                machine.add_arc(before, word, EPSILON, 0.0, states[phrase[:n]])
        machine.add_arc(states[phrase[:-1]], phrase[-1], label_of(phrase), 0.0, 0)
    return machine


def translation_transducer(pairs: Iterable[PhrasePair]) -> Machine:
    """Y: one state, and an arc for every row of the phrase table."""
    machine = Machine()
    machine.end_in(0)
    for source, target, weight in pairs:
        machine.add_arc(0, label_of(source), label_of(target), weight, 0)
    return machine


def spelling_transducer(phrases: Iterable[Phrase]) -> Machine:
    """Reads phrases and writes their words."""
    machine = Machine()
    machine.end_in(0)
    for phrase in sorted(set(phrases)):
        state = 0
        read = label_of(phrase)
        for word in phrase[:-1]:
            after = machine.add_state()
            machine.add_arc(state, read, word, 0.0, after)
            state, read = after, EPSILON
        machine.add_arc(state, read, phrase[-1], 0.0, 0)
    return machine


def applied(first: Machine, second: Machine, side: Side = "output") -> Machine:
    """Return composed, projected, without ε, determinized and minimized: the smallest acceptor of
    what the second machine makes of the first. Where determinizing would make it too large, it is
    left."""
    acceptor = remove_epsilon(project(connect(compose(first, second)), side))
    with suppress(ValueError):
        acceptor = determinize(acceptor, max_states=2_000)
    return minimize(acceptor)


# What was read and waits, or was written already (None), from the first phrase that waits on.
_Waiting = tuple[str | None, ...]


def reordered(
    acceptor: Machine, window: int, cost: float = 0.0, *, max_states: int = 50_000
) -> Machine:
    """Return the strings of an acceptor in all orders in which a label is written at most
    ``window`` places before its turn; each label that has to wait costs ``cost``.

    This is the composition with a reordering transducer whose states are the labels that wait;
    only those that the acceptor needs are made. Every order is made once. Raise ValueError past
    ``max_states``, and for a window below 0.
    """
    if window < 0:
        raise ValueError("A window has at least 0 places.")
    made = Machine()
    # A state of the acceptor, what waits, and whether the last act was to let something wait: then
    # another must overtake it, else one order could be made in several ways.
    numbers: dict[tuple[int, _Waiting, bool], int] = {(acceptor.start, (), False): 0}
    triples = list(numbers)

    def add(number: int, label: str, weight: float, after: tuple[int, _Waiting, bool]) -> None:
        if after not in numbers:
            if len(triples) >= max_states:
                raise ValueError(f"There are more than {max_states:,} states of reordering.")
            numbers[after] = len(triples)
            triples.append(after)
            made.arcs.append([])
        made.add_arc(number, label, label, weight, numbers[after])

    for number, (state, waiting, just_read) in enumerate(triples):  # grows while it is read
        if state in acceptor.finals and not waiting:
            made.finals[number] = acceptor.finals[state]
        for arc in acceptor.arcs[state] if len(waiting) <= window else ():
            after = (*waiting, None) if waiting else ()
            add(number, arc.output, arc.weight, (arc.next, after, False))
            if len(waiting) < window:
                held = (arc.next, (*waiting, arc.output), True)
                add(number, EPSILON, arc.weight + cost, held)
        for place, label in enumerate(waiting):
            overtaken = any(later is None for later in waiting[place + 1 :])
            if label is not None and overtaken and not just_read:
                left = _without_written((*waiting[:place], None, *waiting[place + 1 :]))
                add(number, label, 0.0, (state, left, False))
    return connect(made)


def _without_written(waiting: _Waiting) -> _Waiting:
    """From the first label on that still waits."""
    while waiting and waiting[0] is None:
        waiting = waiting[1:]
    return waiting


def phrases_in(sentence: Sequence[str], phrases: Iterable[Phrase]) -> set[Phrase]:
    """Return those phrases whose words stand in the sentence next to each other."""
    found = set()
    for phrase in phrases:
        starts = range(len(sentence) - len(phrase) + 1)
        if any(tuple(sentence[i : i + len(phrase)]) == phrase for i in starts):
            found.add(phrase)
    return found


def uncovered_words(sentence: Sequence[str], phrases: Iterable[Phrase]) -> list[str]:
    """Return the words of a sentence that are in none of the phrases that it holds, in their
    order."""
    covered = [False] * len(sentence)
    for phrase in set(phrases):
        for start in range(len(sentence) - len(phrase) + 1):
            if tuple(sentence[start : start + len(phrase)]) == phrase:
                covered[start : start + len(phrase)] = [True] * len(phrase)
    return [word for word, is_covered in zip(sentence, covered, strict=True) if not is_covered]
