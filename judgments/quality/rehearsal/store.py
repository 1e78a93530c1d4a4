"""Cached rehearsals, and the progress of the running one."""

from __future__ import annotations

import dataclasses
import hashlib
import json

from django.core.cache import caches
from django.db.models import Max

from judgments.models import Campaign
from judgments.web import cache
from judgments.web.cache import code_mark, get_shared, share
from judgments.web.short_tasks import SHORT, SLOW

from .figures import Rehearsal, RehearsalAsked, rehearse
from .plan import read_plan

ASKED_SECONDS = 900
FAILED = -1
FEW_ITEMS = 2000
"""A rehearsal of a plan with at most this many items takes about ten seconds."""


def kept(campaign: Campaign, asked: RehearsalAsked) -> Rehearsal | None:
    """Return the rehearsal of the current plan; None if it was not computed."""
    return get_shared([key_of(campaign, asked)])[0]


def compute(campaign: Campaign, asked: RehearsalAsked) -> None:
    """Rehearse the plan, and cache the result. A failed one is not requested again at once."""
    key = key_of(campaign, asked)
    try:
        share(key, lambda: rehearse(read_plan(campaign), asked, lambda n: _say(campaign, n)))
    except Exception:
        _say(campaign, FAILED)
        raise
    done(campaign)


def may_ask(campaign: Campaign) -> bool:
    """Return whether to ask a worker: each campaign has one rehearsal at a time."""
    return cache.may_ask(_name(campaign, "asked"), ASKED_SECONDS)


def done(campaign: Campaign) -> None:
    """Note that a worker has ended, and may be asked again."""
    caches["shared"].delete_many([_name(campaign, "asked"), _name(campaign, "runs")])


def n_done(campaign: Campaign) -> int:
    """Return how many runs of the running rehearsal are done; FAILED if it failed."""
    return caches["shared"].get(_name(campaign, "runs")) or 0


def queue_for(campaign: Campaign) -> str:
    return SHORT if campaign.tasks.progress()["items"] <= FEW_ITEMS else SLOW


def key_of(campaign: Campaign, asked: RehearsalAsked) -> str:
    """Return a key of the plan, the rule and the settings."""
    tasks = campaign.tasks.aggregate(last=Max("pk"))["last"]
    rule = campaign.quality_rules.last()
    facts = [
        *("rehearsal", campaign.pk, campaign.created_at.isoformat(), code_mark()),
        *(campaign.plan, campaign.options, campaign.staffing, tasks, rule.pk if rule else 0),
        dataclasses.asdict(asked),
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _say(campaign: Campaign, n: int) -> None:
    caches["shared"].set(_name(campaign, "runs"), n, ASKED_SECONDS)


def _name(campaign: Campaign, what: str) -> str:
    return f"rehearsal-{what}-{campaign.pk}"
