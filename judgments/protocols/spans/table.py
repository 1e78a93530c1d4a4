"""Judgments of errors as files: the table of ratings, or that of errors, by columns."""

from __future__ import annotations

from collections.abc import Sequence

from judgments.files.problem import FileRow, shortened
from judgments.files.span_places import offsets, place_of
from judgments.files.table import Columns, Row
from judgments.models import WITHOUT_PLACE, Side
from judgments.stats.mqm import normalized

from ..tables import RATINGS, SELECTION, ReadTable
from .marking import NON_TRANSLATION, Marking, slug_of
from .options import LONGEST_CATEGORY, LONGEST_SEVERITY

SLIDER = "esa"
# Further columns of the export of errors; an import ignores them.
SUGGESTED = tuple(f"suggested_{name}" for name in ("start", "end", "severity", "category"))
ERRORS = Columns(
    required=("annotator", "segment", "system", "severity"),
    optional=(
        *("item", "kind", "copied", "shown", "side", "start", "end", "text", "category", "score"),
        *(
            "provenance",
            *SUGGESTED,
            "planted",
            "arm",
            "hints",
            "excluded",
            "started",
            "submitted",
            "seconds",
        ),
    ),
)


class ErrorTable(ReadTable):
    """`columns` are those of ratings, which exports of all observations write."""

    @property
    def readable(self) -> Columns:
        every = dict.fromkeys((*RATINGS.names, *ERRORS.required, *ERRORS.optional, SELECTION))
        shared = ("annotator", "segment", "system")
        return Columns(required=shared, optional=tuple(n for n in every if n not in shared))

    @property
    def shown(self) -> tuple[Columns, ...]:
        return ERRORS, self.columns


def error_of(row: Row, marking: Marking, texts: dict[str, str]) -> tuple[str, int, int, str, str]:
    """Return side, start, end, severity and category of a row. Raise ImportProblem."""
    side = row.get("side").strip().lower() or "target"
    found = row.get("severity").strip(), row.get("category").strip()
    severity, category = kind_of(row, side, *found, marking)
    start, end = offsets(row, side)
    if side in WITHOUT_PLACE:
        if start or end or row.get("text"):
            reason = "what is missing, or concerns the whole output, has no position in the text."
            raise row.problem("side", reason)
        return side, 0, 0, severity, category
    if side not in texts:
        raise row.problem("side", "the side is target, source, missing or output.")
    marked, is_released = row.get("text"), marking.released
    place = place_of(row, texts[side], start, end, marked, may_be_empty=is_released)
    return side, *place, severity, category


def kind_of(
    row: Row | FileRow, side: str, severity: str, category: str, marking: Marking
) -> tuple[str, str]:
    """Return severity and category in their stored form: those of a release unchanged. Raise
    ImportProblem for an error that the campaign does not ask for."""
    if normalized(severity) not in marking.severities or len(severity) > LONGEST_SEVERITY:
        reason = f"{shortened(severity)}: the severities here are {', '.join(marking.severities)}."
        raise row.problem("severity", reason)
    if (category and normalized(category) not in marking.kinds) or len(category) > LONGEST_CATEGORY:
        known = ", ".join(marking.kinds[:20]) or "none"
        raise row.problem("category", f"the categories here are {known}.")
    is_alone = normalized(category) == NON_TRANSLATION
    if side not in (*marking.sides, Side.OUTPUT) and not is_alone:
        raise row.problem("side", f"the sides here are {', '.join(marking.sides)}.")
    if marking.released:
        return severity, category
    severity, category = normalized(severity), slug_of(category) if category else ""
    marks = map(normalized, marking.marks)
    if (side == Side.OUTPUT) != (normalized(category) in marks):
        reason = "marks of the whole output have the side “output”, and other errors another."
        raise row.problem("side", reason)
    if marking.slugs and not category:
        raise row.problem("category", "every error has a category here.")
    if is_alone and severity != marking.worst:
        raise row.problem("severity", f"a {NON_TRANSLATION} is {marking.worst}.")
    return severity, category


def check_together(row: FileRow, errors: Sequence[tuple[str, str]], marking: Marking) -> None:
    """Raise ImportProblem if errors (severity, category) of an output may not be marked beside each
    other."""
    alone = any(normalized(category) == NON_TRANSLATION for _, category in errors)
    if alone and len(errors) > 1 and not marking.released:
        raise row.problem("category", f"beside a {NON_TRANSLATION} an output has no other error.")


TABLE = ErrorTable(
    RATINGS.columns,
    RATINGS.written_by,
    "errors",
    "One row for each error: who marked what in which system's output, and how severe it is; a "
    "row without a severity says that an output was judged and has no error. Or one row for "
    "each rating, without the errors.",
)
