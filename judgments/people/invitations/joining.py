"""Coming in without a password: invitations and personal links."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from judgments.models import Invitation, Membership, Role
from judgments.people import access, devices, external_ids, pseudonyms
from judgments.people.accounts.forms import JoinForm
from judgments.people.members import members as people
from judgments.people.reading.settings import greet
from judgments.people.staffing.settings import staffing_of
from judgments.people.staffing.terms import terms_of

PASSWORDLESS = "judgments.people.accounts.backends.ModelBackend"


def after_joining(membership):
    """Return annotators go to work, everybody else to the campaign's results. Who judges in
    campaigns of a project goes to the page that lists all of their work."""
    if membership.role == Role.ANNOTATOR and membership.by_project_id:
        return redirect("home")
    name = "judge" if membership.role == Role.ANNOTATOR else "campaign"
    return redirect(name, membership.campaign_id)


def invitation_closed(request, campaign):
    return render(
        request, "judgments/people/invitation_closed.html", {"campaign": campaign}, status=410
    )


def link_dead(request, membership=None):
    """Explain why a personal link is dead and whom to ask; reveal nothing for unknown tokens."""
    context = {"membership": membership}
    if membership is None:
        return render(request, "judgments/people/link_dead.html", context, status=404)
    owners = membership.campaign.memberships.current().filter(role=Role.OWNER)
    names = [owner.user.get_full_name() for owner in owners.select_related("user")]
    context["owners"] = ", ".join(filter(None, names))
    return render(request, "judgments/people/link_dead.html", context, status=410)


def not_by_this_address(request, campaign, reason):
    """Return why identifiers of another site let nobody in, and what to do about it."""
    status = {"damaged": 400, "preview": 200, "taken": 409}[reason]
    context = {"campaign": campaign, "reason": reason}
    return render(request, "judgments/people/join_refused.html", context, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def join(request, token):
    """Return the page behind an invitation. Opening it changes nothing; its button joins.

    A browser that belongs to a member already is asked first; `other` says that this is somebody
    else. Identifiers of other sites stay in the address from opening it to joining.
    """
    invitation = get_object_or_404(Invitation.objects.select_related("campaign"), token=token)
    campaign = invitation.campaign
    user = request.user if request.user.is_authenticated else None
    own = user and campaign.memberships.filter(user=user).first()
    if own and own.removed_at is not None:
        return link_dead(request, own)
    if external_ids.is_preview(request.GET):
        return not_by_this_address(request, campaign, "preview")
    try:
        ids = external_ids.in_address(request.GET)
    except external_ids.BadIdentifier:
        return not_by_this_address(request, campaign, "damaged")
    if ids and external_ids.is_taken(campaign, ids):
        is_own = own and external_ids.person_in(ids).items() <= own.external_ids.items()
        return after_joining(own) if is_own else not_by_this_address(request, campaign, "taken")
    if not Invitation.objects.usable().filter(pk=invitation.pk).exists():
        return after_joining(own) if own else invitation_closed(request, campaign)
    is_other = request.POST.get("other") == "yes"
    if own and request.method == "POST" and not is_other:
        return after_joining(own)
    here = [found for found in devices.members_here(request, campaign) if found != own]
    is_asked = bool(own or here) and not is_other
    form = join_form(
        invitation, request.POST if request.method == "POST" and not is_asked else None
    )
    if form.is_valid():
        try:
            alias = form.cleaned_data["alias"]
            return joined(request, invitation, None if own else user, alias, ids)
        except people.InvitationUsedUp:
            return invitation_closed(request, campaign)
        except people.AlreadyHere:
            return not_by_this_address(request, campaign, "taken")
    context = {
        "campaign": campaign,
        "invitation": invitation,
        "form": form,
        "terms": terms_of(campaign) if invitation.role == Role.ANNOTATOR else None,
        "proposed": form["alias"].value(),
        "own": own,
        "here": here,
        "is_familiar": not here and not own and devices.is_familiar(request, campaign),
    }
    return render(request, "judgments/people/join.html", context)


def join_form(invitation, data):
    """With the name that whoever invited the person chose for them, or a new pseudonym."""
    campaign = invitation.campaign
    taken = set(campaign.memberships.values_list("alias", flat=True))
    chosen = invitation.alias if invitation.alias not in taken else ""
    proposed = chosen or pseudonyms.free(taken)
    return JoinForm(campaign, data, proposed=proposed, may_type=staffing_of(campaign).typed_names)


def joined(request, invitation, user, alias, ids):
    """Make somebody a member, and sign them in if they are a new guest (user: None)."""
    membership = people.accept(invitation, user, alias, ids)
    response = after_joining(membership)
    if user is None:
        login(request, membership.user, backend=PASSWORDLESS)
        response = redirect("welcome", invitation.campaign_id)
    devices.seen(request, response, membership, is_new=True)
    return response


@never_cache
@require_http_methods(["GET", "POST"])
def return_by_link(request, token):
    """Return a guest's own link: it signs them in again, on any device."""
    found = Membership.objects.select_related("campaign", "user").filter(token=token).first()
    if found is None:
        return link_dead(request)
    if not people.opens_by_link(found.user):
        raise Http404("No such link.")
    if found.removed_at is not None or found.link_revoked_at is not None:
        return link_dead(request, found)
    if request.method != "POST":
        return render(request, "judgments/people/return.html", {"membership": found})
    membership = people.use_link(token)
    if membership is None:  # revoked, renewed or removed in this moment
        return link_dead(request)
    login(request, membership.user, backend=PASSWORDLESS)
    is_exchanged = membership.token != token
    response = redirect("welcome", membership.campaign_id) if is_exchanged else None
    response = response or after_joining(membership)
    devices.seen(request, response, membership)
    return greet(response, membership.user)


@never_cache
@require_safe
def welcome(request, campaign_id):
    """Return for a guest: the link that brings them back. Shown after joining."""
    membership = access.member(request.user, campaign_id)
    if request.user.has_usable_password():
        messages.info(request, _("You sign in with your password; there is no link to keep."))
        return after_joining(membership)
    if membership.link_revoked_at is not None:
        return link_dead(request, membership)
    link = request.build_absolute_uri(membership.get_return_url())
    return render(
        request, "judgments/people/welcome.html", {"membership": membership, "link": link}
    )
