"""Judgments → rows of Appraise's export, with its twelve columns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from judgments.models import WITHOUT_PLACE
from judgments.protocols import preset_named
from judgments.protocols.spans.marking import slug_of

from .languages import three_letters
from .records import JudgedScreen, JudgmentsPart, MarkedSpan, TextsPart

HEADER_LINE = (
    "username,system,itemId,itemType,srcLang,trgLang,score,documentId,isDocument,mqm,"
    "timeStart,timeEnd\n"
)
TYPES = {
    "regular": "TGT", "degraded": "BAD", "reference": "REF", "repeat": "CHK",
    "control": "CONTROL", "tutorial": "TUTORIAL",
}  # fmt: skip
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rows_of(part: JudgmentsPart, texts: TextsPart) -> Iterator[list[str]]:
    """A row for each translation of each screen, and one more where its document was rated too. The
    number of an item is its segment's key where that is a number, and else its place in the test
    set, from 1."""
    preset = preset_named(part.preset)
    options = {**preset.options, **part.options}
    written = {slug_of(name): name for name in options.get("categories", ())}
    places = {}
    numeric = True
    for n, segment in enumerate(texts.segments(), 1):
        places[segment.key] = (n, segment.document)
        numeric = numeric and segment.key.isascii() and segment.key.isdigit()
    whole = options.get("unit") == "whole document"
    of_document = options.get("of_document", "")
    languages = [three_letters(texts.source_language), three_letters(texts.target_language)]
    times: Counter[int] = Counter()
    for screen in part.screens_without_controls():
        n, document = places[screen.segment]
        # Whoever judges the same again does so in a copy of the document, as fillers of a task are
        # made: of two rows of the same item only the later one would count.
        again = hash((screen.annotator, screen.segment, screen.kind, tuple(screen.outputs)))
        if times[again]:
            document += f"#duplicate{times[again]}"
        times[again] += 1
        for system, dimension in rated_in(screen, of_document):
            yield [
                screen.annotator,
                system,
                screen.segment if numeric else str(n),
                TYPES[screen.kind],
                *languages,
                score_of(screen, system, dimension),
                document,
                str(whole or bool(dimension)),
                errors_of(screen.spans or [], system, written),
                seconds(screen.started),
                seconds(screen.submitted),
            ]


def rated_in(screen: JudgedScreen, of_document: str) -> Iterator[tuple[str, str]]:
    """(system, ""), and (system, of_document) where its document was rated with the segment."""
    for system in screen.outputs:
        yield system, ""
    for system, dimension, _ in screen.ratings:
        if of_document and dimension == of_document:
            yield system, of_document


def score_of(screen: JudgedScreen, system: str, named: str = "") -> str:
    """The score that was given, on a named dimension or on the first; 0, as Appraise has it, where
    there are errors only."""
    given = [
        value
        for of, dimension, value in screen.ratings
        if of == system
        and named in ("", dimension)
        and (screen.spans is None or dimension not in ("mqm", "esa_spans"))
    ]
    if not given:
        return "0"
    return str(int(given[0])) if given[0] == int(given[0]) else repr(given[0])


def errors_of(spans: list[MarkedSpan], system: str, written: dict[str, str]) -> str:
    """JSON. written: categories as they were written, by how they are stored."""
    found = []
    for span in spans:
        if span.system != system:
            continue
        missing = span.side in WITHOUT_PLACE
        category = written.get(span.category, span.category)
        found.append(
            {
                "start_i": "missing" if missing else span.start,
                "end_i": "missing" if missing else span.end - 1,
                "severity": span.severity,
                "error_type": category.split("/") if category else None,
            }
        )
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def seconds(moment: datetime | None) -> str:
    """Since 1970, with as many digits as there are."""
    if moment is None:
        return ""
    whole, rest = divmod((moment - EPOCH) // timedelta(microseconds=1), 10**6)
    digits = f"{rest:06d}".rstrip("0") or "0"
    return f"{whole}.{digits}"
