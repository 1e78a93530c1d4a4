"""Durations of sound and videos from their files: WAV, MP3, FLAC, Ogg (Opus, Vorbis), M4A, MP4 and
WebM; and of files imported before these were read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.db.models import Q

from judgments.files.texts import MOST_SECONDS
from judgments.models import MediaFile

from .store import path_of
from .webm import seconds_of_webm

LASTING = Q(kind__startswith="audio/") | Q(kind__startswith="video/")


def seconds_of(path: Path, kind: str) -> float | None:
    """Return the duration, or None if it is unknown."""
    if not kind.startswith(("audio/", "video/")):
        return None
    try:
        seconds = seconds_of_webm(path) if kind == "video/webm" else _seconds_of_sound(path)
    except OSError:
        return None
    return seconds if seconds is not None and 0 < seconds <= MOST_SECONDS else None


def _seconds_of_sound(path: Path) -> float | None:
    from tinytag import TinyTag, TinyTagException  # with the first file only

    try:
        return TinyTag.get(path, tags=False).duration
    except TinyTagException:
        return None


def fill_in(progress: Callable[[int, int], None]) -> tuple[int, int]:
    """Read the durations of all files without one; return their number, and how many have one now.
    progress: called after each file with the number read, and the total."""
    missing = MediaFile.objects.filter(LASTING, seconds=None).order_by("sha256")
    kinds = dict(missing.values_list("sha256", "kind"))
    n = n_known = 0
    for done, (sha256, kind) in enumerate(kinds.items(), 1):
        try:
            seconds = seconds_of(path_of(sha256), kind)
        except FileNotFoundError:
            seconds = None
        same = MediaFile.objects.filter(sha256=sha256, seconds=None)
        changed = same.count() if seconds is None else same.update(seconds=seconds)
        n += changed
        n_known += 0 if seconds is None else changed
        progress(done, len(kinds))
    return n, n_known
