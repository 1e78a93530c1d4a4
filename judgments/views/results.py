"""What the judgments say: agreement, scores, and all of it as files."""

from itertools import islice

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from judgments import access, exports, reports, results
from judgments.forms.results import ComparisonOptionsForm, ScoreOptionsForm
from judgments.protocols import protocol_of

LINES_AT_ONCE = 1000
CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "vl.json": "application/json"}


@login_required
@require_GET
def agreement(request, campaign_id):
    selection = access.selected(request, campaign_id)
    address = protocol_of(selection.campaign).agreement_page
    if address != "agreement":
        return redirect(address, campaign_id)
    found = reports.agreement.reports_of(selection)
    marked = results.marks(selection)
    sections = [
        {
            "report": report,
            "lead": reports.agreement.lead(report),
            "trust": reports.agreement.trust(report),
            "table": reports.agreement.coefficient_table(report),
            "further": reports.agreement.further_table(report),
            "meanings": reports.agreement.meanings(report),
            "charts": reports.agreement.charts_of(report),
        }
        for report in found
    ]
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "agreement",
        "sections": sections,
        "marks": marked
        and {
            "lead": reports.marks.lead(marked),
            "trust": reports.marks.trust(marked),
            "chart": reports.marks.chart(marked),
            "table": reports.marks.table(marked),
            "directed": reports.marks.directed_table(marked),
        },
        "workload": reports.agreement.workload_chart(results.workload(selection)),
        "empty": not any(report.n_rows for report in found),
    }
    return render(request, "judgments/agreement.html", context)


@login_required
@require_GET
def scores(request, campaign_id):
    selection = access.selected(request, campaign_id)
    dimensions = results.dimensions_of(selection.campaign)
    form_class = ScoreOptionsForm if dimensions else ComparisonOptionsForm
    options = form_class(request.GET).options()
    slugs = [dimension.slug for dimension in dimensions] if dimensions else [None]
    found = [results.system_scores(selection, slug, **options) for slug in slugs]
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "scores",
        "form": form_class(initial=options),
        "sections": [reports.scores.section(selection, score) for score in found],
        "p_value": reports.score_words.P_VALUE,
        "strengths": strengths_section(selection),
        "empty": not any(len(score.names) for score in found),
    }
    return render(request, "judgments/scores.html", context)


def strengths_section(selection):
    """How much better, where a campaign asks that."""
    if not reports.strengths.has_strengths(selection.campaign):
        return None
    return {
        "lead": reports.strengths.lead(selection),
        "table": reports.strengths.table(selection),
    }


@login_required
@require_GET
def export_page(request, campaign_id):
    selection = access.selected(request, campaign_id)
    parts = [
        {"name": part.name, "tables": part.tables(selection), "charts": part.charts(selection)}
        for part in reports.parts()
    ]
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "exports",
        "parts": [part for part in parts if part["tables"] or part["charts"]],
        "files": protocol_of(selection.campaign).files,
        "counts": exports.counts(selection, results.load(selection)),
    }
    return render(request, "judgments/exports.html", context)


@login_required
@require_GET
def export_table(request, campaign_id, table):
    selection = access.selected(request, campaign_id)
    link = next((link for link in reports.all_tables(selection) if link.slug == table), None)
    if link is None:
        raise Http404("No such table.")
    response = HttpResponse(exports.csv_of(link.make()), content_type="text/csv; charset=utf-8")
    return _named(response, selection.campaign, f"{table}.csv")


@login_required
@require_GET
def export_observations(request, campaign_id):
    selection = access.selected(request, campaign_id)
    response = StreamingHttpResponse(
        _in_blocks(exports.tsv_lines(selection)),
        content_type="text/tab-separated-values; charset=utf-8",
    )
    return _named(response, selection.campaign, "observations.tsv")


@login_required
@require_GET
def export_json(request, campaign_id):
    selection = access.selected(request, campaign_id)
    response = StreamingHttpResponse(
        _in_blocks(exports.json_parts(selection)), content_type="application/json"
    )
    return _named(response, selection.campaign, "campaign.json")


@login_required
@require_GET
def chart(request, campaign_id, chart, kind):
    selection = access.selected(request, campaign_id)
    found = reports.chart_named(selection, chart)
    if found is None or kind not in CONTENT_TYPES:
        raise Http404("No such chart.")
    response = HttpResponse(exports.chart_file(found, kind), content_type=CONTENT_TYPES[kind])
    return _named(response, selection.campaign, f"{chart}.{kind}")


def _in_blocks(parts):
    """The parts in larger ones: every part that is sent alone costs a call of the server."""
    while some := "".join(islice(parts, LINES_AT_ONCE)):
        yield some


def _named(response, campaign, name):
    """The response as a file to save, named after the campaign."""
    prefix = slugify(campaign.name) or f"campaign-{campaign.pk}"
    response["Content-Disposition"] = f'attachment; filename="{prefix}-{name}"'
    return response
