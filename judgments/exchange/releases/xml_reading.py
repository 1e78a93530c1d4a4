"""XML, read piece by piece: the elements of some names as trees.

No file that comes in declares entities: whoever does wants to fill the memory or to read our files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement
from xml.parsers import expat

from judgments.files.lines import beginning
from judgments.files.problem import ImportProblem
from judgments.files.uploads import ReleaseFile

OURS = "urn:mteval:judgments"  # the namespace of what XLIFF has no attribute for
PIECE = 2**16
LONGEST_TAG = 2**20  # bytes of a tag or comment, which has to be in memory as a whole
DEEPEST = 30  # elements within each other
MOST_INSIDE = 20_000  # elements and pieces of text in one tree
MOST_CHARACTERS = 2**24


class OuterElement(NamedTuple):
    """One that others are in. row: where it begins."""

    name: str
    attributes: dict[str, str]
    row: int


class XmlTree(NamedTuple):
    """An element with all that is in it. row: where it begins; outer: the elements around it, from
    the root."""

    row: int
    outer: tuple[OuterElement, ...]
    root: Element


class XmlTrees:
    """Makes trees of the elements of some names, as expat tells of them. Names of elements and
    attributes come without their namespaces."""

    def __init__(self, file: str, wanted: frozenset[str]) -> None:
        self.file = file
        self.wanted = wanted
        self.parser = expat.ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self.refuse
        self.ready: list[XmlTree] = []
        self.outer: list[OuterElement] = []
        self.inner: list[Element] = []
        self.began = self.n_inside = self.n_characters = 0

    @property
    def row(self) -> int:
        return self.parser.CurrentLineNumber

    def problem(self, reason: str) -> ImportProblem:
        return ImportProblem(self.file, self.row, "", reason)

    def refuse(self, *args: object) -> None:
        raise self.problem("it declares entities, which no text needs.")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = local(tag)
        attributes = {local(name): value for name, value in attributes.items()}
        if len(self.outer) + len(self.inner) >= DEEPEST:
            raise self.problem(f"its elements are nested more than {DEEPEST} deep.")
        if self.inner:
            self.count()
            self.inner.append(SubElement(self.inner[-1], tag, attributes))
        elif tag in self.wanted:
            self.began, self.n_inside, self.n_characters = self.row, 0, 0
            self.inner.append(Element(tag, attributes))
        else:
            self.outer.append(OuterElement(tag, attributes, self.row))

    def count(self) -> None:
        self.n_inside += 1
        if self.n_inside > MOST_INSIDE:
            raise self.problem(f"one element contains more than {MOST_INSIDE:,} others.")

    def characters(self, text: str) -> None:
        if self.inner:
            self.count()
            self.n_characters += len(text)
            if self.n_characters > MOST_CHARACTERS:
                raise self.problem(f"one element has more than {MOST_CHARACTERS:,} characters.")
            last = self.inner[-1]
            if len(last):
                last[-1].tail = (last[-1].tail or "") + text
            else:
                last.text = (last.text or "") + text

    def end(self, tag: str) -> None:
        if not self.inner:
            self.outer.pop()
        elif len(self.inner) > 1:
            self.inner.pop()
        else:
            self.ready.append(XmlTree(self.began, tuple(self.outer), self.inner.pop()))

    def read(self, file: ReleaseFile) -> Iterator[XmlTree]:
        """Yield what gets ready, in order. Raise ImportProblem for what is no such XML."""
        n_bytes = 0
        with file.open() as stream:
            more = True
            while more:
                piece = stream.read(PIECE)
                n_bytes += len(piece)
                more = bool(piece)
                try:
                    self.parser.Parse(piece, not more)
                except expat.ExpatError as error:
                    words = expat.errors.messages[error.code]
                    reason = f"this is not well-formed XML: {words}."
                    raise ImportProblem(self.file, error.lineno, "", reason) from None
                except (LookupError, ValueError) as error:  # an encoding that nobody knows
                    raise self.problem(f"its encoding cannot be read: {error}.") from None
                if 0 <= self.parser.CurrentByteIndex < n_bytes - LONGEST_TAG:
                    raise self.problem(f"it has a tag of more than {LONGEST_TAG:,} bytes.")
                yield from self.ready
                self.ready.clear()


def is_xml(file: ReleaseFile, tag: str) -> bool:
    """Return whether a file begins as XML in which this tag opens soon. tag: a regular
    expression."""
    head = beginning(file.head()).lstrip()
    return head.startswith("<") and bool(re.search(f"<{tag}", head))


def local(name: str) -> str:
    """Return a name without its namespace; one of ours keeps a prefix, so that it meets no
    other's."""
    space, _, rest = name.rpartition("}")
    return f"mteval:{rest}" if space == OURS else rest


def trees(file: ReleaseFile, *wanted: str) -> Iterator[XmlTree]:
    """Yield the elements of some names, each when it is complete. Raise ImportProblem."""
    return XmlTrees(file.name, frozenset(wanted)).read(file)
