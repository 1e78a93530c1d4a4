"""Models as judges of a campaign: created, priced, agreed to, watched, and stopped."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.files.attachments import streamed
from judgments.models import Item, Judge, JudgeStatus, TestSet
from judgments.people import access
from judgments.plans.errors import PlanError
from judgments.protocols import protocol_of
from judgments.web.audit.acting import acting

from . import endpoints, price, set_up
from .forms import AgreedForm, JudgeForm, LeavingForm
from .prompts import PROMPTS
from .questions import screen_for
from .records import lines_of
from .runs import JUDGES
from .tasks import run_judge

LOST = 180  # seconds without a sign of a worker


def judge_of(campaign, judge_id: int) -> Judge:
    return get_object_or_404(campaign.judges.select_related("answers__test_set"), pk=judge_id)


@login_required
@require_GET
def campaign_judges(request, campaign_id):
    campaign = access.readable_campaign(request.user, campaign_id)
    judges = list(campaign.judges.select_related("answers"))
    costs = price.spent_by(judges)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "rows": [(judge, costs[judge.pk], PROMPTS.get(judge.prompt)) for judge in judges],
        "why_not": set_up.why_not(campaign),
        "endpoints": endpoints.names(),
        "may_manage": access.may_manage(request.user, campaign),
        "may_switch": access.may_manage_test_set(request.user, campaign.test_set),
    }
    return render(request, "judgments/judges/judges.html", context)


@login_required
@require_POST
def campaign_judges_leave(request, campaign_id):
    """Set whether the texts of the test set may be sent to endpoints; only its owner may allow
    it."""
    campaign = access.managed_campaign(request.user, campaign_id)
    test_set = access.managed_test_set(request.user, campaign.test_set_id)
    form = LeavingForm(request.POST)
    form.is_valid()
    with acting(request):
        may_leave = form.cleaned_data["may_leave"]
        TestSet.objects.filter(pk=test_set.pk).update(may_leave=may_leave)
    words = "may be sent to models" if may_leave else "stay on this site"
    messages.success(request, f"The texts of {test_set.name} {words}.")
    return redirect("campaign-judges", campaign.pk)


@login_required
@require_http_methods(["GET", "POST"])
def campaign_judge_new(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    if reason := set_up.why_not(campaign):
        messages.error(request, reason)
        return redirect("campaign-judges", campaign.pk)
    form = JudgeForm(campaign, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            with acting(request):
                judge = form.save(commit=False)
                segments = form.cleaned_data["segments"]
                set_up.make(campaign, judge, segments=segments)
        except PlanError as reason:
            form.add_error(None, str(reason))
        else:
            return redirect(judge)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "form": form,
        "endpoints": endpoints.names(),
    }
    return render(request, "judgments/judges/judge_new.html", context)


@never_cache
@login_required
@require_GET
def campaign_judge(request, campaign_id, judge_id):
    """Show how far a judge is and what it cost; before its start, the forecast price and the first
    request."""
    campaign = access.readable_campaign(request.user, campaign_id)
    judge = judge_of(campaign, judge_id)
    context: dict[str, Any] = {
        "campaign": campaign,
        "tab": "overview",
        "judge": judge,
        "prompt": PROMPTS.get(judge.prompt),
        "spent": price.spent(judge),
        "n_done": judge.raw_answers.filter(is_last=True).count(),
        "n_judged": judge.raw_answers.exclude(judgment=None).count(),
        "n_items": Item.objects.filter(task__campaign=judge.answers).count(),
        "may_manage": access.may_manage(request.user, campaign),
        "is_lost": judge.is_at_work and is_lost(judge),
    }
    if not request.htmx:
        context |= {"forecast": price.forecast(judge), **first_request(judge)}
        context["is_too_dear"] = context["forecast"].cost > judge.budget
        context["minutes"] = minutes_left(judge, context["forecast"])
    context["percent"] = 100 * context["n_done"] // max(context["n_items"], 1)
    response = render(request, "judgments/judges/judge.html", context)
    if request.htmx and not judge.is_at_work:
        response["HX-Refresh"] = "true"  # the rest of the page has changed
    return response


def is_lost(judge: Judge) -> bool:
    moved = judge.moved_at or judge.agreed_at or judge.created_at
    return (timezone.now() - moved).total_seconds() > LOST


def minutes_left(judge: Judge, forecast: price.JudgePrice) -> float:
    """Return the time left from the limits of requests and tokens, and from the time of an
    answer."""
    n_requests = forecast.n_left * max(len(PROMPTS[judge.prompt].steps), 1)
    share = forecast.n_left / max(forecast.n_items, 1)
    return max(
        n_requests / judge.requests_a_minute,
        forecast.tokens_in * share / judge.tokens_a_minute,
        n_requests * price.mean_seconds(judge) / 60 / judge.at_once,
    )


def first_request(judge: Judge) -> dict[str, Any]:
    """Return the messages about the first item, as they are sent."""
    item = Item.objects.filter(task__campaign=judge.answers).order_by("task", "position").first()
    prompt = PROMPTS.get(judge.prompt)
    if item is None or prompt is None:
        return {}
    screen = screen_for(protocol_of(judge.answers), item)
    return {"messages_sent": prompt.steps[0](screen, ()).messages}


@login_required
@require_POST
def campaign_judge_start(request, campaign_id, judge_id):
    """Start or continue a judge at the price that was shown."""
    campaign = access.managed_campaign(request.user, campaign_id)
    judge = judge_of(campaign, judge_id)
    form = AgreedForm(request.POST)
    if problem := why_not_start(judge, form):
        messages.error(request, problem)
        return redirect(judge)
    with acting(request):
        judge.status, judge.message = JudgeStatus.QUEUED, ""
        judge.agreed_price, judge.agreed_by = price.forecast(judge).left, request.user
        judge.agreed_at = judge.moved_at = timezone.now()
        judge.save()
        run_judge.enqueue(judge.pk)
    return redirect(judge)


def why_not_start(judge: Judge, form: AgreedForm) -> str:
    """Return why a judge cannot start; "" if it can."""
    if not form.is_valid():
        return "Agree to the price that the page shows."
    if judge.is_at_work and not is_lost(judge):
        return "It is already running."
    test_set = judge.answers.test_set
    if not test_set.may_leave:
        return (
            f"The texts of {test_set.name} may not leave this site. Its owner can allow it on the "
            "page Judges."
        )
    if judge.endpoint not in endpoints.names():
        return f"The operator of this site no longer lists the endpoint {judge.endpoint}."
    left, shown = price.forecast(judge).left, form.cleaned_data["price"]
    if abs(left - shown) > max(left, shown) / 10 + Decimal("0.001"):
        return "The price has changed since it was shown. Look at it again."
    return ""


@login_required
@require_POST
def campaign_judge_cancel(request, campaign_id, judge_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    judge = judge_of(campaign, judge_id)
    with acting(request):
        judge = Judge.objects.select_for_update(of=("self",), no_key=True).get(pk=judge.pk)
        was_at_work = judge.is_at_work
        if was_at_work:
            judge.status, judge.finished_at = JudgeStatus.CANCELLED, timezone.now()
            judge.save(update_fields=["status", "finished_at"])
            if not JUDGES.is_taken(judge.pk):
                set_up.close_for(judge)
    if was_at_work:
        messages.success(request, f"{judge.name} is stopping. What it has judged stays.")
    else:
        messages.info(request, f"{judge.name} had already stopped.")
    return redirect(judge)


@login_required
@require_POST
def campaign_judge_delete(request, campaign_id, judge_id):
    """Delete a judge that has not judged anything."""
    campaign = access.managed_campaign(request.user, campaign_id)
    judge = judge_of(campaign, judge_id)
    try:
        with acting(request):
            set_up.delete(judge)
    except PlanError as reason:
        messages.error(request, str(reason))
        return redirect(judge)
    messages.success(request, f"{judge.name} was deleted.")
    return redirect("campaign-judges", campaign.pk)


@login_required
@require_GET
def campaign_judge_answers(request, campaign_id, judge_id):
    """Return all raw answers, one line of JSON each."""
    campaign = access.readable_campaign(request.user, campaign_id)
    judge = judge_of(campaign, judge_id)
    return streamed(lines_of(judge), "application/jsonl", f"judge-{judge.pk}-answers.jsonl")
