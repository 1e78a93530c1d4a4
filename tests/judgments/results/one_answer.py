"""What every page, file and address says of each pair of systems, gathered to be compared."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from judgments.publishing.report.contents import report_of
from judgments.results.observations.observations import dimensions_of
from judgments.results.selection.selection import Selection
from judgments.web.sections import tables_of
from judgments.web.tables import Table

PAIRS = (("system", "against"), ("first", "second"))
SAID = ("p", "p_adjusted", "difference", "separated")
# Of one segment, and of expected wins in place of comparisons.
OTHERS = ("compared-segments", "learning-pairs-comparisons")

Answers = dict[tuple[str, frozenset[str], str], dict[Any, set[str]]]


def answers_of(campaign, client) -> Answers:
    """By dimension, pair and what is said: the values, and where each of them stands."""
    selection = Selection.of(campaign)
    found: Answers = defaultdict(lambda: defaultdict(set))
    for lazy, _ in tables_of(selection):
        _read(found, campaign, lazy.make(), f"table {lazy.slug}")
    for grid in report_of(selection).grids:
        _read(found, campaign, grid.table, f"report {grid.table.slug}")
    slugs = [each.slug for each in dimensions_of(campaign)] or [""]
    for slug in slugs:
        asked = {"dimension": slug} if slug else {}
        for name in ("api-scores", "api-power"):
            response = client.get(reverse(name, args=[campaign.pk]), asked).json()
            for row in response["pairs"]:
                names = (row.get("system") or row["first"], row.get("against") or row.get("second"))
                _say(found, slug, names, row, name)
        systems = {name for key in list(found) for name in key[1] if key[0] == slug}
        for first in sorted(systems)[:2]:
            for second in sorted(systems - {first}):
                page = client.get(
                    reverse("compare", args=[campaign.pk]), {"a": first, "b": second} | asked
                )
                for section in page.context["sections"]:
                    for each in section.tables:
                        if each.slug == "compared":
                            _read(found, campaign, each.make(), "compare")
    return found


def _read(found: Answers, campaign, table: Table | None, where: str) -> None:
    if table is None or table.slug in OTHERS:
        return
    names = {each.name: each.slug for each in dimensions_of(campaign)}
    own = next((s for s in names.values() if f"-{s}" in table.slug), "")
    keys = list(table.keys)
    for pair in PAIRS:
        if set(pair) <= set(keys) and set(SAID) & set(keys):
            for values in table.rows:
                row = dict(zip(keys, values, strict=True))
                slug = row.get("dimension", own)
                _say(found, names.get(slug, slug), [row[key] for key in pair], row, where)
    if table.slug.startswith("p-"):
        for values in table.rows:
            for other, p in zip(keys[1:], values[1:], strict=True):
                if p is not None:
                    _say(found, own, (values[0], other), {"p_adjusted": p}, where)


def _say(found: Answers, slug: str, names, row: dict[str, Any], where: str) -> None:
    for key in SAID:
        value = row.get(key)
        if value is None or value != value:
            continue
        if key == "separated":
            value = value in (True, "yes")
        elif key == "difference":
            value = round(abs(value), 9)
        found[slug, frozenset(map(str, names)), key][value].add(where)


def contradictions(found: Answers) -> Iterator[str]:
    """What is said in two ways."""
    for (slug, pair, key), values in found.items():
        if len(values) > 1:
            yield f"{slug} {sorted(pair)} {key}: {dict(values)}"
