"""Linked texts and figures of their terms as bytes, and back: NumPy's compressed archive."""

from dataclasses import fields
from io import BytesIO
from typing import NamedTuple

import numpy as np

from metrics.lessons.baselines.concordance import LinkedSides, RunningWords
from metrics.lessons.baselines.consistency import TermFigures


class KeptTexts(NamedTuple):
    sides: LinkedSides
    figures: TermFigures


def to_data(kept: KeptTexts) -> bytes:
    """Return words hold no line ends, so that a vocabulary is lines."""
    arrays = {
        "source_places": kept.sides.source_places,
        "target_places": kept.sides.target_places,
    }
    for name, text in (("source", kept.sides.source), ("target", kept.sides.target)):
        arrays[f"{name}_words"] = np.frombuffer("\n".join(text.words).encode(), dtype=np.uint8)
        arrays[f"{name}_ids"] = text.ids
        arrays[f"{name}_lengths"] = text.lengths
    arrays |= {f"figure_{f.name}": getattr(kept.figures, f.name) for f in fields(TermFigures)}
    file = BytesIO()
    np.savez_compressed(
        file,
        allow_pickle=False,
        **{name: _small(values) for name, values in arrays.items()},
    )
    return file.getvalue()


def from_data(data: bytes | memoryview) -> KeptTexts:
    with np.load(BytesIO(data), allow_pickle=False) as stored:
        texts = {
            name: RunningWords(
                _words(stored[f"{name}_words"]),
                stored[f"{name}_ids"].astype(np.int64),
                stored[f"{name}_lengths"].astype(np.int64),
            )
            for name in ("source", "target")
        }
        places = [stored[f"{name}_places"].astype(np.int64) for name in ("source", "target")]
        figures = {f.name: _large(stored[f"figure_{f.name}"]) for f in fields(TermFigures)}
    sides = LinkedSides(texts["source"], texts["target"], *places)
    return KeptTexts(sides, TermFigures(**figures))


def _words(data: np.ndarray) -> list[str]:
    text = data.tobytes().decode()
    return text.split("\n") if text else []


def _small(values: np.ndarray) -> np.ndarray:
    """Return whole numbers in four bytes, which is half of what is read again."""
    return values.astype(np.int32) if values.dtype == np.int64 else values


def _large(values: np.ndarray) -> np.ndarray:
    return values.astype(np.int64) if values.dtype == np.int32 else values
