"""Building blocks of the sections' JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Shape = dict[str, Any]
SOME_TEXT = r"\S"  # the pattern of a text that is not blank


def shape(kind: str | list[str], words: str = "", **more: Any) -> Shape:
    """Return the shape of a value of a kind. words: description for editors."""
    return {"type": kind, **more, **({"description": words} if words else {})}


def some_text(most: int, words: str = "") -> Shape:
    """Return the shape of a text that is not empty, with at most `most` characters."""
    return shape("string", words, pattern=SOME_TEXT, maxLength=most)


def one_of(known: Iterable[str], words: str = "", **more: Any) -> Shape:
    return shape("string", words, enum=list(known), **more)


def list_of(items: Shape, most: int, words: str = "", **more: Any) -> Shape:
    return shape("array", words, items=items, maxItems=most, **more)


def mapping(keys: Mapping[str, Shape], words: str = "", *, required: Sequence[str] = ()) -> Shape:
    """Return the shape of a mapping with these keys and no others."""
    more = {"required": list(required)} if required else {}
    return shape("object", words, properties=dict(keys), additionalProperties=False, **more)


def by_name(values: Shape, words: str = "", **more: Any) -> Shape:
    """Return the shape of a mapping with arbitrary names as keys."""
    return shape("object", words, additionalProperties=values, **more)


def any_of(*shapes: Shape, words: str) -> Shape:
    return {"anyOf": list(shapes), "description": words}
