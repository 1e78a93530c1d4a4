"""Scores come in from files, and go out as files."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from judgments.files import ImportProblem
from judgments.people import access
from judgments.web.audit.acting import acting
from judgments.web.heavy import heavy
from metrics.scores import exports
from metrics.scores.importing import ImportedScores, import_scores
from metrics.scores.upload_forms import ScoresForm

from . import tasks as scores_tasks


@login_required
@require_http_methods(["GET", "POST"])
def upload(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    posted = request.method == "POST"
    form = ScoresForm(test_set, request.POST if posted else None, request.FILES if posted else None)
    if form.is_valid():
        try:
            with acting(request):
                files = form.cleaned_data["files_of_scores"]
                imported = import_scores(test_set, files, form.instructions())
                scores_tasks.enqueue_comparisons(test_set.pk)
        except ImportProblem as problem:
            form.add_problem(problem)
        else:
            messages.success(request, sentence(imported))
            return redirect("test-set-metrics", test_set.pk)
    context = {
        "test_set": test_set,
        "form": form,
        "references": test_set.reference_names,
        "limit": settings.MAX_UPLOAD_BYTES,
    }
    return render(request, "metrics/upload.html", context, status=422 if form.errors else 200)


def sentence(imported: ImportedScores) -> str:
    """What came in, for the page that follows."""
    n, labels = imported.n_scores, imported.labels
    named = ", ".join(labels[:5])
    if len(labels) > 5:
        named = _("%(names)s and %(n)s more") % {"names": named, "n": len(labels) - 5}
    added = ngettext(
        "Added %(n)s score of systems: %(names)s.", "Added %(n)s scores of systems: %(names)s.", n
    ) % {"n": n, "names": named}
    if imported.skipped:
        left_out = {"names": ", ".join(imported.skipped[:10])}
        added += " " + _("Left out: %(names)s.") % left_out
    return added


@login_required
@require_GET
@heavy
def download(request, test_set_id):
    """All scores as a zip."""
    test_set = access.readable_test_set(request.user, test_set_id)
    response = HttpResponse(exports.archive(test_set), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="scores-{test_set.pk}.zip"'
    return response
