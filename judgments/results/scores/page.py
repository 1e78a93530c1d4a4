"""Scores and ranks in words, tables and charts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.people import access
from judgments.plans.choice import draws_systems
from judgments.protocols.pages import with_page
from judgments.results.forms import ComparisonOptionsForm, ScoreOptionsForm
from judgments.results.observations import observations
from judgments.results.observations.outside_scores import brought_scores
from judgments.results.scores.comparisons import MODELS
from judgments.results.scores.figures import NORMALIZATIONS, SystemScores
from judgments.results.selection.selection import WITH_METRIC, Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import HIGH, LOW, PAIRS
from judgments.web.plurals import capitalized
from judgments.web.sections import FILE, EmptyState, Lazy, ResultsPage, Section, plain
from judgments.web.tables import Column, Table, decimals, figure, in_a_sentence, interval

from ..segments.links import to_segments
from . import (
    adjudication,
    choice,
    comparisons,
    control_systems,
    figures,
    head_to_head,
    sensitivity,
    strengths,
    waves,
    with_metrics_page,
    wmt_ranks,
)
from .forms import WithMetricsForm
from .head_to_head import pair_rows
from .pair_test import pair_test_of
from .stated_facts import stated
from .with_metrics import ChosenMetrics, chosen_metrics, is_possible, method_of
from .words import MODEL_NAMES, TOP, meaning, note, ranks

LABELS = {
    "raw": gettext_lazy("Mean"),
    "z": gettext_lazy("Mean z"),
    "center": gettext_lazy("Centered mean"),
    "mixed": gettext_lazy("Estimate"),
}
AXES = {
    "raw": gettext_lazy("mean %(what)s"),
    "z": gettext_lazy("mean z of %(what)s"),
    "center": gettext_lazy("centered mean %(what)s"),
}
KINDS_OF_SCORE = {
    "z": gettext_lazy("%(what)s, z"),
    "center": gettext_lazy("%(what)s, centered"),
    "mixed": gettext_lazy("%(what)s, mixed model"),
}


RANK_COLUMNS = ("cluster", "ranks")


def is_decisive(selection: Selection, scores: SystemScores) -> bool:
    """Return whether these are the scores by which the campaign says which systems differ: those by
    other normalizations stand beside them without ranks."""
    return not scores.dimension or scores.method == pair_test_of(selection.campaign).compared_by


def score_columns(scores: SystemScores) -> tuple[Column, ...]:
    label = LABELS.get(scores.method) or MODEL_NAMES.get(scores.method) or _("Score")
    label = _("Share") if scores.is_share else capitalized(str(label))
    return (
        Column("system"),
        Column("score", label, "number"),
        LOW,
        HIGH,
        Column("cluster", _("Cluster"), "count", _("Systems of one cluster cannot be told apart")),
        Column("ranks", _("Ranks"), "text"),
        Column("n_segments", _("Segments"), "count"),
        Column("n_judgments", _("Judgments"), "count"),
    )


def score_rows(scores: SystemScores) -> list[tuple]:
    """Return best first."""
    return [
        (
            str(scores.names[i]),
            float(scores.mean[i]),
            float(scores.low[i]),
            float(scores.high[i]),
            int(scores.cluster[i]) or None,
            ranks(scores.rank_low[i], scores.rank_high[i]),
            int(scores.n_segments[i]),
            int(scores.n_judgments[i]),
        )
        for i in scores.order
    ]


def of_what(selection: Selection, scores: SystemScores) -> str:
    return _what(selection, vars(scores))


def _what(selection: Selection, options: dict[str, Any]) -> str:
    names = {d.slug: in_a_sentence(d.name) for d in observations.dimensions_of(selection.campaign)}
    model = options.get("model") or options.get("method", "")
    return names.get(options.get("dimension", "")) or str(
        MODEL_NAMES.get(model) or _("comparisons")
    )


def slug_of(scores: SystemScores) -> str:
    return (
        f"scores-{scores.dimension}-{scores.method}"
        if scores.dimension
        else f"scores-{scores.method}"
    )


def lead(selection: Selection, scores: SystemScores) -> str:
    """Return the finding in one sentence."""
    what = of_what(selection, scores)
    if scores.reason:
        return _("There is no ranking by %(what)s yet: %(reason)s.") % {
            "what": what,
            "reason": _(scores.reason),
        }
    best = scores.order[0]
    decisive = is_decisive(selection, scores)
    places = decimals([float(m) for m in scores.mean])
    bounds = interval(float(scores.low[best]), float(scores.high[best]), places)
    value = f"{figure(float(scores.mean[best]), places)} {bounds}".strip()
    top = [i for i in scores.order if scores.rank_low[i] == 1]
    known = {"what": what, "value": value, "n": f"{len(scores.names):,}"}
    known["systems"] = counted.systems(len(scores.names))
    if not decisive:
        known |= {"first": str(scores.names[best]), "how": str(LABELS[scores.method])}
        return (
            _(
                "%(first)s comes first of %(systems)s in %(what)s by these scores (%(how)s), with "
                "%(value)s. Which systems differ is not decided by them."
            )
            % known
        )
    if not top:
        return (
            ngettext(
                "There is no ranking of the %(n)s system by %(what)s yet: too few segments are "
                "decided.",
                "There is no ranking of the %(n)s systems by %(what)s yet: too few segments are "
                "decided.",
                len(scores.names),
            )
            % known
        )
    names = [str(scores.names[i]) for i in top]
    known |= {"first": names[0], "listed": counted.names(names), "rule": str(TOP)}
    known["clusters"] = _clusters(int(scores.cluster.max()))
    return _found(scores, len(top)) % known


def _clusters(n: int) -> str:
    return ngettext("one cluster", "%(n)s clusters", n) % {"n": n}


def _found(scores: SystemScores, n_top: int) -> str:
    """Return what the lead says, by how many systems share the top."""
    n = len(scores.names)
    if n == 1:
        return _("%(first)s, the only system, has %(value)s in %(what)s.")
    if n_top == 1 and (scores.cluster == 1).sum() == 1:
        return _(
            "%(first)s leads in %(what)s with %(value)s, alone at the top; %(systems)s in "
            "%(clusters)s."
        )
    if n_top == 1:
        return _("%(first)s leads in %(what)s with %(value)s; %(systems)s in %(clusters)s.")
    if n_top == n:
        return _(
            "No system stands out in %(what)s: %(systems)s in one cluster, %(first)s with "
            "%(value)s."
        )
    return _(
        "%(listed)s share the top in %(what)s, the first with %(value)s: %(rule)s; %(systems)s in "
        "%(clusters)s."
    )


def score_table(selection: Selection, scores: SystemScores) -> Table:
    """Return best first, with what is stated of the systems; each leads to its segments."""
    title = _title(selection, vars(scores))
    facts, columns = stated(selection)
    rows = [
        (*row, *(facts.get(int(scores.system_ids[i]), {}).get(each.key) for each in columns))
        for i, row in zip(scores.order, score_rows(scores), strict=True)
    ]
    known = (*score_columns(scores), *columns)
    decisive = is_decisive(selection, scores)
    if not decisive:
        at = [i for i, column in enumerate(known) if column.key not in RANK_COLUMNS]
        known, rows = tuple(known[i] for i in at), [tuple(row[i] for i in at) for row in rows]
    links = {(n, "system"): _address(selection, scores, row[0]) for n, row in enumerate(rows)}
    return Table(slug_of(scores), title, known, rows, note(scores, decisive), links)


def _address(selection: Selection, scores: SystemScores, name: str) -> str:
    dimension = scores.dimension or None
    return to_segments(selection, systems=[name], sort="lowest", dimension=dimension)


def score_chart(selection: Selection, scores: SystemScores) -> Chart | None:
    """Return scores with their intervals, best first; None without scores."""
    if not len(scores.names) or np.isnan(scores.mean).all():
        return None
    rows = score_rows(scores)
    what = of_what(selection, scores)
    axis = _("share %(what)s") if scores.is_share else AXES.get(scores.method, "%(what)s")
    axis = axis % {"what": what}
    title = _title(selection, vars(scores))
    places = decimals([r[1] for r in rows])
    columns = [np.array([r[i] for r in rows], float) for i in (1, 2, 3)]
    spec = charts.intervals(
        [r[0] for r in rows], *columns, axis=axis, places=places, description=title
    )
    names = [r[0] for r in rows]
    judged_by = [_address(selection, scores, name) for name in names]
    spec = charts.linked(spec, dict(zip(charts.short(names), judged_by, strict=True)))
    judged = int(scores.n_judgments.sum())
    fewest, most = int(scores.n_segments.min()), int(scores.n_segments.max())
    # A comparison is one of two systems.
    n = counted.ratings(judged) if scores.dimension else counted.comparisons(judged // 2)
    segments = ngettext("%(n)s segment a system", "%(n)s segments a system", most)
    caption = _(
        "%(axis)s; lines: 95 %% intervals (%(interval)s). n = %(segments)s, %(n)s of %(systems)s."
    ) % {
        "axis": capitalized(axis),
        "interval": _(scores.interval),
        "segments": segments % {"n": f"{most:,}" if fewest == most else f"{fewest:,}–{most:,}"},
        "n": n,
        "systems": counted.systems(len(rows)),
    }
    links = {(n, "system"): address for n, address in enumerate(judged_by)}
    slug, hint = slug_of(scores), _("A point leads to its segments.")
    return Chart(slug, title, caption, spec, score_columns(scores), rows, links, hint)


def options_of(selection: Selection) -> list[dict[str, str]]:
    """Return every dimension by every normalization, or every model of comparisons."""
    dimensions = observations.dimensions_of(selection.campaign)
    if not dimensions:
        return [{"model": model} for model in MODELS]
    return [
        {"dimension": dimension.slug, "method": method}
        for dimension in dimensions
        for method in NORMALIZATIONS
    ]


def scores_of(selection: Selection) -> list[SystemScores]:
    """Return all of `options_of`."""
    return [figures.system_scores(selection, **options) for options in options_of(selection)]


def sections(selection: Selection) -> list[Section]:
    """Return every normalization or model, and what is for files only."""
    every = options_of(selection)
    is_rated = bool(observations.dimensions_of(selection.campaign))
    found, chosen = [], chosen_metrics(selection)
    for options in every:
        found.append(section(selection, options))
        if is_rated or options is every[0]:
            found += decision_sections(selection, options, chosen)
    files = [
        Lazy("segment-scores", _("Scores of segments"), partial(segment_table, selection), FILE)
    ]
    if is_rated:
        make = partial(significance_table, selection)
        files.append(Lazy("significance", _("Tests between systems"), make, FILE))
    thirds = adjudication.section(selection)
    return [*found, thirds, Section("files", _("All of them"), tables=files)]


def shown(selection: Selection, chosen: dict[str, Any]) -> list[Section]:
    """Return what a page shows under the reader's settings."""
    sections, metrics = [], chosen_metrics(selection)
    for options in settings_of(selection, chosen):
        sections += [section(selection, options), *decision_sections(selection, options, metrics)]
    if strengths.has_strengths(selection.campaign):
        sections.append(strengths.section(selection))
    return [*sections, adjudication.section(selection)]


def found(selection: Selection, chosen: dict[str, Any]) -> list[SystemScores]:
    """Return the scores that such a page shows."""
    return [figures.system_scores(selection, **o) for o in settings_of(selection, chosen)]


def has_ratings(scores: SystemScores) -> bool:
    """Return whether anybody rated, also if the chosen rule leaves all of them out."""
    check = scores.annotator_check
    return len(scores.names) > 0 or (check is not None and check.leaves_nobody)


def settings_of(selection: Selection, chosen: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the reader's settings for every dimension, or for comparisons."""
    dimensions = observations.dimensions_of(selection.campaign)
    return [{"dimension": d.slug} | chosen for d in dimensions] or [chosen]


def section(selection: Selection, options: dict[str, Any]) -> Section:
    """Return the scores of all systems. options: as `results.system_scores` takes them."""
    scores = cache(lambda: figures.system_scores(selection, **options))
    of, title = "-".join(_named(options)), _title(selection, options)
    return Section(
        slug=f"scores-{of}",
        title=title,
        sentence=lambda: told(selection, scores()),
        charts=[Lazy(f"scores-{of}", title, lambda: score_chart(selection, scores()))],
        tables=[Lazy(f"scores-{of}", title, lambda: score_table(selection, scores()))],
        remark=lambda: meaning(scores()),
    )


def told(selection: Selection, scores: SystemScores) -> str:
    """Return the finding, what became of control systems, and whether waves are accounted for."""
    said = control_systems.added_to(lead(selection, scores), selection, scores)
    if scores.reason or not scores.dimension:
        return said
    later = waves.later_waves(selection)
    return " ".join(filter(None, [said, waves.sentence(selection, scores.method, later)]))


def decision_sections(
    selection: Selection, options: dict[str, Any], metrics: ChosenMetrics | None
) -> list[Section]:
    """Return every pair of systems, with the rules of WMT, other decisions and the chosen metrics
    beside it; of other scores than the campaign's own only the rules of WMT."""
    scores = cache(lambda: figures.system_scores(selection, **options))
    of, what = "-".join(_named(options)), _kind(selection, options)
    wmt = wmt_ranks.section(selection, options, of=of, what=what)
    if not observations.dimensions_of(selection.campaign):
        return [head_to_head.compared_section(selection, scores), wmt]
    if options.get("method") != pair_test_of(selection.campaign).compared_by:
        return [wmt]
    pairs = head_to_head.section(selection, scores, of=of, what=what)
    if draws_systems(selection.campaign):  # where not all are shown, other tests do not hold
        first = observations.dimensions_of(selection.campaign)[0].slug
        drawn = [choice.section(selection)] if options["dimension"] == first else []
        return [*drawn, pairs, wmt]
    joint = []
    if metrics:
        by = options | {"method": method_of(options["method"])}
        slug, kind = str(by["dimension"]), _kind(selection, by)
        joint.append(with_metrics_page.section(selection, metrics, slug, by["method"], kind))
    return [
        pairs,
        *joint,
        wmt,
        sensitivity.section(selection, options["dimension"], of=of, what=what),
    ]


def _named(options: dict[str, Any]) -> list[str]:
    """Return what names the files of scores: dimension and method, or the model."""
    return [options[key] for key in ("dimension", "method", "model") if options.get(key)]


def segment_table(selection: Selection) -> Table:
    """Return one row per dimension, system and segment, for files."""
    rows: list[tuple] = []
    slugs: list[str | None] = [d.slug for d in observations.dimensions_of(selection.campaign)]
    slugs = slugs or [None]
    for slug in slugs:
        raw = figures.segment_scores(selection, slug)
        z = figures.segment_scores(selection, slug, "z").values if slug else raw.values * math.nan
        rows += [
            (slug or "comparisons", str(name), str(key), value, z[i, j].item(), int(raw.n[i, j]))
            for i, name in enumerate(raw.names)
            for j, (key, value) in enumerate(
                zip(raw.segment_keys, raw.values[i].tolist(), strict=True)
            )
            if raw.n[i, j]
        ]
    columns = ("dimension", "system", "segment", "score", "z", "n_judgments")
    return Table("segment-scores", _("Scores of segments"), columns, rows)


def significance_table(selection: Selection) -> Table:
    """Return every two systems of every dimension and normalization, the better one first."""
    rows = [
        (scores.dimension, scores.method, scores.test, scores.adjust, *row)
        for scores in scores_of(selection)
        if is_decisive(selection, scores)
        for row in pair_rows(scores)
    ]
    columns = ("dimension", "method", "test", "adjust", *PAIRS)
    return Table("significance", _("Tests between systems"), columns, rows)


def _title(selection: Selection, options: dict[str, Any]) -> str:
    return _("Systems by %(what)s") % {"what": _kind(selection, options)}


def _kind(selection: Selection, options: dict[str, Any]) -> str:
    """Return what scores are of, and of which kind they are."""
    kind = KINDS_OF_SCORE.get(options.get("method", ""), "%(what)s")
    return kind % {"what": _what(selection, options)}


def data(selection: Selection) -> dict[str, Any]:
    found = {"systems": [plain(scores) for scores in scores_of(selection)]}
    if not observations.dimensions_of(selection.campaign):
        found["head_to_head"] = plain(comparisons.head_to_head(selection))
    method = pair_test_of(selection.campaign).compared_by
    own = [each for each in options_of(selection) if each.get("method") == method]
    if joint := with_metrics_page.data(selection, own):
        found["with_metrics"] = joint
    return found


def context(request: HttpRequest, selection: Selection) -> dict[str, Any]:
    """Return the settings, and the sections by them."""
    is_rated = bool(observations.dimensions_of(selection.campaign))
    form_class = ScoreOptionsForm if is_rated else ComparisonOptionsForm
    options = form_class(request.GET).options()
    if is_rated and not options["method"]:
        options["method"] = pair_test_of(selection.campaign).compared_by
    return {
        "form": form_class(initial=options),
        "may_manage": access.may_manage(request.user, selection.campaign),
        "sections": shown(selection, options),
        "with_thirds": adjudication.counted(selection).query,
        **metrics_context(request, selection),
        "empty": None if any(map(has_ratings, found(selection, options))) else NOTHING,
    }


def metrics_context(request: HttpRequest, selection: Selection) -> dict[str, Any]:
    """Return the choice of metrics, once a reader asks for it; before, the address that asks."""
    if not is_possible(selection.campaign):
        return {}
    alone = replace(selection, with_metrics=())
    if WITH_METRIC not in request.GET:
        query = QueryDict(alone.query.removeprefix("?"), mutable=True)
        query[WITH_METRIC] = ""
        return {"to_metrics": f"?{query.urlencode()}#choose-metrics"}
    return {
        "metrics_form": WithMetricsForm(
            brought_scores(selection.campaign.test_set), selection.with_metrics
        ),
        "without_metrics": alone,
        "estimate": with_metrics_page.slug_of(
            observations.dimensions_of(selection.campaign)[0].slug,
            method_of(pair_test_of(selection.campaign).compared_by),
        ),
    }


def links(selection: Selection) -> list[tuple[str, str]]:
    return [
        ("domains", _("The same by domain and by original language")),
        ("compare", _("Two systems side by side")),
        ("compare-campaigns", _("Another campaign beside this one")),
        ("learning-curve", _("The ranking as judgments came in")),
    ]


NOTHING = EmptyState(
    gettext_lazy("No judgments yet"),
    gettext_lazy("Scores and ranks will appear here with the first judgment."),
    "campaign",
    gettext_lazy("See the progress"),
)
PAGE = ResultsPage(
    "scores",
    gettext_lazy("Scores"),
    sections,
    data,
    asked=with_page("scores"),
    always_answers=True,
    links=links,
    parameters=(*ScoreOptionsForm.base_fields, *ComparisonOptionsForm.base_fields),
    template="judgments/results/scores.html",
    context=context,
)
