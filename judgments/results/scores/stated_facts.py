"""What is stated of systems, as columns of tables."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import facts_of
from judgments.results.selection.selection import Selection
from judgments.web.tables import Column

FACTS = (
    Column("kind", gettext_lazy("Kind"), "text"),
    Column("control", gettext_lazy("Control"), "text"),
    Column("human", gettext_lazy("Human"), "text"),
    Column("parameters", gettext_lazy("Parameters"), "count"),
    Column("words_per_second", gettext_lazy("Words per second"), "number"),
    Column("post_edited_from", gettext_lazy("Post-edited from"), "text"),
)


def stated(selection: Selection) -> tuple[dict[int, dict[str, Any]], list[Column]]:
    """Return what is stated of systems, by their ids, and the columns of what is known of any."""
    facts = {
        pk: {
            "kind": each.kind or None,
            "control": _("of known weakness") if each.is_control else None,
            "human": {True: _("yes"), False: _("no"), None: None}[each.is_human],
            "parameters": each.parameters,
            "words_per_second": each.words_per_second,
            "post_edited_from": getattr(each.post_edited_from, "name", None),
        }
        for pk, each in facts_of(selection.campaign.test_set).items()
    }
    return facts, [c for c in FACTS if any(own[c.key] is not None for own in facts.values())]
