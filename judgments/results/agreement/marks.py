"""Agreement of annotators on marked errors, in a campaign of the protocol `spans`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext_noop

from judgments.protocols import protocol_of
from judgments.protocols.spans.marking import Marking
from judgments.protocols.spans.presets import ESA
from judgments.results.observations.observations import (
    RESAMPLES,
    SCORED_KINDS,
    SEED,
    Observed,
    cached,
    regular_first,
)
from judgments.stats.spans import Marks, SpanAgreement, span_agreement

from ..errors.rows import error_rows
from ..observations.rows import Rows
from ..observations.tables import SIDES, places
from ..observations.units import clusters_of
from ..selection.selection import Selection
from .coefficients import Coefficient

WEIGHTED = gettext_noop("a character with another severity counts half")
READINGS = (
    (
        "spans-f1",
        gettext_noop("Character F1"),
        gettext_noop("all characters of the campaign together"),
    ),
    (
        "spans-f1-mean",
        gettext_noop("Character F1, mean"),
        gettext_noop("of each two judgments of a translation"),
    ),
    ("spans-f1-severity", gettext_noop("Character F1 with severity"), WEIGHTED),
    ("spans-overlap", gettext_noop("Errors matched"), gettext_noop("by one that overlaps")),
    (
        "spans-severity",
        gettext_noop("Errors matched, same severity"),
        gettext_noop("by one that overlaps"),
    ),
    (
        "spans-category",
        gettext_noop("Errors matched, same severity and category"),
        gettext_noop("by one that overlaps"),
    ),
)


@dataclass(frozen=True)
class MarksReport:
    """``coefficients`` in the order of READINGS. ``directed``: for two annotators, each one's
    alias, errors, and the shares of them that the other matched (3,). ``n_unmarked`` judgments came
    with a score and no errors, and are omitted."""

    coefficients: tuple[Coefficient, ...]
    directed: tuple[tuple[str, int, tuple[float, ...]], ...]
    n_judgments: int
    n_spans: int
    n_unmarked: int
    resampled: str
    seed: int = SEED
    resamples: int = RESAMPLES


def marks(selection: Selection) -> MarksReport | None:
    """Return agreement on marks in regular items and repeats; for outputs judged twice, in the
    regular judgment. Marks of a whole output have no place, and are omitted. None if no errors are
    marked."""
    if not protocol_of(selection.campaign).has_page("errors"):
        return None
    return cached(selection, "marks", lambda observed: marks_of(selection, observed))


@dataclass(frozen=True, eq=False)
class MarkedJudgments:
    """Judgments (m,) of outputs whose errors are known, one of an annotator and output.

    ``segment``, ``system`` and ``annotator`` index those of the observations; ``cluster``
    identifies the resampled unit. ``marks`` (k,) have a place in a text, and number ``severities``
    from the lightest and ``categories``; ``n_errors`` (m,) counts the others too. ``score`` (m,):
    the score that was given in addition to the errors, or the one that follows from them.
    ``n_unmarked`` judgments came with a score and no errors, and are not included.
    """

    segment: np.ndarray
    system: np.ndarray
    annotator: np.ndarray
    cluster: np.ndarray
    marks: Marks
    severities: tuple[str, ...]
    categories: tuple[str, ...]
    n_errors: np.ndarray
    score: np.ndarray
    n_unmarked: int
    resampled: str

    @property
    def output(self) -> np.ndarray:
        """A number for each output, (m,)."""
        return self.segment * (int(self.system.max(initial=0)) + 1) + self.system


def marked_judgments(selection: Selection, observed: Observed) -> MarkedJudgments:
    """Return marked regular items and repeats; for outputs judged twice, the regular judgment."""
    marking = Marking.of(selection.campaign)
    shown = observed.of_kinds(SCORED_KINDS).as_shown()
    rows = shown.of_dimension(marking.derived).ratings
    item = rows["segment"] * len(observed.system_ids) + rows["system"]
    every = error_rows(selection.campaign, observed.system_ids, rows)
    n_errors = np.bincount(every.at, minlength=len(rows))
    marked = (n_errors > 0) | (rows["value"] == 0)
    found = every.only(selection.errors)
    at = found.at
    keys = item * max(len(observed.annotators), 1) + rows["annotator"]
    order = regular_first(rows)
    order = order[marked[order]]
    kept = np.sort(order[np.unique(keys[order], return_index=True)[1]])
    place = np.full(len(rows), -1)
    place[kept] = np.arange(len(kept))
    used = (place[at] >= 0) & (found.side != SIDES.index("output"))
    category, categories = found.categories(())
    severity, severities = found.severities(marking.severities)
    clusters, resampled = clusters_of(observed.of_kinds(SCORED_KINDS))
    scores = rows["value"][kept].astype(np.float64)
    if marking.score:
        scores = _given(shown, rows, kept)
    return MarkedJudgments(
        segment=rows["segment"][kept],
        system=rows["system"][kept],
        annotator=rows["annotator"][kept],
        cluster=clusters[rows["segment"][kept]],
        marks=Marks(
            place[at[used]],
            np.where(found.side == SIDES.index("missing"), -1, found.start)[used],
            np.maximum(found.end, found.start + 1)[used],  # between two characters: the next one
            severity[used],
            category[used],
            (found.side == SIDES.index("source"))[used].astype(np.int64),
        ),
        severities=severities,
        categories=categories,
        n_errors=n_errors[kept],
        score=scores,
        n_unmarked=int((~marked).sum()) + observed.n_unweighted,
        resampled=resampled,
    )


def _given(shown: Observed, rows: Rows, kept: np.ndarray) -> np.ndarray:
    """Return the scores that some rows have in addition to their errors; NaN without one."""
    found = shown.of_dimension(ESA.slug).ratings
    n = len(shown.system_ids)
    keys = found["judgment"].astype(np.int64) * n + found["system"]
    wanted = rows["judgment"][kept].astype(np.int64) * n + rows["system"][kept]
    at = places(wanted, keys)
    return np.where(at >= 0, np.append(found["value"], np.nan)[at], np.nan)


def marks_of(selection: Selection, observed: Observed) -> MarksReport:
    """Return the agreement on marks in rows that were loaded."""
    marking = Marking.of(selection.campaign)
    found = marked_judgments(selection, observed)
    agreement = span_agreement(
        found.output,
        found.annotator,
        found.marks,
        rng=np.random.default_rng(SEED),
        resamples=RESAMPLES,
        clusters=found.cluster,
    )
    figures = (agreement.f1, agreement.segment_f1, agreement.weighted_f1, *agreement.matches)
    return MarksReport(
        coefficients=tuple(
            Coefficient(*reading, figure)
            for reading, figure in zip(READINGS, figures, strict=True)
            if marking.categories or len(found.categories) > 1 or reading[0] != "spans-category"
        ),
        directed=_directed(observed, agreement),
        n_judgments=len(found.segment),
        n_spans=len(np.asarray(found.marks.judgment)),
        n_unmarked=found.n_unmarked,
        resampled=found.resampled,
    )


def _directed(
    observed: Observed, agreement: SpanAgreement
) -> tuple[tuple[str, int, tuple[float, ...]], ...]:
    if agreement.directed is None or agreement.n_spans is None:
        return ()
    names = [str(observed.annotators[code]) for code in agreement.annotators]
    shares = [tuple(map(float, line)) for line in agreement.directed]
    return tuple(zip(names, agreement.n_spans.tolist(), shares, strict=True))
