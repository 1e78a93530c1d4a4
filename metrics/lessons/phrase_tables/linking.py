"""Linking the words of texts: requested by a user, done by a worker, stored with its figures."""

import logging
from io import BytesIO

from django.db import transaction
from django.utils import timezone

from judgments.models import JobStatus, TestSet
from metrics.lessons.baselines.aligner import train_aligner
from metrics.lessons.baselines.concordance import LinkedSides
from metrics.lessons.baselines.consistency import term_figures
from metrics.lessons.baselines.moses import write_moses
from metrics.lessons.baselines.phrases import phrase_table
from metrics.models import Bitext, LinkedTexts

from .sides import SidedTexts, texts_to_link
from .storage import KeptTexts, to_data
from .words import fold_of, words_of

logger = logging.getLogger(__name__)


@transaction.atomic
def ask(owner: TestSet | Bitext) -> LinkedTexts | None:
    """Request linking the words of these texts; return None if it is already requested."""
    which = {"bitext": owner} if isinstance(owner, Bitext) else {"test_set": owner}
    linked, is_new = LinkedTexts.objects.get_or_create(**which)
    linked = (
        LinkedTexts.objects.select_for_update(of=("self",)).defer("data", "moses").get(pk=linked.pk)
    )
    if not is_new and linked.is_under_way:
        return None
    linked.status, linked.done, linked.total = JobStatus.QUEUED, 0, 0
    linked.message, linked.moved_at = "", timezone.now()
    linked.save(update_fields=["status", "done", "total", "message", "moved_at"])
    return linked


def work_on(linked_id: int) -> bool:
    """Link the words of texts as requested, and store the result; return False if they were deleted
    or another worker has them."""
    if not LinkedTexts.objects.filter(pk=linked_id).begin():
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
        LinkedTexts.objects.filter(pk=linked_id).end(JobStatus.FAILED, reason)
    return True


def _link(linked: LinkedTexts) -> None:
    texts = texts_to_link(linked)
    total = len(texts.sides) + 2
    sources = words_of(texts.sources, texts.source_language)
    targets = [
        words_of([text or "" for text in side], texts.target_language) for side in texts.targets
    ]
    _moved(linked, 0, total)
    # One aligner for all: a side may lack what another has.
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
    """Store the progress. With a filter, because the texts may have been deleted meanwhile."""
    LinkedTexts.objects.filter(pk=linked.pk).advance(done=done, total=total)


def _keep(linked: LinkedTexts, texts: SidedTexts, data: bytes, moses: bytes, n_cut: int) -> None:
    LinkedTexts.objects.filter(pk=linked.pk).end(
        JobStatus.DONE,
        done=len(texts.sides) + 2,
        linked_at=timezone.now(),
        sides=[side._asdict() for side in texts.sides],
        n_segments=len(texts.sources),
        n_cut=n_cut,
        texts_mark=texts.mark,
        data=data,
        moses=moses,
    )
