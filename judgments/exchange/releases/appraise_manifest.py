"""Appraise's manifests: how a campaign is judged, without what is judged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from judgments.files.problem import ImportProblem, shortened
from judgments.files.texts import LONGEST_NAME
from judgments.files.uploads import ReleaseFile

from .appraise_rows import LANGUAGE

MOST_SEATS = 100
TASKS = {"TASK_TYPE", "TASKS_TO_ANNOTATORS"}
LONGEST = 2**20  # characters
# What a task asks, by a word of its options, and else by its type; the presets of this site.
BY_OPTION = {"ESA": "esa", "MQM": "mqm-core", "LQM": "mqm-core", "SQM": "da-sqm"}
BY_TYPE = {
    "Direct": "direct-assessment", "Data": "direct-assessment", "Document": "direct-assessment",
    "MultiModal": "direct-assessment", "Pairwise": "contrastive-da",
    "PairwiseDocument": "contrastive-da", "ContrastiveDocument": "contrastive-da",
    "PairwiseDocumentESA": "contrastive-esa",
}  # fmt: skip
# And back.
TYPES = {
    "direct-assessment": ("Direct", ""), "contrastive-da": ("Pairwise", ""),
    "esa": ("Document", "ESA"), "mqm-core": ("Document", "MQM"), "da-sqm": ("Document", "SQM"),
    "da-sqm-document": ("Document", "SQM"),
}  # fmt: skip
IN_DOCUMENTS = ("Document", "PairwiseDocument", "PairwiseDocumentESA", "ContrastiveDocument")


class Manifest(NamedTuple):
    """preset: "" where the file names no type, which its batches then show. pairs: (source,
    target) as Appraise codes them. unknown: words of its options that the site has nothing for."""

    name: str
    preset: str
    options: dict[str, Any]
    seats: int
    pairs: list[tuple[str, str]]
    unknown: list[str] = []


def is_manifest(value: Any) -> bool:
    has_tasks = isinstance(value, dict) and not TASKS.isdisjoint(value)
    return has_tasks and "CAMPAIGN_NAME" in value


def read_manifest(file: ReleaseFile) -> Manifest:
    """Raises ImportProblem."""
    with file.open() as stream:
        text = stream.read(LONGEST)
    try:
        value = json.loads(text.decode("utf-8-sig"))
        if not is_manifest(value):
            raise ValueError
        pairs = value.get("TASKS_TO_ANNOTATORS", [])
        languages = list(dict.fromkeys((pair[0], pair[1]) for pair in pairs))
        if not all(isinstance(c, str) and LANGUAGE.fullmatch(c) for p in languages for c in p):
            raise ValueError
        name, kind = str(value["CAMPAIGN_NAME"])[:LONGEST_NAME], value.get("TASK_TYPE", "")
        seats = value.get("REDUNDANCY", 1)
        if type(seats) is not int or not 1 <= seats <= MOST_SEATS or not name:
            raise ValueError
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        reason = "this is no manifest of Appraise, or it has another form."
        raise ImportProblem(file.name, None, "", reason) from None
    preset = preset_of(file.name, kind, value.get("TASK_OPTIONS", ""))
    unknown = [
        word for word in words_of(value.get("TASK_OPTIONS")) if word.upper() not in BY_OPTION
    ]
    return Manifest(name, preset, options_of(preset, kind), seats, languages, unknown)


def words_of(options: Any) -> list[str]:
    words = str(options or "").replace(",", ";").split(";")
    return [word.strip() for word in words if word.strip()]


def preset_of(file: str, kind: Any, options: Any) -> str:
    wanted = [word.upper() for word in words_of(options)]
    if not kind and BY_OPTION.keys().isdisjoint(wanted):
        return ""
    if kind and kind not in BY_TYPE:
        reason = f"the site has nothing like a task of the type {shortened(str(kind))}."
        raise ImportProblem(file, None, "TASK_TYPE", reason)
    in_pairs = BY_TYPE.get(kind, "").startswith("contrastive")
    for word, preset in BY_OPTION.items():
        if word in wanted:
            if in_pairs:
                return "contrastive-esa" if preset == "esa" else BY_TYPE[kind]
            return preset
    return BY_TYPE[kind]


def options_of(preset: str, kind: str) -> dict[str, Any]:
    """Options beside those of the preset: what people see around a segment, and that a comparison
    may have one translation only, as Appraise's has."""
    options: dict[str, Any] = {}
    if kind in IN_DOCUMENTS:
        options["context"] = "document"
    if preset.startswith("contrastive"):
        options["fewest_per_item"] = 1
    return options


def manifest_of(
    name: str, preset: str, options: Mapping[str, Any], seats: int, languages: list[str], n: int
) -> dict[str, Any]:
    """What Appraise reads to set up a campaign of n batches."""
    kind, words = TYPES[preset]
    if preset == "direct-assessment" and options.get("context") == "document":
        kind = "Document"
    return {
        "CAMPAIGN_URL": "http://127.0.0.1:8000/dashboard/sso/",
        "CAMPAIGN_NAME": name,
        "CAMPAIGN_KEY": name,
        "CAMPAIGN_NO": 1,
        "REDUNDANCY": seats,
        "TASKS_TO_ANNOTATORS": [[*languages, "uniform", n * seats, n]],
        "TASK_TYPE": kind,
        "TASK_OPTIONS": words,
    }
