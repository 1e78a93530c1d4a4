"""Recipes: what the columns of somebody's tables mean, as a small file that is kept and sent.

    {"recipe": 1, "name": "…", "described": "https://…", "answers": {"scale:score": "0-100"},
     "tables": [{"columns": {"index": "segment", "original": "source", "scores": "scores:score"}}]}

`columns` has a meaning (`columns.WORDS`) for columns; any other one is not used. A table is
recognized when it has all of them. Beside `columns` it may have

- `header`: the columns in their order, of a file without a first line that names them;
- `cells`: by such a column the texts that alone stand there, to recognize the table;
- `files`: a file of lines for each column, by a name in which `{}` stands for what all share;
- `values`: numbers by the texts of scores that they replace;
- `answers`: what a person need not be asked for this table.

Those of `recipes/` come with the site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import MOST_COLUMNS
from judgments.files.uploads import ReleaseFile

from .columns import CAMPAIGN, DONOR, OUTPUT, PUBLISHED, REFERENCE, ROLES, SCORE, SCORES, UNUSED

FOLDER = Path(__file__).parent / "recipes"
MARK = re.compile(rb'\s*\{\s*"recipe"\s*:')
VERSION = 1
MEANINGS = {*ROLES, CAMPAIGN, DONOR, OUTPUT, PUBLISHED, REFERENCE, SCORE, SCORES, UNUSED}
KEPT = ("scale:", "system", "source-language", "target-language", "count_from")
SHARED, MOST_SHARED = "{}", 3
ALLOWED = {"columns", "header", "cells", "files", "values", "answers"}


@dataclass(frozen=True)
class TableRecipe:
    """Of one table; see above."""

    name: str
    columns: Mapping[str, str]
    header: Sequence[str] = ()
    cells: Mapping[str, Sequence[str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)

    def fits(self, first: Sequence[str]) -> bool:
        """Return whether a table whose first line has these cells is one of those."""
        if self.files:
            return False
        if not self.header:
            return set(self.columns) <= set(first)
        return len(first) == len(self.header) and all(
            cell in self.cells[name]
            for name, cell in zip(self.header, first, strict=True)
            if name in self.cells
        )

    @property
    def told(self) -> dict[str, Any]:
        """As it stands in a file, without what the whole recipe says."""
        parts = {key: getattr(self, key) for key in ALLOWED - {"columns", "answers"}}
        return {key: part for key, part in parts.items() if part}

    def side_by_side(self, files: Iterable[ReleaseFile]) -> Iterator[dict[str, ReleaseFile]]:
        """Return files by columns, of which line n says something about segment n. What is only
        published or not used may lack."""
        found: dict[tuple, dict[str, ReleaseFile]] = {}
        for file in files:
            for column, name in self.files.items():
                if match := pattern(name).fullmatch(file.name):
                    found.setdefault((file.folders, match.groups()), {}).setdefault(column, file)
        needed = {
            column
            for column in self.files
            if not self.columns.get(column, UNUSED).startswith((PUBLISHED, UNUSED))
        }
        return (each for each in found.values() if needed and needed <= each.keys())


@cache
def pattern(name: str) -> re.Pattern[str]:
    return re.compile("(.+)".join(map(re.escape, name.split(SHARED))))


# ---- In ----------------------------------------------------------------------------------------


@cache
def ours() -> tuple[TableRecipe, ...]:
    """Return the recipes that come with the site."""
    found: list[TableRecipe] = []
    for path in sorted(FOLDER.glob("*.json")):
        found += recipes_in(path.name, path.read_bytes())
    return tuple(found)


def is_recipe(file: ReleaseFile) -> bool:
    return file.name.endswith(".json") and bool(MARK.match(file.head()))


def recipes_of(files: Iterable[ReleaseFile]) -> list[TableRecipe]:
    """Return those that somebody brings, then ours. Raise ImportProblem."""
    found: list[TableRecipe] = []
    for file in files:
        if is_recipe(file):
            found += recipes_in(file.path, file.head())
    return [*found, *ours()]


def recipes_in(file: str, content: bytes) -> list[TableRecipe]:
    """Raise ImportProblem for what is no recipe."""
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        raise ImportProblem(file, None, "", "a recipe is a JSON object of at most 64 kB.") from None
    reader = RecipeReader(file)
    if told.get("recipe") != VERSION:
        raise reader.problem("recipe", f"this site reads recipes of version {VERSION}.")
    tables = told.get("tables")
    if not isinstance(tables, list) or not tables:
        raise reader.problem("tables", "it should be a list with an object for each table.")
    name = str(told.get("name", ""))
    shared = reader.texts(told, "answers")
    return [reader.table(name, shared, table) for table in tables]


@dataclass(frozen=True)
class RecipeReader:
    """Reads the parts of a recipe; every method raises ImportProblem."""

    file: str

    def problem(self, key: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file, None, key, reason)

    def table(self, name: str, shared: Mapping[str, str], told: Any) -> TableRecipe:
        if not isinstance(told, dict) or (odd := next((k for k in told if k not in ALLOWED), "")):
            reason = f"each should be an object with some of the keys {', '.join(sorted(ALLOWED))}"
            more = f", not {shortened(odd)}." if isinstance(told, dict) else "."
            raise self.problem("tables", reason + more)
        columns = self.texts(told, "columns")
        if not columns or len(columns) > MOST_COLUMNS:
            raise self.problem("columns", "it should name what the columns mean.")
        for column, meaning in columns.items():
            if meaning.partition(":")[0] not in MEANINGS:
                known = ", ".join(sorted(MEANINGS))
                reason = f"{shortened(meaning)} is not a meaning of a column. Known: {known}."
                raise self.problem(f"columns: {column[:60]}", reason)
        header = told.get("header", [])
        if not is_texts(header) or (header and not set(columns) <= set(header)):
            raise self.problem("header", "it should be a list with all of the columns.")
        cells = told.get("cells", {})
        if not isinstance(cells, dict) or not all(map(is_texts, cells.values())):
            raise self.problem("cells", "it should be an object with a list of texts by column.")
        files = self.texts(told, "files")
        if any(name.count(SHARED) > MOST_SHARED for name in files.values()):
            raise self.problem("files", f"a name has at most {MOST_SHARED} times {SHARED}.")
        values = told.get("values", {})
        if not isinstance(values, dict) or not all(map(is_number, values.values())):
            raise self.problem("values", "it should be an object with a number for each text.")
        numbers = {text: float(value) for text, value in values.items()}
        answers = {**shared, **self.texts(told, "answers")}
        return TableRecipe(name, columns, header, cells, files, numbers, answers)

    def texts(self, told: Any, key: str) -> dict[str, str]:
        found = told.get(key, {})
        if not isinstance(found, dict) or not is_texts(list(found.values())):
            raise self.problem(key, "it should be an object {name: text}.")
        return found


def is_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(each, str) for each in found)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9


# ---- Out ---------------------------------------------------------------------------------------


def as_text(name: str, tables: Sequence[Mapping[str, Any]], answers: Mapping[str, str]) -> str:
    """Return a recipe as a file. tables: as above, each with its columns; answers: to all
    questions, of which those are kept that are of any such table."""
    kept = {key: answer for key, answer in answers.items() if answer and key.startswith(KEPT)}
    told = {"recipe": VERSION, "name": name, "answers": kept, "tables": list(tables)}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"
