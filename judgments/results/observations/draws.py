"""Draws of a plan: the systems that its blocks were to show, and their probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from judgments.models import Campaign, ItemOutput, Kind
from judgments.plans.choice import draws_systems
from judgments.stats.planning.choice import SystemChoice

from .tables import places


@dataclass(frozen=True)
class Draws:
    """``systems`` (S,): the positions, in `Observed`, of those that were drawn. ``shown`` (S, n):
    whether the plan shows them with each segment of the test set; ``wave`` (n,) of each segment,
    from 0, -1 if it is in no plan; ``choices``: the probabilities of each planned wave, of
    ``n_waves`` in all."""

    systems: np.ndarray
    shown: np.ndarray
    wave: np.ndarray
    choices: tuple[SystemChoice, ...]
    n_waves: int


def draws_of(
    campaign: Campaign, system_names: np.ndarray, system_ids: np.ndarray, segment_ids: np.ndarray
) -> Draws | None:
    """Return the draws of a campaign whose plan shows some of the systems in a block; None for
    others."""
    if not draws_systems(campaign):
        return None
    tasks = campaign.tasks.filter(choice__isnull=False).order_by("batch")
    stored: list[Any] = list(tasks.values_list("choice", flat=True))
    waves = {each["wave"]: each for each in stored}
    if not waves:
        return None
    last = waves[max(waves)]
    at = np.array([i for i, name in enumerate(system_names) if name in last["chances"]], np.intp)
    choices = tuple(
        SystemChoice(
            np.array([waves[wave]["chances"][name] for name in system_names[at]]),
            waves[wave]["size"],
        )
        for wave in sorted(waves)
    )
    rows = ItemOutput.objects.filter(
        item__task__campaign=campaign,
        item__task__choice__isnull=False,
        item__kind=Kind.REGULAR,
    ).exclude(output__system__in=set(system_ids.tolist()) - set(system_ids[at].tolist()))
    columns = rows.values_list(
        "item__segment_id", "output__system_id", "item__task__choice__wave"
    ).distinct()
    found = np.array(list(columns.order_by()), np.int64).reshape(-1, 3)
    segment = places(found[:, 0], segment_ids)
    shown = np.zeros((len(at), len(segment_ids)), bool)
    shown[places(found[:, 1], system_ids[at]), segment] = True
    wave = np.full(len(segment_ids), -1)
    wave[segment] = found[:, 2] - 1
    return Draws(at, shown, wave, choices, int(last["waves"]))
