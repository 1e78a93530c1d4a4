"""Rankings in the formats of WMT: a row for each screen, or for each pair of its outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from judgments.files.csv_files import csv_text
from judgments.files.names import free_name
from judgments.files.uploads import Folder

from .records import JudgedScreen, JudgmentsPart, Release, TextsPart

FIVE = 5
NO_RANK = -1

Group = tuple[list[str], int]  # systems of the same output, rank
Rows = Callable[[TextsPart, JudgmentsPart], Iterator[list[object]]]


def write(release: Release, folder: Folder, rows: Rows, kind: str) -> None:
    """Write a file for each campaign, such as `de-en.rankings.csv`."""
    texts = {each.key: each for each in release.texts}
    taken: set[str] = set()
    for part in release.judgments:
        its = texts[part.texts]
        name = free_name(f"{its.source_language}-{its.target_language}", taken, ".")
        taken.add(name)
        with folder.text(f"{name}.{kind}.csv") as write_piece:
            for row in rows(its, part):
                write_piece(csv_text([row]))


def groups_of(screen: JudgedScreen) -> list[Group]:
    """Return the outputs of a screen with the copies of each, and -1 for those without a rank. A
    copy follows the output that was shown."""
    ranks = {system: int(value) for system, dimension, value in screen.ratings}
    found: list[Group] = []
    for system in screen.outputs:
        if system in screen.copies and found:
            found[-1][0].append(system)
        else:
            found.append(([system], ranks.get(system, NO_RANK)))
    return found


def systems_in(group: Group, texts: TextsPart) -> str:
    """Return names as in WMT, `newstest.online-A.0.de-en`, with `+` between identical outputs."""
    pair = f"{texts.source_language}-{texts.target_language}"
    return "+".join(f"newstest.{name}.0.{pair.lower()}" for name in group[0])


def ranked(part: JudgmentsPart) -> Iterator[tuple[JudgedScreen, list[Group]]]:
    """Yield regular and repeated screens. Controls are about judges, not systems, and the files do
    not support them."""
    for screen in part.screens_without_controls():
        if screen.kind in ("regular", "repeat"):
            yield screen, groups_of(screen)


def screen_rows(texts: TextsPart, part: JudgmentsPart) -> Iterator[list[object]]:
    most = max([FIVE, *(len(groups) for _, groups in ranked(part))])
    numbers = range(1, most + 1)
    yield [
        *("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"),
        *(f"system{i}{word}" for i in numbers for word in ("Number", "Id")),
        *(f"system{i}rank" for i in numbers),
    ]
    known: dict[str, int] = {}
    for screen, groups in ranked(part):
        ids = [systems_in(group, texts) for group in groups]
        places = [known.setdefault(name, len(known) + 1) for name in ids]
        rest = most - len(groups)
        shown = [cell for both in zip(places, ids, strict=True) for cell in both]
        yield [
            *(texts.source_language, texts.target_language, screen.segment),
            *(-1, screen.segment, screen.annotator),
            *shown,
            *([-1, ""] * rest),
            *(rank for _, rank in groups),
            *([NO_RANK] * rest),
        ]


def pair_rows(texts: TextsPart, part: JudgmentsPart) -> Iterator[list[object]]:
    yield [
        *("srclang", "trglang", "srcIndex", "segmentId", "judgeID"),
        *("system1Id", "system1rank", "system2Id", "system2rank", "rankingID"),
    ]
    for number, (screen, groups) in enumerate(ranked(part), 1):
        for one, other in combinations(groups, 2):
            yield [
                *(texts.source_language, texts.target_language),
                *(screen.segment, screen.segment, screen.annotator),
                *(systems_in(one, texts), one[1], systems_in(other, texts), other[1], number),
            ]
