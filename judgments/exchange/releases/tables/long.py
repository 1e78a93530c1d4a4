"""Our own long tables: everything in a release, one row for each fact.

The same twelve tables are files of a folder (TSV), sheets of a workbook, or files of Parquet. A
judgment has a number in `judgments`; the rows of `observations`, `preferences`, `errors` and
`remarks` name it and are in the same order, and repeat who judged what, so that each table can be
read by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from ..records import JudgedScreen, JudgmentsPart, Release, TextsPart

Cell = str | int | float | None
Put = Callable[[str, Sequence[Cell]], None]  # table, row

TEXT, WHOLE, DECIMAL = "text", "whole", "decimal"
WHO = (("campaign", TEXT), ("judgment", WHOLE), ("annotator", TEXT), ("segment", TEXT))
WHEN = (("started", TEXT), ("submitted", TEXT), ("seconds", DECIMAL))
TABLES: dict[str, tuple[tuple[str, str], ...]] = {
    "test_sets": (
        *(("test_set", TEXT), ("source_language", TEXT), ("target_language", TEXT)),
        *(("has_texts", TEXT), ("release", TEXT), ("note", TEXT)),
        ("gloss_language", TEXT),
    ),
    "campaigns": (
        *(("campaign", TEXT), ("test_set", TEXT), ("preset", TEXT), ("options", TEXT)),
        *(("instructions", TEXT), ("note", TEXT)),
    ),
    "segments": (
        *(("test_set", TEXT), ("segment", TEXT), ("document", TEXT), ("domain", TEXT)),
        *(("original_language", TEXT), ("source", TEXT), ("gloss", TEXT)),
        ("instructions", TEXT),
    ),
    "references": (
        *(("test_set", TEXT), ("segment", TEXT), ("reference", TEXT), ("text", TEXT)),
        ("donor", TEXT),
    ),
    "outputs": (("test_set", TEXT), ("segment", TEXT), ("system", TEXT), ("text", TEXT)),
    "judgments": (
        *(*WHO, ("item", TEXT), ("kind", TEXT), ("part", TEXT), ("outputs", TEXT)),
        *(("copies", TEXT), ("errors_asked", TEXT), *WHEN),
        *(("control", TEXT), ("control_kind", TEXT), ("altered", TEXT)),
    ),
    "observations": (
        *(*WHO, ("system", TEXT), ("dimension", TEXT), ("value", DECIMAL), ("item", TEXT)),
        *(("kind", TEXT), ("copied", TEXT)),
    ),
    "preferences": (
        *(*WHO, ("system_a", TEXT), ("system_b", TEXT), ("preference", WHOLE)),
        *(("strength", WHOLE), ("item", TEXT), ("kind", TEXT)),
    ),
    "errors": (
        *(*WHO, ("system", TEXT), ("side", TEXT), ("start", WHOLE), ("end", WHOLE)),
        *(("severity", TEXT), ("category", TEXT), ("item", TEXT), ("kind", TEXT)),
    ),
    "remarks": (
        *(*WHO, ("system", TEXT), ("side", TEXT), ("start", WHOLE), ("end", WHOLE)),
        ("comment", TEXT),
    ),
    "exclusions": (
        *(("campaign", TEXT), ("reason", TEXT), ("annotator", TEXT), ("dimension", TEXT)),
        *(("segment", TEXT), ("system", TEXT)),
    ),
    "scores": (
        *(("campaign", TEXT), ("dimension", TEXT), ("system", TEXT), ("mean", DECIMAL)),
        ("n_judgments", WHOLE),
    ),
}
COLUMNS = {name: tuple(column for column, _ in columns) for name, columns in TABLES.items()}
# Columns that tables of earlier versions lack.
LATER = (
    *("gloss", "gloss_language", "instructions", "control", "control_kind", "altered"),
    "donor",
)
REGULAR = ("regular", "repeat")


def put_release(release: Release, put: Put) -> None:
    """Pass every row to `put`, the tables of texts first. `scores` are plain means of all regular
    judgments and repeats, for people who open the tables; they are not read back."""
    names = unique_names(part.name for part in release.texts)
    test_sets = dict(zip((part.key for part in release.texts), names, strict=True))
    for part, name in zip(release.texts, names, strict=True):
        put_texts(part, name, put)
    names = unique_names(part.name for part in release.judgments)
    for each, name in zip(release.judgments, names, strict=True):
        put_judgments(each, name, test_sets[each.texts], put)


def unique_names(names: Iterable[str]) -> list[str]:
    """Return the names, with numbers added to repeated ones."""
    found: list[str] = []
    for name in names:
        n, free = 1, name
        while free in found:
            n += 1
            free = f"{name} ({n})"
        found.append(free)
    return found


def put_texts(part: TextsPart, name: str, put: Put) -> None:
    languages = (part.source_language, part.target_language)
    has_texts = "yes" if part.has_texts else "no"
    known = [part.release, part.note, part.gloss_language]
    put("test_sets", [name, *languages, has_texts, *known])
    for each in part.segments():
        place = [each.document, each.domain, each.original_language]
        put("segments", [name, each.key, *place, each.source, each.gloss, each.instructions])
        for reference, text in each.references.items():
            put("references", [name, each.key, reference, text, each.donors.get(reference, "")])
        for system, text in each.outputs.items():
            put("outputs", [name, each.key, system, text])


def put_judgments(part: JudgmentsPart, name: str, test_set: str, put: Put) -> None:
    options = json.dumps(dict(part.options), ensure_ascii=False)
    put("campaigns", [name, test_set, part.preset, options, part.instructions, part.note])
    for row in part.exclusions:
        put("exclusions", [name, row.reason, row.annotator, row.dimension, row.segment, row.system])
    sums: dict[tuple[str, str], tuple[float, int]] = {}
    for number, screen in enumerate(part.screens(), 1):
        put_screen(screen, name, number, put)
        for system, dimension, value in screen.ratings:
            if screen.kind_of(system) not in REGULAR:
                continue
            total, n = sums.get((dimension, system), (0.0, 0))
            sums[dimension, system] = (total + value, n + 1)
    for (dimension, system), (total, n) in sorted(sums.items()):
        put("scores", [name, dimension, system, total / n, n])


def put_screen(screen: JudgedScreen, name: str, number: int, put: Put) -> None:
    who: list[Cell] = [name, number, screen.annotator, screen.segment]
    when: list[Cell] = [
        moment.isoformat() if moment else "" for moment in (screen.started, screen.submitted)
    ]
    when.append(None if screen.active_ms is None else screen.active_ms / 1000)
    shown = json.dumps(list(screen.outputs), ensure_ascii=False)
    copies = json.dumps(sorted(screen.copies), ensure_ascii=False)
    asked = "no" if screen.spans is None else "yes"
    altered = json.dumps(screen.altered, ensure_ascii=False) if screen.altered else ""
    control: list[Cell] = [screen.control, screen.control_kind, altered]
    item = screen.item
    put(
        "judgments",
        [*who, item, screen.kind, screen.part, shown, copies, asked, *when, *control],
    )
    for system, dimension, value in screen.ratings:
        copied = "yes" if system in screen.copies else ""
        rated: list[Cell] = [system, dimension, float(value), item, screen.kind_of(system)]
        put("observations", [*who, *rated, copied])
    for a, b, sign, strength in screen.preferences:
        put("preferences", [*who, a, b, sign, strength, item, screen.kind_of(a, b)])
    for span in screen.spans or ():
        put("errors", [*who, *span, item, screen.kind_of(span.system)])
    for remark in screen.remarks:
        put("remarks", [*who, remark.system, remark.side, remark.start, remark.end, remark.comment])


def table_of(columns: Sequence[str]) -> str:
    """Return the name of the table with these columns, "" for none."""
    found = tuple(columns)
    for name, known in COLUMNS.items():
        in_order = found == tuple(column for column in known if column in found)
        if in_order and not missing_in(name, found):
            return name
    return ""


def missing_in(table: str, columns: Sequence[str]) -> list[str]:
    """Return the columns that a table of ours needs and these are not."""
    return [each for each in COLUMNS[table] if each not in LATER and each not in columns]
