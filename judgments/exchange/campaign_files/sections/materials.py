"""What annotators work with beside the texts: questions, suggested errors and links, a tutorial.

Each can stand in the document, or in a table that it names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from judgments.files import ImportProblem, prefilled_spans, questions
from judgments.files.output_texts import WORD_LINKS
from judgments.files.rows import RowKind, import_rows
from judgments.files.table import Columns, Row
from judgments.judging.practice import practice
from judgments.models import Campaign, Practice
from judgments.protocols import protocol_of
from judgments.protocols.alignment.pharaoh import write_links
from judgments.test_sets.prefilled_spans import SuggestedErrors
from judgments.test_sets.questions.importer import QuestionRows
from judgments.test_sets.word_links.prefilled_links import ProposedLinks

from ..rows import rows_of, schema_of
from ..section import FileSection, NotInAFile
from ..shapes import SOME_TEXT

MOST_ROWS = 20_000


@dataclass(frozen=True)
class MaterialRows:
    """Rows of one kind. page: the address of the page that a campaign has if it takes them."""

    key: str
    page: str
    kind: type[RowKind]
    columns: Columns
    from_table: Callable[..., Iterable]
    checked: Callable[[Row], Any]
    exported: Callable[[Campaign], list[dict[str, Any]]]
    words: str


def exported_questions(campaign: Campaign) -> list[dict[str, Any]]:
    between = questions.BETWEEN
    found = []
    for each in campaign.questions.select_related("document"):
        if any(between in answer for answer in [*each.choices, *each.right]):
            raise NotInAFile(f"An answer to “{each.text}” holds {between}, which parts answers.")
        row: dict[str, Any] = {
            "document": each.document.name,
            "level": each.level,
            "question": each.text,
        }
        if each.choices:
            row["choices"] = between.join(each.choices)
        if any(each.right):
            row["right"] = between.join(filter(None, each.right))
        if "" in each.right:
            row["untold"] = True
        found.append(row)
    return found


def exported_errors(campaign: Campaign) -> list[dict[str, Any]]:
    rows = campaign.prefilled_spans.select_related("output__segment", "output__system")
    found = []
    for each in rows:
        is_missing = each.side == "missing"
        row = {
            "segment": each.output.segment.key,
            "system": each.output.system.name,
            "side": each.side,
            **({} if is_missing else {"start": each.start, "end": each.end}),
            "severity": each.severity,
            "category": each.category,
        }
        found.append({key: value for key, value in row.items() if value != ""})
    return found


def exported_links(campaign: Campaign) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], list[tuple[int, int, bool]]] = {}
    for each in campaign.prefilled_links.select_related("output__segment", "output__system"):
        key = each.output.segment.key, each.output.system.name
        found.setdefault(key, []).append((each.source_token, each.target_token, each.is_sure))
    return [
        {"segment": segment, "system": system, "links": write_links(links)}
        for (segment, system), links in found.items()
    ]


KINDS = (
    MaterialRows(
        "questions",
        "questions",
        QuestionRows,
        questions.COLUMNS,
        questions.from_table,
        questions.checked,
        exported_questions,
        "Questions about documents; choices and right may hold several, separated by |.",
    ),
    MaterialRows(
        "suggested_errors",
        "suggestions",
        SuggestedErrors,
        prefilled_spans.COLUMNS,
        prefilled_spans.from_table,
        prefilled_spans.checked,
        exported_errors,
        "Errors that a program proposes, and annotators start from.",
    ),
    MaterialRows(
        "proposed_links",
        "proposed-links",
        ProposedLinks,
        WORD_LINKS.columns,
        WORD_LINKS.from_table,
        WORD_LINKS.checked,
        exported_links,
        "Word links that annotators start from, such as “0-0 1-2 2p3”.",
    ),
)
TUTORIAL = "tutorial"


class MaterialsSection(FileSection):
    key = "materials"

    def schema(self):
        path = {"type": "string", "pattern": SOME_TEXT, "description": "A .tsv, .csv or .jsonl."}
        text = {"type": "string", "maxLength": practice.LONGEST_TEXT}
        item = {
            "type": "object",
            "required": ["outputs"],
            "additionalProperties": False,
            "properties": {
                "source": text,
                "reference": text,
                "outputs": {"type": "array", "items": text, "minItems": 1, "maxItems": 100},
                "expected": {"type": "object"},
                "feedback": {"type": "string"},
            },
        }
        return {
            "type": "object",
            "additionalProperties": False,
            "description": "What annotators work with beside the texts.",
            "properties": {
                **{
                    each.key: {
                        "anyOf": [path, schema_of(each.columns, MOST_ROWS)],
                        "description": f"{each.words} Rows, or the path of a table.",
                    }
                    for each in KINDS
                },
                TUTORIAL: {
                    "type": "array",
                    "items": item,
                    "maxItems": practice.MOST,
                    "description": "Items with feedback that annotators do before their work.",
                },
            },
        }

    def read(self, node, desk):
        if node is None:
            return None
        for each in KINDS:
            inner = node.get(each.key)
            if inner is not None and isinstance(inner.value, str):
                path = f"{self.key}.{each.key}"
                desk.values[path] = desk.file_named(path, inner.value)
        return node

    def apply(self, campaign, value, desk):
        if value is None:
            return
        for each in KINDS:
            if (inner := value.get(each.key)) is not None:
                add_rows(each, campaign, inner, desk)
        if (inner := value.get(TUTORIAL)) is not None:
            add_tutorial(campaign, inner, desk)

    def export(self, campaign):
        found = {each.key: rows for each in KINDS if (rows := each.exported(campaign))}
        if items := [tutorial_row(row) for row in practice.rows_of(campaign)]:
            found[TUTORIAL] = items
        return found or None


def add_rows(rows: MaterialRows, campaign: Campaign, node, desk) -> None:
    path = f"{MaterialsSection.key}.{rows.key}"
    if not protocol_of(campaign).has_page(rows.page):
        desk.fault(path, f"a campaign with the preset “{campaign.preset}” takes none of these.")
        return
    try:
        if isinstance(node.value, str):
            found: Iterable = rows.from_table(desk.values[path])
        else:
            found = map(rows.checked, rows_of(node, rows.columns))
        import_rows(rows.kind, campaign, found)
    except ImportProblem as problem:
        desk.import_fault(path, problem)


def add_tutorial(campaign: Campaign, node, desk) -> None:
    items: list[Practice] = []
    for number, each in node.children:
        try:
            line = json.dumps(each.plain())
            items.append(practice.parse_line(campaign, line, len(items)))
        except ValueError as error:
            desk.fault(f"{MaterialsSection.key}.{TUTORIAL}.{number}", str(error))
    practice.replace(campaign, items)


def tutorial_row(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value not in ("", {})}
