"""One hash of all texts of a test set, as a published campaign.json has it."""

from collections.abc import Collection, Iterator

from judgments.models import Output, Reference, Segment
from judgments.models.corpus import texts_hash


def texts_sha256(
    test_set: int,
    *,
    systems: Collection[str] | None = None,
    references: Collection[str] | None = None,
) -> str:
    """Return the hash of the texts of the test set with this number. systems, references: of
    outputs of these and of references of these names alone; None: of all."""
    return texts_hash(_texts(test_set, systems, references))


def no_texts_sha256(test_set: int, *, systems: Collection[str]) -> str:
    """Return what the hash was while the test set had its keys only, and outputs of these
    systems."""
    n = Segment.objects.filter(test_set=test_set).count()
    n += Output.objects.filter(segment__test_set=test_set, system__name__in=systems).count()
    return texts_hash([""] * n)


def _texts(
    test_set: int, systems: Collection[str] | None, references: Collection[str] | None
) -> Iterator[str]:
    """Yield sources by position, references by position and name, outputs by position and
    system."""
    segments = Segment.objects.filter(test_set=test_set).order_by("position")
    yield from segments.values_list("source", flat=True).iterator()
    written = Reference.objects.filter(segment__test_set=test_set)
    if references is not None:
        written = written.filter(name__in=references)
    written = written.order_by("segment__position", "name")
    yield from written.values_list("text", flat=True).iterator()
    made = Output.objects.filter(segment__test_set=test_set)
    if systems is not None:
        made = made.filter(system__name__in=systems)
    made = made.order_by("segment__position", "system__name")
    yield from made.values_list("text", flat=True).iterator()
