"""XML, read piece by piece: the elements of some names as trees.

Files with entity declarations are refused: these could fill the memory or read our files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement
from xml.parsers import expat

from judgments.files.lines import beginning
from judgments.files.problem import ImportProblem
from judgments.files.uploads import ReleaseFile

OURS = "urn:mteval:judgments"  # the namespace of data without an attribute in XLIFF
PIECE = 2**16
LONGEST_TAG = 2**20  # bytes of a tag or comment, which has to be in memory as a whole
DEEPEST = 30  # nested elements
MOST_INSIDE = 20_000  # elements and pieces of text in one tree
MOST_CHARACTERS = 2**24


class OuterElement(NamedTuple):
    """An enclosing element. row: where it begins."""

    name: str
    attributes: dict[str, str]
    row: int


class XmlTree(NamedTuple):
    """An element with all of its content. row: where it begins; outer: the enclosing elements, from
    the root."""

    row: int
    outer: tuple[OuterElement, ...]
    root: Element


Passed = Callable[[Sequence[OuterElement]], object]


class XmlTrees:
    """Builds trees of the elements with some names from the events of expat. Names of elements and
    attributes are without their namespaces."""

    def __init__(self, file: str, wanted: frozenset[str], passed: Passed) -> None:
        self.file = file
        self.wanted = wanted
        self.passed = passed
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
            self.passed(self.outer)

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
        """Yield complete trees, in order. Raise ImportProblem for invalid XML."""
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
                except (LookupError, ValueError) as error:  # an unknown encoding
                    raise self.problem(f"its encoding cannot be read: {error}.") from None
                if 0 <= self.parser.CurrentByteIndex < n_bytes - LONGEST_TAG:
                    raise self.problem(f"it has a tag of more than {LONGEST_TAG:,} bytes.")
                yield from self.ready
                self.ready.clear()


def is_xml(file: ReleaseFile, tag: str) -> bool:
    """Return whether a file begins as XML that soon opens this tag. tag: a regular expression."""
    head = beginning(file.head()).lstrip()
    return head.startswith("<") and bool(re.search(f"<{tag}", head))


def local(name: str) -> str:
    """Return a name without its namespace; one of ours keeps a prefix, to avoid conflicts with
    others."""
    space, _, rest = name.rpartition("}")
    return f"mteval:{rest}" if space == OURS else rest


def trees(
    file: ReleaseFile, *wanted: str, passed: Passed = lambda outer: None
) -> Iterator[XmlTree]:
    """Yield the elements of some names, each when it is complete. passed: called with every other
    element when it begins, after those that enclose it. Raise ImportProblem."""
    return XmlTrees(file.name, frozenset(wanted), passed).read(file)
