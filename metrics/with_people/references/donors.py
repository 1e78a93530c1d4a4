"""What is stated of references beside what their texts tell, and what a donor's outputs do to its
score."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judgments.models import ReferenceFacts, ReferenceKind
from metrics.scorers import Scorer
from metrics.scorers.base import Stream

from .standings import places_with, ranks_of, statistics


@dataclass(frozen=True)
class StatedOrigin:
    """What is stated of one reference: its facts, None where nobody has said anything, and in how
    many of its segments which system is the donor, the most first. `n_other`: segments that read as
    the output of one system alone, which is not the donor; `n_altered`: of a set that was chosen
    among outputs, segments that do not read as their donor's output."""

    facts: ReferenceFacts | None
    donors: tuple[tuple[str, int], ...]
    n_other: int
    n_altered: int


@dataclass(frozen=True)
class DonorStanding:
    """A donor's score under one reference, with all segments and without the `n` that were made
    from its outputs, and its place among `n_systems` under both; NaN and 0 where none is left."""

    reference: int
    system: int
    n: int
    score: float
    score_without: float
    place: int
    place_without: int
    n_systems: int


def stated_origins(
    names: Sequence[str],
    references: Sequence[Stream],
    systems: Mapping[int, Stream],
    facts: Mapping[str, ReferenceFacts],
    donors: Mapping[str, Sequence[int]],
    known: Mapping[int, str],
) -> list[StatedOrigin]:
    """Return for every reference. systems: outputs by the ids of systems; donors: by reference, the
    donor of each segment, 0 for none; known: the names of all systems by their ids."""
    found = []
    for name, stream in zip(names, references, strict=True):
        of_segments = donors.get(name, [0] * len(stream))
        stated = facts.get(name)
        is_chosen = stated is not None and stated.kind == ReferenceKind.CHOSEN
        n_other = n_altered = 0
        for place, (text, donor) in enumerate(zip(stream, of_segments, strict=True)):
            if not text or not donor:
                continue
            same = [pk for pk, outputs in systems.items() if outputs[place] == text]
            n_other += len(same) == 1 and donor not in same
            n_altered += is_chosen and donor in systems and donor not in same
        counts = Counter(known[donor] for donor in of_segments if donor)
        ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        found.append(StatedOrigin(stated, tuple(ordered), n_other, n_altered))
    return found


def donor_standings(
    scorer: Scorer,
    systems: Mapping[int, Stream],
    references: Sequence[Stream],
    donors: Mapping[int, Sequence[int]],
    scores: np.ndarray,
) -> list[DonorStanding]:
    """Return for every donor of every reference. donors: of each segment, 0 for none, by the place
    of a reference; scores: (R, S), under each reference alone, of all segments."""
    found = []
    for r, of_segments in donors.items():
        for s, (pk, outputs) in enumerate(systems.items()):
            there = places_with(outputs, [references[r]])
            stay = [place for place in there if of_segments[place] != pk]
            if len(stay) == len(there):
                continue
            without = scores[r].copy()
            without[s] = np.nan
            if stay:
                stats = statistics(scorer, outputs, [references[r]], stay)
                without[s] = scorer.score(stats.sum(axis=0))
            places = [int(np.nan_to_num(ranks_of(row)[s])) for row in (scores[r], without)]
            found.append(
                DonorStanding(
                    reference=r,
                    system=s,
                    n=len(there) - len(stay),
                    score=float(scores[r, s]),
                    score_without=float(without[s]),
                    place=places[0],
                    place_without=places[1],
                    n_systems=int((~np.isnan(scores[r])).sum()),
                )
            )
    return found
