"""Scores of a test set: the table, the form to request more, and the job's progress."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from judgments.models import JobStatus, TestSet
from judgments.people import access
from judgments.web.audit.acting import acting
from judgments.web.extension_points import registered
from metrics.models import ScoringJob
from metrics.scores.comparisons import UNITS
from metrics.scores.control_words import control_words
from metrics.scores.forms import ScoringForm
from metrics.scores.overview import overview
from metrics.scores.tables import ScoreTable, score_table
from metrics.scoring import jobs
from metrics.scoring import tasks as scoring_tasks

from . import tasks as scores_tasks

# Time after which a page says that perhaps no worker is running.
QUEUED_TOO_LONG = timedelta(seconds=10)
STANDING_STILL = timedelta(minutes=2)
JUST_NOW = timedelta(seconds=5)


@login_required
@require_GET
def test_set_metrics(request, test_set_id):
    test_set = access.readable_test_set(request.user, test_set_id)
    return render_metrics(request, test_set)


def render_metrics(request, test_set: TestSet, form: ScoringForm | None = None, status: int = 200):
    may_score = access.may_manage_test_set(request.user, test_set)
    if may_score and form is None:
        form = ScoringForm(test_set, user=request.user)
    table = score_table(test_set)
    context = {
        "form": form,
        "may_score": may_score,
        "year": next((part(request.user, table) for part in registered("score_page_parts")), None),
        **scores_context(request, table),
        **job_context(test_set.scoring_jobs.first()),
    }
    return render(request, "metrics/test_set_metrics.html", context, status=status)


def scores_context(request: HttpRequest, table: ScoreTable) -> dict:
    """Return the context of the fragment with the table of scores."""
    test_set = table.test_set
    view = overview(
        table,
        unit=request.GET.get("unit", ""),
        by=request.GET.get("by", ""),
        show=request.GET.getlist("show"),
    )
    is_coming = view.is_untested and (
        scores_tasks.are_comparisons_coming(test_set.pk, view.unit) or just_ended(test_set)
    )
    show = [("show", column.slug) for column in view.shown]
    return {
        "test_set": test_set,
        "table": view.table,
        "view": view,
        "rows": view.rows(),
        "controls": control_words(table),
        "is_coming": is_coming,
        "may_score": access.may_manage_test_set(request.user, test_set),
        # For links that change one setting and keep the others.
        "shown_query": urlencode(show if len(view.shown) < len(view.table.columns) else []),
        "query": view_query(request),
    }


def just_ended(test_set: TestSet) -> bool:
    """Return whether a job has ended so recently that its worker may be about to test the
    differences."""
    since = timezone.now() - JUST_NOW
    return test_set.scoring_jobs.filter(finished_at__gt=since).exists()


def view_query(request: HttpRequest) -> str:
    """Return the view settings of the URL, for the parts of the page that reload themselves."""
    known = [(name, v) for name, v in request.GET.lists() if name in ("unit", "by", "show")]
    return urlencode(known, doseq=True)


def job_context(job: ScoringJob | None) -> dict:
    """Return the context of the fragment with a job's progress."""
    if job is None:
        return {"job": None}
    waited = timezone.now() - job.moved_at
    return {
        "job": job,
        "progress": jobs.progress_of(job) if job.status != JobStatus.DONE else [],
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
    asked = form.cleaned_data
    try:
        with acting(request):
            job = jobs.create_job(test_set, asked["choices"], asked["references"], request.user)
            scoring_tasks.enqueue(job)
    except jobs.JobRunning as error:
        messages.warning(request, str(error))
        return redirect("test-set-metrics", test_set.pk)
    except ValueError as error:
        form.add_error(None, str(error))
        return render_metrics(request, test_set, form, status=422)
    return redirect("test-set-metrics", test_set.pk)


@login_required
@require_GET
def score_progress(request, test_set_id, job_id):
    """Return the fragment that a page polls every second: the job's progress, and the table if
    there are more scores than the page has `seen`. For an ended job, both are final."""
    test_set = access.readable_test_set(request.user, test_set_id)
    job = get_object_or_404(test_set.scoring_jobs, pk=job_id)
    context = {
        "test_set": test_set,
        "may_score": access.may_manage_test_set(request.user, test_set),
        "query": view_query(request),
        **job_context(job),
    }
    has_more = request.GET.get("seen") != str(job.done)
    if has_more or not job.is_active:
        context |= scores_context(request, score_table(test_set)) | {"with_scores": True}
    response = render(request, "metrics/_progress.html", context)
    if not job.is_active:
        response["HX-Retarget"] = "#job"
        response["HX-Reswap"] = "outerHTML"
    return response


@login_required
@require_GET
def score_fragment(request, test_set_id):
    """Return only the table, which a page polls while the differences are being tested."""
    test_set = access.readable_test_set(request.user, test_set_id)
    context = scores_context(request, score_table(test_set))
    return render(request, "metrics/_scores.html", context)


@login_required
@require_POST
def score_test(request, test_set_id):
    """Have the differences between systems tested."""
    test_set = access.managed_test_set(request.user, test_set_id)
    unit = request.POST.get("unit", "")
    unit = unit if unit in UNITS else UNITS[0]
    with acting(request):
        scores_tasks.enqueue_comparisons(test_set.pk, unit)
    messages.success(request, _("The differences are being tested and will appear in a moment."))
    return redirect(reverse("test-set-metrics", args=[test_set.pk]) + f"?unit={unit}")


@login_required
@require_POST
def score_cancel(request, test_set_id, job_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    job = get_object_or_404(test_set.scoring_jobs, pk=job_id)
    with acting(request):
        is_cancelled = jobs.cancel(job.pk)
    if is_cancelled:
        messages.success(request, _("Cancelled. Finished scores are kept."))
    else:
        messages.info(request, _("There was nothing left to cancel."))
    return redirect("test-set-metrics", test_set.pk)


@login_required
@require_POST
def score_retry(request, test_set_id, job_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    job = get_object_or_404(test_set.scoring_jobs, pk=job_id)
    try:
        with acting(request):
            is_open = jobs.reopen(job.pk)
            if is_open:
                scoring_tasks.enqueue(job)
    except jobs.JobRunning as error:
        messages.warning(request, str(error))
        return redirect("test-set-metrics", test_set.pk)
    if not is_open:
        messages.info(request, _("This job is done; there is nothing to compute again."))
    return redirect("test-set-metrics", test_set.pk)
