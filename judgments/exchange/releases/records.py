"""What a release consists of, whatever files it came in and whatever database it goes to.

Everything goes by its names here: segments by their keys, systems and annotators by their names.
Rows come from functions that can be called again, so that no part is ever in memory as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from judgments.files.output_texts import OutputText
from judgments.files.problem import FileRow
from judgments.files.problem import Problems as Problems
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import ReleaseFile

if TYPE_CHECKING:
    from judgments.test_sets.media.archive import MediaArchive

    from .stand_in import StandIn


class MarkedSpan(NamedTuple):
    """An error. Offsets are code points, the end exclusive; of what is missing both are 0."""

    system: str
    side: str
    start: int
    end: int
    severity: str
    category: str = ""


@dataclass(slots=True)
class JudgedScreen(FileRow):
    """One annotator's answer about one segment: what `models.Judgment` and its observations say.

    outputs: systems in the order of the screen. item: what tells apart the times that somebody
    judged the same; empty where nobody does so. ratings: (system, dimension, value). copies: the
    systems whose output was not shown itself, because another one reads the same. control: the
    system whose output is a control among others, of control_kind; "" where none is. altered: what
    the screen showed in place of the outputs of systems. preferences:
    (system a, system b, sign of a − b, strength or None). spans: the errors; None where errors were
    not asked for, and an empty list where there were none.
    """

    annotator: str
    segment: str
    outputs: Sequence[str]
    item: str = ""
    kind: str = "regular"
    part: str = ""
    ratings: list[tuple[str, str, float]] = field(default_factory=list)
    copies: frozenset[str] = frozenset()
    preferences: list[tuple[str, str, int, int | None]] = field(default_factory=list)
    spans: list[MarkedSpan] | None = None
    started: datetime | None = None
    submitted: datetime | None = None
    active_ms: int | None = None
    control: str = ""
    control_kind: str = ""
    altered: dict[str, str] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return self.row

    def kind_of(self, *systems: str) -> str:
        """Return the kind of what is said of the outputs of these systems."""
        return self.control_kind if self.control and self.control in systems else self.kind

    def without_control(self) -> JudgedScreen:
        """Return what is said of the other outputs, for files that know no control among others."""
        if not self.control:
            return self
        gone = self.control
        return replace(
            self,
            outputs=[system for system in self.outputs if system != gone],
            ratings=[row for row in self.ratings if row[0] != gone],
            copies=self.copies - {gone},
            preferences=[row for row in self.preferences if gone not in row[:2]],
            spans=self.spans and [span for span in self.spans if span.system != gone],
            control="",
            control_kind="",
            altered={system: text for system, text in self.altered.items() if system != gone},
        )


class Exclusion(NamedTuple):
    """What a release leaves out of its own figures, and why: an annotator, of one dimension or of
    all (""), or a segment, of one system or of all ("")."""

    reason: str
    annotator: str = ""
    dimension: str = ""
    segment: str = ""
    system: str = ""


class Published(NamedTuple):
    """A figure that stands in a release, with the digits that it has there.

    figure: what it is, as `results.recomputation` knows it; dimension: of what; of: the system,
    the pair of systems or the segment that it is of, "" for the whole campaign; about: the language
    pair, where a table holds several.
    """

    figure: str
    dimension: str
    of: str
    text: str
    file: str
    about: str = ""


@dataclass(frozen=True)
class TextsPart:
    """A test set. key: what other parts call it. has_texts: False where a release names segments
    and systems whose texts it does not hold. release: such as "wmt23", where it is known.

    settle: of a part without texts; it is told which test set the judgments are of, before their
    screens are read, so that they name its segments, and says what people should know.

    post_edits: of its outputs, where the files hold any. media: the files that its segments name.
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


@dataclass(frozen=True)
class JudgmentsPart:
    """A closed campaign. texts: the key of its test set. options: beside those of the preset.
    weights: of errors, {slug of published ones: as options have them}, among which files do not
    decide by themselves."""

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
        """`screens`, each as `JudgedScreen.without_control` has it."""
        return (screen.without_control() for screen in self.screens())


class PlannedItem(NamedTuple):
    """A screen that somebody is to judge: a segment with outputs in the order of the screen.
    asks_document: whether it also asks about the whole document."""

    segment: str
    outputs: tuple[str, ...]
    kind: str = "regular"
    asks_document: bool = False


@dataclass(frozen=True)
class PlanPart:
    """A campaign that is still to be judged. batches: the items of each batch in their order;
    seats: how many people judge each batch. practice: rows as `models.Practice` has them, with the
    keys source, reference, outputs, expected and feedback."""

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
    database have no files: `write` writes them, each by a function of its path and
    text, for a language pair."""

    texts: str
    files: Sequence[ReleaseFile] = ()
    write: Callable[[Callable[[str, str], object], str], object] | None = None


@dataclass(frozen=True)
class OpenQuestion:
    """What files cannot say. Answers are texts; choices: (value, words), empty for free text."""

    name: str
    label: str
    help: str = ""
    choices: Sequence[tuple[str, str]] = ()
    default: str = ""
    required: bool = True


@dataclass
class Release:
    """What some files hold. published: figures that name no campaign: they are of every one of
    their language pair. questions: everything that could be asked about them, answered or not;
    notes: what stays outside and why, in sentences for the person who brings the files; recipe: of
    tables that nobody knows, as `tables.recipes` keeps them."""

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
