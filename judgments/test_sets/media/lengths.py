"""How long a sound or a video lasts, as its file says: WAV, MP3, FLAC, Ogg (Opus, Vorbis), M4A and
MP4. WebM is not looked into; for it a table says `media_end`."""

from __future__ import annotations

from pathlib import Path

from judgments.files.texts import MOST_SECONDS


def seconds_of(path: Path, kind: str) -> float | None:
    """None where it is not known."""
    if not kind.startswith("audio/") and kind != "video/mp4":
        return None
    from tinytag import TinyTag, TinyTagException  # with the first file only

    try:
        seconds = TinyTag.get(path, tags=False).duration
    except (TinyTagException, OSError):
        return None
    return seconds if seconds is not None and 0 < seconds <= MOST_SECONDS else None
