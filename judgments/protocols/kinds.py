"""The kinds of observations: where each is stored, and what tells two answers apart."""

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
    """model: where rows are kept. columns: what a row of `Observations` holds, in its order.
    compared: how many of these columns, from the first, tell whether two answers are the same.
    is_copied: whether what is said of a text, by its first column, is said of every output that
    reads the same."""

    model: type[Model]
    columns: tuple[str, ...]
    compared: int
    is_copied: bool = True


# By their names in `Observations`, which are the names of the relations of a judgment too. Of two
# outputs that are compared both are shown, and a question is about one, so neither is copied.
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
    # When something was pressed, by the clock, is no other answer.
    "presses": ObservationKind(
        Press, ("output_id", "at_ms", "value", "clock_ms"), 3, is_copied=False
    ),
}
