"""Pages that belong to no campaign."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Sum
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judgments.judging.practice.gate import is_turned_away
from judgments.models import Campaign, Membership, Role
from judgments.people.access import may_create
from judgments.people.accounts.demo_copies import full_until
from judgments.people.messages.messages import unread
from judgments.people.states import CHANGED_TO, DECIDED, LEFT_OUT, state_name
from judgments.people.workload.progress import with_progress


@require_safe
def home(request):
    """Show visitors an introduction, and people with an account their work and their campaigns."""
    if not request.user.is_authenticated:
        return landing(request)
    work = (
        Membership.objects.current()
        .filter(user=request.user, role=Role.ANNOTATOR, campaign__archived_at=None)
        .select_related("campaign")
        .annotate(decided=DECIDED, changed_to=CHANGED_TO)
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
        "work": [row_of(part, sums.get(part.campaign_id, nothing)) for part in work],
        "unread": unread(membership__user=request.user, membership__removed_at=None),
        "campaigns": with_progress(
            Campaign.objects.visible_to(request.user)
            .of_people()
            .filter(archived_at=None)
            .select_related("test_set")
        ),
        "may_create": may_create(request.user),
    }
    return render(request, "judgments/judging/home.html", context)


def row_of(part: Membership, done: dict[str, int]) -> tuple[Campaign, dict[str, int], str]:
    """Return (campaign, items judged and given, state) of the user's part in a campaign. Annotators
    who failed the tutorial count as left out: they are held, but have no work that somebody could
    check."""
    state = LEFT_OUT if is_turned_away(part, done["judged"]) else state_name(part)
    return part.campaign, done, state


def landing(request):
    """Show visitors an introduction, a trial, and the demo on their machine or a public server."""
    entries = []
    full = full_until() if settings.PUBLIC_DEMO else None
    if settings.DEMO_SIGN_IN:
        from judgments.people.accounts import demo_sign_in as demo

        entries = demo.entries(request)
    return render(
        request, "judgments/judging/landing.html", {"demo_entries": entries, "full": full}
    )


@never_cache
@login_required
@require_safe
def held_work(request):
    """Show the replacement of the start page while the site cannot be reached: a script lists the
    work stored in this browser. The service worker caches it, so it contains no data of a
    campaign."""
    return render(request, "judgments/judging/held_work.html")


@require_safe
def about(request):
    return render(request, "judgments/judging/about.html")


@require_safe
def accessibility(request):
    return render(request, "judgments/judging/accessibility.html")
