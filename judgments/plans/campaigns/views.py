"""Setting up a campaign and watching it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.models import Campaign, TestSet
from judgments.people import access, devices
from judgments.people.members.members import add_first_owner
from judgments.people.workload.progress import annotator_rows, with_progress
from judgments.plans.archive import MAY_REST, ArchiveRefused, archive_campaign, restore_campaign
from judgments.plans.campaigns.forms import CampaignForm, InstructionsForm, StatusForm
from judgments.plans.campaigns.instructions import SavedMeanwhile, save_instructions
from judgments.plans.campaigns.opening import NEXT, NOTHING_PLANNED, StatusRefused, set_status
from judgments.protocols import PRESETS, presets_by_protocol, protocol_of
from judgments.protocols.tables import ReadTable
from judgments.web.audit.acting import acting
from judgments.web.list_form import ListForm


@login_required
@require_GET
def campaigns(request):
    visible = Campaign.objects.visible_to(request.user).of_people()
    list_form = ListForm(request.GET)
    context = {
        "list_form": list_form,
        "has_any": visible.exists(),
        "campaigns": with_progress(list_form.of(visible).select_related("test_set")),
        "may_create": access.may_create(request.user),
    }
    return render(request, "judgments/plans/campaigns.html", context)


@login_required
@require_GET
def campaign_new(request):
    """Return the first step: what annotators are asked. `?test_set=` goes on to the second."""
    access.require_creator(request.user)
    if not TestSet.objects.visible_to(request.user).exists():
        messages.warning(request, "A campaign needs texts: add a test set first.")
        return redirect("test-set-new")
    # A template would call the class of a protocol.
    groups = [(p.slug, p.name, presets) for p, presets in presets_by_protocol()]
    context = {"groups": groups, "query": request.GET.urlencode()}
    return render(request, "judgments/plans/campaign_new.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def campaign_new_preset(request, preset):
    """Return the second step: name, texts and the options of the preset."""
    access.require_creator(request.user)
    if preset not in PRESETS:
        raise Http404("There is no such preset.")
    initial = {"test_set": request.GET.get("test_set")}
    data = request.POST if request.method == "POST" else None
    form = CampaignForm(request.user, PRESETS[preset], data, initial=initial)
    if request.method == "POST" and form.is_valid():
        with acting(request) as act:
            campaign = form.save()
            act.made(campaign_id=campaign.pk)
            add_first_owner(campaign, request.user)
        messages.success(request, "The campaign was created. Now plan who judges what.")
        return redirect("campaign-design", campaign.pk)
    context = {"form": form, "preset": PRESETS[preset], "query": request.GET.urlencode()}
    return render(request, "judgments/plans/campaign_new_preset.html", context)


@login_required
@require_GET
def campaign(request, campaign_id):
    """Return the overview: how far it is, who did what, and what to do next."""
    campaign = access.readable_campaign(request.user, campaign_id)
    protocol = protocol_of(campaign)
    only_read = protocol.why_only_read()
    may_manage = access.may_manage(request.user, campaign)
    free_seats = campaign.tasks.planned().filter(annotator=None, n_items__gt=0).count()
    rows = annotator_rows(campaign)
    for row in rows:
        row["pace_ms"] = row["active_ms"] / row["judged"] if row["judged"] else None
    context = {
        "campaign": campaign,
        "tab": "overview",
        "rows": rows,
        "work": campaign.tasks.progress(),
        "free_seats": free_seats,
        "may_manage": may_manage,
        # Who runs it without being an operator is an owner.
        "may_delete": may_manage
        and (not request.user.is_superuser or access.may_delete(request.user, campaign)),
        "is_undecided": free_seats and may_manage and devices.undecided_marks(campaign).exists(),
        "preset": protocol.preset,
        "materials": protocol.materials(),
        "may_import": isinstance(protocol.table, ReadTable) and not campaign.by_model,
        "only_read": only_read,
        "statuses": [] if only_read or campaign.archived_at else NEXT[campaign.status],
        "may_archive": campaign.status in MAY_REST,
    }
    return render(request, "judgments/plans/campaign.html", context)


@login_required
@require_POST
def campaign_status(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = StatusForm(request.POST)
    if not form.is_valid():
        messages.error(request, "A campaign cannot have that status.")
        return redirect("campaign", campaign.pk)
    try:
        with acting(request):
            set_status(campaign, form.cleaned_data["status"])
    except StatusRefused as reason:
        messages.error(request, str(reason))
        if str(reason) == NOTHING_PLANNED:
            return redirect("campaign-design", campaign.pk)
    else:
        messages.success(request, f"The campaign is now {campaign.get_status_display().lower()}.")
    return redirect("campaign", campaign.pk)


@login_required
@require_POST
def campaign_archive(request, campaign_id):
    """Out of the lists, or with `restore` back into them."""
    campaign = access.managed_campaign(request.user, campaign_id)
    try:
        with acting(request):
            if "restore" in request.POST:
                restore_campaign(campaign)
            else:
                archive_campaign(campaign)
    except ArchiveRefused as reason:
        messages.error(request, str(reason))
    else:
        words = "back in the lists" if "restore" in request.POST else "in the archive"
        messages.success(request, f"The campaign is {words}.")
    return redirect("campaign", campaign.pk)


@login_required
@require_http_methods(["GET", "POST"])
def campaign_instructions(request, campaign_id):
    """Return what annotators are told; a change counts up the version that judgments carry."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = InstructionsForm(campaign, request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            version = form.cleaned_data["version"]
            with acting(request):
                save_instructions(campaign, form.instructions(), version=version)
        except SavedMeanwhile:
            form, status = form.beside(campaign), 409
        else:
            messages.success(request, f"Instructions: version {campaign.guideline_version}.")
            return redirect("campaign", campaign.pk)
    elif form.errors:
        status = 422
    context = {"campaign": campaign, "tab": "overview", "form": form}
    return render(request, "judgments/plans/campaign_instructions.html", context, status=status)
