"""What the judgments say: agreement, scores, and all of it as files."""

import dataclasses
from itertools import islice

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from judgments.models.chains import publication
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.results import exports
from judgments.results.agreement import page as agreement_page
from judgments.results.figure_addresses import address_of_figure
from judgments.results.page_views import render_page
from judgments.results.selection import from_address
from judgments.web import sections as web_sections
from judgments.web.charts import blank
from judgments.web.heavy import heavy, heavy_if_large

LINES_AT_ONCE = 1000
CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "vl.json": "application/json"}


@login_required
@require_GET
def agreement(request, campaign_id):
    """Return agreement, or the page on which the campaign's protocol shows it."""
    selection = from_address.selected(request, campaign_id)
    address = protocol_of(selection.campaign).agreement_page
    if address != "agreement":
        return redirect(address, campaign_id)
    return render_page(request, agreement_page.PAGE, selection)


@login_required
@require_GET
@heavy_if_large
@at_one_moment
def export_table(request, campaign_id, table):
    selection = from_address.selected(request, campaign_id)
    for each, of in web_sections.tables_of(selection):
        if each.slug == table:
            address = address_of_figure(of, slug=table)
            text = exports.table_file(each.make(), of.sentence, address)
            response = HttpResponse(text, content_type="text/csv; charset=utf-8")
            return named(response, selection.campaign, f"{table}.csv")
    raise Http404("No such table.")


@login_required
@require_GET
@heavy
@at_one_moment
def export_observations(request, campaign_id):
    selection = from_address.selected(request, campaign_id)
    response = StreamingHttpResponse(
        in_blocks(exports.with_line(exports.tsv_lines(selection), selection)),
        content_type="text/tab-separated-values; charset=utf-8",
    )
    return named(response, selection.campaign, "observations.tsv")


@login_required
@require_GET
@heavy
@at_one_moment
def export_chain(request, campaign_id):
    """Return all judgments with their seals, whatever is selected: a chain has no gaps."""
    campaign = access.readable_campaign(request.user, campaign_id)
    response = StreamingHttpResponse(
        in_blocks(publication.lines(campaign)), content_type="application/jsonl; charset=utf-8"
    )
    return named(response, campaign, "judgments.jsonl")


@login_required
@require_GET
@at_one_moment
def chart(request, campaign_id, chart, kind):
    """Return one chart; no other is drawn for it."""
    selection = from_address.selected(request, campaign_id)
    if kind not in CONTENT_TYPES:
        raise Http404("No such kind of file.")
    for each, of in web_sections.charts_of(selection):
        if each.slug == chart:
            made = each.make() or blank(each.slug, each.title)
            titled = dataclasses.replace(made, title=each.title)
            drawn = exports.chart_file(titled, kind, of, address_of_figure(of, slug=chart))
            response = HttpResponse(drawn, content_type=CONTENT_TYPES[kind])
            return named(response, selection.campaign, f"{chart}.{kind}")
    raise Http404("No such chart.")


def in_blocks(parts):
    """Yield the parts in larger ones: every part that is sent alone costs a call of the server."""
    while some := "".join(islice(parts, LINES_AT_ONCE)):
        yield some


def named(response, campaign, name):
    """Return the response as a file to save, named after the campaign."""
    prefix = slugify(campaign.name) or f"campaign-{campaign.pk}"
    response["Content-Disposition"] = f'attachment; filename="{prefix}-{name}"'
    return response
