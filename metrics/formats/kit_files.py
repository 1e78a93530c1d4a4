"""Files of scores written by `metrics.neural.kit`: a line about the metric, then one per output."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from judgments.files import jsonl
from judgments.files.lines import Source, name_of, read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_NAME, LONGEST_SYSTEM_NAME

from . import marked_errors
from .entries import Entry, parse_score
from .marked_errors import ErrorOfMetric
from .score_tables import LONGEST_METRIC_NAME

MARK = "mteval_scores"
VERSION = 1
LONGEST_SIGNATURE = 200
MOST_NAMES = 1_000
BEGINNING = 200  # characters by which such a file is distinguished from a table


class KitEntry(NamedTuple):
    """A score; the digest of the texts it was computed from; the marked errors, None if not
    checked."""

    entry: Entry
    texts: str
    errors: list[ErrorOfMetric] | None


@dataclass(frozen=True)
class KitHead:
    """The content of the first line. `systems`: all those with scores in the file."""

    metric: str
    higher_is_better: bool
    references: tuple[str, ...]
    systems: tuple[str, ...]
    signature: str


def is_kit_file(source: Source) -> bool:
    """Return whether a file is a kit file, by its first line."""
    if not name_of(source).endswith(jsonl.SUFFIXES):
        return False
    first = next(read_lines(source), (0, ""))[1]
    return first.lstrip(" {")[:BEGINNING].startswith(f'"{MARK}"')


def read_head(source: Source) -> KitHead:
    """Return the content of the first line. Raise ImportProblem if it has another version or is
    incomplete."""
    file = name_of(source)
    line = next(read_lines(source), (0, ""))[1]
    found = jsonl.decoded(file, 1, line)
    if found.get(MARK) != VERSION:
        reason = "the file comes from a different version of this site; download the texts again."
        raise ImportProblem(file, 1, MARK, reason)
    if not isinstance(found.get("higher_is_better"), bool):
        raise ImportProblem(file, 1, "higher_is_better", "the value should be true or false.")
    return KitHead(
        _name(file, 1, found, "metric", LONGEST_METRIC_NAME),
        found["higher_is_better"],
        _names(file, found, "references"),
        _names(file, found, "systems"),
        _name(file, 1, found, "signature", LONGEST_SIGNATURE),
    )


def read_rows(source: Source, head: KitHead) -> Iterator[KitEntry]:
    """Yield every score. Raise ImportProblem for a line that is not a system, a segment and a
    number."""
    file = name_of(source)
    for row, line in itertools.islice(read_lines(source), 1, None):
        found = jsonl.decoded(file, row, line)
        system = _name(file, row, found, "system", LONGEST_SYSTEM_NAME)
        key = _name(file, row, found, "segment", LONGEST_NAME)
        text, errors = _score(file, row, found), marked_errors.in_line(file, row, found)
        value = parse_score(file, row, "score", text)
        entry = Entry(
            file, row, "score", head.metric, head.references, "segment", system, key, text, value
        )
        yield KitEntry(entry, str(found.get("texts", "")), errors)


def _score(file: str, row: int, found: dict[str, Any]) -> str:
    value = found.get("score")
    if value is None and "score" in found:
        return "None"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ImportProblem(file, row, "score", "the value should be a number, or null.")
    return json.dumps(value)


def _name(file: str, row: int, found: dict[str, Any], key: str, longest: int) -> str:
    value = found.get(key)
    if not isinstance(value, str):
        raise ImportProblem(file, row, key, "the value should be a text.")
    if problem := problem_with_name(value, longest):
        raise ImportProblem(file, row, key, problem)
    return value


def _names(file: str, found: dict[str, Any], key: str) -> tuple[str, ...]:
    values = found.get(key)
    if not isinstance(values, list) or len(values) > MOST_NAMES:
        reason = f"the value should be a list of at most {MOST_NAMES:,} names."
        raise ImportProblem(file, 1, key, reason)
    for value in values:
        if not isinstance(value, str):
            raise ImportProblem(file, 1, key, f"{shortened(str(value))} is not a name.")
        if problem := problem_with_name(value, LONGEST_SYSTEM_NAME):
            raise ImportProblem(file, 1, key, problem)
    return tuple(sorted(set(values)))
