"""What is stated of each metric, beside what a campaign measured: by level and by type of text.

Figures over systems and over segments are those of the page's other sections; over documents and by
domain Pearson's r is taken by item as there.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from math import isnan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from judgments.models import Segment
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table
from metrics.scores.tables import brief_names
from metrics.scoring.scoring_cards import QUESTIONS, card_of
from metrics.stats.agreement_intervals import Ends, jackknife_interval, leave_out
from metrics.stats.columns import Floats
from metrics.stats.groups import grouped
from metrics.stats.weighted_coefficients import weighted_pearson

from .agreement import Figure, MetricAgreement, figure
from .board import Board
from .study import Metric, Study, StudyChoice, computed_on, remembered, study_of
from .tables import TURNED, ends_of, rules, with_ends

TITLE = gettext_lazy("What each metric is for")
# More domains than this are in no table that anybody reads.
MOST_DOMAINS = 8
# Of documents or segments, for the jackknife.
BLOCKS = 20
NO_GROUP = gettext_noop("nowhere three outputs that people and the metric tell apart")
ABOUT = gettext_lazy(
    "Stated: what a metric suits, with the questions of Forsbom (2003); its own page gives the "
    "reasons. Measured: Pearson r with people here, over systems, and by item over documents (the "
    "means of what was judged in each) and segments, and over the segments of each domain."
)


@dataclass(frozen=True)
class PartAgreement:
    """Pearson's r by item of each metric over documents, and over the segments of each domain;
    figures by the slug of the metric. ``n_more``: domains that are left out as too many."""

    documents: dict[str, Figure]
    domains: dict[str, dict[str, Figure]]
    n_more: int


def part_agreement(selection: Selection, choice: StudyChoice, board: Board) -> PartAgreement:
    """Return what is kept until judgments, scores or texts change."""

    # Segments are those that were judged, whatever a system is scored on.
    alike = replace(choice, over="all")
    whole = computed_on(board, alike)

    def compute() -> PartAgreement:
        study = study_of(selection, alike, whole)
        rows = Segment.objects.filter(test_set=selection.campaign.test_set_id)
        known = {
            pk: (document, domain)
            for pk, document, domain in rows.values_list("pk", "document", "document__domain")
        }
        texts = [known[pk] for pk in study.segment_ids.tolist()]
        return part_agreement_of(study, [d for d, _ in texts], [d for _, d in texts])

    return remembered(selection, "parts", alike, whole, compute)


def part_agreement_of(study: Study, documents: list[int], domains: list[str]) -> PartAgreement:
    """Return the same of arrays, with document and domain of each segment, (N,) each."""
    places = defaultdict(list)
    for k, domain in enumerate(domains):
        if domain:
            places[domain].append(k)
    names = sorted(places, key=lambda name: (-len(places[name]), name))
    shown = sorted(names[:MOST_DOMAINS])
    number = {document: i for i, document in enumerate(dict.fromkeys(documents))}
    of_document = np.zeros((len(documents), len(number)))
    of_document[np.arange(len(documents)), [number[each] for each in documents]] = 1
    slugs = [metric.slug for metric in study.metrics]
    found = PartAgreement({}, {}, len(names) - len(shown))
    for slug, scores in zip(slugs, study.segments, strict=True):
        gone = np.isnan(scores) | np.isnan(study.human)
        human, own = (np.where(gone, np.nan, each) for each in (study.human, scores))
        means = [document_means(each, of_document) for each in (human, own)]
        found.documents[slug] = by_item(means[0], means[1][None])[0]
    for name in shown:
        figures = by_item(study.human[:, places[name]], study.segments[:, :, places[name]])
        found.domains[name] = dict(zip(slugs, figures, strict=True))
    return found


def document_means(scores: Floats, of_document: Floats) -> Floats:
    """Return the mean over the segments of each document, (S, D); NaN where there is none."""
    there = ~np.isnan(scores)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (np.where(there, scores, 0) @ of_document) / (there @ of_document)


def by_item(human: Floats, scores: Floats) -> list[Figure]:
    """Return of each metric the mean over columns of Pearson's r between systems, of people's
    scores (S, n) and the metrics' (M, S, n), by the rules of correlations over segments
    (docs/decisions/0016)."""
    if not human.size:
        return [Figure(reason=NO_GROUP)] * len(scores)
    found = grouped(human, scores, coefficient="pearson")
    n_systems, n = human.shape
    blocks = leave_out(n, BLOCKS)
    systems = 1 - np.eye(n_systems), np.ones((n_systems, n))
    others = np.ones((len(blocks), n_systems)), blocks

    def figure_of(i: int) -> Figure:
        estimate = float(found.estimates[i])
        if isnan(estimate):
            return Figure(reason=NO_GROUP)
        if n == 1:
            ends = Ends(reason="one text has no interval")
        else:
            without = [weighted_pearson(human, scores[i], *w, "item") for w in (systems, others)]
            ends = jackknife_interval(estimate, without[0], without[1], is_correlation=True)
        return figure(estimate, int(found.n_groups[i]), "", ends)

    return [figure_of(i) for i in range(len(scores))]


def stated_lead(systems: MetricAgreement, segments: MetricAgreement, parts: PartAgreement) -> str:
    """Return which metric is closest to people at each level."""
    names = brief_names([row.metric for row in systems.rows])
    real = [row.metric.slug for row in systems.rows if not row.metric.is_sentinel]
    values: dict[str, dict[str, float]] = {
        _("systems"): {r.metric.slug: r.figures["pearson"].estimate for r in systems.rows},
        _("documents"): {slug: each.estimate for slug, each in parts.documents.items()},
        _("segments"): {r.metric.slug: r.figures["pearson"].estimate for r in segments.rows},
    }
    said = []
    for level, found in values.items():
        known = {slug: found[slug] for slug in real if not isnan(found.get(slug, np.nan))}
        if known:
            best = names[max(known, key=known.__getitem__)]
            said.append(_("%(metric)s over %(level)s") % {"level": level, "metric": best})
    if not said:
        return _("There are too few judged systems to measure what a metric suits.")
    return _("Closest to people here: %(what)s.") % {"what": counted.names(said)}


def stated_notes(parts: PartAgreement) -> list[str]:
    """Return what the table is, and what it does not show."""
    said = [str(ABOUT)]
    if not parts.domains:
        said.append(_("No document states its domain, so nothing is said by type of text."))
    if parts.n_more:
        said.append(_("Of many domains the %(n)s largest are shown.") % {"n": len(parts.domains)})
    return said


def stated_table(
    systems: MetricAgreement, segments: MetricAgreement, parts: PartAgreement
) -> Table:
    """Return a row for each metric: what is stated, and beside it what was measured."""
    names = brief_names([row.metric for row in systems.rows])
    stated = {key: str(words).partition(":")[0] for key, words in QUESTIONS.items()}
    columns: list[Column | str] = [Column("metric"), TURNED]
    columns += [
        Column(key, stated[key], "text", QUESTIONS[key])
        for key in ("declarative", "progressive", "diagnostic")
    ]
    for key in ("system", "document", "segment"):
        columns.append(Column(key, _("Stated: %(level)s") % {"level": stated[key]}, "text"))
        columns += with_ends(f"{key}_r", _("%(level)s, Pearson r") % {"level": stated[key]})
    columns.append(Column("text_types", stated["text_types"], "text"))
    for i, name in enumerate(parts.domains):
        columns += with_ends(f"domain_{i}", _("%(domain)s, r by item") % {"domain": name})
    rows = []
    for row in systems.rows:
        slug, other = row.metric.slug, segments.row_of(row.metric.slug)
        measured = {
            "system": row.figures["pearson"],
            "document": parts.documents.get(slug, Figure()),
            "segment": other.figures["pearson"] if other else Figure(),
        }
        line: list[object] = [names[slug], _(row.metric.turned)]
        line += [verdict(row.metric, k) for k in ("declarative", "progressive", "diagnostic")]
        for key, each in measured.items():
            line += [verdict(row.metric, key), *ends_of(each)]
        line.append(verdict(row.metric, "text_types"))
        for found in parts.domains.values():
            line += ends_of(found.get(slug, Figure()))
        rows.append(line)
    note = rules("pearson", "jackknife")
    return Table("metric-stated", str(TITLE), tuple(columns), rows, note)


def verdict(metric: Metric, question: str) -> str | None:
    """Return what is stated of a metric; None of one of which nothing is."""
    card = card_of(metric.metric)
    return None if card is None else str(getattr(card, question).words)
