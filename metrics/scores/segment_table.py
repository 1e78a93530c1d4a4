"""The table of segments: what the address asks for, which segments that leaves, in which order."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

import numpy as np
from django.db.models import Q
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from judgments.models import Document, Output, Reference, Segment, System, TestSet
from metrics.scores.tables import MetricColumn, ScoreTable, score_text, segment_matrix

WHERE = {
    "any": gettext_lazy("anywhere"),
    "source": gettext_lazy("source"),
    "output": gettext_lazy("output"),
    "reference": gettext_lazy("reference"),
}
DISAGREE = "disagree"


@dataclass(frozen=True)
class SegmentChoice:
    """What the address asks for; anything that it does not know is passed over.

    `other`: a second system; scores are then the first's, with what it has more than the second.
    `sort`: slug of a column, "disagree" or nothing (the order of the test set). `first`, `second`:
    slugs of two metrics whose disagreement is looked for. `scored`: slug of the column whose scores
    lie from `low` to `high`.
    """

    system: System
    other: System | None = None
    sort: str = ""
    descending: bool = False
    document: int | None = None
    text: str = ""
    where: str = "any"
    scored: str = ""
    low: float | None = None
    high: float | None = None
    first: str = ""
    second: str = ""
    show: tuple[str, ...] = field(default=())

    @property
    def is_filtered(self) -> bool:
        bounds = self.scored and (self.low is not None or self.high is not None)
        return bool(self.document or self.text or bounds or self.seeks_disagreement)

    @property
    def seeks_disagreement(self) -> bool:
        return bool(self.first and self.second and self.first != self.second)

    def query(self, **changes) -> str:
        """Return the address of this choice with some changes, without what says nothing."""
        changed = replace(self, **changes)
        pairs = {
            "system": changed.system.pk,
            "with": changed.other.pk if changed.other else "",
            "sort": changed.sort,
            "order": "down" if changed.sort and changed.descending else "",
            "document": changed.document or "",
            "text": changed.text,
            "where": changed.where if changed.text and changed.where != "any" else "",
            "scored": changed.scored,
            "low": "" if changed.low is None else f"{changed.low:g}",
            "high": "" if changed.high is None else f"{changed.high:g}",
            "first": changed.first,
            "second": changed.second,
        }
        kept = [(name, value) for name, value in pairs.items() if value != ""]
        return urlencode(kept + [("show", slug) for slug in changed.show])


def read_choice(query: QueryDict, table: ScoreTable, document_ids: Sequence[int]) -> SegmentChoice:
    systems = {str(system.pk): system for system in table.systems}
    slugs = [column.slug for column in table.columns]

    def known(name: str, values: Sequence[str]) -> str:
        value = query.get(name, "")
        return value if value in values else ""

    system = systems.get(query.get("system", ""), table.systems[0])
    other = systems.get(query.get("with", ""))
    first, second = known("first", slugs), known("second", slugs)
    sorts = [*slugs, DISAGREE] if first and second and first != second else slugs
    sort = known("sort", sorts)
    if not sort and DISAGREE in sorts and "sort" not in query:
        sort = DISAGREE
    document = query.get("document", "")
    text = query.get("text", "") if table.test_set.has_texts else ""
    return SegmentChoice(
        system,
        other=None if other == system else other,
        sort=sort,
        descending=query.get("order") == "down" or (sort == DISAGREE and "order" not in query),
        document=int(document) if document in map(str, document_ids) else None,
        text=text.strip().replace("\0", "")[:200],
        where=known("where", list(WHERE)) or "any",
        scored=known("scored", slugs),
        low=read_number(query.get("low", "")),
        high=read_number(query.get("high", "")),
        first=first,
        second=second,
        show=tuple(slug for slug in slugs if slug in query.getlist("show")),
    )


def read_number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Scores:
    """Segment scores of a choice: (n_columns, n_segments) each, NaN where there is none.
    `others`: those of the second system, None without one."""

    own: np.ndarray
    others: np.ndarray | None
    disagreement: np.ndarray | None = None

    @property
    def differences(self) -> np.ndarray | None:
        return None if self.others is None else self.own - self.others


def scores_of(table: ScoreTable, choice: SegmentChoice) -> Scores:
    def of(system: System) -> np.ndarray:
        rows = [segment_matrix(c, [system.pk], table.n_segments)[0] for c in table.columns]
        return np.array(rows).reshape(len(table.columns), table.n_segments)

    own = of(choice.system)
    others = of(choice.other) if choice.other else None
    disagreement = None
    if choice.seeks_disagreement:
        shown = own if others is None else own - others
        z = [oriented(table, shown, slug) for slug in (choice.first, choice.second)]
        disagreement = np.abs(z[0] - z[1])
    return Scores(own, others, disagreement)


def oriented(table: ScoreTable, scores: np.ndarray, slug: str) -> np.ndarray:
    """Return a metric's scores of the segments as standard scores, higher better, so that metrics
    of different scales can be laid beside each other. All 0 where they do not vary."""
    index = [column.slug for column in table.columns].index(slug)
    values = scores[index] if table.columns[index].higher_is_better else -scores[index]
    if np.isnan(values).all():
        return values
    spread = float(np.nanstd(values))
    return (values - np.nanmean(values)) / (spread or 1.0)


def places_of(
    test_set: TestSet,
    table: ScoreTable,
    choice: SegmentChoice,
    segments: Sequence[tuple],
    scores: Scores,
) -> list[int]:
    """Return places of the segments that the choice leaves, in its order; those without a score
    last.

    `segments`: (pk, key, document) of every segment, in the order of the test set.
    """
    keep = np.ones(len(segments), dtype=bool)
    if choice.document:
        keep &= np.array([document == choice.document for _, _, document in segments], dtype=bool)
    if choice.text:
        found = segments_with(test_set, choice)
        keep &= np.array([pk in found for pk, _, _ in segments], dtype=bool)
    slugs = [column.slug for column in table.columns]
    if choice.scored:
        values = scores.own[slugs.index(choice.scored)]
        with np.errstate(invalid="ignore"):
            if choice.low is not None:
                keep &= values >= choice.low
            if choice.high is not None:
                keep &= values <= choice.high
    if scores.disagreement is not None:
        keep &= ~np.isnan(scores.disagreement)
    places = np.flatnonzero(keep)
    values = sort_values(choice, slugs, scores)
    if values is None:
        return places.tolist()
    keys = -values[places] if choice.descending else values[places]
    return places[np.argsort(keys, kind="stable")].tolist()


def sort_values(choice: SegmentChoice, slugs: Sequence[str], scores: Scores) -> np.ndarray | None:
    if choice.sort == DISAGREE:
        return scores.disagreement
    if not choice.sort:
        return None
    shown = scores.own if scores.differences is None else scores.differences
    return shown[slugs.index(choice.sort)]


def segments_with(test_set: TestSet, choice: SegmentChoice) -> set[int]:
    """Return keys of the segments with a text in the source, the outputs shown or a reference."""
    found: set[int] = set()
    if choice.where in ("any", "source"):
        rows = Segment.objects.filter(test_set=test_set, source__icontains=choice.text)
        found |= set(rows.order_by().values_list("pk", flat=True))
    if choice.where in ("any", "output"):
        systems = [system for system in (choice.system, choice.other) if system]
        outputs = Output.objects.filter(system__in=systems, text__icontains=choice.text)
        found |= set(outputs.order_by().values_list("segment_id", flat=True))
    if choice.where in ("any", "reference"):
        references = Reference.objects.filter(
            Q(segment__test_set=test_set), text__icontains=choice.text
        )
        found |= set(references.order_by().values_list("segment_id", flat=True))
    return found


@dataclass(frozen=True)
class Texts:
    """The texts of the segments of one page, by segment; in three queries."""

    sources: dict[int, str]
    references: dict[int, list[tuple[str, str]]]
    outputs: dict[tuple[int, int], str]


def load_page(segment_ids: Sequence[int], systems: Sequence[System]) -> Texts:
    references: dict[int, list[tuple[str, str]]] = {pk: [] for pk in segment_ids}
    rows = Reference.objects.filter(segment_id__in=segment_ids).order_by("name")
    for pk, name, text in rows.values_list("segment_id", "name", "text"):
        references[pk].append((name, text))
    outputs = Output.objects.filter(segment_id__in=segment_ids, system__in=systems).order_by()
    return Texts(
        dict(Segment.objects.filter(pk__in=segment_ids).values_list("pk", "source")),
        references,
        {
            (row[0], row[1]): row[2]
            for row in outputs.values_list("segment_id", "system_id", "text")
        },
    )


def segment_text(column: MetricColumn, value: float, signed: bool = False) -> str:
    """Return a segment's score, with a decimal less than the system's; a difference with its
    sign."""
    text = score_text(value, max(column.places - 1, 1))
    return f"+{text}" if signed and value > 0 else text


def documents_of(test_set: TestSet) -> list[tuple[int, str]]:
    rows = Document.objects.filter(test_set=test_set).order_by("position")
    return list(rows.values_list("pk", "name"))
