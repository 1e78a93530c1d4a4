"""Word alignment: proposed links come in, and what people linked is shown."""

from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count, Q
from django.http import Http404
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_http_methods

from judgments.files.forms import sent
from judgments.files.rows import import_rows
from judgments.models import Judgment, LinkPurpose, PrefilledLink
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.test_sets.forms import ProposedLinksForm
from judgments.test_sets.uploads import upload
from judgments.test_sets.word_links.prefilled_links import ProposedLinks
from judgments.test_sets.word_links.views import run_context


@login_required
@require_http_methods(["GET", "POST"])
def proposed_links(request, campaign_id):
    """Return how many links are proposed, and a form that replaces them."""
    campaign = _linking(access.managed_campaign(request.user, campaign_id))
    form = ProposedLinksForm(*sent(request))

    def import_them() -> str:
        n = import_rows(ProposedLinks, campaign, form.rows(campaign.test_set)).rows
        return f"{intcomma(n)} link{pluralize(n)} will be proposed."

    rows = PrefilledLink.objects.filter(campaign=campaign).order_by()
    context = {
        "campaign": campaign,
        "tab": "overview",
        "options": protocol_of(campaign).options,
        "has_begun": Judgment.objects.filter(campaign=campaign).exists(),
        "counts": rows.values("output__system__name")
        .annotate(
            n=Count("pk"),
            n_sure=Count("pk", filter=Q(is_sure=True)),
            n_outputs=Count("output", distinct=True),
        )
        .order_by("output__system__name"),
        **run_context(campaign, LinkPurpose.PROPOSAL),
    }
    return upload(request, form, import_them, "judgments/results/proposed_links.html", context)


def _linking(campaign):
    """Return the campaign, if words are linked in it. Raise Http404 for another."""
    if not protocol_of(campaign).has_page("word-links"):
        raise Http404("This campaign is not about word alignment.")
    return campaign
