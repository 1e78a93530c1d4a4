"""Outputs of speech translation as JSON lines: a file for each system, an object for each segment.

    {"index": 0, "docid": 0, "segid": 0, "prediction": "…", "reference": "…", "source_length": 9050}

So OmniSTEval, the tool of IWSLT's simultaneous task, writes what it has set to segments
(`instances.resegmented.jsonl`), and SimulEval its log (`instances.log`). The source is sound there;
its text comes in a file such as `source.txt` beside, with a line for each segment. What is written
here has it, too, under a key that these tools pass over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import count, zip_longest
from typing import Any

from judgments.files.file_roles import SOURCE, role_of
from judgments.files.jsonl import decoded
from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import problem_with_name
from judgments.files.texts import (
    LONGEST_DOMAIN,
    LONGEST_REFERENCE_NAME,
    LONGEST_SYSTEM_NAME,
    THE_DOCUMENT,
    DocumentLines,
    SegmentTexts,
    is_blank,
    references_there,
)
from judgments.files.uploads import Folder, ReleaseFile, without

from .format import Answers, TextsFormat, numbered
from .language_answers import language_questions, languages_of
from .plain_folder import is_text
from .records import Problems, Release, TextsPart
from .wmt_jsonl import KEYS, checked, first_of, label_of, languages_in, texts_in, value_of

NO_NAMES = re.compile(r"instances(\.resegmented)?|log|hypotheses|outputs?", re.IGNORECASE)
ENDING = re.compile(r"(\.(jsonl?|log|txt))+$", re.IGNORECASE)
RECORDING = re.compile(r"\.(wav|mp3|flac|og[ga]|opus|m4a|mp4|webm|mkv)$", re.IGNORECASE)
USED = {"index", "docid", "segid", "prediction", "system", "missing"}


class Iwslt(TextsFormat):
    slug = "iwslt"
    name = "IWSLT's JSON lines"
    holds = "outputs of speech translation with their reference, a file for each system"
    described = "https://github.com/pe-trik/OmniSTEval"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        """Return logs, and the text of the source if it is beside them."""
        found = [file for file in files if is_log(file)]
        rest = without(files, found)
        is_source = [f for f in rest if role_of(f.path).role == SOURCE and is_text(f)]
        return [*found, *is_source[:1]] if found else []

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        """Return all files are of one test set."""
        logs = [file for file in files if is_log(file)]
        sources = without(files, logs)
        for file in logs:
            row = first_of(file)
            used = USED | {key for keys in KEYS.values() for key in keys}
            problems.seen(file.name, list(row)).update(used & row.keys())
        source, target = languages_in(logs[0])
        release = Release(questions=language_questions(source, target))
        source, target = languages_of(answers, source, target)
        folders = logs[0].folders
        release.texts.append(
            TextsPart(
                key="iwslt",
                name=folders[0] if folders else system_of(logs[0]),
                source_language=source,
                target_language=target,
                segments=lambda: segments(logs, sources[0] if sources else None),
            )
        )
        return release

    # ---- Out -----------------------------------------------------------------------------------

    def write(self, release: Release, folder: Folder) -> None:
        """A file for each system. A segment that has no output of it is `missing` there."""
        for n, texts in enumerate(release.texts, 1):
            systems = sorted({name for row in texts.segments() for name in row.outputs}) or [""]
            with ExitStack() as stack:
                writers = {}
                for at, system in enumerate(systems, 1):
                    name = numbered(f"system-{at}.jsonl", n, len(release.texts))
                    writers[system] = stack.enter_context(folder.text(name))
                write_rows(texts, writers)


def write_rows(texts: TextsPart, writers: dict[str, Callable[[str], object]]) -> None:
    documents: dict[tuple[str, str], tuple[int, Iterator[int]]] = {}
    for index, row in enumerate(texts.segments()):
        document = row.domain, row.document
        docid, places = documents.setdefault(document, (len(documents), count()))
        found: dict[str, Any] = {
            "index": index,
            "docid": docid,
            "segid": next(places),
            "prediction": "",
            "reference": next(iter(row.references.values()), ""),
            "src_lang": texts.source_language,
            "tgt_lang": texts.target_language,
            "doc_id": row.document,
            "domain": row.domain,
            "origlang": row.original_language,
            "src": row.source,
            "refs": dict(row.references),
        }
        for system, write in writers.items():
            own = {"system": system, "prediction": row.outputs.get(system, "")}
            missing = {} if system in row.outputs else {"missing": True}
            write(json.dumps(found | own | missing, ensure_ascii=False) + "\n")


def is_log(file: ReleaseFile) -> bool:
    """Return whether its first line is an object with a prediction and what that is of."""
    line = next(iter(file.first_lines(1)), "")
    if not line.startswith("{"):
        return False
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):  # a first line longer than what is looked at
        return bool(re.search(r'"prediction": "', line)) and '"index": ' in line
    return isinstance(row, dict) and isinstance(row.get("prediction"), str) and "reference" in row


def system_of(file: ReleaseFile) -> str:
    """Return what a file is called, or its folder where the file is called as the tool calls every
    one."""
    stem = ENDING.sub("", file.name)
    return file.folders[-1] if NO_NAMES.fullmatch(stem) and file.folders else stem


def segments(logs: Sequence[ReleaseFile], source: ReleaseFile | None) -> Iterator[SegmentTexts]:
    """Yield line n of every file is segment n."""
    places = DocumentLines()
    files = [*logs, source] if source else list(logs)
    number = 0
    for number, lines in enumerate(zip_longest(*(read_lines(f.place) for f in files)), 1):
        if None in lines:
            reason = f"the file ends after {number - 1:,} lines, before others do."
            raise ImportProblem(files[lines.index(None)].name, None, "", reason)
        rows = [decoded(f.name, number, line) for f, (_, line) in zip(logs, lines, strict=False)]
        references = [
            texts_in(file, number, row, "references", "ref", LONGEST_REFERENCE_NAME)
            for file, row in zip(logs, rows, strict=True)
        ]
        outputs: dict[str, str] = {}
        for file, row, found in zip(logs, rows, references, strict=True):
            system, prediction = prediction_in(file, number, row)
            if system in outputs:
                reason = f"another file also belongs to the system {shortened(system)}."
                raise ImportProblem(file.name, number, "system", reason)
            if prediction is not None:
                outputs[system] = "" if is_blank(prediction) else prediction
            if found != references[0]:
                reason = f"the reference differs from the one in {logs[0].name}."
                raise ImportProblem(file.name, number, "reference", reason)
        text = lines[-1][1] if source else None
        yield segment_of(logs[0], number, rows[0], text, references[0], outputs, places)
    if not number:
        raise ImportProblem(logs[0].name, None, "", "there are no segments.")


def prediction_in(file: ReleaseFile, number: int, row: dict[str, Any]) -> tuple[str, str | None]:
    """Return the system and its output; None where the segment has none."""
    system = checked(file, number, "system", row.get("system", system_of(file)))
    if row.get("missing") is True:
        return system, None
    if problem := problem_with_name(system, LONGEST_SYSTEM_NAME):
        raise ImportProblem(file.name, number, "system", problem)
    return system, checked(file, number, "prediction", row.get("prediction"))


def segment_of(
    file: ReleaseFile,
    number: int,
    row: dict[str, Any],
    text: str | None,
    references: dict[str, str],
    outputs: dict[str, str],
    places: DocumentLines,
) -> SegmentTexts:
    said = value_of(row, "source")
    recording = said[0] if isinstance(said, list) and said else said
    is_recording = isinstance(said, list) or RECORDING.search(str(said)) is not None
    if text is None and not is_recording:
        text = said
    if text is None or is_blank(checked(file, number, "source", text)):
        reason = (
            "there is no text of the source: also upload a file source.txt, with a line for each "
            "segment."
        )
        raise ImportProblem(file.name, number, "source", reason)
    name = label_of(file, number, row, "document")
    if not name and is_recording:
        name = re.split(r"[/\\]", checked(file, number, "source", recording))[-1]
    domain = label_of(file, number, row, "domain")
    if domain and (problem := problem_with_name(domain, LONGEST_DOMAIN)):
        raise ImportProblem(file.name, number, "domain", problem)
    name = name or THE_DOCUMENT
    domain, document = places.read(file.name, number, f"{domain}\t{name}" if domain else name)
    return SegmentTexts(
        file.name,
        number,
        str(number),
        document,
        text,
        references_there(references.items()),
        outputs,
        domain,
        label_of(file, number, row, "origlang"),
    )
