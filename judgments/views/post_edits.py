"""Post-edits of a test set's outputs come in from files."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count
from django.http import Http404
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_http_methods

from judgments import access
from judgments.formats import ImportProblem
from judgments.forms.imports import PostEditsForm
from judgments.importing import import_post_edits
from judgments.models import TargetedReference, TestSet


@login_required
@require_http_methods(["GET", "POST"])
def post_edits(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    posted = request.method == "POST"
    form = PostEditsForm(request.POST if posted else None, request.FILES if posted else None)
    if form.is_valid():
        try:
            added = import_post_edits(
                test_set,
                form.edits(test_set.segments.count()),
                replace=form.cleaned_data["replace"],
            )
        except ImportProblem as problem:
            form.add_problem(problem)
        else:
            n = added.post_edits
            messages.success(request, f"Imported {intcomma(n)} post-edit{pluralize(n)}.")
            return redirect("post-edits", test_set.pk)
    sets = list(sets_of(test_set))
    context = {
        "test_set": test_set,
        "form": form,
        "sets": sets,
        "names": list(dict.fromkeys(row["name"] for row in sets)),
        "n_segments": test_set.segments.count(),
        "limit": settings.MAX_UPLOAD_BYTES,
    }
    return render(request, "judgments/post_edits.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "POST"])
def post_edits_delete(request, test_set_id):
    """Asks, and deletes all post-edits of one name."""
    test_set = access.managed_test_set(request.user, test_set_id)
    name = request.POST.get("name", "") if request.method == "POST" else request.GET.get("name", "")
    if name not in test_set.targeted_names:
        raise Http404("No such post-edits.")
    found = TargetedReference.objects.filter(output__system__test_set=test_set, name=name)
    if request.method == "POST":
        n = found.delete()[1].get(TargetedReference._meta.label, 0)
        messages.success(request, f"Deleted {intcomma(n)} post-edit{pluralize(n)} of {name}.")
        return redirect("post-edits", test_set.pk)
    context = {"test_set": test_set, "name": name, "n": found.count()}
    return render(request, "judgments/post_edits_delete.html", context)


def sets_of(test_set: TestSet):
    """What is there: name, system and number of post-edits."""
    rows = TargetedReference.objects.filter(output__system__test_set=test_set)
    return (
        rows.values("name", "output__system__name")
        .annotate(n=Count("pk"))
        .order_by("name", "output__system__name")
    )
