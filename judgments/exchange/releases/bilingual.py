"""Files of translation tools, with pairs of source and target (`xliff`, `tmx`) → texts, post-edits
and marked errors. Nothing in them says whose translations they are: that is asked of each file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from xml.etree.ElementTree import Element

from judgments.files.lines import problem_with_text
from judgments.files.output_texts import THE_SET, OutputText
from judgments.files.problem import ImportProblem
from judgments.files.texts import (
    LONGEST_NAME,
    LONGEST_REFERENCE_NAME,
    LONGEST_SYSTEM_NAME,
    THE_DOCUMENT,
    is_blank,
)
from judgments.files.uploads import ReleaseFile

from .format import Answers
from .marked_columns import MarkedColumns
from .marked_rows import RATER, MarkedTable
from .marked_store import SOURCE, Error
from .records import OpenQuestion, Problems, Release

OUTPUT, REFERENCE, POST_EDITS, LEFT_OUT = "output", "reference", "post-edits", "out"
ROLES = (
    (OUTPUT, "outputs of a system"),
    (REFERENCE, "a reference translation"),
    (POST_EDITS, "post-edits of the proposals next to them"),
    (LEFT_OUT, "leave them out"),
)
# Of ITS 2.0 (W3C 2013, 8.17) the severity is a number from 0 to 100.
SEVERITIES = {"neutral": 0, "minor": 25, "major": 75, "critical": 100}
ISSUE = "locQualityIssue"
TEXTUAL = {"g", "pc", "mrk", "hi", "seg"}  # whose content is text; others are codes of a document
STRAY = "create table post_edit (segment integer, system text, text text, file text, row integer)"


class InlineText(NamedTuple):
    """The text of a source or target. issues: (start, end, attributes) of what is marked."""

    text: str
    issues: Sequence[tuple[int, int, Mapping[str, str]]] = ()
    n_codes: int = 0


@dataclass(frozen=True)
class BilingualUnit:
    """A segment. target: None where it is not translated. proposal: what it was edited from. said:
    our own attributes around it, by their names."""

    row: int
    document: str
    key: str
    source: InlineText
    target: InlineText | None
    proposal: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    score: str = ""


@dataclass(frozen=True)
class FileUse:
    """What a person takes the targets of a file for, and whose they are. is_judged: whether an
    issue is marked anywhere in it: then what has none was judged, too."""

    role: str
    name: str
    is_judged: bool = False


def inline_text(node: Element) -> InlineText:
    """Return what a reader sees of an element, and the issues marked in it and on it."""
    pieces: list[str] = []
    issues: list[tuple[int, int, Mapping[str, str]]] = []
    open_marks: dict[str, tuple[int, Mapping[str, str]]] = {}
    at = n_codes = 0

    def take(text: str | None) -> None:
        nonlocal at
        pieces.append(text or "")
        at += len(text or "")

    def walk(element: Element) -> None:  # as deep as `xml_reading` lets elements be
        nonlocal n_codes
        start = at
        take(element.text)
        for child in element:
            if child.tag in TEXTUAL:
                walk(child)
            elif child.tag == "sm":
                open_marks[child.get("id", "")] = at, child.attrib
            elif child.tag == "em":
                if begun := open_marks.pop(child.get("startRef", ""), None):
                    issues.append((begun[0], at, begun[1]))
            elif child.tag == "cp":
                take(character(child.get("hex", "")))
            else:
                n_codes += 1
            take(child.tail)
        issues.append((start, at, element.attrib))

    walk(node)
    found = [each for each in issues if any(name.startswith(ISSUE) for name in each[2])]
    return InlineText("".join(pieces), sorted(found, key=lambda each: each[:2]), n_codes)


def character(code: str) -> str:
    """Return what XML cannot hold, by its code; "" for what is none."""
    try:
        found = chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    return "" if found == "\0" or "\ud800" <= found <= "\udfff" else found


def severity_of(said: Mapping[str, str]) -> str:
    """Ours as it stands, else by the number of ITS; "" where there is none."""
    if ours := said.get("mteval:severity", ""):
        return ours
    try:
        number = float(said.get("locQualityIssueSeverity", ""))
    except ValueError:
        return ""
    known = [word for word, least in (("critical", 100), ("major", 50)) if number >= least]
    return known[0] if known else "minor" if number > 0 else "neutral"


class BilingualTable(MarkedTable):
    """The files of one language pair, read into one store: segments by document and key."""

    def __init__(self, files: Sequence[ReleaseFile], problems: Problems) -> None:
        super().__init__(files[0], MarkedColumns(()), problems)
        self.store.rows.execute(STRAY)
        self.counts: dict[str, int] = {}
        self.is_judged = False
        self.first = files[0]

    def add(self, file: ReleaseFile, units: Iterable[BilingualUnit], use: FileUse) -> None:
        self.file = file
        for unit in units:
            try:
                self.add_unit(unit, use)
            except ImportProblem as problem:
                self.problems.add(problem)

    def count(self, what: str, n: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + n

    def add_unit(self, unit: BilingualUnit, use: FileUse) -> None:
        for side in (unit.source, unit.target or unit.source):
            if problem := problem_with_text(side.text):
                raise self.problem(unit.row, "", problem)
        if is_blank(unit.source.text):
            self.count("segments without a source, left out")
            return
        document = self.name(unit.row, "document", unit.document or THE_DOCUMENT, LONGEST_NAME)
        key = self.name(unit.row, "id", unit.key, LONGEST_NAME)
        segment = self.store.segment(document, "", key, unit.row)
        source = self.store.reading(segment, SOURCE, unit.source.text)
        self.count("inline codes, left out", unit.source.n_codes)
        if name := unit.said.get("reference"):
            use = replace(use, role=REFERENCE, name=name)
        elif name := unit.said.get("system"):
            use = replace(use, role=OUTPUT, name=name)
        if unit.target is None:
            self.count("segments without a target")
        elif use.role == REFERENCE:
            name = self.name(unit.row, "reference", use.name, LONGEST_REFERENCE_NAME)
            if not is_blank(unit.target.text):
                self.store.reference(segment, name, unit.target.text)
        elif use.role != LEFT_OUT:
            system = self.name(unit.row, "system", use.name, LONGEST_SYSTEM_NAME)
            self.count("inline codes, left out", unit.target.n_codes)
            if use.role == OUTPUT:
                self.add_output(unit, unit.target, segment, replace(use, name=system), source)
            elif unit.proposal:
                self.store.reading(segment, system, unit.proposal)
                row = (segment, system, unit.target.text, self.file.path, unit.row)
                self.store.rows.execute("insert into post_edit values (?, ?, ?, ?, ?)", row)
            else:
                self.count("targets without a proposal next to them, left out")

    def add_output(
        self, unit: BilingualUnit, target: InlineText, segment: int, use: FileUse, source: int
    ) -> None:
        text = "" if is_blank(target.text) else target.text
        reading = self.store.reading(segment, use.name, text)
        sides = (("source", unit.source, source), ("target", target, reading))
        errors = [(side, read, each) for side, found, read in sides for each in found.issues]
        rater = unit.said.get("annotator", "")
        if not (use.is_judged or rater):
            return
        if not (errors or rater):
            self.count("segments without an issue, taken for judged without an error")
        self.is_judged = True
        judgment = self.store.judgment(
            segment,
            use.name,
            rater or RATER,
            unit.said.get("repeat", ""),
            unit.row,
            submitted=self.time(unit.row, unit.said.get("timestamp")),
            active=None,
            score=self.score(unit.row, {"score": number(unit.score)}),
        )
        for side, read, (start, end, said) in errors:
            severity = severity_of(said)
            if not severity:
                severity = "minor"
                self.count("errors without a severity, taken for minor ones")
            category = said.get("mteval:category", said.get("locQualityIssueType", ""))
            if said.get("locQualityIssueComment"):
                self.count("comments on errors, left out")
            self.meet(unit.row, severity, category)
            if start == end or not text:
                side, start, end = "missing", 0, 0
            self.store.error(judgment, read, unit.row, Error(side, start, end, severity, category))

    def post_edits(self) -> Iterator[OutputText]:
        keys = self.store.keys()
        rows = self.store.rows.execute("select * from post_edit order by rowid").fetchall()
        for segment, system, text, file, row in rows:
            yield OutputText(file, row, system, keys[segment], text, THE_SET)

    def finished(self, source: str, target: str) -> Release:
        self.settle()
        self.file = self.first
        release = self.release(source, target)
        if not self.is_judged:
            release.judgments = []
        [[n]] = self.store.rows.execute("select count(*) from post_edit").fetchall()
        if n:
            release.texts = [replace(release.texts[0], post_edits=self.post_edits)]
        return release

    def notes(self) -> list[str]:
        [[n]] = self.store.rows.execute(
            "select count(*) from (select 1 from reading group by segment, system"
            " having count(*) > 1)"
        ).fetchall()
        self.count("different texts of units with the same id; the most common one counts", n)
        named = self.first.path
        return [f"{named}: {what}: {n:,}." for what, n in self.counts.items() if n]


def number(text: str) -> float | None:
    """Raise ImportProblem later, as NaN, for what is no number."""
    try:
        return float(text) if text else None
    except ValueError:
        return float("nan")


def use_of(file: ReleaseFile, default: FileUse, answers: Answers, release: Release) -> FileUse:
    """Ask what the targets of a file are; what is known so far counts."""
    role, name = f"role:{file.path}", f"name:{file.path}"
    release.questions.append(
        OpenQuestion(role, f"The targets of {file.path} are", "", ROLES, default.role)
    )
    label = f"Name of the system or reference of {file.name}"
    release.questions.append(OpenQuestion(name, label, "", (), default.name, required=False))
    return replace(
        default,
        role=answers.get(role) or default.role,
        name=answers.get(name, "").strip() or default.name,
    )
