"""How literal translations are, and who prefers it, as pages show it: sentences and tables."""

from __future__ import annotations

from math import isnan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import TestSet
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Column, Table, figure, interval
from metrics.scores.tables import brief_names

from ..board import Board
from ..metric_section import MetricSection, section
from ..study import StudyChoice
from ..tables import TURNED, ends_of, rules, with_ends
from .figures import Literalness, SideCrossings, literalness, side_crossings
from .links import ORIGINS, CrossedLinks, has_links, links_of_campaign, links_of_test_set

TITLE = gettext_lazy("Who translates literally: crossings of alignment links")
OF_CROSSINGS = gettext_lazy(
    "Two links cross if the word that comes first in the source comes last in the translation; "
    "links that share a word make no pair. Few crossings mean the order of the source, no more: a "
    "literal choice of words does not cross. Where every word has one link, the share is Kendall's "
    "distance of the two orders, of which Birch, Osborne and Blunsom (2010) take the root. An "
    "aligner errs, more often where the order differs."
)
NO_LINKS = gettext_lazy(
    "No words are linked yet. Link them on the page Phrases and terms of the test set, which takes "
    "outputs and references; this section then says how many pairs of links cross."
)
NO_CAMPAIGN_LINKS = gettext_lazy(
    "Whether metrics prefer them takes links of words: see Phrases and terms of the test set."
)
OF_PREFERENCE = gettext_lazy(
    "Literal: 1 − the share of pairs of alignment links that cross. The metric's score and "
    "people's are standardized over all outputs that have both; their difference is correlated "
    "with literal, the outputs of one segment at a time, then the mean over segments. Above 0 the "
    "metric prefers the order of the source more than people do, who may rightly like it too."
)


def of_references(test_set: TestSet, selection: Selection | None) -> Section:
    """Return systems and references by how literally they translate. ``selection``: the campaign
    whose links do where the test set has none."""

    def found() -> CrossedLinks | None:
        links = links_of_test_set(test_set)
        return links or (links_of_campaign(selection) if selection else None)

    def rows() -> list[SideCrossings]:
        links = found()
        if links is None:
            return []
        rows = test_set.segments.order_by("position").values_list("document_id", flat=True)
        return side_crossings(links, np.array(list(rows)))

    return Section(
        "literalness",
        str(TITLE),
        sentence=lambda: crossings_lead(found(), rows()),
        notes=lambda: crossings_notes(found()),
        tables=[Lazy("literalness", str(TITLE), lambda: crossings_table(rows()), ASIDE)],
        remark=lambda: str(OF_CROSSINGS),
    )


def crossings_lead(links: CrossedLinks | None, rows: list[SideCrossings]) -> str:
    """Return who follows the order of the source most, and who least."""
    known = [row for row in rows if not isnan(row.share)]
    if links is None or not known:
        return str(NO_LINKS)
    most, least = known[0], known[-1]
    if most is least:
        return _("%(name)s crosses %(share)s of its pairs of alignment links.") % {
            "name": named(most),
            "share": percent(most),
        }
    return _(
        "%(most)s follows the order of the source most: %(low)s of its pairs of alignment links "
        "cross; %(least)s least: %(high)s."
    ) % {
        "most": named(most),
        "low": percent(most),
        "least": named(least),
        "high": percent(least),
    }


def named(row: SideCrossings) -> str:
    return _("reference %(name)s") % {"name": row.name} if row.kind == "reference" else row.name


def percent(row: SideCrossings) -> str:
    return f"{figure(100 * row.share, 1)} %"


def crossings_notes(links: CrossedLinks | None) -> list[str]:
    """Return whose links these are, whether texts have changed, and whether references have any."""
    if links is None:
        return []
    said = [_("Links that %(origin)s.") % {"origin": _(ORIGINS[links.origin])}]
    if links.is_stale:
        said.append(_("Texts have changed since they were linked; link them again."))
    if not any(side.kind == "reference" for side in links.sides):
        said.append(
            _(
                "References have no links here: link the texts on the page Phrases and terms, "
                "which takes references too."
            )
        )
    return said


def crossings_table(rows: list[SideCrossings]) -> Table:
    """Return a row for each system and reference, the most literal first."""
    columns = (
        Column("translation", _("Translation")),
        Column("kind", _("Kind"), "text"),
        Column("share", _("Crossing pairs"), "number", _("Share of its pairs of links")),
        Column("low", _("95 % low"), "number"),
        Column("high", _("95 % high"), "number"),
        Column("n", _("Segments"), "count", _("With at least one pair")),
        Column("pairs", _("Pairs of links"), "count"),
        Column("reason", _("Why there is none"), "text"),
    )
    values = [
        (
            row.name,
            _("reference") if row.kind == "reference" else _("system"),
            row.share,
            row.low,
            row.high,
            row.n,
            row.n_pairs,
            _(row.reason) if row.reason else "",
        )
        for row in rows
    ]
    note = _("95 % intervals: bootstrap of documents, or of segments where there are few.")
    return Table("literalness", str(TITLE), columns, values, note)


def of_metrics(selection: Selection, choice: StudyChoice, board: Board) -> MetricSection:
    """Return whether metrics prefer literal outputs more than people do."""
    title = _("Metrics and literal outputs")
    if not has_links(selection):
        why = str(NO_CAMPAIGN_LINKS)
        return section("metric-literalness", title, lambda: why, missing=lambda: why)

    def found() -> Literalness | None:
        return literalness(selection, choice, board)

    return section(
        "metric-literalness",
        title,
        sentence=lambda: preference_lead(found()),
        table=lambda: preference_table(found()),
        notes=lambda: preference_notes(found()),
        folded=True,
    )


def preference_lead(found: Literalness | None) -> str:
    """Return which metrics prefer literal outputs, by their intervals."""
    if found is None:
        return str(NO_CAMPAIGN_LINKS)
    real = [row for row in found.rows if not row.metric.is_sentinel]
    known = [row for row in real if not isnan(row.preference.estimate)]
    if not known:
        return _("No segment has enough outputs with links, scores and judgments.")
    literal = [row for row in known if row.preference.low > 0]
    free = [row for row in known if row.preference.high < 0]
    names = brief_names([row.metric for row in found.rows])
    said = []
    for rows, words in (
        (literal, _("More than people prefer literal outputs: %(names)s.")),
        (free, _("Less than people: %(names)s.")),
    ):
        if rows:
            said.append(words % {"names": counted.names([names[r.metric.slug] for r in rows])})
    if said:
        return " ".join(said)
    first = known[0]
    ends = interval(first.preference.low, first.preference.high)
    return _(
        "No metric is shown to prefer literal outputs more or less than people do; %(metric)s "
        "does most (r = %(r)s%(ends)s)."
    ) % {
        "metric": names[first.metric.slug],
        "r": figure(first.preference.estimate),
        "ends": f" {ends}" if ends else "",
    }


def preference_notes(found: Literalness | None) -> list[str]:
    if found is None:
        return []
    said = [str(OF_PREFERENCE), _("Links that %(origin)s.") % {"origin": _(ORIGINS[found.origin])}]
    if found.is_stale:
        said.append(_("Texts have changed since they were linked; link them again."))
    return said


def preference_table(found: Literalness | None) -> Table | None:
    """Return a row for each metric, the one that prefers literal outputs most first."""
    if found is None:
        return None
    names = brief_names([row.metric for row in found.rows])
    columns = (
        Column("metric"),
        Column("kind"),
        TURNED,
        *with_ends("preference", _("Literal and metric − people, r by item")),
        Column("with_metric", _("Literal and metric, r"), "number"),
        Column("with_people", _("Literal and people, r"), "number"),
        Column("n", _("Segments"), "count"),
        Column("reason", _("Why there is none"), "text"),
    )
    rows = [
        (
            names[row.metric.slug],
            _(row.metric.kind),
            _(row.metric.turned),
            *ends_of(row.preference),
            row.with_metric,
            row.with_people,
            row.preference.n,
            _(why) if (why := row.preference.reason or row.preference.no_interval) else "",
        )
        for row in found.rows
    ]
    title = _("Metrics and people on literal outputs")
    return Table("metric-literalness", title, columns, rows, rules("jackknife"))
