"""Deletion of a campaign, a test set or a system: a page lists what will be deleted, and asks for
its name."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from judgments.files.forms import sent
from judgments.models import Campaign, System, TestSet
from judgments.people import access
from judgments.people.accounts.demo_copies import is_kept_whole
from judgments.test_sets.deletion import rows as deletion
from judgments.test_sets.deletion.forms import CampaignDeletionForm, DeletionForm
from judgments.test_sets.deletion.rows import NotDeleted
from judgments.web.audit.acting import acting


@login_required
@require_http_methods(["GET", "POST"])
def campaign_delete(request, campaign_id):
    campaign = access.owned_campaign(request.user, campaign_id)
    form = CampaignDeletionForm("campaign", campaign.name, sent(request)[0])

    def delete() -> str:
        done = deletion.delete_campaign(
            campaign, by=request.user.get_username(), reason=form.cleaned_data["reason"]
        )
        return f"The campaign {done.name} was deleted, with {done.judgments:,} judgments."

    found = deletion.contents(campaign)
    context = {
        "what": "campaign",
        "name": campaign.name,
        "back": campaign.get_absolute_url(),
        "above": campaign.name,
        "campaign": campaign,
        "found": found,
    }
    return page(
        request,
        form,
        delete,
        lambda: require_deletable(request.user, campaign),
        context,
        reverse("campaigns"),
    )


@login_required
@require_http_methods(["GET", "POST"])
def test_set_delete(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    form = DeletionForm("test set", test_set.name, sent(request)[0])

    def delete() -> str:
        deletion.delete_test_set(test_set)
        return f"The test set {test_set.name} was deleted."

    context = {
        "what": "test set",
        "name": test_set.name,
        "back": test_set.get_absolute_url(),
        "above": test_set.name,
        "n_segments": test_set.segments.count(),
        "n_systems": test_set.systems.count(),
    }
    return page(
        request,
        form,
        delete,
        lambda: require_unused(request.user, test_set),
        context,
        reverse("test-sets"),
    )


@login_required
@require_http_methods(["GET", "POST"])
def system_delete(request, test_set_id, system_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    system = get_object_or_404(System, test_set=test_set, pk=system_id)
    form = DeletionForm("system", system.name, sent(request)[0])

    def delete() -> str:
        deletion.delete_system(system)
        return f"The system {system.name} was deleted."

    context = {
        "what": "system",
        "name": system.name,
        "back": test_set.get_absolute_url(),
        "above": test_set.name,
        "n_outputs": system.outputs.count(),
    }
    return page(
        request,
        form,
        delete,
        lambda: deletion.require_unseen(system),
        context,
        test_set.get_absolute_url(),
    )


def require_deletable(user, campaign: Campaign) -> None:
    require_no_demo(user)
    deletion.require_deletable(campaign)


def require_unused(user, test_set: TestSet) -> None:
    require_no_demo(user)
    deletion.require_unused(test_set)


def require_no_demo(user) -> None:
    """Raise NotDeleted for a part of a copy of the demo."""
    if is_kept_whole(user):
        raise NotDeleted("It belongs to your copy of the demo, which is deleted as a whole.")


def page(
    request,
    form: DeletionForm,
    delete: Callable[[], str],
    require: Callable[[], None],
    context: dict,
    after: str,
):
    """Show the confirmation page; after a correct confirmation delete the object and redirect to
    `after`.

    delete: returns the message afterwards. require: raises NotDeleted if it cannot be deleted.
    """
    try:
        require()
        if form.is_valid():
            with acting(request):
                message = delete()
            messages.success(request, message)
            return redirect(after)
    except NotDeleted as problem:
        readable = set(Campaign.objects.visible_to(request.user).values_list("pk", flat=True))
        context["problem"] = str(problem)
        context["blocking"] = [(each, each.pk in readable) for each in problem.campaigns]
    status = 422 if form.is_bound else 200
    return render(
        request, "judgments/test_sets/delete.html", context | {"form": form}, status=status
    )
