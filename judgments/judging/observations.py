"""Stored observations of one judgment, whatever their kinds: read, compared, and written."""

from dataclasses import replace
from typing import Any

from django.db.models import prefetch_related_objects

from judgments.models import Judgment
from judgments.models.new_observations import Observations
from judgments.protocols.kinds import KINDS

# Written by the statement that stores the judgment itself.
AT_ONCE = {"ratings", "preferences"}


def as_sets(names: tuple[str, ...], said: Observations) -> list[set]:
    """Return what an answer says, to be compared with `said_by`."""
    return [{row[: KINDS[name].compared] for row in getattr(said, name)} for name in names]


def said_by(names: tuple[str, ...], judgment: Judgment) -> list[set]:
    """Return what a stored judgment says."""
    prefetch_related_objects([judgment], *names)
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
                **({"is_copy": row[0] in said.copies} if kind.is_copied else {}),
            )
            for row in rows
        )


def reads_as(row, control: int | None) -> tuple:
    """Return what two outputs of a screen have alike that read the same. A control, an altered
    output or the output with the id `control`, is nobody's twin: what is said of it is of another
    kind."""
    is_control = row.altered is not None or row.output_id == control
    return row.output.segment_id, row.text, row.output_id if is_control else None


def with_twins(said: Observations, rows, control: int | None = None) -> Observations:
    """Return what was said of a text, said of every output of the same segment that reads so.

    rows: the ItemOutputs of the screen, all of them; control: see `reads_as`. Some kinds stay as
    they are.
    """
    text_of = {row.output_id: reads_as(row, control) for row in rows}
    outputs_of: dict[tuple, list[int]] = {}
    for output, text in text_of.items():
        outputs_of.setdefault(text, []).append(output)
    copies = text_of.keys() - {outputs[0] for outputs in outputs_of.values()}
    if not copies:
        return said

    def twins(row):
        return outputs_of[text_of[row[0]]]

    copied: dict[str, Any] = {
        name: tuple((twin, *row[1:]) for row in getattr(said, name) for twin in twins(row))
        for name, kind in KINDS.items()
        if kind.is_copied
    }
    return replace(said, copies=frozenset(copies), **copied)
