"""One metric against another: the page, its tables as files, and all of it as JSON."""

from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from judgments.files.attachments import CSV, JSON, attachment
from judgments.models import TestSet, controls_of
from judgments.people import access
from judgments.results import exports
from judgments.web.heavy import heavy
from judgments.web.sections import Lazy
from judgments.web.tables import Table
from metrics.scores.tables import score_table

from .forms import MetricPairForm
from .page import MetricPairAsked, MetricPairPage


@login_required
@require_GET
def metric_pairs(request, test_set_id):
    test_set = access.readable_test_set(request.user, test_set_id)
    page, form = page_of(request, test_set)
    context: dict[str, Any] = {"test_set": test_set, "form": form, "sections": []}
    if page is not None:
        asked = request.GET.dict()
        context |= {
            "sections": page.sections(),
            "files": tables_of(page),
            "asked": urlencode(asked),
        }
    return render(request, "metrics/pairs.html", context)


@login_required
@require_GET
@heavy
def metric_pairs_file(request, test_set_id, table):
    """Return a table of the page as CSV, with the settings of the URL."""
    test_set = access.readable_test_set(request.user, test_set_id)
    page, _form = page_of(request, test_set)
    known = {lazy.slug: lazy for lazy in tables_of(page)} if page else {}
    if table not in known:
        raise Http404("No such table.")
    made = known[table].make()
    text = exports.table_file(made, test_set.name, address_of(request, test_set))
    return attachment(text, CSV, f"{table}.csv")


@login_required
@require_GET
@heavy
def metric_pairs_json(request, test_set_id):
    """Return all figures of the page, with the settings of the URL."""
    test_set = access.readable_test_set(request.user, test_set_id)
    page, _form = page_of(request, test_set)
    if page is None:
        raise Http404("There is nothing to compare.")
    said = {
        "test_set": {"id": test_set.pk, "name": test_set.name},
        "settings": asdict(page.asked),
        "selection": None,
    }
    title, address = gettext("One metric against another"), address_of(request, test_set)
    found = exports.page_json("metric-pairs", title, page.sections(), address, said)
    return attachment(found, JSON, "metric-pairs.json")


def tables_of(page: MetricPairPage) -> list[Lazy[Table]]:
    return [lazy for section in page.sections() for lazy in section.files]


def address_of(request: HttpRequest, test_set: TestSet) -> str:
    """Return the URL of the page that has a file's figures, with its settings."""
    page = reverse("metric-pairs", args=[test_set.pk], query=request.GET.dict() or None)
    return request.build_absolute_uri(page)


def page_of(
    request: HttpRequest, test_set: TestSet
) -> tuple[MetricPairPage | None, MetricPairForm | None]:
    """Return the requested page, and its form; None with fewer than two metrics."""
    table = score_table(test_set, check_stale=False)
    if len(table.columns) < 2:
        return None, None
    has_controls = bool(controls_of(test_set))
    asked = MetricPairForm(table.columns, request.GET, has_controls=has_controls).settings()
    form = MetricPairForm(table.columns, asked, has_controls=has_controls)
    return MetricPairPage(table, MetricPairAsked(**asked)), form
