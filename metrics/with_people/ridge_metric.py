"""A metric learned here from a campaign's own scores, as a baseline for the others.

Ridge regression on the segment scores of the test set's metrics (Albrecht and Hwa 2007), each
document predicted by a model fitted without it. It is of the page alone: no score of the test set,
no control of a plan, no part of AutoRank, of averages or of differences between metrics.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from judgments.models import Segment
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure, interval
from metrics.stats.cross_fitting import (
    CrossFitted,
    ExplainedShare,
    alone,
    cross_fitted,
    explained,
    folds_of,
)

from .agreement import MetricAgreement, MetricRow, ordered
from .board import Board
from .segments import segment_agreement_of
from .study import Metric, Study, StudyChoice, remembered, spoken, study_of
from .systems import system_agreement_of
from .tables import TURNED, names_of, with_ends

SEED = 1
UNKNOWN = ExplainedShare()
FEWEST_DOCUMENTS = 5
FEWEST_SEGMENTS = 20
FEWEST_METRICS = 2
LABEL = gettext_noop("Learned here, from these people's scores")
LEARNED = Metric(
    slug="learned-here",
    label=LABEL,
    metric="learned",
    references=(),
    signature="",
    segment_signature="",
    higher_is_better=True,
    is_sentinel=False,
)
REASONS = {
    "metrics": gettext_noop(
        "it needs two metrics, sentinels not counted, that score every judged output"
    ),
    "documents": gettext_noop("it needs five documents, to predict each without itself"),
    "segments": gettext_noop("it needs 20 judged segments"),
}


@dataclass(frozen=True, eq=False)
class LearnedMetric:
    """What was learned from p metrics, with K folds; `reason`: why nothing was.

    `left_out`: metrics that lack a score of some judged output. `weights` (K, p) as in
    CrossFitted, in points of people's score. `best`: the metric whose line alone has the highest
    R², chosen with all scores in sight. `rows`: how far what was learned agrees with people, by
    `place_of` of an agreement.
    """

    human_name: str
    reason: str = ""
    features: tuple[Metric, ...] = ()
    left_out: tuple[Metric, ...] = ()
    n_outputs: int = 0
    n_documents: int = 0
    fitted: CrossFitted | None = None
    share: ExplainedShare = UNKNOWN
    best: Metric | None = None
    best_share: ExplainedShare = UNKNOWN
    gain: ExplainedShare = UNKNOWN
    rows: Mapping[str, MetricRow] = field(default_factory=dict)
    seed: int = SEED

    @property
    def n_folds(self) -> int:
        return 0 if self.fitted is None else len(self.fitted.penalties)

    def beside(self, found: MetricAgreement) -> MetricAgreement:
        """Return the same agreement with this metric among the rows."""
        row = self.rows.get(place_of(found))
        return replace(found, rows=ordered([*found.rows, row], found.headline)) if row else found


def learned_metric(
    selection: Selection, choice: StudyChoice, board: Board, grouping: str = "item"
) -> LearnedMetric:
    """With its agreement over systems and, in one grouping, over segments; computed anew only when
    judgments, scores or texts have changed."""
    # Features are scores of the judged segments, whatever systems are scored on; and it learns from
    # all outputs alike, as metrics leave out different ones.
    alike = replace(choice, over="all", donors="in")

    def compute() -> LearnedMetric:
        study = study_of(selection, alike, board)
        documents = dict(
            Segment.objects.filter(test_set=selection.campaign.test_set_id).values_list(
                "pk", "document_id"
            )
        )
        of = np.array([documents[pk] for pk in study.segment_ids.tolist()], np.int64)
        return learned_of(study, of, grouping, np.random.default_rng(SEED))

    return remembered(selection, "learned", alike, board, compute, grouping=grouping, seed=SEED)


def learned_of(
    study: Study, documents: np.ndarray, grouping: str, rng: np.random.Generator
) -> LearnedMetric:
    """Return the same of arrays, with the document of each segment (N,)."""
    known = np.array([not metric.is_sentinel for metric in study.metrics], bool)
    there = ~np.isnan(study.human)
    # A system without any metric's score, such as the reference that all were given, has no say.
    scored = ~np.isnan(study.segments[known]).all(axis=0)
    there &= scored.any(axis=1, keepdims=True)
    whole = known & ~np.isnan(study.segments[:, there]).any(axis=1)
    features, left_out = (
        tuple(m for m, kept in zip(study.metrics, mask, strict=True) if kept)
        for mask in (whole, known & ~whole)
    )
    segments = there.any(axis=0)
    nothing = LearnedMetric(
        human_name=study.human_name,
        reason=reason(len(features), len(np.unique(documents[segments])), int(segments.sum())),
        features=features,
        left_out=left_out,
    )
    if nothing.reason:
        return nothing
    of = np.broadcast_to(documents, there.shape)[there]
    found = fitted(study, there, whole, of, rng)
    predicted = np.full(there.shape, np.nan)
    assert found.fitted is not None
    predicted[there] = found.fitted.predicted
    rows = rows_of(study, predicted, grouping)
    return replace(found, features=features, left_out=left_out, rows=rows)


def reason(n_metrics: int, n_documents: int, n_segments: int) -> str:
    """Return why nothing is learned, or nothing."""
    if n_metrics < FEWEST_METRICS:
        return REASONS["metrics"]
    if n_documents < FEWEST_DOCUMENTS:
        return REASONS["documents"]
    return REASONS["segments"] if n_segments < FEWEST_SEGMENTS else ""


def fitted(
    study: Study, there: np.ndarray, whole: np.ndarray, of: np.ndarray, rng: np.random.Generator
) -> LearnedMetric:
    """Return what is learned of outputs that are there, (S, N), of documents (n,), from metrics
    that score them all (M,)."""
    scores, values = study.human[there], study.segments[whole][:, there].T
    folds = folds_of(of, rng)
    found = cross_fitted(values, scores, folds)
    single = alone(values, scores, folds)
    shares = [explained(scores, found.means, of, column) for column in single.T]
    best = int(np.argmax([share.estimate for share in shares]))
    return LearnedMetric(
        human_name=study.human_name,
        n_outputs=len(scores),
        n_documents=len(np.unique(of)),
        fitted=found,
        share=explained(scores, found.means, of, found.predicted),
        best=study.metrics[np.flatnonzero(whole)[best]],
        best_share=shares[best],
        gain=explained(scores, found.means, of, found.predicted, single[:, best]),
    )


def rows_of(study: Study, predicted: np.ndarray, grouping: str) -> dict[str, MetricRow]:
    """Return agreement of the predictions (S, N) with people; a system's score is their mean."""
    counts = (~np.isnan(predicted)).sum(axis=1)
    means = np.where(counts > 0, np.nansum(predicted, axis=1) / np.maximum(counts, 1), np.nan)
    own = replace(
        study,
        metrics=(LEARNED,),
        metric_systems=means[None],
        segments=predicted[None],
        left=None,  # each is of a metric of the study
        people=None,
    )
    every = system_agreement_of(own), segment_agreement_of(own, grouping)
    return {place_of(each): each.rows[0] for each in every}


def place_of(found: MetricAgreement) -> str:
    """`system`, or `segment item` and so on."""
    return f"{found.level} {found.grouping}".strip()


OF_LEARNED = gettext_noop(
    "It has seen people's scores of other documents of this campaign, as no other metric here "
    "has. So it says what a mixture of these metrics could reach with people's scores at hand; "
    "it does not rank metrics. It is not stored as a score, and takes no part in AutoRank, "
    "averages, differences between metrics, or plans."
)
OF_SHARES = gettext_noop(
    "R² = 1 − Σ(y − ŷ)² / Σ(y − ȳ)², ȳ the mean of the documents that the model was fitted on: 0 "
    "for a guess of that mean, below 0 for worse. 95 % intervals: Student's t with the jackknife's "
    "error over documents."
)


def learned_lead(found: LearnedMetric) -> str:
    """Return what is explained, or why nothing is."""
    if found.fitted is None or found.best is None:
        return not_learned(found)
    return _(
        "%(metrics)s together explain R² = %(share)s of %(human)s in unseen documents; %(best)s "
        "alone %(best_share)s."
    ) % {
        "metrics": counted.metrics(len(found.features)),
        "share": said(found.share),
        "human": spoken(found.human_name),
        "best": names_of(found.features)[found.best.slug],
        "best_share": said(found.best_share),
    }


def not_learned(found: LearnedMetric) -> str:
    """Return why there is nothing; empty where there is."""
    if found.fitted is not None and found.best is not None:
        return ""
    return _("Not offered: %(reason)s.") % {"reason": _(found.reason)}


def said(share: ExplainedShare) -> str:
    return f"{figure(share.estimate)} {interval(share.low, share.high)}".strip()


def learned_table(found: LearnedMetric) -> Table:
    """Return R² of what was learned, of the best single metric, and the difference; without rows
    where nothing could be learned."""
    best = names_of(found.features).get(found.best.slug, "") if found.best else ""
    rows = [
        (name, share.estimate, share.low, share.high, found.n_outputs, found.n_documents)
        for name, share in (
            (_(LABEL), found.share),
            (best or _("The best single metric"), found.best_share),
            (_("Difference"), found.gain),
        )
        if not not_learned(found)
    ]
    columns = (
        Column("metric"),
        *with_ends("r_squared", _("R² of unseen documents")),
        Column("outputs", _("Outputs"), "count"),
        Column("documents", _("Documents"), "count"),
    )
    title = _("Explained of %(human)s") % {"human": spoken(found.human_name)}
    return Table("metric-learned", title, columns, rows, _(OF_SHARES))


def learned_notes(found: LearnedMetric, *, has_donors: bool = False) -> list[str]:
    """Return what it is, how it was fitted, and which metrics it lacks."""
    notes = [_(OF_LEARNED)]
    if has_donors:
        notes.append(_("Outputs that references were made from count here."))
    if found.fitted is not None:
        penalties = found.fitted.penalties
        notes.append(
            _(
                "Ridge regression, metrics standardized on what is fitted; %(n)s folds of whole "
                "documents, seed %(seed)s; the penalty by leaving out each of the other folds in "
                "turn: %(low)s to %(high)s of the number of outputs. A system's score is the mean "
                "over its judged outputs."
            )
            % {
                "n": found.n_folds,
                "seed": found.seed,
                "low": figure(float(penalties.min())),
                "high": figure(float(penalties.max())),
            }
        )
    if found.left_out:
        left_out = counted.names(list(names_of(found.left_out).values()))
        notes.append(
            _("Left out, as they lack scores of judged outputs: %(names)s.") % {"names": left_out}
        )
    return notes


def weight_table(found: LearnedMetric) -> Table | None:
    """Return the weights of metrics, the largest first: mean over folds, smallest and largest; None
    where nothing was learned."""
    if found.fitted is None:
        return None
    names = names_of(found.features)
    rows: list[tuple] = []
    weights = found.fitted.weights
    mean, spread = weights.mean(axis=0), weights.std(axis=0, ddof=1)
    for i in np.argsort(-np.abs(mean), kind="stable").tolist():
        metric = found.features[i]
        ends = float(weights[:, i].min()), float(weights[:, i].max())
        rows.append((names[metric.slug], _(metric.turned), float(mean[i]), float(spread[i]), *ends))
    columns = (
        Column("metric"),
        TURNED,
        Column("weight", _("Weight"), "number", _("Points of people's score per SD of the metric")),
        Column("sd", _("SD over folds"), "number"),
        Column("lowest", _("Lowest"), "number"),
        Column("highest", _("Highest"), "number"),
    )
    note = _(
        "Points of people's score for one standard deviation of the metric, the others held. "
        "Metrics that say the same share a weight, and one may be negative where another says more."
    )
    return Table("metric-weights", _("Weights of metrics in what was learned"), columns, rows, note)


def weight_lead(found: LearnedMetric) -> str:
    """Return which metrics carry it."""
    table = weight_table(found)
    if table is None:
        return _("Nothing was learned.")
    return _("Largest: %(names)s.") % {"names": counted.names([str(r[0]) for r in table.rows[:3]])}
