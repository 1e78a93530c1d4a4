"""Differences of systems that were drawn for each block, from rows that were loaded."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from judgments.stats.chosen_systems import WeightedDifferences, weighted_differences

from ..observations.draws import Draws
from ..observations.tables import places

LACKING = gettext_noop("of systems that are drawn, some have no ratings here")


def weighted_by_chances(
    draws: Draws,
    table: np.ndarray,
    systems: np.ndarray,
    segments: np.ndarray,
    documents: np.ndarray,
) -> WeightedDifferences:
    """Return differences of ``table`` (S, n), scores of ``systems`` (S,) on ``segments`` (n,),
    positions in `Observed`, with their ``documents`` (n,). Segments that are only partly judged are
    left out: what was judged of them is not random. Arrays of the result are (S, S), NaN for
    systems that were not drawn; all NaN, with a ``reason``, while one of the drawn has no rating.
    """
    at = places(draws.systems, systems)
    if (at < 0).any():
        nothing = weighted_differences(np.zeros((0, 0)), [], [], [])
        return dataclasses.replace(_spread(nothing, at[:0], len(systems)), reason=LACKING)
    shown, wave = draws.shown[:, segments], draws.wave[segments]
    scores = np.where(shown, table[at], np.nan)
    whole = (wave >= 0) & ~(shown & np.isnan(scores)).any(axis=0)
    found = weighted_differences(scores[:, whole], documents[whole], wave[whole], draws.choices)
    return _spread(found, at, len(systems))


def _spread(found: WeightedDifferences, at: np.ndarray, n: int) -> WeightedDifferences:
    """Return the result with its systems at the positions ``at`` among ``n``."""
    wider: dict[str, Any] = {}
    for name in ("estimate", "se", "low", "high", "z", "p_values", "adjusted"):
        whole = np.full((n, n), np.nan)
        whole[np.ix_(at, at)] = getattr(found, name)
        wider[name] = whole
    return dataclasses.replace(found, **wider)
