"""Appraise's campaigns before they are judged: batches, manifests and tutorials (JSON).

    MQM+ESA.batches_esa.json     [{"items": [{"documentID", "sourceText", "targetID", …}], "task"}]
    MQM+ESA.manifest_esa.json    {"CAMPAIGN_NAME", "TASK_TYPE", "TASK_OPTIONS", "REDUNDANCY", …}
    tutorial.de-en.esa.json      [{"mqm": {"tutorial": {…}}, "sourceText", "targetText", …}]

Each file of batches becomes a test set and a draft campaign; a manifest says how it is judged. The
formats follow github.com/AppraiseDev/Appraise, `Examples`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from judgments.files.problem import ImportProblem, shortened
from judgments.files.texts import LONGEST_NAME, THE_DOCUMENT, SegmentTexts
from judgments.files.uploads import PIECE, Folder, ReleaseFile
from judgments.models.damaged_copies import original_name
from judgments.protocols.registry import PRESETS

from .appraise import ITEM_TYPES
from .appraise_items import (
    BatchItems,
    asks_score,
    batch_item,
    is_tutorial_item,
    practice_row,
    tutorial_item,
)
from .appraise_rows import LANGUAGE
from .format import Answers, Format
from .json_stream import elements
from .languages import language_code, three_letters
from .presets import asks_errors
from .records import OpenQuestion, PlannedItem, PlanPart, Problems, Release, TextsPart

# ---- Manifests ----------------------------------------------------------------------------------


MOST_SEATS = 100
TASKS = {"TASK_TYPE", "TASKS_TO_ANNOTATORS"}
LONGEST = 2**20  # characters
# The task from a word of its options, otherwise from its type; as presets of this site.
BY_OPTION = {"ESA": "esa", "MQM": "mqm-core", "LQM": "mqm-core", "SQM": "da-sqm"}
BY_TYPE = {
    "Direct": "direct-assessment", "Data": "direct-assessment", "Document": "direct-assessment",
    "MultiModal": "direct-assessment", "Pairwise": "contrastive-da",
    "PairwiseDocument": "contrastive-da", "ContrastiveDocument": "contrastive-da",
    "PairwiseDocumentESA": "contrastive-esa",
}  # fmt: skip
# And the reverse.
TYPES = {
    "direct-assessment": ("Direct", ""), "contrastive-da": ("Pairwise", ""),
    "esa": ("Document", "ESA"), "mqm-core": ("Document", "MQM"), "da-sqm": ("Document", "SQM"),
    "da-sqm-document": ("Document", "SQM"),
}  # fmt: skip
IN_DOCUMENTS = ("Document", "PairwiseDocument", "PairwiseDocumentESA", "ContrastiveDocument")


class Manifest(NamedTuple):
    """preset: "" if the file names no type; its batches then show it. pairs: (source, target) in
    Appraise's codes. unknown: words of its options without a counterpart here."""

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
    """Return the manifest in a file. Raise ImportProblem."""
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
        reason = "this is not a manifest of Appraise, or it has a different form."
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
    """Return options besides those of the preset: the context shown around a segment, and that a
    comparison may have only one translation, as in Appraise."""
    options: dict[str, Any] = {}
    if kind in IN_DOCUMENTS:
        options["context"] = "document"
    if preset.startswith("contrastive"):
        options["fewest_per_item"] = 1
    return options


def manifest_of(
    name: str, preset: str, options: Mapping[str, Any], seats: int, languages: list[str], n: int
) -> dict[str, Any]:
    """Return the manifest for a campaign of n batches in Appraise."""
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


# ---- Planned campaigns → batches ----------------------------------------------------------------


PLAIN = re.compile("[^A-Za-z0-9._-]+")


def write_plan(plan: PlanPart, texts: TextsPart, folder: Folder) -> None:
    """Write the manifest and the batches; if no batch is planned, the tutorial, if there is one.
    The texts are in memory meanwhile."""
    name = PLAIN.sub("_", plan.name).strip("._") or "campaign"
    n = sum(1 for _ in plan.batches())
    languages = [three_letters(texts.source_language), three_letters(texts.target_language)]
    manifest = manifest_of(plan.name, plan.preset, plan.options, plan.seats, languages, n)
    with folder.text(f"{name}.manifest.json") as write:
        write(json.dumps(manifest, ensure_ascii=False, indent=2))
    if n:
        with folder.text(f"{name}.batches.json") as write:
            for piece in pieces(plan, texts, languages):
                write(piece)
    elif plan.practice:
        items = [tutorial_item(row, i) for i, row in enumerate(plan.practice)]
        with folder.text(f"{name}.tutorial.json") as write:
            write(json.dumps(items, ensure_ascii=False, indent=2))


def pieces(plan: PlanPart, texts: TextsPart, languages: list[str]) -> Iterator[str]:
    segments = {segment.key: segment for segment in texts.segments()}
    in_pairs = plan.preset.startswith("contrastive")
    numbers = numbers_of(segments)
    item = partial(item_of, segments, numbers, in_pairs)
    yield "[\n"
    for n, batch in enumerate(plan.batches(), 1):
        items = [] if in_pairs else [tutorial_item(r, i) for i, r in enumerate(plan.practice)]
        for planned in batch:
            if planned.kind not in ITEM_TYPES:  # an attention check
                continue
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
    """Return the number of each segment: its key if all keys are numbers, otherwise its place in
    its document, from 0 as in Appraise."""
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
    """Return each text once, with the systems that it belongs to."""
    systems: dict[str, list[str]] = {}
    texts = {**segment.outputs, **dict(planned.altered)}
    for system in planned.outputs:
        name = original_name(system) if planned.kind == "degraded" else system
        systems.setdefault(texts[system], []).append(name)
    return [{"targetID": "+".join(s), "targetText": t} for t, s in systems.items()]


# ---- Batches → planned campaigns ----------------------------------------------------------------


IN_BATCHES = re.compile(r'^\ufeff?\s*\[\s*\{.*"(items|task)"\s*:', re.DOTALL)
OF_ITEMS = re.compile(r'"(sourceText|segmentText|batchNo)"\s*:')
IN_TUTORIAL = re.compile(r'^\ufeff?\s*\[\s*\{.*"tutorial"\s*:', re.DOTALL)
PAIR = re.compile("([a-z]{2,3})-([a-z]{2,3})-")
STEM = re.compile(r"\.?(batches|manifest)(_?)|\.json$")
OF_DOCUMENTS = "da-sqm-document"  # the preset whose screens ask about documents, too
NO_BATCHES = "Its batches are missing: import them together with the manifest."


def kind_of(file: ReleaseFile) -> str:
    """Return "batches", "manifest", "tutorial", or ""."""
    head = file.head().decode("utf-8", "ignore")
    if (
        any(f'"{word}"' in head for word in TASKS)
        and '"CAMPAIGN_NAME"' in head
        and head.lstrip("\ufeff \r\n\t")[:1] == "{"
    ):
        return "manifest"
    if IN_BATCHES.search(head) and OF_ITEMS.search(head):
        return "batches"
    if IN_TUTORIAL.search(head) and OF_ITEMS.search(head):
        return "tutorial"
    return ""


class AppraiseBatches(Format):
    slug = "appraise-batches"
    name = "Appraise's batches"
    holds = "a campaign that is still to be judged: its texts, its tasks, its tutorial"
    described = "https://github.com/AppraiseDev/Appraise/tree/main/Examples"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if kind_of(file)]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        files, again = once_each(files)
        release.notes += [f"{path} occurs twice, and counts once." for path in again]
        kinds = [(kind_of(file), file) for file in files]
        manifests = [(f, read_manifest(f)) for kind, f in kinds if kind == "manifest"]
        used: set[str] = set()
        of_tutorial = [file for kind, file in kinds if kind == "tutorial"]
        tutorial = [item for file in of_tutorial for item in tutorial_items(file)]
        batches = [file for kind, file in kinds if kind == "batches"]
        taken: Any = False
        read = [(file, read_batches(file, problems)) for file in batches]
        pairs = [found.languages for _, found in read]
        for file, found in read:
            is_only = pairs.count(found.languages) == 1
            other, manifest = manifest_beside(file, found.languages if is_only else None, manifests)
            used.add(other)
            self.add_plan(release, file, found, manifest, tutorial, answers)
            taken = taken or (release.plans[-1].practice and not found.tutorial)
        for file, manifest in manifests:
            if manifest.unknown:
                words = ", ".join(manifest.unknown)
                release.notes.append(f"{file.path}: options that the site does not have: {words}.")
            if file.path not in used:
                self.add_empty(release, manifest, [] if batches else tutorial)
                taken = taken or not batches
        if tutorial and not taken:
            self.add_tutorial(release, of_tutorial[0], tutorial, answers)
        return release

    def add_plan(
        self,
        release: Release,
        file: ReleaseFile,
        found: BatchItems,
        manifest: Manifest | None,
        tutorial: list[dict[str, Any]],
        answers: Answers,
    ) -> None:
        name = manifest.name if manifest else file.name.removesuffix(".json")
        if manifest and len(manifest.pairs) > 1:
            name += f" {'-'.join(found.languages)}"
        guessed = guess(found)
        options = dict(manifest.options) if manifest else {}
        preset = (manifest.preset if manifest else "") or guessed
        if preset == "da-sqm" and found.n_whole:
            preset = OF_DOCUMENTS
        if manifest is None or not manifest.preset:
            asked = f"protocol {file.name}"
            choices = [(slug, str(PRESETS[slug].name)) for slug in choices_of(found)]
            release.questions.append(
                OpenQuestion(asked, f"Protocol of {file.name}", choices=choices, default=guessed)
            )
            preset = answers.get(asked, guessed)
            if preset not in dict(choices):
                raise ImportProblem(file.name, None, "", f"{shortened(preset)} cannot be asked.")
            options = options_of(preset, "Document" if found.in_documents else "")
        source, target = map(language_code, found.languages)
        release.texts.append(TextsPart(file.path, name, source, target, segments=found.segments))
        marks = asks_errors(preset) and not preset.startswith("contrastive")
        rows = found.tutorial or (tutorial if marks else [])
        release.plans.append(
            PlanPart(
                name,
                file.path,
                preset,
                batches=partial(found.batches, preset == OF_DOCUMENTS),
                seats=manifest.seats if manifest else found.seats,
                options=options,
                practice=practice(file.name, rows, preset),
            )
        )
        if found.n_whole and preset != OF_DOCUMENTS:
            release.notes.append(
                f"{file.name}: {found.n_whole:,} questions about whole documents were left "
                "out. Plan a campaign of the preset “Direct assessment of documents” for them."
            )
        if found.n_prefilled:
            release.notes.append(
                f"{file.name}: errors that were proposed for {found.n_prefilled:,} items were left "
                "out. Upload them to the campaign before judging starts."
            )

    @staticmethod
    def add_empty(release: Release, manifest: Manifest, tutorial: list[dict[str, Any]]) -> None:
        """Add a draft campaign without batches for each language pair of a manifest."""
        preset = manifest.preset or BY_TYPE["Direct"]  # Appraise's own default
        for source, target in manifest.pairs or [("und", "und")]:
            key = f"{manifest.name} {source}-{target}"
            name = key if len(manifest.pairs) > 1 else manifest.name
            release.texts.append(
                TextsPart(
                    key,
                    name,
                    language_code(source),
                    language_code(target),
                    lambda: (),
                    note=NO_BATCHES,
                )
            )
            release.plans.append(
                PlanPart(
                    name,
                    key,
                    preset,
                    batches=lambda: (),
                    seats=manifest.seats,
                    options=manifest.options,
                    practice=practice(manifest.name, tutorial, preset),
                    note=NO_BATCHES,
                )
            )
            release.notes.append(f"{name}: {NO_BATCHES}")

    def add_tutorial(
        self,
        release: Release,
        file: ReleaseFile,
        tutorial: list[dict[str, Any]],
        answers: Answers,
    ) -> None:
        """Add a campaign without texts for a tutorial without batches."""
        match = PAIR.match(str(tutorial[0].get("documentID", "")))
        pair = "-".join(match.groups()) if match else ""
        release.questions.append(
            OpenQuestion(
                "languages", "Languages", "Such as de-en.", default=pair, required=not pair
            )
        )
        answer = answers.get("languages") or pair or "und-und"
        source, _, target = answer.partition("-")
        if not (LANGUAGE.fullmatch(source) and LANGUAGE.fullmatch(target)):
            raise ImportProblem(file.name, None, "", f"{shortened(answer)} is not a language pair.")
        preset = "esa" if any(map(asks_score, tutorial)) else "mqm-core"
        manifest = Manifest(
            file.name.removesuffix(".json"), preset, options_of(preset, "Document"), 1,
            [(source, target)],
        )  # fmt: skip
        self.add_empty(release, manifest, tutorial)

    # ---- Out -----------------------------------------------------------------------------------

    def may_write(self, release: Release) -> str:
        if not release.plans:
            return "There is no campaign that is planned and not yet judged."
        if any(plan.preset not in TYPES for plan in release.plans):
            return (
                "Appraise's batches support direct assessment, ESA, MQM and comparisons of scores."
            )
        return ""

    def write(self, release: Release, folder: Folder) -> None:
        texts = {part.key: part for part in release.texts}
        for plan in release.plans:
            write_plan(plan, texts[plan.texts], folder)


def once_each(files: Sequence[ReleaseFile]) -> tuple[list[ReleaseFile], list[str]]:
    """Return the files without those with the same name and content as another one, such as an
    archive's next to the archive; and the paths of these."""
    known: dict[tuple[str, bytes], ReleaseFile] = {}
    again = []
    for file in files:
        with file.open() as stream:
            digest = hashlib.blake2b()
            while piece := stream.read(PIECE):
                digest.update(piece)
        if known.setdefault((file.name, digest.digest()), file) is not file:
            again.append(file.path)
    return list(known.values()), again


def manifest_beside(
    file: ReleaseFile,
    languages: tuple[str, str] | None,
    manifests: Sequence[tuple[ReleaseFile, Manifest]],
) -> tuple[str, Manifest | None]:
    """Return the manifest of a file of batches with its path: that of the same name, or the only
    one, if it names these languages or none. languages: None if other batches have them too."""
    for other, manifest in manifests:
        if STEM.sub("", file.name) == STEM.sub("", other.name):
            return other.path, manifest
    if len(manifests) == 1 and languages:
        other, manifest = manifests[0]
        if not manifest.pairs or languages in manifest.pairs:
            return other.path, manifest
    return "", None


def tutorial_items(file: ReleaseFile) -> Iterator[dict[str, Any]]:
    for n, item in enumerate(elements(file), 1):
        if not is_tutorial_item(item):
            raise ImportProblem(file.name, n, "", "this is not an item of a tutorial.")
        yield item


def read_batches(file: ReleaseFile, problems: Problems) -> BatchItems:
    """Return all items of a file, in a table on disk. Errors of items are added to the problems, in
    which `row` counts batches. Raise ImportProblem if the file is no list of batches."""
    found = BatchItems(file.name)
    seen: set[str] = set()
    for n, batch in enumerate(elements(file), 1):
        task = batch.get("task") if isinstance(batch, dict) else None
        items = batch.get("items") if isinstance(batch, dict) else None
        if not isinstance(task, dict) or not isinstance(items, list):
            raise ImportProblem(file.name, n, "", "this is not a batch of Appraise.")
        languages = (task.get("sourceLanguage"), task.get("targetLanguage"))
        if not all(isinstance(c, str) and LANGUAGE.fullmatch(c) for c in languages):
            raise ImportProblem(file.name, n, "task", "it names no languages.")
        if found.languages != ("", "") and found.languages != languages:
            raise ImportProblem(file.name, n, "task", "its languages differ from those before.")
        found.languages = (str(languages[0]), str(languages[1]))
        seats = task.get("requiredAnnotations", 1)
        found.seats = max(found.seats, seats if type(seats) is int and 0 < seats <= 100 else 1)
        for place, item in enumerate(items, 1):
            if is_tutorial_item(item):
                text = json.dumps(item["mqm"], sort_keys=True) + str(item.get("targetText"))
                if text not in seen:  # every batch begins with the same one
                    seen.add(text)
                    found.tutorial.append(item)
                continue
            try:
                found.add(n, place, batch_item(item))
            except ValueError as error:
                problems.add(ImportProblem(file.name, n, f"item {place:,}", f"{error}."))
                continue
            found.in_pairs = found.in_pairs or "targets" in item
            found.in_documents = found.in_documents or "documentID" in item
            found.marks_errors = found.marks_errors or "mqm" in item
            found.n_prefilled += bool(item.get("mqm"))
    if found.languages == ("", ""):
        raise ImportProblem(file.name, None, "", "there is no batch in it.")
    found.finish()
    return found


def guess(found: BatchItems) -> str:
    """Return the preset of batches without a manifest."""
    if found.marks_errors and found.tutorial:
        return "esa" if any(map(asks_score, found.tutorial)) else "mqm-core"
    return choices_of(found)[0]


def choices_of(found: BatchItems) -> list[str]:
    if found.in_pairs:
        return ["contrastive-da", "contrastive-esa"]
    if found.marks_errors:
        return ["esa", "mqm-core", "mqm", "da-sqm", "direct-assessment"]
    with_documents = [OF_DOCUMENTS] if found.n_whole else []
    return ["direct-assessment", "da-sqm", *with_documents, "esa", "mqm-core", "mqm"]


def practice(file: str, tutorial: list[dict[str, Any]], preset: str) -> list[dict[str, Any]]:
    """Return the tutorial as rows of tutorial items. Raise ImportProblem."""
    try:
        return [practice_row(item, preset) for item in tutorial]
    except ValueError as error:
        raise ImportProblem(file, None, "tutorial", f"{error}.") from None
