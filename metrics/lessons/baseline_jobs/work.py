"""Jobs that train a baseline system and translate with it: requested, processed, given up."""

import logging
import time
from collections.abc import Sequence

import numpy as np
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from judgments.files.copying import copy_rows
from judgments.models import JobStatus, NotWanted, Output, System, SystemFacts, TestSet
from metrics.lessons.baselines.registry import KINDS, TrainedSystem, without_full_collections
from metrics.lessons.bitext_files import texts_of
from metrics.models import BaselineJob, Bitext

from .fold_texts import Fold
from .texts import fold_of_bitext, folds_by_document, why_not, why_not_by_documents

logger = logging.getLogger(__name__)

SAID_EVERY = 1.0  # seconds
CUT_NAMED = 20
# In addition to the description by its kind of system.
LEFT_OUT = gettext_noop("left out as they are translated")


class BaselineRefused(ValueError):
    """A system cannot be added; the message says why."""


def create_job(
    test_set: TestSet, kind: str, name: str, by, bitext: Bitext | None = None
) -> BaselineJob:
    """Request a system trained on a bitext, or for each document on the others. Raise
    BaselineRefused."""
    reason = why_not(test_set) or ("" if bitext else why_not_by_documents(test_set))
    with transaction.atomic():
        locked = TestSet.objects.select_for_update(of=("self",), no_key=True).get(pk=test_set.pk)
        if not reason and any(job.is_active for job in locked.baseline_jobs.all()):
            reason = _("A baseline system of this test set is already being made.")
        if not reason and locked.systems.filter(name=name).exists():
            reason = _("There is already a system with this name.")
        if reason:
            raise BaselineRefused(reason)
        return BaselineJob.objects.create(
            test_set=locked,
            kind=kind,
            name=name,
            bitext=bitext,
            has_bitext=bitext is not None,
            created_by=by,
            total=locked.segments.count(),
        )


def cancel(job: BaselineJob) -> bool:
    """Cancel a job; return False if it is already over."""
    active = BaselineJob.objects.filter(pk=job.pk).active()
    return bool(active.update(status=JobStatus.CANCELLED, finished_at=timezone.now()))


def work_on(job_id: int) -> bool:
    """Run a waiting job; return whether the test set has its system now."""
    if not BaselineJob.objects.filter(pk=job_id).begin():
        return False
    job = BaselineJob.objects.select_related("test_set", "bitext").get(pk=job_id)
    try:
        texts, made = translated(job, folds_for(job))
        add_system(job, texts, made)
    except NotWanted:
        return False
    except Exception as error:
        if not isinstance(error, ValueError):
            logger.exception("%s failed", job)
        failed(job_id, str(error) or type(error).__name__)
        return False
    return True


def folds_for(job: BaselineJob) -> list[Fold]:
    """Return the training texts and segments of the job's system. Raise BaselineRefused."""
    if not job.has_bitext:
        return folds_by_document(job.test_set)
    if job.bitext is None:
        raise BaselineRefused(_("The bitext was deleted."))
    return [fold_of_bitext(job.test_set, *texts_of(job.bitext))]


def failed(job_id: int, message: str) -> None:
    job = BaselineJob.objects.filter(pk=job_id)
    job.end(JobStatus.FAILED, message, finished_at=timezone.now())


def translated(job: BaselineJob, folds: Sequence[Fold]) -> tuple[dict[int, str], dict]:
    """Return a translation of every segment by its id, and the description of the systems of all
    folds."""
    progress = BaselineProgress(job.pk)
    texts: dict[int, str] = {}
    parts: list[list] = []
    cut: list[int] = []
    n_unknown = 0
    for number, each in enumerate(folds, start=1):
        report = progress.of(number, len(folds))
        rng = np.random.default_rng([job.seed, number])
        system: TrainedSystem = KINDS[job.kind].train(each.pairs, rng=rng, report=report)
        report("translating")
        with without_full_collections():
            for pk, source in each.segments:
                found = system.translate(source)
                texts[pk] = found.text
                n_unknown += found.n_unknown
                if found.n_parts > 1:
                    cut.append(pk)
                progress.translated(len(texts))
        described = system.described() | {LEFT_OUT: each.n_left_out}
        # Lists, because PostgreSQL reorders the keys of objects.
        parts.append([[name, value] for name, value in described.items()])
    keys = job.test_set.segments.filter(pk__in=cut).order_by("position")
    made = {
        "parts": parts,
        "n_unknown": n_unknown,
        "n_cut": len(cut),
        "cut": list(keys.values_list("key", flat=True)[:CUT_NAMED]),
    }
    return texts, made


class BaselineProgress:
    """Progress of a job, stored at most once a second; raises NotWanted if nobody waits."""

    def __init__(self, job_id: int) -> None:
        self._job = BaselineJob.objects.filter(pk=job_id)
        self._last = time.monotonic()

    def of(self, number: int, n: int):
        """Return the callback for the steps of one part of several."""

        def report(step: str) -> None:
            self._write(step=f"{number}/{n}: {step}" if n > 1 else step)

        return report

    def translated(self, n: int) -> None:
        if time.monotonic() - self._last >= SAID_EVERY:
            self._write(done=n)

    def _write(self, **fields) -> None:
        self._last = time.monotonic()
        if not self._job.advance(**fields):
            raise NotWanted


@transaction.atomic
def add_system(job: BaselineJob, texts: dict[int, str], made: dict) -> System:
    """Return the system with an output for every segment, marked as a control of known weakness.
    Raise BaselineRefused if it may not be added any more, and NotWanted."""
    test_set = (
        TestSet.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk=job.test_set_id)
        .first()
    )
    if test_set is None:
        raise NotWanted
    if reason := why_not(test_set):
        raise BaselineRefused(reason)
    if test_set.systems.filter(name=job.name).exists():
        raise BaselineRefused(_("There is already a system with this name."))
    system = System.objects.create(test_set=test_set, name=job.name)
    rows = ((segment, system.pk, text) for segment, text in texts.items())
    copy_rows(Output, ["segment", "system", "text"], rows)
    SystemFacts.objects.create(system=system, kind="statistical", is_human=False, is_control=True)
    done = BaselineJob.objects.filter(pk=job.pk).end(
        JobStatus.DONE,
        system=system,
        made=made,
        done=len(texts),
        step="",
        finished_at=timezone.now(),
    )
    if not done:
        raise NotWanted
    return system
