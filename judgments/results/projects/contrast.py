"""The value of direct contrast: campaigns of a project that judged the same texts in blocks of few
systems, drawn at random, and in blocks of all."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import product

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Campaign
from judgments.plans.choice import may_draw, variance_of_some
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.results.observations.observations import SEED
from judgments.results.scores.figures import segment_scores
from judgments.results.selection.selection import Selection
from judgments.stats.contrast import ContrastWorth, contrast_worth
from judgments.web.cache import get_or_compute
from judgments.web.tables import Column, Table, figure

from .figures import JoinedCampaigns, ProjectResults

Scores = dict[str, dict[str, float]]  # segment → system → score

COLUMNS = (
    Column("pair", gettext_lazy("Language pair"), "text"),
    Column("protocol", gettext_lazy("Protocol"), "text"),
    Column("shown", gettext_lazy("Systems in a block"), "count"),
    Column("systems", gettext_lazy("of systems"), "count"),
    Column("segments", gettext_lazy("Segments"), "count"),
    Column("documents", gettext_lazy("Documents"), "count"),
    Column("few", gettext_lazy("Variance, few"), "number"),
    Column("complete", gettext_lazy("Variance, all"), "number"),
    Column("shared", gettext_lazy("Shared"), "number"),
    Column("ratio", gettext_lazy("Few : all"), "number"),
    Column("low", gettext_lazy("95 % from"), "number"),
    Column("high", gettext_lazy("95 % to"), "number"),
    Column("break_even", gettext_lazy("Pays below"), "number"),
)


@dataclass(frozen=True)
class Experiment:
    """``shown`` of ``n_systems`` systems compared with all of them. ``break_even``: the ratio of
    variances below which few systems need fewer translations."""

    column: JoinedCampaigns
    shown: int
    n_systems: int
    worth: ContrastWorth

    @property
    def break_even(self) -> float:
        return self.n_systems / (self.shown * variance_of_some(self.n_systems, self.shown))


def experiments(results: ProjectResults) -> list[Experiment]:
    """Return experiments of campaigns that asked the same questions with the same number of
    annotators per batch, and that both have scores of the same outputs."""
    found = []
    for column in results.alike:
        plans = [(each, PlanSettings.read(each.campaign.plan)) for each in column.selections]
        plans = [each for each in plans if _is_of_one_wave(each[0].campaign)]
        few = [each for each in plans if each[1].choice == "random"]
        complete = [each for each in plans if each[1].choice == "all"]
        for (one, settings), (other, others) in product(few, complete):
            if _people(settings) == _people(others):
                found.append(_experiment(column, settings.systems_shown, one, other))
    return [each for each in found if each.worth.n_segments]


def _is_of_one_wave(campaign: Campaign) -> bool:
    """Return whether its blocks show systems, and the same ones since its first batch."""
    may = may_draw(protocol_of(campaign))
    return may and not campaign.tasks.filter(wave__gt=1).exists()


def _people(settings: PlanSettings) -> tuple[float, ...]:
    """Return how many people judge a batch."""
    return settings.seats, settings.agreement_share, settings.agreement_seats


def _experiment(
    column: JoinedCampaigns, shown: int, few: Selection, complete: Selection
) -> Experiment:
    """Return the experiment, cached until one of the campaigns has another judgment."""
    parts = "contrast", column.dimension, few.fingerprint, complete.fingerprint
    n_systems, worth = get_or_compute(
        hashlib.sha256("\n".join(parts).encode()).hexdigest(),
        lambda: _compared(column, few, complete),
        group=few.campaign.pk,
        is_current=lambda: few.is_current and complete.is_current,
    )
    return Experiment(column, shown, n_systems, worth)


def _compared(
    column: JoinedCampaigns, few: Selection, complete: Selection
) -> tuple[int, ContrastWorth]:
    """Return the number of systems, and the result."""
    sides = [_scores(column, few), _scores(column, complete)]
    systems = sorted({name for side in sides for row in side.values() for name in row})
    keys = sorted(sides[0].keys() & sides[1].keys())
    shape = len(systems), len(keys)
    tables = [
        np.array([side[key].get(name, np.nan) for name in systems for key in keys]).reshape(shape)
        for side in sides
    ]
    documents = _documents(column, few)
    of_keys = [documents[key] for key in keys]
    rng = np.random.default_rng(SEED)
    return len(systems), contrast_worth(tables[0], tables[1], of_keys, rng=rng)


def _scores(column: JoinedCampaigns, selection: Selection) -> Scores:
    found = segment_scores(selection, column.dimension or None, "raw")
    names = found.names.tolist()
    rows = zip(found.segment_ids.tolist(), found.values.T.tolist(), strict=True)
    return {
        column.identity[pk]: {n: v for n, v in zip(names, values, strict=True) if v == v}
        for pk, values in rows
    }


def _documents(column: JoinedCampaigns, selection: Selection) -> dict[str, int]:
    found = segment_scores(selection, column.dimension or None, "raw")
    ids = zip(found.segment_ids.tolist(), found.document_ids.tolist(), strict=True)
    return {column.identity[pk]: document for pk, document in ids}


def lead(results: ProjectResults) -> str:
    said = []
    for each in experiments(results):
        known = {
            "name": each.column.name,
            "shown": each.shown,
            "systems": each.n_systems,
            "ratio": figure(each.worth.ratio, 2),
            "low": figure(each.worth.low, 2),
            "high": figure(each.worth.high, 2),
            "bound": figure(each.break_even, 2),
        }
        said.append(
            _(
                "%(name)s: with %(shown)s of %(systems)s systems in a block, a difference between "
                "two varies %(ratio)s times as much as with all (95 %% %(low)s to %(high)s). Below "
                "%(bound)s, few systems in a block would take fewer translations."
            )
            % known
        )
    return " ".join(said)


def table(results: ProjectResults) -> Table:
    rows = [
        (
            *(each.column.pair_name, each.column.protocol_name, each.shown, each.n_systems),
            *(each.worth.n_segments, each.worth.n_documents),
            *(each.worth.few, each.worth.complete, each.worth.shared),
            *(each.worth.ratio, each.worth.low, each.worth.high, each.break_even),
        )
        for each in experiments(results)
    ]
    return Table("project-contrast", _("Few systems and all"), COLUMNS, rows)
