"""Rehearsals that were computed, kept for whoever looks next, and how far the one at work is."""

from __future__ import annotations

import dataclasses
import hashlib
import json

from django.core.cache import caches
from django.db.models import Max

from judgments.models import Campaign
from judgments.web.cache import code_mark, get, put
from judgments.web.short_tasks import SHORT, SLOW

from .figures import Rehearsal, RehearsalAsked, rehearse
from .plan import read_plan

ASKED_SECONDS = 900
FAILED = -1
FEW_ITEMS = 2000
"""Of a plan with so many items at most a rehearsal takes some ten seconds."""


def kept(campaign: Campaign, asked: RehearsalAsked) -> Rehearsal | None:
    """Return the rehearsal of the plan that stands; None where it was not computed."""
    return get(key_of(campaign, asked))


def compute(campaign: Campaign, asked: RehearsalAsked) -> None:
    """Rehearse the plan, and keep what comes of it. One that breaks off is not asked for again at
    once."""
    key = key_of(campaign, asked)
    try:
        put(key, rehearse(read_plan(campaign), asked, lambda n: _say(campaign, n)))
    except Exception:
        _say(campaign, FAILED)
        raise
    done(campaign)


def may_ask(campaign: Campaign) -> bool:
    """Return whether a worker is to be asked: each campaign has one rehearsal at a time."""
    return caches["results"].add(_name(campaign, "asked"), True, ASKED_SECONDS)


def done(campaign: Campaign) -> None:
    """A worker has ended, and may be asked again."""
    caches["results"].delete_many([_name(campaign, "asked"), _name(campaign, "runs")])


def n_done(campaign: Campaign) -> int:
    """Return how many runs of the rehearsal at work are done; FAILED where it broke off."""
    return caches["results"].get(_name(campaign, "runs")) or 0


def queue_for(campaign: Campaign) -> str:
    return SHORT if campaign.tasks.progress()["items"] <= FEW_ITEMS else SLOW


def key_of(campaign: Campaign, asked: RehearsalAsked) -> str:
    """Return names the plan, the rule and what is asked."""
    tasks = campaign.tasks.aggregate(last=Max("pk"))["last"]
    rule = campaign.quality_rules.last()
    facts = [
        *("rehearsal", campaign.pk, campaign.created_at.isoformat(), code_mark()),
        *(campaign.plan, campaign.options, campaign.staffing, tasks, rule.pk if rule else 0),
        dataclasses.asdict(asked),
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _say(campaign: Campaign, n: int) -> None:
    caches["results"].set(_name(campaign, "runs"), n, ASKED_SECONDS)


def _name(campaign: Campaign, what: str) -> str:
    return f"rehearsal-{what}-{campaign.pk}"
