"""One metric of a test set in full: its standing, what is behind it, every pair, every document."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from judgments.models import TestSet
from judgments.people import access
from judgments.web.audit.acting import acting
from metrics.models import MetricScore
from metrics.scores import head_to_head
from metrics.scores.comparisons import UNITS, compare_column
from metrics.scores.overview import (
    details_table,
    document_scores,
    domain_table,
    interval_chart,
    notes_of,
    sentence,
)
from metrics.scores.tables import load_statistics, score_table

from . import tasks as scores_tasks

DOCUMENTS_PER_PAGE = 50


def column_or_404(test_set: TestSet, slug: str):
    """Return the table of scores, and its column with this slug with statistics loaded."""
    table = score_table(test_set)
    column = next((column for column in table.columns if column.slug == slug), None)
    if column is None:
        raise Http404(_("No such scores."))
    return table, column


def choice(request: HttpRequest, name: str, known) -> str:
    """Return what the address asks for; the first of what is known otherwise."""
    value = request.GET.get(name, "")
    return value if value in known else next(iter(known))


@login_required
@require_GET
def column(request, test_set_id, slug):
    test_set = access.readable_test_set(request.user, test_set_id)
    table, found = column_or_404(test_set, slug)
    unit = choice(request, "unit", UNITS)
    test = choice(request, "test", head_to_head.TESTS)
    adjust = choice(request, "adjust", head_to_head.ADJUSTMENTS)
    tested = compare_column(found, table, unit=unit)
    load_statistics(found)
    context = {
        "test_set": test_set,
        "table": table,
        "column": found,
        "sentence": sentence(found, tested, table.systems),
        "tested": tested,
        "is_coming": tested is None and scores_tasks.are_comparisons_coming(test_set.pk, unit),
        "may_score": access.may_manage_test_set(request.user, test_set),
        "chart": interval_chart(found, tested, table.systems) if tested else None,
        "details": details_table(found, table.systems),
        "domains": domain_table(found, [s for s, _ in table.rows(found)], test_set),
        "unit": unit,
        "test": test,
        "adjust": adjust,
        "units": UNITS,
        "tests": head_to_head.TESTS,
        "adjustments": head_to_head.ADJUSTMENTS,
    }
    if tested:
        context["matrix"] = head_to_head.matrix(tested, table.systems, test, adjust)
        context["notes"] = notes_of(tested)
        context["summary"] = head_to_head.summary(tested, test, adjust)
    return render(request, "metrics/column.html", context)


@login_required
@require_GET
def column_documents(request, test_set_id, slug):
    test_set = access.readable_test_set(request.user, test_set_id)
    table, found = column_or_404(test_set, slug)
    load_statistics(found)
    systems = [system for system in table.systems if system.pk in found.scores]
    documents = document_scores(found, systems, test_set)
    sort = request.GET.get("sort", "")
    if sort in {str(system.pk) for system in systems}:
        at = [str(system.pk) for system in systems].index(sort)
        sign = 1 if found.higher_is_better else -1  # the worst first: those are looked for
        documents.sort(key=lambda row: (row[2][at] != row[2][at], sign * row[2][at]))
    else:
        sort = ""
    context = {
        "test_set": test_set,
        "column": found,
        "systems": systems,
        "sort": sort,
        "page": Paginator(documents, DOCUMENTS_PER_PAGE).get_page(request.GET.get("page")),
        "query": urlencode({"sort": sort}) if sort else "",
    }
    return render(request, "metrics/column_documents.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def column_delete(request, test_set_id, slug):
    """Return asks, and deletes the scores of a metric with the tests between them."""
    test_set = access.managed_test_set(request.user, test_set_id)
    _table, found = column_or_404(test_set, slug)
    if request.method == "POST":
        with acting(request):
            MetricScore.objects.filter(pk__in=[s.pk for s in found.scores.values()]).delete()
            test_set.comparisons.filter(
                references=found.references, signature=found.signature
            ).delete()
        messages.success(
            request, _("The scores of %(label)s were deleted.") % {"label": found.label}
        )
        return redirect("test-set-metrics", test_set.pk)
    context = {"test_set": test_set, "column": found}
    return render(request, "metrics/column_delete.html", context)
