"""Excluding an annotator from the results, for the pages that offer it."""

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _

from judgments.models import Campaign
from judgments.quality.decisions.decisions import AlreadyDecided, decide
from judgments.quality.decisions.forms import DecisionForm
from judgments.web.audit.acting import acting


def decided(request, campaign: Campaign, form: DecisionForm) -> bool:
    """Log the decision of the form and confirm it; return False if it is not valid, or was decided
    before, with the reason among the form's errors."""
    if not form.is_valid():
        return False
    annotator = get_user_model().objects.get(pk=form.cleaned_data["annotator"])
    known = {
        "reason": form.cleaned_data["reason"],
        "dimension": form.cleaned_data.get("dimension", ""),
    }
    try:
        with acting(request):
            decide(campaign, annotator, excluded=form.leaves_out, by=request.user, **known)
    except AlreadyDecided as problem:
        form.add_error("action", _("This annotator is %(problem)s.") % {"problem": problem})
        return False
    messages.success(
        request,
        _("The annotator is left out of the results. The history keeps the reason.")
        if form.leaves_out
        else _("The annotator is included again. The history keeps the reason."),
    )
    return True
