"""The systems that blocks showed, their probabilities, and inference on their differences."""

from __future__ import annotations

from functools import cache

from django.utils.translation import gettext as _

from judgments.models import Campaign
from judgments.plans.errors import PlanError
from judgments.stats.chosen_systems import contenders
from judgments.stats.planning.choice import DECIDED_CHANCE
from judgments.web import plurals as counted
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Column, Table, figure

from ..observations.draws import Draws, draws_of
from ..observations.observations import load
from ..observations.tables import places
from ..selection.selection import Selection
from .chances import weighted_by_chances
from .figures import segment_scores_of
from .pair_test import pair_test_of


def section(selection: Selection) -> Section:
    """Return how the systems of blocks were drawn; omitted for campaigns that draw none."""
    title, chances = _("Choice of systems"), _("Chances of the systems")
    draws = cache(lambda: _draws(selection))
    return Section(
        slug="choice-of-systems",
        title=title,
        sentence=lambda: lead(draws()),
        tables=[Lazy("choice-of-systems", chances, lambda: table(selection, draws()), ASIDE)],
        exists=lambda: draws() is not None,
        level=3,
    )


def contenders_of(campaign: Campaign) -> list[int]:
    """Return the systems, by their ids, that are still undecided in a race, by the judgments of
    people who are not excluded, on the first dimension. Raise PlanError if that cannot be
    determined."""
    selection, how = Selection.of(campaign), pair_test_of(campaign)
    observed = load(selection)
    if observed.draws is None:
        raise PlanError("This campaign has no race of systems.")
    scores = segment_scores_of(observed, None, how.compared_by)
    found = weighted_by_chances(
        observed.draws,
        scores.values,
        places(scores.system_ids, observed.system_ids),
        places(scores.segment_ids, observed.segment_ids),
        scores.document_ids,
    )
    if found.reason:
        raise PlanError(f"It cannot be said yet which systems are in question: {found.reason}.")
    return [int(pk) for pk in scores.system_ids[contenders(found, "top")]]


def _draws(selection: Selection) -> Draws | None:
    """Return the draws as they are planned now: a wave may have been added since the last
    judgment."""
    observed = load(selection)
    return draws_of(
        selection.campaign, observed.system_names, observed.system_ids, observed.segment_ids
    )


def lead(draws: Draws | None) -> str:
    """Return what was drawn, how it is weighted, and whether the race has ended."""
    assert draws is not None  # the section exists
    last = draws.choices[-1]
    known = {"systems": counted.systems(len(draws.systems)), "wave": f"{len(draws.choices):,}"}
    known["waves"] = f"{draws.n_waves:,}"
    if last.size is not None:
        known["size"] = f"{last.size:,}"
        known["one"] = figure(1 / last.meeting[0, 1], 1)
        said = _(
            "Blocks show %(size)s of %(systems)s, drawn at random; two of them meet in one of "
            "%(one)s blocks."
        )
    else:
        n = int((last.chances == 1).sum())
        known["n"], known["chance"] = f"{n:,}", figure(DECIDED_CHANCE, 1)
        said = _(
            "Wave %(wave)s of %(waves)s shows %(n)s of %(systems)s in every block, the others with "
            "probability %(chance)s each."
        )
        if n == len(last.chances):
            said = _("Wave %(wave)s of %(waves)s shows all of %(systems)s in every block.")
    weighed = _(
        "Each difference is divided by the chance that both systems were shown, directly and by "
        "way of third ones, and summed by document; intervals hold for all pairs at once."
    )
    parts = [said % known, weighed]
    if len(draws.choices) < draws.n_waves:
        early = _(
            "This is final after wave %(waves)s. If you stop earlier because of these results, "
            "the 5 %% no longer hold."
        )
        parts.append(early % known)
    return " ".join(parts)


def table(selection: Selection, draws: Draws | None) -> Table:
    """Return for each wave and system its probability, and in how many of the planned segments it
    is shown."""
    assert draws is not None  # the section exists
    names = load(selection).system_names[draws.systems]
    rows = []
    for k, choice in enumerate(draws.choices):
        in_wave = draws.wave == k
        n_shown = (draws.shown & in_wave).sum(axis=1)
        n = int(in_wave.sum())
        rows += [
            (k + 1, str(name), float(chance), choice.size, int(shown), n)
            for name, chance, shown in zip(names, choice.chances, n_shown, strict=True)
        ]
    columns = (
        Column("wave", _("Wave"), "count"),
        Column("system"),
        Column("chance", _("Chance"), "number", _("That a block shows the system")),
        Column("size", _("Shown together"), "count", _("Empty: each is drawn independently")),
        Column("n_shown", _("Segments with it"), "count"),
        Column("n_segments", _("Segments"), "count"),
    )
    note = _(
        "Two systems that are drawn independently meet with the product of their chances; of n "
        "of N systems at random two meet with n(n − 1)/(N(N − 1))."
    )
    return Table("choice-of-systems", _("Chances of the systems"), columns, rows, note)
