"""Marked errors of a campaign of the protocol `spans`: number, severity and category."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from judgments.models import ErrorSpan, ItemOutput, PrefilledSpan, kind_of_output
from judgments.protocols.spans.marking import Marking
from judgments.results.observations.observations import SCORED_KINDS, Observed, cached, scored_kinds
from judgments.stats.significance import mean_interval

from ..observations.tables import SIDES
from ..observations.times import source_words
from ..selection.schemes import weights_in_words
from ..selection.selection import Selection
from .rows import error_rows


@dataclass(frozen=True)
class Suggested:
    """An annotator's treatment of suggested errors: ``deleted`` is the rest of ``suggested``
    without ``kept`` and ``changed``; ``own`` errors were marked in addition."""

    annotator: str
    suggested: int
    kept: int
    changed: int
    own: int

    @property
    def deleted(self) -> int:
        return self.suggested - self.kept - self.changed


@dataclass(frozen=True)
class ErrorReport:
    """``names`` (S,) of systems, the one with the fewest errors first. ``mean`` errors per judged
    translation with its 95 % interval: t, over segments, whose judgments are averaged first.

    ``score`` (S,): the mean over segments of the score from the errors, by ``weights``. ``counts``
    (S, severities), ``kinds`` (categories, severities), ``kinds_of`` (S, categories), ``cells`` (S,
    categories, severities). ``n_words`` (S,): words of the sources of the judged translations, a
    source once for each judgment; NaN without texts. ``n_missing`` and ``n_source`` (S,) are those
    marked as missing or in the source. ``n_unmarked``: judgments that were imported with a score
    and no errors.
    """

    names: tuple[str, ...]
    severities: tuple[str, ...]
    categories: tuple[str, ...]
    n_judgments: np.ndarray
    n_segments: np.ndarray
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    score: np.ndarray
    counts: np.ndarray
    n_missing: np.ndarray
    n_source: np.ndarray
    kinds: np.ndarray
    kinds_of: np.ndarray
    cells: np.ndarray
    n_words: np.ndarray
    suggestions: tuple[Suggested, ...]
    weights: str
    n_unmarked: int = 0

    @property
    def n_errors(self) -> int:
        return int(self.counts.sum())


def errors(selection: Selection) -> ErrorReport:
    """Return the report for items that count for scores; a judgment of one of several identical
    translations counts for each of them, as in scores."""
    return cached(selection, "errors", lambda observed: errors_of(selection, observed))


def errors_of(selection: Selection, observed: Observed) -> ErrorReport:
    """Return the report for rows that were loaded."""
    marking = Marking.of(selection.campaign)
    rows = observed.of_kinds(SCORED_KINDS).of_dimension(marking.derived).ratings
    every = error_rows(selection.campaign, observed.system_ids, rows)
    # A score below 0 without an error was imported: its number of errors is unknown.
    marked = (np.bincount(every.at, minlength=len(rows)) > 0) | (rows["value"] == 0)
    found = every.only(selection.errors)
    severity, severities = found.severities(marking.severities)
    category, categories = found.categories(marking.kinds)
    n_systems, system = len(observed.system_ids), rows["system"][found.at]
    per_row = np.bincount(found.at, minlength=len(rows))
    kinds = np.zeros((n_systems, len(categories), len(severities)), np.int64)
    np.add.at(kinds, (system, category, severity), 1)
    n_missing, n_source = (
        np.bincount(system[found.side == SIDES.index(side)], minlength=n_systems)
        for side in ("missing", "source")
    )
    rows_of = [np.flatnonzero(marked & (rows["system"] == s)) for s in range(n_systems)]
    means = [mean_interval(_by_segment(rows["segment"][at], per_row[at])) for at in rows_of]
    scores = [_by_segment(rows["segment"][at], rows["value"][at]) for at in rows_of]
    estimates = np.array([mean.estimate for mean in means])
    words = source_words(selection.campaign.test_set)
    words_of = np.array([words.get(pk, np.nan) for pk in observed.segment_ids.tolist()])
    judged = [s for s in np.argsort(estimates, kind="stable") if len(rows_of[s])]
    return ErrorReport(
        names=tuple(str(observed.system_names[s]) for s in judged),
        severities=severities,
        categories=categories[:-1],
        n_judgments=np.array([len(rows_of[s]) for s in judged], np.int64),
        n_segments=np.array([means[s].n for s in judged], np.int64),
        mean=estimates[judged],
        low=np.array([means[s].low for s in judged]),
        high=np.array([means[s].high for s in judged]),
        score=np.array([scores[s].mean() for s in judged]),
        counts=kinds.sum(axis=1)[judged],
        n_missing=n_missing[judged],
        n_source=n_source[judged],
        kinds=kinds.sum(axis=0)[:-1],
        kinds_of=kinds[judged].sum(axis=2)[:, :-1],
        cells=kinds[judged][:, :-1],
        n_words=np.array([words_of[rows["segment"][rows_of[s]]].sum() for s in judged]),
        suggestions=_suggestions(selection, observed) if marking.prefilled else (),
        weights=weights_in_words(selection.scheme),
        n_unmarked=int((~marked).sum()) + observed.n_unweighted,
    )


def _spans(selection: Selection):
    return selection.rows_of(ErrorSpan.objects.order_by())


def _by_segment(segment: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the mean of the values of each segment."""
    _, code = np.unique(segment, return_inverse=True)
    n = np.bincount(code)
    return np.bincount(code, weights=values) / n if len(n) else np.zeros(0)


def fate(span: ErrorSpan) -> str:
    """Return how the suggestion from which an error was made was treated: "own" if there was
    none."""
    if span.prefill is None:
        return "own"
    columns = ("side", "start", "end", "severity", "category")
    same = all(getattr(span, name) == getattr(span.prefill, name) for name in columns)
    return "kept" if same else "changed"


def judged_suggestions(selection: Selection) -> Iterator[tuple[int, int, PrefilledSpan]]:
    """Yield (judgment, annotator, suggestion) of every suggestion for judged outputs, including
    withheld ones; of identical translations only the first one has some."""
    by_output: dict[int, list[PrefilledSpan]] = {}
    for span in PrefilledSpan.objects.filter(campaign=selection.campaign):
        by_output.setdefault(span.output_id, []).append(span)
    shown = (
        selection.rows_of(ItemOutput.objects.all(), judgment="item__judgments", everyone=True)
        .annotate(kind=kind_of_output("item", "output"))
        .filter(kind__in=scored_kinds(selection))
        .order_by("item__judgments", "position")
        .values_list(
            "item__judgments", "item__judgments__annotator_id", "output_id", "output__text"
        )
    )
    seen: set[tuple[int, str]] = set()
    for judgment, annotator, output, text in shown.iterator():
        if (judgment, text) not in seen:
            seen.add((judgment, text))
            for span in by_output.get(output, ()):
                yield judgment, annotator, span


def _suggestions(selection: Selection, observed: Observed) -> tuple[Suggested, ...]:
    """Return the treatment of suggestions, by annotator in the order of their aliases."""
    alias = dict(zip(observed.annotator_ids.tolist(), observed.annotators.tolist(), strict=True))
    tally = {name: dict.fromkeys(("suggested", "kept", "changed", "own"), 0) for name in alias}
    removed = selection.removed_outputs if selection.in_force.has_items else ()
    for _judgment, annotator, span in judged_suggestions(selection):
        counts = selection.errors.let_stored(span.severity, span.category) and span.is_shown
        if annotator in tally and counts and span.output_id not in removed:
            tally[annotator]["suggested"] += 1
    made = _spans(selection).annotate(kind=kind_of_output("judgment__item", "output"))
    made = made.filter(is_copy=False, kind__in=scored_kinds(selection))
    for span in made.select_related("prefill", "judgment").iterator():
        counts = selection.errors.let_stored(span.severity, span.category)
        if counts and span.judgment.annotator_id in tally:
            tally[span.judgment.annotator_id][fate(span)] += 1
    return tuple(Suggested(alias[user], **counted) for user, counted in tally.items())
