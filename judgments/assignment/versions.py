"""Designs in which an annotator sees a document in one version only; no database here."""

from __future__ import annotations

from collections.abc import Sequence

from .balance import pack
from .controls import Run
from .plan_settings import PlanSettings
from .runs import Block


def units_of(made: Sequence[Block], most: float, by_items: bool) -> list[list[Block]]:
    """The blocks of each document together, in the order in which documents were drawn; of a
    document longer than a batch, so many as fit."""
    documents: dict[int, list[Block]] = {}
    for block in made:
        documents.setdefault(block.document, []).append(block)
    found = []
    for of in documents.values():
        unit: list[Block] = []
        for block in of:
            if unit and size(unit, by_items) + size([block], by_items) > most:
                found.append(unit)
                unit = []
            unit.append(block)
        found.append(unit)
    return found


def size(unit: Sequence[Block], by_items: bool) -> float:
    return sum(float(block.n_items) if by_items else block.words for block in unit)


def batches(
    made: Sequence[Block], most: float, by_items: bool, settings: PlanSettings, rng
) -> list[list[Run]]:
    """As many batches of the same documents as there are systems: over them every document is there
    in every translation, in each batch in one.

    In a Latin square the translations of a batch go round from document to document, so that each
    system is there equally often, one more or less, and over the batches of the same documents at
    each place once; otherwise each document's translations are in random order. Who takes one batch
    of some documents can take none of the others: `judgments.assignment.queue` sees to it.
    """
    every = sorted({system for block in made for system in block.versions})
    order = [every[i] for i in rng.permutation(len(every))]
    units = units_of(made, most, by_items)
    sizes = [size(unit, by_items) for unit in units]
    groups = [[i] for i in range(len(units))] if settings.pool else pack(sizes, most)
    turns: dict[int, list[int]] = {}
    found = []
    for group in groups:
        for place, i in enumerate(group):
            document = units[i][0].document
            if document not in turns:
                turns[document] = (
                    [order[(place + shift) % len(order)] for shift in range(len(order))]
                    if settings.design == "latin-square"
                    else [order[j] for j in rng.permutation(len(order))]
                )
        for shift in range(len(order)):
            batch = [
                run
                for i in group
                for block in units[i]
                for run in block.versions.get(turns[block.document][shift], ())
            ]
            if batch:
                found.append(batch)
    return found
