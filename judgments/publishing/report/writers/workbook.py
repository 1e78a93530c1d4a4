"""A report as a workbook: one sheet with its texts, and one for each table, with every row and
digit. Texts that a spreadsheet would take for formulas are guarded."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from judgments.files.csv_files import undefined
from judgments.files.formulas import guarded
from judgments.publishing.report.blocks import (
    Block,
    CampaignReport,
    Grid,
    Heading,
    Picture,
    Prose,
    Terms,
    Verbatim,
)

LONGEST = 32_000  # a cell holds 32,767 characters
LONGEST_NAME = 31
# What XML 1.0 cannot hold.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(report: CampaignReport) -> bytes:
    from openpyxl import Workbook  # only with the first workbook

    book = Workbook(write_only=True)
    texts = book.create_sheet("Report")
    names = {"report"}
    for row in text_rows(report, names):
        texts.append([cell(value) for value in row])
    taken: set[str] = {"report"}
    for grid in report.grids:
        sheet = book.create_sheet(sheet_name(grid.table.slug, taken))
        sheet.append([cell(column.heading) for column in grid.table.heads])
        for values in grid.table.rows:
            sheet.append([cell(value) for value in values])
        sheet.append([])
        sheet.append([cell(grid.below)])
        if grid.address:
            sheet.append([cell(grid.address)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def text_rows(report: CampaignReport, names: set[str]) -> Iterator[list[str]]:
    """Yield all but tables and charts; of a table the name of its sheet."""
    yield [report.title]
    yield [report.subtitle]
    yield [report.sentence]
    for part in report.parts:
        yield []
        yield [part.title]
        for block in part.blocks:
            yield from block_rows(block, names)


def block_rows(block: Block, names: set[str]) -> Iterator[list[str]]:
    if isinstance(block, Prose | Heading | Verbatim):
        yield [block.text]
    elif isinstance(block, Terms):
        yield from ([name, str(words)] for name, words in block.rows)
    elif isinstance(block, Picture):
        yield [f"Chart: {block.title}. {block.caption}", block.address]
    elif isinstance(block, Grid):
        yield [f"Table: {block.table.title}", f"sheet {sheet_name(block.table.slug, names)}"]


def sheet_name(slug: str, taken: set[str]) -> str:
    """Return a name that no other sheet has; spreadsheets do not tell capitals apart."""
    name = stem = slug[:LONGEST_NAME]
    number = 1
    while name.lower() in taken:
        number += 1
        name = f"{stem[: LONGEST_NAME - len(str(number)) - 1]}-{number}"
    taken.add(name.lower())
    return name


def cell(value: Any) -> Any:
    """Return a number as it is, text guarded, nothing where a value is undefined."""
    if undefined(value):
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return guarded(NOT_XML.sub("\ufffd", str(value)[:LONGEST]))
