"""Acts as rows: for the page, the file and the API."""

from __future__ import annotations

from typing import Any

from judgments.models import Act

from .words import in_words

COLUMNS = (
    *("number", "at", "account", "role", "act", "words", "result", "campaign", "test_set"),
    *("object", "facts", "request"),
)


def listed(values: dict[str, Any]) -> str:
    """name: value; name: value."""
    return "; ".join(
        f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in values.items()
        if value not in ("", [])
    )


def of_file(act: Act) -> tuple[object, ...]:
    """One row of the CSV, under COLUMNS."""
    return (
        *(act.pk, act.at.isoformat(), act.account, act.role, act.act, in_words(act.act)),
        *(act.result, act.campaign, act.test_set),
        *(listed(act.objects_named), listed(act.facts), act.request),
    )
