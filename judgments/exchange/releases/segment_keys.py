"""Tables of judgments that come without texts, and test sets of the segments and systems that they
name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from judgments.files.problem import ImportProblem
from judgments.files.texts import THE_DOCUMENT, SegmentTexts
from judgments.files.uploads import ReleaseFile

from .languages import language_code
from .records import JudgedScreen, JudgmentsPart, Problems, Release, TextsPart

NUMBERS = re.compile("([0-9]{1,18})")


def keys_of(screens: Callable[[Problems], Iterable[JudgedScreen]]) -> Iterator[SegmentTexts]:
    """Yield a segment for each key, in natural order, with an empty text for each system judged
    there.

    screens: tells its problems when the judgments themselves are read.
    """
    found: dict[str, dict[str, None]] = {}
    for screen in screens(Problems()):
        found.setdefault(screen.segment, {}).update(dict.fromkeys(screen.outputs))
    for row, key in enumerate(sorted(found, key=natural), 1):
        outputs = dict.fromkeys(found[key], "")
        yield SegmentTexts("", row, key, THE_DOCUMENT, "", {}, outputs)


def natural(key: str) -> list[tuple[bool, int, str]]:
    """Sorts 2 before 10, and doc2 before doc10."""
    parts = NUMBERS.split(key)
    return [(i % 2 == 0, int(part) if i % 2 else 0, part) for i, part in enumerate(parts)]


def named_cells(
    file: ReleaseFile,
    columns: Sequence[str],
    rows: Iterable[tuple[int, Sequence[str]]],
    problems: Problems,
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (row, {column: cell}); rows of another length go to the problems."""
    for row, cells in rows:
        if len(cells) == len(columns):
            yield row, dict(zip(columns, cells, strict=True))
        else:
            reason = f"the line has {len(cells)} cells, but the header has {len(columns)}."
            problems.add(ImportProblem(file.name, row, "", reason))


def add_pair(
    release: Release,
    file: ReleaseFile,
    pair: tuple[str, str],
    is_only: bool,
    screens: Callable[[Problems], Iterator[JudgedScreen]],
    problems: Problems,
    preset: str,
    options: Mapping[str, Any],
) -> None:
    """Add a language pair of a table: a campaign, and a test set of what it names. is_only: whether
    the table has no other pair."""
    stem = file.name.removesuffix(".csv")
    name = stem if is_only else f"{stem} {'-'.join(pair)}"
    key = f"{file.path} {'-'.join(pair)}"
    source, target = map(language_code, pair)
    segments = partial(keys_of, screens)
    release.texts.append(TextsPart(key, name, source, target, segments, has_texts=False))
    release.judgments.append(JudgmentsPart(name, key, preset, partial(screens, problems), options))
