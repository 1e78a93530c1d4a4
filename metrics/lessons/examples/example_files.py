"""Worked examples as files: each module of a topic has its examples in a YAML file next to it."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from .base import ExampleCase, ExampleField, Printed, WorkedExample

SHARED_FIELDS = Path(__file__).with_name("fields.yaml")


def read_examples(module: ModuleType, text: str | None = None) -> list[WorkedExample]:
    """Return the examples of the file next to ``module``, or of ``text`` instead. Raise ValueError
    for an unknown or missing key and for values that are not texts, with the file and place."""
    file = Path(str(module.__file__)).with_suffix(".yaml")
    found = yaml.safe_load(file.read_text(encoding="utf-8") if text is None else text)
    return [
        worked_example(data, module, f"{file.name}, example {number}")
        for number, data in enumerate(found, start=1)
    ]


def worked_example(data: Any, module: ModuleType, place: str) -> WorkedExample:
    """Return the example. ``compute`` names a function of ``module``; ``values`` are the defaults
    of all cases."""
    check(WorkedExample, data, place, "values")
    values = data.pop("values", {})
    asked = [
        field_of(each, f"{place}, field {number}") for number, each in enumerate(data["fields"], 1)
    ]
    cases = [
        case_of(each, values, {field.name for field in asked}, f"{place}, case {number}")
        for number, each in enumerate(data["cases"], start=1)
    ]
    if not callable(compute := getattr(module, data["compute"], None)):
        raise ValueError(f"{place}: {module.__name__} has no function {data['compute']}.")
    return WorkedExample(**data | {"fields": asked, "cases": cases, "compute": compute})


def field_of(data: Any, place: str) -> ExampleField:
    """Return a field defined here, or the shared one with this name."""
    if isinstance(data, str):
        if data not in shared_fields():
            raise ValueError(f"{place}: {SHARED_FIELDS.name} has no field {data}.")
        return shared_fields()[data]
    check(ExampleField, data, place)
    check_texts(data.get("choices", {}), f"{place}, choices")
    return ExampleField(**data)


@cache
def shared_fields() -> dict[str, ExampleField]:
    """Return the fields shared by several examples, by name."""
    found = yaml.safe_load(SHARED_FIELDS.read_text(encoding="utf-8"))
    return {
        key: field_of({"name": key} | data, f"{SHARED_FIELDS.name}, {key}")
        for key, data in found.items()
    }


def case_of(data: Any, values: Mapping[str, str], asked: set[str], place: str) -> ExampleCase:
    """Return a case with a value of every field in ``asked``; missing ones are taken from
    ``values``."""
    check(ExampleCase, data, place)
    values = {**values, **data["values"]}
    check_texts(values, f"{place}, values")
    check_keys(values, asked, asked, f"{place}, values")
    printed = {
        key: printed_of(each, f"{place}, printed {key}")
        for key, each in data.get("printed", {}).items()
    }
    return ExampleCase(**data | {"values": values, "printed": printed})


def printed_of(data: Any, place: str) -> Printed:
    if not isinstance(data, dict):
        data = {"text": data}
    check(Printed, data, place)
    return Printed(**data)


def check(kind: Any, data: Any, place: str, *more: str) -> None:
    """Raise ValueError unless ``data`` has the keys of a ``kind``, and optionally ``more``."""
    known = {each.name: each for each in fields(kind)}
    needed = {
        each.name
        for each in known.values()
        if each.default is MISSING and each.default_factory is MISSING
    }
    check_keys(data, {*known, *more}, needed, place)
    check_texts({key: data[key] for key in data if key in known and known[key].type is str}, place)


def check_keys(data: Any, known: set[str], needed: set[str], place: str) -> None:
    if not isinstance(data, dict):
        raise ValueError(f"{place}: this needs keys.")
    if unknown := data.keys() - known:
        raise ValueError(f"{place}: unknown key {', '.join(sorted(map(str, unknown)))}.")
    if missing := needed - data.keys():
        raise ValueError(f"{place}: missing key {', '.join(sorted(missing))}.")


def check_texts(data: Mapping[str, Any], place: str) -> None:
    """Raise ValueError for a number without quotes, whose digits YAML would not preserve."""
    for key, value in data.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise ValueError(f"{place}: {key} is no text; put quotes around it.")
