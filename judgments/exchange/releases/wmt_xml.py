"""WMT's XML: sources, references and outputs of a test set, since 2021.

    <dataset id="wmttest2022"><collection id="general">
      <doc origlang="en" id="349" domain="news">
        <src lang="liv"><p><seg id="1">…</seg></p></src>
        <ref lang="en" translator="A"><p><seg id="1">…</seg></p></ref>
        <hyp system="TartuNLP" lang="en"><p><seg id="1">…</seg></p></hyp>

github.com/wmt-conference/wmt-format-tools describes it. A segment's key is its number in the whole
file, from 1: the line that it has in WMT's plain text. A document without an attribute `domain` is
of the domain that its collection names. Only one document is in memory at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from judgments.files.lines import LONGEST_TEXT
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import problem_with_name
from judgments.files.texts import (
    LONGEST_NAME,
    LONGEST_REFERENCE_NAME,
    LONGEST_SYSTEM_NAME,
    DocumentLines,
    SegmentTexts,
    is_blank,
)
from judgments.files.uploads import Folder, ReleaseFile

from .format import Answers, TextsFormat
from .language_answers import languages_of
from .records import Problems, Release, TextsPart
from .xml_reading import DEEPEST, XmlReader

ROOT = re.compile(rb"<dataset\b|<srcset\b|<doc\b[^>]*\boriglang=")
MOST_SEGMENTS = 10_000  # of a document
# What XML 1.0 cannot hold, however it is written.
UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass
class TextSide:
    """The source, a reference or the output of a document. name: of the reference or system."""

    element: str
    name: str
    language: str
    texts: dict[str, str] = field(default_factory=dict)  # by the ids of segments


@dataclass
class XmlDocument:
    name: str
    row: int
    domain: str
    original_language: str
    sides: list[TextSide] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)  # of the source's segments


class WmtXml(TextsFormat):
    slug = "wmt-xml"
    name = "WMT's XML"
    holds = "the texts of a test set with its references, outputs, documents and domains"
    described = "https://github.com/wmt-conference/wmt-format-tools"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if is_wmt_xml(file.head())]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        for file in files:
            release.texts.append(self.texts_part(file, answers))
        return release

    def texts_part(self, file: ReleaseFile, answers: Answers) -> TextsPart:
        first = next(iter(documents(file)), None)
        if first is None:
            raise ImportProblem(file.name, None, "", "it holds no document.")
        source = next((s.language for s in first.sides if s.element == "src"), "")
        target = next((s.language for s in first.sides if s.element != "src" and s.language), "")
        source, target = languages_of(answers, source, target)
        if not source or not target:
            raise ImportProblem(file.name, first.row, "", "src and ref or hyp need a lang.")
        return TextsPart(
            key=file.path,
            name=file.name.removesuffix(".xml"),
            source_language=source,
            target_language=target,
            segments=lambda: segments(file),
        )

    # ---- Out -----------------------------------------------------------------------------------

    def write(self, release: Release, folder: Folder) -> None:
        """A file for each test set. A document's segments are those that follow each other."""
        for n, texts in enumerate(release.texts, 1):
            number = f".{n}" if len(release.texts) > 1 else ""
            pair = f"{texts.source_language}-{texts.target_language}"
            with folder.text(f"texts{number}.{pair}.all.xml") as write:
                write("<?xml version='1.0' encoding='utf-8'?>\n")
                write(f"<dataset id={quoteattr(clean(texts.name))}>\n")
                for _, rows in groupby(texts.segments(), lambda row: (row.document, row.domain)):
                    write(written(list(rows), texts))
                write("</dataset>\n")


def is_wmt_xml(head: bytes) -> bool:
    lead = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    return lead.startswith(b"<") and bool(ROOT.search(lead))


# ---- In ----------------------------------------------------------------------------------------


class DocumentParser(XmlReader):
    """Puts each document that has ended into `ready`."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.ready: list[XmlDocument] = []
        self.depth = 0
        self.collections: list[str] = []
        self.document: XmlDocument | None = None
        self.side: TextSide | None = None
        self.segment: str | None = None
        self.text: list[str] = []
        self.length = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.problem(f"its elements lie more than {DEEPEST} deep.")
        if tag == "collection":
            self.collections.append(attributes.get("id", ""))
        elif tag == "doc":
            self.start_document(attributes)
        elif tag in ("src", "ref", "hyp"):
            self.start_side(tag, attributes)
        elif tag == "seg":
            self.start_segment(attributes)

    def start_document(self, attributes: dict[str, str]) -> None:
        if self.document is not None:
            raise self.problem("a document lies within another.")
        name = attributes.get("id", "")
        if problem := problem_with_name(name, LONGEST_NAME):
            raise self.problem(f"id of the document: {problem}")
        collection = self.collections[-1] if self.collections else ""
        domain = attributes.get("domain", collection)
        language = attributes.get("origlang", "")
        self.document = XmlDocument(name, self.row, domain, language)

    def start_side(self, tag: str, attributes: dict[str, str]) -> None:
        if self.document is None or self.side is not None:
            raise self.problem(f"<{tag}> is not directly in a document.")
        name, longest = "", LONGEST_REFERENCE_NAME
        if tag == "ref":
            translator = attributes.get("translator", "")
            name = f"ref{translator}" if len(translator) == 1 else translator or "ref"
        elif tag == "hyp":
            name, longest = attributes.get("system", ""), LONGEST_SYSTEM_NAME
        if tag != "src" and (problem := problem_with_name(name, longest)):
            raise self.problem(problem)
        if any((side.element, side.name) == (tag, name) for side in self.document.sides):
            what = f"<{tag}> {shortened(name)}" if name else f"<{tag}>"
            reason = f"the document {shortened(self.document.name)} has two {what}."
            raise self.problem(reason)
        self.side = TextSide(tag, name, attributes.get("lang", ""))
        self.document.sides.append(self.side)

    def start_segment(self, attributes: dict[str, str]) -> None:
        if self.side is None or self.document is None or self.segment is not None:
            raise self.problem("<seg> is not in a text of a document.")
        self.segment = attributes.get("id", "")
        if self.segment in self.side.texts:
            reason = f"the segment {shortened(self.segment)} comes twice in one text."
            raise self.problem(reason)
        if len(self.side.texts) >= MOST_SEGMENTS:
            raise self.problem(f"a document has more than {MOST_SEGMENTS:,} segments.")
        if self.side.element == "src":
            self.document.rows[self.segment] = self.row
        self.text, self.length = [], 0

    def characters(self, text: str) -> None:
        if self.segment is not None:
            self.length += len(text)
            if self.length > LONGEST_TEXT:
                reason = f"a text has more than {LONGEST_TEXT:,} characters."
                raise self.problem(reason)
            self.text.append(text)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if tag == "collection":
            self.collections.pop()
        elif tag == "seg" and self.side is not None and self.segment is not None:
            # In pretty-printed files a text may be broken into lines.
            text = " ".join("".join(self.text).split("\n")).strip()
            self.side.texts[self.segment], self.segment = text, None
        elif tag in ("src", "ref", "hyp"):
            self.side = None
        elif tag == "doc" and self.document is not None:
            self.ready.append(self.document)
            self.document = None


def documents(file: ReleaseFile) -> Iterator[XmlDocument]:
    """The documents in their order. Raises ImportProblem for what is no such XML."""
    return DocumentParser(file.name).read(file)


def segments(file: ReleaseFile) -> Iterator[SegmentTexts]:
    """All segments; what a reference or system lacks is not there, an empty output is empty."""
    number = 0
    names = DocumentLines()
    for document in documents(file):
        source = next((side for side in document.sides if side.element == "src"), None)
        if source is None:
            raise ImportProblem(file.name, document.row, "", "the document has no source.")
        check_ids(file.name, document, source)
        line = f"{document.domain}\t{document.name}" if document.domain else document.name
        for key, text in source.texts.items():
            number += 1
            row = document.rows[key]
            if is_blank(text):
                raise ImportProblem(file.name, row, "", "the source of a segment is empty.")
            domain, name = names.read(file.name, row, line)
            yield SegmentTexts(
                file.name,
                row,
                str(number),
                name,
                text,
                {
                    side.name: side.texts[key]
                    for side in document.sides
                    if side.element == "ref" and not is_blank(side.texts.get(key, ""))
                },
                {
                    side.name: side.texts[key]
                    for side in document.sides
                    if side.element == "hyp" and key in side.texts
                },
                domain,
                document.original_language,
            )


def check_ids(file: str, document: XmlDocument, source: TextSide) -> None:
    for side in document.sides:
        if odd := side.texts.keys() - source.texts.keys():
            reason = (
                f"the document {shortened(document.name)} has no segment {shortened(min(odd))} in "
                f"its source, but {side.name} has."
            )
            raise ImportProblem(file, document.row, "", reason)


# ---- Out ---------------------------------------------------------------------------------------


def written(rows: list[SegmentTexts], texts: TextsPart) -> str:
    """A document, each of its texts on lines of its own."""
    first = rows[0]
    attributes = f" id={quoteattr(clean(first.document))}"
    if first.original_language:
        attributes = f" origlang={quoteattr(first.original_language)}{attributes}"
    if first.domain:
        attributes += f" domain={quoteattr(clean(first.domain))}"
    found = [f"  <doc{attributes}>\n"]

    def side(head: str, some: list[tuple[int, str]]) -> None:
        segs = "".join(f'\n        <seg id="{n}">{escape(clean(text))}</seg>' for n, text in some)
        found.append(f"    <{head}>\n      <p>{segs}\n      </p>\n    </{head.split()[0]}>\n")

    numbered = list(enumerate(rows, 1))
    side(f"src lang={quoteattr(texts.source_language)}", [(n, row.source) for n, row in numbered])
    target = f"lang={quoteattr(texts.target_language)}"
    for name in dict.fromkeys(name for row in rows for name in row.references):
        translator = name if not re.fullmatch("ref(.?)", name) else name[3:]
        head = f"ref {target}" + (f" translator={quoteattr(translator)}" if translator else "")
        side(head, [(n, r.references[name]) for n, r in numbered if name in r.references])
    for name in dict.fromkeys(name for row in rows for name in row.outputs):
        head = f"hyp system={quoteattr(name)} {target}"
        side(head, [(n, row.outputs[name]) for n, row in numbered if name in row.outputs])
    return "".join([*found, "  </doc>\n"])


def clean(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return UNWRITABLE.sub("\ufffd", text)
