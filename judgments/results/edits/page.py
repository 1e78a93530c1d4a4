"""What became of the outputs that people corrected, in words, tables and charts."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Campaign, PostEdit, Rating
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.results.edits.figures import Editing, EditsReport, edit_rows, edits_report
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import EDIT_COUNTS
from judgments.web.sections import (
    FILE,
    EmptyState,
    Lazy,
    ResultsPage,
    Section,
    plain,
    table_objects,
)
from judgments.web.tables import Column, Table

from .hand_over import may_count, set_name
from .speeds import speed_table, speed_words

EDIT_COLUMNS = (
    "edit",
    "annotator",
    "segment",
    "system",
    "output",
    "outcome",
    "text",
    "keystrokes",
    "seconds",
    "kind",
    "copied",
)
JUDGED_COLUMNS = ("annotator", "segment", "system", "editor", "outcome", "text", "acceptable")
MEANING = gettext_lazy(
    "A text is untouched if its annotator said that it needs no correction. Keystrokes and time "
    "count only work in the text, over all visits to it."
)
TRUST = gettext_lazy(
    "Editors differ in skill and in how much they change, so a system looks worse or better "
    "depending on who edited it: see the table of annotators, and prefer the mixed model under "
    "Scores. Phones and dictation need fewer keystrokes."
)


def has_edits(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("edits")


def lead(report: EditsReport) -> str:
    """Return the finding in one sentence."""
    if not report.systems:
        return ""
    first, last = report.systems[0], report.systems[-1]
    known = {
        "share": share(first),
        "first": first.name,
        "other": share(last),
        "last": last.name,
        "texts": counted.texts(report.n_edits),
        "people": counted.annotators(len(report.annotators)),
        "copies": f"{report.n_copies:,}",
    }
    if last is first:
        found = _(
            "%(share)s of the outputs of %(first)s needed no correction: %(texts)s by %(people)s"
        )
    else:
        found = _(
            "%(share)s of the outputs of %(first)s needed no correction, and %(other)s of those of "
            "%(last)s: %(texts)s by %(people)s"
        )
    copies = _("; %(copies)s more are identical and count with them") if report.n_copies else ""
    return f"{(found + copies) % known}."


def share(editing: Editing) -> str:
    return f"{100 * editing.untouched.estimate:.0f} %"


def counts_table(slug: str, title: str, first: str, rows: tuple[Editing, ...]) -> Table:
    return Table(
        slug,
        title,
        (Column(first), *EDIT_COUNTS),
        [
            (
                row.name,
                row.n,
                row.n_edited,
                row.n_untouched,
                row.n_unable,
                row.untouched.estimate,
                row.untouched.low,
                row.untouched.high,
                row.median_keystrokes,
                row.median_seconds,
            )
            for row in rows
        ],
    )


def system_table(report: EditsReport) -> Table:
    return counts_table("edits-systems", _("Edits by system"), "system", report.systems)


def annotator_table(report: EditsReport) -> Table:
    return counts_table("edits-annotators", _("Edits by annotator"), "annotator", report.annotators)


def chart(report: EditsReport) -> Chart | None:
    """Return the share of untouched outputs of each system."""
    if not report.systems:
        return None
    title = _("Share of outputs that needed no correction")
    ends = [
        np.array([getattr(row.untouched, end) for row in report.systems])
        for end in ("estimate", "low", "high")
    ]
    spec = charts.intervals(
        [row.name for row in report.systems],
        *ends,
        axis=_("share that needed no correction"),
        domain=(0, 1),
        description=title,
    )
    n = counted.outputs(sum(row.n for row in report.systems))
    caption = _("With Wilson's 95 %% intervals; n = %(n)s.") % {"n": n}
    table = system_table(report)
    return Chart("edits-untouched", title, caption, spec, table.columns, table.rows)


def edits_table(selection: Selection) -> Table:
    """Return every current edit."""
    rows = [
        (
            row.edit,
            selection.alias(row.annotator),
            row.segment,
            row.system,
            row.before,
            row.outcome,
            row.text,
            row.keystrokes,
            None if row.active_ms is None else row.active_ms / 1000,
            row.kind,
            _("yes") if row.is_copy else "",
        )
        for row in edit_rows(selection)
    ]
    return Table("edits", _("All edits"), EDIT_COLUMNS, rows)


def judged_table(selection: Selection) -> Table:
    """Return every current answer of an acceptability campaign, with the edit that it is about."""
    ratings = selection.rows_of(Rating.objects.filter(dimension="acceptable").order_by("pk"))
    answers = list(
        ratings.values_list(
            "judgment__annotator_id",
            "judgment__item__part",
            "output__segment__key",
            "output__system__name",
            "output__text",
            "value",
        )
    )
    known = PostEdit.objects.filter(pk__in={int(row[1]) for row in answers if row[1].isdecimal()})
    edits = known.select_related("judgment").in_bulk()
    editors = {
        member.user_id: member.alias
        for member in selection.campaign.memberships.model.objects.filter(
            campaign__in={edit.judgment.campaign_id for edit in edits.values()}
        )
    }
    rows = []
    for annotator, part, segment, system, before, value in answers:
        edit = edits.get(int(part)) if part.isdecimal() else None
        rows.append(
            (
                selection.alias(annotator),
                segment,
                system,
                editors.get(edit.judgment.annotator_id, "") if edit else "",
                edit.outcome if edit else "",
                edit.text if edit and edit.outcome == "edited" else before,
                int(value),
            )
        )
    return Table("edits-judged", _("Edits that were judged"), JUDGED_COLUMNS, rows)


def sections(selection: Selection) -> list[Section]:
    if not has_edits(selection.campaign):
        title = _("Edits that were judged")
        make = partial(judged_table, selection)
        return [Section("judged", title, tables=[Lazy("edits-judged", title, make, FILE)])]
    report = cache(lambda: edits_report(selection))
    untouched = _("Share of outputs that needed no correction")
    return [
        Section(
            slug="edits",
            title=_("What became of the outputs"),
            sentence=lambda: lead(report()),
            notes=lambda: [speed_words(selection), str(TRUST)],
            charts=[Lazy("edits-untouched", untouched, lambda: chart(report()))],
            tables=[
                Lazy("edits-systems", _("Edits by system"), lambda: system_table(report())),
                Lazy(
                    "edits-annotators", _("Edits by annotator"), lambda: annotator_table(report())
                ),
                Lazy("edits-speed", _("Speed by system"), lambda: speed_table(selection)),
                Lazy("edits", _("All edits"), lambda: edits_table(selection), FILE),
            ],
            remark=lambda: str(MEANING),
        )
    ]


def data(selection: Selection) -> dict[str, Any]:
    if not has_edits(selection.campaign):
        return {"judged": table_objects(judged_table(selection))}
    return {
        "report": plain(edits_report(selection)),
        "edits": table_objects(edits_table(selection)),
    }


def is_asked(campaign: Campaign) -> bool:
    """Return whether people edit texts, or judge edits."""
    return has_edits(campaign) or protocol_of(campaign).unit == "edit"


def empty(selection: Selection) -> EmptyState | None:
    return None if edits_report(selection).systems else NOTHING


def context(request: HttpRequest, selection: Selection) -> dict[str, Any]:
    """Return what has become of the edits for HTER, and whether the reader may hand them over."""
    campaign = selection.campaign
    name, known = set_name(campaign), campaign.test_set.targeted_names
    return {
        "is_for_hter": may_count(campaign),
        "may_hand_over": access.may_manage(request.user, campaign)
        and access.may_manage_test_set(request.user, campaign.test_set),
        "set_name": name,
        "handed_over": [each for each in known if each.startswith(name)],
    }


NOTHING = EmptyState(
    gettext_lazy("No edits yet"),
    gettext_lazy("Changes to the outputs will appear here with the first edit."),
    "campaign",
    gettext_lazy("See the progress"),
)
PAGE = ResultsPage(
    "edits",
    gettext_lazy("Edits"),
    sections,
    data,
    asked=is_asked,
    empty=empty,
    template="judgments/results/edits.html",
    context=context,
)
