"""Planned campaigns → Appraise's batches and manifests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from judgments.files.texts import THE_DOCUMENT, SegmentTexts
from judgments.models.damaged_copies import original_name

from .appraise_manifest import manifest_of
from .appraise_tutorial import tutorial_item
from .appraise_written import TYPES as ITEM_TYPES
from .languages import three_letters
from .records import PlannedItem, PlanPart, TextsPart

PLAIN = re.compile("[^A-Za-z0-9._-]+")


def files_of(plan: PlanPart, texts: TextsPart) -> Iterator[tuple[str, Iterator[str]]]:
    """(path, its text in pieces) of the manifest and the batches; where no batch is planned, of the
    tutorial, if there is one. The texts are in memory while they are written."""
    name = PLAIN.sub("_", plan.name).strip("._") or "campaign"
    n = sum(1 for _ in plan.batches())
    languages = [three_letters(texts.source_language), three_letters(texts.target_language)]
    manifest = manifest_of(plan.name, plan.preset, plan.options, plan.seats, languages, n)
    yield f"{name}.manifest.json", iter([json.dumps(manifest, ensure_ascii=False, indent=2)])
    if n:
        yield f"{name}.batches.json", pieces(plan, texts, languages)
    elif plan.practice:
        items = [tutorial_item(row, i) for i, row in enumerate(plan.practice)]
        yield f"{name}.tutorial.json", iter([json.dumps(items, ensure_ascii=False, indent=2)])


def pieces(plan: PlanPart, texts: TextsPart, languages: list[str]) -> Iterator[str]:
    segments = {segment.key: segment for segment in texts.segments()}
    in_pairs = plan.preset.startswith("contrastive")
    numbers = numbers_of(segments)
    item = partial(item_of, segments, numbers, in_pairs)
    yield "[\n"
    for n, batch in enumerate(plan.batches(), 1):
        items = [] if in_pairs else [tutorial_item(r, i) for i, r in enumerate(plan.practice)]
        for planned in batch:
            items.append(item(planned))
            if planned.asks_document:
                items.append(items[-1] | {"isCompleteDocument": True})
        task = {
            "batchNo": n,
            "randomSeed": 0,
            "requiredAnnotations": plan.seats,
            "sourceLanguage": languages[0],
            "targetLanguage": languages[1],
        }
        row = json.dumps({"items": items, "task": task}, ensure_ascii=False, indent=2)
        yield (",\n" if n > 1 else "") + row
    yield "\n]\n"


def numbers_of(segments: dict[str, SegmentTexts]) -> dict[str, int]:
    """The number of each segment: its key where all keys are numbers, and else its place in its
    document, from 0 as Appraise has it."""
    if all(key.isascii() and key.isdigit() and str(int(key)) == key for key in segments):
        return {key: int(key) for key in segments}
    met: dict[str, int] = {}
    found = {}
    for key, segment in segments.items():
        found[key] = met.get(segment.document, 0)
        met[segment.document] = found[key] + 1
    return found


def item_of(
    segments: dict[str, SegmentTexts],
    numbers: dict[str, int],
    in_pairs: bool,
    planned: PlannedItem,
) -> dict[str, Any]:
    segment = segments[planned.segment]
    document = "" if segment.document == THE_DOCUMENT else segment.document
    if planned.kind == "degraded" and document:
        document += "#bad"
    item: dict[str, Any] = {
        "itemID": numbers[planned.segment],
        "itemType": ITEM_TYPES[planned.kind],
        "sourceID": f"{segment.document}",
        "sourceText": segment.source,
    }
    if document:
        item |= {"documentID": document, "isCompleteDocument": False}
    targets = targets_of(segment, planned)
    if in_pairs:
        return item | {"targets": targets, "targetsSize": len(targets)}
    return item | targets[0] | {"mqm": []}


def targets_of(segment: SegmentTexts, planned: PlannedItem) -> list[dict[str, str]]:
    """Each text once, with the systems that it is of."""
    systems: dict[str, list[str]] = {}
    for system in planned.outputs:
        name = original_name(system) if planned.kind == "degraded" else system
        systems.setdefault(segment.outputs[system], []).append(name)
    return [{"targetID": "+".join(s), "targetText": t} for t, s in systems.items()]
