"""Any tables of judgments and texts: the last resort, which guesses and asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import LONGEST_FIGURE, is_figure
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import ReleaseFile
from judgments.protocols import preset_named

from ..format import Answers, Format
from ..language_answers import language_questions, languages_of
from ..languages import KNOWN, PAIR_OF_CODES, PAIRS, WORD, language_code
from ..records import JudgmentsPart, OpenQuestion, Problems, Published, Release, TextsPart
from ..segment_keys import keys_of
from ..survey import n_of
from .columns import BETWEEN, LANGUAGES, Meaning, meaning_of, questions_about
from .recipes import TableRecipe, is_recipe, recipes_of
from .source_table import SourceTable
from .sources import first_cells, kind_of, side_by_side, tables_if_any, tables_of
from .table_judgments import TIES, ColumnSurvey, JudgmentTables, scale_of, survey_of
from .table_texts import TextTables

SCALES = ("open", "0-100", "1-5", "1-7", "0-6", "1-4", "0-1")
NAMES = (".tsv", ".csv", ".jsonl")
UNKNOWN = "und"  # BCP 47: an unknown language


@dataclass
class TableGroup:
    """Tables that belong together: their files name the same language pair, or none. recipes: those
    used for some of the tables."""

    pair: str
    texts: list[Meaning] = field(default_factory=list)
    judgments: list[Meaning] = field(default_factory=list)
    recipes: dict[str, TableRecipe] = field(default_factory=dict)  # by the files of tables

    def languages_in(self) -> list[str]:
        """Return the language pairs in a column, if there are several."""
        found: dict[str, None] = {}
        for each in (*self.judgments, *self.texts):
            found |= each.pairs()
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

    def understood(
        self, files: Sequence[ReleaseFile], answers: Answers
    ) -> Iterator[tuple[Meaning, str, TableRecipe | None]]:
        """Yield (table with the meaning of its columns, path of its file, recipe) of every
        table."""
        for file in files:
            for table in tables_of(file):
                yield meaning_of(table, answers), file.path, None

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        every = list(self.understood(files, answers))
        if not every:
            reason = "there is no table in it, not even a header."
            raise ImportProblem(", ".join(file.name for file in files), None, "", reason)
        release.questions += questions_about([each for each, _, _ in every])
        for each, _, recipe in every:
            release.recipe.append({**(recipe.fields if recipe else {}), "columns": each.meanings})
            if recipe:
                release.notes.append(f"{each.table.file} was read by the recipe “{recipe.name}”.")
            if not each.is_useful:
                reason = "its columns are neither of texts nor of judgments, as far as is known."
                if each.has("metric"):
                    reason = (
                        "it contains scores of metrics: add them on the page Automatic metrics "
                        "of their test set."
                    )
                elif each.has("document"):
                    reason = (
                        "it only names documents: upload it with the texts, in a folder metadata."
                    )
                release.notes.append(f"{each.table.file} was left out: {reason}")
        for group in groups_of([row for row in every if row[0].is_useful]):
            pairs = group.languages_in()
            for pair in pairs if len(pairs) > 1 else [""]:
                TableReader(group, pair, answers, problems, release).read(pairs)
        ask_once(release)
        return release


class RecipeTables(AnyTable):
    slug = "recipes"
    name = "Tables with a recipe"
    holds = "tables of known columns: MLQE-PE, Läubli et al., Toral et al., means of DA, your own"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        recipes = recipes_of(files)
        found = {file for file in files if is_recipe(file) or recipe_for(file, recipes)[0]}
        for recipe in recipes:
            for some in recipe.side_by_side(files):
                found.update(some.values())
        return [file for file in files if file in found]

    def understood(
        self, files: Sequence[ReleaseFile], answers: Answers
    ) -> Iterator[tuple[Meaning, str, TableRecipe | None]]:
        recipes = recipes_of(files)
        for recipe in recipes:
            for some in recipe.side_by_side(files):
                path = next(iter(some.values())).path
                yield meaning_of(side_by_side(some), answers, recipe.columns), path, recipe
        for file in files:
            first, tables = recipe_for(file, recipes)
            for table in tables:
                known = next((each for each in recipes if each.fits(table.columns)), first)
                assert known is not None
                yield meaning_of(table, answers, known.columns), file.path, known


def recipe_for(
    file: ReleaseFile, recipes: Sequence[TableRecipe]
) -> tuple[TableRecipe | None, list[SourceTable]]:
    """Return the recipe of the first table of a file that has one, and all tables that have one."""
    try:
        if kind_of(file) in ("xlsx", "parquet", "jsonl"):
            tables = tables_of(file)
            fitting = [(r, table) for table in tables for r in recipes if r.fits(table.columns)]
            return (fitting[0][0] if fitting else None), [table for _, table in fitting]
        cells = first_cells(file)
        found = next((each for each in recipes if cells and each.fits(cells)), None)
        return found, tables_of(file, found.header) if found else []
    except ImportProblem:
        return None, []


def is_telling(file: ReleaseFile, kind: str) -> bool:
    """Return whether a file with another extension has a header about texts or judgments."""
    return bool(kind) and any(meaning_of(table, {}).is_useful for table in tables_if_any(file))


def groups_of(tables: Sequence[tuple[Meaning, str, TableRecipe | None]]) -> list[TableGroup]:
    """Return groups of tables: tables of one language pair form a group. A table with texts and
    judgments needs no other, and forms its own group if there are several of them."""
    found: dict[str, TableGroup] = {}
    for each, path, recipe in tables:
        pair = pair_in(path) or pair_in(each.table.file)
        alone = each.shape and each.holds_sources and each.holds_outputs
        group = found.setdefault(f"{pair} {path if alone else ''}", TableGroup(pair))
        if each.shape:
            group.judgments.append(each)
        if each.holds_sources or each.holds_outputs:
            group.texts.append(each)
        if recipe:
            group.recipes[each.table.file] = recipe
    return list(found.values())


def pair_in(path: str) -> str:
    """Return the language pair in the name of a file or a folder: `de-en`, or `deen`."""
    for part in reversed(path.split("/")):
        if found := PAIR_OF_CODES.findall(part):  # ad-raw-scores.cs-en.csv has two
            return "-".join(next((pair for pair in found if set(pair) <= KNOWN), found[0]))
        for word in WORD.findall(part):
            if word in PAIRS:
                return f"{word[:2]}-{word[2:]}"
    return ""


def ask_once(release: Release) -> None:
    known: dict[str, OpenQuestion] = {}
    for question in release.questions:
        known.setdefault(question.name, question)
    release.questions = list(known.values())


class TableReader:
    """Reads one language pair of one group of tables. pair: the value of a column, if there are
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
        self.given: dict[str, str] = {}  # answers of recipes
        for recipe in group.recipes.values():
            self.given |= recipe.answers
        self.system = self.one_system()

    def one_system(self) -> str:
        """Return the name of the system of outputs that no column names."""
        paired = ("preferences", "ranked pairs")
        judged = [each for each in self.group.judgments if each.shape not in paired]
        with_outputs = [each for each in self.group.texts if each.has("text")]
        if all(each.has("system") for each in (*judged, *with_outputs)):
            return ""
        return self.ask("system", "Name of the system", "system")

    def ask(self, name: str, label: str, default: str, **more: Any) -> str:
        """Return the answer to a question, or its default."""
        default = self.given.get(name, default)
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
        """Return the languages from the pair in the file's name or a column; others are asked
        for."""
        between = BETWEEN if BETWEEN in pair else "-"
        known = pair.split(between) if pair.count(between) == 1 else ["", ""]
        found, answers = [], {}
        questions = language_questions(UNKNOWN, UNKNOWN)
        for role, given, question in zip(LANGUAGES, known, questions, strict=True):
            cell = next((self.first_cell(each, role) for each in self.group.texts), "")
            cell = cell or next((self.first_cell(each, role) for each in self.group.judgments), "")
            found.append(language_code(given or cell))
            if not found[-1]:
                taken = self.given.get(question.name, UNKNOWN)
                self.release.questions.append(replace(question, default=taken))
                answers[question.name] = self.answers.get(question.name) or taken
        return languages_of(answers, *found)

    def first_cell(self, each: Meaning, role: str) -> str:
        self.problems.seen(each.table.file, each.table.columns).add(each.column(role))
        return next(each.cells(role), "") if each.has(role) else ""

    def name(self) -> str:
        table = (self.group.judgments or self.group.texts)[0].table
        stem = PurePosixPath(table.name).name
        default = f"{stem} {self.pair.replace(BETWEEN, '-')}" if self.pair else stem
        return self.ask("name", "Name of the test set and the campaign", default)

    def shift(self) -> int:
        """Return the number to add to the numbers of segments: 1 makes numbers from 0 agree with
        those of other files."""
        lowest = None
        for each in (*self.group.judgments, *self.group.texts):
            for cell in each.cells("segment") if each.has("segment") else ():
                if not cell.isdecimal():
                    return 0
                lowest = int(cell) if lowest is None else min(lowest, int(cell))
        if lowest != 0:
            return 0
        words = (("0", "as they are, from 0"), ("1", "from 1, as other files of WMT do"))
        label = "Segments are counted from 0. Count them"
        return 1 if self.ask("count_from", label, "0", choices=words) == "1" else 0

    def segments(self, shift: int) -> Iterator[SegmentTexts]:
        tables = TextTables(self.group.texts, self.system, shift, self.pair)
        return tables.segments(self.problems)

    def campaigns(self, shift: int) -> list[JudgmentTables]:
        """Return the campaigns: ratings and errors of one export form one; any other table is its
        own, or one for each combination of cells that distinguish campaigns."""
        shapes = [each.shape for each in self.group.judgments]
        if sorted(shapes) == ["errors", "ratings"]:
            tables = sorted(self.group.judgments, key=lambda each: each.shape, reverse=True)
            return [JudgmentTables(tables, shift, self.pair, self.system)]
        found = []
        for each in self.group.judgments:
            recipe = self.group.recipes.get(each.table.file)
            values = recipe.values if recipe else {}
            sides = sides_of(each)
            for part in parts_of(each):
                campaign = JudgmentTables(
                    [each], shift, self.pair, self.system, part, sides, values
                )
                found.append(campaign)
        return found

    def add(self, campaign: JudgmentTables, key: str, name: str, several: bool) -> None:
        found = survey_of(campaign.screens(Problems()))
        shape = campaign.tables[0].shape
        if several or campaign.part:
            name = " ".join([name, *(campaign.part or [campaign.tables[0].table.name])])
        preset, options = self.options(campaign, shape, found)
        screens = partial(campaign.screens, self.problems)
        published = list(self.published(campaign))
        self.release.judgments.append(
            JudgmentsPart(name, key, preset, screens, options, published=published)
        )
        if shape == "errors":
            note = "Only translations with errors are in the table, so those without are missing."
            self.release.notes.append(note)

    def published(self, campaign: JudgmentTables) -> Iterator[Published]:
        """Yield figures in the same table as the judgments."""
        for each in campaign.tables:
            odd = Counter[str]()
            self.problems.seen(each.table.file, each.table.columns).update(each.published)
            for row in campaign.rows(each, Problems()) if each.published else ():
                try:
                    ((system, *_), *_) = campaign.systems(row)
                    segment = campaign.segment(row)
                except ImportProblem:
                    continue  # reported with the judgments
                for column, figure in each.published.items():
                    of = f"{system} in {segment}" if figure.startswith("segment") else system
                    cell = row.of_table.get(column)
                    if is_figure(cell):
                        yield Published(figure[:LONGEST_FIGURE], "", of, cell, each.table.file)
                    elif cell:
                        odd[column] += 1
            for column, n in odd.items():
                note = f"{n_of(n, 'cell')} of {each.table.file}, column {column}, left out"
                self.release.notes.append(f"{note}: not a number.")

    def options(
        self, campaign: JudgmentTables, shape: str, found: ColumnSurvey
    ) -> tuple[str, dict[str, Any]]:
        """Return the preset of a campaign and its options."""
        if shape in ("ranks", "ranked pairs"):
            most = max(2, found.most_outputs, found.most_rank)
            preset = "partial-ranking" if found.leaves_out else "relative-ranking"
            return preset, {"outputs_per_item": most, "may_leave_out": found.leaves_out}
        if shape == "preferences":
            return "pairwise", {}
        if campaign.asks_errors:
            weights = dict.fromkeys(sorted(found.severities), 1.0)
            weights |= preset_named("released-errors").options["weights"]
            return "released-errors", {
                "weights": weights,
                "categories": sorted(found.categories),
                "score": "esa" in found.whole,
                "outputs_per_item": 1,
            }
        dimensions = []
        for slug, is_whole in found.whole.items():
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


def parts_of(each: Meaning) -> list[tuple[str, ...]]:
    """Return the cells that distinguish campaigns, in the order of the table; an empty one if there
    are none."""
    if not each.parts:
        return [()]
    return list(dict.fromkeys(row.cells_of(each.parts) for row in each.rows(Problems())))


def sides_of(each: Meaning) -> tuple[str, ...]:
    """Return the two systems of which a column names the better one. Raise ImportProblem for any
    other number of systems."""
    if not each.has("better"):
        return ()
    cells = {cell.strip() for cell in each.cells("better")}
    found = sorted(cell for cell in cells if cell.lower() not in TIES)
    if len(found) != 2:
        names = shortened(", ".join(found))
        reason = f"it names {len(found)} systems ({names}), where a comparison has two."
        raise ImportProblem(each.table.file, None, each.column("better"), reason)
    return tuple(found)


def every(screens: Sequence[Any], problems: Problems) -> Iterator[Any]:
    for each in screens:
        yield from each(problems)
