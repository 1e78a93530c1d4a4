"""Acts in Django's admin: what its own log says of them, and the campaign that they concern."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db.models import Max, Model

from judgments.models import Act, Campaign, TestSet

MOST_ENTRIES = 20


class AdminRows:
    """What the admin is about to change; made before its view runs, since that may delete it."""

    def __init__(self, name: str, named: dict[str, Any]) -> None:
        self.last = LogEntry.objects.aggregate(last=Max("pk"))["last"] or 0
        self.numbers = numbers_of(found(name, str(named.get("object_id", ""))))

    def fill(self, row: Act) -> None:
        """Add to an act the campaign or test set that it concerns, and the entries of the log."""
        entries = LogEntry.objects.filter(pk__gt=self.last, user_id=row.user or 0).order_by("pk")
        shown = entries.select_related("content_type")[:MOST_ENTRIES]
        for entry in shown:
            kind = entry.content_type
            assert kind is not None  # types of content are not deleted
            told = entry.get_change_message() or entry.get_action_flag_display()
            row.facts[f"{kind.model} {entry.object_id}"] = str(told)[:200]
            name = f"{kind.app_label}_{kind.model}_change"
            self.numbers = self.numbers or numbers_of(found(name, entry.object_id or ""))
        row.campaign = row.campaign or self.numbers.get("campaign")
        row.test_set = row.test_set or self.numbers.get("test_set")


def found(name: str, key: str) -> Model | None:
    """Return the row of an address such as admin:judgments_membership_change."""
    label, _, rest = name.removeprefix("admin:").partition("_")
    model = rest.rpartition("_")[0]
    if not key.isdecimal() or not label or not model:
        return None
    try:
        return apps.get_model(label, model)._base_manager.filter(pk=int(key)).first()
    except LookupError:
        return None


def numbers_of(row: Model | None) -> dict[str, int]:
    """Return the campaign or test set that a row is, or belongs to."""
    if isinstance(row, Campaign):
        return {"campaign": row.pk}
    if isinstance(row, TestSet):
        return {"test_set": row.pk}
    for name in ("campaign", "test_set"):
        if number := getattr(row, f"{name}_id", None):
            return {name: number}
    return {}
