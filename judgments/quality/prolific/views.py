"""A campaign's people at Prolific: their places, and what is approved, paid and given on there."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from judgments.people import access
from judgments.people.staffing.pay import NOTHING, sums_of
from judgments.people.staffing.settings import staffing_of
from judgments.plans.errors import PlanError
from judgments.quality.decisions.decisions import AlreadyDecided
from judgments.quality.watch.forms import StateAct
from judgments.quality.watch.steering import act_on
from judgments.web.audit.acting import acting

from . import forms, paying
from .client import ProlificRefused, ProlificSilent
from .places import look


def may_pay(user) -> bool:
    """Return whether an account may spend the money of the operator's account at Prolific: owning a
    campaign, which anybody may be who makes one, is not enough."""
    return user.is_superuser or user.get_username() in settings.PROLIFIC_MANAGERS


@never_cache
@login_required
@require_GET
def campaign_prolific(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    study = staffing_of(campaign).prolific_study
    context: dict[str, Any] = {"campaign": campaign, "tab": "people", "study": study}
    context |= {"is_set_up": bool(settings.PROLIFIC_TOKEN), "may_pay": may_pay(request.user)}
    if context["is_set_up"] and context["may_pay"] and study:
        sums = sums_of(membership__campaign=campaign)
        unclear = set(paying.unclear(campaign).values_list("membership", flat=True))
        try:
            places = look(campaign)
        except (ProlificRefused, ProlificSilent) as problem:
            context["problem"] = str(problem)
        else:
            context["places"] = places
            context["rows"] = [
                (each, sums.get(each.member.pk, NOTHING), each.member.pk in unclear)
                for each in places.people
            ]
            context["has_unclear"] = bool(unclear)
            context["has_given_on"] = any(
                each.is_given_on and each.counts for each in places.people
            )
    return render(request, "judgments/quality/prolific.html", context)


@login_required
@require_POST
def campaign_prolific_act(request, campaign_id):
    """Return approve, pay, or give work on. What Prolific has done is said and noted, also where
    the rest failed."""
    campaign = access.managed_campaign(request.user, campaign_id)
    if not settings.PROLIFIC_TOKEN or not may_pay(request.user):
        messages.error(request, "You may not pay through this site's account at Prolific.")
        return redirect("campaign-prolific", campaign.pk)
    form = forms.PlacesForm(campaign, request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(said[0]) for said in form.errors.values()))
        return redirect("campaign-prolific", campaign.pk)
    members = {each.pk for each in form.cleaned_data["people"]}
    try:
        ACTS[form.cleaned_data["act"]](request, campaign, members)
    except (ProlificRefused, ProlificSilent) as problem:
        messages.error(request, f"Nothing was done. {problem}")
    return redirect("campaign-prolific", campaign.pk)


def approve(request, campaign, members):
    places = look(campaign)
    paying.check_currency(campaign, places)
    done, said = paying.ask_approval(campaign, places.of(members))
    with acting(request):
        n = paying.note_rewards(campaign, done, request.user)
    words = " ".join([f"Approved at Prolific and noted as paid: {n}.", *said])
    (messages.warning if said else messages.success)(request, words)


def pay_bonuses(request, campaign, members):
    places = look(campaign)
    paying.check_currency(campaign, places)
    payable = paying.payable_by_bonus(campaign, places.of(members))
    if not payable:
        raise ProlificRefused(
            "There is nothing approved here that a bonus could pay. Prolific must have approved "
            "the person first, with the button next to this one."
        )
    n_left = max(len(payable) - paying.MOST_BONUSES, 0)
    payable = dict(list(payable.items())[: paying.MOST_BONUSES])
    bonuses = paying.set_up(places, payable)
    with acting(request):
        paying.mark_sent(campaign, payable, bonuses, timezone.now())
    try:
        paying.client.pay_bonuses(bonuses)
    except ProlificRefused:
        with acting(request):
            paying.end_sending(campaign, bonuses, is_paid=False)
        raise
    except ProlificSilent as problem:
        messages.error(
            request,
            f"{problem} It may have paid the bonuses {bonuses} or not, so they are not sent again. "
            "Look there: if they are paid, mark them so on Pay; if not, let them be sent again.",
        )
        return
    with acting(request):
        paying.end_sending(campaign, bonuses, is_paid=True)
    words = f"Noted as paid, and paid by Prolific within minutes: bonuses for {len(payable)}"
    words = f"{words} {'person' if len(payable) == 1 else 'people'}."
    if n_left:
        words += f" Not paid yet: {n_left}. Do it again for them."
    messages.success(request, words)


def replace(request, campaign, members):
    chosen = [each for each in look(campaign).of(members) if each.is_given_on and each.counts]
    n, said = 0, []
    for place in chosen:
        reason = f"At Prolific: {place.status.lower()}."
        try:
            with acting(request):
                act_on(place.member, StateAct.REPLACE, reason, request)
            n += 1
        except (PlanError, AlreadyDecided) as problem:
            said.append(f"Nothing was changed for {place.member.alias}: {problem}")
    if others := len(members) - len(chosen):
        said.append(f"Of those ticked, {others} had no place here that was given on.")
    words = " ".join([f"Left out, with their work planned for others: {n}.", *said])
    (messages.warning if said else messages.success)(request, words)


def free(request, campaign, members):
    with acting(request):
        n = paying.free(campaign, members, timezone.now())
    messages.success(request, f"{n} sum{pluralize(n)} can be sent again.")


ACTS = {
    forms.APPROVE: approve,
    forms.BONUS: pay_bonuses,
    forms.REPLACE: replace,
    forms.FREE: free,
}
