"""Pearmut (github.com/zouharvi/pearmut): its campaigns and annotations.

A campaign file becomes a test set and a campaign to be judged. Annotations contain the texts that
were shown, so they become a test set and a closed campaign by themselves; with the file of their
campaign, all of its texts are imported. Written are `NAME.campaign.json` and, for judgments,
`NAME.annotations.jsonl`, a line for each.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from typing import Any

from judgments.files.names import free_name
from judgments.files.problem import ImportProblem
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, ReleaseFile
from judgments.protocols.presets import preset_named
from judgments.stats.mqm import Scheme

from .format import Answers, Format
from .json_stream import whole
from .language_answers import language_questions, languages_of
from .pearmut_annotations import (
    MISSING,
    SCORE,
    SCORE_BESIDE_ERRORS,
    Annotations,
    ItemStore,
    error_of,
    read_annotations,
)
from .pearmut_campaigns import PearmutCampaign
from .presets import asks_scores
from .records import (
    Expectation,
    JudgedScreen,
    JudgmentsPart,
    OpenQuestion,
    PlannedItem,
    PlanPart,
    Problems,
    Release,
    TextsPart,
)
from .text_store import TextStore

TOKENS = "special-tokens"
TOKENS_QUESTION = OpenQuestion(
    TOKENS,
    "Names of the marks beyond the text",
    "The campaign's special_tokens in their order, such as “[missing], [instructions fault]”; "
    "its file, uploaded with the annotations, names them too.",
)
LARGEST_CAMPAIGN = 64 * 2**20  # bytes; it is read at once
NOT_IN_NAMES = re.compile(r"[^\w.#-]+")
DERIVED = ("mqm", "esa_spans")  # scores derived from errors


class Pearmut(Format):
    slug = "pearmut"
    name = "Pearmut"
    holds = "campaigns with their items, and annotations: scores and marked errors"
    described = "https://github.com/zouharvi/pearmut"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if is_campaign(file) or is_annotated(file)]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        campaigns = {
            each.name: each for file in files if is_campaign(file) for each in read(file, problems)
        }
        known = {name: (each.items, each.data, each.tokens) for name, each in campaigns.items()}
        answer = answers.get(TOKENS, "")
        tokens = [name.strip() for name in answer.split(",") if name.strip()] or None
        annotated: dict[str, Annotations] = {}
        for file in files:
            if not is_campaign(file):
                annotated |= read_annotations(file, problems, known, tokens)
        names = list(dict.fromkeys([*campaigns, *annotated]))
        release = Release()
        if tokens or any(each.n_unnamed for each in annotated.values()):
            release.questions.append(TOKENS_QUESTION)
        asked: list[OpenQuestion] = []
        for name in names:
            campaign = campaigns.get(name)
            said = campaign.languages if campaign else ("", "")
            if len(names) == 1 or not all(said):
                asked = asked or language_questions(*said)
            languages = languages_of(answers if asked else {}, *said)
            self.add(release, name, languages, campaign, annotated.get(name))
        release.questions += asked
        return release

    @staticmethod
    def add(
        release: Release,
        name: str,
        languages: tuple[str, str],
        campaign: PearmutCampaign | None,
        annotated: Annotations | None,
    ) -> None:
        items: ItemStore = campaign.items if campaign else annotated.items  # type: ignore[union-attr]
        release.texts.append(TextsPart(name, name, *languages, segments=items.segments))
        notes = list(campaign.said()) if campaign and not annotated else []
        if annotated:
            severities = campaign.severities if campaign else []
            release.judgments += annotated.parts(name, name, severities)
            if annotated.n_missing:
                notes.append(
                    f"{annotated.n_missing:,} marks right behind a text are treated as "
                    "[missing]; only the campaign's file says whether they are."
                )
            if annotated.n_aside:
                failed = f"; {annotated.n_failed:,} of their checks were failed"
                notes.append(
                    f"{annotated.n_aside:,} tutorial items and checks are left out"
                    f"{failed if annotated.n_failed else ''}."
                )
            if annotated.n_forms:
                notes.append(f"{annotated.n_forms:,} forms about annotators are left out.")
        elif campaign:
            release.plans.append(campaign.plan(name))
        release.notes += [f"{name}: {note}" for note in notes]

    def may_write(self, release: Release) -> str:
        return why_not(release)

    def write(self, release: Release, folder: Folder) -> None:
        texts = {part.key: part for part in release.texts}
        taken: set[str] = set()
        planned = {plan.name for plan in release.plans}
        for part in release.judgments:
            if part.name in planned and next(iter(part.screens()), None) is None:
                continue  # nobody has judged it yet
            write_judgments(part, texts[part.texts], folder, taken)
        for plan in release.plans:
            write_plan(plan, texts[plan.texts], folder, taken)


def is_annotated(file: ReleaseFile) -> bool:
    head = file.head().lstrip()
    return (
        head[:1] in (b"{", b"[")
        and b'"annotation"' in head
        and any(name in head for name in (b'"error_spans"', b'"score"', b'"sliders"', b'"user_id"'))
    )


def is_campaign(file: ReleaseFile) -> bool:
    head = file.head().lstrip()
    return (
        head[:1] in (b"{", b"[")
        and not is_annotated(file)
        and b'"data"' in head
        and b'"info"' in head
        and (b'"tgt"' in head or b'"protocol"' in head)
    )


def read(file: ReleaseFile, problems: Problems) -> list[PearmutCampaign]:
    found = whole(file, LARGEST_CAMPAIGN)
    each = found if isinstance(found, list) else [found]
    if not all(isinstance(campaign, dict) for campaign in each):
        raise ImportProblem(file.path, None, "", "it is not a campaign.")
    return [PearmutCampaign(file.path, campaign, problems).read() for campaign in each]


# ---- Out -----------------------------------------------------------------------------------------


def why_not(release: Release) -> str:
    if not release.judgments and not release.plans:
        return "There are no judgments, and none is planned."
    if any(not texts.has_texts for texts in release.texts):
        return "Pearmut shows texts, and the campaign's test set has none."
    for part in release.judgments:
        first = next(part.screens_without_controls(), None)
        if not asks_scores(part.preset) or (first and not first.ratings and first.spans is None):
            return "Pearmut supports only scores and marked errors."
    for texts in release.texts:
        first_segment = next(iter(texts.segments()), None)
        if first_segment and any(name.isdigit() for name in first_segment.outputs):
            return "Pearmut does not accept a system whose name is a number."
    return ""


def file_name(name: str, taken: set[str]) -> str:
    """Return a name without its extension that is not taken yet, and mark it as taken."""
    found = free_name(NOT_IN_NAMES.sub("_", name).strip("._")[:100] or "campaign", taken)
    taken.add(found)
    return found


def write_judgments(part: JudgmentsPart, texts: TextsPart, folder: Folder, taken: set[str]) -> None:
    """Write the campaign as a pool with a document for each different screen, repeated for
    annotators who saw it again; and the judgments."""
    name = file_name(part.name, taken)
    info, tokens = judged_info(part, texts)
    pool: dict[Any, int] = {}
    times: Counter[Any] = Counter()
    with (
        closing(TextStore(texts.segments())) as store,
        campaign_file(folder, name, {"info": info}) as add,
        folder.text(f"{name}.annotations.jsonl") as write,
    ):
        for screen in part.screens_without_controls():
            item = shown_item(screen, store)
            shown = (screen.segment, *item["tgt"].items(), screen.kind)
            times[screen.annotator, shown] += 1
            key = (shown, times[screen.annotator, shown])
            if key not in pool:
                pool[key] = len(pool)
                add([item])
            entry: dict[str, Any] = {"annotation": [said_of(screen, item["tgt"], tokens)]}
            entry |= {"actions": actions_of(screen), "item": [item]} | time_of(screen)
            entry |= {"user_id": screen.annotator, "item_i": pool[key]}
            write(json.dumps(entry, ensure_ascii=False) + "\n")


def judged_info(part: JudgmentsPart, texts: TextsPart) -> tuple[dict[str, Any], list[str]]:
    """Return the `info` of a judged campaign, and its special tokens."""
    users: dict[str, None] = {}
    marks: set[str] = set()
    categories: set[str] = set()
    most = 1
    for screen in part.screens_without_controls():
        users[screen.annotator] = None
        most = max(most, len(screen.outputs))
        for span in screen.spans or ():
            name, _, rest = span.category.partition("/")
            is_whole = span.side == "output"
            marks |= {f"[{name}]"} if is_whole else set()
            categories.add(rest if is_whole else span.category)
    seen = {"categories": sorted(categories - {""}), "outputs_per_item": most}
    options = {**part.options, **seen}
    info = info_of(part.preset, options, part.instructions, texts)
    if len(info.get("sliders", ())) < 2:  # a single value is the score
        info.pop("sliders", None)
    tokens = [MISSING, *sorted(marks)]
    pool = {"assignment": "single-stream", "users": list(users), "special_tokens": tokens}
    return info | pool, tokens


@contextmanager
def campaign_file(
    folder: Folder, name: str, head: dict[str, Any]
) -> Iterator[Callable[[Any], None]]:
    """Write NAME.campaign.json; the yielded function adds an entry to its `data`."""
    comma = "\n"

    def add(row: Any) -> None:
        nonlocal comma
        write(comma + json.dumps(row, ensure_ascii=False))
        comma = ",\n"

    with folder.text(f"{name}.campaign.json") as write:
        begun = json.dumps(head | {"campaign_id": name}, ensure_ascii=False, indent=2)
        write(begun[:-2] + ',\n  "data": [')
        yield add
        write("\n  ]\n}\n")


def shown_item(screen: JudgedScreen, store: TextStore) -> dict[str, Any]:
    segment = store.segment(screen.segment)
    outputs = {system: segment.outputs[system] for system in screen.outputs} | screen.altered
    return item_of(segment, outputs, screen.kind)


def said_of(screen: JudgedScreen, shown: dict[str, str], tokens: Sequence[str]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for system in screen.outputs:
        own = [span for span in screen.spans or () if span.system == system]
        errors = [error_of(span, shown[system], tokens) for span in own]
        said[system] = {"score": None, "error_spans": errors, "textfield": None}
        given = {d: v for s, d, v in screen.ratings if s == system and d not in DERIVED}
        single = next(iter(given), "") if len(given) == 1 else ""
        if name := next((d for d in (SCORE_BESIDE_ERRORS, SCORE) if d in given), single):
            said[system]["score"] = given.pop(name)
        if given:
            said[system]["sliders"] = given
    return said


def actions_of(screen: JudgedScreen) -> list[dict[str, Any]]:
    moments = (("load", screen.started), ("submit", screen.submitted))
    return [{"time": at.timestamp(), "action": action} for action, at in moments if at]


def time_of(screen: JudgedScreen) -> dict[str, float]:
    return {} if screen.active_ms is None else {"time": screen.active_ms / 1000}


def item_of(segment: SegmentTexts, outputs: dict[str, str], kind: str) -> dict[str, Any]:
    """Return an item. Pearmut keeps additional keys: the document and the kind of item."""
    item: dict[str, Any] = {
        "item_id": segment.key,
        "document": segment.document,
        "src": segment.source,
    }
    for text in list(segment.references.values())[:1]:
        item["ref"] = text
    item["tgt"] = outputs
    if segment.instructions:
        item["instructions"] = html_of(segment.instructions)
    return item if kind == "regular" else item | {"kind": kind}


def html_of(text: str) -> str:
    return text.replace("\n", "<br>")


# ---- Plans ---------------------------------------------------------------------------------------


def write_plan(plan: PlanPart, texts: TextsPart, folder: Folder, taken: set[str]) -> None:
    """Write a user of Pearmut for each seat of a batch; the screens of a document follow each
    other."""
    name = file_name(plan.name, taken)
    head: dict[str, Any] = {"info": info_of(plan.preset, plan.options, plan.instructions, texts)}
    if plan.practice:
        head["data_welcome"] = [[welcome_of(row, head["info"])] for row in plan.practice]
    with closing(TextStore(texts.segments())) as store, campaign_file(folder, name, head) as add:
        for batch in plan.batches():
            task = documents_of(list(batch), store, head["info"])
            for _ in range(plan.seats):
                add(task)


def documents_of(
    batch: list[PlannedItem], store: TextStore, info: Mapping[str, Any]
) -> list[list[dict[str, Any]]]:
    """Return the documents of a batch. Pearmut shows a document at once, so each translation occurs
    only once in it."""
    found: list[list[dict[str, Any]]] = []
    for _, items in groupby(batch, key=lambda item: store.segment(item.segment).document):
        document: list[dict[str, Any]] = []
        systems: tuple[str, ...] | None = None
        seen: set[str] = set()
        for item in items:
            segment = store.segment(item.segment)
            texts = {**segment.outputs, **dict(item.altered)}
            outputs = {system: texts[system] for system in item.outputs}
            if document and (item.outputs != systems or item.segment in seen):
                found.append(document)
                document, seen = [], set()
            systems = item.outputs
            seen.add(item.segment)
            if item.copy:
                place, system, text = item.copy
                rows = list(outputs.items())
                outputs = dict([*rows[:place], (system, text), *rows[place:]])
            shown = item_of(segment, outputs, "check" if item.expected else item.kind)
            if document:
                shown.pop("instructions", None)  # they are shown above the first
            if item.expected:
                shown["validation"] = validation_of(item.expected, info)
            document.append(shown)
        found.append(document)
    return found


def info_of(
    preset: str, given: Mapping[str, Any], instructions: str, texts: TextsPart
) -> dict[str, Any]:
    options = {**preset_named(preset).options, **given}
    info: dict[str, Any] = {
        "assignment": "task-based",
        "protocol": "DA",
        "shuffle": False,  # the plan sets the order
        "source_language": texts.source_language,
        "target_language": texts.target_language,
    }
    if instructions:
        info["instructions"] = html_of(instructions)
    if "weights" in options:
        several = options.get("outputs_per_item", 1) > 1
        info["protocol"] = "MQM" if options.get("categories") else "cESA" if several else "ESA"
        scheme = Scheme("campaign", "the campaign", options["weights"])
        # The lightest first, regardless of the order in the campaign.
        weights = scheme.weights
        info["mqm_severities"] = sorted(scheme.severities, key=lambda name: (weights[name], name))
        if options.get("categories"):
            info["mqm_categories"] = tree_of(options["categories"])
    elif preset == "xsts-rp":
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


def validation_of(
    expected: Iterable[Expectation], info: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return the rules of an item, by model."""
    found: dict[str, dict[str, Any]] = {}
    for each in expected:
        rule = found.setdefault(each.system, {})
        name = "score"
        if sliders := info.get("sliders"):
            name = sliders[0]["name"] if info["protocol"] == "XSTSRP" else each.dimension
        if each.low is not None:
            rule[name] = [each.low, each.high]
        if each.above:
            rule[f"{name}_greaterthan"] = each.above
    return found


def welcome_of(row: Any, info: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tutorial item with expected scores, in a range or above another's; other
    expectations are left out."""
    outputs = {f"output{n}": text for n, text in enumerate(row["outputs"], 1)}
    expected = []
    for name, accepted in (row.get("expected") or {}).items():
        output, _, slug = name.partition("-")
        if isinstance(accepted, dict) and output in outputs:
            ends = accepted.get("from"), accepted.get("to")
            above = accepted.get("above", "").partition("-")[0]
            expected.append(Expectation(output, slug, *ends, above))
    rules = validation_of(expected, info)
    if row.get("feedback"):
        for rule in rules.values():
            rule["warning"] = row["feedback"]
    item = {"src": row.get("source") or "", "tgt": outputs, "skippable": True}
    return item | ({"validation": rules} if rules else {})
