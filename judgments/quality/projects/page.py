"""Watch of a project: progress of its campaigns and language pairs, in words and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.urls import reverse

from judgments.models import Campaign
from judgments.people.projects.overview import CampaignWork, overviews
from judgments.people.states import LEFT_OUT, REPLACED, names_of
from judgments.quality.rules.verdicts import FAIL, OPEN, PASS
from judgments.quality.watch import figures as latest
from judgments.results.projects.pages import ProjectPage, no_sections
from judgments.web.tables import Column, Table

OUT = (LEFT_OUT, REPLACED)
PAGE = ProjectPage("watch", "Watch", no_sections, address="project-watch", is_reported=False)

JUDGED = (
    Column("judged", "Done", "count", "Items judged, whether they count or not."),
    Column("planned", "Planned", "count"),
    Column("valid", "Valid", "count", "Items judged by people who count, of texts not left out."),
    Column("wanted", "Wanted", "count", "Planned, without what was planned again or left out."),
    Column("share", "Share", "number", "Valid, of those that are wanted."),
    Column("pass", "Pass", "count", "By the campaign's rule, of people who count."),
    Column("fail", "Fail", "count"),
    Column("open", "Open", "count", "Too little is judged for a verdict."),
    Column("hours", "Hours", "number", "Of active time."),
)
PEOPLE = (
    Column("annotators", "People", "count", "Who have judged something."),
    Column("held", "Held", "count"),
    Column("out", "Left out", "count"),
    Column("missing", "Missing", "count", "Judged by people who are left out, not planned again."),
)


@dataclass
class WatchedCampaign:
    """``verdicts``: how many pass, fail or are open of those who count; None before a worker has
    computed them, or without a rule. ``at``: when they were computed."""

    campaign: Campaign
    overview: CampaignWork
    verdicts: Counter[str] | None = None
    at: datetime | None = None


@dataclass
class WatchedProject:
    """``of``: its campaigns, in the order of their creation."""

    of: list[WatchedCampaign]
    whole: CampaignWork = field(default_factory=CampaignWork)

    @property
    def currencies(self) -> list[str]:
        return sorted(self.whole.pay)

    @property
    def verdicts_at(self) -> datetime | None:
        """When the oldest of the verdicts were computed."""
        return min((each.at for each in self.of if each.at), default=None)


def watched(campaigns: Sequence[Campaign]) -> WatchedProject:
    """Return the progress of campaigns, with the last available verdicts."""
    found = WatchedProject([])
    verdicts, states = latest.last_of(campaigns, "annotators"), names_of(campaigns)
    work = overviews(campaigns, states)
    for campaign, overview, last in zip(campaigns, work, verdicts, strict=True):
        each = WatchedCampaign(campaign, overview)
        if last and last.value.verdicts:
            out = {user for user, name in states[campaign.pk].items() if name in OUT}
            by_user = last.value.verdicts.items()
            each.verdicts = Counter(verdict for user, verdict in by_user if user not in out)
            each.at = last.at
        found.of.append(each)
        found.whole.add(overview)
    return found


def sentence(found: WatchedProject) -> str:
    whole = found.whole
    if not whole.n_planned:
        return "Nothing is planned yet."
    words = f"{whole.n_counting:,} of {whole.n_wanted:,} wanted judgments exist and count"
    pay = "".join(f", {whole.pay[each]:,.2f} {each}" for each in found.currencies)
    return f"{words}; {whole.hours:,.1f} hours of active time{pay}."


def campaigns_table(found: WatchedProject, readable: set[int]) -> Table:
    """Return a table of campaigns. readable: numbers of those whose own Watch the reader may
    open."""
    columns = (Column("campaign", "Campaign"), Column("pair", "Pair"), Column("state", "State"))
    rows, links = [], {}
    for place, each in enumerate(found.of):
        campaign = each.campaign
        head = (campaign.name, campaign.test_set.pair, campaign.get_status_display())
        rows.append((*head, *_cells(found, each.overview, each.verdicts)))
        if campaign.pk in readable:
            links[place, "campaign"] = reverse("watch", args=[campaign.pk])
    return Table("campaigns", "Campaigns", (*columns, *_figures(found)), rows, links=links)


def pairs_table(found: WatchedProject) -> Table:
    sums: dict[str, tuple[CampaignWork, list[Counter[str]], list[int]]] = {}
    for each in found.of:
        overview, verdicts, n = sums.setdefault(
            each.campaign.test_set.pair, (CampaignWork(), [], [])
        )
        overview.add(each.overview)
        n.append(each.campaign.pk)
        if each.verdicts is not None:
            verdicts.append(each.verdicts)
    columns = (Column("pair", "Language pair"), Column("campaigns", "Campaigns", "count"))
    rows = []
    for pair, (overview, verdicts, n) in sorted(sums.items()):
        of_pair = sum(verdicts, Counter()) if verdicts else None
        rows.append((pair, len(n), *_cells(found, overview, of_pair)))
    note = "An annotator of two campaigns counts twice."
    title = "Language pairs"
    return Table("pairs", title, (*columns, *_figures(found)), rows, note=note)


TABLES = {"pairs": lambda found, readable: pairs_table(found), "campaigns": campaigns_table}


def _figures(found: WatchedProject) -> list[Column]:
    pay = [Column(f"pay_{each}", f"Pay ({each})", "number") for each in found.currencies]
    return [*JUDGED, *pay, *PEOPLE]


def _cells(found: WatchedProject, of: CampaignWork, verdicts: Counter[str] | None) -> list[object]:
    judged = (of.n_judged, of.n_planned, of.n_counting, of.n_wanted, of.share)
    states = [None if verdicts is None else verdicts[each] for each in (PASS, FAIL, OPEN)]
    pay = [float(of.pay[each]) if each in of.pay else None for each in found.currencies]
    return [
        *(*judged, *states, float(of.hours), *pay),
        *(of.n_annotators, of.n_held, of.n_out, of.n_missing),
    ]
