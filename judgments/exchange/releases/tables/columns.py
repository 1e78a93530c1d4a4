"""What the columns of a table mean, by their names; what a person says comes before that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judgments.files.table import NUMBER

from ..records import OpenQuestion
from .source_table import SourceTable

# What columns are called, without case, spaces and signs; the most telling names first.
ROLES: dict[str, tuple[str, ...]] = {
    "annotator": (
        *("annotator", "annotatorid", "worker", "workerid", "rater", "raterid", "judge", "judgeid"),
        *("login", "evaluator", "assessor", "linguist", "participant", "username", "user"),
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
    "system_a": ("systema", "system1", "sysa"),
    "system_b": ("systemb", "system2", "sysb"),
    "preference": ("preference",),
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
    "document": ("document", "docid", "documentid", "doc"),
    "domain": ("domain", "genre"),
    "original_language": ("originallanguage",),
    "gloss": ("gloss", "sourcegloss"),
}
REFERENCE = re.compile(r"(?:reference|ref)(?:[ :_.-]?[A-Za-z0-9]{0,2}|:.+)|[a-z]+_ref")
SYSTEM = "system:"
VALUES = {
    *("adequacy", "fluency", "believability", "comprehensibility", "acceptability", "meaning"),
    *("raw", "rawscore", "score", "rating", "quality", "da", "dascore", "sqm", "dasqm", "esa"),
    *("esascore", "mqm", "mqmscore", "z", "zscore"),
}
SLUG = re.compile("[^a-z0-9]+")
WORDS = {
    "annotator": "Who judged",
    "segment": "Which segment",
    "system": "Which system",
    "source": "Text of the source",
    "text": "Text of the output",
}


def plain(name: str) -> str:
    return SLUG.sub("", name.lower())


def slug_of(name: str) -> str:
    """`Adequacy (1-5)` → `adequacy_1_5`, as a dimension is called."""
    slug = SLUG.sub("_", name.lower()).strip("_")[:40].strip("_") or "score"
    return slug if slug[0].isalpha() else f"score_{slug}"[:40]


@dataclass
class Meaning:
    """A table with the meaning of its columns. shape: "ranks", "preferences", "errors", "ratings"
    (a row for each dimension), "scores" (a column for each), "means" (scores of nobody), "" for
    texts only. values: the columns of scores. references: columns by the names of references."""

    table: SourceTable
    roles: dict[str, str] = field(default_factory=dict)
    values: list[str] = field(default_factory=list)
    references: dict[str, str] = field(default_factory=dict)
    shape: str = ""

    def column(self, role: str) -> str:
        return self.roles.get(role, "")

    def has(self, *roles: str) -> bool:
        return all(role in self.roles for role in roles)

    @property
    def holds_sources(self) -> bool:
        return self.has("source", "segment") or (self.has("source") and not self.shape)

    @property
    def holds_outputs(self) -> bool:
        return self.has("text") or any(name.startswith(SYSTEM) for name in self.table.columns)


def meaning_of(table: SourceTable, answers: Mapping[str, str]) -> Meaning:
    found = Meaning(table)
    names = {plain(name): name for name in reversed(table.columns)}
    taken: set[str] = set()
    for role, synonyms in ROLES.items():
        answer = answers.get(f"column:{role}", "")
        column = answer if answer in table.columns else ""
        column = column or next((names[s] for s in synonyms if s in names), "")
        if column and column not in taken:
            found.roles[role] = column
            taken.add(column)
    found.references = references_in(table, answers, taken)
    found.values = values_in(table, answers, taken | set(found.references.values()))
    found.shape = shape_of(found)
    return found


def references_in(
    table: SourceTable, answers: Mapping[str, str], taken: set[str]
) -> dict[str, str]:
    chosen = listed(answers.get("references", ""))
    columns = chosen or [c for c in table.columns if c not in taken and REFERENCE.fullmatch(c)]
    names = {
        column: "ref" if column == "reference" else column.removeprefix("reference:")
        for column in columns
        if column in table.columns
    }
    return {name: column for column, name in names.items()}


def values_in(table: SourceTable, answers: Mapping[str, str], taken: set[str]) -> list[str]:
    """The columns of scores: those that were named, or whose names say it."""
    chosen = listed(answers.get("values", ""))
    if chosen:
        return [column for column in table.columns if column in chosen]
    return [column for column in table.columns if column not in taken and plain(column) in VALUES]


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def shape_of(found: Meaning) -> str:
    if found.has("rank", "segment", "system", "annotator"):
        return "ranks"
    if found.has("system_a", "system_b", "preference", "segment", "annotator"):
        return "preferences"
    if found.has("severity", "start", "end", "segment", "system", "annotator"):
        return "errors"
    if found.has("dimension", "value", "segment", "annotator"):
        return "ratings"
    if found.has("segment", "annotator") and found.values:
        return "scores"
    texts = found.has("source") or found.has("text")
    if found.has("segment", "system") and found.values and not texts:
        return "means"
    return ""


def is_useful(found: Meaning) -> bool:
    """Whether anything can be read from the table as it is understood."""
    return bool(found.shape) or found.holds_sources or found.holds_outputs


def looks_numeric(table: SourceTable) -> list[str]:
    """Columns whose cells are numbers, as far as the first rows tell."""
    rows = table.sample()
    return [
        column
        for column in table.columns
        if any(row.get(column) for row in rows)
        and all(NUMBER.fullmatch(row.get(column)) for row in rows if row.get(column))
    ]


def questions_about(tables: Sequence[Meaning]) -> list[OpenQuestion]:
    """What cannot be known of tables that say too little, or whose scores are nobody's."""
    found: dict[str, OpenQuestion] = {}
    for each in tables:
        columns = tuple((name, name) for name in each.table.columns)
        if not is_useful(each):
            for role in ("segment", "system", "annotator", "source", "text"):
                if role not in each.roles:
                    found.setdefault(f"column:{role}", _column(role, columns, "none of them"))
            found["values"] = _values(each)
        elif each.shape == "means":
            found["column:annotator"] = _column("annotator", columns, "nobody: these are means")
        elif each.shape == "scores":
            found["values"] = _values(each)
    return list(found.values())


def _column(role: str, columns: tuple[tuple[str, str], ...], none: str) -> OpenQuestion:
    label = f"{WORDS[role]} stands in the column"
    return OpenQuestion(f"column:{role}", label, "", (("", none), *columns), "", required=False)


def _values(each: Meaning) -> OpenQuestion:
    numeric = [name for name in looks_numeric(each.table) if name not in each.roles.values()]
    some = ", ".join(numeric) or "none"
    return OpenQuestion(
        "values",
        "Columns of scores",
        f"With commas between them. Columns of numbers: {some}.",
        default=", ".join(each.values),
        required=False,
    )
