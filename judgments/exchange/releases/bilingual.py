"""Files of translation tools, with pairs of source and target (`xliff`, `tmx`) → texts, post-edits
and marked errors. The files do not say whose translations they are, so each file has a question
about that."""

from __future__ import annotations

import re
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
# The severity in ITS 2.0 (W3C 2013, 8.17) is a number from 0 to 100.
SEVERITIES = {"neutral": 0, "minor": 25, "major": 75, "critical": 100}
ISSUE = "locQualityIssue"
UNJUDGED = "errors, scores and comments on texts that nobody judges here, left out"
TEXTUAL = {"g", "pc", "mrk", "hi", "seg"}  # whose content is text; others are codes of a document
OFFSET = re.compile("[0-9]{1,9}")
STRAY = "create table post_edit (segment integer, system text, text text, file text, row integer)"


Marks = Sequence[tuple[int, int, Mapping[str, str]]]  # (start, end, attributes)


class InlineText(NamedTuple):
    """The text of a source or target, with the marks of its issues and comments."""

    text: str
    issues: Marks = ()
    n_codes: int = 0
    comments: Marks = ()


@dataclass(frozen=True)
class BilingualUnit:
    """A segment. target: None if it is not translated. proposal: the text that was edited. said:
    our own attributes around it, by name. notes: on the whole, each with its attributes.
    n_proposals: of its whole unit, 0 for later parts of it."""

    row: int
    document: str
    key: str
    source: InlineText
    target: InlineText | None
    proposal: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    score: str = ""
    notes: Sequence[tuple[str, Mapping[str, str]]] = ()
    n_proposals: int = 0

    @property
    def n_said(self) -> int:
        """The number of things that somebody has said about it."""
        sides = [side for side in (self.source, self.target) if side]
        n_marks = sum(len(side.issues) + len(side.comments) for side in sides)
        return n_marks + len(self.notes) + bool(self.score)


@dataclass(frozen=True)
class FileUse:
    """The role of a file's targets, as chosen by a person, and their owner. is_judged: whether an
    issue is marked anywhere in it: then segments without one were judged, too."""

    role: str
    name: str
    is_judged: bool = False


def inline_text(node: Element) -> InlineText:
    """Return the visible text of an element, and the issues marked in it and on it."""
    pieces: list[str] = []
    issues: list[tuple[int, int, Mapping[str, str]]] = []
    open_marks: dict[str, tuple[int, Mapping[str, str]]] = {}
    at = n_codes = 0

    def take(text: str | None) -> None:
        nonlocal at
        pieces.append(text or "")
        at += len(text or "")

    def walk(element: Element) -> None:  # as deep as `xml_reading` allows
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
    issues += [(start, at, said) for start, said in open_marks.values()]  # end in a later segment
    issues.sort(key=lambda each: each[:2])
    found = [each for each in issues if any(name.startswith(ISSUE) for name in each[2])]
    comments = [each for each in issues if "comment" in (*each[2], each[2].get("type"))]
    return InlineText("".join(pieces), found, n_codes, comments)


def character(code: str) -> str:
    """Return a character that XML cannot contain, from its code; "" for an invalid code."""
    try:
        found = chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    return "" if found == "\0" or "\ud800" <= found <= "\udfff" else found


def severity_of(said: Mapping[str, str]) -> str:
    """Return our own severity unchanged, otherwise one from the number of ITS."""
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
        is_judged = use.role == OUTPUT and bool(use.is_judged or unit.said.get("annotator"))
        if not is_judged or unit.target is None:
            self.count(UNJUDGED, unit.n_said)
        is_edited = use.role == POST_EDITS and bool(unit.proposal and unit.target)
        self.count("proposals, left out", unit.n_proposals - is_edited)
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
                text = "" if is_blank(unit.target.text) else unit.target.text
                reading = self.store.reading(segment, system, text)
                if is_judged:
                    self.add_judgment(unit, unit.target, (segment, system), (source, reading))
            elif unit.proposal:
                self.store.reading(segment, system, unit.proposal)
                row = (segment, system, unit.target.text, self.file.path, unit.row)
                self.store.rows.execute("insert into post_edit values (?, ?, ?, ?, ?)", row)
            else:
                self.count("targets without a proposal next to them, left out")

    def add_judgment(
        self,
        unit: BilingualUnit,
        target: InlineText,
        about: tuple[int, str],
        readings: tuple[int, int],
    ) -> None:
        """Add what somebody said about an output. about: its segment and system; readings: of
        source and target."""
        sides = [("source", unit.source, readings[0]), ("target", target, readings[1])]
        rater, said = unit.said.get("annotator", ""), unit.said
        if not (rater or unit.source.issues or target.issues):
            self.count("segments without an issue, taken for judged without an error")
        self.is_judged = True
        judgment = self.store.judgment(
            *about,
            rater or RATER,
            said.get("repeat", ""),
            unit.row,
            started=self.time(unit.row, said.get("started")),
            submitted=self.time(unit.row, said.get("timestamp")),
            active=self.active(unit.row, said.get("active", ""), {}),
            score=self.score(unit.row, {"score": number(unit.score)}),
        )
        for side, text, reading in sides:
            for start, end, marked in text.issues:
                if marked.get(f"{ISSUE}Enabled") == "no":
                    self.count("issues that are not enabled, left out")
                    continue
                no_place = start == end or is_blank(target.text)
                place = ("missing", 0, 0) if no_place else (side, start, end)
                error = self.error(unit.row, place, marked)
                self.store.error(judgment, reading, unit.row, error)
            for start, end, marked in text.comments:
                remark = Error(side, start, end, "", "", marked["comment"])
                self.store.error(judgment, reading, unit.row, remark)
        for comment, marked in unit.notes:
            side, start, end = place_of(marked)
            reading = readings[side != "source"]
            self.store.error(judgment, reading, unit.row, Error(side, start, end, "", "", comment))

    def error(self, row: int, place: tuple[str, int, int], said: Mapping[str, str]) -> Error:
        severity = severity_of(said)
        if not severity:
            severity = "minor"
            self.count("errors without a severity, taken for minor ones")
        category = said.get("mteval:category", said.get(f"{ISSUE}Type", ""))
        self.meet(row, severity, category)
        return Error(*place, severity, category, said.get(f"{ISSUE}Comment", ""))

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
        found = [f"{what}: {n:,}" for what, n in self.counts.items() if n]
        if self.unread:
            found.append(self.what_is_unread("elements and attributes"))
        return [f"{self.first.path}: {each}." for each in found]


def place_of(said: Mapping[str, str]) -> tuple[str, int, int]:
    """Return side, start and end of the words that a note of ours is about; "" if about the
    whole."""
    side, *place = (said.get(f"mteval:{name}", "") for name in ("side", "start", "end"))
    if side not in ("source", "target") or not all(map(OFFSET.fullmatch, place)):
        return "", 0, 0
    return side, int(place[0]), int(place[1])


def number(text: str) -> float | None:
    """Return a number; NaN for invalid text, which later raises ImportProblem."""
    try:
        return float(text) if text else None
    except ValueError:
        return float("nan")


def use_of(file: ReleaseFile, default: FileUse, answers: Answers, release: Release) -> FileUse:
    """Return the role of the targets of a file from an answer, and add the question to the release;
    the default is what is known so far."""
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
