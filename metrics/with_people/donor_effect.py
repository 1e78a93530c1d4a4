"""What it changes that outputs which a reference was made from are left out, or count."""

from dataclasses import dataclass, replace
from math import isnan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure

from .agreement import Figure
from .board import Board
from .study import Metric, Study, StudyChoice, full_board, remembered, study_of
from .systems import accuracy, coefficient
from .tables import names_of, rules

STATISTICS = ("pearson", "accuracy")
OF_DONORS = gettext_lazy(
    "What is left out of a donor is left out for people's score and the metric's alike; both are "
    "then of its other segments, and those of all other systems stay. Metrics without a reference "
    "do not change."
)

OF_PAIRS = gettext_lazy(
    "Which pairs people tell apart is by all outputs, with those that references were made from."
)


@dataclass(frozen=True)
class DonorRow:
    """One metric that was given a reference with donors. `n`: judged outputs that it leaves out.
    `counted`, `left_out`: figures over systems by STATISTICS, with these outputs and without.
    `places`: by the metric, of each donor with both its place among the systems, 1 for the best,
    and of how many: (name, place, of, place without, of without)."""

    metric: Metric
    n: int
    counted: dict[str, Figure]
    left_out: dict[str, Figure]
    places: tuple[tuple[str, int, int, int, int], ...]

    @property
    def change(self) -> float:
        """How far Pearson's r changes; NaN where one of both is not defined."""
        return abs(self.left_out["pearson"].estimate - self.counted["pearson"].estimate)


@dataclass(frozen=True)
class DonorEffect:
    """`rows`: a metric each, in the order of the study. `donors`: judged outputs by system, of any
    reference that a metric was given, the most first; `gone`: systems of which no output is left by
    some metric."""

    rows: tuple[DonorRow, ...]
    donors: tuple[tuple[str, int], ...]
    gone: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many outputs."""
        return sum(n for _, n in self.donors)

    @property
    def most(self) -> DonorRow | None:
        """The metric whose correlation changes most; no sentinel."""
        real = [row for row in self.rows if not row.metric.is_sentinel]
        defined = [row for row in real if not isnan(row.change)]
        return max(defined, key=lambda row: row.change, default=None)


def donor_effect(selection: Selection, choice: StudyChoice, board: Board) -> DonorEffect:
    """Return for a choice, whatever it says of donors; kept until judgments, scores, texts or
    donors change."""
    choice = replace(choice, donors="out")

    def compute() -> DonorEffect:
        full = full_board(selection, choice, board)
        every = study_of(selection, replace(choice, donors="in"), full)
        return donor_effect_of(every, study_of(selection, choice, full))

    return remembered(selection, "donors", choice, board, compute)


def donor_effect_of(every: Study, kept: Study) -> DonorEffect:
    """Return the same of arrays: a study with all outputs, and without those of donors."""
    if kept.left is None:
        return DonorEffect((), (), ())
    is_donor = differs(every.metric_systems, kept.metric_systems) | kept.left.any(axis=2)
    n_left = kept.left.any(axis=0).sum(axis=1)
    order = sorted(np.flatnonzero(is_donor.any(axis=0)).tolist(), key=lambda s: -n_left[s])
    was = ~np.isnan(every.metric_systems + every.human_systems)
    assert kept.people is not None
    gone = is_donor & was & np.isnan(kept.metric_systems + kept.people)
    return DonorEffect(
        rows=tuple(
            DonorRow(
                metric=every.metrics[i],
                n=int(kept.left[i].sum()),
                counted=figures_of(every, i),
                left_out=figures_of(kept, i),
                places=places_of(every, kept, i, np.flatnonzero(is_donor[i]).tolist()),
            )
            for i in np.flatnonzero(is_donor.any(axis=1)).tolist()
        ),
        donors=tuple((every.systems[s], int(n_left[s])) for s in order),
        gone=tuple(every.systems[s] for s in np.flatnonzero(gone.any(axis=0)).tolist()),
    )


def differs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where two arrays have not the same value, or only one of them has one."""
    return ~((a == b) | (np.isnan(a) & np.isnan(b)))


def figures_of(study: Study, i: int) -> dict[str, Figure]:
    """Return for metric i, as the table of all metrics has them."""
    human, metric = study.people_of(i), study.metric_systems[i]
    return {"pearson": coefficient("pearson", human, metric), "accuracy": accuracy(human, metric)}


def places_of(
    every: Study, kept: Study, i: int, donors: list[int]
) -> tuple[tuple[str, int, int, int, int], ...]:
    """Return for donors that have both, by metric i."""
    found = []
    for s in donors:
        both = every.metric_systems[i], kept.metric_systems[i]
        if not any(isnan(scores[s]) for scores in both):
            was, now = (place_in(scores, s) for scores in both)
            found.append((every.systems[s], *was, *now))
    return tuple(found)


def place_in(scores: np.ndarray, s: int) -> tuple[int, int]:
    """Return the place of system s, 1 for the best, and among how many."""
    return 1 + int((scores > scores[s]).sum()), int((~np.isnan(scores)).sum())


# ---- In words ------------------------------------------------------------------------------------


def donor_words(found: DonorEffect, donors: str) -> list[str]:
    """Return what became of the outputs, and what the other choice would change; nothing without
    any."""
    if not found.rows:
        return []
    said = [left_words(found) if donors == "out" else counted_words(found)]
    if found.gone and donors == "out":
        said.append(
            _(
                "No output is left of %(names)s, which drops out of the figures of metrics that "
                "were given such a reference."
            )
            % {"names": counted.names(list(found.gone))}
        )
    if found.most is not None:
        said.append(change_words(found.most, donors))
    return [" ".join(said)]


def left_words(found: DonorEffect) -> str:
    return ngettext(
        "Left out: %(n)s output that a reference was made from (%(donors)s), for metrics that were "
        "given that reference. It favors its donor.",
        "Left out: %(n)s outputs that references were made from (%(donors)s), for metrics that "
        "were given these references. A reference favors its donor.",
        found.n,
    ) % {"n": f"{found.n:,}", "donors": by_donor(found)}


def counted_words(found: DonorEffect) -> str:
    return ngettext(
        "Counted, though it favors its donor: %(n)s output that a reference was made from "
        "(%(donors)s).",
        "Counted, though references favor their donors: %(n)s outputs that references were made "
        "from (%(donors)s).",
        found.n,
    ) % {"n": f"{found.n:,}", "donors": by_donor(found)}


def by_donor(found: DonorEffect) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in found.donors)


def change_words(row: DonorRow, donors: str) -> str:
    """Return the figure of a metric under the choice and under the other one, and the place of a
    donor."""
    shown, other = row.left_out, row.counted
    places = [(name, b, n_b, a, n_a) for name, a, n_a, b, n_b in row.places]
    if donors != "out":
        shown, other, places = other, shown, list(row.places)
    lead = _("With them") if donors == "out" else _("Without them")
    said = _("%(lead)s the Pearson r of %(metric)s would be %(other)s, not %(r)s") % {
        "lead": lead,
        "metric": row.metric.title,
        "other": figure(other["pearson"].estimate),
        "r": figure(shown["pearson"].estimate),
    }
    moved = max(places, key=lambda each: abs(each[1] - each[3]), default=None)
    if moved is None or moved[1] == moved[3]:
        return f"{said}."
    name, place, _n, place_other, n_other = moved
    return _("%(said)s, and %(name)s would be number %(other)s of %(n)s by it, not %(place)s.") % {
        "said": said,
        "name": name,
        "other": place_other,
        "n": n_other,
        "place": place,
    }


def donor_table(found: DonorEffect, slug: str = "metric-donors") -> Table:
    """Return a row for each metric and statistic's pair of figures; of the donor that moves most,
    both places."""
    names = names_of([row.metric for row in found.rows])
    columns = (
        Column("metric"),
        Column("references", _("References"), "text"),
        Column("n_left_out", _("Outputs of donors"), "count"),
        Column("pearson_counted", _("Pearson r, with them"), "number"),
        Column("pearson", _("without"), "number"),
        Column("accuracy_counted", _("Pairwise accuracy, with them"), "number"),
        Column("accuracy", _("without"), "number"),
        Column("places", _("Places of donors by the metric, with → without"), "text"),
    )
    rows = [
        (
            names[row.metric.slug],
            ", ".join(row.metric.references),
            row.n,
            *(
                figures[key].estimate
                for key in STATISTICS
                for figures in (row.counted, row.left_out)
            ),
            "; ".join(f"{name} {a}/{n_a} → {b}/{n_b}" for name, a, n_a, b, n_b in row.places),
        )
        for row in found.rows
    ]
    title = _("Metrics over systems, with and without outputs that references were made from")
    return Table(slug, title, columns, rows, rules("pearson"))
