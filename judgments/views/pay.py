"""What annotators earn, for the owners of a campaign."""

import csv
import io

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from judgments import access
from judgments.formats.formulas import guarded
from judgments.forms.entry import PayForm
from judgments.pay import pay_of
from judgments.staffing import set_staffing


@login_required
@require_http_methods(["GET", "POST"])
def campaign_pay(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = PayForm(campaign, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        set_staffing(campaign, form.part())
        messages.success(request, "Saved.")
        return redirect("campaign-pay", campaign.pk)
    context = {"campaign": campaign, "tab": "people", "form": form, "pay": pay_of(campaign)}
    status = 422 if form.errors else 200
    return render(request, "judgments/pay.html", context, status=status)


@login_required
@require_GET
def campaign_pay_file(request, campaign_id):
    """The table of the page as CSV, hours with four decimals."""
    pay = pay_of(access.managed_campaign(request.user, campaign_id))
    currency = pay.rate.currency if pay.rate else ""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["annotator", "items", "batches", "hours", "amount", "wage", "currency"])
    for each in pay.people:
        counts = [each.judged, each.batches, f"{each.hours:.4f}"]
        money = [each.amount, each.wage, guarded(currency)]
        writer.writerow([guarded(each.alias), *counts, *money])
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="pay.csv"'
    return response
