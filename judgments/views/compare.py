"""Two systems side by side, two campaigns, and one ranking over time; with their files."""

import dataclasses
import itertools
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments import access, exports, pages
from judgments.forms.compare import TwoCampaignsForm, TwoSystemsForm, others_of
from judgments.pages import two_campaigns
from judgments.pages.compare import PairPage
from judgments.pages.two_campaigns import TwoCampaigns
from judgments.results.selection import Selection

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv; charset=utf-8"}


@login_required
@require_GET
def compare(request, campaign_id):
    """Two systems: which is better, where, and why."""
    page = _page(request, campaign_id)
    first, second = page.pair or ("", "")
    shown = {"a": first, "b": second, "dimension": page.dimension}
    context = {
        "campaign": page.selection.campaign,
        "selection": page.selection,
        "tab": "scores",
        "form": TwoSystemsForm(page.selection, initial=shown),
        "page": page,
        "sections": pages.compare.shown(page),
        "in_range": page.asked.low is not None or page.asked.high is not None,
        "files": "compare-file",
        "chart_query": urlencode([*page.asked.query(**shown), *page.selection.address]),
    }
    return render(request, "judgments/compare.html", context)


@login_required
@require_GET
def compare_file(request, campaign_id, name, kind):
    """A chart or a table of the two systems that the address names; no other is made."""
    page = _page(request, campaign_id)
    return file_of(pages.compare.shown(page), page.selection, name, kind)


@login_required
@require_GET
def learning_curve(request, campaign_id):
    """The ranking as judgments came in, and what half of them would have said."""
    selection = _scored(request, campaign_id)
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "scores",
        "sections": pages.learning_curve.sections(selection),
    }
    return render(request, "judgments/learning_curve.html", context)


@login_required
@require_GET
def compare_campaigns(request, campaign_id):
    """Another campaign that the user reads beside this one; without one, which there are."""
    selection = _scored(request, campaign_id)
    campaign = selection.campaign
    others = others_of(campaign, access.readable_campaigns(request.user))
    two, form = _two(request, selection, others)
    asked = [(key, request.GET[key]) for key in form.fields if request.GET.get(key)]
    context = {
        "campaign": campaign,
        "selection": selection,
        "tab": "scores",
        "form": form,
        "two": two,
        "sections": two_campaigns.sections(two) if two else [],
        "files": "compare-campaigns-file",
        "chart_query": urlencode([*asked, *selection.address]),
    }
    return render(request, "judgments/compare_campaigns.html", context)


@login_required
@require_GET
def compare_campaigns_file(request, campaign_id, name, kind):
    """A chart or a table of the two campaigns that the address names."""
    selection = _scored(request, campaign_id)
    others = others_of(selection.campaign, access.readable_campaigns(request.user))
    two, _ = _two(request, selection, others)
    return file_of(two_campaigns.sections(two) if two else [], selection, name, kind)


def _two(request, selection, others):
    """The two campaigns, None where no other is asked for, and the form that asks. Http404 for
    another that the user may not read, or that has no scores."""
    form = TwoCampaignsForm(selection.campaign, others, request.GET)
    if not request.GET.get("with"):
        return None, form
    if form.chosen is None:
        raise Http404("No such campaign can stand beside this one.")
    filters = dataclasses.replace(
        selection.filters, annotators=(), kinds=(), since=None, until=None
    )
    try:
        other = Selection.of(form.chosen, selection.annotators, filters=filters)
    except ValueError as problem:
        raise BadRequest(str(problem)) from None
    return TwoCampaigns((selection, other), form.dimensions()), form


def file_of(sections, selection, name, kind):
    """A chart or a table of sections as a file. Http404 where there is none of that name."""
    if kind not in CONTENT_TYPES:
        raise Http404("No such kind of file.")
    of_section = (s.files if kind == "csv" else s.charts for s in sections)
    listed = itertools.chain.from_iterable(of_section)
    made = next((each.make() for each in listed if each.slug == name), None)
    if made is None:
        raise Http404("No such file.")
    if kind == "csv":
        content = exports.table_file(made, selection.sentence).encode()
    else:
        content = exports.chart_file(made, kind, selection)
    response = HttpResponse(content, content_type=CONTENT_TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


def _page(request, campaign_id) -> PairPage:
    selection = _scored(request, campaign_id)
    return PairPage(selection, TwoSystemsForm(selection, request.GET).asked())


def _scored(request, campaign_id):
    """The selection of a campaign whose protocol has scores of systems."""
    selection = access.selected(request, campaign_id)
    if not pages.compare.PAGE.asked(selection.campaign):
        raise Http404("This campaign has no scores of systems.")
    return selection
