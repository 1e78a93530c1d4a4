"""Terms shown before the work: the pay, and whose answers will count.

The rule itself is visible only to those who run the campaign: its thresholds and wording reveal
which items check the annotator.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judgments.models import Campaign

from .settings import Rate, staffing_of


@dataclass(frozen=True)
class WorkTerms:
    """pay: None if the campaign names none. ruled_at: when the rule in force was written down, None
    if there is none; asks_time: it requires time to read; holds: it stops people."""

    pay: Rate | None
    ruled_at: datetime | None = None
    asks_time: bool = False
    holds: bool = False


def terms_of(campaign: Campaign) -> WorkTerms:
    """Return the terms, in one statement."""
    pay, rule = staffing_of(campaign).pay, campaign.quality_rules.last()
    if rule is None:
        return WorkTerms(pay)
    has_thresholds = bool(rule.thresholds)
    asks_time, holds = rule.seconds_per_word is not None, rule.hold_after is not None
    return WorkTerms(pay, rule.written_at, asks_time, has_thresholds and holds)
