"""The contract that every automatic metric keeps.

A scorer turns texts into sufficient statistics, one row per segment, and sums of rows into
scores. The score of a system is ``score(stats.sum(axis=0))``, of a document
``score(stats[rows].sum(axis=0))``, of a thousand bootstrap resamples ``score(weights @ stats)``:
one representation serves every level and every test.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Stream = Sequence[str | None]
Floats = NDArray[np.float64]

FAMILIES = (
    "Runs of words",
    "Runs of characters",
    "Edits",
    "Words",
    "Fluency",
    "Word alignment",
    "Neural",
    "Sentinels",
    "From elsewhere",
)


@dataclass(kw_only=True)
class Scorer:
    """One metric with its options; the options are the fields of the subclass.

    Subclasses set the class attributes and write ``_statistics``, ``_score`` and
    ``_signature_fields``.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    family: ClassVar[str]
    """The heading under which pages list it, one of ``FAMILIES``."""
    description: ClassVar[str]
    """One sentence for the pages that list metrics."""
    higher_is_better: ClassVar[bool]
    score_range: ClassVar[tuple[float, float]]
    """Lowest and highest possible score; ``inf`` where there is no bound."""
    needs_references: ClassVar[bool] = True
    needs_sources: ClassVar[bool] = False
    targeted: ClassVar[bool] = False
    """Its references were made from the very output that is scored: post-edits."""
    needs_corpus: ClassVar[bool] = False
    """It has to be given the lines of a text by ``train`` before it can score."""
    same_as: ClassVar[str] = ""
    """The package whose figures it gives; its version then stands in the signature."""
    revision: ClassVar[int] = 1
    """Raised whenever the figures of a metric of our own change; stands in the signature."""
    option_values: ClassVar[dict[str, tuple[str, ...]]] = {}
    """The values that an option of text may take, where they can be listed."""
    in_label: ClassVar[tuple[str, ...]] = ()
    """The options that the label tells already, so that pages do not tell them twice."""

    @property
    def label(self) -> str:
        """The name of the metric with these options, such as ``chrF2++``."""
        return self.name

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls) if field.init)

    def options(self) -> dict[str, Any]:
        """Return the options in force, defaults included."""
        return {name: getattr(self, name) for name in self.option_names()}

    @classmethod
    def unavailable(cls) -> str:
        """Return why the metric cannot be used on this machine, and what to do; nothing if it
        can."""
        return ""

    def train(self, lines: Iterable[str]) -> None:
        """Learn from the lines of a text; for the metrics that need a corpus."""
        raise NotImplementedError

    def statistics(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Stream] = (),
        sources: Sequence[str] | None = None,
    ) -> Floats:
        """Return sufficient statistics, float64 of shape (n_segments, k).

        ``references`` is a list of reference streams, each as long as ``hypotheses``. A stream may
        hold None where that reference is missing, as long as another stream has one. ``sources``
        are needed by the metrics that say so, and passed over by the others.

        Raises ValueError where the streams do not fit together.
        """
        check_hypotheses(hypotheses)
        if self.needs_references:
            check_references(hypotheses, references)
        if self.needs_sources:
            if sources is None:
                raise ValueError(f"{self.name} needs the source texts.")
            if len(sources) != len(hypotheses):
                raise ValueError(f"{len(sources)} sources for {len(hypotheses)} hypotheses.")
            check_stream("Sources", sources, may_miss=False)
        return self._statistics(hypotheses, references, sources or ())

    def score(self, stats: ArrayLike) -> Floats:
        """Return scores of summed statistics: shape (..., k) → (...); a 0-d result is a NumPy
        float."""
        return self._score(np.asarray(stats, dtype=np.float64))[()]

    def segment_scores(self, stats: ArrayLike) -> Floats:
        """Return the score of every segment by itself: (n_segments, k) → (n_segments,)."""
        return self.score(stats)

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return the figures behind the score of summed statistics, (k,), in order, each with a
        label for people. A figure may be nan, where it is undefined, or infinite, as the log of 0
        is.
        """
        return []

    def signature(self, n_references: int | str, *, level: str = "corpus") -> str:
        """Return what another needs to get the same score, written as sacreBLEU writes it.

        ``n_references`` is a number, or "var" where it differs between segments (see
        ``count_references``). ``level`` is "corpus" or "segment". ``version`` is that of the
        package that gives the same figures, or else the metric's own ``revision``; ``impl`` says
        that it was not that package that ran.
        """
        if level not in ("corpus", "segment"):
            raise ValueError(f"level must be 'corpus' or 'segment', not {level!r}.")
        pairs = {"nrefs": n_references, **self._signature_fields(level)}
        own = version(self.same_as) if self.same_as else self.revision
        pairs |= {"version": own, "impl": "mteval"}
        return "|".join(f"{key}:{value}" for key, value in pairs.items())

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        raise NotImplementedError

    def _score(self, stats: Floats) -> Floats:
        raise NotImplementedError

    def _signature_fields(self, level: str) -> dict[str, object]:
        raise NotImplementedError


@dataclass(kw_only=True)
class MeanScorer(Scorer):
    """A metric that gives every segment a score and a corpus their mean.

    Statistics: the score, and a 1 to count it. Subclasses write ``_values`` and not
    ``_statistics``.
    """

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        values = np.asarray(self._values(hypotheses, references, sources), dtype=np.float64)
        return np.stack([values, np.ones(len(values))], axis=1)

    def _values(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        """Return one score a segment, (n_segments,)."""
        raise NotImplementedError

    def _score(self, stats: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return stats[..., 0] / stats[..., 1]


def yes_no(value: bool) -> str:
    """Return a truth value as signatures write it."""
    return "yes" if value else "no"


def check_integer(name: str, value: object, lowest: int) -> None:
    """Raise ValueError unless ``value`` is an integer of at least ``lowest``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
        raise ValueError(f"{name} must be an integer of at least {lowest}, not {value!r}.")


def prepared(texts: Stream, lowercase: bool) -> list[str]:
    """Return the texts, in lower case if asked for, a missing one empty."""
    return [(text or "").lower() if lowercase else text or "" for text in texts]


def count_references(references: Sequence[Stream]) -> int | str:
    """Return how many references each segment has, "var" where the segments differ."""
    counts = {sum(text is not None for text in texts) for texts in zip(*references, strict=True)}
    return counts.pop() if len(counts) == 1 else "var"


def check_hypotheses(hypotheses: Sequence[str]) -> None:
    """Raise ValueError, naming the segment, unless these are texts to score."""
    if isinstance(hypotheses, str):
        raise ValueError("Hypotheses and references must be lists, not one string.")
    if not len(hypotheses):
        raise ValueError("There are no segments to score.")
    check_stream("Hypotheses", hypotheses, may_miss=False)


def check_references(hypotheses: Sequence[str], references: Sequence[Stream]) -> None:
    """Raise ValueError, naming stream and segment, unless the references fit the hypotheses."""
    if isinstance(references, str):
        raise ValueError("Hypotheses and references must be lists, not one string.")
    if not len(references):
        raise ValueError("At least one stream of references is needed.")
    for number, stream in enumerate(references, start=1):
        if isinstance(stream, str):
            raise ValueError("References must be a list of streams, each a list of strings.")
        if len(stream) != len(hypotheses):
            raise ValueError(
                f"Reference stream {number} has {len(stream)} segments, "
                f"but there are {len(hypotheses)} hypotheses."
            )
        check_stream(f"Reference stream {number}", stream, may_miss=True)
    if any(None in stream for stream in references):
        for segment, texts in enumerate(zip(*references, strict=True), start=1):
            if all(text is None for text in texts):
                raise ValueError(f"Segment {segment} has no reference in any stream.")


def check_stream(what: str, stream: Stream, may_miss: bool) -> None:
    """Raise ValueError, naming the segment, unless all texts are strings that can be tokenized."""
    if set(map(type, stream)) != {str}:
        for segment, text in enumerate(stream, start=1):
            if not isinstance(text, str) and not (may_miss and text is None):
                raise ValueError(f"{what}, segment {segment}: expected a string, not {text!r}.")
    if why_not_text("".join(filter(None, stream))):
        for segment, text in enumerate(stream, start=1):
            if text and (reason := why_not_text(text)):
                raise ValueError(f"{what}, segment {segment}: {reason}.")


def why_not_text(text: str) -> str:
    """Return what in a text tokenizers cannot take; nothing if they can take it."""
    if "\0" in text:
        return "a NUL character (U+0000) cannot be tokenized"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return (
            f"U+{ord(text[error.start]):04X} is half a character (a lone surrogate) and cannot be "
            "tokenized"
        )
    return ""
