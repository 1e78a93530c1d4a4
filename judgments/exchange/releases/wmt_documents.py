"""Whole documents, as the general shared task of WMT26 published them: its sources, and a file of
each system.

    {"doc_id": "WMT26_###_news_###_eng_Latn_###_ces_Latn_###_NAME",
     "src_text": "<p>…</p>\\n<p>…</p>", "gold_transcript": null, "refs": {}, …}
    {"doc_id": the same, "hypothesis": "<p>…</p>\\n<p>…</p>", "metadata": {}}

A test set comes of each language pair, with a segment for each paragraph where source, references
and outputs of a document have as many, else one for the document. Systems are called after their
files. The video of a document, or else its screenshot, stands at each of its segments if the file
that the source names, such as `videos/NAME.mp4`, was brought along.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from judgments.files.jsonl import decoded
from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem
from judgments.files.table import problem_with_name
from judgments.files.texts import (
    LONGEST_FILE_NAME,
    LONGEST_NAME,
    LONGEST_REFERENCE_NAME,
    LONGEST_SYSTEM_NAME,
    MediaPlace,
    SegmentTexts,
    gloss_in,
    is_blank,
    references_there,
)
from judgments.files.uploads import ReleaseFile
from judgments.models import ReferenceKind
from judgments.test_sets.media.archive import MediaArchive, checked_kind
from judgments.test_sets.media.kinds import ENDINGS, VTT

from .format import Answers, TextsFormat
from .pearmut_annotations import NO_SOURCE
from .records import Problems, Release, TextsPart
from .text_store import AS_THEY_CAME, TextStore
from .wmt_ids import id_in
from .wmt_jsonl import checked, donors_in, text_of, texts_in
from .wmt_references import ChosenReferences, is_donor_table, is_put_together

IDS = re.compile(rb'"doc_id"\s*:\s*"[^"]*_###_')
HYPOTHESIS, SOURCE = re.compile(rb'"hypothesis"\s*:'), re.compile(rb'"src_text"\s*:')
BETWEEN = re.compile(r"</p>\s*<p>")
BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
Key = tuple[str, str]  # what a text is, and the name of the reference or system
LEFT_OUT = {  # of a source, in words
    "multimodal_instruction": "instructions about pictures and sound",
    "video": "videos",
    "screenshot": "screenshots",
}
MEDIA = ("video", "screenshot")  # a document has the first that is there
MEDIA_ENDINGS = {end for kind, ends in ENDINGS.items() if kind != VTT for end in ends}
NAMED = 5  # files that will not do


class WmtDocuments(TextsFormat):
    slug = "wmt-documents"
    name = "WMT26's documents"
    holds = "the sources of the general task, and the outputs of systems, a document on each line"
    described = "https://github.com/wmt-conference/wmt26-general-mt"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        found = [file for file in files if is_system(file) or is_source(file)]
        found += [file for file in files if is_put_together(file) or is_donor_table(file)]
        media = [file for file in files if file.name.rpartition(".")[2].lower() in MEDIA_ENDINGS]
        return [*found, *media] if any(map(is_source, found)) else found

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        texts = [file for file in files if is_system(file) or is_source(file)]
        chosen = [file for file in files if is_put_together(file)]
        tables = [file for file in files if is_donor_table(file)]
        media = [file for file in files if file not in texts + chosen + tables]
        documents = Documents(problems, answers.get("pairs", "").split(), media)
        for file in chosen:
            documents.chosen.add_file(file)
        for file in tables:
            documents.chosen.add_table(file)
        for file in sorted(texts, key=is_system):  # the sources first
            documents.add_file(file)
        documents.settle()
        release = Release(notes=documents.notes())
        named = documents.media
        for pair, (source, target, edition) in documents.pairs.items():
            part = TextsPart(
                pair,
                f"{edition} {pair}",
                source,
                target,
                documents.segments_of(pair),
                release=edition,
                # Only an import keeps them: `recompute` writes what it reads, too.
                media=MediaArchive(named, "The release", keeps=False) if named else None,
                reference_kinds=dict.fromkeys(documents.chosen.names, ReferenceKind.CHOSEN),
            )
            release.texts.append(part)
        return release


def is_system(file: ReleaseFile) -> bool:
    head = file.head()
    return bool(IDS.search(head) and HYPOTHESIS.search(head)) and not is_put_together(file)


def is_source(file: ReleaseFile) -> bool:
    head = file.head()
    return bool(IDS.search(head) and SOURCE.search(head))


class Documents:
    """All documents by language pair, once each. only: the pairs that are wanted, [] for all.
    beside: files of sound, pictures and videos; media: those that documents name, by their names;
    shown: these names, by the keys of documents; chosen: references put together of outputs."""

    def __init__(
        self, problems: Problems, only: Sequence[str], beside: Sequence[ReleaseFile]
    ) -> None:
        self.problems = problems
        self.only = only
        self.beside = beside
        self.media: dict[str, Path] = {}
        self.shown: dict[str, str] = {}
        self.unfit: dict[str, str] = {}  # names of files that will not do, and why
        # A document as a segment, under its language pair, domain and name; in one of its pair.
        self.texts = TextStore()
        self.chosen = ChosenReferences(problems)
        self.systems: dict[str, set[str]] = defaultdict(set)  # by language pair
        self.translated: set[str] = set()
        self.pairs: dict[str, tuple[str, str, str]] = {}
        self.n_whole = self.n_unknown = self.n_donors = 0
        self.has_sources = False
        self.left_out: Counter[str] = Counter()

    def add_file(self, file: ReleaseFile) -> None:
        system = "" if is_source(file) else file.name.removesuffix(".jsonl")
        if system and (problem := problem_with_name(system, LONGEST_SYSTEM_NAME)):
            raise ImportProblem(file.name, None, "", problem)
        self.has_sources |= not system
        for number, line in read_lines(file.place):
            try:
                self.add(file, number, decoded(file.name, number, line), system)
            except ImportProblem as problem:
                self.problems.add(problem)

    def add(self, file: ReleaseFile, number: int, row: dict[str, Any], system: str) -> None:
        """Raise ImportProblem, naming the row."""
        said = id_in(file, number, row)
        pair = said.pair
        if self.only and pair not in self.only:
            return
        empty = SegmentTexts(file.name, number, said.key, pair, "", {}, {}, said.domain)
        if not system:
            self.add_source(file, number, row, empty)
        else:
            self.add_output(file, number, row, empty, system)
        self.pairs.setdefault(pair, (said.source, said.target, said.edition.lower()))

    def add_source(self, file: ReleaseFile, number: int, row: dict, empty: SegmentTexts) -> None:
        source = text_of(file, number, row, "source")
        spoken = checked(file, number, "gold_transcript", row.get("gold_transcript") or "")
        if is_blank(source):
            source, spoken = spoken, ""
        what, media = self.media_of(row)
        if is_blank(source) and not media:
            reason = "there is no source, and no transcript in its place."
            raise ImportProblem(file.name, number, "src_text", reason)
        found = texts_in(file, number, row, "references", "ref", LONGEST_REFERENCE_NAME)
        references = references_there(found.items())
        asked = text_of(file, number, row, "instructions").strip()
        if self.texts.find(empty.key):
            raise twice(file, number)
        self.texts.add(
            replace(
                empty,
                source=source,
                references=references,
                gloss=spoken,
                instructions=asked,
                donors=donors_in(file, number, row),
            )
        )
        if media:
            self.shown[empty.key] = media
        self.left_out.update(each for each in LEFT_OUT if row.get(each) and each != what)

    def media_of(self, row: dict[str, Any]) -> tuple[str, str]:
        """Return the first file of a document that can be shown: what it is, and its name; "" and
        "" for none."""
        for what in MEDIA:
            said = row.get(what)
            name = str(said.get("path") or "") if isinstance(said, dict) else ""
            if 0 < len(name) <= LONGEST_FILE_NAME and self.is_there(name):
                return what, name
        return "", ""

    def is_there(self, name: str) -> bool:
        """Return whether a file was brought along whose path ends so, and will do."""
        if name in self.media or name in self.unfit:
            return name in self.media
        wanted = PurePosixPath("/", name).parts[1:]
        for file in self.beside:
            if PurePosixPath(file.path).parts[-len(wanted) :] == wanted:
                try:
                    n_bytes = file.place.stat().st_size
                    checked_kind(name, file.place, n_bytes, partial(ImportProblem, name, None, ""))
                    self.media[name] = file.place
                except ImportProblem as problem:
                    self.unfit[name] = problem.reason
                break
        return name in self.media

    def add_output(
        self, file: ReleaseFile, number: int, row: dict, empty: SegmentTexts, system: str
    ) -> None:
        text = checked(file, number, "hypothesis", row.get("hypothesis"))
        if not self.texts.find(empty.key):
            if self.has_sources:
                self.n_unknown += 1
                return
            self.texts.add(empty)
        if self.texts.output(empty.key, system) is not None:
            raise twice(file, number)
        self.texts.put(empty.key, system, "" if is_blank(text) else text)
        self.translated.add(empty.document)
        self.systems[empty.document].add(system)
        if row.get("metadata"):
            self.left_out["metadata"] += 1

    # ---- Out -----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Leave out language pairs that no system translates, where any is translated."""
        for pair in self.pairs.keys() - self.translated if self.translated else ():
            del self.pairs[pair]
            self.left_out["language pairs without outputs"] += 1
        for pair in self.pairs:
            for segments, agree in self.documents_of(pair):
                self.n_whole += not agree
                donors = [donor for each in segments for donor in each.donors.values()]
                self.n_donors += sum(donor not in self.systems[pair] for donor in donors)

    def notes(self) -> list[str]:
        found = []
        if not self.has_sources:
            found.append("The sources are missing: also upload the task's source file.")
        if self.n_unknown:
            found.append(f"Left out: outputs of documents without a source ({self.n_unknown:,}).")
        if self.n_whole:
            found.append(
                f"Documents of one segment each ({self.n_whole:,}): their source, references and "
                "outputs differ in their number of paragraphs."
            )
        if self.n_donors:
            found.append(
                "Left out: donors of references that are not systems of the files "
                f"({self.n_donors:,})."
            )
        found += self.chosen.notes()
        used = set(self.media.values())
        if n := sum(file.place not in used for file in self.beside) - len(self.unfit):
            found.append(f"Named by no document: sound, pictures and videos ({n:,}).")
        found += [f"It was left out: {reason}" for reason in list(self.unfit.values())[:NAMED]]
        for what, n in self.left_out.items():
            found.append(f"Left out: {LEFT_OUT.get(what, what)} ({n:,}).")
        return found

    def segments_of(self, pair: str) -> Callable[[], Iterator[SegmentTexts]]:
        return lambda: (each for segments, _ in self.documents_of(pair) for each in segments)

    def documents_of(self, pair: str) -> Iterator[tuple[list[SegmentTexts], bool]]:
        """Return the segments of each document, in the order of the files, and whether its texts
        agree in their number of paragraphs."""
        taken: set[str] = set()
        for each in self.texts.segments(AS_THEY_CAME, pair):
            domain, name, media = each.domain, json.loads(each.key)[-1], self.shown.get(each.key)
            document = f"{domain}/{name}"[:LONGEST_NAME] if name in taken else name
            taken.add(name)
            texts = {("source", ""): each.source, ("gloss", ""): each.gloss}
            references = {**each.references, **self.chosen.of(each.key)}
            texts |= {("ref", ref): text for ref, text in references.items()}
            texts |= {("output", system): text for system, text in sorted(each.outputs.items())}
            n, cut = aligned(texts)
            donors = self.donors_of(each, list(references), max(n, 1))
            found = []
            for place in range(max(n, 1)):
                said: dict[str, dict[str, str]] = defaultdict(dict)
                for (kind, named), parts in cut.items():
                    said[kind][named] = parts[place]
                segment = SegmentTexts(
                    each.file,
                    each.row,
                    f"{document}:{place + 1}" if n > 1 else document,
                    document,
                    said["source"][""] or ("" if media else NO_SOURCE),
                    said["ref"],
                    said["output"],
                    domain,
                    gloss=gloss_in(said["gloss"][""]),
                    instructions=each.instructions,
                    media=MediaPlace(media) if media else None,
                    donors=donors[place],
                )
                found.append(segment)
            yield found, n > 0

    def donors_of(
        self, document: SegmentTexts, references: Sequence[str], n: int
    ) -> list[dict[str, str]]:
        """Return the donors of each of the n segments of a document, by reference."""
        found = {name: [document.donors.get(name, "")] * n for name in references}
        found |= {
            name: list(self.chosen.donors(document.key, name, n))
            for name in references
            if name in self.chosen.names
        }
        return [
            {name: donors[place] for name, donors in found.items() if donors[place]}
            for place in range(n)
        ]


def twice(file: ReleaseFile, number: int) -> ImportProblem:
    return ImportProblem(file.name, number, "doc_id", "this document occurs twice.")


def aligned(texts: Mapping[Key, str]) -> tuple[int, dict[Key, list[str]]]:
    """Return how many paragraphs all texts have, 0 if they differ in that, and their paragraphs, or
    each as a whole. A text that is empty is so in every paragraph."""
    cut = {key: paragraphs(text) for key, text in texts.items()}
    counts = {len(parts) for key, parts in cut.items() if texts[key]}
    if len(counts) == 1 and (max(counts) == 1 or all(cut["source", ""]) or not texts["source", ""]):
        n = counts.pop()
        return n, {key: parts if texts[key] else [""] * n for key, parts in cut.items()}
    return 0, {key: ["\n\n".join(parts)] for key, parts in cut.items()}


def paragraphs(text: str) -> list[str]:
    """Return those between <p> and </p>, else those between blank lines; [""] of no text."""
    whole = text.strip()
    if whole.startswith("<p>") and whole.endswith("</p>"):
        found = BETWEEN.split(whole[len("<p>") : -len("</p>")])
        if not any("<p>" in part or "</p>" in part for part in found):
            return [part.strip() for part in found]
    return BLANK_LINES.split(whole)
