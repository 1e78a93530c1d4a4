"""What an annotator sees at one of their items, for the owners of the campaign. Nothing can be
answered here, and nothing is claimed; that somebody looked is in the log."""

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

from .views import screen_context


@never_cache
@login_required
@require_GET
def annotator_screen(request, campaign_id, membership_id, number):
    """Return the same templates as the annotator's page, in their language and as they like to
    read."""
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
            "is_practice": True,  # no way to skip or flag
        }
        return render(request, "judgments/judging/read_only.html", context)


@never_cache
@login_required
@require_GET
def planned_screen(request, campaign_id, batch, number):
    """Return a screen of a batch that is planned, as if nobody had judged it yet; and which kind of
    item it is, which annotators never see."""
    campaign = access.managed_campaign(request.user, campaign_id)
    task = get_object_or_404(campaign.tasks.order_by("seat"), batch=batch, seat=1)
    task.n_judged = task.n_skipped = task.active_ms = 0  # in memory: who works on it is not told
    screen = replace(screen_of(campaign, Work([task]), number, timezone.now()), judgment=None)
    first = reverse("planned-screen", args=[campaign.pk, batch, 1])
    base = first.removesuffix("1/")
    later = Item.objects.filter(task=task, position__gte=number).order_by("position")
    control = later.exclude(kind="regular", control_output=None).first()
    context = screen_context(screen, screen.form(), base, problem="") | {
        "batch": batch,
        "n_batches": campaign.tasks.filter(seat=1).count(),
        "next_control": control and control.position + 1,
        "reading": ReadingSettings(),
        "rows": planned_rows(screen) if is_whole(campaign) else None,
        "is_practice": True,  # no way to skip or flag
    }
    return render(request, "judgments/judging/planned.html", context)


def planned_rows(screen):
    """Return the document around an item, without what was answered so far."""
    return [
        replace(row, is_judged=False, is_skipped=False, summary="")
        if isinstance(row, DocumentRow)
        else row
        for row in document_rows(screen)
    ]
