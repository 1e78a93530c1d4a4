"""A baseline system of a test set: the form that requests it, and its progress."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.people import access
from judgments.web.audit.acting import acting
from metrics.lessons.baseline_jobs import texts, work
from metrics.lessons.baseline_jobs.forms import BaselineForm
from metrics.models import BaselineJob

from . import tasks as baseline_jobs_tasks

# Time after which a page says that perhaps no worker is running, or that it has died.
STANDING_STILL = timedelta(minutes=2)


@login_required
@require_http_methods(["GET", "POST"])
def baseline(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    posted = request.POST if request.method == "POST" else None
    form = BaselineForm(test_set, posted, user=request.user)
    if form.is_valid():
        try:
            with acting(request):
                job = work.create_job(test_set, by=request.user, **form.cleaned_data)
                baseline_jobs_tasks.run_baseline.enqueue(job.pk)
        except work.BaselineRefused as reason:
            messages.warning(request, str(reason))
        return redirect("baseline", test_set.pk)
    context = {
        "test_set": test_set,
        "form": form,
        "reason": texts.why_not(test_set) or form.reason,
        "campaigns": test_set.campaigns.of_people().filter(tasks__isnull=False).distinct(),
        **job_context(test_set.baseline_jobs.select_related("system").first()),
    }
    status = 422 if form.errors else 200
    return render(request, "metrics/baseline.html", context, status=status)


def job_context(job: BaselineJob | None) -> dict:
    """Return the context of the fragment with a job's progress."""
    since = timezone.now() - STANDING_STILL
    stands_still = job is not None and job.is_active and job.moved_at < since
    return {"job": job, "stands_still": stands_still}


@login_required
@require_GET
def baseline_progress(request, test_set_id, baseline_job_id):
    """Return the fragment that the page polls every second."""
    test_set = access.managed_test_set(request.user, test_set_id)
    jobs = test_set.baseline_jobs.select_related("system")
    context = {"test_set": test_set, **job_context(get_object_or_404(jobs, pk=baseline_job_id))}
    if context["job"].is_active:
        return render(request, "metrics/_baseline_status.html", context)
    response = render(request, "metrics/_baseline_job.html", context)
    response["HX-Retarget"] = "#baseline-job"
    return response


@login_required
@require_POST
def baseline_cancel(request, test_set_id, baseline_job_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    job = get_object_or_404(test_set.baseline_jobs, pk=baseline_job_id)
    with acting(request):
        is_cancelled = work.cancel(job)
    if is_cancelled:
        messages.success(request, _("Cancelled. Nothing was added."))
    else:
        messages.info(request, _("There was nothing left to cancel."))
    return redirect("baseline", test_set.pk)
