"""Judgments of several waves of a plan: which systems are compared, by which scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from judgments.models import Judgment, Kind
from judgments.results.observations.observations import KINDS, SCORED_KINDS, Observed
from judgments.results.observations.tables import places
from judgments.results.selection.selection import Selection
from judgments.web.plurals import names

LINKING = [KINDS.index(kind) for kind in (*SCORED_KINDS, Kind.CONTROL.value)]


@dataclass(frozen=True)
class Waves:
    """``judgments``: ids, in ascending order, from waves after the first; ``numbers`` of their
    waves."""

    judgments: np.ndarray
    numbers: np.ndarray

    def of(self, judgments: np.ndarray) -> np.ndarray:
        """Return the wave of each of these judgments."""
        at = places(judgments, self.judgments)
        return np.where(at < 0, 1, self.numbers[at])


def later_waves(selection: Selection) -> Waves | None:
    """Return the later waves; None if only the first wave has judgments."""
    if len(selection.waves) < 2:
        return None
    rows = Judgment.objects.filter(campaign=selection.campaign, item__task__wave__gt=1)
    found = np.array(rows.order_by("pk").values_list("pk", "item__task__wave"), np.int64)
    return Waves(*found.T.copy()) if len(found) else None


@dataclass(frozen=True)
class LinkedRatings:
    """Columns (n,) of a mixed model: codes of systems, of annotators (different ones in each wave,
    because people grow stricter), of segments, and of waves, None if there is one."""

    system: np.ndarray
    annotator: np.ndarray
    segment: np.ndarray
    value: np.ndarray
    wave: np.ndarray | None = None


def linked(
    observed: Observed, slug: str, systems: np.ndarray, later: Waves | None
) -> LinkedRatings:
    """Return the ratings of a dimension by which these systems are compared. Calibration items link
    waves, so they count if there are several."""
    rows = observed.of_dimension(slug).ratings
    rows = rows[rows.among("kind", LINKING if later else LINKING[:-1])]
    if later is None:
        columns = (rows[name] for name in ("system", "annotator", "segment", "value"))
        return LinkedRatings(*columns)
    rows = rows[np.isin(rows["system"], systems)]
    wave = later.of(rows["judgment"])
    annotator = rows["annotator"] * (int(wave.max(initial=1)) + 1) + wave
    return LinkedRatings(rows["system"], annotator, rows["segment"], rows["value"], wave)


def sentence(selection: Selection, method: str, later: Waves | None) -> str:
    """Return a sentence about waves for readers of these scores; empty if there is nothing to
    say."""
    asked = selection.filters.waves
    if later is None or len(asked) == 1:
        return ""
    known = {"n": len(asked) or len(selection.waves)}
    if method == "mixed":
        return (
            _(
                "They account for %(n)d waves, whose annotators may be stricter or milder: "
                "systems that came late are compared with the others through what the same "
                "people judged of both."
            )
            % known
        )
    return (
        _(
            "The judgments are from %(n)d waves, whose annotators may be stricter or milder. "
            "These scores do not account for that; the estimates of the mixed model do."
        )
        % known
    )


def shifted(effect: float) -> str:
    return f"{abs(effect):.3g} points {'higher' if effect > 0 else 'lower'}"


def effects_in_words(waves: np.ndarray, effects: np.ndarray) -> list[str]:
    """Return how ratings of the same outputs differ from wave to wave, by the mixed model."""
    pairs = zip(waves[1:], effects[1:], strict=True)
    listed = [f"{shifted(effect)} in wave {wave:g}" for wave, effect in pairs]
    if not listed:
        return []
    return [
        (
            f"compared with wave {waves[0]:g}, ratings of the same are {names(listed)}, which is "
            "accounted for"
        )
    ]
