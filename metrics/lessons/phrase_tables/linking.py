"""Linking the words of texts: asked for by a person, done by a worker, kept with its figures."""

import logging
from datetime import timedelta
from io import BytesIO

from django.db import transaction
from django.utils import timezone

from judgments.models import TestSet
from metrics.lessons.baselines.aligner import train_aligner
from metrics.lessons.baselines.concordance import LinkedSides
from metrics.lessons.baselines.consistency import term_figures
from metrics.lessons.baselines.moses import write_moses
from metrics.lessons.baselines.phrases import phrase_table
from metrics.models import Bitext, JobStatus, LinkedTexts

from .sides import SidedTexts, texts_to_link
from .storage import KeptTexts, to_data
from .words import fold_of, words_of

logger = logging.getLogger(__name__)

# A worker says so often at least that it moves on: one that was silent for so long is gone.
LOST = timedelta(minutes=15)


@transaction.atomic
def ask(owner: TestSet | Bitext) -> LinkedTexts | None:
    """Note that the words of these texts are to be linked; None if that is on its way already."""
    which = {"bitext": owner} if isinstance(owner, Bitext) else {"test_set": owner}
    now = timezone.now()
    linked, is_new = LinkedTexts.objects.get_or_create(**which, defaults={"moved_at": now})
    linked = (
        LinkedTexts.objects.select_for_update(of=("self",)).defer("data", "moses").get(pk=linked.pk)
    )
    if not is_new and is_under_way(linked):
        return None
    linked.status, linked.done, linked.total = JobStatus.QUEUED, 0, 0
    linked.message, linked.moved_at = "", now
    linked.save(update_fields=["status", "done", "total", "message", "moved_at"])
    return linked


def is_under_way(linked: LinkedTexts) -> bool:
    """Return whether a worker has it or will; not one that was lost long ago."""
    return linked.is_active and linked.moved_at > timezone.now() - LOST


def work_on(linked_id: int) -> bool:
    """Link the words of texts as asked, and keep what comes of it; False if they are gone or
    another worker has them."""
    taken = LinkedTexts.objects.filter(pk=linked_id, status=JobStatus.QUEUED)
    if not taken.update(status=JobStatus.RUNNING, moved_at=timezone.now()):
        return False
    linked = (
        LinkedTexts.objects.select_related("test_set", "bitext")
        .defer("data", "moses")
        .get(pk=linked_id)
    )
    try:
        _link(linked)
    except Exception as error:
        logger.exception("Linking %s failed", linked)
        reason = f"{type(error).__name__}: {error}"
        LinkedTexts.objects.filter(pk=linked_id).update(status=JobStatus.FAILED, message=reason)
    return True


def _link(linked: LinkedTexts) -> None:
    texts = texts_to_link(linked)
    total = len(texts.sides) + 2
    sources = words_of(texts.sources, texts.source_language)
    targets = [
        words_of([text or "" for text in side], texts.target_language) for side in texts.targets
    ]
    _moved(linked, 0, total)
    # One aligner for all: what one side lacks another may have.
    aligner = train_aligner(sources * len(targets), [words for side in targets for words in side])
    links, n_cut = [], 0
    for number, side in enumerate(targets, 1):
        _moved(linked, number, total)
        found = aligner.align(sources, side)
        links.append(found.links)
        n_cut += len(found.cut)
    _moved(linked, total - 1, total)
    sides = LinkedSides.of(sources, targets, links)
    figures = term_figures(sides, texts.documents, fold_of(texts.target_language))
    moses = _moses(sources, targets[0], links[0]) if linked.bitext_id else b""
    _keep(linked, texts, to_data(KeptTexts(sides, figures)), moses, n_cut)


def _moses(sources, targets, links) -> bytes:
    file = BytesIO()
    write_moses(phrase_table(sources, targets, links), file)
    return file.getvalue()


def _moved(linked: LinkedTexts, done: int, total: int) -> None:
    """Say how far it is. By a filter: whoever deletes the texts meanwhile has them deleted."""
    now = timezone.now()
    LinkedTexts.objects.filter(pk=linked.pk).update(done=done, total=total, moved_at=now)


def _keep(linked: LinkedTexts, texts: SidedTexts, data: bytes, moses: bytes, n_cut: int) -> None:
    now = timezone.now()
    LinkedTexts.objects.filter(pk=linked.pk).update(
        status=JobStatus.DONE,
        done=len(texts.sides) + 2,
        moved_at=now,
        linked_at=now,
        sides=[side._asdict() for side in texts.sides],
        n_segments=len(texts.sources),
        n_cut=n_cut,
        texts_mark=texts.mark,
        data=data,
        moses=moses,
    )
