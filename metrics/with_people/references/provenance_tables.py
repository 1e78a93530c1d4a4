"""Where the references come from, as pages show it: what is stated, and what the texts tell."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from judgments.models import CloningStep, ReferenceFacts, ReferenceKind
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure

from .. import donor_effect
from ..donor_effect import DonorEffect, donor_words
from .provenance import SUSPICIOUS, Provenance

if TYPE_CHECKING:
    from .findings import ReferencePage


def provenance_lead(page: ReferencePage) -> str:
    """Return what is stated of each reference, then what the texts tell."""
    stated = [
        _("%(name)s %(origin)s") % {"name": name, "origin": origin}
        for name, each in zip(page.texts.names, page.origins, strict=True)
        if (origin := origin_words(each.facts, each.donors))
    ]
    told = texts_lead(page)
    if not stated:
        return told
    return _("Stated: %(stated)s. By their texts: %(told)s") % {
        "stated": "; ".join(stated),
        "told": told,
    }


def origin_words(facts: ReferenceFacts | None, donors: tuple[tuple[str, int], ...]) -> str:
    """Return what is stated of a reference; empty where nothing is."""
    said = []
    if facts is not None:
        said.append(kind_words(facts))
    if donors:
        said.append(_("donors: %(donors)s") % {"donors": donor_counts(donors)})
    return ", ".join(said)


def kind_words(facts: ReferenceFacts) -> str:
    """`a corrected copy of refA (errors corrected)`."""
    words = str(ReferenceKind(facts.kind).label)
    if facts.original:
        words = _("a corrected copy of %(name)s") % {"name": facts.original}
    return f"{words} ({CloningStep(facts.step).label})" if facts.step else words


def donor_counts(donors: tuple[tuple[str, int], ...]) -> str:
    """`System-A 12, System-B 3`, in segments."""
    return ", ".join(f"{system} {n:,}" for system, n in donors)


def contradictions(page: ReferencePage) -> list[str]:
    """Where what is stated of a reference does not go with its texts."""
    found = []
    for name, origin, told in zip(page.texts.names, page.origins, page.provenance, strict=True):
        facts = origin.facts
        if facts is not None and told.is_suspicious and not origin.donors:
            known = {"name": name, "origin": kind_words(facts), "told": closeness(page, told)}
            found.append(
                _("%(name)s is stated to be %(origin)s, without a donor, but %(told)s.") % known
            )
        elif origin.donors and told.is_suspicious:
            nearest = told.edited[0][0] if told.edited else page.texts.systems[told.nearest].name
            if nearest not in dict(origin.donors):
                known = {"name": name, "told": closeness(page, told)}
                known["donors"] = counted.names([system for system, _n in origin.donors])
                found.append(
                    _("%(donors)s is stated to be the donor of %(name)s, but %(told)s.") % known
                )
        if origin.n_other:
            known = {"name": name, "segments": counted.segments(origin.n_other)}
            found.append(
                _(
                    "In %(segments)s %(name)s is the very text of one system, and another one is "
                    "stated to be its donor."
                )
                % known
            )
        if origin.n_altered:
            known = {"name": name, "segments": counted.segments(origin.n_altered)}
            found.append(
                _(
                    "%(name)s is stated to be chosen among outputs, but in %(segments)s it does "
                    "not read as its donor's output: was it edited?"
                )
                % known
            )
    return found


def closeness(page: ReferencePage, told: Provenance) -> str:
    """Return which system the texts of a reference lead to."""
    if told.edited:
        system, n = told.edited[0]
        segments = counted.segments(n)
        known = {"segments": segments, "system": system}
        return _("it has the post-edit of %(system)s in %(segments)s") % known
    known = {
        "points": figure(told.waft - told.second, 1),
        "system": page.texts.systems[told.nearest].name,
    }
    return _("it is %(points)s points of WAFT nearer to %(system)s than to any other") % known


def texts_lead(page: ReferencePage) -> str:
    suspicious = [each for each in page.provenance if each.is_suspicious]
    names = page.texts.names
    if not suspicious:
        return _("No reference is conspicuously close to one system.")
    said = []
    for each in suspicious:
        name = names[each.reference]
        if each.edited:
            system, n = each.edited[0]
            segments = counted.segments(n)
            known = {"name": name, "segments": segments, "system": system}
            said.append(_("%(name)s has the post-edit of %(system)s in %(segments)s") % known)
        else:
            system = page.texts.systems[each.nearest].name
            points = figure(each.waft - each.second, 1)
            known = {"name": name, "points": points, "system": system}
            said.append(
                _("%(name)s is %(points)s points of WAFT nearer to %(system)s than to any other")
                % known
            )
    return _("%(said)s.") % {"said": counted.names(said)}


def provenance_notes(page: ReferencePage) -> list[str]:
    found = contradictions(page)
    if not any(each.facts or each.donors for each in page.origins):
        found.append(
            _(
                "Nobody has stated where the references come from. The owner of the test set can, "
                "on its page, below “Systems and references”."
            )
        )
    if any(each.is_suspicious for each in page.provenance):
        found.append(
            _(
                "A reference that was made by editing the output of a system favors that system, "
                "and others that resemble it: scores against it are like HTER for the one and like "
                "BLEU or TER for the rest. Do not rank systems by it."
            )
        )
    for a, b in twins(page):
        found.append(
            _(
                "%(one)s and %(other)s are nearer to each other (WAFT %(waft)s) than either is to "
                "any system: one may be made from the other, and then they count as one."
            )
            % {
                "one": page.texts.names[a],
                "other": page.texts.names[b],
                "waft": figure(float(page.alike[a, b]), 1),
            }
        )
    if page.post_edits:
        found.append(
            _(
                "Post-edits are kept apart from references: HTER counts each against the output "
                "that it was made from, and no other metric reads them."
            )
        )
    return found


def twins(page: ReferencePage) -> list[tuple[int, int]]:
    """Return pairs of references that are as much nearer to each other as one that the page warns
    of is to a system; those that are stated to be corrected copies of one another are known to be
    so."""
    nearest = {each.reference: each.waft for each in page.provenance}
    families = [set(each.line) for each in page.corrected]
    return [
        (a, b)
        for a, b in combinations(range(len(page.texts.names)), 2)
        if not any({a, b} <= family for family in families)
        and page.alike[a, b] - max(nearest[a], nearest[b]) >= SUSPICIOUS
    ]


def provenance_table(page: ReferencePage) -> Table:
    names, systems = page.texts.names, page.texts.systems
    columns = (
        Column("reference", _("Reference"), "text"),
        Column("n_segments", _("Segments"), "count"),
        Column("stated", _("Stated"), "text"),
        Column("donors", _("Donors stated, in segments"), "text"),
        Column("nearest", _("Nearest system"), "text"),
        Column("waft", _("Its WAFT"), "number", _("100: the same words")),
        Column("second", _("WAFT of the next"), "number"),
        Column("n_same", _("Same text as its output"), "count"),
        Column("edited", _("Same text as post-edits of"), "text"),
    )
    rows = [
        (
            names[each.reference],
            each.n,
            kind_words(origin.facts) if origin.facts else None,
            donor_counts(origin.donors) or None,
            systems[each.nearest].name if each.nearest >= 0 else None,
            each.waft,
            each.second,
            each.n_same,
            ", ".join(f"{system} ({n:,})" for system, n in each.edited) or None,
        )
        for each, origin in zip(page.provenance, page.origins, strict=True)
    ]
    return Table("provenance", _("References"), columns, rows)


def post_edit_table(page: ReferencePage) -> Table:
    columns = (
        Column("name", _("Set"), "text"),
        Column("system"),
        Column("n_outputs", _("Post-edited outputs"), "count"),
        Column("campaign", _("Campaign"), "text", _("The number of the campaign it comes from")),
    )
    rows = [
        (each.name, each.system, each.n, str(each.campaign) if each.campaign else None)
        for each in page.post_edits
    ]
    return Table("post-edits", _("Post-edits"), columns, rows)


# ---- What donors do to scores --------------------------------------------------------------------


def donors_lead(page: ReferencePage) -> str:
    """Return the donor that falls farthest without the segments that were made from its outputs."""
    label = page.asked.scorer().label
    if not page.donor_standings:
        return _("No donor is among the systems that are compared here.")
    falls = [each for each in page.donor_standings if each.place and each.place_without]
    if not falls:
        donors = {page.texts.systems[each.system].name for each in page.donor_standings}
        return _(
            "Every segment with a reference was made from %(systems)s: without these there is no "
            "score of the donor."
        ) % {"systems": counted.names(sorted(donors))}
    most = max(falls, key=lambda each: abs(each.place_without - each.place))
    known = {
        "metric": label,
        "system": page.texts.systems[most.system].name,
        "reference": page.texts.names[most.reference],
        "segments": counted.segments(most.n),
        "place": most.place,
        "without": most.place_without,
        "n": most.n_systems,
    }
    if most.place == most.place_without:
        return (
            _(
                "By %(metric)s no donor changes its place; %(system)s, which made %(segments)s of "
                "%(reference)s, is number %(place)s of %(n)s with these and without."
            )
            % known
        )
    return (
        _(
            "By %(metric)s %(system)s is number %(place)s of %(n)s under %(reference)s, and number "
            "%(without)s without the %(segments)s that were made from its outputs."
        )
        % known
    )


def donor_table(page: ReferencePage) -> Table:
    """Return a row for each donor of each reference."""
    label = page.asked.scorer().label
    columns = (
        Column("reference", _("Reference"), "text"),
        Column("system"),
        Column("n_made", _("Segments made from it"), "count"),
        Column("score", label, "number", _("Over all segments")),
        Column("score_without", _("without them"), "number"),
        Column("place", _("Place"), "count", _("1 for the best")),
        Column("place_without", _("without them"), "count"),
        Column("n_systems", _("Systems"), "count"),
    )
    rows = [
        (
            page.texts.names[each.reference],
            page.texts.systems[each.system].name,
            each.n,
            each.score,
            each.score_without,
            each.place or None,
            each.place_without or None,
            each.n_systems,
        )
        for each in page.donor_standings
    ]
    title = _("Donors, with and without the segments that were made from their outputs")
    return Table("donor-standings", title, columns, rows)


def effect_words(page: ReferencePage) -> list[str]:
    """Return what the donors change of metrics against the people of a campaign."""
    effect = page.donor_effect
    return [] if effect is None else donor_words(effect, "out")


def effect_table(page: ReferencePage) -> Table:
    """Return the same by metric, as the page Metrics of the campaign has it; empty without a
    campaign."""
    return donor_effect.donor_table(page.donor_effect or DonorEffect((), (), ()))
