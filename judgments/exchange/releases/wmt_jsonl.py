"""Test sets as JSON lines: an object for each segment, which contains its references and outputs.

    {"src": "…", "doc_id": "d1", "domain": "news", "refs": {"refA": "…"}, "hyps": {"GPT-4": "…"}}

The general shared tasks since 2024 and their participants write such lines, with several names of
the same keys (`KEYS`), also within `metadata`. A segment's key is its line, from 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judgments.files.jsonl import decoded, problem_with_characters
from judgments.files.lines import problem_with_text, read_lines
from judgments.files.problem import ImportProblem
from judgments.files.table import problem_with_name
from judgments.files.texts import (
    LONGEST_DOMAIN,
    LONGEST_REFERENCE_NAME,
    LONGEST_SYSTEM_NAME,
    THE_DOCUMENT,
    DocumentLines,
    SegmentTexts,
    gloss_in,
    is_blank,
    outputs_there,
    references_there,
)
from judgments.files.uploads import Folder, ReleaseFile

from .format import Answers, TextsFormat, numbered
from .language_answers import language_questions, languages_of
from .records import Problems, Release, TextsPart

LETTERS = 26  # texts of a list are named refA, refB, …
KEYS = {
    "source": ("src", "source", "src_text", "source_text"),
    "document": ("doc_id", "docid", "document_id", "document", "doc"),
    "domain": ("domain",),
    "references": ("refs", "references", "ref", "reference", "target"),
    "donors": ("donors",),
    "outputs": ("hyps", "hypotheses", "systems", "outputs", "hyp", "tgt_text", "translations"),
    "source language": ("src_lang", "source_lang", "source_language"),
    "target language": ("tgt_lang", "target_lang", "target_language", "trg_lang"),
    "pair": ("lp", "langpair", "language_pair", "langs"),
    "origlang": ("origlang", "original_language"),
    "gloss": ("gloss",),
    "instructions": ("instructions", "evaluation_instruction", "prompt_instruction"),
}
DONOR = ("donor", "post_edited_from", "system")  # the first one present counts
PAIR = re.compile(r"([A-Za-z]{2,3}(?:[_-][A-Za-z]{2,4})?)-([A-Za-z]{2,3}(?:[_-][A-Za-z]{2,4})?)")
IN_NAME = re.compile(r"(?:^|[._])([a-z]{2,3})-([a-z]{2,3})(?:_[A-Z]{2})?(?=$|[._])")


class WmtJsonl(TextsFormat):
    slug = "wmt-jsonl"
    name = "JSON lines with texts"
    holds = "the texts of a test set, an object with references and outputs for each segment"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if is_texts(file)]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        for file in files:
            note_keys(file, problems)
            source, target = languages_in(file)
            if len(files) == 1:
                release.questions += language_questions(source, target)
                source, target = languages_of(answers, source, target)
            release.texts.append(texts_part(file, source, target))
        return release

    # ---- Out -----------------------------------------------------------------------------------

    def write(self, release: Release, folder: Folder) -> None:
        for n, texts in enumerate(release.texts, 1):
            pair = f"{texts.source_language}-{texts.target_language}"
            name = numbered(f"texts.{pair}.jsonl", n, len(release.texts))
            with folder.text(name) as write:
                for row in texts.segments():
                    found = {
                        "src_lang": texts.source_language,
                        "tgt_lang": texts.target_language,
                        "doc_id": row.document,
                        "domain": row.domain,
                        "origlang": row.original_language,
                        "src": row.source,
                        "gloss": row.gloss,
                        "instructions": row.instructions,
                        "refs": dict(row.references),
                        "donors": dict(row.donors),
                        "hyps": dict(row.outputs),
                    }
                    if not row.donors:
                        del found["donors"]
                    found = {key: value for key, value in found.items() if value != ""}
                    write(json.dumps(found, ensure_ascii=False) + "\n")


def texts_part(file: ReleaseFile, source: str, target: str) -> TextsPart:
    return TextsPart(
        key=file.path,
        name=file.name.removesuffix(".jsonl").removesuffix(".json"),
        source_language=source,
        target_language=target,
        segments=lambda: segments(file),
    )


def is_texts(file: ReleaseFile) -> bool:
    """Return whether the first line is an object with a source, and references or outputs in it."""
    line = next(iter(file.first_lines(1)), "")
    if not line.startswith("{"):
        return False
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        # A first line longer than the inspected part, as in documents.
        return bool(re.search(r'"(src|src_text)": ', line) and re.search(r'"(refs|hyps)": ', line))
    if not isinstance(row, dict) or not isinstance(value_of(row, "source"), str):
        return False
    return any(isinstance(value_of(row, key), dict) for key in ("references", "outputs")) or (
        isinstance(value_of(row, "references"), str) and bool(value_of(row, "pair"))
    )


def value_of(row: Mapping[str, Any], what: str) -> Any:
    """Return the value of the first of the keys that the row, or its `metadata`, has."""
    found = [place[key] for place in places_in(row) for key in key_in(place, what)]
    return found[0] if found else None


def places_in(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    inner = row.get("metadata")
    return [row, inner] if isinstance(inner, dict) else [row]


def key_in(place: Mapping[str, Any], what: str) -> list[str]:
    """Return the first of the keys that an object has, as a list; empty if it has none."""
    return [key for key in KEYS[what] if place.get(key) not in (None, "")][:1]


def note_keys(file: ReleaseFile, problems: Problems) -> None:
    """Record in `problems` the keys of the first line, and which of them are read."""
    row = first_of(file)
    places = places_in(row)
    names = [key for place in places for key in place if place[key] is not places[-1]]
    used = {key for place in places for what in KEYS for key in key_in(place, what)}
    problems.seen(file.name, names).update(used)


def first_of(file: ReleaseFile) -> dict[str, Any]:
    """Return the object of the first line. Raise ImportProblem."""
    return next((decoded(file.name, 1, line) for _, line in read_lines(file.place)), {})


def languages_in(file: ReleaseFile) -> tuple[str, str]:
    """Return the languages in the first line or the name; "" if neither has them."""
    row = first_of(file)
    source, target = value_of(row, "source language"), value_of(row, "target language")
    pair = value_of(row, "pair")
    match = PAIR.fullmatch(pair) if isinstance(pair, str) else None
    match = match or IN_NAME.search(file.name)
    if not isinstance(source, str) or not isinstance(target, str):
        source, target = match.groups() if match else ("", "")
    return source.replace("_", "-"), target.replace("_", "-")


def segments(file: ReleaseFile) -> Iterator[SegmentTexts]:
    places = DocumentLines()
    number = 0
    for number, line in read_lines(file.place):
        row = decoded(file.name, number, line)
        source = text_of(file, number, row, "source")
        if is_blank(source):
            raise ImportProblem(file.name, number, "source", "there is no source.")
        name = label_of(file, number, row, "document") or THE_DOCUMENT
        domain = label_of(file, number, row, "domain")
        if domain and (problem := problem_with_name(domain, LONGEST_DOMAIN)):
            raise ImportProblem(file.name, number, "domain", problem)
        domain, document = places.read(file.name, number, f"{domain}\t{name}" if domain else name)
        references = texts_in(file, number, row, "references", "ref", LONGEST_REFERENCE_NAME)
        outputs = texts_in(file, number, row, "outputs", "system", LONGEST_SYSTEM_NAME)
        yield SegmentTexts(
            file.name,
            number,
            str(number),
            document,
            source,
            references_there(references.items()),
            # A reference may be repeated among the systems.
            outputs_there(each for each in outputs.items() if each not in references.items()),
            domain,
            label_of(file, number, row, "origlang"),
            gloss_in(text_of(file, number, row, "gloss")),
            instructions=text_of(file, number, row, "instructions").strip(),
            donors=donors_in(file, number, row),
        )
    if not number:
        raise ImportProblem(file.name, None, "", "the file is empty.")


def checked(file: ReleaseFile, number: int, what: str, text: Any) -> str:
    if not isinstance(text, str):
        raise ImportProblem(file.name, number, what, "the value should be a text.")
    if problem := problem_with_characters(text) or problem_with_text(text):
        raise ImportProblem(file.name, number, what, problem)
    return text


def text_of(file: ReleaseFile, number: int, row: Mapping[str, Any], what: str) -> str:
    value = value_of(row, what)
    return checked(file, number, what, "" if value is None else value)


def label_of(file: ReleaseFile, number: int, row: Mapping[str, Any], what: str) -> str:
    """Return a name, which may be a number."""
    value = value_of(row, what)
    if value is None:
        return ""
    if type(value) is int:
        value = str(value)[:40]
    return checked(file, number, what, value)


def texts_in(
    file: ReleaseFile, number: int, row: Mapping[str, Any], what: str, alone: str, longest: int
) -> dict[str, str]:
    """Return {name: text} under a key: an object, or one text, which is called `alone`. A nested
    object has its text under `ref`, `tgt` or `text`. Null is none."""
    value = value_of(row, what)
    if isinstance(value, str):
        value = {alone: value}
    if isinstance(value, list):
        if len(value) > LETTERS:
            reason = (
                f"there are {len(value):,} texts without names; at most {LETTERS} are possible."
            )
            raise ImportProblem(file.name, number, what, reason)
        value = {f"{alone}{chr(ord('A') + n)}": each for n, each in enumerate(value)}
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ImportProblem(file.name, number, what, "it should be an object {name: text}.")
    found = {}
    for name, text in value.items():
        if problem := problem_with_name(name, longest):
            raise ImportProblem(file.name, number, what, problem)
        if isinstance(text, dict):
            text = next((text[key] for key in ("ref", "tgt", "text") if key in text), None)
        if text is not None:
            found[name] = checked(file, number, f"{what} {name}", text)
    return found


def donors_in(file: ReleaseFile, number: int, row: Mapping[str, Any]) -> dict[str, str]:
    """Return {reference: system that it was made from}: under `donors`, or in the object of a
    reference under one of the keys of DONOR."""
    found = {}
    references, donors = value_of(row, "references"), value_of(row, "donors")
    for name, said in references.items() if isinstance(references, dict) else ():
        if isinstance(said, dict) and (donor := next(filter(None, map(said.get, DONOR)), None)):
            found[name] = donor
    if donors is not None and not isinstance(donors, dict):
        raise ImportProblem(file.name, number, "donors", "it should be an object {name: system}.")
    found |= donors or {}
    return {name: checked(file, number, f"donor of {name}", each) for name, each in found.items()}
