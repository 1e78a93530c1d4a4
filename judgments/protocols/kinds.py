"""The kinds of observations: where each is stored, and what makes two answers different."""

from typing import NamedTuple

from django.db.models import Model

from judgments.models import (
    AlignmentLink,
    Answer,
    ErrorSpan,
    PostEdit,
    Preference,
    Press,
    Rating,
)


class ObservationKind(NamedTuple):
    """model: where rows are stored. columns: of a row of `Observations`, in order. compared: how
    many of these columns, from the first, decide whether two answers are equal. is_copied: whether
    an observation on a text, by its first column, applies to every output with the same text."""

    model: type[Model]
    columns: tuple[str, ...]
    compared: int
    is_copied: bool = True


# By their names in `Observations`, which are also the names of the relations of a judgment. Of two
# compared outputs both are shown, and a question is about one, so neither is copied.
KINDS = {
    "ratings": ObservationKind(Rating, ("output_id", "dimension", "value"), 3),
    "preferences": ObservationKind(
        Preference, ("output_a_id", "output_b_id", "value", "strength"), 4, is_copied=False
    ),
    "spans": ObservationKind(
        ErrorSpan,
        ("output_id", "side", "start", "end", "severity", "category", "prefill_id"),
        7,
    ),
    # The same text again is the same answer, however long it took.
    "edits": ObservationKind(
        PostEdit, ("output_id", "outcome", "text", "keystrokes", "active_ms"), 3
    ),
    "answers": ObservationKind(
        Answer, ("output_id", "question_id", "text", "is_right"), 3, is_copied=False
    ),
    "links": ObservationKind(
        AlignmentLink, ("output_id", "source_token", "target_token", "is_sure"), 4
    ),
    # A different clock time does not make a press a different answer.
    "presses": ObservationKind(
        Press, ("output_id", "at_ms", "value", "clock_ms"), 3, is_copied=False
    ),
}
