"""What protocols are made of: scales, dimensions, presets, and the observations of a judgment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import get_language, gettext

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise  # words that may be translated when they are shown


@dataclass(frozen=True)
class Scale:
    """Which values a rating may take, and how analysis may read them.

    kind: "nominal", "ordinal" or "interval", the levels of measurement of Stevens (1946).
    anchors: (value, words) pairs, from the best value to the worst. first_tick: the number that
    stands at the lowest tick of a slider.
    widget: "radio" (every value has an anchor) or "slider" (the number is not shown; more than two
    anchors are its labelled ticks, between which any place counts).
    """

    low: float
    high: float
    step: float = 1.0
    kind: str = "ordinal"
    widget: str = "radio"
    anchors: tuple[tuple[float, str], ...] = ()
    first_tick: int = 0

    def problem_with(self, value: float) -> str:
        """What is wrong with a value, in words; empty when it lies on the scale."""
        on_step = abs((value - self.low) / self.step - round((value - self.low) / self.step)) < 1e-9
        if self.low <= value <= self.high and on_step:
            return ""
        return f"{value:g} is not on the scale from {self.low:g} to {self.high:g}"

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """The labelled ticks of a slider, from the lowest; none where only its ends have words."""
        has_ticks = self.widget == "slider" and len(self.anchors) > 2
        return tuple(sorted(self.anchors)) if has_ticks else ()

    @property
    def n_values(self) -> int:
        return round((self.high - self.low) / self.step) + 1

    @property
    def is_yes_or_no(self) -> bool:
        """Whether only 0 and 1 can be given: a mean is then a share."""
        return (self.low, self.high, self.n_values) == (0, 1, 2)


@dataclass(frozen=True)
class Dimension:
    """What is asked, on which scale.

    of_source, of_reference: the question where only the source, or only a reference, is shown;
    empty where `question` does. provenance: whose wording it is, and what differs here.
    """

    slug: str
    name: str
    question: str
    scale: Scale
    of_source: str = ""
    of_reference: str = ""
    provenance: str = ""


@dataclass(frozen=True)
class Preset:
    """A protocol with its wording, scales and visibility: data, never code.

    sketch: a picture in templates/judgments/sketches that says what a screen looks like; the
    protocol's own where it is empty.
    """

    slug: str
    protocol: str
    name: StrOrPromise
    summary: StrOrPromise
    dimensions: tuple[Dimension, ...]
    instructions: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    sketch: str = ""

    @property
    def sketches(self) -> tuple[str, ...]:
        """Templates, of which the first that is there is shown."""
        names = (self.sketch or self.protocol, self.protocol, "plain")
        return tuple(f"judgments/sketches/{name}.svg" for name in names)


class Span(NamedTuple):
    """As `judgments.models.ErrorSpan`: offsets are code points, the end exclusive."""

    output_id: int
    side: str
    start: int
    end: int
    severity: str
    category: str = ""
    prefill_id: int | None = None


class Edit(NamedTuple):
    """As `judgments.models.PostEdit`."""

    output_id: int
    outcome: str
    text: str
    keystrokes: int | None = None
    active_ms: int | None = None


class Answered(NamedTuple):
    """As `judgments.models.Answer`."""

    output_id: int
    question_id: int
    text: str
    is_right: bool | None


class Link(NamedTuple):
    """As `judgments.models.AlignmentLink`."""

    output_id: int
    source_token: int
    target_token: int
    is_sure: bool


@dataclass(frozen=True)
class Observations:
    """What one judgment says, as rows to store.

    ratings: (output id, dimension, value); preferences: (output id a, output id b, sign of a − b,
    strength: how much better, None where it was not asked);
    copies: ids of the outputs that were not shown themselves, because another one read the same.
    """

    ratings: tuple[tuple[int, str, float], ...] = ()
    preferences: tuple[tuple[int, int, int, int | None], ...] = ()
    spans: tuple[Span, ...] = ()
    edits: tuple[Edit, ...] = ()
    answers: tuple[Answered, ...] = ()
    links: tuple[Link, ...] = ()
    copies: frozenset[int] = frozenset()


def scale_from_options(low: float, high: float) -> Scale:
    """The scale of a dimension that a campaign defines by its bounds alone."""
    if high - low > 10:
        return Scale(low, high, kind="interval", widget="slider")
    values = [low + i for i in range(round(high - low) + 1)]
    anchors = tuple((value, f"{value:g}") for value in reversed(values))
    return Scale(low, high, kind="ordinal", widget="radio", anchors=anchors)


def custom_dimensions(rows: Sequence[Mapping[str, Any]]) -> tuple[Dimension, ...]:
    """Dimensions that a campaign names itself: [{"slug", "low", "high", …}, …]."""
    return tuple(
        Dimension(
            row["slug"],
            row.get("name", row["slug"].replace("_", " ").capitalize()),
            row.get("question", ""),
            scale_from_options(float(row["low"]), float(row["high"])),
        )
        for row in rows
    )


def as_shown(dimension: Dimension, source: bool, reference: bool) -> Dimension:
    """The dimension with the wording for the texts that are shown."""
    if source == reference:
        return dimension
    other = dimension.of_source if source else dimension.of_reference
    return replace(dimension, question=other) if other else dimension


def with_language(dimension: Dimension, language_name: str) -> Dimension:
    """The dimension in the language of the page, with the target language's name put into its
    question and anchors."""
    return _worded(dimension, language_name, get_language())


@lru_cache(maxsize=1000)
def _worded(dimension: Dimension, language_name: str, page_language: str | None) -> Dimension:
    """The same for the language that is active now; kept, because every answer asks for it."""
    scale = dimension.scale
    name = gettext(language_name)

    def worded(text: str) -> str:
        return gettext(text).replace("{language}", name)

    anchors = tuple((value, worded(words)) for value, words in scale.anchors)
    return replace(
        dimension,
        name=gettext(dimension.name),
        question=worded(dimension.question),
        scale=replace(scale, anchors=anchors),
    )
