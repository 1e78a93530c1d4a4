"""The report in a bundle, made of its copy of the campaign. The Markdown is computed again when a
bundle is checked; how HTML and PDF look hangs on fonts and drawing programs, so they are hashed
alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from django.utils import translation

from judgments.publishing.report.blocks import (
    Block,
    CampaignReport,
    Grid,
    Heading,
    Picture,
    ReportPart,
)
from judgments.publishing.report.contents import PARTS, report_of
from judgments.publishing.report.writers import FORMATS, markdown, page, pdf
from judgments.results.selection.selection import Selection
from mteval_site.deadline import TooSlow

from .figures import ComparedFigures, known_numbers, renumbered
from .rebuild import RebuiltCampaign

FOLDER = "report"
KINDS = ("html", "md", "pdf")
COMPUTED = f"{FOLDER}/report.md"
BREAK = "\n\n"  # between the blocks of Markdown


def written(report: CampaignReport) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of the report in each kind of file; no PDF where none can be set."""
    with translation.override("en"):
        for kind in KINDS:
            try:
                yield f"{FOLDER}/report.{kind}", FORMATS[kind].write(report)
            except pdf.CannotSet:
                continue


def write_report(report: CampaignReport, folder: Path) -> None:
    (folder / FOLDER).mkdir(exist_ok=True)
    for name, content in written(report):
        (folder / name).write_bytes(content)


def report_in(rebuilt: RebuiltCampaign) -> CampaignReport:
    """Return the report of a copy, with the numbers that rows have in the bundle, and without links
    into a site."""
    return _as_in_the_bundle(report_of(Selection.of(rebuilt.campaign), is_release=True), rebuilt)


def report_without_texts(rebuilt: RebuiltCampaign) -> CampaignReport:
    """Return the same of a copy whose texts are stand-ins: parts that cannot be made of these are
    left out."""
    parts: list[ReportPart] = []
    selection = Selection.of(rebuilt.campaign)
    report = report_of(selection, ["instructions"], is_release=True)
    for slug in PARTS:
        try:
            with transaction.atomic():
                parts += report_of(selection, [slug], is_release=True).parts
        except TooSlow:
            raise
        except Exception:  # noqa: BLE001, S112  whatever a page asks of texts
            continue
    return _as_in_the_bundle(dataclasses.replace(report, parts=tuple(parts)), rebuilt)


def in_both(report: CampaignReport, other: CampaignReport) -> CampaignReport:
    """Return what two reports say alike. Of one with texts and one with stand-ins: what hangs on no
    text, so that no text can be in it."""
    found = []
    known = {part.slug: {shown(block) for block in part.blocks} for part in other.parts}
    for part in report.parts:
        kept = _known_blocks(part.blocks, known.get(part.slug, set()))
        if kept:
            found.append(dataclasses.replace(part, blocks=kept))
    return dataclasses.replace(report, parts=tuple(found))


def shown(block: Block) -> str:
    """Return all that a reader sees of a block, and every row of a table."""
    if isinstance(block, Picture):
        return f"{block.caption}\n{page.svg_of(block)}"
    rows = repr(block.table.rows) if isinstance(block, Grid) else ""
    return BREAK.join([*markdown.block_lines(block), rows])


def _known_blocks(blocks: tuple[Block, ...], known: set[str]) -> tuple[Block, ...]:
    """Return the blocks that are known, with the headings that something known stands under."""
    found: list[Block] = []
    below = is_heading = False
    for block in reversed(blocks):
        if not isinstance(block, Heading) and is_heading:
            below = False  # it stands over those headings, under one of its own
        is_heading = isinstance(block, Heading)
        if shown(block) in known and (below or not is_heading):
            found.append(block)
            below = True
    return tuple(reversed(found))


def _as_in_the_bundle(report: CampaignReport, rebuilt: RebuiltCampaign) -> CampaignReport:
    known = known_numbers(rebuilt)

    def own(block: Block) -> Block:
        if isinstance(block, Grid):
            return dataclasses.replace(block, table=renumbered(block.table, known), place=None)
        return dataclasses.replace(block, place=None) if isinstance(block, Picture) else block

    parts = [
        dataclasses.replace(part, blocks=tuple(map(own, part.blocks))) for part in report.parts
    ]
    return dataclasses.replace(report, parts=tuple(parts))


# ---- Checking ------------------------------------------------------------------------------------


def report_again(rebuilt: RebuiltCampaign, *, has_texts: bool) -> str:
    """Return the Markdown of a copy."""
    make = report_in if has_texts else report_without_texts
    with translation.override("en"):
        return markdown.write(make(rebuilt)).decode()


def compared_report(name: str, before: str, now: str, *, has_texts: bool) -> ComparedFigures:
    """Return the Markdown of a bundle beside the one of its copy, block by block. Without texts the
    bundle has those blocks alone that hang on none."""
    found = ComparedFigures(name)
    old, new = before.split(BREAK), now.split(BREAK)
    if not has_texts:
        known = set(new)
        for block in old:
            if block in known:
                found.n += 1
            else:
                found.differ(f"{_beginning(block)} is not in the report made here")
        return found
    if len(old) != len(new):
        found.differ(f"{len(old)} blocks in the bundle, {len(new)} here")
    for a, b in zip(old, new, strict=False):
        if a == b:
            found.n += 1
        else:
            found.differ(f"{_beginning(a)} in the bundle, {_beginning(b)} here")
    return found


def _beginning(block: str) -> str:
    line = " ".join(block.split())
    return f"“{line[:60]}…”" if len(line) > 60 else f"“{line}”"
