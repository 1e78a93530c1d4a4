"""The one test by which a campaign says which of its systems differ, on every page and file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction

from judgments.models import Campaign
from judgments.models.chains import record
from judgments.models.locks import lock_campaign
from judgments.plans.settings import DECISION, PlanSettings
from judgments.stats.head_to_head import adjusted_pairs
from judgments.stats.pair_tests import compare_systems, two_sided

ALPHA = 0.05


@dataclass(frozen=True)
class PairTest:
    """``compared_by``: the normalization of the scores; ``test`` and ``adjust`` as the plan's
    settings ``test`` and ``promise`` have them. All pairs of systems are one family, two-sided."""

    compared_by: str = "raw"
    test: str = "signed-rank"
    adjust: str = "holm"

    @property
    def options(self) -> dict[str, Any]:
        """As a key of the cache can hold it."""
        return dataclasses.asdict(self)

    def p_values(
        self, table: np.ndarray, clusters: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Return two-sided p (S, S) of scores (S, n); what is of one of the ``clusters`` (n,) goes
        together. Without any that are, the signed-rank test is exact for up to 50 differences."""
        name = self.named(len(np.unique(clusters)) < len(clusters))
        return two_sided(compare_systems(table, test=name, documents=clusters, rng=rng))

    def named(self, is_clustered: bool) -> str:
        """Return the test as `judgments.stats.pair_tests` calls it."""
        return f"{self.test}-documents" if is_clustered else self.test

    def adjusted(self, p_values: np.ndarray) -> np.ndarray:
        """Return two-sided p (S, S), adjusted for all pairs."""
        return adjusted_pairs(p_values, self.adjust)


def pair_test_of(campaign: Campaign) -> PairTest:
    """Return what the campaign's plan says, or the defaults."""
    settings = PlanSettings.read(campaign.plan)
    return PairTest(settings.compared_by, settings.test, settings.promise)


@transaction.atomic
def change_pair_test(campaign: Campaign, chosen: Mapping[str, str]) -> None:
    """Keep another choice of the settings in `DECISION`, on record."""
    campaign = lock_campaign(campaign.pk)
    settings = {key: value for key, value in campaign.plan.items() if key not in DECISION}
    campaign.plan = settings | PlanSettings.read(chosen).stored()
    campaign.save(update_fields=["plan"])
    record.note(campaign.pk, "test of systems changed", "campaign")
