"""Scores of a test set: the table, the form that asks for more, and the job's progress."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from judgments import access
from judgments.models import TestSet
from metrics import jobs, tasks
from metrics.forms.scoring import ScoringForm
from metrics.models import JobStatus, ScoringJob
from metrics.tables import score_table

# After so long a page says that perhaps no worker is running.
QUEUED_TOO_LONG = timedelta(seconds=10)
STANDING_STILL = timedelta(minutes=2)


@login_required
@require_GET
def test_set_metrics(request, test_set_id):
    test_set = access.readable_test_set(request.user, test_set_id)
    return render_metrics(request, test_set)


def render_metrics(request, test_set: TestSet, form: ScoringForm | None = None, status: int = 200):
    job = test_set.scoring_jobs.first()
    may_score = access.may_manage_test_set(request.user, test_set)
    if may_score and form is None:
        form = ScoringForm(test_set, user=request.user)
    context = {
        "test_set": test_set,
        "table": score_table(test_set),
        "form": form,
        "may_score": may_score,
        **job_context(job),
    }
    return render(request, "metrics/test_set_metrics.html", context, status=status)


def job_context(job: ScoringJob | None) -> dict:
    """What the fragment of a job's progress needs."""
    if job is None:
        return {"job": None}
    waited = timezone.now() - (job.moved_at or job.created_at)
    return {
        "job": job,
        "no_worker": job.status == JobStatus.QUEUED and waited > QUEUED_TOO_LONG,
        "stands_still": job.status == JobStatus.RUNNING and waited > STANDING_STILL,
    }


@login_required
@require_POST
def score_start(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    form = ScoringForm(test_set, request.POST, user=request.user)
    if not form.is_valid():
        return render_metrics(request, test_set, form, status=422)
    try:
        job = jobs.create_job(
            test_set, form.cleaned_data["choices"], form.cleaned_data["references"], request.user
        )
    except jobs.JobRunning as error:
        messages.warning(request, str(error))
        return redirect("test-set-metrics", test_set.pk)
    except ValueError as error:
        form.add_error(None, str(error))
        return render_metrics(request, test_set, form, status=422)
    tasks.enqueue(job)
    return redirect("test-set-metrics", test_set.pk)


@login_required
@require_GET
def score_progress(request, test_set_id, job_id):
    """The fragment that a page asks for every second; a job that has ended reloads the page."""
    test_set = access.readable_test_set(request.user, test_set_id)
    job = get_object_or_404(test_set.scoring_jobs, pk=job_id)
    context = {
        "test_set": test_set,
        "may_score": access.may_manage_test_set(request.user, test_set),
        **job_context(job),
    }
    response = render(request, "metrics/_job.html", context)
    if not job.is_active:
        response["HX-Refresh"] = "true"
    return response


@login_required
@require_POST
def score_cancel(request, test_set_id, job_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    job = get_object_or_404(test_set.scoring_jobs, pk=job_id)
    if jobs.cancel(job.pk):
        messages.success(request, "Cancelled. What was computed is kept.")
    else:
        messages.info(request, "There was nothing left to cancel.")
    return redirect("test-set-metrics", test_set.pk)


@login_required
@require_POST
def score_retry(request, test_set_id, job_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    job = get_object_or_404(test_set.scoring_jobs, pk=job_id)
    if jobs.reopen(job.pk):
        tasks.enqueue(job)
    else:
        messages.info(request, "This job is done; there is nothing to compute again.")
    return redirect("test-set-metrics", test_set.pk)
