"""What a release consists of, whatever files it came in and whatever database it goes to.

Everything goes by its names here: segments by their keys, systems and annotators by their names.
Rows come from functions that can be called again, so that no part is ever in memory as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from judgments.exchange.judgments.records import JudgedScreen as JudgedScreen
from judgments.exchange.judgments.records import MarkedSpan as MarkedSpan
from judgments.files.output_texts import OutputText
from judgments.files.problem import Problems as Problems
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import ReleaseFile

if TYPE_CHECKING:
    from judgments.test_sets.media.archive import MediaArchive

    from .stand_in import StandIn


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
    reference_kinds: how references came about (`ReferenceKind`), by their names, where it is known.
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


class Expectation(NamedTuple):
    """What an attention check expects of a system's score: to lie from low to high, to be above
    another system's, or both."""

    system: str
    dimension: str
    low: float | None = None
    high: float | None = None
    above: str = ""


class PlannedItem(NamedTuple):
    """A screen that somebody is to judge: a segment with outputs in the order of the screen.
    asks_document: whether it also asks about the whole document. expected: of an attention check
    that names scores. copy: on such a one, the place on the screen, the system and the text of what
    is shown instead of its output; it is not among `outputs`."""

    segment: str
    outputs: tuple[str, ...]
    kind: str = "regular"
    asks_document: bool = False
    expected: tuple[Expectation, ...] = ()
    copy: tuple[int, str, str] | None = None

    def with_outputs(self, outputs: Collection[str]) -> PlannedItem:
        """Return the screen with some of its outputs; what a check expects of the others goes, and
        with all of it the check becomes an item like any other that everybody judges."""
        kept = [each for each in self.expected if each.system in outputs]
        kept = [each if each.above in outputs else each._replace(above="") for each in kept]
        expected = tuple(each for each in kept if each.above or each.low is not None)
        kind = "control" if self.expected and not expected else self.kind
        return self._replace(outputs=tuple(outputs), expected=expected, kind=kind)


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
