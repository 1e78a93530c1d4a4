"""Returning a batch by its annotator."""

from contextlib import suppress

from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from judgments.judging import queue
from judgments.people import access
from judgments.people.workload.work import work_of
from judgments.protocols import protocol_of


@never_cache
@login_required
@require_POST
def judge_return(request, campaign_id):
    """Return a batch to the others; ask again if a part of it is judged."""
    membership = access.annotator(request.user, campaign_id)
    begun = {key: task for key, task, _, _ in work_of(membership).begun}
    key = request.POST.get("batch", "")
    task = begun.get(key)
    if task is None:  # it was returned before, or is finished
        return redirect("judge", campaign_id)
    if task.n_judged and "confirm" not in request.POST:
        context = {
            "campaign": membership.campaign,
            "task": task,
            "key": key,
            "hides_progress": protocol_of(membership.campaign).options.hidden_progress,
        }
        return render(request, "judgments/judging/return.html", context)
    with suppress(queue.NotYours):
        queue.give_up(membership, task.pk)
    return redirect(reverse("judge", args=[campaign_id], query={"back": 1}))
