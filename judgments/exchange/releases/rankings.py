"""WMT's relative rankings: five translations in a row of WMT10 to WMT15, or the pairs of WMT16.

Five in a row: `srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,…,
system1rank,…`, the translations in the order of the screen, rank -1 if none was given (README of
the WMT12 results). Pairs: `srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,
system2Id,system2rank,rankingID`; identical outputs were shown once, their ids joined with `+`
(github.com/cfedermann/wmt16). A ranking's pairs follow the order of its screen: the first output
with each later one, then the second, and so on.

A system's id is `newstest2016.online-A.0.de-en` or `newstest2013.fr-en.cu-zeman.2738`. Only its
name is kept: online-A, cu-zeman.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from judgments.files.csv_files import cells_of, read_cells
from judgments.files.formulas import unguarded
from judgments.files.problem import ImportProblem, shortened
from judgments.files.uploads import Folder, ReleaseFile
from judgments.protocols import PROTOCOLS, preset_named

from . import ranking_files
from .collapsed_outputs import Groups, shown_first, shown_of
from .format import Answers, Format
from .grouping import grouped
from .records import JudgedScreen, Problems, Release
from .segment_keys import add_pair, named_cells

LANGUAGE = "[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*"  # such as pt-br, zh-hant
BESIDE_NAME = (
    re.compile(rf"news[a-z]*[0-9]*\.(?P<name>.+)\.[0-9]+\.{LANGUAGE}-{LANGUAGE}"),
    re.compile(rf"news[a-z]*[0-9]*\.{LANGUAGE}-{LANGUAGE}\.(?P<name>.+)\.[0-9]+"),
)
SAME_OUTPUT = re.compile(r"\+(?=news[a-z]*[0-9]*\.)")
NO_RANK = -1
ABOUT = frozenset({"srclang", "trglang", "srcindex", "judgeid"})
RANK = re.compile("-?[0-9]{1,3}")
READ = re.compile("srclang|trglang|srcindex|judgeid|rankingid|system([1-9]|10)(id|rank)")


class OneRanking(NamedTuple):
    """One judge's ranking on one screen. shown: (names of the systems with this output, rank)."""

    row: int
    segment: str
    judge: str
    shown: list[tuple[list[str], int]]


class WmtRankings(Format):
    slug = "wmt-rankings"
    name = "WMT rankings, a screen a row"
    holds = "relative rankings of the shared tasks of 2010 to 2016, without texts"
    described = "https://github.com/keisks/wmt-trueskill"
    writes = True
    columns = ABOUT | {f"system{i}{word}" for i in range(1, 6) for word in ("id", "rank")}

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if self.columns <= set(header_of(file))]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        for file in files:
            found = survey(file)
            for pair, (options, shown) in sorted(found.items()):
                screens = partial(screens_of, file, pair, shown)
                preset = "partial-ranking" if options["may_leave_out"] else "relative-ranking"
                is_only = len(found) == 1
                add_pair(release, file, pair, is_only, screens, problems, preset, options)
        return release

    def may_write(self, release: Release) -> str:
        if not release.judgments:
            return "There are no judgments."
        if any(
            not PROTOCOLS[preset_named(part.preset).protocol].ranks for part in release.judgments
        ):
            return "These files contain only rankings."
        return ""

    def write(self, release: Release, folder: Folder) -> None:
        ranking_files.write(release, folder, ranking_files.screen_rows, "rankings")


class WmtRankedPairs(WmtRankings):
    slug = "wmt-ranked-pairs"
    name = "WMT rankings, a pair a row"
    described = "https://github.com/cfedermann/wmt16"
    columns = ABOUT | {"system1id", "system1rank", "system2id", "system2rank", "rankingid"}

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        five = WmtRankings.columns
        return [file for file in super().recognize(files) if not five <= set(header_of(file))]

    def write(self, release: Release, folder: Folder) -> None:
        ranking_files.write(release, folder, ranking_files.pair_rows, "pairs")


def header_of(file: ReleaseFile) -> list[str]:
    lines = file.first_lines(1)
    return cells_of(lines[0].lower()) if lines else []


def survey(file: ReleaseFile) -> dict[tuple[str, str], tuple[dict, Groups]]:
    """Return for each language pair of a file the options of a campaign, and the result of
    `shown_of` for its outputs."""
    found: dict[tuple[str, str], dict] = {}
    groups: dict[tuple[str, str], set[tuple[str, tuple[str, ...]]]] = {}
    for pair, ranking in rankings_of(file, Problems()):
        options = found.setdefault(pair, {"outputs_per_item": 2, "may_leave_out": False})
        ranks = [rank for _, rank in ranking.shown]
        options["outputs_per_item"] = max(options["outputs_per_item"], len(ranks), *ranks)
        options["may_leave_out"] |= NO_RANK in ranks
        named = {(ranking.segment, tuple(names)) for names, _ in ranking.shown}
        groups.setdefault(pair, set()).update(named)
    return {pair: (options, shown_of(groups[pair])) for pair, options in found.items()}


# ---- Rows --------------------------------------------------------------------------------------


def rows_of(file: ReleaseFile, problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
    rows = read_cells(file.place)
    columns = [name.lower() for name in next(rows, (1, []))[1]]
    problems.seen(file.name, columns).update(filter(READ.fullmatch, columns))
    unguarded_rows = ((row, list(map(unguarded, cells))) for row, cells in rows)
    return named_cells(file, columns, unguarded_rows, problems)


def rank_of(file: str, row: int, cells: dict[str, str], column: str) -> int:
    text = cells[column].strip()
    rank = int(text) if RANK.fullmatch(text) else 0
    if rank != NO_RANK and not 1 <= rank <= 10:
        reason = f"{shortened(text)} is neither a rank from 1 to 10 nor -1, which stands for none."
        raise ImportProblem(file, row, column, reason)
    return rank


def rankings_of(
    file: ReleaseFile, problems: Problems
) -> Iterator[tuple[tuple[str, str], OneRanking]]:
    """Yield ((source, target), ranking) of every ranking in a file."""
    if WmtRankings.columns <= set(header_of(file)):
        yield from _of_screens(file, problems)
    else:
        yield from _of_pairs(file, problems)


def _of_screens(file: ReleaseFile, problems: Problems) -> Iterator:
    known = set(header_of(file))
    places = [i for i in range(1, 11) if {f"system{i}id", f"system{i}rank"} <= known]
    for row, cells in rows_of(file, problems):
        try:
            shown = [
                (names_in(cells[f"system{i}id"]), rank_of(file.name, row, cells, f"system{i}rank"))
                for i in places
                if cells[f"system{i}id"].strip()
            ]
        except ImportProblem as problem:
            problems.add(problem)
            continue
        pair = (cells["srclang"], cells["trglang"])
        yield pair, OneRanking(row, cells["srcindex"], cells["judgeid"], shown)


def _of_pairs(file: ReleaseFile, problems: Problems) -> Iterator:
    def rows() -> Iterator[tuple[str, tuple]]:
        for row, cells in rows_of(file, problems):
            try:
                sides = [
                    (cells[f"system{i}id"], rank_of(file.name, row, cells, f"system{i}rank"))
                    for i in (1, 2)
                ]
            except ImportProblem as problem:
                problems.add(problem)
                continue
            pair = (cells["srclang"], cells["trglang"])
            key = (*pair, cells["srcindex"], cells["judgeid"], cells["rankingid"])
            yield "\n".join(key), (row, key, sides)

    for some in grouped(rows()):
        row, (source, target, segment, judge, _), _ = some[0]
        ranks: dict[str, int] = {}
        for number, _, sides in some:
            for system, rank in sides:
                if ranks.setdefault(system, rank) != rank:
                    reason = f"{shortened(system)} has another rank in an earlier row."
                    problems.add(ImportProblem(file.name, number, "", reason))
        shown = [(names_in(system), rank) for system, rank in ranks.items()]
        yield (source, target), OneRanking(row, segment, judge, shown)


def names_in(text: str) -> list[str]:
    """Return the systems of a cell; see the module's description."""
    return [name_in(part) for part in SAME_OUTPUT.split(text.strip())]


def name_in(text: str) -> str:
    for pattern in BESIDE_NAME:
        if match := pattern.fullmatch(text):
            return match["name"]
    return text


def screens_of(
    file: ReleaseFile, wanted: tuple[str, str], shown: Groups, problems: Problems
) -> Iterator[JudgedScreen]:
    """Yield the rankings of a language pair. Of identical outputs one was shown, the first of them
    or the representative by `shown_of`; the others are its copies."""
    for pair, ranking in rankings_of(file, problems):
        if pair != wanted:
            continue
        outputs, ratings, copies = [], [], set()
        for names, rank in ranking.shown:
            group = shown_first(shown, ranking.segment, names)
            outputs += group
            copies.update(group[1:])
            if rank != NO_RANK:
                ratings += [(name, "rank", float(rank)) for name in group]
        if len(set(outputs)) != len(outputs):
            problems.add(ImportProblem(file.name, ranking.row, "", "a system occurs twice."))
            continue
        yield JudgedScreen(
            file.name,
            ranking.row,
            ranking.judge,
            ranking.segment,
            outputs,
            item=str(ranking.row),
            ratings=ratings,
            copies=frozenset(copies),
        )
