"""Pearmut's items, which are a source and its translations by systems, and its annotations, which
become judged screens. Each line, or object of a downloaded file, is what one
user said about a document:

    {"annotation": [{MODEL: {"score": 70, "error_spans": [{"start_i": 8, "end_i": 42, …}],
                             "sliders": {NAME: 3}}}, …],
     "item": [{"item_id": …, "src": …, "tgt": {MODEL: TEXT}}, …],
     "actions": [{"time": SECONDS, "action": "load"}, …], "user_id": USER, "item_i": 0}

What a user said again about the same item, model by model, counts in the place of what was said
before; other models of it, which were shown later, are another screen. `__RESET__` takes back
everything of a user.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from typing import Any

from judgments.exchange.judgments.reader import KINDS
from judgments.files.jsonl import SURROGATE
from judgments.files.lines import problem_with_text
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_NAME, LONGEST_SYSTEM_NAME, SegmentTexts

from .json_stream import objects
from .marked_rows import MOST_ACTIVE, weights_of
from .records import JudgedScreen, JudgmentsPart, MarkedSpan, Problems
from .spool import spool
from .text_store import TextStore

NO_SOURCE = "(no source)"
UNKNOWN = "unknown"  # the severity of an error that has none
REFERENCE = "ref"
MISSING = "[missing]"
TAG = re.compile("<[^>]{0,1000}>")
MOST_ALIKE = 1_000
DIGESTS = """
create table digest (n integer primary key, digest blob, key text);
create index by_digest on digest (digest);
"""
KEYS = ("annotation", "actions", "item", "validations")
RESET = "__RESET__"
LONGEST_PAUSE = 61  # seconds between two actions, as Pearmut counts them
SCORE, SCORE_BESIDE_ERRORS = "score", "esa"
UNNAMED = (MISSING, *(f"[special token {n}]" for n in range(2, 21)))
ASIDE = ("welcome_", "random_", "goodbye_")  # items that are no work
SLUG = re.compile("[^a-z0-9]+")
ANSWER_TABLES = """
create table answer (
    user text, item text, place integer, part integer, segment text, kind text, shown text,
    said text, row integer, started real, submitted real, active integer,
    primary key (user, item, place, part)
);
"""


class ItemStore:
    """The texts of all items, once each."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.texts = TextStore()
        self.digests = spool(DIGESTS)
        self.systems: dict[str, int] = {}
        self.n = 0

    def add(self, document: Sequence[Any], place: int, row: int) -> str:
        """Return the key of the segment of an item, the place-th of its document (from 0): its own
        name (`item_id`), with a number where another text has the same; without a name a number.

        Raises ImportProblem, naming the row, for an item of another form.
        """
        item = document[place]
        outputs = self.outputs(item, row)
        source, reference = self.text(item, "src", row) or NO_SOURCE, self.text(item, "ref", row)
        name = self.name(item.get("item_id"), row)
        digest = digest_of(document, place)
        for n in range(1, MOST_ALIKE + 1):
            key = self.key_of(name, digest, n)
            known = self.texts.find(key)
            if known is None or (known.source == source and self.agrees(key, outputs)):
                break
        else:
            reason = f"over {MOST_ALIKE:,} different items have this name."
            raise self.problem(row, "item_id", reason)
        if known is None:
            self.n += 1
            head = document[0] if isinstance(document[0], dict) else {}
            first, said = head.get("item_id"), self.text(head, "instructions", row)
            of = self.name(item.get("document"), row) or self.name(first, row) or key
            references = {REFERENCE: reference} if reference else {}
            segment = SegmentTexts(self.file, row, key, of, source, references, {})
            self.texts.add(replace(segment, instructions=plain(said)))
            self.digests.execute("insert into digest (digest, key) values (?, ?)", (digest, key))
        for system, text in outputs.items():
            self.systems.setdefault(system, len(self.systems))
            self.texts.put(key, system, text)
        return key

    def key_of(self, name: str, digest: bytes, n: int) -> str:
        if name:
            return name if n == 1 else f"{name}#{n}"
        known = self.digests.execute(
            "select key from digest where digest = ? order by n limit 1 offset ?", (digest, n - 1)
        ).fetchone()
        return known[0] if known else str(self.n + 1)

    def agrees(self, key: str, outputs: Mapping[str, str]) -> bool:
        """Return whether the segment has no other text of a system."""
        return all(self.texts.output(key, name) in (None, text) for name, text in outputs.items())

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

    def segments(self) -> Iterator[SegmentTexts]:
        """In the order in which they came, those of a document together."""
        for each in self.texts.segments():
            outputs = {
                name: each.outputs[name]
                for name in sorted(each.outputs, key=self.systems.__getitem__)
            }
            yield replace(each, outputs=outputs)


def plain(html: Any) -> str:
    """Return instructions without their HTML."""
    text = re.sub("<br */?>|</p>|</li>", "\n", html) if isinstance(html, str) else ""
    return TAG.sub("", text).strip()


def digest_of(document: Sequence[Any], place: int) -> bytes:
    """Return what tells items without a name apart: their document's sources, and their place in
    it."""
    sources = [item.get("src") if isinstance(item, dict) else None for item in document]
    text = json.dumps([sources, place], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def is_form(document: Any) -> bool:
    """Return whether it asks something about the annotator instead of showing translations."""
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
    """Return how many code points stand before a unit of UTF-16; up: with the one that it cuts in
    two."""
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
    """Return the names of the marks beyond the text. Raise ValueError, in words."""
    marks_errors = info.get("protocol", "cESA") in ("ESA", "cESA", "MQM")
    found = info.get("special_tokens", [MISSING] if marks_errors else [])
    if not isinstance(found, list) or not all(isinstance(n, str) and n.strip() for n in found):
        raise ValueError("special_tokens should be a list of names.")
    return found


def spans_of(system: str, text: str, error: Any, tokens: Sequence[str]) -> list[MarkedSpan]:
    """Return the spans of an error, mostly one. `start_i` and `end_i` are the first and the last
    marked unit; what follows the text are the tokens: [missing] is an omission, any other is a mark
    of the whole output. Raise ValueError, in words, for an error of another form."""
    if not isinstance(error, dict):
        raise ValueError("this is not an error.")
    start, end = error.get("start_i"), error.get("end_i")
    severity, category = error.get("severity") or UNKNOWN, error.get("category") or ""
    if type(start) is not int or type(end) is not int or not 0 <= start <= end < 10**9:
        raise ValueError(f"from {shortened(str(start))} to {shortened(str(end))} is not a place.")
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
                f"place {end:,} is beyond the text, which has {n:,} units, and its special "
                f"tokens ({shortened(named)}). Also upload the file of the campaign, which names "
                "them."
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
    """Return the way back. What is marked in the source has no place in Pearmut: it is shown as
    [missing], and its place is noted."""
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


# ---- Annotations ---------------------------------------------------------------------------------


class Annotations:
    """The annotations of one campaign. items: the texts, which other files may have begun. tokens:
    the names of marks beyond the text, none where nothing says them."""

    def __init__(
        self, file: str, items: ItemStore, problems: Problems, tokens: Sequence[str] | None
    ) -> None:
        self.file = file
        self.items = items
        self.names_tokens = tokens is not None
        self.tokens = UNNAMED if tokens is None else tokens
        self.problems = problems
        self.rows = spool(ANSWER_TABLES)
        self.kinds: dict[tuple[str, str], int] = {}
        self.sliders: dict[str, str] = {}
        self.most_outputs = 1
        self.n_failed = self.n_aside = self.n_forms = self.n_missing = self.n_unnamed = 0
        self.has_scores = False

    def problem(self, row: int, column: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file, row, column, reason)

    def add(self, row: int, entry: dict[str, Any], document: Any = None) -> None:
        """document: the items that were shown, where the entry does not say. Raise ImportProblem,
        naming the row."""
        user, said = entry.get("user_id"), entry.get("annotation")
        if not isinstance(user, str) or not user.strip():
            raise self.problem(row, "user_id", "there is no user.")
        if said == RESET:
            self.rows.execute("delete from answer where user = ?", (user.strip(),))
            return
        item_i = entry.get("item_i")
        if isinstance(item_i, str) and item_i.startswith(ASIDE):
            self.n_aside += 1
            self.note_checks(entry)
            return
        document = entry.get("item") or document
        if is_form(document):
            self.n_forms += 1
            return
        if isinstance(said, dict) and isinstance(document, list) and len(document) == 1:
            said = [said]
        if not isinstance(document, list):
            reason = "it does not contain its items; also upload the file of the campaign."
            raise self.problem(row, "item", reason)
        if not isinstance(said, list) or len(said) != len(document):
            raise self.problem(
                row, "annotation", "it should be a list of as many as there are items."
            )
        self.note_checks(entry)
        started, submitted, active = times_of(entry)
        if active is not None and active >= MOST_ACTIVE:
            raise self.problem(row, "time", f"{active:,} ms are too long for one document.")
        for place, each in enumerate(said):
            if not isinstance(document[place], dict) or document[place].get("validation"):
                self.n_aside += 1
            elif isinstance(each, dict) and each:
                key = self.items.add(document, place, row)
                found = {
                    model: self.answer(row, key, model, answer) for model, answer in each.items()
                }
                share = None if active is None else active // len(said)
                kind = kind_of(document[place])
                at = (user.strip(), str(item_i), place)
                shown = json.dumps(list(document[place]["tgt"]))
                self.store(at, (key, kind, shown), found, row, (started, submitted, share))

    def note_checks(self, entry: Mapping[str, Any]) -> None:
        found = entry.get("validations")
        self.n_failed += found.count(False) if isinstance(found, list) else 0

    def store(self, at: tuple, what: tuple, said: dict, row: int, times: tuple) -> None:
        """what: the segment, the kind, and what was shown with it (JSON)."""
        place = "where (user, item, place) = (?, ?, ?)"
        self.rows.execute(f"delete from answer {place} and segment <> ?", (*at, what[0]))
        known = self.rows.execute(f"select part, shown, said from answer {place}", at).fetchall()
        for part, shown, before in known:
            again = {model: said.pop(model) for model in json.loads(shown) if model in said}
            if again:
                both = json.loads(before) | again
                self.most_outputs = max(self.most_outputs, len(both))
                self.rows.execute(
                    "update answer set (said, started, submitted, active) = (?, ?, ?, ?)"
                    f" {place} and part = ?",
                    (json.dumps(both), *times, *at, part),
                )
        if said:
            self.most_outputs = max(self.most_outputs, len(said))
            values = (*at, len(known), *what, json.dumps(said), row, *times)
            self.rows.execute(f"insert into answer values ({', '.join('?' * 12)})", values)

    def answer(self, row: int, key: str, model: str, answer: Any) -> list:
        """Return [score, [error], {slider: value}] about one translation."""
        if not isinstance(answer, dict):
            raise self.problem(row, "annotation", f"about {shortened(model)} there is no answer.")
        errors, sliders = answer.get("error_spans") or [], answer.get("sliders") or {}
        text = self.items.texts.output(key, model)
        if text is None:
            raise self.problem(row, "annotation", f"{shortened(model)} is not one of the models.")
        if not isinstance(errors, list) or not isinstance(sliders, dict):
            raise self.problem(row, "annotation", "errors are a list, sliders an object.")
        try:
            spans = [s for each in errors for s in spans_of(model, text, each, self.tokens)]
        except ValueError as error:
            raise self.problem(row, "error_spans", str(error)) from None
        for span in spans:
            kind = (span.severity, span.category)
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
            if not self.names_tokens:
                self.n_missing += span.side == "missing"
                self.n_unnamed += span.side == "output"
        values = {}
        for name, value in sliders.items():
            if value is not None:
                values[self.slider(row, name)] = self.number(row, value)
        score = None if answer.get("score") is None else self.number(row, answer["score"])
        self.has_scores |= score is not None
        return [score, spans, values]

    def slider(self, row: int, name: str) -> str:
        slug = SLUG.sub("_", name.lower()).strip("_")[:30]
        slug = slug if slug[:1].isalpha() else f"slider_{slug}".rstrip("_")
        if self.sliders.setdefault(slug, name) != name or len(self.sliders) > 50:
            raise self.problem(
                row, "sliders", f"{shortened(name)} is the same as another one, or one too many."
            )
        return slug

    def number(self, row: int, value: Any) -> float:
        if type(value) not in (int, float) or not math.isfinite(value) or abs(value) > 1e9:
            raise self.problem(row, "score", f"{shortened(str(value))} is not a number.")
        return float(value)

    # ---- Out -----------------------------------------------------------------------------------

    def parts(self, name: str, texts: str, severities: Sequence[str]) -> list[JudgmentsPart]:
        """Return a campaign of errors, with the scores beside them, or of scores; sliders are
        scores, too, in a campaign of their own where there are errors. severities: which could be
        chosen."""
        found = []
        errors, scores = partial(self.screens, True), partial(self.screens, False)
        common: dict[str, Any] = {"outputs_per_item": self.most_outputs}
        if self.kinds:
            options = common | {
                "weights": weights_of(dict.fromkeys(((s, "") for s in severities), 0) | self.kinds),
                "categories": sorted({category for _, category in self.kinds if category}),
                "score": self.has_scores,
            }
            found.append(JudgmentsPart(name, texts, "released-errors", errors, options))
        scored = {} if self.kinds or not self.has_scores else {SCORE: "Score"}
        if asked := scored | self.sliders:
            scale = {"low": None, "high": None, "step": None}
            dimensions = [{"slug": slug, "name": words} | scale for slug, words in asked.items()]
            options = common | {"dimensions": dimensions}
            both = f"{name} (sliders)" if self.kinds else name
            found.append(JudgmentsPart(both, texts, "custom-rating", scores, options))
        return found

    def screens(self, with_errors: bool) -> Iterator[JudgedScreen]:
        """With the errors and the scores beside them; else with the sliders, and with the scores
        where nobody marked errors."""
        rows = self.rows.execute(
            "select user, item || ':' || place || iif(part, '+' || part, ''), segment, kind, said,"
            " row, started, submitted, active from answer order by row, place, part"
        )
        for user, item, segment, kind, answer, row, started, submitted, active in rows:
            said = json.loads(answer)
            screen = JudgedScreen(
                self.file,
                row,
                user,
                segment,
                list(said),
                item=item[:200],
                kind=kind,
                started=moment(started),
                submitted=moment(submitted),
                active_ms=active,
            )
            if with_errors:
                screen.spans = [
                    MarkedSpan(*each) for _, spans, _ in said.values() for each in spans
                ]
            for model, (score, _, sliders) in said.items():
                if score is not None and with_errors == bool(self.kinds):
                    name = SCORE_BESIDE_ERRORS if with_errors else SCORE
                    screen.ratings.append((model, name, score))
                if not with_errors:
                    screen.ratings += [(model, slug, value) for slug, value in sliders.items()]
            if with_errors or screen.ratings:
                yield screen


def read_annotations(
    file: Any,
    problems: Problems,
    campaigns: Mapping[str, Any],
    tokens: Sequence[str] | None = None,
) -> dict[str, Annotations]:
    """Return {campaign: its annotations}; a file of lines is of one campaign, which it is named
    after. campaigns: (items, {user: documents} or documents, names of the marks beyond the text) of
    those that were brought along; tokens: these names for the others."""
    found: dict[str, Annotations] = {}
    stem = file.name.removesuffix(".jsonl").removesuffix(".json").removesuffix(".annotations")
    for row, name, entry in objects(file, problems, KEYS):
        name = name or stem
        items, data, named = campaigns.get(name, (None, None, tokens))
        if name not in found:
            found[name] = Annotations(file.path, items or ItemStore(file.path), problems, named)
        try:
            found[name].add(row, entry, document_of(data, entry))
        except ImportProblem as problem:
            problems.add(problem)
    return found


def document_of(data: Any, entry: Mapping[str, Any]) -> Any:
    """Return what was shown, as the campaign says: `data` is by users, or one list for all."""
    documents = data.get(str(entry.get("user_id"))) if isinstance(data, dict) else data
    item_i = entry.get("item_i")
    if isinstance(documents, list) and type(item_i) is int and 0 <= item_i < len(documents):
        return documents[item_i]
    return None


def times_of(entry: Mapping[str, Any]) -> tuple[float | None, float | None, int | None]:
    """When it was shown and submitted (seconds since 1970), and the active time in ms: as it is
    said (`time`, seconds), else the times between actions, no pause over a minute."""
    actions = entry.get("actions")
    listed = actions if isinstance(actions, list) else []
    times = sorted(
        each["time"] for each in listed if isinstance(each, dict) and is_time(each.get("time"))
    )
    active = sum(min(after - before, LONGEST_PAUSE) for before, after in pairwise(times))
    if is_time(entry.get("time")):
        active = entry["time"]
    elif not times:
        return None, None, None
    return (*(times[:1] or [None]), *(times[-1:] or [None]), round(active * 1000))


def is_time(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 2**31


def moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
