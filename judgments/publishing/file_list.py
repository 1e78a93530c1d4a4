"""The files of a campaign as the page of exports offers them: by what people want them for."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from judgments.exchange.releases import out
from judgments.judges.records import judge_of
from judgments.protocols import protocol_of
from judgments.publishing.report.writers import FORMATS
from judgments.results.selection.selection import Selection


@dataclass(frozen=True)
class OfferedFile:
    """``words``: what is in it. ``links``: (what the link says, address), one for each kind.
    ``takes_long``: whether it is asked for at its address, and made by a worker."""

    name: str
    words: str
    links: tuple[tuple[str, str], ...]
    takes_long: bool = False


def for_a_paper(selection: Selection) -> list[OfferedFile]:
    """Return what is read as it is."""
    campaign, query = selection.campaign.pk, selection.query
    kinds = [(kind, reverse("report-file", args=[campaign, kind])) for kind in FORMATS]
    return [
        OfferedFile(
            _("Report"),
            _("What was done and found, with methods, tables and tests, ready to print."),
            tuple((f"report.{kind}", address + query) for kind, address in kinds),
        ),
        OfferedFile(
            _("Pages to host"),
            _(
                "A folder of pages that any web server can host: every page of results with its "
                "charts and tables, and every judged segment with its texts and all that was said "
                "of it. It is made in the background."
            ),
            (("archive.zip", reverse("export-archive", args=[campaign]) + query),),
            takes_long=True,
        ),
    ]


def data(selection: Selection) -> list[OfferedFile]:
    """Return what is computed with."""
    campaign, query = selection.campaign, selection.query
    found = [
        OfferedFile(
            _("Judgments"),
            _("Every current judgment in long form, as an import reads it."),
            (
                (
                    "observations.tsv",
                    reverse("export-observations", args=[campaign.pk]) + query,
                ),
            ),
        )
    ]
    for file in protocol_of(campaign).files:
        addresses = [(kind, reverse(file.address, args=[campaign.pk, kind])) for kind in file.kinds]
        links = tuple((f"{file.name}.{kind}", address + query) for kind, address in addresses)
        words = file.words[:1].upper() + file.words[1:]
        found.append(OfferedFile(file.name.capitalize(), words, links))
    if judge := judge_of(campaign):
        address = reverse("campaign-judge-answers", args=[judge.campaign_id, judge.pk])
        words = _("What the language model answered, as it came.")
        found.append(OfferedFile(_("Answers"), words, (("answers.jsonl", address),)))
    whole = OfferedFile(
        _("All results"),
        _(
            "Design, judgments, agreement, scores, and their provenance (versions, seeds, a hash "
            "of the texts)."
        ),
        (("campaign.json", reverse("export-json", args=[campaign.pk]) + query),),
    )
    return [*found, whole]


def for_other_tools(
    selection: Selection, *, may_manage: bool
) -> tuple[list[OfferedFile], list[tuple[str, str]]]:
    """In the formats of the field, whatever is selected, and for owners what makes the same
    campaign again; the names of formats that have no place for it, each with the reason."""
    campaign = selection.campaign
    choices = out.choices(campaign)
    found = [
        OfferedFile(
            each.name,
            f"{each.holds[:1].upper()}{each.holds[1:]}.",
            (
                (
                    each.file or f"{each.slug}.zip",
                    reverse("export-format", args=[campaign.pk, each.slug]),
                ),
            ),
        )
        for each, reason in choices
        if not reason
    ]
    if may_manage:
        words = _(
            "What makes the same campaign again: texts by name, questions, instructions, plan, "
            "people; no judgments, and no links or passwords."
        )
        links = tuple(
            (f"file.{kind}", reverse("export-file", args=[campaign.pk, kind]))
            for kind in ("yaml", "json")
        )
        found.append(OfferedFile(_("This campaign's file"), words, links))
    return found, [(each.name, reason) for each, reason in choices if reason]


def checks(selection: Selection) -> list[OfferedFile]:
    """Return what shows that nothing was altered."""
    words = _(
        "Every judgment that was ever stored, chained by hashes, so that anybody can check that "
        "none was altered, removed or inserted."
    )
    address = reverse("export-chain", args=[selection.campaign.pk])
    return [OfferedFile(_("Chain of judgments"), words, (("judgments.jsonl", address),))]
