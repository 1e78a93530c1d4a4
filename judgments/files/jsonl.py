"""JSON lines: UTF-8, one flat JSON object per line; its keys are the columns.

Numbers are returned as text, as in a TSV; an absent or null key is an empty cell.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .lines import Source, name_of, read_lines
from .problem import ImportProblem, shortened

SUFFIXES = (".jsonl", ".jsonl.gz")
SURROGATE = re.compile("[\ud800-\udfff]")


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object of pairs, as an `object_pairs_hook`. Raise ValueError for two equal
    keys."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the key {shortened(twice)} occurs twice")
    return found


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is not a JSON value")


DECODER = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=_no_constant)


def read(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line number, {key: cell}) of every line.

    Raise ImportProblem for a line that is not a flat JSON object of texts, numbers and nulls.
    """
    name = name_of(source)
    number = 0
    for number, line in read_lines(source):
        found = decoded(name, number, line)
        yield number, {key: _cell(name, number, key, value) for key, value in found.items()}
    if not number:
        raise ImportProblem(name, None, "", "the file is empty.")


def decoded(
    name: str, number: int, line: str, decoder: json.JSONDecoder = DECODER
) -> dict[str, Any]:
    """Return the object of a line. Raise ImportProblem for anything else."""
    try:
        found = decoder.decode(line)
    except (ValueError, RecursionError) as error:
        is_deep = isinstance(error, RecursionError)
        reason = f"not a JSON object: {'nested too deeply' if is_deep else error}."
        raise ImportProblem(name, number, "", reason) from None
    if not isinstance(found, dict):
        raise ImportProblem(name, number, "", "not a JSON object in { }.")
    for key in found:
        if problem := problem_with_characters(key):
            raise ImportProblem(name, number, "", f"a key cannot be stored: {problem}")
    return found


def problem_with_characters(text: str) -> str:
    """Return an error about characters that escapes can encode but neither UTF-8 nor the database
    can store; "" if there are none."""
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
