"""Corrected copies of references: what each step of correcting changes, and what it does to scores.

Forsbom (2003), *Training a super model look-alike*, clones a reference in three steps: errors, then
inconsistencies, then interpretations are taken out of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judgments.models import CloningStep, ReferenceFacts, ReferenceKind
from judgments.models.reference_facts import line_of
from metrics.scorers.base import Floats, Stream
from metrics.scorers.tokenizers import get_tokenizer
from metrics.scorers.word_edits import MATCH, SUBSTITUTION, align
from metrics.stats.columns import kendall_columns

from .standings import Standings

STEPS = [*CloningStep.values, ""]


@dataclass(frozen=True)
class CorrectedCopy:
    """Reference ``reference`` (an index), which corrects what ``step`` says (a `CloningStep`, or
    ""). ``before``: the index of the step before, or of the original; ``changed``: places of the
    segments that differ from that one, ``n_from_original``: how many differ from the original;
    ``n_unpaired``: how many have a text here or in the original only."""

    reference: int
    step: str
    before: int
    changed: tuple[int, ...]
    n_from_original: int
    n_unpaired: int


@dataclass(frozen=True)
class CorrectedReference:
    """An original (an index) and its copies, in the order of the steps."""

    original: int
    copies: tuple[CorrectedCopy, ...]

    @property
    def line(self) -> tuple[int, ...]:
        """The original and its copies, as indices of references."""
        return (self.original, *(copy.reference for copy in self.copies))


@dataclass(frozen=True)
class ChangedWords:
    """Words of the step before, and what stands in their place in the copy ``reference`` (an
    index), ``count`` times, in the segments at ``places``; either may be none."""

    reference: int
    before: str
    after: str
    count: int
    places: tuple[int, ...]


def corrected_references(
    names: Sequence[str], references: Sequence[Stream], facts: Mapping[str, ReferenceFacts]
) -> list[CorrectedReference]:
    """Return originals that have copies, in the order of their names. A copy of a copy belongs to
    the first original; the step before is what it was stated to be made from, where that is a copy,
    else the last copy of an earlier step."""
    index = {name: place for place, name in enumerate(names)}
    families: dict[str, list[str]] = {}
    for name in names:
        stated = facts.get(name)
        if stated is None or stated.kind != ReferenceKind.CORRECTED:
            continue
        line = [each for each in line_of(facts, name) if each in index]
        if len(line) > 1:
            families.setdefault(line[-1], []).append(name)
    found = []
    for original in sorted(families):
        root = index[original]
        copies: list[CorrectedCopy] = []
        for name in sorted(families[original], key=lambda each: (place_of(facts[each]), each)):
            made_from, place = facts[name].original, place_of(facts[name])
            before = index[made_from] if made_from in families[original] else root
            earlier = [copy for copy in copies if STEPS.index(copy.step) < place]
            if before == root and earlier and facts[name].step:
                before = earlier[-1].reference
            mine, theirs = references[index[name]], references[root]
            copies.append(
                CorrectedCopy(
                    index[name],
                    facts[name].step,
                    before,
                    tuple(differences(references[before], mine)),
                    len(differences(theirs, mine)),
                    sum((a is None) != (b is None) for a, b in zip(mine, theirs, strict=True)),
                )
            )
        found.append(CorrectedReference(root, tuple(copies)))
    return found


def place_of(facts: ReferenceFacts) -> int:
    """Where the step of a copy stands among the steps; one that is not stated comes last."""
    return STEPS.index(facts.step)


def differences(before: Stream, after: Stream) -> list[int]:
    """Return places of the segments in which two references differ."""
    pairs = zip(before, after, strict=True)
    return [place for place, (one, other) in enumerate(pairs) if one != other]


def changed_words(
    found: Sequence[CorrectedReference], references: Sequence[Stream], tokenize: str
) -> list[ChangedWords]:
    """Return what was replaced, put in and taken out between each copy and the step before, the
    most frequent first. From the fewest edits of words; a run that is replaced by as many words
    counts word by word. Capital letters count."""
    tokens = get_tokenizer(tokenize).encoder.tokens
    listed = []
    for copy in (copy for each in found for copy in each.copies):
        places: dict[tuple[str, str], list[int]] = {}
        for place in copy.changed:
            old, new = references[copy.before][place], references[copy.reference][place]
            if old is None or new is None:
                continue
            for pair in replaced(tokens(old), tokens(new)):
                places.setdefault(pair, []).append(place)
        for (before, after), where in places.items():
            segments = tuple(dict.fromkeys(where))
            listed.append(ChangedWords(copy.reference, before, after, len(where), segments))
    return sorted(listed, key=lambda each: (-each.count, each.before, each.after))


def replaced(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """Return words, and what they were replaced by; "" where there is nothing."""
    found: list[tuple[str, str]] = []
    for run in align(old, new):  # its "output" is what the edits begin with
        if run.kind == MATCH:
            continue
        if run.kind == SUBSTITUTION and len(run.output) == len(run.reference):
            found += zip(run.output, run.reference, strict=True)
        else:
            found.append((" ".join(run.output), " ".join(run.reference)))
    return found


def tau_with_original(standings: Standings, original: int, copy: int) -> float:
    """Return Kendall's τ-b of the systems' scores under both; NaN with fewer than three systems."""
    first, second = standings.scores[original], standings.scores[copy]
    return float(kendall_columns(first[:, None], second[None, :, None])[0, 0])


def mean_rise(standings: Standings, before: int, after: int) -> float:
    """By how much scores of systems rise on average between two references; NaN without any."""
    rises: Floats = standings.scores[after] - standings.scores[before]
    known = rises[~np.isnan(rises)]
    return float(known.mean()) if len(known) else np.nan


def n_moved(standings: Standings, original: int, copy: int) -> int:
    """Return how many systems have another rank under the copy than under the original."""
    apart = standings.ranks[original] - standings.ranks[copy]
    return int((np.nan_to_num(apart) != 0).sum())
