"""Comprehension of readers, and owners' decisions to exclude annotators because of it."""

from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from judgments.people import access
from judgments.quality.decisions.forms import DecisionForm, all_who_judged
from judgments.quality.decisions.views import decided
from judgments.results.answers import page
from judgments.results.page_views import render_page
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from judgments.test_sets.questions.views import asks


@login_required
@require_GET
def answers(request, campaign_id):
    selection = from_address.selected(request, campaign_id)
    asks(selection.campaign)
    return answers_page(request, selection)


@login_required
@require_POST
def answers_decide(request, campaign_id):
    """Exclude an annotator from the results, or include them again."""
    campaign = asks(access.managed_campaign(request.user, campaign_id))
    form = decision_form(campaign, request.POST)
    if decided(request, campaign, form):
        return redirect("answers", campaign.pk)
    return answers_page(request, Selection.of(campaign), form=form, status=422)


def decision_form(campaign, data=None) -> DecisionForm:
    return DecisionForm(campaign, all_who_judged(campaign), data, prefix="decision")


def answers_page(request, selection, *, form=None, status=200):
    campaign = selection.campaign
    return render_page(
        request,
        page.PAGE,
        selection,
        status=status,
        may_manage=access.may_manage(request.user, campaign),
        decision_form=form or decision_form(campaign),
        has_open=campaign.questions.filter(choices=[]).exists(),
    )
