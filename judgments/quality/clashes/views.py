"""The list of annotators' clashes, a page for each clash, and comments on it."""

import numpy as np
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from judgments.models import ClashMark
from judgments.people import access
from judgments.plans.adjudication import adjudicate, may_be_adjudicated
from judgments.plans.design import PlanError
from judgments.quality.clashes import page as pages
from judgments.quality.clashes.figures import clashes as found_clashes
from judgments.quality.clashes.forms import ClashMarkForm, ThirdForm
from judgments.results.selection.selection import Selection
from judgments.web.audit.acting import acting

ON_A_PAGE = 50
MOST_MARKS = 100
SHOWN = ("all", "new", "flagged")


@login_required
@require_GET
def clashes(request, campaign_id):
    """List clashes. `?show=`: all of them, those that nobody has reviewed, or flagged ones."""
    return clashes_page(request, access.readable_campaign(request.user, campaign_id))


def clashes_page(request, campaign, *, form=None, status=200):
    report = found_clashes(Selection.of(campaign))
    marks = pages.marks_of(campaign)
    show = request.GET.get("show") if request.GET.get("show") in SHOWN else "all"
    listed = [
        clash
        for clash in report.clashes
        if show == "all" or (clash.key not in marks) == (show == "new")
    ]
    if show == "flagged":
        listed = [clash for clash in listed if marks[clash.key].is_flagged]
    page = Paginator(listed, ON_A_PAGE).get_page(request.GET.get("page"))
    known = {clash.key for clash in report.clashes}
    names = pages.question_names(campaign)
    thirds = pages.third_of(campaign)
    may_ask = access.may_manage(request.user, campaign) and may_be_adjudicated(campaign)
    context = {
        "campaign": campaign,
        "tab": "watch",
        "report": report,
        "lead": pages.lead(report),
        "page": page,
        "query": "" if show == "all" else f"show={show}",
        "show": show,
        "rows": [
            (
                clash,
                pages.size_short(clash, report.measure),
                names.get(clash.dimension, clash.dimension),
                marks.get(clash.key),
                thirds.get(clash.key, ()),
            )
            for clash in page
        ],
        "form": form or (ThirdForm(campaign) if may_ask and report.clashes else None),
        "ticked": request.POST.getlist("clash"),
        "has_thirds": bool(thirds),
        "n_new": sum(key not in marks for key in known),
        "n_flagged": sum(key in marks and marks[key].is_flagged for key in known),
        "flagged": [mark for mark in marks.values() if mark.is_flagged],
    }
    return render(request, "judgments/quality/clashes.html", context, status=status)


@login_required
@require_POST
def clash_third(request, campaign_id):
    """Ask a third person about the selected clashes."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = ThirdForm(campaign, request.POST)
    ticked = set(request.POST.getlist("clash"))
    chosen = [
        clash for clash in found_clashes(Selection.of(campaign)).clashes if clash.key in ticked
    ]
    if form.is_valid() and (not chosen or len(chosen) < len(ticked)):
        form.add_error(None, "Tick clashes that are on the list.")
    if form.is_valid():
        disputed, third = pages.disputed_of(campaign, chosen), form.cleaned_data["third"]
        rng = np.random.default_rng()
        try:
            with acting(request):
                task = adjudicate(campaign, disputed, third, by=request.user, rng=rng)
        except PlanError as problem:
            form.add_error(None, str(problem))
    if not form.is_valid():
        return clashes_page(request, campaign, form=form, status=422)
    messages.success(request, f"{third.alias} has {task.n_items:,} more items to judge.")
    return redirect("clashes", campaign.pk)


@login_required
@require_GET
def clash(request, campaign_id, key):
    campaign = access.readable_campaign(request.user, campaign_id)
    return clash_page(request, campaign, key)


def clash_page(request, campaign, key, *, form=None, status=200):
    detail = pages.detail(campaign, key)
    if detail is None:
        raise Http404("There is no such clash.")
    report = found_clashes(Selection.of(campaign))
    keys = [each.key for each in report.clashes]
    place = keys.index(key) if key in keys else None
    marks = campaign.clash_marks.filter(key=key).select_related("marked_by").order_by("-pk")
    history = list(marks[:MOST_MARKS])
    last = history[:1]
    context = {
        "campaign": campaign,
        "tab": "watch",
        "may_manage": access.may_manage(request.user, campaign),
        "detail": detail,
        "place": None if place is None else place + 1,
        "n_clashes": len(keys),
        "title": ""
        if place is None
        else pages.title(campaign, report.clashes[place], report.measure),
        "before": keys[place - 1] if place else None,
        "after": keys[place + 1] if place is not None and place + 1 < len(keys) else None,
        "history": history,
        "form": form or ClashMarkForm(initial={"is_flagged": any(m.is_flagged for m in last)}),
    }
    return render(request, "judgments/quality/clash.html", context, status=status)


@login_required
@require_POST
def clash_mark(request, campaign_id, key):
    """Mark a clash as reviewed or flagged, for readers of the results."""
    campaign = access.readable_campaign(request.user, campaign_id)
    if pages.detail(campaign, key) is None:
        raise Http404("There is no such clash.")
    form = ClashMarkForm(request.POST)
    if not form.is_valid():
        return clash_page(request, campaign, key, form=form, status=422)
    with acting(request):
        ClashMark.objects.create(
            campaign=campaign, key=key, marked_by=request.user, **form.cleaned_data
        )
    messages.success(
        request, "Flagged." if form.cleaned_data["is_flagged"] else "Marked as reviewed."
    )
    return redirect("clash", campaign.pk, key)
