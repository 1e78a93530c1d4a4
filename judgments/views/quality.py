"""How carefully annotators judged, and whose judgments the results leave out."""

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from judgments import access, reports, results
from judgments.forms.quality import DecisionForm, RuleForm
from judgments.quality.decisions import AlreadyDecided, decide, write_rule


@login_required
@require_GET
def quality(request, campaign_id):
    selection = access.selected(request, campaign_id)
    return quality_page(request, selection, slug=request.GET.get("dimension"))


@login_required
@require_POST
def quality_decide(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = DecisionForm(
        campaign, results.quality(results.Selection.of(campaign)), request.POST, prefix="decision"
    )
    if form.is_valid():
        annotator = get_user_model().objects.get(pk=form.cleaned_data["annotator"])
        try:
            decision = decide(
                campaign,
                annotator,
                excluded=form.leaves_out,
                reason=form.cleaned_data["reason"],
                by=request.user,
            )
        except AlreadyDecided as problem:
            form.add_error("action", f"This annotator is {problem}.")
        else:
            done = "left out of the results" if decision.excluded else "included again"
            messages.success(request, f"The annotator is {done}. The history keeps the reason.")
            return redirect("quality", campaign.pk)
    selection = results.Selection.of(campaign)
    return quality_page(request, selection, decision_form=form, status=422)


@login_required
@require_POST
def quality_rule(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = RuleForm(request.POST, prefix="rule")
    if not form.is_valid():
        selection = results.Selection.of(campaign)
        return quality_page(request, selection, rule_form=form, status=422)
    write_rule(campaign, **form.cleaned_data, by=request.user)
    messages.success(request, "The rule is recorded, with the date.")
    return redirect("quality", campaign.pk)


def quality_page(request, selection, *, slug=None, decision_form=None, rule_form=None, status=200):
    campaign = selection.campaign
    dimensions = results.dimensions_of(campaign)
    known = [dimension.slug for dimension in dimensions]
    report = results.quality(selection, slug if slug in known else None)
    words = reports.quality
    latest = {d.annotator_id: d for d in campaign.decisions.latest_of_each()}
    rule = campaign.quality_rules.last()
    initial = {"text": rule.text, "seconds_per_word": rule.seconds_per_word} if rule else None
    asked = {"annotator": request.GET.get("decide")}
    context = {
        "campaign": campaign,
        "selection": selection,
        "tab": "quality",
        "report": report,
        "dimensions": dimensions,
        "lead": words.lead(report),
        "trust": words.trust(report),
        "chart": words.control_chart(report),
        "people": [
            (a, latest.get(a.user), words.VERDICTS[a.control.verdict], words.flags(a))
            for a in report.annotators
        ],
        "tables": [
            make(report) for make in (words.control_table, words.repeat_table, words.habit_table)
        ],
        "comparison": words.comparison_table(selection),
        "decisions": words.decision_table(selection),
        "rule": rule,
        "may_manage": access.may_manage(request.user, campaign),
        "decision_form": decision_form
        or DecisionForm(campaign, report, prefix="decision", initial=asked),
        "rule_form": rule_form or RuleForm(prefix="rule", initial=initial),
    }
    return render(request, "judgments/quality.html", context, status=status)
