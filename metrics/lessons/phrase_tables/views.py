"""The phrase table of a test set: how its systems and references translate a phrase, and whether
they keep to their terms."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from judgments.models import TestSet
from judgments.people import access
from judgments.web.audit.acting import acting
from judgments.web.heavy import heavy
from metrics.lessons.phrase_tables.sides import current_mark, linkable_systems

from . import tasks as phrase_tables_tasks
from .page_views import (
    PhraseSubject,
    linked_texts,
    moses_of_side,
    moses_response,
    page_of,
    render_phrases,
    table_response,
)


def subject_of(request: HttpRequest, test_set: TestSet) -> PhraseSubject:
    segments = test_set.segments.order_by("position").values_list("pk", "key")
    return PhraseSubject(
        "metric-phrases",
        test_set.pk,
        test_set.name,
        (test_set.source_language, test_set.target_language),
        access.may_manage_test_set(request.user, test_set),
        list(segments),
    )


@login_required
@require_GET
def phrases(request, test_set_id):
    test_set = access.readable_test_set(request.user, test_set_id)
    subject = subject_of(request, test_set)
    linked = linked_texts(subject)
    extra = {
        "test_set": test_set,
        "may_be_linked": can_be_linked(test_set),
        "is_stale": bool(linked and linked.linked_at and linked.texts_mark != current_mark(linked)),
    }
    return render_phrases(request, "metrics/phrases.html", subject, extra)


def can_be_linked(test_set: TestSet) -> bool:
    """Return whether there are two texts to link."""
    return test_set.has_texts and bool(
        linkable_systems(test_set).exists() or test_set.reference_names
    )


@login_required
@require_POST
def phrases_link(request, test_set_id):
    test_set = access.managed_test_set(request.user, test_set_id)
    if not can_be_linked(test_set):
        messages.error(request, _("The test set has no texts to link."))
        return redirect("metric-phrases", test_set.pk)
    with acting(request):
        is_asked = phrase_tables_tasks.enqueue_linking(test_set)
    if not is_asked:
        messages.warning(request, _("The words are already being linked."))
    return redirect("metric-phrases", test_set.pk)


@login_required
@require_GET
@heavy
def phrases_file(request, test_set_id, table):
    test_set = access.readable_test_set(request.user, test_set_id)
    return table_response(request, subject_of(request, test_set), table)


@login_required
@require_GET
@heavy
def phrases_moses(request, test_set_id):
    """Return the phrase table of the system or reference that the address names."""
    test_set = access.readable_test_set(request.user, test_set_id)
    page = page_of(request, subject_of(request, test_set))
    of = request.GET.get("of", "0")
    if page is None or not of.isdecimal() or not int(of[:9]) < len(page.sides):
        raise Http404("No such phrase table.")
    return moses_response(moses_of_side(page, int(of[:9])))
