"""Forsbom's diagnosis of a whole test set as pages show it: sentences, tables, a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from judgments.web import charts, scatter_plots
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.tables import Column, Table, figure
from metrics.scorers.unfound_ngrams import UnfoundNgram
from metrics.scorers.wordings import Wording

from .tables import MOST_SEGMENTS, diagnostic

if TYPE_CHECKING:
    from .findings import ReferencePage

MOST_POINTS = 1000
MOST_WORDINGS = 20
KIND_NAMES = {
    "article": gettext_noop("Another article"),
    "preposition": gettext_noop("Another preposition"),
    "inflection": gettext_noop("Another form of the word"),
    "synonym": gettext_noop("A synonym"),
    "several words": gettext_noop("Several words"),
    "other": gettext_noop("Another word"),
}
OF_DIAGNOSIS = gettext_lazy(
    "NEVA counts runs of words, WAFT edits of words. A word in another place costs many edits and "
    "few runs, so NEVA above WAFT hints at order; NEVA far below WAFT at equal length hints at "
    "wrong words inside of runs. It is a guess from counts of words (Forsbom 2003)."
)
OF_UNFOUND = gettext_lazy(
    "Over the whole test set, case ignored. A longer run is listed only if the other side has all "
    "shorter runs in it. What references have and no output ever has may be a term that systems do "
    "not know; what outputs have and no reference ever has may be a wrong one, or a house style."
)
OF_KINDS = gettext_lazy(
    "From the smallest number of word edits to the nearest reference. Forms have one Snowball stem,"
    " synonyms one WordNet synset; articles and prepositions are from short lists. It is a guess."
)
OF_WORDINGS = gettext_lazy(
    "Equal sources may rightly have different translations, and a shared run may be rendered by "
    "other words than those shown; a reference that is not consistent makes good outputs look bad."
)


def place_of(page: ReferencePage) -> int:
    """Where the system that was asked for stands among the systems."""
    assert page.asked.system is not None
    return page.texts.systems.index(page.asked.system)


def above_waft(difference: np.ndarray) -> np.ndarray:
    """Return places of the segments with NEVA above WAFT, the largest difference first."""
    order = np.argsort(-np.nan_to_num(difference, nan=-np.inf), kind="stable")
    return order[np.nan_to_num(difference[order], nan=-np.inf) > 0]


def diagnosis_lead(page: ReferencePage) -> str:
    s = place_of(page)
    difference = page.figures[s].difference
    n = int((~np.isnan(difference)).sum())
    if not n:
        return _("%(name)s has no output where there is a reference.") % {
            "name": page.texts.systems[s].name
        }
    n_above = len(above_waft(difference))
    return ngettext(
        "In %(n)s of %(segments)s of %(name)s NEVA is above WAFT, which hints at another order; "
        "the mean of NEVA − WAFT is %(mean)s points.",
        "In %(n)s of %(segments)s of %(name)s NEVA is above WAFT, which hints at another order; "
        "the mean of NEVA − WAFT is %(mean)s points.",
        n_above,
    ) % {
        "n": f"{n_above:,}",
        "segments": counted.segments(n),
        "name": page.texts.systems[s].name,
        "mean": figure(float(np.nanmean(difference)), 1),
    }


def diagnosis_chart(page: ReferencePage) -> Chart | None:
    """Return a point for each segment, which leads to its words."""
    s = place_of(page)
    found = page.figures[s]
    there = np.flatnonzero(~np.isnan(found.difference))
    if not len(there):
        return None
    n_all = len(there)
    if n_all > MOST_POINTS:  # those that stand farthest out
        far = np.argsort(-np.abs(found.difference[there]), kind="stable")[:MOST_POINTS]
        there = np.sort(there[far])
    keys = [page.texts.keys[place] for place in there.tolist()]
    spec = scatter_plots.scatter(
        keys,
        found.longer[there],
        found.difference[there],
        x_title=_("Words of the output − words of the nearest reference"),
        y_title=_("NEVA − WAFT"),
        labeled=False,
        description=_("NEVA − WAFT against the difference in length"),
    )
    names = charts.short(keys)
    links = {
        name: diagnostic(page, place, s) for name, place in zip(names, there.tolist(), strict=True)
    }
    caption = _(
        "A point is a segment of %(name)s; n = %(shown)s. Above 0: order; "
        "left: words missing; right: words too many."
    ) % {"name": page.texts.systems[s].name, "shown": counted.segments(len(there))}
    if n_all > len(there):
        caption += " " + _("Of %(n)s those with the largest difference.") % {
            "n": counted.segments(n_all)
        }
    columns = (
        Column("segment"),
        Column("longer", _("Words longer"), "count"),
        Column("difference", _("NEVA − WAFT"), "number"),
    )
    rows = [
        (key, int(found.longer[place]), float(found.difference[place]))
        for key, place in zip(keys, there.tolist(), strict=True)
    ]
    title = _("NEVA − WAFT against length")
    hint = _("A point leads to the words of its segment.")
    return Chart("neva-waft", title, caption, charts.linked(spec, links), columns, rows, hint=hint)


def above(page: ReferencePage) -> Table:
    """Return the segments of the system with NEVA above WAFT."""
    s = place_of(page)
    found = page.figures[s]
    places = above_waft(found.difference)[:MOST_SEGMENTS].tolist()
    columns = (
        Column("segment"),
        Column("neva", "NEVA", "number"),
        Column("waft", "WAFT", "number"),
        Column("difference", _("NEVA − WAFT"), "number"),
        Column("longer", _("Words longer"), "count"),
        Column("output", _("Output"), "text"),
    )
    rows = [
        (
            page.texts.keys[place],
            float(found.neva[place]),
            float(found.waft[place]),
            float(found.difference[place]),
            int(found.longer[place]),
            page.texts.outputs[s][place],
        )
        for place in places
    ]
    links = {(row, "segment"): diagnostic(page, place, s) for row, place in enumerate(places)}
    return Table("neva-above-waft", _("Segments with NEVA above WAFT"), columns, rows, "", links)


def by_system(page: ReferencePage) -> Table:
    columns = (
        Column("system"),
        Column("n_above", _("NEVA above WAFT"), "count"),
        Column("share", _("Share"), "number"),
        Column("mean", _("Mean NEVA − WAFT"), "number"),
        Column("longer", _("Mean words longer"), "number"),
        Column("n_segments", _("Segments"), "count"),
    )
    rows: list[tuple] = []
    for system, found in zip(page.texts.systems, page.figures, strict=True):
        n = int((~np.isnan(found.difference)).sum())
        n_above = len(above_waft(found.difference))
        if n:
            means = float(np.nanmean(found.difference)), float(np.nanmean(found.longer))
            rows.append((system.name, n_above, n_above / n, *means, n))
    rows.sort(key=lambda row: -row[2])
    return Table("neva-waft-by-system", _("All systems"), columns, rows)


def unfound_lead(page: ReferencePage) -> str:
    missing_words, unwanted_words = page.unfound
    said = []
    for listed, sentence in (
        (missing_words, gettext_noop("no system ever has “%(words)s” (%(n)s in references)")),
        (unwanted_words, gettext_noop("no reference ever has “%(words)s” (%(n)s in outputs)")),
    ):
        real = [each for each in listed if any(map(str.isalpha, "".join(each.words)))]
        if real:
            first = max(real, key=lambda each: each.count)
            said.append(_(sentence) % {"words": " ".join(first.words), "n": f"{first.count:,}"})
    if not said:
        return _("Each side has all runs of up to four words of the other.")
    return _("Most often: %(said)s.") % {"said": counted.names(said)}


def missing(page: ReferencePage) -> Table:
    s = place_of(page)
    return _ngrams(
        page, page.unfound[0], "only-in-references", _("Only in references"), lambda stream: s
    )


def unwanted(page: ReferencePage) -> Table:
    return _ngrams(
        page, page.unfound[1], "only-in-outputs", _("Only in outputs"), lambda stream: stream
    )


def _ngrams(page: ReferencePage, listed: list[UnfoundNgram], slug, title, system_of) -> Table:
    columns = (
        Column("words", _("Words"), "text"),
        Column("order", _("Length"), "count"),
        Column("count", _("Times"), "count"),
        Column("n_segments", _("Segments"), "count"),
        Column("segment", _("For example"), "text"),
    )
    rows = []
    links = {}
    for row, each in enumerate(listed):
        stream, place = each.places[0]
        words = " ".join(each.words)
        rows.append((words, len(each.words), each.count, each.n_segments, page.texts.keys[place]))
        links[row, "segment"] = diagnostic(page, place, system_of(stream))
    return Table(slug, title, columns, rows, "", links)


def kinds_lead(page: ReferencePage) -> str:
    found = page.substitutions
    total = sum(each.count for each in found.values())
    known = {"name": page.texts.systems[place_of(page)].name}
    if not total:
        return _("No word of %(name)s stands in the place of another one.") % known
    known["n"] = f"{total:,}"
    said = [
        _("%(kind)s %(share)s %%")
        % {
            "kind": _(KIND_NAMES[each.kind]).lower(),
            "share": figure(100 * each.count / total, 0),
        }
        for each in sorted(found.values(), key=lambda each: -each.count)
        if each.count
    ]
    known["said"] = counted.names(said)
    return _("%(n)s substitutions of %(name)s: %(said)s.") % known


def kinds_notes(page: ReferencePage) -> list[str]:
    unknown = [_(KIND_NAMES[kind]).lower() for kind in page.types.unknown]
    if not unknown:
        return []
    return [
        _("Not distinguished here for this language, and counted as another word: %(kinds)s.")
        % {"kinds": counted.names(unknown)}
    ]


def kinds(page: ReferencePage) -> Table:
    found = page.substitutions
    total = sum(each.count for each in found.values())
    columns = (
        Column("kind", _("Kind"), "text"),
        Column("count", _("Times"), "count"),
        Column("share", _("Share"), "number"),
    )
    rows = [
        (_(KIND_NAMES[each.kind]), each.count, each.count / total)
        for each in found.values()
        if each.count
    ]
    return Table("substitution-kinds", _("Kinds"), columns, rows)


def examples(page: ReferencePage) -> Table:
    s = place_of(page)
    columns = (
        Column("output", _("Output"), "text"),
        Column("reference", _("Reference"), "text"),
        Column("kind", _("Kind"), "text"),
        Column("count", _("Times"), "count"),
        Column("segment", _("For example"), "text"),
    )
    rows: list[tuple] = []
    links = {}
    for each in page.substitutions.values():
        for pair in each.pairs:
            place = pair.segments[0]
            links[len(rows), "segment"] = diagnostic(page, place, s)
            kind = _(KIND_NAMES[each.kind])
            rows.append((pair.output, pair.reference, kind, pair.count, page.texts.keys[place]))
    return Table("substitution-examples", _("The most frequent"), columns, rows, "", links)


def wordings_lead(page: ReferencePage) -> str:
    n_same = sum(len(same) for _name, same, _runs in page.wordings)
    if not n_same:
        return _("No source occurs twice with different references.")
    return ngettext(
        "%(n)s source occurs more than once and has different references.",
        "%(n)s sources occur more than once and have different references.",
        n_same,
    ) % {"n": f"{n_same:,}"}


def same_sources(page: ReferencePage) -> Table:
    listed = [(name, each) for name, same, _runs in page.wordings for each in same]
    return _wordings(page, listed[:MOST_WORDINGS], "same-source", _("Equal sources"))


def same_runs(page: ReferencePage) -> Table:
    listed = [(name, each) for name, _same, runs in page.wordings for each in runs]
    listed.sort(key=lambda each: each[1].shared)
    return _wordings(page, listed[:MOST_WORDINGS], "same-run", _("Shared runs of words"))


def _wordings(
    page: ReferencePage, listed: list[tuple[str, Wording]], slug: str, title: str
) -> Table:
    columns = (
        Column("source", _("Source"), "text"),
        Column("name", _("Reference"), "text"),
        Column("first", _("Segment"), "text"),
        Column("first_text", _("Rendered as"), "text"),
        Column("second", _("Segment"), "text"),
        Column("second_text", _("and as"), "text"),
        Column("shared", _("Words shared"), "count", _("Their longest common run")),
    )
    rows = []
    links = {}
    system = page.texts.systems.index(page.asked.system) if page.asked.system else None
    for row, (name, each) in enumerate(listed):
        (one, text), (other, rendered) = each.texts[:2]
        keys = page.texts.keys[one], page.texts.keys[other]
        rows.append((each.source, name, keys[0], text, keys[1], rendered, each.shared))
        if system is not None:
            links[row, "first"] = diagnostic(page, one, system)
            links[row, "second"] = diagnostic(page, other, system)
    return Table(slug, title, columns, rows, "", links)
