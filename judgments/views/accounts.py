"""Coming in: sign-in by password, invitations, personal links."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from judgments import oidc, people
from judgments.forms.accounts import JoinForm
from judgments.models import Invitation, Membership, Role
from judgments.reading import greet

PASSWORDLESS = "judgments.backends.ModelBackend"


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class SignIn(LoginView):
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs):
        provider = settings.OIDC_NAME if settings.OIDC_ISSUER else ""
        return super().get_context_data(**kwargs) | {"provider": provider}

    def form_valid(self, form):
        return greet(super().form_valid(form), form.get_user())


def after_joining(membership):
    """Annotators go to work, everybody else to the campaign's results."""
    name = "judge" if membership.role == Role.ANNOTATOR else "campaign"
    return redirect(name, membership.campaign_id)


def invitation_closed(request, campaign):
    return render(request, "judgments/invitation_closed.html", {"campaign": campaign}, status=410)


@never_cache
@require_http_methods(["GET", "POST"])
def join(request, token):
    """The page behind an invitation. Opening it changes nothing; its button joins."""
    invitation = get_object_or_404(Invitation.objects.select_related("campaign"), token=token)
    campaign = invitation.campaign
    user = request.user if request.user.is_authenticated else None
    if not Invitation.objects.usable().filter(pk=invitation.pk).exists():
        known = user and campaign.memberships.filter(user=user).first()
        if known:
            return after_joining(known)
        return invitation_closed(request, campaign)
    form = JoinForm(campaign, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            membership = people.accept(invitation, user, form.cleaned_data["alias"])
        except people.InvitationUsedUp:
            return invitation_closed(request, campaign)
        if user is None:
            login(request, membership.user, backend=PASSWORDLESS)
            return redirect("welcome", campaign.pk)
        return after_joining(membership)
    return render(
        request,
        "judgments/join.html",
        {"campaign": campaign, "invitation": invitation, "form": form},
    )


@never_cache
@require_http_methods(["GET", "POST"])
def return_by_link(request, token):
    """A guest's own link: it signs them in again, on any device. Accounts that have a password,
    sign in at a provider, or have any right beyond their campaigns, are never opened by a link."""
    membership = get_object_or_404(
        Membership.objects.select_related("campaign", "user"), token=token
    )
    user = membership.user
    has_own_way = user.has_usable_password() or oidc.is_connected(user)
    if has_own_way or user.is_staff or user.is_superuser or not user.is_active:
        raise Http404("No such link.")
    if request.method == "POST":
        login(request, user, backend=PASSWORDLESS)
        return greet(after_joining(membership), user)
    return render(request, "judgments/return.html", {"membership": membership})


@never_cache
@require_safe
def welcome(request, campaign_id):
    """Shown once to a guest who has just joined: the link that brings them back."""
    membership = get_object_or_404(
        Membership.objects.select_related("campaign"),
        campaign_id=campaign_id,
        user_id=request.user.pk,
    )
    if request.user.has_usable_password():
        messages.info(request, _("You sign in with your password; there is no link to keep."))
        return after_joining(membership)
    link = request.build_absolute_uri(membership.get_return_url())
    return render(request, "judgments/welcome.html", {"membership": membership, "link": link})
