"""How many items one person may take, in a campaign and of each domain."""

from django.db.models import Count, Q, QuerySet

from judgments.models import Item, Membership, Task
from judgments.people.staffing.settings import staffing_of


def within_quota(tasks: QuerySet[Task], membership: Membership) -> QuerySet[Task]:
    """Return for free tasks of a campaign those that, with all that the annotator holds or has
    judged, exceed no quota. A task counts as a whole."""
    staffing = staffing_of(membership.campaign)
    own = Task.objects.planned()
    own = own.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    if staffing.items is not None:
        tasks = tasks.filter(n_items__lte=staffing.items - own.progress()["items"])
    if staffing.domain_items is not None:
        tasks = tasks.exclude(pk__in=too_many_of_a_domain(own, membership, staffing.domain_items))
    return tasks


def too_many_of_a_domain(own: QuerySet[Task], membership: Membership, most: int) -> QuerySet:
    """Return the unfinished tasks that would exceed the quota of a domain; texts without one have
    no quota."""
    domain = "segment__document__domain"
    items = Item.objects.exclude(**{domain: ""}).order_by()
    had = items.filter(task__in=own).values_list(domain).annotate(n=Count("pk"))
    exceeds = Q(n__gt=most)
    for name, n in had:
        exceeds |= Q(**{domain: name}, n__gt=max(0, most - n))
    waiting = items.filter(task__campaign=membership.campaign_id, task__is_unfinished=True)
    counted = waiting.values("task", domain).annotate(n=Count("pk"))
    return counted.filter(exceeds).values("task")
