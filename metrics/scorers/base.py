"""The contract that every automatic metric keeps.

A scorer turns texts into sufficient statistics, one row per segment, and sums of rows into
scores. The score of a system is ``score(stats.sum(axis=0))``, of a document
``score(stats[rows].sum(axis=0))``, of a thousand bootstrap resamples ``score(weights @ stats)``:
one representation serves every level and every test.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Stream = Sequence[str | None]
Floats = NDArray[np.float64]


@dataclass(kw_only=True)
class Scorer:
    """One metric with its options; the options are the fields of the subclass.

    Subclasses set the class attributes and write ``_statistics``, ``_score`` and
    ``_signature_fields``.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    description: ClassVar[str]
    """One sentence for the pages that list metrics."""
    higher_is_better: ClassVar[bool]
    score_range: ClassVar[tuple[float, float]]
    """Lowest and highest possible score; ``inf`` where there is no bound."""

    @property
    def label(self) -> str:
        """The name of the metric with these options, such as ``chrF2++``."""
        return self.name

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls) if field.init)

    def options(self) -> dict[str, Any]:
        """The options in force, defaults included."""
        return {name: getattr(self, name) for name in self.option_names()}

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Stream]) -> Floats:
        """Sufficient statistics, float64 of shape (n_segments, k).

        ``references`` is a list of reference streams, each as long as ``hypotheses``. A stream may
        hold None where that reference is missing, as long as another stream has one.

        Raises ValueError where the streams do not fit together.
        """
        check_texts(hypotheses, references)
        return self._statistics(hypotheses, references)

    def score(self, stats: ArrayLike) -> Floats:
        """Scores of summed statistics: shape (..., k) → (...); a 0-d result is a NumPy float."""
        return self._score(np.asarray(stats, dtype=np.float64))[()]

    def segment_scores(self, stats: ArrayLike) -> Floats:
        """The score of every segment by itself: (n_segments, k) → (n_segments,)."""
        return self.score(stats)

    def signature(self, n_references: int | str, *, level: str = "corpus") -> str:
        """What another needs to get the same score, written as sacreBLEU writes it.

        ``n_references`` is a number, or "var" where it differs between segments (see
        ``count_references``). ``level`` is "corpus" or "segment". ``version`` is the version of
        sacreBLEU that gives the same figures; ``impl`` says that it was not sacreBLEU that ran.
        """
        if level not in ("corpus", "segment"):
            raise ValueError(f"level must be 'corpus' or 'segment', not {level!r}.")
        pairs = {"nrefs": n_references, **self._signature_fields(level)}
        pairs |= {"version": version("sacrebleu"), "impl": "mteval"}
        return "|".join(f"{key}:{value}" for key, value in pairs.items())

    def _statistics(self, hypotheses: Sequence[str], references: Sequence[Stream]) -> Floats:
        raise NotImplementedError

    def _score(self, stats: Floats) -> Floats:
        raise NotImplementedError

    def _signature_fields(self, level: str) -> dict[str, object]:
        raise NotImplementedError


def yes_no(value: bool) -> str:
    """A truth value as signatures write it."""
    return "yes" if value else "no"


def check_integer(name: str, value: object, lowest: int) -> None:
    """Raise ValueError unless ``value`` is an integer of at least ``lowest``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
        raise ValueError(f"{name} must be an integer of at least {lowest}, not {value!r}.")


def count_references(references: Sequence[Stream]) -> int | str:
    """How many references each segment has, "var" where the segments differ."""
    counts = {sum(text is not None for text in texts) for texts in zip(*references, strict=True)}
    return counts.pop() if len(counts) == 1 else "var"


def check_texts(hypotheses: Sequence[str], references: Sequence[Stream]) -> None:
    """Raise ValueError, naming stream and segment, unless the streams can be scored together."""
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise ValueError("Hypotheses and references must be lists, not one string.")
    if not len(hypotheses):
        raise ValueError("There are no segments to score.")
    if not len(references):
        raise ValueError("At least one stream of references is needed.")
    _check_stream("Hypotheses", hypotheses, may_miss=False)
    for number, stream in enumerate(references, start=1):
        if isinstance(stream, str):
            raise ValueError("References must be a list of streams, each a list of strings.")
        if len(stream) != len(hypotheses):
            raise ValueError(
                f"Reference stream {number} has {len(stream)} segments, "
                f"but there are {len(hypotheses)} hypotheses."
            )
        _check_stream(f"Reference stream {number}", stream, may_miss=True)
    if any(None in stream for stream in references):
        for segment, texts in enumerate(zip(*references, strict=True), start=1):
            if all(text is None for text in texts):
                raise ValueError(f"Segment {segment} has no reference in any stream.")


def _check_stream(what: str, stream: Stream, may_miss: bool) -> None:
    if set(map(type, stream)) == {str}:
        return
    for segment, text in enumerate(stream, start=1):
        if not isinstance(text, str) and not (may_miss and text is None):
            raise ValueError(f"{what}, segment {segment}: expected a string, not {text!r}.")
