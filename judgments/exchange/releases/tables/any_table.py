"""Any tables of judgments and texts: the last resort, which guesses and asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from judgments.files.problem import ImportProblem
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import ReleaseFile
from judgments.protocols import preset_named

from ..format import Answers, Format
from ..language_answers import language_questions, languages_of
from ..languages import language_code
from ..records import JudgmentsPart, OpenQuestion, Problems, Release, TextsPart
from ..segment_keys import keys_of
from .columns import Meaning, is_useful, meaning_of, questions_about
from .sources import kind_of, tables_of
from .table_judgments import ColumnSurvey, JudgmentTables, scale_of, survey_of
from .table_texts import TextTables

PAIR = re.compile(r"(?<![a-z])([a-z]{2,3})-([a-z]{2,3})(?![a-z])")
SCALES = ("open", "0-100", "1-5", "1-7", "0-6", "1-4", "0-1")
NAMES = (".tsv", ".csv", ".jsonl")
UNKNOWN = "und"  # BCP 47: a language that nobody named


@dataclass
class TableGroup:
    """Tables that belong together: their files name the same language pair, or none."""

    pair: str
    texts: list[Meaning] = field(default_factory=list)
    judgments: list[Meaning] = field(default_factory=list)

    def languages_in(self) -> list[str]:
        """The language pairs that a column names, where there are several."""
        found: dict[str, None] = {}
        for each in (*self.judgments, *self.texts):
            if column := each.column("pair"):
                rows = each.table.read(Problems())
                found |= dict.fromkeys(row.get(column) for row in rows if row.get(column))
        return list(found)


class AnyTable(Format):
    slug = "tables"
    name = "Any tables"
    holds = "judgments and texts as TSV, CSV, JSON lines, XLSX, DOCX or Parquet, by any columns"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        found = []
        for file in files:
            kind = kind_of(file)
            known = kind and file.name.lower().endswith(NAMES)
            if known or kind in ("xlsx", "docx", "parquet") or is_telling(file, kind):
                found.append(file)
        return found

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        every = [meaning_of(table, answers) for file in files for table in tables_of(file)]
        if not every:
            reason = "there is no table in it, not even a header."
            raise ImportProblem(", ".join(file.name for file in files), None, "", reason)
        release.questions += questions_about(every)
        useful = []
        for each in every:
            if is_useful(each):
                useful.append(each)
            else:
                note = f"{each.table.file} was left out: its columns are neither of texts nor of "
                release.notes.append(f"{note}judgments.")
        if not useful:
            return release
        for group in groups_of(useful):
            pairs = group.languages_in()
            for pair in pairs if len(pairs) > 1 else [""]:
                TableReader(group, pair, answers, problems, release).read(pairs)
        ask_once(release)
        return release


def is_telling(file: ReleaseFile, kind: str) -> bool:
    """Whether a file with another ending has a header that speaks of texts or judgments."""
    if not kind:
        return False
    try:
        return any(is_useful(meaning_of(table, {})) for table in tables_of(file))
    except ImportProblem:
        return False


def groups_of(tables: Sequence[Meaning]) -> list[TableGroup]:
    found: dict[str, TableGroup] = {}
    for each in tables:
        match = PAIR.search(each.table.file)
        pair = match.group() if match else ""
        group = found.setdefault(pair, TableGroup(pair))
        if each.shape:
            group.judgments.append(each)
        if each.holds_sources or each.holds_outputs:
            group.texts.append(each)
    return list(found.values())


def ask_once(release: Release) -> None:
    known: dict[str, OpenQuestion] = {}
    for question in release.questions:
        known.setdefault(question.name, question)
    release.questions = list(known.values())


class TableReader:
    """Reads one language pair of one group of tables. pair: as a column names it, where there are
    several."""

    def __init__(
        self,
        group: TableGroup,
        pair: str,
        answers: Mapping[str, str],
        problems: Problems,
        release: Release,
    ) -> None:
        self.group = group
        self.pair = pair
        self.answers = answers
        self.problems = problems
        self.release = release
        self.system = self.one_system()

    def one_system(self) -> str:
        """What the outputs are called where no column says it."""
        judged = [each for each in self.group.judgments if each.shape != "preferences"]
        with_outputs = [each for each in self.group.texts if each.has("text")]
        if all(each.has("system") for each in (*judged, *with_outputs)):
            return ""
        return self.ask("system", "Name of the system", "system")

    def ask(self, name: str, label: str, default: str, **more: Any) -> str:
        """The answer to a question, or what is taken without one."""
        question = OpenQuestion(name, label, default=default, required=False, **more)
        self.release.questions.append(question)
        return self.answers.get(name) or default

    def read(self, named: Sequence[str]) -> None:
        pair = self.group.pair or self.pair or (named[0] if len(named) == 1 else "")
        source, target = self.languages(pair)
        name = self.name()
        shift = self.shift()
        key = f"{name} {self.group.pair} {self.pair}"
        has_texts = any(each.has("source") for each in self.group.texts)
        campaigns = self.campaigns(shift)
        if has_texts:
            segments = partial(self.segments, shift)
        else:
            screens = [campaign.screens for campaign in campaigns]
            segments = partial(keys_of, lambda problems: every(screens, problems))
            if not campaigns:
                tables = ", ".join(each.table.file for each in self.group.texts)
                note = f"{tables}: without a table of sources, outputs cannot be read."
                self.release.notes.append(note)
                return
        self.release.texts.append(TextsPart(key, name, source, target, segments, has_texts))
        for campaign in campaigns:
            self.add(campaign, key, name, len(campaigns) > 1)

    def languages(self, pair: str) -> tuple[str, str]:
        """As the pair in the file's name or a column says; a person says the others."""
        known = pair.split("-") if pair.count("-") == 1 else ["", ""]
        found, answers = [], {}
        questions = language_questions(UNKNOWN, UNKNOWN)
        roles = ("source_language", "target_language")
        for role, told, question in zip(roles, known, questions, strict=True):
            cell = next((self.first_cell(each, role) for each in self.group.texts), "")
            cell = cell or next((self.first_cell(each, role) for each in self.group.judgments), "")
            found.append(language_code(told or cell))
            if not found[-1]:
                self.release.questions.append(question)
                answers[question.name] = self.answers.get(question.name) or UNKNOWN
        return languages_of(answers, *found)

    @staticmethod
    def first_cell(each: Meaning, role: str) -> str:
        column = each.column(role)
        row = next(each.table.read(Problems()), None) if column else None
        return row.get(column) if row else ""

    def name(self) -> str:
        table = (self.group.judgments or self.group.texts)[0].table
        stem = PurePosixPath(table.name).name
        default = f"{stem} {self.pair}" if self.pair else stem
        return self.ask("name", "Name of the test set and the campaign", default)

    def shift(self) -> int:
        """Numbers of segments that begin at 0 meet those of other files when 1 is added."""
        lowest = None
        for each in (*self.group.judgments, *self.group.texts):
            column = each.column("segment")
            for row in each.table.read(Problems()) if column else ():
                if not row.get(column).isdecimal():
                    return 0
                number = int(row.get(column))
                lowest = number if lowest is None else min(lowest, number)
        if lowest != 0:
            return 0
        words = (("0", "as they are, from 0"), ("1", "from 1, as other files of WMT do"))
        label = "Segments are counted from 0. Count them"
        return 1 if self.ask("count_from", label, "0", choices=words) == "1" else 0

    def segments(self, shift: int) -> Iterator[SegmentTexts]:
        tables = TextTables(self.group.texts, self.system, shift, self.pair)
        return tables.segments(self.problems)

    def campaigns(self, shift: int) -> list[JudgmentTables]:
        """Ratings and errors of one export are one campaign; any other table is its own."""
        shapes = [each.shape for each in self.group.judgments]
        if sorted(shapes) == ["errors", "ratings"]:
            tables = sorted(self.group.judgments, key=lambda each: each.shape, reverse=True)
            return [JudgmentTables(tables, shift, self.pair, self.system)]
        return [
            JudgmentTables([each], shift, self.pair, self.system) for each in self.group.judgments
        ]

    def add(self, campaign: JudgmentTables, key: str, name: str, several: bool) -> None:
        found = survey_of(campaign.screens(Problems()))
        shape = campaign.tables[0].shape
        if several:
            name = f"{name} {campaign.tables[0].table.name}"
        preset, options = self.options(campaign, shape, found)
        part = JudgmentsPart(name, key, preset, partial(campaign.screens, self.problems), options)
        self.release.judgments.append(part)
        if shape == "errors":
            note = "Only translations with errors are in the table, so those without are missing."
            self.release.notes.append(note)

    def options(
        self, campaign: JudgmentTables, shape: str, found: ColumnSurvey
    ) -> tuple[str, dict[str, Any]]:
        """The preset of a campaign and its options."""
        if shape == "ranks":
            most = max(2, found.most_outputs, found.most_rank)
            preset = "partial-ranking" if found.leaves_out else "relative-ranking"
            return preset, {"outputs_per_item": most, "may_leave_out": found.leaves_out}
        if shape == "preferences":
            return "pairwise", {}
        if campaign.asks_errors:
            weights = dict.fromkeys(sorted(found.severities or ()), 1.0)
            known = preset_named("released-errors").options["weights"]
            weights |= dict(known)
            score = "esa" in (found.whole or {})
            return "released-errors", {
                "weights": weights,
                "categories": sorted(found.categories or ()),
                "score": score,
                "outputs_per_item": 1,
            }
        dimensions = []
        for slug, is_whole in (found.whole or {}).items():
            choices = [(each, each.replace("-", " to ")) for each in SCALES]
            answer = self.ask(f"scale:{slug}", f"Scale of {slug}", "open", choices=choices)
            try:
                dimensions.append(scale_of(slug, answer, is_whole))
            except ValueError as error:
                raise ImportProblem(f"scale:{slug}", None, "", str(error)) from None
        options: dict[str, Any] = {
            "dimensions": dimensions,
            "outputs_per_item": found.most_outputs,
        }
        return "custom-rating", options | ({"are_means": True} if shape == "means" else {})


def every(screens: Sequence[Any], problems: Problems) -> Iterator[Any]:
    for each in screens:
        yield from each(problems)
