"""Stored observations of one judgment, whatever their kinds: read, compared, and written."""

from dataclasses import replace
from typing import NamedTuple

from django.db.models import Model

from judgments.models import (
    AlignmentLink,
    Answer,
    ErrorSpan,
    Judgment,
    PostEdit,
    Preference,
    Rating,
)
from judgments.prepared import Prepared
from judgments.protocols.base import Observations


class Kind(NamedTuple):
    """model: where rows are kept. columns: what a row of `Observations` holds, in its order.
    compared: how many of these columns, from the first, tell whether two answers are the same."""

    model: type[Model]
    columns: tuple[str, ...]
    compared: int


# By their names in `Observations`, which are the names of the relations of a judgment too.
KINDS = {
    "ratings": Kind(Rating, ("output_id", "dimension", "value"), 3),
    "preferences": Kind(Preference, ("output_a_id", "output_b_id", "value", "strength"), 4),
    "spans": Kind(
        ErrorSpan,
        ("output_id", "side", "start", "end", "severity", "category", "prefill_id"),
        7,
    ),
    # The same text again is the same answer, however long it took.
    "edits": Kind(PostEdit, ("output_id", "outcome", "text", "keystrokes", "active_ms"), 3),
    "answers": Kind(Answer, ("output_id", "question_id", "text", "is_right"), 3),
    "links": Kind(AlignmentLink, ("output_id", "source_token", "target_token", "is_sure"), 4),
}
# Written by the statement that stores the judgment itself.
AT_ONCE = {"ratings", "preferences"}

rows_of = {
    name: Prepared(
        lambda judgment, model=kind.model: model.objects.filter(judgment=judgment), (int,)
    )
    for name, kind in KINDS.items()
}


def load_observations(names: tuple[str, ...], judgment: Judgment) -> None:
    """Fill the relations of these names, as prefetch_related would."""
    for name in names:
        queryset = getattr(judgment, name).all()
        queryset._result_cache = rows_of[name](judgment.pk)
        vars(judgment).setdefault("_prefetched_objects_cache", {})[name] = queryset


def as_sets(names: tuple[str, ...], said: Observations) -> list[set]:
    """What an answer says, to be compared with `said_by`."""
    return [{row[: KINDS[name].compared] for row in getattr(said, name)} for name in names]


def said_by(names: tuple[str, ...], judgment: Judgment) -> list[set]:
    """What a stored judgment says."""
    load_observations(names, judgment)
    return [
        {
            tuple(getattr(row, column) for column in KINDS[name].columns[: KINDS[name].compared])
            for row in getattr(judgment, name).all()
        }
        for name in names
    ]


def write(judgment: Judgment, said: Observations) -> None:
    """Store the observations of the kinds that are not stored with the judgment."""
    for name, kind in KINDS.items():
        rows = () if name in AT_ONCE else getattr(said, name)
        if not rows:
            continue
        kind.model._default_manager.bulk_create(
            kind.model(
                judgment_id=judgment.pk,
                **dict(zip(kind.columns, row, strict=True)),
                **({} if name == "answers" else {"is_copy": row[0] in said.copies}),
            )
            for row in rows
        )


def with_twins(said: Observations, rows) -> Observations:
    """What was said of a text, said of every output of the same segment that reads so.

    rows: the ItemOutputs of the screen, all of them. Of two outputs that are compared both are
    shown, and a question is about one of them, so preferences and answers stay as they are.
    """
    text_of = {row.output_id: (row.output.segment_id, row.output.text) for row in rows}
    outputs_of: dict[tuple[int, str], list[int]] = {}
    for output, text in text_of.items():
        outputs_of.setdefault(text, []).append(output)
    copies = text_of.keys() - {outputs[0] for outputs in outputs_of.values()}
    if not copies:
        return said

    def twins(row):
        return outputs_of[text_of[row[0]]]

    return replace(
        said,
        ratings=tuple((twin, *row[1:]) for row in said.ratings for twin in twins(row)),
        spans=tuple(row._replace(output_id=twin) for row in said.spans for twin in twins(row)),
        edits=tuple(row._replace(output_id=twin) for row in said.edits for twin in twins(row)),
        links=tuple(row._replace(output_id=twin) for row in said.links for twin in twins(row)),
        copies=frozenset(copies),
    )
