"""The pieces of which the sections put their JSON Schema together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Shape = dict[str, Any]
SOME_TEXT = r"\S"  # the pattern of a text that says anything


def shape(kind: str | list[str], words: str = "", **more: Any) -> Shape:
    """Return the shape of a value of a kind. words: what it is, for editors."""
    return {"type": kind, **more, **({"description": words} if words else {})}


def some_text(most: int, words: str = "") -> Shape:
    """Return the shape of a text that is not empty, of at most so many characters."""
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
    """Return the shape of a mapping whose keys are names of any kind."""
    return shape("object", words, additionalProperties=values, **more)


def any_of(*shapes: Shape, words: str) -> Shape:
    return {"anyOf": list(shapes), "description": words}
