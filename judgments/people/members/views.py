"""The people of a campaign: members, roles, invitations, personal links, shared devices."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import OuterRef, Subquery
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from judgments.models import DeviceMark, MarkKind
from judgments.people import access, devices
from judgments.people.accounts import oidc
from judgments.people.invitations.forms import InvitationForm
from judgments.people.invitations.links import close_link, make_link, sheets_of
from judgments.people.members import members as people
from judgments.people.members.forms import MemberForm
from judgments.web.audit.acting import acting

MEMBERS_ON_A_PAGE = 50


def people_page(request, campaign, *, invitation_form=None, member_form=None, status=200):
    may_manage = access.may_manage(request.user, campaign)
    tasks = campaign.tasks.filter(annotator=OuterRef("user"), last_judged_at__isnull=False)
    last = tasks.order_by("-last_judged_at").values("last_judged_at")[:1]  # of members on the page
    members = campaign.memberships.select_related("user").order_by("role", "alias")
    members = members.annotate(last_judged=Subquery(last))
    page = Paginator(members.current(), MEMBERS_ON_A_PAGE).get_page(request.GET.get("page"))
    connected = oidc.connected(member.user_id for member in page)
    for member in page:
        member.is_guest = people.is_link_only_guest(member.user) and member.user_id not in connected
    context = {
        "campaign": campaign,
        "tab": "people",
        "page": page,
        "removed": members.exclude(removed_at=None),
        "may_manage": may_manage,
        "invitation_form": invitation_form or InvitationForm(prefix="invitation"),
        "member_form": member_form or MemberForm(prefix="member"),
    }
    if may_manage:
        usable = set(campaign.invitations.usable().values_list("pk", flat=True))
        context["invitations"] = [
            (i, i.pk in usable, request.build_absolute_uri(i.get_absolute_url()))
            for i in campaign.invitations.filter(sheet=None)
        ]
        context["sheets"] = sheets_of(campaign)
        context["groups"] = devices.groups_of(campaign)
    return render(request, "judgments/people/people.html", context, status=status)


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
    with acting(request):
        invitation = make_link(campaign, form.save(commit=False), by=request.user)
    who = "One person" if invitation.max_uses == 1 else "Anyone"
    messages.success(request, f"The link is ready. {who} who has it can join until you close it.")
    return redirect("campaign-people", campaign.pk)


@login_required
@require_POST
def invitation_close(request, campaign_id, invitation_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    invitation = get_object_or_404(campaign.invitations, pk=invitation_id)
    with acting(request):
        close_link(invitation)
    messages.success(request, "The link is closed. People who joined with it stay.")
    return redirect("campaign-people", campaign.pk)


@login_required
@require_POST
def member_new(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = MemberForm(request.POST, prefix="member")
    if form.is_valid():
        try:
            with acting(request):
                membership = people.add_member(campaign, form.user, form.cleaned_data["role"])
        except ValueError as problem:
            form.add_error("role", str(problem))
        else:
            messages.success(request, f"{membership.alias} is now {membership.get_role_display()}.")
            return redirect("campaign-people", campaign.pk)
    return people_page(request, campaign, member_form=form, status=422)


def managed_member(request, campaign_id, membership_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    members = campaign.memberships.select_related("campaign", "user")
    return get_object_or_404(members, pk=membership_id)


@login_required
@require_POST
def member_remove(request, campaign_id, membership_id):
    """Remove a member. Those who remove themselves are redirected to their start page, since this
    campaign is closed to them."""
    membership = managed_member(request, campaign_id, membership_id)
    try:
        with acting(request):
            people.remove(membership)
    except ValueError as problem:
        messages.error(request, str(problem))
    else:
        messages.success(
            request,
            (
                f"{membership.alias} was removed. Their judgments stay; the rest of their work "
                "goes to others."
            ),
        )
        if membership.user_id == request.user.pk and not request.user.is_superuser:
            return redirect("home")
    return redirect("campaign-people", campaign_id)


@login_required
@require_POST
def member_take_back(request, campaign_id, membership_id):
    membership = managed_member(request, campaign_id, membership_id)
    with acting(request):
        membership = people.take_back(membership)
    messages.success(request, f"{membership.alias} takes part again.")
    return redirect("campaign-people", campaign_id)


def linked_member(request, campaign_id, membership_id):
    """Return a member who signs in by a link. Raise Http404 for others."""
    membership = managed_member(request, campaign_id, membership_id)
    if membership.removed_at is not None or not people.opens_by_link(membership.user):
        raise Http404("This member has no link.")
    return membership


@login_required
@require_POST
def link_revoke(request, campaign_id, membership_id):
    membership = linked_member(request, campaign_id, membership_id)
    with acting(request):
        people.revoke_link(membership)
    messages.success(
        request, f"{membership.alias}'s link no longer works, and they are signed out."
    )
    return redirect("campaign-people", campaign_id)


@never_cache
@login_required
@require_POST
def link_renew(request, campaign_id, membership_id):
    """Show the new link, only this once."""
    membership = linked_member(request, campaign_id, membership_id)
    try:
        with acting(request):
            membership = people.renew_link(membership, request.user)
    except people.OpensMore:
        messages.error(
            request,
            f"{membership.alias} also takes part in campaigns or projects that are not yours, and "
            "the new link would open these too. Remove them here and send them an invitation.",
        )
        return redirect("campaign-people", campaign_id)
    context = {
        "campaign": membership.campaign,
        "tab": "people",
        "membership": membership,
        "link": request.build_absolute_uri(membership.get_return_url()),
    }
    return render(request, "judgments/people/link_renewed.html", context)


@login_required
@require_POST
def devices_accept(request, campaign_id, mark_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    marks = DeviceMark.objects.filter(membership__campaign=campaign, kind=MarkKind.NETWORK)
    mark = get_object_or_404(marks, pk=mark_id)
    with acting(request):
        devices.accept(mark)
    messages.success(request, "They count as different people and may judge the same items.")
    return redirect("campaign-people", campaign_id)
