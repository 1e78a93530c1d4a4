"""Quality of annotators' work, and exclusions from the results."""

from collections import Counter
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from judgments.models.quality_control import THRESHOLDS
from judgments.people import access, devices
from judgments.quality.control_items import page as control_items_page
from judgments.quality.decisions.forms import DecisionForm, all_who_judged
from judgments.quality.rules import verdicts
from judgments.quality.rules.forms import LeaveOutForm, RuleForm
from judgments.quality.rules.hold import usual_hold
from judgments.quality.rules.verdicts import write_rule
from judgments.results.observations import observations
from judgments.results.segments.links import to_judged
from judgments.results.selection import decisions, from_address
from judgments.results.selection.selection import Selection
from judgments.web.audit.acting import acting
from judgments.web.tables import in_a_sentence

from ..decisions.views import decided
from . import figures
from . import page as rules_page

ANNOTATORS_ON_A_PAGE = 50


@login_required
@require_GET
def quality(request, campaign_id):
    selection = from_address.selected(request, campaign_id, ("dimension", "page", "decide", "of"))
    return quality_page(request, selection, slug=request.GET.get("dimension"))


@login_required
@require_POST
def quality_decide(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = DecisionForm(campaign, all_who_judged(campaign), request.POST, prefix="decision")
    if decided(request, campaign, form):
        return redirect("quality", campaign.pk)
    selection = Selection.of(campaign)
    return quality_page(request, selection, decision_form=form, status=422)


@login_required
@require_POST
def quality_rule(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = RuleForm(request.POST, prefix="rule")
    if not form.is_valid():
        selection = Selection.of(campaign)
        return quality_page(request, selection, rule_form=form, status=422)
    with acting(request):
        write_rule(campaign, **form.cleaned_data, by=request.user)
    messages.success(request, _("The rule is recorded, with the date."))
    return redirect("quality", campaign.pk)


@login_required
@require_POST
def quality_leave_out(request, campaign_id):
    """Exclude all annotators who fail the rule; the first request shows who they are."""
    campaign = access.managed_campaign(request.user, campaign_id)
    report = figures.quality(Selection.of(campaign))
    chosen, rule = verdicts.to_leave_out(campaign, report), campaign.quality_rules.last()
    asked = {"rule": rule.pk if rule else 0, "users": ",".join(str(each.user) for each in chosen)}
    if not chosen:
        messages.info(request, _("The rule leaves out nobody who still counts."))
        return redirect("quality", campaign.pk)
    form = LeaveOutForm(request.POST if "users" in request.POST else None, initial=asked)
    known = form.is_bound and {name: str(form.data.get(name)) for name in asked}
    is_same = known == {name: str(value) for name, value in asked.items()}
    if form.is_bound and not is_same:
        messages.warning(request, _("More was judged in the meantime: check the list again."))
        form = LeaveOutForm(initial=asked)
    if form.is_bound and form.is_valid():
        with acting(request):
            n = verdicts.leave_out_by_rule(campaign, chosen, by=request.user)
        left = ngettext(
            "%(n)s annotator is left out by the rule. The history keeps the reasons.",
            "%(n)s annotators are left out by the rule. The history keeps the reasons.",
            n,
        )
        messages.success(request, left % {"n": n})
        return redirect("quality", campaign.pk)
    context = {"campaign": campaign, "tab": "quality", "chosen": chosen, "form": form, "rule": rule}
    status = 422 if form.is_bound else 200
    return render(request, "judgments/quality/quality_leave_out.html", context, status=status)


def quality_page(request, selection, *, slug=None, decision_form=None, rule_form=None, status=200):
    campaign = selection.campaign
    dimensions = observations.dimensions_of(campaign)
    chosen = next((d for d in dimensions if d.slug == slug), dimensions[0] if dimensions else None)
    slug = chosen.slug if chosen else None
    report = figures.quality(selection, slug)
    page = Paginator(report.annotators, ANNOTATORS_ON_A_PAGE).get_page(request.GET.get("page"))
    in_force = [d for d in campaign.decisions.latest_of_each() if d.excluded]
    latest = {d.annotator_id: d for d in in_force if d.dimension == slug}
    latest |= {d.annotator_id: d for d in in_force if not d.dimension}
    rule = campaign.quality_rules.last()
    names = ("text", *THRESHOLDS, "hold_after")
    initial = {name: getattr(rule, name) for name in names} if rule else {}
    if rule is None:
        initial["hold_after"] = usual_hold(campaign)
    asked = {"annotator": request.GET.get("decide"), "dimension": request.GET.get("of")}
    may_manage = access.may_manage(request.user, campaign)
    by_rule, failing = ruled(selection, rule)
    context = {
        "campaign": campaign,
        "selection": selection,
        "tab": "quality",
        "report": report,
        "dimension_name": in_a_sentence(report.name),
        "dimensions": dimensions,
        "page": page,
        "query": other_query(request),
        "verdicts": [
            (
                a,
                latest.get(a.user),
                rules_page.VERDICTS[a.control.verdict],
                rules_page.flags(a),
                by_rule.get(a.user),
                to_judged(selection.everyone, a.alias),
            )
            for a in page
        ],
        "found": rules_page.section(lambda: report, slug, report.name),
        "figures": of_page(
            rules_page.figures_section(selection, lambda: report, slug, report.name),
            page,
        ),
        "comparison": rules_page.comparison_section(selection) if selection.decided else None,
        "decisions": replace(decisions.decision_section(selection), folded=True),
        "items_out": items_out(selection),
        "more": control_items_page.of_report(selection, report),
        "rule": rule,
        "failing": failing,
        "may_manage": may_manage,
        "is_shared": may_manage and devices.shared_marks(campaign).exists(),
        "decides": decision_form is not None or "decide" in request.GET,
        "decision_form": decision_form
        or DecisionForm(campaign, report, prefix="decision", initial=asked),
        "rule_form": rule_form or RuleForm(prefix="rule", initial=initial),
    }
    return render(request, "judgments/quality/quality.html", context, status=status)


def ruled(selection, rule):
    """Return, by user, the verdict of the rule, and how many of those who fail are still included;
    nothing without a rule with thresholds."""
    if rule is None or not rule.thresholds:
        return {}, 0
    report = figures.quality(selection)  # on the first dimension
    found = verdicts.verdicts_of(selection.campaign, report)
    return found, len(verdicts.to_leave_out(selection.campaign, report))


def items_out(selection) -> list[tuple[str, int]]:
    """Return the reasons why segments and translations are excluded, and how many for each, most
    first."""
    found = selection.campaign.removed_items.latest_of_each()
    return Counter(each.reason for each in found if each.removed).most_common()


def of_page(section, page):
    """Return the section with the rows of its tables, one for each annotator, that belong to a
    page."""
    start, stop = page.start_index() - 1 if page.paginator.count else 0, page.end_index()

    def cut(make):
        return lambda: make().part(start, stop)

    tables = [replace(lazy, make=cut(lazy.make)) for lazy in section.tables]
    return replace(section, tables=tables)


def other_query(request) -> str:
    """Return the query string without the page number."""
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()
