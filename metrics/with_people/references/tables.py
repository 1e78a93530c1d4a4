"""Systems and references as pages show them: sentences and tables."""

from __future__ import annotations

from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.results.segments.links import to_segment
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure

from .standings import HardSegment, Standings, against_people, unkind_references

if TYPE_CHECKING:
    from .findings import ReferencePage

MOST_SEGMENTS = 25


def choice_name(page: ReferencePage, choice: tuple[int, ...]) -> str:
    """`refA`, or `all` of them."""
    names = page.texts.names
    return names[choice[0]] if len(choice) == 1 else _("all together")


def standings_lead(page: ReferencePage) -> str:
    """Return who is first under each reference, and what the references disagree about."""
    found = page.standings
    label = page.asked.scorer().label
    if np.isnan(found.scores).all():
        return _("No system has an output where there is a reference.")
    firsts: dict[str, list[str]] = {}
    for choice, row in zip(found.under, found.scores, strict=True):
        if not np.isnan(row).all():
            best = page.texts.systems[int(np.nanargmax(row))].name
            firsts.setdefault(best, []).append(choice_name(page, choice))
    if len(found.under) == 1:
        return _("By %(metric)s %(system)s is first; there is one reference.") % {
            "metric": label,
            "system": next(iter(firsts)),
        }
    n_turned, n = turned_pairs(found)
    turned = ngettext(
        "%(n)s of %(pairs)s is in a different order under another reference.",
        "%(n)s of %(pairs)s are in a different order under another reference.",
        n_turned,
    ) % {"n": f"{n_turned:,}", "pairs": counted.pairs_of_systems(n)}
    if len(firsts) == 1:
        known = {"metric": label, "system": next(iter(firsts))}
        return _("By %(metric)s %(system)s is first under every reference.") % known + f" {turned}"
    said = [
        _("%(system)s under %(references)s")
        % {"system": system, "references": counted.names(names)}
        for system, names in firsts.items()
    ]
    first = _("By %(metric)s the first is %(which)s.") % {
        "metric": label,
        "which": counted.names(said),
    }
    return f"{first} {turned}"


def turned_pairs(found: Standings) -> tuple[int, int]:
    """Return how many pairs of systems have another order under another reference alone; of how
    many."""
    alone = found.scores[: len(found.segments)]
    n = n_turned = 0
    for a, b in combinations(range(alone.shape[1]), 2):
        signs = np.sign(alone[:, a] - alone[:, b])
        signs = signs[~np.isnan(signs)]
        n += 1
        n_turned += bool((signs > 0).any() and (signs < 0).any())
    return n_turned, n


def standings(page: ReferencePage) -> Table:
    """Return a row for each system, the best under all references first."""
    found = page.standings
    columns: list[Column] = [Column("system")]
    for u, choice in enumerate(found.under):
        name = choice_name(page, choice)
        columns.append(Column(f"score_{u}", name, "number", _("Score against it")))
        hint = _("Rank under %(name)s") % {"name": name}
        columns.append(Column(f"rank_{u}", _("Rank"), "count", hint))
    if len(found.under) > 1:
        columns.append(
            Column("change", _("Ranks apart"), "count", _("Its worst rank minus its best one"))
        )
    order = np.argsort(np.nan_to_num(found.ranks[-1], nan=np.inf), kind="stable").tolist()
    rows = []
    for s in order:
        row: list[object] = [page.texts.systems[s].name]
        for scores, ranks in zip(found.scores, found.ranks, strict=True):
            row += [float(scores[s]), None if isnan(ranks[s]) else int(ranks[s])]
        if len(found.under) > 1:
            ranks = found.ranks[:, s]
            row.append(None if np.isnan(ranks).any() else int(ranks.max() - ranks.min()))
        rows.append(row)
    segments = reverse("metric-segments", args=[page.texts.test_set.pk])
    links = {
        (place, "system"): f"{segments}?system={page.texts.systems[s].pk}"
        for place, s in enumerate(order)
    }
    note = page.asked.scorer().signature("var" if len(found.under) > 1 else 1)
    taus = [
        _("%(name)s: τ = %(tau)s")
        % {"name": choice_name(page, choice), "tau": figure(float(tau), 3)}
        for choice, tau in zip(found.under[:-1], found.tau, strict=False)
    ]
    if taus:
        note += ". " + _("Kendall's τ-b with the order under all: %(taus)s.") % {
            "taus": "; ".join(taus)
        }
    return Table("reference-standings", _("Scores and ranks"), tuple(columns), rows, note, links)


def held_out_lead(page: ReferencePage) -> str:
    """Return whether human translators beat systems by the metric."""
    found = [each for each in page.held_out if each.n_systems]
    if not found:
        return _("No segment has two references and the outputs of a system.")
    label = page.asked.scorer().label
    names = page.texts.names
    said = [
        _("%(name)s takes rank %(rank)s beside %(systems)s")
        % {
            "name": names[each.reference],
            "rank": each.n_above + 1,
            "systems": counted.systems(each.n_systems),
        }
        for each in found
    ]
    return _("By %(metric)s, each against the other references: %(said)s.") % {
        "metric": label,
        "said": counted.names(said),
    }


def held_out(page: ReferencePage) -> Table:
    names, systems = page.texts.names, page.texts.systems
    columns = (
        Column("reference", _("Reference"), "text"),
        Column("against", _("Against"), "text"),
        Column("score", _("Score"), "number"),
        Column("rank", _("Rank among systems"), "count"),
        Column("n_systems", _("Systems"), "count"),
        Column("best", _("Best system"), "text"),
        Column("best_score", _("Its score"), "number"),
        Column("n_segments", _("Segments"), "count"),
    )
    rows = [
        (
            names[each.reference],
            ", ".join(names[other] for other in each.others),
            each.score,
            each.n_above + 1 if each.n_systems else None,
            each.n_systems,
            systems[each.best].name if each.best >= 0 else None,
            each.best_score,
            each.n,
        )
        for each in page.held_out
    ]
    note = _(
        "A human translation is not bad because a metric says so: people word things more freely "
        "than systems that learned from the same texts. Systems are scored against the same "
        "references, on the same segments."
    )
    return Table("reference-held-out", _("References as systems"), columns, rows, note)


def unkind_lead(page: ReferencePage) -> str:
    hard = unkind_references(page.standings, MOST_SEGMENTS)
    if page.people is not None:
        found = against_people(page.standings, page.people, MOST_SEGMENTS)
        if not found:
            return _("On no segment do people score high where the metric scores low.")
        return _(
            "Most on segment %(segment)s, where people score high and %(metric)s scores low "
            "against every reference."
        ) % {"segment": page.texts.keys[found[0].place], "metric": page.asked.scorer().label}
    if not hard:
        return _("No segment scores lower against one reference than against another.")
    return _(
        "Most on segment %(segment)s: against %(reference)s the systems have %(mean)s on average, "
        "against another reference %(other)s."
    ) % {
        "segment": page.texts.keys[hard[0].place],
        "reference": page.texts.names[hard[0].reference],
        "mean": figure(hard[0].mean, 1),
        "other": figure(hard[0].other, 1),
    }


def unkind_notes(page: ReferencePage) -> list[str]:
    return [
        _(
            "A segment is listed here because all systems fare badly on it by the metric, not "
            "because its reference is wrong: look at the texts."
        )
    ]


def unkind_table(page: ReferencePage) -> Table:
    hard = unkind_references(page.standings, MOST_SEGMENTS)
    columns = (
        Column("segment"),
        Column("reference", _("Reference"), "text"),
        Column("mean", _("Mean against it"), "number"),
        Column("other", _("Mean against the kindest"), "number"),
        Column("gap", _("Difference"), "number"),
        Column("text", _("Its text"), "text"),
    )
    rows = [
        (
            page.texts.keys[each.place],
            page.texts.names[each.reference],
            each.mean,
            each.other,
            each.gap,
            page.texts.sources.references[each.reference][each.place],
        )
        for each in hard
    ]
    title = _("Low against one reference, high against another")
    return Table("unkind-references", title, columns, rows, "", segment_links(page, hard))


def against_people_table(page: ReferencePage) -> Table:
    title = _("High for people, low for the metric")
    columns = (
        Column("segment"),
        Column("people", _("People, mean of systems"), "number"),
        Column("metric", page.asked.scorer().label, "number", _("Mean of systems")),
        Column("gap", _("z of people − z of the metric"), "number"),
        Column("reference", _("Kindest reference"), "text"),
        Column("text", _("Its text"), "text"),
    )
    if page.people is None:
        return Table("against-people", title, columns, [])
    hard = against_people(page.standings, page.people, MOST_SEGMENTS)
    rows = [
        (
            page.texts.keys[each.place],
            each.other,
            each.mean,
            each.gap,
            page.texts.names[each.reference],
            page.texts.sources.references[each.reference][each.place],
        )
        for each in hard
    ]
    return Table("against-people", title, columns, rows, "", segment_links(page, hard))


def segment_links(page: ReferencePage, hard: list[HardSegment]) -> dict[tuple[int, str], str]:
    """From each row to what people said of the segment, or to the words of its best output."""
    found = {}
    for row, each in enumerate(hard):
        segment = page.texts.sources.segment_ids[each.place]
        selection = page.asked.selection
        if selection is not None:
            found[row, "segment"] = to_segment(selection, segment)
        else:
            found[row, "segment"] = diagnostic(page, each.place, each.system)
    return found


def diagnostic(page: ReferencePage, place: int, system: int) -> str:
    """Return the page of the words of an output, by the places of segment and system."""
    texts = page.texts
    known = [texts.test_set.pk, texts.sources.segment_ids[place], texts.systems[system].pk]
    return reverse("metric-diagnostic", args=known)
