"""Designs in which an annotator sees a document in one version only; no database here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .balance import pack
from .controls.copies import Run
from .runs import Block


def units_of(made: Sequence[Block], most: float, by_items: bool) -> list[list[Block]]:
    """Return the blocks of each document together, in the order in which documents were drawn; of a
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
    made: Sequence[Block], most: float, by_items: bool, design: str, one_by_one: bool, rng
) -> list[list[Run]]:
    """As many batches of the same documents as there are systems: over them every document is there
    in every translation, in each batch in one.

    In a Latin square the translations of a batch go round from document to document, so that each
    system is there equally often, one more or less, and over the batches of the same documents at
    each place once; otherwise each document's translations are in random order. Who takes one batch
    of some documents can take none of the others: `judgments.judging.queue` sees to it.
    """
    every = sorted({system for block in made for system in block.versions})
    order = [every[i] for i in rng.permutation(len(every))]
    units = units_of(made, most, by_items)
    sizes = [size(unit, by_items) for unit in units]
    groups = [[i] for i in range(len(units))] if one_by_one else pack(sizes, most)
    documents = [list(dict.fromkeys(units[i][0].document for i in group)) for group in groups]
    turns = {
        document: [order[(start + shift) % len(order)] for shift in range(len(order))]
        if design == "latin-square"
        else [order[j] for j in rng.permutation(len(order))]
        for document, start in starts(documents, len(order)).items()
    }
    found = []
    for group in groups:
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


def starts(groups: Sequence[Sequence[int]], n: int) -> dict[int, int]:
    """Return {document: at which of the `n` systems its turns start}, for the documents of each
    group of batches.

    Within a group the starts that are there least come next, and from group to group they go on:
    people take the first batch that is free of each group, which must not be one system's. A
    document that is longer than a batch is in several groups; the larger ones choose first, which
    leaves hardly any where a system is there two times more than another.
    """
    found: dict[int, int] = {}
    for documents in sorted(groups, key=len, reverse=True):
        used = Counter(found[document] for document in documents if document in found)
        for document in documents:
            if document not in found:
                turn = len(found)
                found[document] = min(range(n), key=lambda k: (used[k], (k - turn) % n))
                used[found[document]] += 1
    return found
