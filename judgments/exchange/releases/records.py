"""Records of a release, for files of any format and the database.

All objects are identified by names: segments by their keys, systems and annotators by their names.
Rows come from functions that can be called repeatedly, so that no part is ever completely in
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from judgments.exchange.judgments.records import JudgedScreen as JudgedScreen
from judgments.exchange.judgments.records import MarkedSpan as MarkedSpan
from judgments.exchange.judgments.records import Remark as Remark
from judgments.files.output_texts import OutputText
from judgments.files.problem import Problems as Problems
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import ReleaseFile

if TYPE_CHECKING:
    from judgments.test_sets.media.archive import MediaArchive

    from .stand_in import StandIn


class Exclusion(NamedTuple):
    """An exclusion from a release's own figures, and the reason: of an annotator, in one dimension
    or in all (""), or of a segment, of one system or of all ("")."""

    reason: str
    annotator: str = ""
    dimension: str = ""
    segment: str = ""
    system: str = ""


class Published(NamedTuple):
    """A figure in a release, with its original digits.

    figure: its kind, as in `results.recomputation`; dimension: its dimension; of: its system, pair
    of systems or segment, "" for the whole campaign; about: the language pair, if a table has
    several.
    """

    figure: str
    dimension: str
    of: str
    text: str
    file: str
    about: str = ""


@dataclass(frozen=True)
class TextsPart:
    """A test set. key: its name in other parts. has_texts: False if a release names segments and
    systems without their texts. release: such as "wmt23", if known.

    settle: of a part without texts; called with the test set of the judgments before their screens
    are read, so that they name its segments; returns notes for people.

    post_edits: of its outputs, if the files contain any. media: the files that its segments name.
    reference_kinds: the origin of references (`ReferenceKind`), by their names, if known.
    """

    key: str
    name: str
    source_language: str
    target_language: str
    segments: Callable[[], Iterable[SegmentTexts]]
    has_texts: bool = True
    note: str = ""
    release: str = ""
    gloss_language: str = ""
    settle: Callable[[StandIn], list[str]] | None = None
    post_edits: Callable[[], Iterable[OutputText]] | None = None
    media: MediaArchive | None = None
    reference_kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class JudgmentsPart:
    """A closed campaign. texts: the key of its test set. options: in addition to those of the
    preset. weights: of errors, {slug of published ones: in the format of options}, if the files do
    not determine them."""

    name: str
    texts: str
    preset: str
    screens: Callable[[], Iterable[JudgedScreen]]
    options: Mapping[str, Any] = field(default_factory=dict)
    instructions: str = ""
    exclusions: Sequence[Exclusion] = ()
    published: Sequence[Published] = ()
    note: str = ""
    weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def screens_without_controls(self) -> Iterator[JudgedScreen]:
        """Yield `screens` through `JudgedScreen.without_control`."""
        return (screen.without_control() for screen in self.screens())


class Expectation(NamedTuple):
    """Expectation of an attention check for a system's score: between low and high, above another
    system's, or both."""

    system: str
    dimension: str
    low: float | None = None
    high: float | None = None
    above: str = ""


class PlannedItem(NamedTuple):
    """A screen that somebody should judge: a segment with outputs in the order of the screen.
    asks_document: whether it also asks about the whole document. expected: of an attention check
    with expected scores. copy: in such a check, the place on the screen, the system and the text
    that is shown instead of its output; it is not in `outputs`. altered: (system, text) of outputs
    that are shown with another text."""

    segment: str
    outputs: tuple[str, ...]
    kind: str = "regular"
    asks_document: bool = False
    expected: tuple[Expectation, ...] = ()
    copy: tuple[int, str, str] | None = None
    altered: tuple[tuple[str, str], ...] = ()

    def with_outputs(self, outputs: Collection[str]) -> PlannedItem:
        """Return the screen with some of its outputs; expectations for others are removed, and
        without any the check becomes a regular item that everybody judges."""
        kept = [each for each in self.expected if each.system in outputs]
        kept = [each if each.above in outputs else each._replace(above="") for each in kept]
        expected = tuple(each for each in kept if each.above or each.low is not None)
        kind = "control" if self.expected and not expected else self.kind
        return self._replace(outputs=tuple(outputs), expected=expected, kind=kind)


@dataclass(frozen=True)
class PlanPart:
    """A campaign still to be judged. batches: the items of each batch in their order; seats: how
    many people judge each batch. practice: rows as in `models.Practice`, with the keys source,
    reference, outputs, expected and feedback."""

    name: str
    texts: str
    preset: str
    batches: Callable[[], Iterable[Sequence[PlannedItem]]]
    seats: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    instructions: str = ""
    practice: Sequence[Mapping[str, Any]] = ()
    note: str = ""


@dataclass(frozen=True)
class ScoresPart:
    """Scores of metrics for a test set, as files in the layout of mt-metrics-eval. Those of the
    database have no files: `write` writes them for a language pair, each by a function of its path
    and text."""

    texts: str
    files: Sequence[ReleaseFile] = ()
    write: Callable[[Callable[[str, str], object], str], object] | None = None


@dataclass(frozen=True)
class OpenQuestion:
    """A question that files cannot answer. Answers are texts; choices: (value, label), empty for
    free text."""

    name: str
    label: str
    help: str = ""
    choices: Sequence[tuple[str, str]] = ()
    default: str = ""
    required: bool = True


@dataclass
class Release:
    """The content of some files. published: figures that name no campaign: they belong to every one
    of their language pair. questions: all possible questions about them, answered or not; notes:
    sentences for the person who uploads the files about what is left out and why; recipe: of tables
    in an unknown format, as in `tables.recipes`."""

    texts: list[TextsPart] = field(default_factory=list)
    judgments: list[JudgmentsPart] = field(default_factory=list)
    plans: list[PlanPart] = field(default_factory=list)
    scores: list[ScoresPart] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    questions: list[OpenQuestion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    recipe: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Release) -> None:
        for each in fields(self):
            getattr(self, each.name).extend(getattr(other, each.name))
