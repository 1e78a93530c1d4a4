"""Sections of pages of results as blocks of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from judgments.results.agreement import figures as agreement
from judgments.results.observations.observations import SEED
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.sections import FILE, OPEN, Lazy, Section
from judgments.web.tables import Table

from .blocks import Block, FigurePlace, Grid, Heading, Picture, said


def blocks_of(
    sections: Sequence[Section],
    of: Selection,
    *,
    page: str = "",
    web: str = "",
    charts: bool = True,
    tables: Callable[[Lazy[Table]], bool] = lambda table: table.place != FILE,
) -> Iterator[Block]:
    """Yield what pages show of the sections: sentence, notes, charts in the open, tables, remark.

    page: as links name it, "" where the slug of a figure tells, as in other files. web: the name
    of its address.
    """
    for section in sections:
        if section.is_file_only or not section.exists():
            continue
        place = FigurePlace(of, page, web, section.slug, "")
        found = list(_inside(section, place, charts, tables))
        if found:
            yield Heading(str(section.title))
            yield from found


def _inside(
    section: Section, place: FigurePlace, charts: bool, tables: Callable[[Lazy[Table]], bool]
) -> Iterator[Block]:
    of = place.of
    sentence = section.sentence()
    if sentence:
        yield said(sentence, "lead")
    yield from (said(note, "quiet") for note in section.notes() if note)
    for lazy in section.charts if charts else ():
        chart = lazy.make() if lazy.place == OPEN else None
        if chart:
            yield Picture(chart, str(lazy.title), of, replace(place, slug=lazy.slug))
    for each in section.tables:
        table = each.make() if tables(each) else None
        if table is not None and table.rows:
            yield Grid(table, below(table, of), replace(place, slug=each.slug))
    remark = section.remark()
    if remark:
        yield said(remark, "quiet")


def below(table: Table, of: Selection) -> str:
    """Return what stands under a table: how it was made, which judgments it is of, how many, the
    seed."""
    given = agreement.workload(of).n_judgments
    words = [str(table.note).strip(), f"{of.sentence}."]
    if given.sum():
        people = counted.annotators(int((given > 0).sum()))
        words.append(f"n = {counted.judgments(int(given.sum()))} by {people}.")
    if "seed" not in words[0]:
        words.append(f"Seed {SEED}.")
    return " ".join(filter(None, words))
