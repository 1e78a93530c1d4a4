"""What third people said of clashes, beside what the two said, and scores without and with it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import Adjudication, Campaign
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table, in_a_sentence

from ..observations.observations import Observed, dimensions_of, load
from ..observations.pairs import pairs_of
from ..observations.rows import Rows
from ..selection.selection import Selection
from . import figures

FIRST, SECOND, BOTH = "first", "second", "both"


@dataclass(frozen=True)
class ThirdOpinion:
    """Three annotators (aliases) and what they said of one output; where outputs are compared, with
    how many opposed comparisons of the two the third agrees. ``nearer``: FIRST, SECOND or BOTH."""

    asked: Adjudication
    annotators: tuple[str, str, str]
    values: tuple[float, float, float]

    @property
    def nearer(self) -> str:
        first, second, third = self.values
        agreed = first - second  # numbers of comparisons
        gap = agreed if math.isnan(third) else abs(second - third) - abs(first - third)
        return BOTH if gap == 0 else FIRST if gap > 0 else SECOND


def are_there(campaign: Campaign) -> bool:
    return campaign.adjudications.exists()


def without(selection: Selection) -> Selection:
    """Return the same judgments, third ones left out of scores."""
    filters = dataclasses.replace(selection.filters, adjudicated=None)
    return dataclasses.replace(selection, filters=filters)


def counted(selection: Selection) -> Selection:
    """Return the same judgments, third ones in scores as those of the two."""
    filters = dataclasses.replace(selection.filters, adjudicated=True)
    return dataclasses.replace(selection, filters=filters)


def opinions(selection: Selection) -> tuple[list[ThirdOpinion], int]:
    """Return those of which all three judgments count, in the order in which they were asked; of
    how many clashes that were put to a third person."""
    campaign = selection.campaign
    asked = list(campaign.adjudications.select_related("output__system", "output__segment"))
    observed = load(selection)
    items = [pk for each in asked for pk in _items(each)]
    rows = observed.rows[np.isin(observed.rows["item"], items)]
    return (_rated if observed.rates else _compared)(observed, rows, asked), len(asked)


def _rated(observed: Observed, rows: Rows, asked: Sequence[Adjudication]) -> list[ThirdOpinion]:
    slugs = [dimension.slug for dimension in observed.dimensions]
    said: dict[tuple[int, int, int, str], tuple[str, float]] = {}
    columns = ("item", "segment", "system", "dimension", "annotator", "value")
    for item, segment, system, dimension, annotator, value in zip(
        *(rows[name].tolist() for name in columns), strict=True
    ):
        place = (int(observed.segment_ids[segment]), int(observed.system_ids[system]))
        said[item, *place, slugs[dimension]] = (str(observed.annotators[annotator]), value)
    found = []
    for each in asked:
        output = each.output
        if output is None:
            continue
        of = (output.segment_id, output.system_id, each.dimension)
        of_three = [said.get((pk, *of)) for pk in _items(each)]
        known = [one for one in of_three if one is not None]
        if len(known) == len(of_three):
            (a, x), (b, y), (c, z) = known
            found.append(ThirdOpinion(each, (a, b, c), (x, y, z)))
    return found


def _compared(observed: Observed, rows: Rows, asked: Sequence[Adjudication]) -> list[ThirdOpinion]:
    pairs = pairs_of(dataclasses.replace(observed, ratings=rows, preferences=rows))
    people: dict[int, str] = {}
    said: dict[int, dict[tuple[int, int, int], int]] = {}
    of_pairs = (rows["item"][pairs.row], pairs.annotator, pairs.segment, pairs.first, pairs.second)
    for item, annotator, segment, first, second, label in zip(
        *(column.tolist() for column in (*of_pairs, pairs.label)), strict=True
    ):
        people[item] = str(observed.annotators[annotator])
        low, high, sign = (first, second, 1) if first < second else (second, first, -1)
        said.setdefault(item, {})[segment, low, high] = sign * label
    found = []
    for each in asked:
        if not all(pk in said for pk in _items(each)):
            continue
        one, other, third = (said[pk] for pk in _items(each))
        opposed = [pair for pair, label in one.items() if label and other.get(pair) == -label]
        n_first = sum(third.get(pair) == one[pair] for pair in opposed)
        n_second = sum(third.get(pair) == other[pair] for pair in opposed)
        first, second, last = (people[pk] for pk in _items(each))
        values = (float(n_first), float(n_second), math.nan)
        found.append(ThirdOpinion(each, (first, second, last), values))
    return found


def _items(asked: Adjudication) -> tuple[int, int, int]:
    return asked.first_id, asked.second_id, asked.item_id


def lead(selection: Selection) -> str:
    found, n_asked = opinions(selection)
    n_near = sum(each.nearer != BOTH for each in found)
    known = {"n": f"{len(found):,}", "asked": f"{n_asked:,}", "near": f"{n_near:,}"}
    return (
        ngettext(
            "Of %(asked)s clash that was put to a third person %(n)s is judged; %(near)s is nearer "
            "to one of the two, the rest to neither.",
            "Of %(asked)s clashes that were put to a third person %(n)s are judged; %(near)s are "
            "nearer to one of the two, the rest to neither.",
            n_asked,
        )
        % known
    )


def opinion_table(selection: Selection) -> Table:
    is_rated = bool(dimensions_of(selection.campaign))
    said = _("Said") if is_rated else _("Agreed with")
    columns = (
        Column("clash", _("Clash")),
        Column("system", _("System")),
        Column("dimension", _("Question")),
        Column("first", _("First")),
        Column("first_value", said, "number"),
        Column("second", _("Second")),
        Column("second_value", said, "number"),
        Column("third", _("Third person")),
        Column("third_value", _("Said"), "number"),
        Column("nearer", _("Nearer to"), "text"),
    )
    names = {each.slug: in_a_sentence(each.name) for each in dimensions_of(selection.campaign)}
    rows, links = [], {}
    for n, each in enumerate(opinions(selection)[0]):
        (a, b, c), (x, y, z) = each.annotators, each.values
        output = each.asked.output
        system = output.system.name if output else ""
        nearer = {FIRST: a, SECOND: b, BOTH: _("neither")}[each.nearer]
        question = names.get(each.asked.dimension, each.asked.dimension)
        rows.append((each.asked.key, system, question, a, x, b, y, c, z, nearer))
        links[n, "clash"] = reverse("clash", args=[selection.campaign.pk, each.asked.key])
    return Table("adjudication", _("Third judgments of clashes"), columns, rows, links=links)


def effect_table(selection: Selection) -> Table:
    """Return the systems' scores without and with the third judgments."""
    dimensions = dimensions_of(selection.campaign)
    options = [{"dimension": each.slug} for each in dimensions] or [{}]
    rows = []
    for each in options:
        before = figures.system_scores(without(selection), **each)
        after = figures.system_scores(counted(selection), **each)
        of_system = dict(zip(after.names.tolist(), after.mean.tolist(), strict=True))
        for i in before.order:
            name, value = str(before.names[i]), float(before.mean[i])
            new = float(of_system.get(name, math.nan))
            rows.append((each.get("dimension", ""), name, value, new, new - value))
    columns = (
        Column("dimension", _("Question")),
        Column("system", _("System")),
        Column("without", _("Without"), "number"),
        Column("with", _("With"), "number"),
        Column("difference", _("Difference"), "number"),
    )
    title = _("Scores without and with third judgments")
    return Table("adjudication-scores", title, columns, rows)


def section(selection: Selection) -> Section:
    title = _("Third judgments of clashes")
    scores = _("Scores without and with third judgments")
    return Section(
        slug="adjudication",
        title=title,
        sentence=lambda: lead(selection),
        tables=[
            Lazy("adjudication", title, lambda: opinion_table(selection)),
            Lazy("adjudication-scores", scores, lambda: effect_table(selection)),
        ],
        remark=lambda: _(
            "Clashes are chosen by people, the largest first: third judgments say nothing about "
            "how far annotators agree, and scores that include them depend on which clashes were "
            "looked at. All other figures leave them out."
        ),
        exists=cache(lambda: are_there(selection.campaign)),
    )
