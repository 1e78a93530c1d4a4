"""What annotators earn, for the owners of a campaign."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.files.csv_files import csv_file
from judgments.models import PaymentKind
from judgments.people import access
from judgments.people.staffing.forms import BonusForm, PayForm, PaymentForm
from judgments.people.staffing.pay import pay_of
from judgments.people.staffing.payments import add_bonus, approve, mark_paid, payments_of
from judgments.people.staffing.settings import staffing_of
from judgments.web.audit.acting import acting

from .views import settled


@login_required
@require_http_methods(["GET", "POST"])
def campaign_pay(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = PayForm(campaign, request.POST if request.method == "POST" else None)
    shown = {
        "pay": pay_of(campaign),
        "bonus": BonusForm(campaign),
        "bonuses": payments_of(campaign)
        .filter(kind=PaymentKind.BONUS)
        .select_related("membership"),
        "has_prolific": bool(settings.PROLIFIC_TOKEN),
    }
    return settled(request, campaign, form, "judgments/people/pay.html", "Saved.", **shown)


@login_required
@require_POST
def campaign_payments(request, campaign_id):
    """Approve what is due to some annotators, or note that what was approved is paid."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = PaymentForm(campaign, request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(said[0]) for said in form.errors.values()))
        return redirect("campaign-pay", campaign.pk)
    people = {each.pk for each in form.cleaned_data["people"]}
    with acting(request):
        if form.cleaned_data["act"] == "approve":
            n = approve(campaign, people, request.user)
            done = f"Approved for {n} annotator{pluralize(n)}."
        else:
            n = mark_paid(campaign, people, timezone.now())
            done = f"{n} sum{pluralize(n)} marked as paid."
    messages.success(request, done)
    return redirect("campaign-pay", campaign.pk)


@login_required
@require_POST
def campaign_bonus(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = BonusForm(campaign, request.POST)
    rate = staffing_of(campaign).pay
    if rate is None:
        messages.error(request, "First enter what is paid, and in which currency.")
    elif not form.is_valid():
        said = [f"{form[name].label}: {each[0]}" for name, each in form.errors.items()]
        messages.error(request, f"No bonus was added. {' '.join(said)}")
    else:
        data = form.cleaned_data
        with acting(request):
            add_bonus(data["member"], data["sum"], data["reason"], request.user)
        messages.success(request, f"Bonus for {data['member'].alias} approved.")
    return redirect("campaign-pay", campaign.pk)


@login_required
@require_GET
def campaign_pay_file(request, campaign_id):
    """Return the table of the page as CSV, hours with four decimals."""
    pay = pay_of(access.managed_campaign(request.user, campaign_id))
    currency = pay.rate.currency if pay.rate else ""
    head = ["annotator", "items", "batches", "hours", "amount", "wage", "currency"]
    head += ["due", "approved", "paid", "bonus"]
    rows = [
        (
            *(each.alias, each.judged, each.batches, f"{each.hours:.4f}"),
            *(each.amount, each.wage, currency),
            *(each.due, each.approved, each.paid, each.bonus),
        )
        for each in pay.people
    ]
    return csv_file("pay.csv", head, rows)
