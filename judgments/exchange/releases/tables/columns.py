"""Meanings of a table's columns: from a person, or else a recipe, or else their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judgments.files.problem import ImportProblem
from judgments.files.table import Row

from ..languages import language_code
from ..records import OpenQuestion, Problems
from .source_table import COUNT, SourceTable

# Names of columns, without case, spaces and punctuation; the most informative ones first.
ROLES: dict[str, tuple[str, ...]] = {
    "annotator": (
        *("annotator", "annotatorid", "worker", "workerid", "rater", "raterid", "judge", "judgeid"),
        *("login", "evaluator", "assessor", "linguist", "participant", "participantid"),
        *("username", "user"),
    ),
    "segment": (
        *("segment", "globalsegid", "segid", "segmentid", "sid", "line", "srcindex", "sentenceid"),
        *("sentence", "index"),
    ),
    "system": ("system", "systems", "systemid", "sysid", "systemname", "sys", "model", "engine"),
    "rank": ("rank",),
    "ranking": ("ranking", "rankingid"),
    "position": ("position",),
    "dimension": ("dimension", "criterion", "aspect"),
    "value": ("value",),
    "system_a": ("systema", "system1", "sysa", "system1id"),
    "system_b": ("systemb", "system2", "sysb", "system2id"),
    "rank_a": ("ranka", "system1rank"),
    "rank_b": ("rankb", "system2rank"),
    "preference": ("preference",),
    "better": ("better", "preferred", "winner"),
    "strength": ("strength",),
    "side": ("side",),
    "start": ("start", "begin"),
    "end": ("end",),
    "severity": ("severity",),
    "category": ("category",),
    "kind": ("kind", "type", "itemtype"),
    "control": ("control",),
    "shown": ("shown",),
    "item": ("item", "itemid"),
    "copied": ("copied",),
    "started": ("started", "starttime"),
    "submitted": ("submitted", "endtime"),
    "seconds": ("seconds",),
    "pair": ("lp", "languagepair", "langpair"),
    "source_language": ("sourcelanguage", "sourcelang", "srclang", "srclanguage"),
    "target_language": ("targetlanguage", "targetlang", "trglang", "tgtlang"),
    "source": ("source", "src", "sourcetext", "original"),
    "text": ("text", "output", "translation", "hypothesis", "mt", "target", "tgt", "outputtext"),
    "post_edit": ("postedit", "pe"),
    "document": ("document", "docid", "documentid", "doc"),
    "domain": ("domain", "genre"),
    "original_language": ("originallanguage",),
    "gloss": ("gloss", "sourcegloss"),
    "metric": ("metric", "metricname"),
}
# Meanings that several columns may have, each followed by a colon and a name.
REFERENCE, DONOR, OUTPUT = "reference", "donor", "output"
SCORE, SCORES = "score", "scores"
PUBLISHED, CAMPAIGN, UNUSED = "published", "campaign", "unused"
FIGURES = ("segment mean", "segment mean z", "system mean", "system mean z")
SYSTEM = "system:"
WORDS = {
    UNUSED: "not used",
    "annotator": "who judged",
    "segment": "which segment",
    "system": "which system",
    "source": "text of the source",
    "text": "text of the output",
    "post_edit": "post-edit of the output",
    "better": "the better system, or a tie",
    "metric": "automatic metric, whose scores are not judgments",
    "rank_a": "rank of system a",
    "rank_b": "rank of system b",
    "pair": "languages, such as de-en",
    REFERENCE: "text of a reference",
    DONOR: "system that a reference was made from",
    OUTPUT: "text of the output of the system that the column is called after",
    SCORE: "score",
    SCORES: "several scores in a cell, one of each rater",
    CAMPAIGN: "tells campaigns apart",
    **{f"{PUBLISHED}:{each}": f"published figure: {each}" for each in FIGURES},
}
LANGUAGES = ("source_language", "target_language")
BETWEEN = "---"  # the codes of two languages, as in eng_Latn---ces_Latn
TOKENIZED = re.compile(r"[ _.-]tok(?:eni[sz]ed)?$", re.IGNORECASE)
NAMED_REFERENCE = re.compile(r"(?:reference|ref)(?:[ :_.-]?[A-Za-z0-9]{0,2}|:.+)|[a-z]+_ref")
VALUES = {
    *("adequacy", "fluency", "believability", "comprehensibility", "acceptability", "meaning"),
    *("raw", "rawscore", "score", "rating", "quality", "da", "dascore", "sqm", "dasqm", "esa"),
    *("esascore", "mqm", "mqmscore", "z", "zscore"),
}
LIST = re.compile(r"\[\s*[-+.0-9eE]+(?:\s*,\s*[-+.0-9eE]+)*\s*,?\s*\]")
SLUG = re.compile("[^a-z0-9]+")
SHOWN = 3  # cells of a column shown with the question about its meaning


def plain(name: str) -> str:
    return SLUG.sub("", name.lower())


def slug_of(name: str) -> str:
    """Return the slug of a dimension: `adequacy_1_5` for `Adequacy (1-5)`."""
    slug = SLUG.sub("_", name.lower()).strip("_")[:40].strip("_") or "score"
    return slug if slug[0].isalpha() else f"score_{slug}"[:40]


@dataclass
class Meaning:
    """A table with the meaning of its columns. shape: "ranks", "ranked pairs", "preferences",
    "errors", "ratings" (a row for each dimension), "scores" (a column for each), "lists" (scores of
    several raters in a cell), "means" (scores of nobody), "" for texts only. meanings: of every
    column. roles: columns by meanings that only one column can have; values, lists: dimensions by
    their columns; references, outputs: columns by the names of the texts; donors: columns by the
    names of the references; published: figures by their columns;
    parts: columns whose cells distinguish campaigns; known: whether a recipe defines all of it."""

    table: SourceTable
    meanings: dict[str, str] = field(default_factory=dict)
    known: bool = False
    roles: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    donors: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    published: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    shape: str = ""

    def column(self, role: str) -> str:
        return self.roles.get(role, "")

    def has(self, *roles: str) -> bool:
        return all(role in self.roles for role in roles)

    def rows(self, problems: Problems, pair: str = "") -> Iterator[RoleRow]:
        """Yield rows. pair: only those of this language pair or of none."""
        for row in self.table.read(problems):
            found = RoleRow(self, row)
            if not pair or found.pair in ("", pair):
                yield found

    def cells(self, role: str) -> Iterator[str]:
        """Return the cells in the column of a role, ignoring problems with rows."""
        return (row.get(role) for row in self.rows(Problems()))

    def pairs(self) -> dict[str, None]:
        """Return the language pairs of the rows that name them, in order."""
        if not (self.has("pair") or self.has(*LANGUAGES)):
            return {}
        return dict.fromkeys(filter(None, (row.pair for row in self.rows(Problems()))))

    def again(self, number: int, cells: dict[str, str], problems: Problems) -> RoleRow:
        """Return a row that was stored temporarily."""
        return RoleRow(self, self.table.again(number, cells, problems))

    @property
    def holds_sources(self) -> bool:
        return self.has("source", "segment") or (
            self.has("source") and self.shape in ("", "lists", "means")
        )

    @property
    def holds_outputs(self) -> bool:
        return self.has("text") or bool(self.outputs)

    @property
    def is_useful(self) -> bool:
        """Whether anything can be read from the table with these meanings."""
        return bool(self.shape) or self.holds_sources or self.holds_outputs


class RoleRow(Row):
    """A row whose cells are accessed by the roles of their columns; a segment without a column is
    its place. of_table: the same row by columns."""

    __slots__ = ("meaning", "of_table")

    def __init__(self, meaning: Meaning, row: Row) -> None:
        super().__init__(row.file, row.number, row.cells)
        self.meaning = meaning
        self.of_table = row

    def has(self, *roles: str) -> bool:
        return self.meaning.has(*roles)

    @property
    def pair(self) -> str:
        """Its languages: of the column for both, or of one for each; "" without them."""
        if self.has("pair") or not self.has(*LANGUAGES):
            return self.get("pair")
        source, target = (language_code(self.get(role)) for role in LANGUAGES)
        return BETWEEN.join((source, target)) if source and target else ""

    def get(self, role: str) -> str:
        column = self.meaning.column(role) or (COUNT if role == "segment" else "")
        return self.of_table.get(column)

    def texts(self, columns: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Return (name, text) of columns by the names of their texts."""
        return ((name, self.of_table.get(column)) for name, column in columns.items())

    def cells_of(self, columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self.of_table.get, columns))

    def problem(self, role: str, reason: str) -> ImportProblem:
        return self.of_table.problem(self.meaning.column(role), reason)


def meaning_of(
    table: SourceTable, answers: Mapping[str, str], recipe: Mapping[str, str] | None = None
) -> Meaning:
    """Return the table with meanings. recipe: meanings by columns; with one, nothing is guessed."""
    found = Meaning(table, known=recipe is not None)
    said = {column: answers.get(f"column:{column}", "") for column in table.columns}
    said = {column: said[column] or (recipe or {}).get(column, "") for column in said}
    guessed = {} if recipe is not None else guess(table, set(said.values()))
    for column in table.columns:
        meaning = said[column] or guessed.get(column, UNUSED)
        found.meanings[column] = meaning
        take(found, column, meaning)
    found.shape = shape_of(found)
    return found


def guess(table: SourceTable, said: set[str]) -> dict[str, str]:
    """Return meanings guessed from the names of columns. said: meanings already assigned."""
    found: dict[str, str] = {}
    of_texts = (SYSTEM, "reference:", f"{DONOR}:")
    columns = [c for c in reversed(table.columns) if not c.startswith(of_texts)]
    names = {plain(c): c for c in columns}
    tokenized = {plain(TOKENIZED.sub("", c)): c for c in columns}
    for role, synonyms in ROLES.items():
        column = next((names[s] for s in synonyms if s in names), "")
        if not column and role in ("source", "text"):
            column = next((tokenized[s] for s in synonyms if s in tokenized), "")
        if role not in said and column:
            found.setdefault(column, role)
    for column in table.columns:
        if column in found:
            continue
        if column.startswith(SYSTEM):
            found[column] = f"{OUTPUT}:{column.removeprefix(SYSTEM)}"
        elif column == DONOR or column.startswith(f"{DONOR}:"):
            found[column] = DONOR
        elif is_reference(column, table.columns):
            found[column] = REFERENCE
        elif plain(column) in VALUES:
            found[column] = SCORE
        elif plain(column) in ("scores", "ratings") and has_lists(table, column):
            found[column] = SCORES
    return found


def is_reference(column: str, columns: Sequence[str]) -> bool:
    name = TOKENIZED.sub("", column)
    return bool(NAMED_REFERENCE.fullmatch(name)) and (name == column or name not in columns)


def has_lists(table: SourceTable, column: str) -> bool:
    cells = [row.get(column) for row in table.sample()]
    return any(cells) and all(LIST.fullmatch(cell) for cell in cells if cell)


def take(found: Meaning, column: str, meaning: str) -> None:
    kind, _, name = meaning.partition(":")
    if kind == REFERENCE:
        own = "ref" if column == "reference" else column.removeprefix("reference:")
        found.references[name or own] = column
    elif kind == DONOR:
        own = "ref" if column == DONOR else column.removeprefix(f"{DONOR}:")
        found.donors[name or own] = column
    elif kind == OUTPUT:
        found.outputs[name or column] = column
    elif kind == SCORE:
        found.values[column] = slug_of(name or column)
    elif kind == SCORES:
        found.lists[column] = slug_of(name or column)
    elif kind == PUBLISHED:
        found.published[column] = name
    elif kind == CAMPAIGN:
        found.parts.append(column)
    elif kind in ROLES:
        found.roles.setdefault(kind, column)


def shape_of(found: Meaning) -> str:
    if found.has("rank", "segment", "system", "annotator"):
        return "ranks"
    if found.has("system_a", "system_b", "rank_a", "rank_b", "segment", "annotator"):
        return "ranked pairs"
    if found.has("segment", "annotator") and (
        found.has("better") or found.has("system_a", "system_b", "preference")
    ):
        return "preferences"
    if found.has("severity", "start", "end", "segment", "system", "annotator"):
        return "errors"
    if found.has("dimension", "value", "segment", "annotator"):
        return "ratings"
    if found.lists:
        return "lists"
    if found.has("segment", "annotator") and found.values:
        return "scores"
    texts = found.has("source") or found.has("text")
    if found.has("metric"):
        return ""
    if found.values and (found.known or (found.has("segment", "system") and not texts)):
        return "means"
    return ""


def questions_about(tables: Sequence[Meaning]) -> list[OpenQuestion]:
    """Return a question about the meaning of each column, with its first cells; the default is the
    current meaning."""
    found: dict[str, OpenQuestion] = {}
    for each in tables:
        rows = each.table.sample(SHOWN)
        for column, meaning in each.meanings.items():
            name = f"column:{column}"
            if name in found:
                continue
            words = {UNUSED: WORDS[UNUSED], **dict.fromkeys(ROLES, ""), **WORDS}
            words.setdefault(meaning, meaning)
            choices = tuple((key, said or key.replace("_", " ")) for key, said in words.items())
            cells = " · ".join(shown(row.get(column)) for row in rows)
            found[name] = OpenQuestion(name, column, cells, choices, meaning, required=False)
    return list(found.values())


def shown(cell: str) -> str:
    return cell if len(cell) <= 40 else f"{cell[:39]}…"
