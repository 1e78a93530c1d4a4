"""Acts as rows: for the page, the file and the API."""

from __future__ import annotations

from typing import Any

from judgments.models import Act

from .facts import KEPT_BACK
from .words import in_words

COLUMNS = (
    *("number", "at", "account", "name", "role", "act", "words", "result", "campaign", "test_set"),
    *("object", "facts", "request", "times"),
)


def listed(values: dict[str, Any]) -> str:
    """name: value; name: value. What was kept back or left empty is not told."""
    return "; ".join(
        f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in values.items()
        if value not in ("", [], KEPT_BACK)
    )


def of_file(act: Act, name: str, what: str, facts: str) -> tuple[object, ...]:
    """Return one row of the CSV, under COLUMNS, of what `names.named` says of an act
    `with_times`."""
    return (
        *(act.pk, act.at.isoformat(), act.account, name, act.role, act.act, in_words(act.act)),
        *(act.result, act.campaign, act.test_set, what, facts, act.request, act.times),  # type: ignore[attr-defined]
    )
