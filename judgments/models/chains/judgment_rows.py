"""Judgments as they are in the database now, as the text that is hashed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judgments.models import (
    AlignmentLink,
    Answer,
    ErrorSpan,
    Judgment,
    PostEdit,
    Preference,
    Press,
    Rating,
)

from .content import COLUMNS, Head, content

MODELS = {
    "ratings": Rating,
    "preferences": Preference,
    "spans": ErrorSpan,
    "edits": PostEdit,
    "answers": Answer,
    "links": AlignmentLink,
    "presses": Press,
}
HEAD = (
    *("campaign_id", "item__task_id", "item_id", "annotator_id", "client_key", "revision"),
    *("supersedes_id", "started_at", "submitted_at", "active_ms", "guideline_version"),
)
AT_ONCE = 2000


class JudgmentContent(NamedTuple):
    """A judgment as it is in the database: its head, and the text that is hashed."""

    pk: int
    head: Head
    content: str


def read(ids: Sequence[int]) -> Iterator[JudgmentContent]:
    """Yield the judgments among these that exist, in the order of the ids."""
    for start in range(0, len(ids), AT_ONCE):
        yield from _some(ids[start : start + AT_ONCE])


def _some(ids: Sequence[int]) -> Iterator[JudgmentContent]:
    rows = Judgment.objects.filter(pk__in=ids).order_by().values_list("pk", *HEAD)
    heads = {pk: Head._make([*row[:4], str(row[4]), *row[5:]]) for pk, *row in rows}
    said = observations_of(list(heads))
    for pk in ids:
        if pk in heads:
            yield JudgmentContent(pk, heads[pk], content(heads[pk], said[pk]))


def observations_of(ids: Sequence[int]) -> dict[int, dict[str, list[tuple]]]:
    """Return {judgment: {kind: rows as `COLUMNS` has them}}"""
    said: dict[int, dict[str, list[tuple]]] = {pk: {} for pk in ids}
    for kind, model in MODELS.items():
        found = model._default_manager.filter(judgment__in=ids).order_by()
        for pk, *row in found.values_list("judgment_id", *COLUMNS[kind]):
            said[pk].setdefault(kind, []).append(tuple(row))
    return said
