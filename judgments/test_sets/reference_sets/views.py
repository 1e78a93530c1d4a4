"""A reference set comes in from a file, and one that is there leaves as a file to be corrected."""

from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404
from django.template.defaultfilters import pluralize
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods

from judgments.files.csv_files import csv_file
from judgments.files.forms import sent
from judgments.models import Reference
from judgments.people import access
from judgments.test_sets.uploads import upload

from .forms import ReferenceSetForm


@login_required
@require_http_methods(["GET", "POST"])
def reference_new(request, test_set_id):
    """Return a translation of its own, or a corrected copy of a reference that is there."""
    test_set = access.managed_test_set(request.user, test_set_id)
    names = test_set.reference_names
    form = ReferenceSetForm(test_set, names, *sent(request))

    def import_them() -> str:
        added = form.add()
        n, name = added.n_segments, form.cleaned_data["name"]
        did = "Replaced" if added.is_replaced else "Added"
        told = f"{did} the reference {name}: {intcomma(n)} segment{pluralize(n)}."
        if original := form.cleaned_data.get("original"):
            told += f" In {intcomma(added.n_changed)} of them it differs from {original}."
        return " ".join([told, *added.lost()])

    context = {"test_set": test_set, "names": names}
    template = "judgments/test_sets/reference_new.html"
    then = f"{test_set.get_absolute_url()}#systems"
    return upload(request, form, import_them, template, context, then=then)


@login_required
@require_GET
def reference_file(request, test_set_id):
    """Return the reference named in the address as CSV: segment, source and text, to be
    corrected."""
    test_set = access.readable_test_set(request.user, test_set_id)
    name = request.GET.get("name", "")
    if name not in test_set.reference_names:
        raise Http404("No such reference.")
    rows = Reference.objects.filter(segment__test_set=test_set, name=name)
    columns = ("segment__key", "segment__source", "text")
    found = rows.order_by("segment__position").values_list(*columns)
    response = csv_file("reference.csv", ("segment", "source", "text"), found)
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.csv")
    return response
