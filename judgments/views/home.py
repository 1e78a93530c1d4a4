"""The pages that belong to no campaign."""

from django.db.models import Sum
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judgments.access import may_create
from judgments.models import Campaign, Membership, Role
from judgments.progress import with_progress


@require_safe
def home(request):
    """For visitors what this is; for people with an account their work and their campaigns."""
    if not request.user.is_authenticated:
        return render(request, "judgments/landing.html")
    work = (
        Membership.objects.current()
        .filter(user=request.user, role=Role.ANNOTATOR)
        .select_related("campaign")
        .order_by("-campaign__created_at")
    )
    sums = {
        row["campaign"]: row
        for row in request.user.tasks.order_by()
        .values("campaign")
        .annotate(judged=Sum("n_judged"), items=Sum("n_items"))
    }
    nothing = {"judged": 0, "items": 0}
    context = {
        "work": [(part.campaign, sums.get(part.campaign_id, nothing)) for part in work],
        "campaigns": with_progress(
            Campaign.objects.visible_to(request.user).select_related("test_set")
        ),
        "may_create": may_create(request.user),
    }
    return render(request, "judgments/home.html", context)


@require_safe
def about(request):
    return render(request, "judgments/about.html")


@require_safe
def accessibility(request):
    return render(request, "judgments/accessibility.html")
