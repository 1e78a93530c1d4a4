"""How long a sound lasts, where its file says so in its head: WAV. No other kind is looked into,
since that takes a program that parses what people bring; a table says it with `media_end`."""

from __future__ import annotations

import wave
from pathlib import Path

from judgments.files.texts import MOST_SECONDS


def seconds_of(path: Path, kind: str) -> float | None:
    """None where it is not known."""
    if kind != "audio/wav":
        return None
    try:
        with path.open("rb") as stream, wave.open(stream) as sound:
            seconds = sound.getnframes() / sound.getframerate()
    except (wave.Error, EOFError, ZeroDivisionError):
        return None
    return seconds if 0 < seconds <= MOST_SECONDS else None
