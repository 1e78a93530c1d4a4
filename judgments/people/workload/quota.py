"""Quotas: how many batches and items one person may take, and how many items of each domain."""

from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet

from judgments.models import Item, Membership, Task
from judgments.people.staffing.settings import staffing_of


def planned_of(membership: Membership):
    own = Task.objects.planned().filter(campaign=membership.campaign_id, n_items__gt=0)
    return own.filter(annotator=membership.user_id)


def batches_of(membership: Membership) -> set[int]:
    """Return the batches of which the annotator holds or has judged anything, without
    adjudications."""
    return set(planned_of(membership).order_by().values_list("batch", flat=True))


def within_quota(tasks: QuerySet[Task], membership: Membership) -> QuerySet[Task]:
    """Return those of a campaign's free tasks that exceed no quota together with everything that
    the annotator holds or has judged. A task counts as a whole."""
    staffing = staffing_of(membership.campaign)
    own = planned_of(membership)
    if staffing.batches is not None:
        batches = batches_of(membership)
        if len(batches) >= staffing.batches:  # the rest of one of these adds none
            tasks = tasks.filter(Q(batch__in=batches) | Q(is_adjudication=True))
    if staffing.items is not None:
        tasks = tasks.filter(n_items__lte=staffing.items - own.progress()["items"])
    if staffing.domain_items is not None:
        tasks = tasks.exclude(pk__in=too_many_of_a_domain(own, membership, staffing.domain_items))
    return tasks


def n_within_quota(tasks: Iterable[tuple[int, int, bool]], membership: Membership) -> int:
    """Return how many batches the annotator can take one after the other, of free tasks in the
    order in which they get them, before the quota of batches or that of items is reached. tasks:
    (batch, number of items, whether it is an adjudication)."""
    staffing = staffing_of(membership.campaign)
    batches, taken = batches_of(membership), set()
    n_items = planned_of(membership).progress()["items"]
    for batch, items, is_adjudication in tasks:
        if batch in taken:
            continue
        if not is_adjudication:
            if (
                staffing.batches is not None
                and batch not in batches
                and len(batches) >= staffing.batches
            ):
                continue
            if staffing.items is not None and n_items + items > staffing.items:
                continue
            batches.add(batch)
            n_items += items
        taken.add(batch)
    return len(taken)


def too_many_of_a_domain(own: QuerySet[Task], membership: Membership, most: int) -> QuerySet:
    """Return the unfinished tasks that would exceed the quota of a domain; texts without a domain
    have no quota."""
    domain = "segment__document__domain"
    items = Item.objects.exclude(**{domain: ""}).order_by()
    had = items.filter(task__in=own).values_list(domain).annotate(n=Count("pk"))
    exceeds = Q(n__gt=most)
    for name, n in had:
        exceeds |= Q(**{domain: name}, n__gt=max(0, most - n))
    waiting = items.filter(task__campaign=membership.campaign_id, task__is_unfinished=True)
    counted = waiting.values("task", domain).annotate(n=Count("pk"))
    return counted.filter(exceeds).values("task")
