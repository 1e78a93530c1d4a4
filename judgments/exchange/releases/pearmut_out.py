"""Campaigns → Pearmut's files: `NAME.annotations.jsonl`, a line for each judgment, and
`NAME.campaign.json` of what is still to be judged."""

from __future__ import annotations

import json
import re
from contextlib import closing
from itertools import groupby
from typing import Any

from judgments.files.uploads import Folder
from judgments.protocols import PRESETS
from judgments.stats.mqm import Scheme

from .pearmut_annotations import SCORE, SCORE_BESIDE_ERRORS
from .pearmut_items import error_of
from .presets import asks_scores
from .records import JudgedScreen, JudgmentsPart, PlannedItem, PlanPart, Release, TextsPart
from .text_store import TextStore

NOT_IN_NAMES = re.compile(r"[^\w.#-]+")
DERIVED = ("mqm", "esa_spans")  # scores that follow from errors


def why_not(release: Release) -> str:
    if not release.judgments and not release.plans:
        return "There are no judgments, and none is planned."
    if any(not texts.has_texts for texts in release.texts):
        return "Pearmut shows texts, and the campaign's test set has none."
    for part in release.judgments:
        first = next(part.screens_without_controls(), None)
        if not asks_scores(part.preset) or (first and not first.ratings and first.spans is None):
            return "Pearmut knows scores and marked errors only."
    for texts in release.texts:
        first_segment = next(iter(texts.segments()), None)
        if first_segment and any(name.isdigit() for name in first_segment.outputs):
            return "Pearmut takes no system whose name is a number."
    return ""


def file_name(name: str, end: str, taken: set[str]) -> str:
    stem = NOT_IN_NAMES.sub("_", name).strip("._")[:100] or "campaign"
    found, n = stem + end, 1
    while found in taken:
        n += 1
        found = f"{stem}-{n}{end}"
    taken.add(found)
    return found


def write_judgments(part: JudgmentsPart, texts: TextsPart, folder: Folder, taken: set[str]) -> None:
    name = file_name(part.name, ".annotations.jsonl", taken)
    with folder.text(name) as write, closing(TextStore(texts.segments())) as store:
        for n, screen in enumerate(part.screens_without_controls()):
            entry = entry_of(screen, store) | {"user_id": screen.annotator, "item_i": n}
            write(json.dumps(entry, ensure_ascii=False) + "\n")


def entry_of(screen: JudgedScreen, store: TextStore) -> dict[str, Any]:
    segment = store.segment(screen.segment)
    said: dict[str, Any] = {}
    for system in screen.outputs:
        text = screen.altered.get(system, segment.outputs[system])
        spans = [error_of(span, text) for span in screen.spans or () if span.system == system]
        said[system] = {"score": None, "error_spans": spans, "textfield": None}
        given = {d: v for s, d, v in screen.ratings if s == system and d not in DERIVED}
        single = next(iter(given), "") if len(given) == 1 else ""
        if name := next((d for d in (SCORE_BESIDE_ERRORS, SCORE) if d in given), single):
            said[system]["score"] = given.pop(name)
        if given:
            said[system]["sliders"] = given
    outputs = {system: segment.outputs[system] for system in screen.outputs} | screen.altered
    item = item_of(screen.segment, segment, outputs, screen.kind)
    return {"annotation": [said], "actions": actions_of(screen), "item": [item]} | time_of(screen)


def actions_of(screen: JudgedScreen) -> list[dict[str, Any]]:
    moments = (("load", screen.started), ("submit", screen.submitted))
    return [{"time": at.timestamp(), "action": action} for action, at in moments if at]


def time_of(screen: JudgedScreen) -> dict[str, float]:
    return {} if screen.active_ms is None else {"time": screen.active_ms / 1000}


def item_of(key: str, segment: Any, outputs: dict[str, str], kind: str) -> dict[str, Any]:
    """Keys beside Pearmut's own are kept by it: the document and the kind of item."""
    item: dict[str, Any] = {"item_id": key, "document": segment.document, "src": segment.source}
    for text in list(segment.references.values())[:1]:
        item["ref"] = text
    item["tgt"] = outputs
    return item if kind == "regular" else item | {"kind": kind}


# ---- Plans ---------------------------------------------------------------------------------------


def write_plan(plan: PlanPart, texts: TextsPart, folder: Folder, taken: set[str]) -> None:
    """A user of Pearmut for each seat of a batch; the screens of a document follow each other."""
    name = file_name(plan.name, ".campaign.json", taken)
    with folder.text(name) as write, closing(TextStore(texts.segments())) as store:
        head = {"info": info_of(plan, texts), "campaign_id": name.removesuffix(".campaign.json")}
        if plan.practice:
            welcome = [[welcome_of(row)] for row in plan.practice]
            head["data_welcome"] = welcome  # type: ignore[assignment]
        write(json.dumps(head, ensure_ascii=False, indent=2)[:-2] + ',\n  "data": [')
        comma = "\n"
        for batch in plan.batches():
            task = json.dumps(documents_of(list(batch), store), ensure_ascii=False)
            for _ in range(plan.seats):
                write(comma + task)
                comma = ",\n"
        write("\n  ]\n}\n")


def documents_of(batch: list[PlannedItem], store: TextStore) -> list[list[dict[str, Any]]]:
    """Pearmut shows a document at once, so that the same translation comes once in it."""
    found: list[list[dict[str, Any]]] = []
    for _, items in groupby(batch, key=lambda item: store.segment(item.segment).document):
        document: list[dict[str, Any]] = []
        systems: tuple[str, ...] | None = None
        seen: set[str] = set()
        for item in items:
            segment = store.segment(item.segment)
            outputs = {system: segment.outputs[system] for system in item.outputs}
            if document and (item.outputs != systems or item.segment in seen):
                found.append(document)
                document, seen = [], set()
            systems = item.outputs
            seen.add(item.segment)
            document.append(item_of(item.segment, segment, outputs, item.kind))
        found.append(document)
    return found


def options_of(plan: PlanPart) -> dict[str, Any]:
    return {**PRESETS[plan.preset].options, **plan.options}


def info_of(plan: PlanPart, texts: TextsPart) -> dict[str, Any]:
    options = options_of(plan)
    info: dict[str, Any] = {
        "assignment": "task-based",
        "protocol": "DA",
        "shuffle": False,  # the order is the plan's
        "source_language": texts.source_language,
        "target_language": texts.target_language,
    }
    if plan.instructions:
        info["instructions"] = plan.instructions.replace("\n", "<br>")
    if "weights" in options:
        several = options.get("outputs_per_item", 1) > 1
        info["protocol"] = "MQM" if options.get("categories") else "cESA" if several else "ESA"
        scheme = Scheme("campaign", "the campaign", options["weights"])
        info["mqm_severities"] = list(scheme.severities)
        if options.get("categories"):
            info["mqm_categories"] = tree_of(options["categories"])
    elif plan.preset == "xsts-rp":
        info["protocol"] = "XSTSRP"
        info["sliders"] = [{"name": "Overall", "min": 1, "max": 5, "step": 1}]
    elif dimensions := options.get("dimensions"):
        info["sliders"] = [
            {
                "name": row["slug"],
                "min": row["low"],
                "max": row["high"],
                "step": row.get("step") or 1,
            }
            for row in dimensions
            if row["low"] is not None and row["high"] is not None
        ]
    return info


def tree_of(categories: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for category in categories:
        branch, slash, leaf = category.partition("/")
        found.setdefault(branch, []).extend([leaf] if slash else [])
    return found


def welcome_of(row: Any) -> dict[str, Any]:
    """A tutorial item: scores that are expected as ranges; other expectations stay out."""
    outputs = {f"output{n}": text for n, text in enumerate(row["outputs"], 1)}
    rules: dict[str, Any] = {}
    for name, accepted in (row.get("expected") or {}).items():
        output = name.partition("-")[0]
        if isinstance(accepted, dict) and output in outputs:
            rule: dict[str, Any] = {"score": [accepted["from"], accepted["to"]]}
            if row.get("feedback"):
                rule["warning"] = row["feedback"]
            rules[output] = rule
    item = {"src": row.get("source") or "", "tgt": outputs, "skippable": True}
    return item | ({"validation": rules} if rules else {})
