"""Which systems the blocks of a plan show, where they are drawn, and with which probability."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from judgments.models import Campaign
from judgments.protocols import Protocol, protocol_of
from judgments.stats.planning.choice import (
    SystemChoice,
    all_systems,
    price_of_random,
    random_systems,
)

from .layout import Candidates
from .settings import PlanSettings

FEW_SYSTEMS = 3
"""Which blocks show where some are drawn, unless set otherwise; WMT26 showed so many."""
GAPS = 0.34
"""Variance of systems' means in blocks of three segments, in units of that of outputs about them:
WMT23 English-German MQM, by `benchmarks/choosing_systems.py`."""


def variance_of_some(n_systems: int, size: int) -> float:
    """Return the variance of a difference with ``size`` of the systems in a block, drawn at random,
    of that with all, on the same texts."""
    if size >= n_systems:
        return 1.0
    return price_of_random(n_systems, size, gaps=GAPS) * n_systems / size


def may_draw(protocol: Protocol) -> bool:
    """Return whether a screen shows several outputs of a segment, each with a score of its own."""
    shows_several = protocol.outputs_per_item()[1] > 1 and not protocol.in_pairs
    is_scored = protocol.rates and not protocol.ranks and bool(protocol.dimensions())
    return protocol.unit == "segment" and shows_several and is_scored


def may_contrast(protocol: Protocol) -> bool:
    """Return whether two outputs of a screen can be told to differ by the scores that it asks
    for."""
    return may_draw(protocol) and protocol.parts() == ("",)


def draws_systems(campaign: Campaign) -> bool:
    """Return whether the campaign's plan shows some of the systems in a block."""
    drawn = PlanSettings.read(campaign.plan).choice != "all"
    return drawn and may_draw(protocol_of(campaign))


@dataclass(frozen=True)
class RaceWave:
    """Documents whose blocks show systems by one ``choice`` among ``systems``, the ids in its
    order. ``number`` from 1; of ``n_documents`` each, None for all that there are."""

    number: int
    systems: tuple[int, ...]
    choice: SystemChoice
    n_documents: int | None = None

    def stored(self, names: Mapping[int, str], n_waves: int) -> dict[str, Any]:
        """As `Task.choice` has it."""
        chances = zip(self.systems, self.choice.chances.tolist(), strict=True)
        return {
            "wave": self.number,
            "waves": n_waves,
            "chances": {names[system]: chance for system, chance in chances},
            "size": self.choice.size,
        }

    def n_of(self, taken: Collection[tuple[int, int]]) -> int:
        """Return how many waves the (document, block) of a plan make."""
        if self.n_documents is None:
            return 1
        return -(-len({document for document, _ in taken}) // self.n_documents)

    def part(self, taken: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return for the (document, block) of a plan those of this wave, in their order."""
        if self.n_documents is None:
            return list(taken)
        place = {document: i for i, document in enumerate(dict.fromkeys(d for d, _ in taken))}
        return [each for each in taken if place[each[0]] // self.n_documents == self.number - 1]

    def shown(self, block: Sequence[Candidates], rng: np.random.Generator) -> list[Candidates]:
        """Return the block with the systems that are drawn for it."""
        shows = {
            system
            for system, is_shown in zip(self.systems, self.choice.draw(rng), strict=True)
            if is_shown
        }
        return [
            replace(of, outputs=tuple(each for each in of.outputs if each[1] in shows))
            for of in block
        ]


def first_wave(settings: PlanSettings, systems: Sequence[int]) -> RaceWave | None:
    """Return what a plan begins with; None where every block shows every system. Raise ValueError
    where there are not so many systems."""
    ordered = tuple(sorted(systems))
    if settings.choice == "random":
        return RaceWave(1, ordered, random_systems(len(ordered), settings.systems_shown))
    if settings.is_race:
        return RaceWave(1, ordered, all_systems(len(ordered)), settings.wave_documents)
    return None


def check_complete(segments: Sequence[Candidates], wave: RaceWave) -> None:
    """Raise ValueError where a system lacks a translation: that it was not shown would then not be
    by chance."""
    if any(len(of.outputs) < len(wave.systems) for of in segments):
        raise ValueError(
            "Systems can be drawn for a block only if each has a translation of every segment. "
            "Leave out the others, or show all systems."
        )
