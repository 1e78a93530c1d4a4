"""The screen of one of an annotator's items, for the owners of the campaign. Nothing can be
answered here, and nothing is claimed; the log records who looked."""

from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from judgments.judging.document import DocumentRow, document_rows, is_whole
from judgments.judging.screen import open_item, screen_of
from judgments.models import Item, ReadingSettings, Role
from judgments.people import access
from judgments.people.workload.work import Work
from judgments.plans.seats import first_seats

from .views import screen_context


@never_cache
@login_required
@require_GET
def annotator_screen(request, campaign_id, membership_id, number):
    """Show the item with the templates of the annotator's page, in their language and reading
    settings."""
    campaign = access.managed_campaign(request.user, campaign_id)
    members = campaign.memberships.filter(role=Role.ANNOTATOR)
    membership = get_object_or_404(
        members.select_related("campaign__test_set", "user"), pk=membership_id
    )
    stored = ReadingSettings.objects.filter(user=membership.user_id).first()
    reading = stored or ReadingSettings()
    with translation.override(reading.language or translation.get_language()):
        screen = open_item(membership, number, timezone.now())
        first = reverse("annotator-screen", args=[campaign.pk, membership.pk, 1])
        base = first.removesuffix("1/")
        context = screen_context(screen, screen.form(), base, problem="") | {
            "read_only": True,
            "membership": membership,
            "reading": reading,
            "rows": document_rows(screen) if is_whole(campaign) else None,
            "is_practice": True,  # no skipping or flagging
        }
        return render(request, "judgments/judging/read_only.html", context)


@never_cache
@login_required
@require_GET
def planned_screen(request, campaign_id, batch, number):
    """Show a screen of a planned batch as if nobody had judged it yet, with the kind of the item,
    which annotators never see. If a part was given back, it follows the other one."""
    campaign = access.managed_campaign(request.user, campaign_id)
    seat = campaign.tasks.filter(pk__in=first_seats(campaign, [batch]), n_items__gt=0)
    work = Work(list(seat.order_by("seat")))
    for task in work.tasks:
        task.n_judged = task.n_skipped = task.active_ms = 0  # in memory, to hide who works on it
    screen = replace(screen_of(campaign, work, number, timezone.now()), judgment=None)
    first = reverse("planned-screen", args=[campaign.pk, batch, 1])
    base = first.removesuffix("1/")
    controls = Item.objects.filter(task__in=work.tasks).exclude(kind="regular", control_output=None)
    places = (work.number(item.task_id, item.position) for item in controls)
    context = screen_context(screen, screen.form(), base, problem="") | {
        "batch": batch,
        "n_batches": campaign.tasks.filter(seat=1).count(),
        "next_control": min((place for place in places if place > number), default=None),
        "reading": ReadingSettings(),
        "rows": planned_rows(screen) if is_whole(campaign) else None,
        "is_practice": True,  # no skipping or flagging
    }
    return render(request, "judgments/judging/planned.html", context)


def planned_rows(screen):
    """Return the rows of the document around an item, without the answers so far."""
    return [
        replace(row, is_judged=False, is_skipped=False, summary="")
        if isinstance(row, DocumentRow)
        else row
        for row in document_rows(screen)
    ]
