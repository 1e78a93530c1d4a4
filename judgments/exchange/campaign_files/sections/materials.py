"""Material for annotators besides the texts: questions, suggested errors and links, a tutorial.

Each can be in the document, or in a table that it names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from judgments.files import ImportProblem, prefilled_spans, questions
from judgments.files.output_texts import WORD_LINKS
from judgments.files.rows import RowKind, import_rows
from judgments.files.table import Columns, Row, read_table
from judgments.judging.practice import practice
from judgments.models import Campaign, Practice
from judgments.protocols import protocol_of
from judgments.protocols.alignment.pharaoh import write_links
from judgments.test_sets.prefilled_spans import SuggestedErrors
from judgments.test_sets.questions.importer import QuestionRows
from judgments.test_sets.word_links.prefilled_links import ProposedLinks

from ..rows import rows_of, schema_of
from ..section import FileSection, NotInAFile
from ..shapes import SOME_TEXT, any_of, list_of, mapping, shape

MOST_ROWS = 20_000


@dataclass(frozen=True)
class MaterialRows:
    """Rows of one kind. page: the address of a page that only campaigns with such rows have."""

    key: str
    page: str
    kind: type[RowKind]
    columns: Columns
    checked: Callable[[Row], Any]
    exported: Callable[[Campaign], list[dict[str, Any]]]
    words: str


def filled(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value not in ("", {})}


def exported_questions(campaign: Campaign) -> list[dict[str, Any]]:
    between = questions.BETWEEN
    found = []
    for each in campaign.questions.select_related("document"):
        if any(between in answer for answer in [*each.choices, *each.right]):
            raise NotInAFile(
                f"An answer to “{each.text}” contains {between}, which separates answers."
            )
        row = {
            "document": each.document.name,
            "level": each.level,
            "question": each.text,
            "choices": between.join(each.choices),
            "right": between.join(filter(None, each.right)),
            "untold": True if "" in each.right else "",
        }
        found.append(filled(row))
    return found


def exported_errors(campaign: Campaign) -> list[dict[str, Any]]:
    # Suggestions made up by the site are drawn again for a new campaign.
    rows = campaign.prefilled_spans.filter(is_planted=False).select_related(
        "output__segment", "output__system"
    )
    found = []
    for each in rows:
        is_there = each.side != "missing"
        row = {
            "segment": each.output.segment.key,
            "system": each.output.system.name,
            "side": each.side,
            "start": each.start if is_there else "",
            "end": each.end if is_there else "",
            "severity": each.severity,
            "category": each.category,
        }
        found.append(filled(row))
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
        questions.checked,
        exported_questions,
        "Questions about documents; choices and right may contain several, separated by |.",
    ),
    MaterialRows(
        "suggested_errors",
        "suggestions",
        SuggestedErrors,
        prefilled_spans.COLUMNS,
        prefilled_spans.checked,
        exported_errors,
        "Errors that a program proposes, and annotators start from.",
    ),
    MaterialRows(
        "proposed_links",
        "proposed-links",
        ProposedLinks,
        WORD_LINKS.columns,
        WORD_LINKS.checked,
        exported_links,
        "Word links that annotators start from, such as “0-0 1-2 2p3”.",
    ),
)
TUTORIAL = "tutorial"


class MaterialsSection(FileSection):
    key = "materials"

    def schema(self):
        path = shape("string", "A .tsv, .csv or .jsonl.", pattern=SOME_TEXT)
        text = shape("string", maxLength=practice.LONGEST_TEXT)
        item = {
            "source": text,
            "reference": text,
            "outputs": list_of(text, 100, minItems=1),
            "expected": shape("object"),
            "feedback": shape("string"),
        }
        tables = {
            each.key: any_of(
                path,
                schema_of(each.columns, MOST_ROWS),
                words=f"{each.words} Rows, or the path of a table.",
            )
            for each in KINDS
        }
        tutorial = list_of(
            mapping(item, required=["outputs"]),
            practice.MOST,
            "Items with feedback that annotators do before their work.",
        )
        words = "What annotators work with in addition to the texts."
        return mapping({**tables, TUTORIAL: tutorial}, words)

    def read(self, value, desk):
        for each in KINDS:
            if value and isinstance(name := value.get(each.key), str):
                path = f"{self.key}.{each.key}"
                desk.values[path] = desk.file_named(path, name)
        return value

    def apply(self, campaign, value, desk):
        for each in KINDS:
            if value and each.key in value:
                add_rows(each, campaign, value[each.key], desk)
        if value and TUTORIAL in value:
            add_tutorial(campaign, value[TUTORIAL], desk)

    def export(self, campaign):
        found = {each.key: each.exported(campaign) for each in KINDS}
        found[TUTORIAL] = [filled(row) for row in practice.rows_of(campaign)]
        return {key: rows for key, rows in found.items() if rows} or None


def add_rows(rows: MaterialRows, campaign: Campaign, value, desk) -> None:
    path = f"{MaterialsSection.key}.{rows.key}"
    if not protocol_of(campaign).has_page(rows.page):
        desk.fault(path, f"a campaign with the preset “{campaign.preset}” takes none of these.")
        return
    try:
        if isinstance(value, str):
            found = read_table(desk.values[path], rows.columns)
        else:
            found = rows_of(value, rows.columns)
        import_rows(rows.kind, campaign, map(rows.checked, found))
    except ImportProblem as problem:
        desk.import_fault(path, problem)


def add_tutorial(campaign: Campaign, rows: list, desk) -> None:
    items: list[Practice] = []
    for number, each in enumerate(rows, 1):
        try:
            items.append(practice.read_row(campaign, each, len(items)))
        except ValueError as error:
            desk.fault(f"{MaterialsSection.key}.{TUTORIAL}.{number}", str(error))
    practice.replace(campaign, items)
