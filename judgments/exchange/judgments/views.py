"""Import of judgments that were collected elsewhere."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404
from django.views.decorators.http import require_http_methods

from judgments.exchange.judgments.forms import JudgmentsForm
from judgments.exchange.judgments.importer import import_judgments
from judgments.files.forms import sent
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.protocols.tables import ReadTable
from judgments.test_sets.uploads import upload


@login_required
@require_http_methods(["GET", "POST"])
def judgments_import(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    protocol = protocol_of(campaign)
    if not isinstance(protocol.table, ReadTable) or campaign.by_model:
        raise Http404("Judgments of this kind cannot be imported.")
    form = JudgmentsForm(*sent(request))

    def import_them() -> str:
        added = import_judgments(campaign, **form.chosen())
        left_out = f" {intcomma(added.left_out)} rows were left out." if added.left_out else ""
        return (
            f"Imported {intcomma(added.judgments)} judgments by "
            f"{intcomma(added.annotators)} annotators.{left_out}"
        )

    context = {
        "campaign": campaign,
        "tab": "overview",
        "tables": protocol.table.shown,
        "dimensions": protocol.dimensions(),
        "lead": protocol.table.lead,
        "row_limit": settings.MAX_IMPORT_ROWS,
    }
    template, then = "judgments/exchange/judgments_import.html", campaign.get_absolute_url()
    return upload(request, form, import_them, template, context, then=then)
