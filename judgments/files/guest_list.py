"""A list of people to invite: CSV with the columns name, e-mail and, optionally, alias; in a
project also pairs, the language pairs in which somebody may work.

Commas, semicolons or tabs separate cells, as in the header; cells may be quoted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from .csv_files import read_cells
from .lines import name_of
from .problem import ImportProblem, shortened
from .table import problem_with_name

COLUMNS = {"name": "name", "e-mail": "email", "email": "email", "mail": "email", "alias": "alias"}
ALIAS = re.compile(r"[\w .@+-]{1,60}")
MOST = 2_000
MOST_BYTES = 1_000_000
MOST_PROBLEMS = 20
LONGEST_NAME, LONGEST_EMAIL = 150, 254


@dataclass(frozen=True)
class Guest:
    """Somebody to invite; empty: not given."""

    name: str = ""
    email: str = ""
    alias: str = ""
    pairs: tuple[str, ...] = ()


class GuestListProblems(Exception):
    """The errors of a list, at most MOST_PROBLEMS."""

    def __init__(self, problems: list[ImportProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def read_guests(source: Any, pairs: Collection[str] = ()) -> list[Guest]:
    """Return the people in an open binary file with a name. pairs: those that the list may name.
    Raise GuestListProblems: with one bad row, nobody is returned."""
    file = name_of(source)
    raw = source.read(MOST_BYTES + 1)
    try:
        if len(raw) > MOST_BYTES:
            raise ImportProblem(file, None, "", f"the file has more than {MOST_BYTES:,} bytes.")
        return _guests(file, read_cells(source), pairs)
    except ImportProblem as problem:
        raise GuestListProblems([problem]) from None


def _guests(
    file: str, rows: Iterator[tuple[int, list[str]]], pairs: Collection[str]
) -> list[Guest]:
    columns = COLUMNS | ({"pairs": "pairs"} if pairs else {})
    names = _header(file, next(rows, (1, []))[1], columns)
    problems: list[ImportProblem] = []
    found: list[Guest] = []
    seen: dict[tuple[str, str], int] = {}
    for row, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        try:
            guest = _guest(file, row, names, cells, pairs)
            for column, value in (("e-mail", guest.email.lower()), ("alias", guest.alias)):
                if value and (before := seen.setdefault((column, value), row)) != row:
                    reason = f"{shortened(value)} is already in row {before:,}."
                    raise ImportProblem(file, row, column, reason)
        except ImportProblem as problem:
            problems.append(problem)
            if len(problems) == MOST_PROBLEMS:
                break
        else:
            found.append(guest)
            if len(found) > MOST:
                raise ImportProblem(file, row, "", f"a list has at most {MOST:,} people.")
    if problems:
        raise GuestListProblems(problems)
    if not found:
        raise ImportProblem(file, None, "", "the list has a header but no rows.")
    return found


def _header(file: str, cells: list[str], columns: dict[str, str]) -> list[str]:
    """Return the fields of the columns. Raise ImportProblem."""
    names = [cell.strip().lower() for cell in cells]
    for name in names:
        if name not in columns:
            known = (
                "name, e-mail, alias and pairs" if "pairs" in columns else "name, e-mail and alias"
            )
            reason = f"this column is not known here. The columns are {known}."
            raise ImportProblem(file, 1, shortened(name), reason)
    fields = [columns[name] for name in names]
    for field in ("name", "email"):
        if field not in fields:
            column = "e-mail" if field == "email" else field
            reason = "this column is missing. The columns are name, e-mail and, optionally, alias."
            raise ImportProblem(file, 1, column, reason)
    if len(set(fields)) < len(fields):
        raise ImportProblem(file, 1, "", "two columns have the same name.")
    return fields


def _guest(
    file: str, row: int, names: list[str], cells: list[str], pairs: Collection[str]
) -> Guest:
    if len(cells) != len(names):
        reason = f"the row has {len(cells)} cells, but the header has {len(names)}."
        raise ImportProblem(file, row, "", reason)
    said: dict[str, Any] = dict(zip(names, map(str.strip, cells), strict=True))
    said["pairs"] = tuple(dict.fromkeys(re.findall(r"[^\s,;]+", said.get("pairs", ""))))
    for pair in said["pairs"]:
        if pair not in pairs:
            reason = (
                f"no campaign has {shortened(pair)}; the pairs are {', '.join(sorted(pairs)[:30])}."
            )
            raise ImportProblem(file, row, "pairs", reason)
    guest = Guest(**said)
    if problem := problem_with_name(guest.name, LONGEST_NAME):
        raise ImportProblem(file, row, "name", problem)
    if guest.email:
        try:
            if len(guest.email) > LONGEST_EMAIL:
                raise ValidationError("too long")
            validate_email(guest.email)
        except ValidationError:
            reason = f"{shortened(guest.email)} is not an address."
            raise ImportProblem(file, row, "e-mail", reason) from None
    if guest.alias and not ALIAS.fullmatch(guest.alias):
        reason = (
            "an alias has at most 60 letters, digits, spaces and the characters . @ + - _ only."
        )
        raise ImportProblem(file, row, "alias", reason)
    return guest
