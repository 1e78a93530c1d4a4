"""What annotators earn, for the owners of a campaign."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_GET, require_http_methods

from judgments.files.csv_files import csv_file
from judgments.people import access
from judgments.people.staffing.forms import PayForm
from judgments.people.staffing.pay import pay_of

from .views import settled


@login_required
@require_http_methods(["GET", "POST"])
def campaign_pay(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = PayForm(campaign, request.POST if request.method == "POST" else None)
    pay = pay_of(campaign)
    return settled(request, campaign, form, "judgments/people/pay.html", "Saved.", pay=pay)


@login_required
@require_GET
def campaign_pay_file(request, campaign_id):
    """The table of the page as CSV, hours with four decimals."""
    pay = pay_of(access.managed_campaign(request.user, campaign_id))
    currency = pay.rate.currency if pay.rate else ""
    head = ["annotator", "items", "batches", "hours", "amount", "wage", "currency"]
    rows = [
        (
            *(each.alias, each.judged, each.batches, f"{each.hours:.4f}"),
            *(each.amount, each.wage, currency),
        )
        for each in pay.people
    ]
    return csv_file("pay.csv", head, rows)
