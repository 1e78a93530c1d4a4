"""Sound, pictures and videos of a test set that is already there: added, replaced, removed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count, Q, Sum
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_http_methods, require_POST

from judgments.files.forms import sent
from judgments.models import SegmentMedia, TestSet
from judgments.people import access
from judgments.test_sets.media.adding import AddedMedia, NotRemoved, remove_media
from judgments.test_sets.media.forms import AddedMediaForm, RemovedMediaForm
from judgments.test_sets.media.lengths import LASTING
from judgments.web.audit.acting import acting

from ..uploads import upload

TEMPLATE = "judgments/test_sets/test_set_media.html"


@login_required
@require_http_methods(["GET", "POST"])
def test_set_media(request, test_set_id):
    found = access.managed_test_set(request.user, test_set_id)
    form = AddedMediaForm(*sent(request))

    def import_them() -> str:
        added, warnings = form.add_to(found)
        for warning in [*warnings, *late_words(added)]:
            messages.warning(request, warning)
        return added_words(added)

    then = found.get_absolute_url()
    return upload(request, form, import_them, TEMPLATE, context_of(found), then=then)


@login_required
@require_POST
def media_remove(request, test_set_id):
    found = access.managed_test_set(request.user, test_set_id)
    form = RemovedMediaForm(request.POST)
    if form.is_valid():
        try:
            with acting(request):
                n = remove_media(found, form.cleaned_data["segments"])
        except NotRemoved as problem:
            form.add_error("segments", f"Nothing was removed. {problem}")
        else:
            words = f"Removed from {intcomma(n)} segment{pluralize(n)}."
            messages.success(request, words)
            return redirect("test-set-media", found.pk)
    context = context_of(found) | {"form": AddedMediaForm(), "removal": form}
    return render(request, TEMPLATE, context, status=422)


def context_of(test_set: TestSet) -> dict:
    media = SegmentMedia.objects.filter(segment__test_set=test_set)
    return {
        "test_set": test_set,
        "n_segments": test_set.segments.count(),
        "n_having": media.count(),
        **lengths_of(test_set),
        "removal": RemovedMediaForm(),
    }


def lengths_of(test_set: TestSet) -> dict:
    """Return how many files there are, how long those last of which it is known, and how many
    others there are that last at all."""
    return test_set.media.aggregate(
        n_files=Count("pk"),
        n_seconds=Sum("seconds"),
        n_unknown=Count("pk", filter=LASTING & Q(seconds=None)),
    )


def added_words(added: AddedMedia) -> str:
    counts = ((added.new, "given"), (added.replaced, "replaced"), (added.removed, "removed"))
    words = [f"{what} for {intcomma(n)} segment{pluralize(n)}" for n, what in counts if n]
    return f"Sound, pictures or videos were {', '.join(words)}."


def late_words(added: AddedMedia) -> list[str]:
    """Return a warning about segments that people judged without."""
    if not added.judged:
        return []
    n = added.judged
    were = "was" if n == 1 else "were"
    return [f"{intcomma(n)} of these segments {were} judged before, without what is there now."]
