"""How much better: answers to pairwise comparisons that ask for a strength. Empty for others."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Campaign, Preference, kind_of_output
from judgments.protocols import protocol_of
from judgments.results.observations.observations import scored_kinds
from judgments.results.selection.selection import Selection
from judgments.web.sections import Lazy, ResultsPage, Section, table_objects
from judgments.web.tables import Column, Table

from .head_to_head import links_of

CLEARLY = 2  # without a strength, as from a file, a preference counts as slight
STEPS = (2, 1, 0, -1, -2)


def has_strengths(campaign: Campaign) -> bool:
    return protocol_of(campaign).asks_strength


def counts(selection: Selection) -> dict[tuple[str, str], Counter[int]]:
    """By two systems in the order of their names, how often each step was chosen: 2 where the first
    is clearly better, -2 where the second is. Without annotators who are left out."""
    rows = selection.rows_of(
        Preference.objects.annotate(
            kind=kind_of_output("judgment__item", "output_a", "output_b")
        ).filter(kind__in=scored_kinds(selection)),
        outputs=("output_a", "output_b"),
    )
    found: dict[tuple[str, str], Counter[int]] = {}
    columns = ("output_a__system__name", "output_b__system__name", "value", "strength")
    for first, second, sign, strength in rows.order_by("pk").values_list(*columns).iterator():
        step = sign * (strength or 1)
        if second < first:
            first, second, step = second, first, -step
        found.setdefault((first, second), Counter())[step] += 1
    return dict(sorted(found.items()))


def lead(selection: Selection) -> str:
    every: Counter[int] = Counter()
    for steps in counts(selection).values():
        every.update(steps)
    n = every.total()
    if not n:
        return _("No comparison has been judged yet.")
    clear = sum(every[step] for step in STEPS if abs(step) == CLEARLY)
    return ngettext(
        "Of %(n)s comparison %(clear)s say that one translation is clearly better, %(slight)s "
        "slightly, and %(equal)s that both are equal. The scores above use only which one is "
        "better, not by how much.",
        "Of %(n)s comparisons %(clear)s say that one translation is clearly better, %(slight)s "
        "slightly, and %(equal)s that both are equal. The scores above use only which one is "
        "better, not by how much.",
        n,
    ) % {
        "n": f"{n:,}",
        "clear": _percent(clear, n),
        "slight": _percent(n - clear - every[0], n),
        "equal": _percent(every[0], n),
    }


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %"


def table(selection: Selection) -> Table:
    columns = (
        Column("first", _("System"), "text"),
        Column("second", _("against"), "text"),
        Column("first_clearly", _("Clearly better"), "count", _("The first is clearly better")),
        Column("first_slightly", _("Slightly better"), "count", _("The first is slightly better")),
        Column("equal", _("Equal"), "count"),
        Column("second_slightly", _("Slightly worse"), "count", _("The second is slightly better")),
        Column("second_clearly", _("Clearly worse"), "count", _("The second is clearly better")),
        Column("n", _("Comparisons"), "count"),
    )
    rows = [
        (*pair, *(steps[step] for step in STEPS), steps.total())
        for pair, steps in counts(selection).items()
    ]
    links = links_of(selection, rows, ("first", "second"))
    return Table("strengths", _("How much better"), columns, rows, links=links)


def section(selection: Selection) -> Section:
    title = _("How much better")
    return Section(
        slug="strengths",
        title=title,
        sentence=lambda: lead(selection),
        tables=[Lazy("strengths", title, lambda: table(selection))],
    )


def data(selection: Selection) -> dict[str, Any]:
    return {"pairs": pair_objects(selection)}


def pair_objects(selection: Selection) -> list[dict[str, Any]]:
    """Return the rows of `table` by their columns; none where the campaign does not ask."""
    return table_objects(table(selection)) if has_strengths(selection.campaign) else []


PAGE = ResultsPage(
    "strengths",
    gettext_lazy("How much better"),
    lambda selection: [section(selection)],
    data,
    asked=has_strengths,
    shown_at="scores",
)
