"""Tutorial items: annotators do them before their work, managers write them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from judgments.judging.practice import practice as tutorial
from judgments.judging.practice.draft import PracticeDraft
from judgments.judging.practice.gate import answered, gate_of, has_tries_left
from judgments.people import access
from judgments.people.staffing.settings import entry_step
from judgments.people.states import may_work
from judgments.web.audit.acting import acting

from ..views import screen_context


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge_practice(request, campaign_id, number):
    """Return one tutorial item; an answer is checked here, shown with what was expected, and not
    kept."""
    membership = access.annotator(request.user, campaign_id)
    campaign = membership.campaign
    if not campaign.is_open or entry_step(membership) or not may_work(membership):
        return redirect("judge", campaign_id)
    practices = list(campaign.practices.all())
    if not 1 <= number <= len(practices):
        raise Http404("There is no such tutorial item.")
    if number > membership.n_practiced + 1:
        return redirect("judge", campaign_id)  # which leads to the first that was not done
    practice = practices[number - 1]
    screen = tutorial.practice_screen(campaign, practice, number, len(practices), timezone.now())
    is_answer = request.method == "POST"
    form = screen.form(request.POST if is_answer else None)
    if is_answer and form.is_valid():
        checked = tutorial.check(form, practice.expected)
        if gate := gate_of(campaign):
            answered(membership, number, len(practices), checked)
        else:
            tutorial.practiced(membership, number)
        context = {
            "campaign": campaign,
            "test_set": campaign.test_set,
            "screen": screen,
            "practice": practice,
            "checked": checked,
            "n_wrong": sum(not each.is_right for each in checked),
            "is_last": number == len(practices),
            "gate": gate,
            "membership": membership,
            "may_try_again": has_tries_left(membership),
        }
        return render(request, "judgments/judging/feedback.html", context)
    base = reverse("judge", args=[campaign_id]) + "practice/"
    context = screen_context(screen, form, base, problem="incomplete" if is_answer else "")
    context |= {"is_practice": True, "gate": gate_of(campaign) if number == 1 else None}
    status = 400 if is_answer else 200
    return render(request, "judgments/judging/item.html", context, status=status)


@login_required
@require_GET
def campaign_practice(request, campaign_id):
    """Return the tutorial of a campaign: its items, each with a page of its own."""
    campaign = access.managed_campaign(request.user, campaign_id)
    items = [
        {
            "practice": practice,
            "expected": [
                (form[name].label, tutorial.expected_words(form, name, accepted))
                for name, accepted in practice.expected.items()
            ],
        }
        for practice in campaign.practices.all()
        for form in [tutorial.practice_screen(campaign, practice, 1, 1, None).form()]
    ]
    context = {"campaign": campaign, "tab": "overview", "items": items, "next": len(items) + 1}
    return render(request, "judgments/judging/practice.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def practice_item(request, campaign_id, number):
    """Return a tutorial item: its texts, and once these are stored what is expected. The number
    after the last is a new one's."""
    campaign = access.managed_campaign(request.user, campaign_id)
    rows = tutorial.rows_of(campaign)
    if not 1 <= number <= min(len(rows) + 1, tutorial.MOST):
        raise Http404("There is no such tutorial item.")
    draft = PracticeDraft(
        campaign, rows, number, request.POST if request.method == "POST" else None
    )
    status = 200
    if request.method == "POST":
        status = 422
        try:
            if draft.is_valid():
                with acting(request):
                    tutorial.replace(campaign, draft.items(), version=draft.version)
                messages.success(request, draft.said())
                return redirect(*draft.next_page())
        except tutorial.ReplacedMeanwhile:
            status = 409
            draft.begin_again(tutorial.version_of(campaign))
    context = {"campaign": campaign, "tab": "overview", "draft": draft, "number": number}
    return render(request, "judgments/judging/practice_item.html", context, status=status)
