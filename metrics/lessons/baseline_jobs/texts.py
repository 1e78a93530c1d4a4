"""Training texts of a baseline system of a test set, and the texts it translates, so that it never
translates what it was trained on."""

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext as _

from judgments.models import Reference, RegisteredPlan, Status, TestSet
from metrics.lessons.baselines.folds import folds_of
from metrics.lessons.baselines.training_text import Pair

from .fold_texts import Fold, fold


def why_not(test_set: TestSet) -> str:
    """Return why no system may be added to a test set; empty if one may be."""
    if not test_set.has_texts:
        return _("This test set has segment keys but no texts. Add its texts first.")
    if not test_set.segments.exists():
        return _("This test set has no segments.")
    plans = RegisteredPlan.objects.filter(campaign__test_set=test_set)
    waiting = plans.exclude(campaign__status=Status.CLOSED).select_related("campaign").first()
    if waiting is not None:
        # It counts the systems, and its control variate needs metric scores of each of them.
        return _(
            "The campaign “%(name)s” has a stopping plan for the existing systems, and is not "
            "closed. Close it first, or copy the test set."
        ) % {"name": waiting.campaign.name}
    return ""


def why_not_by_documents(test_set: TestSet) -> str:
    """Return why the other documents of a test set cannot be used for training; empty if they
    can."""
    documents = Reference.objects.filter(segment__test_set=test_set).order_by()
    n = documents.exclude(text="").values("segment__document").distinct().count()
    if not n:
        return _("This test set has no references to learn from.")
    if n == 1:
        return _(
            "Only one document of this test set has references: there is no other to learn from, "
            "and a system must not learn from what it translates."
        )
    return ""


def folds_by_document(test_set: TestSet) -> list[Fold]:
    """Return folds in which each document is translated by a system trained on documents of other
    folds."""
    segments: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = test_set.segments.order_by("position").values_list("document_id", "pk", "source")
    for document, pk, source in rows:
        segments[document].append((pk, source))
    pairs: defaultdict[int, list[Pair]] = defaultdict(list)
    known = Reference.objects.filter(segment__test_set=test_set).exclude(text="")
    for document, source, text in known.order_by("segment__position", "name").values_list(
        "segment__document_id", "segment__source", "text"
    ):
        pairs[document].append((source, text))
    documents = list(segments)
    found = []
    for places in folds_of([len(segments[document]) for document in documents]):
        own = {documents[place] for place in places}
        others = [pair for each in documents if each not in own for pair in pairs[each]]
        found.append(
            fold(others, [row for each in documents if each in own for row in segments[each]])
        )
    return found


def fold_of_bitext(test_set: TestSet, sources: Sequence[str], targets: Sequence[str]) -> Fold:
    """Return all segments, translated by a system trained on a bitext without them."""
    segments = test_set.segments.order_by("position").values_list("pk", "source")
    return fold(zip(sources, targets, strict=True), list(segments))
