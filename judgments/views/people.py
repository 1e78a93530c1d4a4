"""Who takes part in a campaign: members, roles and invitation links."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from judgments import access, people
from judgments.forms.campaigns import InvitationForm, MemberForm


def people_page(request, campaign, *, invitation_form=None, member_form=None, status=200):
    may_manage = access.may_manage(request.user, campaign)
    context = {
        "campaign": campaign,
        "tab": "people",
        "members": campaign.memberships.select_related("user").order_by("role", "alias"),
        "may_manage": may_manage,
        "invitation_form": invitation_form or InvitationForm(prefix="invitation"),
        "member_form": member_form or MemberForm(prefix="member"),
    }
    if may_manage:
        usable = set(campaign.invitations.usable().values_list("pk", flat=True))
        context["invitations"] = [
            (i, i.pk in usable, request.build_absolute_uri(i.get_absolute_url()))
            for i in campaign.invitations.all()
        ]
    return render(request, "judgments/people.html", context, status=status)


@login_required
@require_GET
def campaign_people(request, campaign_id):
    return people_page(request, access.readable_campaign(request.user, campaign_id))


@login_required
@require_POST
def invitation_new(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = InvitationForm(request.POST, prefix="invitation")
    if not form.is_valid():
        return people_page(request, campaign, invitation_form=form, status=422)
    invitation = form.save(commit=False)
    invitation.campaign = campaign
    invitation.created_by = request.user
    invitation.save()
    messages.success(request, "The link is ready. Anyone who has it can join until you close it.")
    return redirect("campaign-people", campaign.pk)


@login_required
@require_POST
def invitation_close(request, campaign_id, invitation_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    invitation = get_object_or_404(campaign.invitations, pk=invitation_id)
    if invitation.closed_at is None:
        invitation.closed_at = timezone.now()
        invitation.save(update_fields=["closed_at"])
    messages.success(request, "The link is closed; people who joined with it stay.")
    return redirect("campaign-people", campaign.pk)


@login_required
@require_POST
def member_new(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = MemberForm(request.POST, prefix="member")
    if form.is_valid():
        try:
            membership = people.add_member(campaign, form.user, form.cleaned_data["role"])
        except ValueError as problem:
            form.add_error("role", str(problem))
        else:
            messages.success(request, f"{membership.alias} is now {membership.get_role_display()}.")
            return redirect("campaign-people", campaign.pk)
    return people_page(request, campaign, member_form=form, status=422)
