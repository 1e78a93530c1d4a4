"""JSON lines: UTF-8, one flat JSON object a line; its keys are the columns.

Numbers come out as text, as in a TSV; a key that is absent or null is an empty cell.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .lines import Source, name_of, read_lines
from .problem import ImportProblem

SUFFIXES = (".jsonl", ".jsonl.gz")
SURROGATE = re.compile("[\ud800-\udfff]")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the key “{twice}” occurs twice")
    return found


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is not a JSON value")


DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def read(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line number, {key: cell}) of every line.

    Raises ImportProblem for a line that is not one flat JSON object of texts, numbers and nulls.
    """
    name = name_of(source)
    number = 0
    for number, line in read_lines(source):
        found = decoded(name, number, line)
        yield number, {key: _cell(name, number, key, value) for key, value in found.items()}
    if not number:
        raise ImportProblem(name, None, "", "the file is empty.")


def decoded(name: str, number: int, line: str) -> dict[str, Any]:
    """Return the object of a line. Raise ImportProblem for anything else."""
    try:
        found = DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        is_deep = isinstance(error, RecursionError)
        reason = f"not a JSON object: {'nested too deeply' if is_deep else error}."
        raise ImportProblem(name, number, "", reason) from None
    if not isinstance(found, dict):
        raise ImportProblem(name, number, "", "not a JSON object in { }.")
    return found


def problem_with_characters(text: str) -> str:
    """Return what escapes can spell and neither UTF-8 nor the database holds, in words; "" for
    nothing."""
    if SURROGATE.search(text):
        return "the text contains half of a surrogate pair."
    return "the text contains a NUL character." if "\0" in text else ""


def _cell(name: str, number: int, key: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ImportProblem(name, number, key, "the value should be a string or a number.")
    cell = str(value)
    if problem := problem_with_characters(cell):
        raise ImportProblem(name, number, key, problem)
    return cell
