"""Pearmut's annotations → judged screens. Each line, or object of a downloaded file, is what one
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

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from judgments.files.problem import ImportProblem, shortened

from .json_stream import objects
from .marked_rows import MOST_ACTIVE, weights_of
from .pearmut_items import MISSING, ItemStore, is_form, kind_of, spans_of
from .records import JudgedScreen, JudgmentsPart, MarkedSpan, Problems
from .spool import spool

KEYS = ("annotation", "actions", "item", "validations")
RESET = "__RESET__"
LONGEST_PAUSE = 61  # seconds between two actions, as Pearmut counts them
SCORE, SCORE_BESIDE_ERRORS = "score", "esa"
UNNAMED = (MISSING, *(f"[special token {n}]" for n in range(2, 21)))
ASIDE = ("welcome_", "random_", "goodbye_")  # items that are no work
SLUG = re.compile("[^a-z0-9]+")
TABLES = """
create table answer (
    user text, item text, place integer, part integer, segment text, kind text, shown text,
    said text, row integer, started real, submitted real, active integer,
    primary key (user, item, place, part)
);
"""


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
        self.rows = spool(TABLES)
        self.kinds: dict[tuple[str, str], int] = {}
        self.sliders: dict[str, str] = {}
        self.most_outputs = 1
        self.n_failed = self.n_aside = self.n_forms = self.n_missing = self.n_unnamed = 0
        self.has_scores = False

    def problem(self, row: int, column: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file, row, column, reason)

    def add(self, row: int, entry: dict[str, Any], document: Any = None) -> None:
        """document: the items that were shown, where the entry does not say. Raises ImportProblem,
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
            reason = "it does not hold its items; bring the file of the campaign along."
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
        """[score, [error], {slider: value}] about one translation."""
        if not isinstance(answer, dict):
            raise self.problem(row, "annotation", f"about {shortened(model)} there is no answer.")
        errors, sliders = answer.get("error_spans") or [], answer.get("sliders") or {}
        if model not in self.items.systems:
            raise self.problem(row, "annotation", f"{shortened(model)} is none of the models.")
        if not isinstance(errors, list) or not isinstance(sliders, dict):
            raise self.problem(row, "annotation", "errors are a list, sliders an object.")
        try:
            text = self.items.output(key, model)
            spans = [s for each in errors for s in spans_of(model, text, each, self.tokens)]
        except (ValueError, TypeError) as error:
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
                row, "sliders", f"{shortened(name)} is like another one, or too many."
            )
        return slug

    def number(self, row: int, value: Any) -> float:
        if type(value) not in (int, float) or not math.isfinite(value) or abs(value) > 1e9:
            raise self.problem(row, "score", f"{shortened(str(value))} is not a number.")
        return float(value)

    # ---- Out -----------------------------------------------------------------------------------

    def parts(self, name: str, texts: str) -> list[JudgmentsPart]:
        """A campaign of errors, with the scores beside them, or of scores; sliders are scores, too,
        in a campaign of their own where there are errors."""
        found = []
        common: dict[str, Any] = {"outputs_per_item": self.most_outputs}
        if self.kinds:
            options = common | {
                "weights": weights_of(self.kinds),
                "categories": sorted({category for _, category in self.kinds if category}),
                "score": self.has_scores,
            }
            found.append(self.part(name, texts, "released-errors", options, self.errors))
        scored = {} if self.kinds or not self.has_scores else {SCORE: "Score"}
        if asked := scored | self.sliders:
            scale = {"low": None, "high": None, "step": None}
            dimensions = [{"slug": slug, "name": words} | scale for slug, words in asked.items()]
            options = common | {"dimensions": dimensions}
            both = f"{name} (sliders)" if self.kinds else name
            found.append(self.part(both, texts, "custom-rating", options, self.scores))
        return found

    def part(
        self, name: str, texts: str, preset: str, options: dict, screens: Callable
    ) -> JudgmentsPart:
        return JudgmentsPart(name, texts, preset, screens, options)

    def answers(self) -> Iterator[tuple[JudgedScreen, dict[str, list]]]:
        rows = self.rows.execute(
            "select user, item || ':' || place || iif(part, '+' || part, ''), segment, kind, said,"
            " row, started, submitted, active from answer order by row, place, part"
        )
        for user, item, segment, kind, said, row, started, submitted, active in rows:
            found = json.loads(said)
            screen = JudgedScreen(
                self.file,
                row,
                user,
                segment,
                list(found),
                item=item[:200],
                kind=kind,
                started=moment(started),
                submitted=moment(submitted),
                active_ms=active,
            )
            yield screen, found

    def errors(self) -> Iterator[JudgedScreen]:
        for screen, said in self.answers():
            screen.spans = [MarkedSpan(*span) for _, spans, _ in said.values() for span in spans]
            for model, (score, _, _) in said.items():
                if score is not None:
                    screen.ratings.append((model, SCORE_BESIDE_ERRORS, score))
            yield screen

    def scores(self) -> Iterator[JudgedScreen]:
        for screen, said in self.answers():
            for model, (score, _, sliders) in said.items():
                if score is not None and not self.kinds:
                    screen.ratings.append((model, SCORE, score))
                screen.ratings += [(model, slug, value) for slug, value in sliders.items()]
            if screen.ratings:
                yield screen


def read_annotations(
    file: Any,
    problems: Problems,
    campaigns: Mapping[str, Any],
    tokens: Sequence[str] | None = None,
) -> dict[str, Annotations]:
    """{campaign: its annotations}; a file of lines is of one campaign, which it is named after.
    campaigns: (items, {user: documents} or documents, names of the marks beyond the text) of those
    that were brought along; tokens: these names for the others."""
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
    """What was shown, as the campaign says: `data` is by users, or one list for all."""
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
