"""What became of the outputs that people corrected, and the way to HTER."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from judgments.models import Campaign
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.results.edits.hand_over import hand_over, may_count
from judgments.results.page_views import render_page
from judgments.results.selection import from_address
from judgments.web.audit.acting import acting

from . import page


def edits_in(campaign: Campaign) -> Campaign:
    """Return the campaign if people correct texts in it. Raise Http404 for another."""
    if not protocol_of(campaign).has_page("edits"):
        raise Http404(_("This campaign has no edits."))
    return campaign


@login_required
@require_GET
def edits(request, campaign_id):
    selection = from_address.selected(request, campaign_id)
    edits_in(selection.campaign)
    return render_page(request, page.PAGE, selection)


@login_required
@require_POST
def edits_hand_over(request, campaign_id):
    campaign = edits_in(access.managed_campaign(request.user, campaign_id))
    access.managed_test_set(request.user, campaign.test_set_id)
    if not may_count(campaign):
        raise Http404(_("HTER is not computed from edits made without source and reference."))
    with acting(request):
        n = hand_over(campaign)
    if n:
        given = ngettext(
            "%(n)s post-edit of the test set now comes from this campaign. Compute HTER on the "
            "test set's page of automatic metrics.",
            "%(n)s post-edits of the test set now come from this campaign. Compute HTER on the "
            "test set's page of automatic metrics.",
            n,
        )
        messages.success(request, given % {"n": intcomma(n)})
    else:
        messages.warning(request, _("There are no edits that HTER could use."))
    return redirect("edits", campaign.pk)
