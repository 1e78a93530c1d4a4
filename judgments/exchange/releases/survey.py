"""What some files hold, in a sentence and ten rows, counted while it is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from judgments.files.texts import SegmentTexts

from .records import JudgedScreen, JudgmentsPart, PlanPart, Release, ScoresPart, TextsPart

ROWS = 10
LONGEST_CELL = 200  # characters of a cell of such a row


@dataclass
class FoundPart:
    """A part of a release as pages and commands show it. kind: texts, judgments, plan or scores.
    rows: the first ten, under their heads."""

    kind: str
    name: str
    languages: str
    sentence: str = ""
    heads: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    def show(self, cells: Iterable[object]) -> None:
        if len(self.rows) < ROWS:
            self.rows.append([clipped(str(cell)) for cell in cells])


class Survey:
    """release: the same parts, which are counted as somebody goes through them; found: what they
    were, complete once somebody has."""

    def __init__(self, release: Release, look: Callable[[], None] = lambda: None) -> None:
        self.look = look
        self.found: list[FoundPart] = []
        languages = {t.key: f"{t.source_language}-{t.target_language}" for t in release.texts}
        self.release = replace(
            release,
            texts=[self._texts(part, languages[part.key]) for part in release.texts],
            judgments=[self._judgments(p, languages[p.texts]) for p in release.judgments],
            plans=[self._plan(part, languages[part.texts]) for part in release.plans],
        )
        for part in release.scores:
            self._scores(part, languages[part.texts])

    def _texts(self, part: TextsPart, languages: str) -> TextsPart:
        count = partial(TextsCount, without_texts=not part.has_texts)
        segments = self._counted("texts", part.name, languages, part.segments, count)
        return replace(part, segments=segments)

    def _judgments(self, part: JudgmentsPart, languages: str) -> JudgmentsPart:
        count = partial(ScreensCount, are_means=bool(part.options.get("are_means")))
        screens = self._counted("judgments", part.name, languages, part.screens, count)
        return replace(part, screens=screens)

    def _plan(self, part: PlanPart, languages: str) -> PlanPart:
        batches = self._counted("plan", part.name, languages, part.batches, BatchesCount)
        return replace(part, batches=batches)

    def _counted(
        self, kind: str, name: str, languages: str, rows: Callable, count: Callable
    ) -> Callable:
        found = FoundPart(kind, name, languages)
        self.found.append(found)
        return lambda: self._watched(rows(), count(found))

    def _scores(self, part: ScoresPart, languages: str) -> None:
        names = {file.name.split(".")[0] for file in part.files}
        sentence = (
            f"{n_of(len(part.files), 'file')} of scores of {n_of(len(names), 'metric')}, "
            f"each with its reference, {languages}"
        )
        self.found.append(FoundPart("scores", "Scores of metrics", languages, sentence))

    def _watched(self, rows: Iterable[Any], count: Any) -> Iterator[Any]:
        for n, row in enumerate(rows):
            if n % 500 == 0:
                self.look()
            count.add(row)
            yield row
        count.finish()


class TextsCount:
    def __init__(self, found: FoundPart, *, without_texts: bool) -> None:
        self.found = found
        self.without_texts = without_texts
        self.n_segments = self.n_outputs = self.n_media = 0
        self.documents: set[str] = set()
        self.domains: set[str] = set()
        self.references: dict[str, None] = {}
        self.systems: dict[str, None] = {}
        self.empty: Counter[str] = Counter()

    def add(self, row: SegmentTexts) -> None:
        self.n_segments += 1
        self.empty.update(system for system, text in row.outputs.items() if not text)
        self.n_outputs += len(row.outputs)
        self.n_media += row.media is not None
        self.documents.add(row.document)
        self.domains.add(row.domain)
        self.references |= dict.fromkeys(row.references)
        self.systems |= dict.fromkeys(row.outputs)
        self.found.heads = ["Segment", "Document", "Source", "Reference", "Output"]
        self.found.show(
            [row.key, row.document, row.source, first_of(row.references), first_of(row.outputs)]
        )

    def finish(self) -> None:
        domains = len(self.domains - {""})
        of_domains = f" of {n_of(domains, 'domain')}" if domains else ""
        self.found.sentence = (
            f"{n_of(self.n_segments, 'segment')} in {n_of(len(self.documents), 'document')}"
            f"{of_domains} with "
            f"{n_of(len(self.references), 'reference')} and {n_of(self.n_outputs, 'output')} of "
            f"{n_of(len(self.systems), 'system')}, {self.found.languages}"
        )
        if self.n_media:
            self.found.sentence += f"; {self.n_media:,} with sound, a picture or a video"
        if self.without_texts:
            self.found.sentence += ", by their numbers and names: the texts are not in the files"
        elif self.empty:
            counts = ", ".join(f"{n:,} of {system}" for system, n in self.empty.most_common())
            self.found.sentence += f". Empty outputs: {counts}"


class ScreensCount:
    """Counts what people said: errors where errors were marked, else preferences, else ratings."""

    def __init__(self, found: FoundPart, *, are_means: bool) -> None:
        self.found = found
        self.are_means = are_means
        self.n_spans = self.n_ratings = self.n_preferences = 0
        self.asks_spans = False
        self.annotators: set[str] = set()
        self.segments: set[str] = set()
        self.systems: set[str] = set()

    def add(self, row: JudgedScreen) -> None:
        self.asks_spans |= row.spans is not None
        self.n_spans += len(row.spans or ())
        self.n_ratings += len(row.ratings)
        self.n_preferences += len(row.preferences)
        self.annotators.add(row.annotator)
        self.segments.add(row.segment)
        self.systems.update(row.outputs)
        self.found.heads = ["Rater", "Segment", "Systems", "Kind", "Judgment"]
        self.found.show([row.annotator, row.segment, ", ".join(row.outputs), row.kind, said(row)])

    def finish(self) -> None:
        counts = [("error span", self.n_spans)] if self.asks_spans else []
        counts += [("preference", self.n_preferences)] if self.n_preferences else []
        counts += [("rating", self.n_ratings)] if self.n_ratings or not counts else []
        words = " and ".join(n_of(n, name) for name, n in counts)
        people = n_of(len(self.annotators), "rater")
        if self.are_means:
            people = "raters whom the files do not name, as means"
        self.found.sentence = (
            f"{words} by {people} on "
            f"{n_of(len(self.segments), 'segment')} of {n_of(len(self.systems), 'system')}, "
            f"{self.found.languages}"
        )


class BatchesCount:
    def __init__(self, found: FoundPart) -> None:
        self.found = found
        self.n_batches = self.n_items = 0

    def add(self, batch: Iterable[Any]) -> None:
        self.n_batches += 1
        for item in batch:
            self.n_items += 1
            self.found.heads = ["Batch", "Segment", "Systems", "Kind"]
            self.found.show([self.n_batches, item.segment, ", ".join(item.outputs), item.kind])

    def finish(self) -> None:
        self.found.sentence = (
            f"{n_of(self.n_items, 'item')} to judge in "
            f"{n_of(self.n_batches, 'batch', 'batches')}, {self.found.languages}"
        )


def said(row: JudgedScreen) -> str:
    """Return a judgment in words short enough for a cell."""
    ratings = [f"{dimension} {value + 0.0:g}" for _, dimension, value in row.ratings]
    preferences = [
        f"{a} {'=' if not sign else '>' if sign > 0 else '<'} {b}"
        for a, b, sign, _ in row.preferences
    ]
    spans = [f"{s.severity} {s.category} {s.side} {s.start}–{s.end}" for s in row.spans or ()]
    if row.spans is not None and not spans:
        spans = ["no error"]
    return "; ".join([*ratings, *preferences, *spans])


def first_of(texts: Any) -> str:
    return next((f"{name}: {text}" for name, text in texts.items()), "")


def clipped(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


def n_of(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"
