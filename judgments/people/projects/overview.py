"""Progress, time and cost of many campaigns, for lists. The same figures as on each campaign's
Watch and pay pages, in six statements for any number of campaigns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, Sum

from judgments.models import Campaign, Item, ItemOutput, RemovedItem, Task, is_finished
from judgments.people.staffing.pay import MS_PER_HOUR, gross
from judgments.people.staffing.settings import staffing_of
from judgments.people.states import HELD, LEFT_OUT, REPLACED, names_of


@dataclass
class CampaignWork:
    """Numbers of items: n_planned, n_judged, and as in `judgments.people.workload.valid` n_wanted,
    n_counting and n_missing. Numbers of people: n_annotators have judged something; n_held; n_out
    are left out or replaced. hours: of active time; pay: by currency, of everybody, as on each
    campaign's page."""

    n_planned: int = 0
    n_judged: int = 0
    n_wanted: int = 0
    n_counting: int = 0
    n_missing: int = 0
    n_annotators: int = 0
    n_held: int = 0
    n_out: int = 0
    hours: Decimal = Decimal(0)
    pay: Any = field(default_factory=Counter)

    def add(self, other: CampaignWork) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def share(self) -> float:
        """Share of wanted judgments that count; NaN if none are wanted."""
        return self.n_counting / self.n_wanted if self.n_wanted else float("nan")


def overviews(
    campaigns: Sequence[Campaign], states: dict[int, dict[int, str]] | None = None
) -> list[CampaignWork]:
    """Return one overview per campaign, in their order. states: `names_of` the campaigns, if they
    are known already."""
    names, gone = states or names_of(campaigns), items_gone(campaigns)
    rates = {campaign.pk: staffing_of(campaign).pay for campaign in campaigns}
    found = {campaign.pk: CampaignWork() for campaign in campaigns}
    for row in person_rows(campaigns):
        pk, user = row["campaign"], row["annotator"]
        name, of = names[pk].get(user, ""), found[pk]
        n_gone, n_left_gone = gone[pk, user, True], gone[pk, user, False]
        of.n_planned += row["planned"]
        of.n_judged += row["of_plan"]
        of.n_wanted += row["planned"] - n_left_gone - n_gone
        if name == REPLACED:  # was planned again, with items that are left out since
            of.n_wanted -= row["of_plan"] - n_gone
        elif name == LEFT_OUT:
            of.n_missing += row["of_plan"] - n_gone
        else:
            of.n_counting += row["of_plan"] - n_gone
        of.n_held += name == HELD
        of.n_out += name in (LEFT_OUT, REPLACED)
        if row["judged"]:
            of.n_annotators += 1
            of.hours += Decimal(row["active_ms"]) / MS_PER_HOUR
            if rate := rates[pk]:
                of.pay[rate.currency] += gross(row, rate)
    return [found[campaign.pk] for campaign in campaigns]


def person_rows(campaigns: Iterable[Campaign]) -> Iterable[Any]:
    """Return sums over the tasks of each annotator in each campaign; without an annotator, over
    unclaimed tasks. Planned and judged items exclude adjudications, which are paid as all work."""
    tasks = Task.objects.filter(campaign__in=campaigns).order_by()
    is_planned = Q(is_adjudication=False)
    return tasks.values("campaign", "annotator").annotate(
        planned=Sum("n_items", filter=is_planned, default=0),
        of_plan=Sum("n_judged", filter=is_planned, default=0),
        judged=Sum("n_judged"),
        active_ms=Sum("active_ms"),
        batches=Count("pk", filter=is_finished()),
    )


def items_gone(campaigns: Iterable[Campaign]) -> dict[tuple[int, int | None, bool], int]:
    """Return the number of items that show only outputs left out of the results, by campaign,
    annotator and whether they are judged. One statement if nothing is left out, otherwise two."""
    of = RemovedItem.objects.filter(campaign__in=campaigns)
    out = RemovedItem.objects.filter(pk__in=of.latest_of_each().values("pk"), removed=True)
    found: dict[tuple[int, int | None, bool], int] = defaultdict(int)
    pks = set(out.order_by().values_list("campaign", flat=True))
    if not pks:
        return found
    whole = out.filter(
        campaign=OuterRef("task__campaign"), segment=OuterRef("segment"), system=None
    )
    one = out.filter(
        campaign=OuterRef("item__task__campaign"),
        segment=OuterRef("output__segment"),
        system=OuterRef("output__system"),
    )
    shown = ItemOutput.objects.filter(item=OuterRef("pk"))
    nothing_else = Exists(shown) & ~Exists(shown.filter(~Exists(one)))
    items = Item.objects.filter(
        Q(Exists(whole)) | Q(nothing_else), task__campaign__in=pks, task__is_adjudication=False
    )
    each = ("task__campaign", "task__annotator", "is_judged")
    for *key, n in items.order_by().values_list(*each).annotate(n=Count("pk")):
        found[tuple(key)] = n  # type: ignore[index]
    return found
