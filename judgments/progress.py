"""How far each annotator of a campaign is."""

from django.db.models import Count, F, Max, Q, Sum

from judgments.models import Campaign, Role


def annotator_rows(campaign: Campaign):
    """One dict per annotator, with sums over their tasks; in one statement. batches: how many they
    have judged to the end."""
    mine = Q(user__tasks__campaign=campaign)
    done = Q(user__tasks__n_items__gt=0, user__tasks__n_judged=F("user__tasks__n_items"))
    return (
        campaign.memberships.filter(role=Role.ANNOTATOR)
        .annotate(
            items=Sum("user__tasks__n_items", filter=mine, default=0),
            judged=Sum("user__tasks__n_judged", filter=mine, default=0),
            active_ms=Sum("user__tasks__active_ms", filter=mine, default=0),
            batches=Count("user__tasks", filter=mine & done),
            last=Max("user__tasks__last_judged_at", filter=mine),
        )
        .exclude(removed_at__isnull=False, judged=0)
        .order_by("alias")
        .values("alias", "items", "judged", "batches", "active_ms", "last", "removed_at")
    )
