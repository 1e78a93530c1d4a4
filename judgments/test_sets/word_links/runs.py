"""Runs of an aligner: a worker makes the links that a campaign asked for (`asking`)."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.utils import timezone

from judgments.files import ImportProblem
from judgments.models import AlignerRun, RunState

from .aligner import WordAligner, word_aligner
from .making import make

# A run that has not moved for so long has lost its worker.
LOST = timedelta(minutes=15)
log = logging.getLogger(__name__)


class NotAsked(ValueError):
    """Links cannot be made now; the message says why."""


def the_aligner() -> WordAligner:
    aligner = word_aligner()
    if aligner is None:
        raise NotAsked("No app of this site provides an aligner.")
    return aligner


def work(run_id: int) -> bool:
    """Make the links of a run; False if nobody waits for them."""
    waiting = AlignerRun.objects.filter(pk=run_id, state=RunState.WAITING)
    if not waiting.update(state=RunState.RUNNING, moved_at=timezone.now()):
        return False
    run = AlignerRun.objects.select_related("campaign__test_set").get(pk=run_id)
    try:
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
    """Return whether links are on their way, and whoever makes them still moves."""
    return run is not None and run.is_on_its_way and timezone.now() - run.moved_at < LOST
