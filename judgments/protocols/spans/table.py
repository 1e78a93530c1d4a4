"""Judgments of errors as files: the table of ratings, or that of errors, by its columns."""

from __future__ import annotations

from judgments.files import observations
from judgments.files.problem import shortened
from judgments.files.span_places import offsets, place_of
from judgments.files.table import Columns, Row
from judgments.models import WITHOUT_PLACE, Side
from judgments.stats.mqm import normalized

from ..tables import RATINGS, SELECTION, ImportedScreen, RatingTable, RowReader
from .marking import NON_TRANSLATION, Marking, slug_of
from .options import LONGEST_CATEGORY, LONGEST_SEVERITY

SLIDER = "esa"
# What the export of errors says besides; an import takes no decision from it.
SUGGESTED = tuple(f"suggested_{name}" for name in ("start", "end", "severity", "category"))
ERRORS = Columns(
    required=("annotator", "segment", "system", "severity"),
    optional=(
        *("item", "kind", "copied", "shown", "side", "start", "end", "text", "category", "score"),
        *("provenance", *SUGGESTED, "hints", "excluded", "started", "submitted", "seconds"),
    ),
)


class ErrorTable(RatingTable):
    """`columns` are those of ratings, which exports of all observations write."""

    lead = (
        "One row for each error: who marked what in which system's output, and how severe it is; a "
        "row without a severity says that an output was judged and has no error. Or one row for "
        "each rating, without the errors."
    )

    @property
    def readable(self) -> Columns:
        every = dict.fromkeys((*RATINGS.names, *ERRORS.required, *ERRORS.optional, SELECTION))
        shared = ("annotator", "segment", "system")
        return Columns(required=shared, optional=tuple(n for n in every if n not in shared))

    @property
    def shown(self) -> tuple[Columns, ...]:
        return ERRORS, self.columns

    def take(self, reader: RowReader, row: Row) -> None:
        if "dimension" in row.cells:
            if not reader.screens:  # its first row; the columns of errors are none of ratings
                self.columns.check(row.file, 1, tuple(n for n in row.cells if n != SELECTION))
            super().take(reader, row)
        elif "severity" not in row.cells:
            raise row.problem("severity", "this column is missing: errors have one.")
        elif row.get("provenance") != "deleted":  # a suggestion that is no error
            self._take_error(reader, row)

    def _take_error(self, reader: RowReader, row: Row) -> None:
        marking = reader.protocol.options
        assert isinstance(marking, Marking)
        segment_id = reader.segment(row)
        output_id = reader.output(row, segment_id, "system")
        alone = (output_id,) if reader.most == 1 else ()
        screen = reader.screen(row, segment_id, "item", alone, output_id=output_id)
        screen.take_shown(row, output_id)
        errors = [span[-2:] for span in screen.spans if span[0] == output_id]
        is_known = output_id in screen.outputs
        screen.show(output_id)
        if observations.copied(row):
            screen.copies.add(output_id)
        self._take_score(reader, row, screen, output_id)
        if row.get("severity").strip():
            if is_known and not errors:
                raise row.problem("severity", "an earlier row says that there is no error.")
            texts = reader.texts(segment_id, output_id)
            if screen.altered and output_id in screen.altered:
                texts["target"] = screen.altered[output_id]
            span = (output_id, *error_of(row, marking, texts))
            errors.append(span[-2:])
            screen.spans.append(span)
            if len(errors) > marking.most and not marking.released:
                raise row.problem("", f"more than {marking.most} errors in one translation.")
        elif is_known:
            raise row.problem("severity", screen.repeated)
        screen.ratings[output_id, marking.derived] = marking.score_of(errors)

    @staticmethod
    def _take_score(reader: RowReader, row: Row, screen: ImportedScreen, output_id: int) -> None:
        """The slider's value stands on any row of an output, or on all with the same value."""
        if not row.get("score"):
            return
        if SLIDER not in reader.dimensions:
            raise row.problem("score", "this campaign asks for no score beside the errors.")
        value = reader.value(row, "score", SLIDER)
        if screen.ratings.setdefault((output_id, SLIDER), value) != value:
            raise row.problem("score", "an earlier row of this output says otherwise.")


def error_of(row: Row, marking: Marking, texts: dict[str, str]) -> tuple[str, int, int, str, str]:
    """Side, start, end, severity and category of a row. Raises ImportProblem."""
    side = row.get("side").strip().lower() or "target"
    severity, category = kind_of(row, marking)
    if side not in (*marking.sides, Side.OUTPUT) and normalized(category) != NON_TRANSLATION:
        raise row.problem("side", f"the sides here are {', '.join(marking.sides)}.")
    start, end = offsets(row, side)
    if side in WITHOUT_PLACE:
        if start or end or row.get("text"):
            reason = "what is missing, or is of the whole output, has no position in the text."
            raise row.problem("side", reason)
        return side, 0, 0, severity, category
    if side not in texts:
        raise row.problem("side", "the side is target, source, missing or output.")
    marked, is_released = row.get("text"), marking.released
    place = place_of(row, texts[side], start, end, marked, may_be_empty=is_released)
    return side, *place, severity, category


def kind_of(row: Row, marking: Marking) -> tuple[str, str]:
    """Severity and category as they are stored: those of a release as it writes them."""
    severity, category = row.get("severity").strip(), row.get("category").strip()
    if normalized(severity) not in marking.severities or len(severity) > LONGEST_SEVERITY:
        reason = f"{shortened(severity)}: the severities here are {', '.join(marking.severities)}."
        raise row.problem("severity", reason)
    if (category and normalized(category) not in marking.kinds) or len(category) > LONGEST_CATEGORY:
        known = ", ".join(marking.kinds[:20]) or "none"
        raise row.problem("category", f"the categories here are {known}.")
    if marking.released:
        return severity, category
    return normalized(severity), slug_of(category) if category else ""


TABLE = ErrorTable(RATINGS.columns)
