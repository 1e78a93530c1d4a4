"""Media of a test set that is already there: files for its segments, others in place of them, or
none any more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from judgments.files import ImportProblem
from judgments.files.media_rows import MediaRow
from judgments.files.problem import shortened
from judgments.models import Item, MediaFile, Segment, SegmentMedia, TestSet

from . import store
from .archive import MediaArchive


@dataclass(frozen=True)
class AddedMedia:
    """How many segments have media now that had none, have others, or have none any more; and how
    many of the first had been judged without."""

    new: int
    replaced: int
    removed: int
    judged: int


@transaction.atomic
def add_media(
    test_set: TestSet, rows: Iterable[MediaRow], media: MediaArchive, *, replace: bool = False
) -> AddedMedia:
    """Give the segments of the rows what these name, or change nothing at all.

    replace: also those that have something, as long as nobody has judged them; a row without a
    file then takes it away. Raise ImportProblem.
    """
    _lock(test_set)
    listed = list(rows)
    if not listed:
        raise ImportProblem(media.archive, None, "", "it names no file of a segment.")
    segments = _named(test_set, listed)
    having = _with_media(segments.values())
    judged = judged_of(segments.values(), having)
    for row, segment in zip(listed, segments.values(), strict=True):
        if reason := _refusal(row, segment, having, judged, replace):
            raise row.problem("media" if row.row else "", reason)
    _delete_media(test_set, having)
    media.join(test_set)
    media.attach(test_set, [(segments[row.key].pk, row) for row in listed])
    _note(test_set)
    given = {segments[row.key].pk for row in listed if row.media}
    return AddedMedia(
        new=len(given - having),
        replaced=len(given & having),
        removed=len(having - given),
        judged=len((given - having) & judged),
    )


class NotRemoved(ValueError):
    """Media stay where they are. The message says why."""


@transaction.atomic
def remove_media(test_set: TestSet, keys: Sequence[str]) -> int:
    """Take their media from the segments of these keys, or from all without any; how many had some.
    Raises NotRemoved, and nothing is removed, if one has been judged or would have nothing."""
    _lock(test_set)
    found = test_set.segments.exclude(media=None)
    if keys:
        found = found.filter(key__in=keys)
        if unknown := sorted(set(keys) - set(found.values_list("key", flat=True))):
            raise NotRemoved(f"{shortened(unknown[0])} is not a segment with sound or a picture.")
    segments = list(found)
    having = {each.pk for each in segments}
    judged = judged_of(segments, having)
    for segment in segments:
        if segment.pk in judged:
            raise NotRemoved(
                f"Segment {shortened(segment.key)} was judged with the media that it has."
            )
        if not segment.source:
            raise NotRemoved(f"Segment {shortened(segment.key)} has no text to judge instead.")
    _delete_media(test_set, having)
    _note(test_set)
    return len(having)


def judged_of(segments: Iterable[Segment], having: Collection[int]) -> set[int]:
    """Return the ids of those segments that somebody has judged. Until the transaction ends, nobody
    answers an item that shows one of `having`."""
    shown = Item.objects.filter(shown__output__segment__in=having).values("pk")
    held = Item.objects.filter(pk__in=shown).order_by("pk")
    list(held.select_for_update(of=("self",)).values_list("pk"))
    of_judged = Item.objects.filter(
        is_judged=True, shown__output__segment__in=[each.pk for each in segments]
    )
    return set(of_judged.order_by().values_list("shown__output__segment", flat=True))


def _lock(test_set: TestSet) -> None:
    """One change of its media at a time, and none of the files meanwhile."""
    TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
    store.lock()


def _named(test_set: TestSet, rows: list[MediaRow]) -> dict[str, Segment]:
    """By their keys, in the order of the rows."""
    found = test_set.segments.filter(key__in=[row.key for row in rows])
    known = {each.key: each for each in found}
    for row in rows:
        if row.key not in known:
            raise row.problem(
                "segment" if row.row else "", f"there is no segment {shortened(row.key)}."
            )
    return {row.key: known[row.key] for row in rows}


def _with_media(segments: Iterable[Segment]) -> set[int]:
    found = SegmentMedia.objects.filter(segment__in=[each.pk for each in segments])
    return set(found.values_list("segment_id", flat=True))


def _refusal(
    row: MediaRow, segment: Segment, having: set[int], judged: set[int], replace: bool
) -> str:
    """Return why a row will not do; "" where it will."""
    name = f"segment {shortened(row.key)}"
    if segment.pk not in having:
        return "" if row.media else f"{name} has nothing that could be removed."
    if segment.pk in judged:
        return f"{name} was judged with the media that it has, so they stay."
    if not replace:
        return f"{name} already has sound or a picture. Choose to replace it."
    if row.media is None and not segment.source:
        return f"{name} has no text to judge instead, so its media stay."
    return ""


def _delete_media(test_set: TestSet, segments: Collection[int]) -> None:
    """Delete these segments' media, and files that no other segment has."""
    SegmentMedia.objects.filter(segment__in=segments).delete()
    unused = MediaFile.objects.filter(test_set=test_set, segments=None, captioned=None)
    hashes = list(unused.values_list("sha256", flat=True))
    unused.delete()
    if hashes:
        transaction.on_commit(partial(store.forget, hashes))


def _note(test_set: TestSet) -> None:
    test_set.has_media = test_set.media.exists()
    test_set.save(update_fields=["has_media"])
