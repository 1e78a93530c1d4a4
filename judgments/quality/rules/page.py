"""Quality of annotators' work in words, tables and charts; and exclusions with their reasons."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models.quality_control import THRESHOLDS
from judgments.protocols.pages import with_page
from judgments.quality.rules.figures import FLAGS, AnnotatorQuality, QualityReport
from judgments.results.observations import observations
from judgments.results.scores import figures as scores_figures
from judgments.results.scores.words import ranks
from judgments.results.segments.links import (
    TO_JUDGED,
    from_annotators,
    linked_to_judged,
    to_judged,
    to_segments,
)
from judgments.results.selection.decisions import decision_section, item_section
from judgments.results.selection.selection import Selection
from judgments.stats.quality_control import FAIL, INSUFFICIENT, LEVEL, MIN_PAIRS, PASS
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import DEGRADED, HABITS, REPEATS
from judgments.web.plurals import titled
from judgments.web.sections import Lazy, ResultsPage, Section, plain
from judgments.web.tables import Column, Table, in_a_sentence

from ..control_items import page as control_items
from . import figures

MAX_SHOWN = 40
MOST_NAMED = 5
VERDICTS = {
    PASS: gettext_lazy("passes"),
    FAIL: gettext_lazy("fails"),
    INSUFFICIENT: gettext_lazy("too few pairs"),
}


def reports_of(selection: Selection) -> list[QualityReport]:
    """Return one report per dimension, or one on comparisons."""
    return list(figures.qualities(selection))


def lead(report: QualityReport) -> str:
    """Return the finding in one sentence."""
    counts = {v: sum(a.control.verdict == v for a in report.annotators) for v in VERDICTS}
    people = counted.annotators(len(report.annotators))
    if not report.has_controls:
        n = sum(bool(a.flags) for a in report.annotators)
        flagged = ngettext("%(n)s of them has flags", "%(n)s of them have flags", n) % {"n": n}
        known = {"people": people, "flagged": flagged if n else _("none of them has flags")}
        return _("There are no degraded copies to test %(people)s with; %(flagged)s.") % known
    passing = ngettext(
        "%(n)d scores degraded copies below the originals",
        "%(n)d score degraded copies below the originals",
        counts[PASS],
    ) % {"n": counts[PASS]}
    failing = ngettext("%(n)d does not", "%(n)d do not", counts[FAIL]) % {"n": counts[FAIL]}
    return _(
        "Of %(people)s, %(passing)s, %(failing)s, and %(n)d had too few pairs (fewer than "
        "%(least)d)."
    ) % {
        "people": people,
        "passing": passing,
        "failing": failing,
        "n": counts[INSUFFICIENT],
        "least": MIN_PAIRS,
    }


def trust(report: QualityReport) -> str:
    """Return when to rely on the verdicts, and when not."""
    if not report.has_controls:
        return _(
            "Flags say where to look, not who judged badly. Degraded copies are planned with "
            "the work, or come in with imported judgments, as items of the kind “degraded”."
        )
    tested = sum(a.control.verdict != INSUFFICIENT for a in report.annotators)
    lines = [
        _(
            "Failing does not prove carelessness: with ten pairs or fewer, careful people"
            " fail too, and the damaged word may hardly matter."
        )
    ]
    if tested * LEVEL >= 0.5:
        lines.append(
            _(
                "With %(tested)s tested, about %(tested_2)s would pass without reading at"
                " all: see Holm's p."
            )
            % {"tested": tested, "tested_2": f"{tested * LEVEL:.1f}"}
        )
    return " ".join(lines)


def control_table(selection: Selection, report: QualityReport) -> Table:
    rows = [
        (
            a.alias,
            a.control.n_pairs,
            a.control.n_zero,
            a.control.mean_drop,
            a.control.low,
            a.control.high,
            a.control.p_value,
            a.control.p_holm,
            a.control.p_t,
            a.control.p_mann_whitney,
            str(VERDICTS[a.control.verdict]),
            a.n_unmatched,
            _(a.control.reason),
        )
        for a in (report.annotators if report.has_controls else ())
    ]
    note = _(
        "Passes: p ≤ %(level)s in the one-sided signed-rank test, equal scores "
        "dropped, exact up to 50 pairs; no verdict below %(least)s pairs. A "
        "degraded copy belongs to the output of the same system and segment that the "
        "same person judged as a regular item; several judgments of one are averaged."
    ) % {"level": f"{LEVEL:g}", "least": MIN_PAIRS}
    links = from_annotators(selection, rows) | {
        (i, "n_pairs"): to_judged(selection, a.alias, kinds=["degraded"])
        for i, a in enumerate(report.annotators[: len(rows)])
        if a.control.n_pairs
    }
    slug = slug_of("quality-controls", report)
    return Table(slug, _("Degraded copies"), DEGRADED, rows, note, links)


def repeat_table(selection: Selection, report: QualityReport) -> Table:
    rows = [
        (
            a.alias,
            a.repeats.n_pairs,
            a.repeats.mean_difference,
            a.repeats.exact,
            a.repeats.icc,
            a.references.n_references,
            a.references.median_references,
            a.references.median_outputs,
            a.references.share,
            _(a.repeats.reason) if a.repeats.n_pairs else "",
        )
        for a in report.annotators
    ]
    note = _(
        "Repeats: the first and the second time that a person judged the same output."
        " References were shown as if they were outputs."
    )
    links = from_annotators(selection, rows)
    for i, a in enumerate(report.annotators):
        if a.repeats.n_pairs:
            links[i, "n_repeats"] = to_judged(selection, a.alias, kinds=["repeat"])
        if a.references.n_references:
            links[i, "n_references"] = to_judged(selection, a.alias, kinds=["reference"])
    slug = slug_of("quality-repeats", report)
    return Table(slug, _("Repeats and references"), REPEATS, rows, note, links)


def habit_table(selection: Selection, report: QualityReport) -> Table:
    rows = [
        (
            a.alias,
            a.n_judgments,
            a.n_scores,
            a.sd,
            a.run.length,
            a.run.value,
            min(a.run.expected, 1.0),
            a.median_seconds,
            a.seconds_per_word,
            a.n_overlapping,
            flags(a),
        )
        for a in report.annotators
    ]
    # xgettext:no-python-format
    note = _(
        "Flags: a standard deviation of 0; a run that the same scores in random order"
        " would have with a chance below .01 (texts of one document make runs "
        "likelier); a median time below a third of the median of all annotators' "
        "medians; references below outputs in the median; more than 5 % of judgments "
        "begun before an earlier one had ended."
    )
    if not math.isnan(report.floor):
        note += " " + _("Minimum: %(floor)s s per source word.") % {"floor": f"{report.floor:g}"}
    links = from_annotators(selection, rows)
    return Table(
        slug_of("quality-habits", report), _("Scores and times"), HABITS, rows, note, links
    )


def flags(found: AnnotatorQuality) -> str:
    return "; ".join(str(FLAGS[flag]) for flag in found.flags)


def slug_of(kind: str, report: QualityReport) -> str:
    return f"{kind}-{report.dimension or 'comparisons'}"


def control_chart(selection: Selection, report: QualityReport) -> Chart | None:
    """Return the mean drop of each annotator, the smallest first; None without control items."""
    tested = [a for a in report.annotators if a.control.n_pairs]
    if not tested:
        return None
    shown = sorted(tested, key=lambda a: a.control.mean_drop)[:MAX_SHOWN]
    title = titled(
        _("How far degraded copies score below the originals"), in_a_sentence(report.name)
    )
    ends = [np.array([getattr(a.control, f) for a in shown]) for f in ("mean_drop", "low", "high")]
    spec = charts.intervals(
        [a.alias for a in shown], *ends, axis=_("mean drop of the score"), description=title
    )
    spec = linked_to_judged(selection, spec, [a.alias for a in shown])
    n = sum(a.control.n_pairs for a in tested)
    caption = _(
        "Score of the original minus the score of its degraded copy, with a 95 %% t "
        "interval: to the right of 0 the damage was noticed. n = %(pairs)s by "
        "%(annotators)s."
    ) % {"pairs": counted.pairs(n), "annotators": counted.annotators(len(tested))}
    if len(tested) > MAX_SHOWN:
        caption += " " + _("The %(most)s with the smallest drop are shown.") % {"most": MAX_SHOWN}
    table, name = control_table(selection, report), slug_of("quality-drop", report)
    return Chart(name, title, caption, spec, table.columns, table.rows, table.links, str(TO_JUDGED))


def comparison_table(selection: Selection) -> Table:
    """Return a comparison of systems' scores with and without the excluded annotators."""
    kept, everyone = selection.as_decided, selection.everyone
    slugs: list[str | None] = [d.slug for d in observations.dimensions_of(selection.campaign)]
    rows = []
    for slug in slugs or [None]:
        without, with_all = (scores_figures.system_scores(c, slug) for c in (kept, everyone))
        place = {name: i for i, name in enumerate(without.names)}
        for i in with_all.order:
            name = with_all.names[i]
            at = place.get(name)
            missing = (math.nan, 0, "–")
            rows.append(
                (
                    str(name),
                    slug or "comparisons",
                    *_standing(with_all, i),
                    *(missing if at is None else _standing(without, at)),
                )
            )
    columns = (
        Column("system"),
        Column("dimension", kind="text"),
        Column("score_all", _("All annotators"), "number"),
        Column("n_all", _("Judgments"), "count"),
        Column("ranks_all", _("Ranks"), "text"),
        Column("score_kept", _("Without the excluded"), "number"),
        Column("n_kept", _("Judgments"), "count"),
        Column("ranks_kept", _("Ranks"), "text"),
    )
    note = _("Scores and ranges of ranks as on the page Scores.")
    links = {
        (i, "system"): to_segments(selection, systems=[row[0]], sort="lowest")
        for i, row in enumerate(rows)
    }
    return Table("quality-with-and-without", _("With and without"), columns, rows, note, links)


def _standing(scores, i: int) -> tuple:
    place = ranks(scores.rank_low[i], scores.rank_high[i])
    return float(scores.mean[i]), int(scores.n_judgments[i]), place


def sections(selection: Selection) -> list[Section]:
    """Return a section for each dimension or for comparisons; systems with and without the excluded
    annotators; the log of decisions."""
    dimensions = observations.dimensions_of(selection.campaign)
    named: list[tuple[str | None, str]] = [(d.slug, d.name) for d in dimensions]
    found = []
    for slug, name in named or [(None, _("Comparisons"))]:
        report = cache(partial(figures.quality, selection, slug))
        found += [
            section(report, slug, name),
            figures_section(selection, report, slug, name),
        ]
        found += control_items.sections(selection, report, slug, name)
    if selection.decided:
        found.append(comparison_section(selection))
    decided = [decision_section(selection), item_section(selection)]
    return [*found, *decided, control_items.items_section(selection)]


def section(report: Callable[[], QualityReport], slug: str | None, name: str) -> Section:
    """Return the quality of annotators' work by their scores in one dimension."""
    return Section(
        slug=f"quality-{slug or 'comparisons'}",
        title=titled(_("Annotators"), in_a_sentence(name)),
        sentence=lambda: lead(report()),
    )


def figures_section(
    selection: Selection, report: Callable[[], QualityReport], slug: str | None, name: str
) -> Section:
    """Return the same as a chart and tables, with a row for each annotator."""
    of, what = slug or "comparisons", in_a_sentence(name)
    drop = titled(_("How far degraded copies score below the originals"), what)

    def table(kind: str, title: str, make: Any) -> Lazy[Table]:
        made = partial(make, selection.everyone)
        return Lazy(f"quality-{kind}-{of}", titled(title, what), lambda: made(report()))

    return Section(
        slug=f"quality-figures-{of}",
        title=titled(_("The figures"), what),
        notes=lambda: [trust(report())],
        charts=[
            Lazy(f"quality-drop-{of}", drop, lambda: control_chart(selection.everyone, report()))
        ],
        tables=[
            table("controls", _("Degraded copies"), control_table),
            table("repeats", _("Repeats and references"), repeat_table),
            table("habits", _("Scores and times"), habit_table),
        ],
        folded=True,
    )


def comparison_section(selection: Selection) -> Section:
    items = selection.decided.has_items
    title = (
        _("Scores with and without what is left out")
        if items
        else _("Scores with and without the annotators left out")
    )
    table = Lazy("quality-with-and-without", title, lambda: comparison_table(selection))
    return Section("comparison", title, tables=[table])


def data(selection: Selection) -> dict[str, Any]:
    rules = selection.campaign.quality_rules.values(
        "text", *THRESHOLDS, "n_judgments", "written_at"
    )
    return {
        "reports": [plain(report) for report in reports_of(selection)],
        "flags": {flag: str(words) for flag, words in FLAGS.items()},
        "rules": [rule | {"written_at": rule["written_at"].isoformat()} for rule in rules],
    }


PAGE = ResultsPage(
    "quality", gettext_lazy("Quality control"), sections, data, asked=with_page("quality")
)
