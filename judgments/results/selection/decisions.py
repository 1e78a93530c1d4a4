"""Who was left out of the results, by whom, and why."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from judgments.results.selection.selection import Selection
from judgments.web.columns import DECISIONS, REMOVED_ITEMS
from judgments.web.sections import FILE, Lazy, Section, table_objects
from judgments.web.tables import Table

from ..segments.links import from_annotators


def decision_rows(selection: Selection) -> list[tuple]:
    """Return the log of decisions, the first one first; people go by their names in the
    campaign."""
    return [
        (
            selection.alias(d.annotator_id),
            d.dimension,
            _("left out") if d.excluded else _("included again"),
            d.reason,
            selection.aliases.get(d.decided_by_id, f"user {d.decided_by_id}"),
            d.decided_at.isoformat(timespec="seconds"),
        )
        for d in selection.campaign.decisions.order_by("pk")
    ]


def decisions(selection: Selection) -> list[dict[str, Any]]:
    """Return the same log as objects."""
    return table_objects(decision_table(selection))


def decision_table(selection: Selection) -> Table:
    rows = decision_rows(selection)
    links = from_annotators(selection.everyone, rows)
    return Table("quality-decisions", _("Decisions on annotators"), DECISIONS, rows, "", links)


def decision_section(selection: Selection) -> Section:
    title = _("Decisions on annotators")
    table = Lazy("quality-decisions", title, lambda: decision_table(selection))

    def sentence() -> str:
        return "" if selection.campaign.decisions.exists() else _("Nobody has ever been left out.")

    return Section("decisions", title, sentence, tables=[table])


def item_table(selection: Selection) -> Table:
    """Return the log of decisions on segments and single translations, the first one first."""
    items = selection.campaign.removed_items.order_by("pk")
    rows = [
        (
            key,
            system or "",
            _("left out") if removed else _("included again"),
            reason,
            selection.aliases.get(by, f"user {by}"),
            at.isoformat(timespec="seconds"),
        )
        for key, system, removed, reason, by, at in items.values_list(
            "segment__key", "system__name", "removed", "reason", "decided_by", "decided_at"
        )
    ]
    return Table("quality-removed-items", _("Decisions on segments"), REMOVED_ITEMS, rows)


def removed_items(selection: Selection) -> list[dict[str, Any]]:
    """Return the same log as objects."""
    return table_objects(item_table(selection))


def item_section(selection: Selection) -> Section:
    """Only a file: a release may leave out thousands."""
    title = _("Decisions on segments")
    table = Lazy("quality-removed-items", title, lambda: item_table(selection), FILE)
    exists = selection.campaign.removed_items.exists
    return Section("removed-items", title, tables=[table], exists=exists)
