"""Designs in which an annotator sees a document in one version only; no database here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .balance import pack
from .controls.copies import Run
from .runs import Block


def units_of(made: Sequence[Block], most: float, by_items: bool) -> list[list[Block]]:
    """Return the blocks of each document together, in the order in which documents were drawn; for
    a document longer than a batch, as many as fit."""
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
    """Return as many batches of the same documents as there are systems: together they contain
    every document in every translation, each batch in one.

    In a Latin square the translations of a batch rotate from document to document, so that each
    system occurs equally often, one more or less, and in the batches of the same documents once at
    each position; otherwise each document's translations are in random order. An annotator of one
    batch can claim none of the others with the same documents: `judgments.judging.queue` enforces
    that.
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
    """Return {document: the one of the `n` systems at which its rotation starts}, for the documents
    of each group of batches.

    Within a group the rarest starts come next, and this continues from group to group: people take
    the first free batch of each group, which must not always belong to one system. A document that
    is longer than a batch is in several groups; the larger ones choose first, after which hardly
    any group has a system two times more than another.
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
