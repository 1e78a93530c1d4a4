"""Two systems side by side, two campaigns, and one ranking over time; with their files."""

import dataclasses
from functools import partial
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from judgments.files.attachments import JSON, attachment
from judgments.models import Campaign
from judgments.results import exports
from judgments.results.compare import two_campaigns_page as two_campaigns
from judgments.results.compare.forms import TwoCampaignsForm, TwoSystemsForm, others_of
from judgments.results.compare.pair import PairPage
from judgments.results.compare.two_campaigns_page import TwoCampaigns
from judgments.results.figure_addresses import address_of_figure
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from judgments.web.heavy import heavy

from . import page as compare_page

PARAMETERS = (*TwoSystemsForm.base_fields, "dimension", "with", "other_dimension")
CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv; charset=utf-8"}


@login_required
@require_GET
def compare(request, campaign_id):
    """Return two systems: which is better, where, and why."""
    page = _page(request, campaign_id)
    context = {
        "campaign": page.selection.campaign,
        "selection": page.selection,
        "tab": "scores",
        "form": TwoSystemsForm(page.selection, initial=_shown(page)),
        "page": page,
        "sections": compare_page.shown(page),
        "in_range": page.asked.low is not None or page.asked.high is not None,
        "files": "compare-file",
        "chart_query": _pair_query(page),
    }
    return render(request, "judgments/results/compare.html", context)


@login_required
@require_GET
@heavy
def compare_file(request, campaign_id, name, kind):
    """Return a chart or a table of the two systems in the address; no other is made."""
    page = _page(request, campaign_id)
    address = partial(address_of_figure, page.selection, "compare", query=_pair_query(page))
    return file_of(compare_page.shown(page), page.selection, name, kind, address)


@login_required
@require_GET
def compare_campaigns(request, campaign_id):
    """Return another campaign, readable by the user, next to this one; without one, the possible
    choices."""
    selection = _scored(request, campaign_id)
    campaign = selection.campaign
    others = others_of(campaign, Campaign.objects.visible_to(request.user))
    two, form = _two(request, selection, others)
    context = {
        "campaign": campaign,
        "selection": selection,
        "tab": "scores",
        "form": form,
        "two": two,
        "sections": two_campaigns.sections(two) if two else [],
        "files": "compare-campaigns-file",
        "chart_query": _two_query(request, selection, form),
    }
    return render(request, "judgments/results/compare_campaigns.html", context)


@login_required
@require_GET
@heavy
def compare_campaigns_file(request, campaign_id, name, kind):
    """Return a chart or a table of the two campaigns in the address."""
    two, address = _asked_two(request, campaign_id)
    return file_of(two_campaigns.sections(two), two.selections[0], name, kind, address)


@login_required
@require_GET
@heavy
def compare_campaigns_json(request, campaign_id):
    """Return all figures of the page, with the selections of both campaigns."""
    two, address = _asked_two(request, campaign_id)
    said = {"selections": [selection.described for selection in two.selections]}
    said["dimensions"] = list(two.dimensions)
    found = exports.page_json(
        "compare-campaigns", _("Two campaigns"), two_campaigns.sections(two), address(), said
    )
    return attachment(found, JSON, "two-campaigns.json")


def _asked_two(request, campaign_id):
    """Return the two campaigns, and a function for the address of a section. Raise Http404 without
    another one."""
    selection = _scored(request, campaign_id)
    others = others_of(selection.campaign, Campaign.objects.visible_to(request.user))
    two, form = _two(request, selection, others)
    if two is None:
        raise Http404("No other campaign is asked for.")
    query = _two_query(request, selection, form)
    return two, partial(address_of_figure, selection, "compare-campaigns", query=query)


def _two_query(request, selection, form):
    """Return the query that opens the page of two campaigns with the same settings."""
    asked = [(key, request.GET[key]) for key in form.fields if request.GET.get(key)]
    return urlencode([*asked, *selection.address])


def _two(request, selection, others):
    """Return the two campaigns, None if no other is requested, and the form. Raise Http404 for
    another that the user may not read, or that has no scores."""
    form = TwoCampaignsForm(selection.campaign, others, request.GET)
    if not request.GET.get("with"):
        return None, form
    if form.chosen is None:
        raise Http404("No such campaign can be compared with this one.")
    filters = dataclasses.replace(
        selection.filters, annotators=(), kinds=(), since=None, until=None
    )
    try:
        other = Selection.of(form.chosen, selection.annotators, filters=filters)
    except ValueError as problem:
        raise BadRequest(str(problem)) from None
    return TwoCampaigns((selection, other), form.dimensions()), form


def file_of(sections, selection, name, kind, address):
    """Return a chart or a table of sections as a file. address: returns that of a section, by its
    slug. Raise Http404 if there is none with this name."""
    if kind not in CONTENT_TYPES:
        raise Http404("No such kind of file.")
    listed = ((s.slug, each) for s in sections for each in (s.files if kind == "csv" else s.charts))
    of, made = next(((of, each.make()) for of, each in listed if each.slug == name), ("", None))
    if made is None:
        raise Http404("No such file.")
    if kind == "csv":
        content = exports.table_file(made, selection.sentence, address(slug=of)).encode()
    else:
        content = exports.chart_file(made, kind, selection, address(slug=of))
    return attachment(content, CONTENT_TYPES[kind], f"{name}.{kind}")


def _shown(page: PairPage) -> dict[str, object]:
    first, second = page.pair or ("", "")
    return {"a": first, "b": second, "dimension": page.dimension}


def _pair_query(page: PairPage) -> str:
    """Return the query that opens the page of two systems with the same settings."""
    return urlencode([*page.asked.query(**_shown(page)), *page.selection.address])


def _page(request, campaign_id) -> PairPage:
    selection = _scored(request, campaign_id)
    return PairPage(selection, TwoSystemsForm(selection, request.GET).asked())


def _scored(request, campaign_id):
    """Return the selection of a campaign whose protocol has scores of systems."""
    selection = from_address.selected(request, campaign_id, PARAMETERS)
    if not compare_page.PAGE.asked(selection.campaign):
        raise Http404("This campaign has no scores of systems.")
    return selection
