"""What of a document does not fit the schema, in words. `jsonschema` finds it; where it stands, and
what may have been meant, is said here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from judgments.files.problem import shortened

from .nodes import Fault, FilePlace, place_in, within
from .shapes import SOME_TEXT

KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
    "null": "null",
}
SENTENCES = {
    "maxItems": "there are {n:,}; at most {wanted:,} are possible.",
    "maxLength": "the text has {n:,} characters; at most {wanted:,} are possible.",
    "maxProperties": "there are {n:,}; at most {wanted:,} are possible.",
    "maximum": "{value:g} is above {wanted:g}.",
    "minItems": "at least {wanted} must be named.",
    "minimum": "{value:g} is below {wanted:g}.",
    "multipleOf": "{value:g} is not in steps of {wanted:g}.",
}


def meant(
    validator: Any, shapes: list[Mapping[str, Any]], value: Any, schema: Any
) -> Iterator[ValidationError]:
    """Yield what is wrong with a value that may have one of several shapes, by that shape which it
    seems to be meant as. The library would try them all, and keep the errors of each."""
    fitting = [shape for shape in shapes if validator.is_type(value, shape["type"])]
    if len(fitting) > 1:  # several mappings: one of their own keys tells
        fitting = [shape for shape in fitting if set(shape["required"]) & set(value)]
    if fitting:
        yield from validator.descend(value, fitting[0])
    else:
        yield ValidationError(ways_to_say(value, shapes))


Checker = extend(Draft202012Validator, {"anyOf": meant})


def faults_in(document: Any, schema: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what does not fit; the same may come twice."""
    for error in Checker(schema).iter_errors(document):
        steps = [f"{s + 1}" if isinstance(s, int) else s for s in error.absolute_path]
        place, path = place_in(document, steps), ".".join(step[:60] for step in steps)
        for key, reason in reasons(error):
            at: FilePlace = getattr(error.instance, "keys_at", {}).get(key, place)
            yield Fault(*at, within(path, key[:60]), reason)


def reasons(error: ValidationError) -> Iterator[tuple[str, str]]:
    """Yield ("", what is wrong), or (an unknown key of a mapping, what is said of it)."""
    value, wanted, schema = error.instance, error.validator_value, error.schema
    match error.validator:
        case "additionalProperties":
            known = list(schema.get("properties", ()))
            for key in (key for key in value if key not in known):
                yield key, f"this is not known here; {nearest(key, known)}"
        case "required":
            for key in (key for key in wanted if key not in value):
                yield "", f"“{key}” is missing."
        case "anyOf":
            yield "", error.message
        case "type":
            yield "", f"{quoted(value)} is not {in_words(wanted)}."
        case "enum":
            if Checker({"type": schema["type"]}).is_valid(value):
                known = [str(each) for each in wanted]
                yield "", f"{quoted(value)} is not known; {nearest(str(value), known)}"
        case "pattern" if wanted == SOME_TEXT:
            yield "", "the text is empty."
        case "pattern":
            like = schema.get("examples", [wanted])[0]
            yield "", f"{quoted(value)} is not written like {like}."
        case "minimum" | "maximum" if {"minimum", "maximum"} <= set(schema):
            ends = f"from {schema['minimum']:g} to {schema['maximum']:g}"
            yield "", f"{value:g} is not {ends}."
        case name:
            n = len(value) if isinstance(value, str | list | dict) else 0
            yield "", SENTENCES[name].format(value=value, wanted=wanted, n=n)


def ways_to_say(value: Any, shapes: list[Mapping[str, Any]]) -> str:
    """Return what could be written in place of a value that has none of several shapes."""
    keys = [", ".join(shape["required"]) for shape in shapes if "required" in shape]
    if keys and isinstance(value, dict):
        return f"say {'; or '.join(keys)}."
    return f"write {in_words(list(dict.fromkeys(shape['type'] for shape in shapes)))}."


def in_words(kinds: str | list[str]) -> str:
    return " or ".join(KINDS[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))


def quoted(value: Any) -> str:
    """Return a value as a message says it."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a mapping"
    return shortened(value) if isinstance(value, str) else json.dumps(value)


def nearest(word: str, known: list[str]) -> str:
    """Return a hint at the word that was meant, or at all that there are."""
    if near := get_close_matches(word, known, 1, 0.6):
        return f"did you mean “{near[0]}”?"
    return f"choose from {', '.join(known)}." if known else "nothing is possible here."
