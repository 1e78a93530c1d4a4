"""Requests of campaigns for links, which a worker makes (`runs`)."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from judgments.files.rows import Frozen
from judgments.models import AlignerRun, Campaign, JobStatus, Judgment, LinkPurpose
from judgments.models.locks import lock_campaign
from judgments.protocols import protocol_of
from judgments.web.short_tasks import queue_for_linking

from .aligner import word_aligner
from .runs import NotAsked, the_aligner
from .tasks import link_words

NOUNS = {LinkPurpose.PROPOSAL: "proposed links", LinkPurpose.READING: "word links"}


def wants_reading(campaign: Campaign) -> bool:
    """Return whether the campaign shows links or hints to annotators."""
    options = protocol_of(campaign).options
    return options.word_links or options.omission_hints


@transaction.atomic
def ask(campaign: Campaign, purpose: str, model: str = "", method: str = "") -> AlignerRun:
    """Request links that replace the existing ones. model, method: the best ones if empty.

    Raise NotAsked for unknown models and methods and while links are being made, and Frozen once
    people have judged with the current links.
    """
    aligner = the_aligner()
    model, method = model or next(iter(aligner.models)), method or next(iter(aligner.methods))
    if model not in aligner.models or method not in aligner.methods:
        raise NotAsked("The aligner does not have this method.")
    if not campaign.test_set.has_texts:
        raise NotAsked("The test set has no texts.")
    lock_campaign(campaign.pk)
    run = AlignerRun.objects.filter(campaign=campaign, purpose=purpose).first()
    if run and run.is_under_way:
        raise NotAsked("Links are already being made.")
    if purpose == LinkPurpose.PROPOSAL or (run and run.status == JobStatus.DONE):
        require_unjudged(campaign, purpose)
    return start(campaign, purpose, model, method)


def start(campaign: Campaign, purpose: str, model: str, method: str) -> AlignerRun:
    fresh: dict[str, Any] = {"status": JobStatus.QUEUED, "message": "", "moved_at": timezone.now()}
    last = AlignerRun.objects.filter(campaign=campaign, purpose=purpose).first()
    fresh["turn"] = last.turn + 1 if last else 1
    fresh |= dict.fromkeys(("n_pairs", "n_given", "n_cut", "n_texts", "n_done"), 0)
    run, _ = AlignerRun.objects.update_or_create(
        campaign=campaign,
        purpose=purpose,
        defaults=fresh | {"model": model, "method": method},
    )
    link_words.using(queue_name=queue_for_linking(campaign.test_set)).enqueue(run.pk)
    return run


def ask_for_plan(campaign: Campaign) -> None:
    """Request links after a plan was written: its control items show texts that have no links yet.
    Until they have them no screen shows any, so that nothing distinguishes controls from others."""
    aligner = word_aligner()
    if aligner is None or not wants_reading(campaign) or not campaign.test_set.has_texts:
        return
    model, method = next(iter(aligner.models)), next(iter(aligner.methods))
    start(campaign, LinkPurpose.READING, model, method)


def require_unjudged(campaign: Campaign, purpose: str) -> None:
    """Raise Frozen if people have judged with the current links."""
    if purpose in NOUNS and Judgment.objects.filter(campaign=campaign).exists():
        raise Frozen(NOUNS[LinkPurpose(purpose)])
