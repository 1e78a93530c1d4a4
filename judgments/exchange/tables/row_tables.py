"""Tables of single rows, as long as what was judged: observations and marked errors.

Pages show none of them. Their rows come one by one, so that a million needs no memory at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.results import exports
from judgments.results.errors import files as errors
from judgments.results.selection.selection import Selection

TEXT, WHOLE, DECIMAL = "text", "whole", "decimal"
TypedColumn = tuple[str, str]  # name, kind

# What is no text among the columns of protocols.
KINDS = {
    **dict.fromkeys(("value", "seconds", "z", "z_all", "score", "keystrokes"), DECIMAL),
    **dict.fromkeys(("rank", "ranking", "preference", "strength", "item"), WHOLE),
    **dict.fromkeys(("start", "end", "suggested_start", "suggested_end"), WHOLE),
    **dict.fromkeys(("source_place", "target_place"), WHOLE),
}


@dataclass(frozen=True)
class RowTable:
    """``slug`` names its files. ``columns``: names and kinds of a selection; ``rows``: as long as
    these, "" or None where there is nothing. ``asked``: whether a campaign has the table."""

    slug: str
    title: str | Promise
    columns: Callable[[Selection], Sequence[TypedColumn]]
    rows: Callable[[Selection], Iterator[Sequence[object]]]
    asked: Callable[[Campaign], bool]


def typed(names: Sequence[str]) -> tuple[TypedColumn, ...]:
    """Return the columns of a protocol's table with their kinds."""
    return tuple((name, KINDS.get(name, TEXT)) for name in names)


def _always(campaign: Campaign) -> bool:
    return True


def _marks_errors(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("errors")


def _of_observations(selection: Selection) -> tuple[TypedColumn, ...]:
    return typed(exports.observation_columns(selection))


def _of_errors(selection: Selection) -> tuple[TypedColumn, ...]:
    return typed(errors.COLUMNS)


OBSERVATIONS = RowTable(
    "observations", _("Observations"), _of_observations, exports.observation_rows, _always
)
SPANS = RowTable("spans", _("Marked errors"), _of_errors, errors.rows, _marks_errors)


def row_tables(campaign: Campaign) -> list[RowTable]:
    """Return those that a campaign has."""
    return [table for table in (OBSERVATIONS, SPANS) if table.asked(campaign)]
