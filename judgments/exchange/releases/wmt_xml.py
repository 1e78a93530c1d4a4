"""WMT's XML: sources, references and outputs of a test set, since 2021.

    <dataset id="wmttest2022"><collection id="general">
      <doc origlang="en" id="349" domain="news">
        <src lang="liv"><p><seg id="1">…</seg></p></src>
        <ref lang="en" translator="A"><p><seg id="1">…</seg></p></ref>
        <hyp system="TartuNLP" lang="en"><p><seg id="1">…</seg></p></hyp>

github.com/wmt-conference/wmt-format-tools describes it. A segment's key is its number in the whole
file, from 1: its line in WMT's plain text. A document without an attribute `domain` has the domain
that its collection names. Only one document is in memory at a time.
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
    outputs_there,
    references_there,
)
from judgments.files.uploads import Folder, ReleaseFile

from .format import Answers, TextsFormat, numbered
from .language_answers import languages_of
from .records import Problems, Release, TextsPart
from .xml_reading import OuterElement, XmlTree, is_xml, trees

ROOT = r"(dataset\b|srcset\b|doc\b[^>]*\boriglang=)"
MOST_SEGMENTS = 10_000  # of a document
SIDES = ("src", "ref", "hyp")
INNERMOST = ("doc", *SIDES, "seg")  # none of these is in a segment
# Characters that XML 1.0 cannot contain in any notation.
UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass
class TextSide:
    """The source, a reference or the output of a document. name: of the reference or system."""

    place: OuterElement
    name: str
    language: str
    texts: dict[str, str] = field(default_factory=dict)  # by the ids of segments


@dataclass
class XmlDocument:
    place: OuterElement
    name: str
    domain: str
    original_language: str
    sides: list[TextSide] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)  # of the source's segments

    def texts(self, element: str, key: str) -> list[tuple[str, str]]:
        """Return (name, text) of the existing texts of a segment."""
        sides = [side for side in self.sides if side.place.name == element]
        return [(side.name, side.texts[key]) for side in sides if key in side.texts]


class WmtXml(TextsFormat):
    slug = "wmt-xml"
    name = "WMT's XML"
    holds = "the texts of a test set with its references, outputs, documents and domains"
    described = "https://github.com/wmt-conference/wmt-format-tools"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if is_xml(file, ROOT)]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        for file in files:
            release.texts.append(self.texts_part(file, answers))
        return release

    def texts_part(self, file: ReleaseFile, answers: Answers) -> TextsPart:
        first = next(iter(documents(file)), None)
        if first is None:
            raise ImportProblem(file.name, None, "", "it holds no document.")
        source = next((s.language for s in first.sides if s.place.name == "src"), "")
        target = next((s.language for s in first.sides if s.place.name != "src" and s.language), "")
        source, target = languages_of(answers, source, target)
        if not source or not target:
            raise ImportProblem(file.name, first.place.row, "", "src and ref or hyp need a lang.")
        return TextsPart(
            key=file.path,
            name=file.name.removesuffix(".xml"),
            source_language=source,
            target_language=target,
            segments=lambda: segments(file),
        )

    # ---- Out -----------------------------------------------------------------------------------

    def write(self, release: Release, folder: Folder) -> None:
        """Write a file for each test set. A document's segments are those that follow each
        other."""
        for n, texts in enumerate(release.texts, 1):
            pair = f"{texts.source_language}-{texts.target_language}"
            name = numbered(f"texts.{pair}.all.xml", n, len(release.texts))
            with folder.text(name) as write:
                write("<?xml version='1.0' encoding='utf-8'?>\n")
                write(f"<dataset id={quoteattr(clean(texts.name))}>\n")
                for _, rows in groupby(texts.segments(), lambda row: (row.document, row.domain)):
                    write(written(list(rows), texts))
                write("</dataset>\n")


# ---- Reading -----------------------------------------------------------------------------------


def documents(file: ReleaseFile) -> Iterator[XmlDocument]:
    """Yield the documents in their order. Raise ImportProblem for other XML."""
    document: XmlDocument | None = None
    side: TextSide | None = None
    for tree in trees(file, "seg"):
        doc, text = around(file, tree)
        if document is None or doc is not document.place:
            if document is not None:
                yield document
            document, side = new_document(file, doc, tree), None
        if side is None or text is not side.place:
            side = new_side(file, document, text)
        take_segment(file, document, side, tree)
    if document is not None:
        yield document


def around(file: ReleaseFile, tree: XmlTree) -> tuple[OuterElement, OuterElement]:
    """Return the document and the text that a segment is in. Raise ImportProblem."""
    found = [each for each in tree.outer if each.name in ("doc", *SIDES)]
    for depth, each in enumerate(found):
        if each.name == "doc" and depth:
            raise ImportProblem(file.name, each.row, "", "a document is inside another.")
        if each.name != "doc" and depth != 1:
            reason = f"<{each.name}> is not directly in a document."
            raise ImportProblem(file.name, each.row, "", reason)
    if len(found) != 2 or any(each.tag in INNERMOST for each in tree.root.iterfind(".//*")):
        raise ImportProblem(file.name, tree.row, "", "<seg> is not in a text of a document.")
    return found[0], found[1]


def new_document(file: ReleaseFile, doc: OuterElement, tree: XmlTree) -> XmlDocument:
    name = doc.attributes.get("id", "")
    if problem := problem_with_name(name, LONGEST_NAME):
        raise ImportProblem(file.name, doc.row, "", f"id of the document: {problem}")
    collections = [each for each in tree.outer if each.name == "collection"]
    domain = collections[-1].attributes.get("id", "") if collections else ""
    domain = doc.attributes.get("domain", domain)
    return XmlDocument(doc, name, domain, doc.attributes.get("origlang", ""))


def new_side(file: ReleaseFile, document: XmlDocument, text: OuterElement) -> TextSide:
    name, longest = "", LONGEST_REFERENCE_NAME
    if text.name == "ref":
        translator = text.attributes.get("translator", "")
        name = f"ref{translator}" if len(translator) == 1 else translator or "ref"
        name = text.attributes.get("name", name)  # only in ours
    elif text.name == "hyp":
        name, longest = text.attributes.get("system", ""), LONGEST_SYSTEM_NAME
    problem = problem_with_name(name, longest) if text.name != "src" else ""
    if any((side.place.name, side.name) == (text.name, name) for side in document.sides):
        what = f"<{text.name}> {shortened(name)}" if name else f"<{text.name}>"
        problem = problem or f"the document {shortened(document.name)} has two {what}."
    if problem:
        raise ImportProblem(file.name, text.row, "", problem)
    document.sides.append(TextSide(text, name, text.attributes.get("lang", "")))
    return document.sides[-1]


def take_segment(file: ReleaseFile, document: XmlDocument, side: TextSide, tree: XmlTree) -> None:
    key = tree.root.get("id", "")
    # In pretty-printed files a text may be broken into lines.
    text = " ".join("".join(tree.root.itertext()).split("\n")).strip()
    problem = ""
    if key in side.texts:
        problem = f"the segment {shortened(key)} occurs twice in one text."
    elif len(side.texts) >= MOST_SEGMENTS:
        problem = f"a document has more than {MOST_SEGMENTS:,} segments."
    elif len(text) > LONGEST_TEXT:
        problem = f"a text has more than {LONGEST_TEXT:,} characters."
    if problem:
        raise ImportProblem(file.name, tree.row, "", problem)
    side.texts[key] = text
    if side.place.name == "src":
        document.rows[key] = tree.row


def segments(file: ReleaseFile) -> Iterator[SegmentTexts]:
    """Yield all segments; missing references and systems are omitted, an empty output is ""."""
    number = 0
    names = DocumentLines()
    for document in documents(file):
        source = next((side for side in document.sides if side.place.name == "src"), None)
        if source is None:
            raise ImportProblem(file.name, document.place.row, "", "the document has no source.")
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
                references_there(document.texts("ref", key)),
                outputs_there(document.texts("hyp", key)),
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
            raise ImportProblem(file, document.place.row, "", reason)


# ---- Writing -----------------------------------------------------------------------------------


def written(rows: list[SegmentTexts], texts: TextsPart) -> str:
    """Return a document, each of its texts on separate lines."""
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
        head += (
            f" name={quoteattr(name)}" if len(name) == 1 else ""
        )  # as this would be read as refA
        side(head, [(n, r.references[name]) for n, r in numbered if name in r.references])
    for name in dict.fromkeys(name for row in rows for name in row.outputs):
        head = f"hyp system={quoteattr(name)} {target}"
        side(head, [(n, row.outputs[name]) for n, row in numbered if name in row.outputs])
    return "".join([*found, "  </doc>\n"])


def clean(text: str) -> str:
    """Return the text without characters that XML cannot contain."""
    return UNWRITABLE.sub("\ufffd", text)
