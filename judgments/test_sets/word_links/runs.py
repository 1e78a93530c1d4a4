"""Runs of an aligner: a worker makes the links that a campaign requested (`asking`)."""

from __future__ import annotations

import logging

from judgments.files import ImportProblem
from judgments.models import AlignerRun, JobStatus

from .aligner import WordAligner, word_aligner
from .making import make

log = logging.getLogger(__name__)


class NotAsked(ValueError):
    """Links cannot be made now; the message says why."""


def the_aligner() -> WordAligner:
    aligner = word_aligner()
    if aligner is None:
        raise NotAsked("No app of this site provides an aligner.")
    return aligner


def work(run_id: int) -> bool:
    """Make the links of a run; return False if nobody waits for them."""
    if not AlignerRun.objects.filter(pk=run_id).begin():
        return False
    run = AlignerRun.objects.select_related("campaign__test_set").get(pk=run_id)
    try:
        make(run, the_aligner())
    except (NotAsked, ImportProblem) as problem:
        _end(run, JobStatus.FAILED, getattr(problem, "reason", str(problem)))
    except Exception:
        log.exception("Word links could not be made")
        _end(run, JobStatus.FAILED, "The aligner failed; the log of the worker says why.")
    else:
        _end(run, JobStatus.DONE)
    return True


def _end(run: AlignerRun, status: JobStatus, message: str = "") -> None:
    """Store the end of a run, unless links were requested again meanwhile."""
    AlignerRun.objects.filter(pk=run.pk, turn=run.turn).end(status, message)
