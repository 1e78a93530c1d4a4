"""All files of a campaign, and all its results as one of them."""

from django.contrib.auth.decorators import login_required
from django.http import StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods

from judgments.models import Download, DownloadKind
from judgments.models.moments import at_one_moment
from judgments.publishing import file_list
from judgments.publishing.downloads.views import asked_for
from judgments.results import exports
from judgments.results.observations import observations
from judgments.results.recomputation import page as recomputation_page
from judgments.results.selection import from_address
from judgments.results.views import in_blocks, named
from judgments.test_sets.media.in_releases import ReleasedSize
from judgments.web import sections as web_sections
from judgments.web.heavy import is_large


@login_required
@require_GET
def export_page(request, campaign_id):
    """Return the names of all files; none of them is made for that."""
    selection, may_manage = from_address.selected_with_rights(request, campaign_id)
    found = list(web_sections.pages_of(selection))
    listed = [
        {
            "slug": page.slug,
            "name": page.name,
            "tables": [table for section in sections for table in section.files],
            "charts": [chart for section in sections for chart in section.charts],
        }
        for page, _, sections in found
    ]
    tools, not_for = file_list.for_other_tools(selection, may_manage=may_manage)
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "exports",
        "may_manage": may_manage,
        "pages": [each for each in listed if each["tables"] or each["charts"]],
        "paper": file_list.for_a_paper(selection),
        "data": file_list.data(selection),
        "tools": tools,
        "not_for": not_for,
        "checks": file_list.checks(selection),
        "has_published": any(page is recomputation_page.PAGE for page, _, _ in found),
        "counts": exports.counts(selection, observations.load(selection)),
        "media": ReleasedSize.of(selection.campaign.test_set) if may_manage else None,
        "downloads": Download.objects.filter(owner=request.user, campaign=campaign_id),
    }
    return render(request, "judgments/publishing/exports.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def export_json(request, campaign_id):
    """Return all results: at once of a small campaign, made by a worker of a large one."""
    if request.method == "GET" and not is_large(campaign_id):
        return json_at_once(request, campaign_id)
    return asked_for(request, from_address.selected(request, campaign_id), DownloadKind.ALL_RESULTS)


@at_one_moment
def json_at_once(request, campaign_id):
    selection = from_address.selected(request, campaign_id)
    response = StreamingHttpResponse(
        in_blocks(exports.json_parts(selection)), content_type="application/json"
    )
    return named(response, selection.campaign, "campaign.json")
