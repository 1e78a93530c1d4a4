"""Checks a tree against a JSON Schema: the very schema that is published, so that neither can say
what the other does not. It knows the words of the schema that the sections use, and no others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from judgments.files.problem import shortened

from .nodes import FilePlace, FoundFaults, Node, within

Schema = Mapping[str, Any]
SOME_TEXT = r"\S"  # the pattern of a text that says anything
KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
    "null": "null",
}


def kinds_of(value: Any) -> tuple[str, ...]:
    """The types of the schema that a value is of."""
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int):
        return ("integer", "number")
    if isinstance(value, float):
        return ("integer", "number") if value.is_integer() else ("number",)
    if isinstance(value, str):
        return ("string",)
    return ("object",) if isinstance(value, dict) else ("array",)


def quoted(value: Any) -> str:
    """A value as a message says it."""
    if isinstance(value, str):
        return shortened(value)
    return {True: "true", False: "false", None: "null"}.get(value, f"{value}")


def nearest(word: str, known: list[str]) -> str:
    """A hint at the word that was meant, or at all that there are."""
    if near := get_close_matches(word, known, 1, 0.6):
        return f"did you mean “{near[0]}”?"
    return f"there are {', '.join(known)}." if known else "nothing can be said here."


def check(node: Node, schema: Schema, path: str, faults: FoundFaults) -> bool:
    """Whether a value fits; if not, `faults` says why."""
    before = len(faults.all)
    if "anyOf" in schema:
        schema = chosen(node, schema["anyOf"])
        if "anyOf" in schema:
            faults.add(node.place, path, f"{schema['anyOf']}")
            return False
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    value = node.value
    if kinds and not set(kinds) & set(kinds_of(value)):
        wanted = " or ".join(KINDS[kind] for kind in kinds)
        got = "a list" if isinstance(value, list) else "a mapping"
        words = got if isinstance(value, list | dict) else quoted(value)
        faults.add(node.place, path, f"{words} is not {wanted}.")
        return False
    if "enum" in schema and value not in schema["enum"]:
        known = [str(each) for each in schema["enum"]]
        faults.add(node.place, path, f"{quoted(value)} is not known; {nearest(str(value), known)}")
    elif isinstance(value, str):
        _check_text(value, node.place, schema, path, faults)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        _check_number(value, node.place, schema, path, faults)
    elif isinstance(value, list):
        _check_list(node, schema, path, faults)
    elif isinstance(value, dict):
        _check_mapping(node, schema, path, faults)
    return len(faults.all) == before


def chosen(node: Node, shapes: list[Schema]) -> Schema:
    """The one of several shapes that a value seems to be meant as; {"anyOf": words} for none."""
    fitting = []
    for shape in shapes:
        kinds = shape["type"]
        if set((kinds,) if isinstance(kinds, str) else kinds) & set(kinds_of(node.value)):
            fitting.append(shape)
    if len(fitting) > 1:
        told = [s for s in fitting if set(s.get("required", ())) <= set(node.keys)]
        if not told:
            told = [s for s in fitting if set(s.get("required", ())) & set(node.keys)]
        if not told:
            ways = "; or ".join(", ".join(s.get("required", ())) for s in fitting)
            return {"anyOf": f"say {ways}."}
        fitting = told
    if fitting:
        return fitting[0]
    wanted = " or ".join(KINDS[s["type"]] for s in shapes if isinstance(s["type"], str))
    return {"anyOf": f"write {wanted}."}


def _check_text(
    text: str, place: FilePlace, schema: Schema, path: str, faults: FoundFaults
) -> None:
    most = schema.get("maxLength")
    if schema.get("pattern") == SOME_TEXT and not text.strip():
        faults.add(place, path, "the text is empty.")
    elif most is not None and len(text) > most:
        faults.add(place, path, f"the text has {len(text):,} characters; at most {most:,} fit.")
    elif "pattern" in schema and not re.search(schema["pattern"], text):
        like = schema["examples"][0] if "examples" in schema else schema["pattern"]
        faults.add(place, path, f"{quoted(text)} is not written like {like}.")


def _check_number(
    value: float, place: FilePlace, schema: Schema, path: str, faults: FoundFaults
) -> None:
    low, high = schema.get("minimum"), schema.get("maximum")
    step = schema.get("multipleOf")
    if step and (value / step) % 1:
        faults.add(place, path, f"{value:g} is not in steps of {step:g}.")
    if (low is None or value >= low) and (high is None or value <= high):
        return
    if low is not None and high is not None:
        reason = f"{value:g} is not from {low:g} to {high:g}."
    elif low is not None:
        reason = f"{value:g} is below {low:g}."
    else:
        reason = f"{value:g} is above {high:g}."
    faults.add(place, path, reason)


def _check_list(node: Node, schema: Schema, path: str, faults: FoundFaults) -> None:
    n, least, most = len(list(node.children)), schema.get("minItems", 0), schema.get("maxItems")
    if n < least:
        faults.add(node.place, path, f"at least {least} must be named.")
    if most is not None and n > most:
        faults.add(node.place, path, f"there are {n:,}; at most {most:,} are possible.")
        return
    for number, each in node.children:
        check(each, schema.get("items", {}), within(path, number), faults)


def _check_mapping(node: Node, schema: Schema, path: str, faults: FoundFaults) -> None:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in node.keys:
            faults.add(node.place, path, f"“{name}” is missing.")
    if len(node.keys) > schema.get("maxProperties", len(node.keys)):
        most = schema["maxProperties"]
        faults.add(node.place, path, f"there are {len(node.keys):,}; at most {most:,} may be.")
        return
    for name, each in node.children:
        inner = within(path, name[:60])
        if name in known:
            check(each, known[name], inner, faults)
        elif others is False:
            hint = nearest(name, list(known))
            faults.add(node.keys[name], inner, f"this is not known here; {hint}")
        elif isinstance(others, Mapping):
            check(each, others, inner, faults)
