"""Campaigns with marked errors → a table with a row for each error (`google_mqm`, `marot`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

from judgments.files.problem import ImportProblem
from judgments.files.uploads import Folder
from judgments.models import WITHOUT_PLACE

from .marked_rows import NO_ERROR, SCORE
from .marked_text import MARK, marked, quoted
from .records import JudgedScreen, JudgmentsPart, MarkedSpan, Release, Remark, TextsPart
from .spool import spool
from .text_store import TextStore

KINDS = ("regular", "repeat")
NAMES = {"doc_id": "docSegId", "seg_id": "globalSegId"}
# How often an annotator judged the same output.
SEEN = """
create table seen (
    rater text, segment text, system text, n integer, primary key (rater, segment, system)
) without rowid
"""
COUNT = "insert into seen values (?, ?, ?, 1) on conflict do update set n = n + 1 returning n"
NONE = NO_ERROR.capitalize()  # as in Google's tables


def why_not(name: str, release: Release) -> str:
    if any(not texts.has_texts for texts in release.texts):
        return f"{name} marks errors in texts, and the campaign's test set has none."
    if not release.judgments:
        return "There are no judgments."
    for part in release.judgments:
        first = next(part.screens_without_controls(), None)
        if first is not None and first.spans is None:
            return f"{name} supports only marked errors."
    return ""


def write_table(
    release: Release, folder: Folder, file_of: Callable[[TextsPart], str], columns: Sequence[str]
) -> None:
    """Write a table for each campaign; several have numbers in their names."""
    texts = {part.key: part for part in release.texts}
    for n, part in enumerate(release.judgments, 1):
        name = file_of(texts[part.texts])
        numbered = name if len(release.judgments) == 1 else name.replace(".", f".{n}.", 1)
        with folder.text(numbered) as write:
            write_campaign(part, texts[part.texts], write, columns)


def write_campaign(
    part: JudgmentsPart, texts: TextsPart, write: Callable, columns: Sequence[str]
) -> None:
    """Write the table of a campaign. Raise ImportProblem for a text that contains marks itself."""
    write("\t".join(columns) + "\n")
    languages = {
        "source_language": texts.source_language,
        "target_language": texts.target_language,
    }
    evaluation: dict[str, Any] = {"evaluation": languages}
    with closing(TextStore(texts.segments())) as store:
        for screen, system, time in judged_outputs(part):
            if time > 1 and "metadata" not in columns:
                continue  # its errors would be those of the first judgment
            for row in rows_of(screen, system, store, time):
                row["metadata"] |= evaluation
                evaluation = {}
                write(line_of(row, columns))


def judged_outputs(part: JudgmentsPart) -> Iterator[tuple[JudgedScreen, str, int]]:
    """Yield (screen, system, 1 for the first judgment of the output by this annotator, 2 for the
    next)"""
    with closing(spool(SEEN)) as seen:
        for screen in part.screens_without_controls():
            for system in screen.outputs if screen.kind in KINDS else ():
                [time] = seen.execute(COUNT, (screen.annotator, screen.segment, system)).fetchone()
                yield screen, system, time


def line_of(row: dict[str, Any], columns: Sequence[str]) -> str:
    cells = []
    for column in columns:
        cell = row[NAMES.get(column, column)]
        if column == "metadata":
            cell = json.dumps(cell, ensure_ascii=False)
        elif column in ("source", "target"):
            cell = quoted(cell)
        cells.append(cell)
    return "\t".join(cells) + "\n"


def rows_of(
    screen: JudgedScreen, system: str, store: TextStore, time: int
) -> Iterator[dict[str, Any]]:
    """Yield a row for each error of an output, or one that says that there is none. time: as
    counted by `judged_outputs`."""
    segment = store.segment(screen.segment)
    target = segment.outputs[system]
    for text in (segment.source, target):
        if MARK.search(text):
            reason = f"The text of segment {screen.segment} has <v> or </v> in it."
            raise ImportProblem("marked errors", None, "", reason)
    metadata = metadata_of(screen, system, time)
    errors = [span for span in screen.spans or () if span.system == system]
    comments, rest = commented(errors, remarks_on(screen, system))
    others = [each.comment for each in rest]  # there is no other place for them
    for n, span in enumerate(errors or (None,)):
        source, output = place(span, segment.source, target)
        said = [*comments[n : n + 1], *(others if n == 0 else ())]
        note = "\n".join(filter(None, said))
        yield {
            "system": system,
            "doc": segment.document,
            "docSegId": str(store.place(screen.segment)),
            "globalSegId": screen.segment,
            "rater": screen.annotator,
            "source": source,
            "target": output,
            "category": span.category if span else NONE,
            "severity": span.severity if span else NONE,
            "metadata": metadata | ({"note": note} if note else {}),
        }
        # Times belong to the judgment, not to each error.
        metadata = {name: metadata[name] for name in ("timestamp", "repeat") if name in metadata}


def remarks_on(screen: JudgedScreen, system: str) -> list[Remark]:
    """Return the remarks on an output; those on the whole screen are on its first output."""
    mine = (system, "") if system == screen.outputs[0] else (system,)
    return [each for each in screen.remarks if each.system in mine]


def commented(
    spans: Sequence[MarkedSpan], remarks: Sequence[Remark]
) -> tuple[list[str], list[Remark]]:
    """Return the comment on each error, "" for none, and all other remarks. A remark on just the
    words of an error is the comment on it."""
    comments, rest = [""] * len(spans), []
    places = [(span.side, span.start, span.end) for span in spans]
    for remark in remarks:
        place = (remark.side, remark.start, remark.end)
        free = [n for n, each in enumerate(places) if each == place and not comments[n]]
        if free:
            comments[free[0]] = remark.comment
        else:
            rest.append(remark)
    return comments, rest


def place(span: MarkedSpan | None, source: str, target: str) -> tuple[str, str]:
    if span is None or span.side in WITHOUT_PLACE:
        return source, target
    if span.side == "source":
        return marked(source, span.start, span.end), target
    return source, marked(target, span.start, span.end)


def metadata_of(screen: JudgedScreen, system: str, time: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if screen.submitted:
        found["timestamp"] = round(screen.submitted.timestamp() * 1000)
    if screen.active_ms is not None:  # of the screen, divided among its outputs
        share = screen.active_ms // len(screen.outputs)
        found["timing"] = {"judgment": {"count": 1, "timeMS": share, "log": []}}
    for judged, dimension, value in screen.ratings:
        if (judged, dimension) == (system, SCORE):
            found["score"] = value
    if time > 1:
        found["repeat"] = time
    return found
