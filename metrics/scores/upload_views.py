"""Import of scores from files, and their export."""

from django.contrib.auth.decorators import login_required
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from judgments.files.attachments import attachment
from judgments.files.forms import sent
from judgments.people import access
from judgments.test_sets import uploads
from judgments.web.heavy import heavy
from metrics.scores import exports
from metrics.scores.importing import ImportedScores, import_scores
from metrics.scores.upload_forms import ScoresForm


@login_required
@require_http_methods(["GET", "POST"])
def upload(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    form = ScoresForm(test_set, *sent(request))

    def import_them() -> str:
        files = form.cleaned_data["files_of_scores"]
        return sentence(import_scores(test_set, files, form.instructions()))

    context = {"test_set": test_set, "references": test_set.reference_names}
    then = reverse("test-set-metrics", args=[test_set.pk])
    return uploads.upload(request, form, import_them, "metrics/upload.html", context, then=then)


def sentence(imported: ImportedScores) -> str:
    """Return a summary of the import, for the next page."""
    n, labels = imported.n_scores, imported.labels
    named = ", ".join(labels[:5])
    if len(labels) > 5:
        named = _("%(names)s and %(n)s more") % {"names": named, "n": len(labels) - 5}
    added = ""
    if n:
        added = ngettext(
            "Added %(n)s score of systems: %(names)s.",
            "Added %(n)s scores of systems: %(names)s.",
            n,
        ) % {"n": n, "names": named}
    if imported.skipped:
        left_out = {"names": ", ".join(imported.skipped[:10])}
        added += " " + _("Left out: %(names)s.") % left_out
    if n_spans := imported.n_spans:
        added += " " + ngettext(
            "Added %(n)s marked error.", "Added %(n)s marked errors.", n_spans
        ) % {"n": f"{n_spans:,}"}
    return added.strip()


@login_required
@require_GET
@heavy
def download(request, test_set_id):
    """Return all scores as a zip."""
    test_set = access.readable_test_set(request.user, test_set_id)
    return attachment(exports.archive(test_set), "application/zip", f"scores-{test_set.pk}.zip")
