"""What protocols are made of: scales, dimensions, presets, and the observations of a judgment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language, gettext

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise  # words that may be translated when they are shown


@dataclass(frozen=True)
class Scale:
    """Which values a rating may take, and how analysis may read them.

    low, high, step: None where there is no lowest or highest value, or any number between counts.
    kind: "nominal", "ordinal" or "interval", the levels of measurement of Stevens (1946).
    anchors: (value, words) pairs, from the best value to the worst.
    widget: "radio" (every value has an anchor) or "slider" (the number is not shown; more than two
    anchors are its labelled ticks, between which any place counts).
    """

    low: float | None
    high: float | None
    step: float | None = 1.0
    kind: str = "ordinal"
    widget: str = "radio"
    anchors: tuple[tuple[float, str], ...] = ()

    def problem_with(self, value: float) -> str:
        """Return what is wrong with a value, in words; empty when it lies on the scale."""
        low, high = self.low, self.high
        is_below, is_above = low is not None and value < low, high is not None and value > high
        if not is_below and not is_above and self._on_step(value):
            return ""
        in_steps = "" if self.step is None else f", in steps of {self.step:g}"
        if low is not None and high is not None:
            return f"{value:g} is not on the scale from {low:g} to {high:g}{in_steps}"
        if is_below:
            return f"{value:g} is below {low:g}, the lowest value"
        if is_above:
            return f"{value:g} is above {high:g}, the highest value"
        return f"{value:g} is not on the scale{in_steps}"

    def _on_step(self, value: float) -> bool:
        if self.step is None:
            return True
        start = next((end for end in (self.low, self.high) if end is not None), 0.0)
        steps = (value - start) / self.step
        return abs(steps - round(steps)) < 1e-9

    @property
    def is_open(self) -> bool:
        """Whether no screen could ask for a value of it: it has no end, or no steps."""
        return self.low is None or self.high is None or self.step is None

    @property
    def bounds(self) -> tuple[float, float, float]:
        """Lowest value, highest value and step, for a screen. ValueError where one is missing."""
        if self.low is None or self.high is None or self.step is None:
            raise ValueError("the scale is open")
        return self.low, self.high, self.step

    @property
    def words(self) -> str:
        """Its values, for the page that takes files."""
        if self.low is not None and self.high is not None:
            ends = f"from {self.low:g} to {self.high:g}"
        elif self.low is not None:
            ends = f"{self.low:g} or more"
        elif self.high is not None:
            ends = f"{self.high:g} or less"
        else:
            ends = "any number"
        return ends if self.step in (None, 1) else f"{ends}, in steps of {self.step:g}"

    @property
    def is_typed(self) -> bool:
        """Whether digits that follow each other are a number on it (see judging/widgets.js)."""
        return self.widget == "slider" and (self.low, self.high) == (0, 100)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """The labelled ticks of a slider, from the lowest; none where only its ends have words."""
        has_ticks = self.widget == "slider" and len(self.anchors) > 2
        return tuple(sorted(self.anchors)) if has_ticks else ()

    @property
    def n_values(self) -> int | None:
        """How many values there are; None where there is no end of them."""
        if self.low is None or self.high is None or self.step is None:
            return None
        return round((self.high - self.low) / self.step) + 1

    @property
    def values(self) -> tuple[float, ...]:
        """All values from the lowest; none where there is no end of them."""
        if self.low is None or self.step is None:
            return ()
        return tuple(self.low + self.step * i for i in range(self.n_values or 0))

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

    sketch: a picture in templates/judgments/protocols/sketches that says what a screen looks
    like; the protocol's own where it is empty. crowd: whether people without training judge with
    it, so that a plan begins with control items of every kind. unsourced: the instructions where
    the source is not shown; empty where they are the same.
    """

    slug: str
    protocol: str
    name: StrOrPromise
    summary: StrOrPromise
    dimensions: tuple[Dimension, ...]
    instructions: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    sketch: str = ""
    crowd: bool = False
    unsourced: str = ""

    @property
    def sketches(self) -> tuple[str, ...]:
        """Templates, of which the first that is there is shown."""
        names = (self.sketch or self.protocol, self.protocol, "plain")
        return tuple(f"judgments/protocols/sketches/{name}.svg" for name in names)


def scale_from_options(low: float | None, high: float | None, step: float | None = 1.0) -> Scale:
    """Return the scale of a dimension that a campaign defines by its bounds alone. None: see
    `Scale`."""
    values = Scale(low, high, step).values
    if not 0 < len(values) <= 11:
        return Scale(low, high, step, kind="interval", widget="slider")
    anchors = tuple((value, f"{value:g}") for value in reversed(values))
    return Scale(low, high, step, kind="ordinal", widget="radio", anchors=anchors)


def custom_dimensions(rows: Sequence[Mapping[str, Any]]) -> tuple[Dimension, ...]:
    """Return dimensions that a campaign names itself: [{"slug", "low", "high", …}, …]. An end, or a
    "step", that is null is none; a step that is not there is 1."""

    def scale_of(row: Mapping[str, Any]) -> Scale:
        ends = (row["low"], row["high"], row.get("step", 1))
        return scale_from_options(*(None if end is None else float(end) for end in ends))

    return tuple(
        Dimension(
            row["slug"],
            row.get("name", row["slug"].replace("_", " ").capitalize()),
            row.get("question", ""),
            scale_of(row),
        )
        for row in rows
    )


def as_shown(dimension: Dimension, source: bool, reference: bool) -> Dimension:
    """Return the dimension with the wording for the texts that are shown."""
    if source == reference:
        return dimension
    other = dimension.of_source if source else dimension.of_reference
    return replace(dimension, question=other) if other else dimension


def with_language(dimension: Dimension, language_name: str) -> Dimension:
    """Return the dimension in the language of the page, with the target language's name put into
    its question and anchors."""
    return _worded(dimension, language_name, get_language())


@lru_cache(maxsize=1000)
def _worded(dimension: Dimension, language_name: str, page_language: str | None) -> Dimension:
    """Return the same for the language that is active now; kept, because every answer asks for
    it."""
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
