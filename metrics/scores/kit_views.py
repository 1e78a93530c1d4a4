"""Views to *Download the texts* for another machine, and to import the scores from there."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from judgments.files.attachments import attachment
from judgments.files.forms import sent
from judgments.people import access
from judgments.test_sets import uploads
from judgments.web.heavy import heavy
from metrics.scores import kits
from metrics.scores.importing import import_scores
from metrics.scores.upload_forms import KitScoresForm
from metrics.scores.upload_views import sentence


@login_required
@require_http_methods(["GET", "POST"])
def score_kit(request, test_set_id):
    """Show the page: the file to take, its commands, and the form for the results."""
    test_set = access.managed_test_set(request.user, test_set_id)
    form = KitScoresForm(*sent(request))

    def import_them() -> str:
        files = form.cleaned_data["files_of_scores"]
        return sentence(import_scores(test_set, files, form.instructions()))

    context = {
        "test_set": test_set,
        "file": kits.file_name(test_set),
        "kinds": sorted(kits.metrics_for(test_set).items()),
        "reference": next(iter(test_set.reference_names), ""),
    }
    then = reverse("test-set-metrics", args=[test_set.pk])
    return uploads.upload(request, form, import_them, "metrics/kit.html", context, then=then)


@login_required
@require_GET
@heavy
def score_kit_file(request, test_set_id):
    """Return the texts with the program that scores them, as a zip that Python runs."""
    test_set = access.readable_test_set(request.user, test_set_id)
    if not test_set.has_texts:
        raise Http404("The test set has no texts.")
    return attachment(kits.kit(test_set), "application/zip", kits.file_name(test_set))
