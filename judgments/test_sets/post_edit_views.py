"""Post-edits of a test set's outputs come in from files."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count
from django.http import Http404
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_http_methods

from judgments.files.forms import sent
from judgments.files.rows import import_rows
from judgments.models import TargetedReference, TestSet
from judgments.people import access
from judgments.test_sets.forms import PostEditsForm
from judgments.test_sets.post_edits import PostEdits
from judgments.web.audit.acting import acting

from .uploads import upload


@login_required
@require_http_methods(["GET", "POST"])
def post_edits(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    form = PostEditsForm(*sent(request))

    def import_them() -> str:
        replace = form.cleaned_data["replace"]
        n = import_rows(PostEdits, test_set, form.rows(test_set), replace=replace).rows
        return f"Imported {intcomma(n)} post-edit{pluralize(n)}."

    sets = list(sets_of(test_set))
    context = {
        "test_set": test_set,
        "sets": sets,
        "names": list(dict.fromkeys(row["name"] for row in sets)),
        "n_segments": test_set.segments.count(),
    }
    return upload(request, form, import_them, "judgments/test_sets/post_edits.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def post_edits_delete(request, test_set_id):
    """Return asks, and deletes all post-edits of one name."""
    test_set = access.managed_test_set(request.user, test_set_id)
    name = request.POST.get("name", "") if request.method == "POST" else request.GET.get("name", "")
    if name not in test_set.targeted_names:
        raise Http404("No such post-edits.")
    found = TargetedReference.objects.filter(output__system__test_set=test_set, name=name)
    if request.method == "POST":
        with acting(request):
            n = found.delete()[1].get(TargetedReference._meta.label, 0)
        messages.success(request, f"Deleted {intcomma(n)} post-edit{pluralize(n)} of {name}.")
        return redirect("post-edits", test_set.pk)
    context = {"test_set": test_set, "name": name, "n": found.count()}
    return render(request, "judgments/test_sets/post_edits_delete.html", context)


def sets_of(test_set: TestSet):
    """Return what is there: name, system and number of post-edits."""
    rows = TargetedReference.objects.filter(output__system__test_set=test_set)
    return (
        rows.values("name", "output__system__name")
        .annotate(n=Count("pk"))
        .order_by("name", "output__system__name")
    )
