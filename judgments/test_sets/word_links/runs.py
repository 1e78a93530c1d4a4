"""A campaign asks for links; a worker makes them."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from judgments.files import ImportProblem
from judgments.files.rows import Frozen
from judgments.models import AlignerRun, Campaign, Judgment, LinkPurpose, RunState
from judgments.models.locks import lock_campaign
from judgments.protocols import protocol_of
from judgments.web.short_tasks import queue_for_linking

from .aligner import WordAligner, word_aligner

# A run that has not moved for so long has lost its worker.
LOST = timedelta(minutes=15)
NOUNS = {LinkPurpose.PROPOSAL: "proposed links", LinkPurpose.READING: "word links"}
log = logging.getLogger(__name__)


class NotAsked(ValueError):
    """Links cannot be made now; the message says why."""


def wants_reading(campaign: Campaign) -> bool:
    """Whether the campaign shows links or hints to those who judge."""
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
        raise NotAsked("The aligner knows no such method.")
    if not campaign.test_set.has_texts:
        raise NotAsked("The test set has no texts.")
    lock_campaign(campaign.pk)
    run = AlignerRun.objects.filter(campaign=campaign, purpose=purpose).first()
    if is_busy(run):
        raise NotAsked("Links are being made already.")
    if purpose == LinkPurpose.PROPOSAL or (run and run.state == RunState.DONE):
        require_unjudged(campaign, purpose)
    return start(campaign, purpose, model, method)


def start(campaign: Campaign, purpose: str, model: str, method: str) -> AlignerRun:
    from judgments.test_sets.word_links.tasks import link_words

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
    """Raises Frozen when people have judged with the links that there are."""
    if purpose in NOUNS and Judgment.objects.filter(campaign=campaign).exists():
        raise Frozen(NOUNS[LinkPurpose(purpose)])


def the_aligner() -> WordAligner:
    aligner = word_aligner()
    if aligner is None:
        raise NotAsked("No app of this site brings an aligner.")
    return aligner


def work(run_id: int) -> bool:
    """Make the links of a run; False if nobody waits for them."""
    waiting = AlignerRun.objects.filter(pk=run_id, state=RunState.WAITING)
    if not waiting.update(state=RunState.RUNNING, moved_at=timezone.now()):
        return False
    run = AlignerRun.objects.select_related("campaign__test_set").get(pk=run_id)
    try:
        from .making import make

        make(run, the_aligner())
    except (NotAsked, ImportProblem) as problem:
        _end(run, RunState.FAILED, getattr(problem, "reason", str(problem)))
    except Exception:
        log.exception("Word links could not be made")
        _end(run, RunState.FAILED, "The aligner failed; the log of the worker says why.")
    else:
        _end(run, RunState.DONE)
    return True


def _end(run: AlignerRun, state: str, problem: str = "") -> None:
    """Not where links were asked for anew meanwhile."""
    run.state, run.problem, run.moved_at = state, problem, timezone.now()
    running = AlignerRun.objects.filter(pk=run.pk, turn=run.turn, state=RunState.RUNNING)
    running.update(state=state, problem=problem, moved_at=run.moved_at)


def is_busy(run: AlignerRun | None) -> bool:
    """Whether links are on their way, and whoever makes them still moves."""
    return run is not None and run.is_on_its_way and timezone.now() - run.moved_at < LOST
