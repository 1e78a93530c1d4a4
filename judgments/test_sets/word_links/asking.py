"""A campaign asks for links, which a worker makes (`runs`)."""

from __future__ import annotations

from django.db import transaction

from judgments.files.rows import Frozen
from judgments.models import AlignerRun, Campaign, Judgment, LinkPurpose, RunState
from judgments.models.locks import lock_campaign
from judgments.protocols import protocol_of
from judgments.web.short_tasks import queue_for_linking

from .aligner import word_aligner
from .runs import NotAsked, is_busy, the_aligner
from .tasks import link_words

NOUNS = {LinkPurpose.PROPOSAL: "proposed links", LinkPurpose.READING: "word links"}


def wants_reading(campaign: Campaign) -> bool:
    """Return whether the campaign shows links or hints to those who judge."""
    options = protocol_of(campaign).options
    return options.word_links or options.omission_hints


@transaction.atomic
def ask(campaign: Campaign, purpose: str, model: str = "", method: str = "") -> AlignerRun:
    """Have links made in place of those there are. model, method: the best ones if empty.

    Raises NotAsked for what the aligner does not know and while links are being made, and Frozen
    once people have judged with what they were given.
    """
    aligner = the_aligner()
    model, method = model or next(iter(aligner.models)), method or next(iter(aligner.methods))
    if model not in aligner.models or method not in aligner.methods:
        raise NotAsked("The aligner does not have this method.")
    if not campaign.test_set.has_texts:
        raise NotAsked("The test set has no texts.")
    lock_campaign(campaign.pk)
    run = AlignerRun.objects.filter(campaign=campaign, purpose=purpose).first()
    if is_busy(run):
        raise NotAsked("Links are already being made.")
    if purpose == LinkPurpose.PROPOSAL or (run and run.state == RunState.DONE):
        require_unjudged(campaign, purpose)
    return start(campaign, purpose, model, method)


def start(campaign: Campaign, purpose: str, model: str, method: str) -> AlignerRun:
    fresh: dict[str, str | int] = {"state": RunState.WAITING, "problem": ""}
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
    """After a plan was written: its control items show texts that have no links yet. Until they
    have them no screen shows any, so that nothing tells a control from the others."""
    aligner = word_aligner()
    if aligner is None or not wants_reading(campaign) or not campaign.test_set.has_texts:
        return
    model, method = next(iter(aligner.models)), next(iter(aligner.methods))
    start(campaign, LinkPurpose.READING, model, method)


def require_unjudged(campaign: Campaign, purpose: str) -> None:
    """Raise Frozen when people have judged with the links that there are."""
    if purpose in NOUNS and Judgment.objects.filter(campaign=campaign).exists():
        raise Frozen(NOUNS[LinkPurpose(purpose)])
