"""Scores of segments that apps above this one bring: those of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judgments.models import Campaign, Segment, TestSet
from judgments.protocols import protocol_of
from judgments.web.extension_points import registered


@dataclass(frozen=True, eq=False)
class BroughtScores:
    """``values`` (S, n) of systems ``system_ids`` and of all segments of the test set in their
    order, NaN without a score. ``slug`` names it in addresses, ``signature`` for good, as a
    `Control` does; ``places``: decimals to show."""

    slug: str
    signature: str
    title: str
    higher_is_better: bool
    system_ids: np.ndarray
    values: np.ndarray
    places: int

    def of(self, system_ids: np.ndarray) -> np.ndarray:
        """Return the rows of these systems, NaN for one that it has not."""
        row = {int(pk): i for i, pk in enumerate(self.system_ids)}
        found = np.full((len(system_ids), self.values.shape[1]), np.nan)
        for i, pk in enumerate(system_ids):
            if int(pk) in row:
                found[i] = self.values[row[int(pk)]]
        return found


def brought_scores(test_set: TestSet) -> list[BroughtScores]:
    """Return all that there are. An app names functions of a test set under `segment_scores`."""
    return [each for make in registered("segment_scores") for each in make(test_set)]


def comparable_scores(campaign: Campaign) -> list[BroughtScores]:
    """Return those that can stand beside what people said of a segment; none where they judged
    whole documents."""
    if protocol_of(campaign).unit == "whole document":
        return []
    return brought_scores(campaign.test_set)


@dataclass(frozen=True)
class Finding:
    """What an app says of an output: a sentence, and the address of a page with all of it."""

    sentence: str
    address: str
    link: str


def brought_findings(
    segment: Segment, outputs: Mapping[int, str], references: Sequence[str]
) -> dict[int, list[Finding]]:
    """By system. An app names functions of test set, segment, outputs and references under
    `segment_findings`."""
    found: dict[int, list[Finding]] = {system: [] for system in outputs}
    for make in registered("segment_findings"):
        for system, finding in make(segment.test_set, segment, outputs, references).items():
            found[system].append(finding)
    return found
