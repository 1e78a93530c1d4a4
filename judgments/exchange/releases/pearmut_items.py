"""Items of Pearmut, which are a source and its translations by systems, and where errors stand in
them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judgments.exchange.judgments.screens import KINDS
from judgments.files.jsonl import SURROGATE
from judgments.files.lines import problem_with_text
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_NAME, LONGEST_SYSTEM_NAME, SegmentTexts

from .records import MarkedSpan
from .spool import spool

NO_SOURCE = "(no source)"
UNKNOWN = "unknown"  # the severity of an error that has none
REFERENCE = "ref"
MISSING = "[missing]"
MOST_ALIKE = 1_000
TABLES = """
create table segment (
    key text primary key, n integer, digest blob, document text, source text, reference text,
    row integer
);
create index by_digest on segment (digest);
create table output (
    segment text, n integer, system text, text text, primary key (segment, system)
) without rowid;
"""


class ItemStore:
    """The texts of all items, once each."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.rows = spool(TABLES)
        self.systems: dict[str, int] = {}
        self.n = 0

    def add(self, document: Sequence[Any], place: int, row: int) -> str:
        """The key of the segment of an item, the place-th of its document (from 0): its own name
        (`item_id`), with a number where another text has the same; without a name a number.

        Raises ImportProblem, naming the row, for an item of another form.
        """
        item = document[place]
        outputs = self.outputs(item, row)
        source, reference = self.text(item, "src", row) or NO_SOURCE, self.text(item, "ref", row)
        name = self.name(item.get("item_id"), row)
        digest = digest_of(document, place)
        n = 1
        while True:
            key = self.key_of(name, digest, n)
            known = self.rows.execute(
                "select source, reference from segment where key = ?", (key,)
            ).fetchone()
            if known is None:
                break
            if known[0] == source and self.agrees(key, outputs):
                self.add_outputs(key, outputs)
                return key
            n += 1
            if n > MOST_ALIKE:
                reason = f"over {MOST_ALIKE:,} different items have this name."
                raise self.problem(row, "item_id", reason)
        self.n += 1
        first = document[0].get("item_id") if isinstance(document[0], dict) else None
        named = self.name(item.get("document"), row) or self.name(first, row)
        self.rows.execute(
            "insert into segment values (?, ?, ?, ?, ?, ?, ?)",
            (key, self.n, digest, named or key, source, reference, row),
        )
        self.add_outputs(key, outputs)
        return key

    def key_of(self, name: str, digest: bytes, n: int) -> str:
        if name:
            return name if n == 1 else f"{name}#{n}"
        known = self.rows.execute(
            "select key from segment where digest = ? order by n limit 1 offset ?", (digest, n - 1)
        ).fetchone()
        return known[0] if known else str(self.n + 1)

    def agrees(self, key: str, outputs: Mapping[str, str]) -> bool:
        known = dict(self.rows.execute("select system, text from output where segment = ?", (key,)))
        return all(known.get(system, text) == text for system, text in outputs.items())

    def add_outputs(self, key: str, outputs: Mapping[str, str]) -> None:
        for system, text in outputs.items():
            n = self.systems.setdefault(system, len(self.systems))
            self.rows.execute(
                "insert or ignore into output values (?, ?, ?, ?)", (key, n, system, text)
            )

    def outputs(self, item: Any, row: int) -> dict[str, str]:
        found = item.get("tgt") if isinstance(item, dict) else None
        if not isinstance(found, dict) or not found:
            raise self.problem(row, "tgt", "there is no translation: {model: text}.")
        for system in found:
            if problem := problem_with_name(system, LONGEST_SYSTEM_NAME):
                raise self.problem(row, "tgt", problem)
        return {system: self.text(found, system, row) for system in found}

    def text(self, item: Mapping[str, Any], name: str, row: int) -> str:
        text = item.get(name) or ""
        if not isinstance(text, str) or "\0" in text or SURROGATE.search(text):
            raise self.problem(row, name, "this is not a text.")
        if problem := problem_with_text(text):
            raise self.problem(row, name, problem)
        return text if text.strip() else ""

    def name(self, value: Any, row: int) -> str:
        if value is None:
            return ""
        name = " ".join(str(value).split())
        if problem := problem_with_name(name, LONGEST_NAME - 10):
            raise self.problem(row, "item_id", problem)
        return name

    def problem(self, row: int, column: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file, row, column, reason)

    def output(self, key: str, system: str) -> str:
        [text] = self.rows.execute(
            "select text from output where segment = ? and system = ?", (key, system)
        ).fetchone()
        return text

    def segments(self) -> Iterator[SegmentTexts]:
        """In the order in which they came, those of a document together."""
        rows = self.rows.execute(
            "select key, document, source, reference, row from segment order by"
            " min(n) over (partition by document), n"
        )
        for key, document, source, reference, row in rows:
            outputs = self.rows.execute(
                "select system, text from output where segment = ? order by n", (key,)
            )
            references = {REFERENCE: reference} if reference else {}
            yield SegmentTexts(self.file, row, key, document, source, references, dict(outputs))


def digest_of(document: Sequence[Any], place: int) -> bytes:
    """What tells items without a name apart: their document's sources, and their place in it."""
    sources = [item.get("src") if isinstance(item, dict) else None for item in document]
    text = json.dumps([sources, place], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def is_form(document: Any) -> bool:
    """Whether it asks something about the annotator instead of showing translations."""
    return (
        isinstance(document, list)
        and bool(document)
        and isinstance(document[0], dict)
        and "text" in document[0]
        and "form" in document[0]
    )


def kind_of(item: Mapping[str, Any]) -> str:
    """As we write it beside Pearmut's own keys."""
    kind = item.get("kind")
    return kind if isinstance(kind, str) and kind in KINDS else "regular"


# ---- Errors ------------------------------------------------------------------------------------


def length(text: str) -> int:
    """In units of UTF-16, in which Pearmut counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def points(text: str, units: int, up: bool = False) -> int:
    """How many code points stand before a unit of UTF-16; up: with the one that it cuts in two."""
    if length(text) == len(text):
        return units
    for n, character in enumerate(text):
        if units <= 0:
            return n
        units -= length(character)
        if units < 0:
            return n + up
    return len(text)


def special_tokens(info: Mapping[str, Any]) -> list[str]:
    """Return the names of the marks beyond the text. Raises ValueError, in words."""
    marks_errors = info.get("protocol", "cESA") in ("ESA", "cESA", "MQM")
    found = info.get("special_tokens", [MISSING] if marks_errors else [])
    if not isinstance(found, list) or not all(isinstance(n, str) and n.strip() for n in found):
        raise ValueError("special_tokens should be a list of names.")
    return found


def spans_of(system: str, text: str, error: Any, tokens: Sequence[str]) -> list[MarkedSpan]:
    """Return the spans of an error, mostly one. `start_i` and `end_i` are the first and the last
    marked unit; what follows the text are the tokens: [missing] is an omission, any other is a mark
    of the whole output. Raises ValueError, in words, for an error of another form."""
    if not isinstance(error, dict):
        raise ValueError("this is not an error.")
    start, end = error.get("start_i"), error.get("end_i")
    severity, category = error.get("severity") or UNKNOWN, error.get("category") or ""
    if type(start) is not int or type(end) is not int or not 0 <= start <= end < 10**9:
        raise ValueError(f"from {shortened(str(start))} to {shortened(str(end))} is no place.")
    if not isinstance(severity, str) or not isinstance(category, str):
        raise ValueError("severity and category are texts.")
    n = length(text)
    if start >= n:
        source = error.get("source")  # as we write errors in the source
        if isinstance(source, list) and [type(each) for each in source] == [int, int]:
            return [MarkedSpan(system, "source", source[0], source[1], severity, category)]
        if end - n >= len(tokens):
            named = ", ".join(tokens) or "none"
            raise ValueError(
                f"place {end:,} is beyond the text, which has {n:,} units, and its special tokens"
                f" ({shortened(named)}). Bring the file of the campaign, which names them, along."
            )
        marked = tokens[start - n : end - n + 1]
        return [token_span(system, token, severity, category) for token in marked]
    first, last = points(text, start), points(text, min(end + 1, n), up=True)
    return [MarkedSpan(system, "target", first, last, severity, category)]


def token_span(system: str, token: str, severity: str, category: str) -> MarkedSpan:
    name = plain_token(token)
    if name.lower() == plain_token(MISSING):
        return MarkedSpan(system, "missing", 0, 0, severity, category)
    named = "/".join(filter(None, (name, category)))
    return MarkedSpan(system, "output", 0, 0, severity, named)


def plain_token(token: str) -> str:
    """Return its name without the brackets around it."""
    return token.strip().removeprefix("[").removesuffix("]").strip() or token.strip()


def error_of(span: MarkedSpan, text: str, tokens: Sequence[str]) -> dict[str, Any]:
    """The way back. What is marked in the source has no place in Pearmut: it is shown as [missing],
    and its place is noted."""
    start = end = length(text)
    category = span.category
    if span.side == "target":
        start, end = length(text[: span.start]), length(text[: span.end]) - 1
    elif span.side == "output":
        name, _, category = category.partition("/")
        start = end = start + tokens.index(f"[{name}]")
    error: dict[str, Any] = {
        "start_i": start,
        "end_i": end,
        "category": category or None,
        "severity": span.severity,
    }
    return error | ({"source": [span.start, span.end]} if span.side == "source" else {})
