"""The report of a campaign, on the screen and as files, and that of a project as files."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from judgments.files.attachments import attachment
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.publishing.report.blocks import CampaignReport, addressed, narrowed
from judgments.publishing.report.contents import PARTS, report_of
from judgments.publishing.report.forms import PART, WITHOUT_COLUMN, ReportForm
from judgments.publishing.report.project import report_of_project
from judgments.publishing.report.writers import FORMATS, pdf
from judgments.publishing.report.writers.page import parts
from judgments.results.projects.figures import ProjectResults
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from judgments.web.heavy import heavy

# The parts open at first; the others are collapsed, and made when they are opened.
FIRST = ["design"]
FRAGMENT = "fragment"
PARAMETERS = (PART, WITHOUT_COLUMN, FRAGMENT)


@login_required
@require_GET
@at_one_moment
def report(request, campaign_id):
    """Return the report. The whole report is long: without parts in the address most of them are
    collapsed."""
    selection = from_address.selected(request, campaign_id, PARAMETERS)
    is_whole = bool(request.GET.getlist(PART))
    made = asked_for(request, selection, FIRST)
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "parts": parts(made, is_file=False),
    }
    if request.GET.get(FRAGMENT):
        return render(request, "judgments/publishing/_report_parts.html", context)
    query = request.GET.urlencode()
    context |= {
        "tab": "report",
        "folded": [] if is_whole else [each for each in titles() if each[0] not in FIRST],
        "form": ReportForm(request.GET),
        "kept": selection.address,
        "formats": FORMATS,
        "query": f"?{query}" if query else "",
        "and_part": f"?{query}&part=" if query else "?part=",
    }
    return render(request, "judgments/publishing/report.html", context)


@login_required
@require_GET
@heavy
@at_one_moment
def report_file(request, campaign_id, kind):
    selection = from_address.selected(request, campaign_id, PARAMETERS)
    made = asked_for(request, selection, ())
    return _file(made, kind, slugify(selection.campaign.name) or f"campaign-{campaign_id}")


@login_required
@require_GET
@heavy
@at_one_moment
def project_report(request, project, kind):
    """Return the report of a project, about the campaigns whose results the user may read."""
    found = access.readable_project(request.user, project)
    results = ProjectResults.of(request.user, found, request.build_absolute_uri("/"))
    if not results.selections:
        raise Http404("The project has no campaign yet that you may read.")
    return _file(report_of_project(results), kind, found.slug)


def _file(made: CampaignReport, kind: str, name: str) -> HttpResponse:
    form = FORMATS.get(kind)
    if form is None:
        raise Http404("No such kind of file.")
    try:
        content = form.write(addressed(made))
    except pdf.CannotSet as problem:
        raise BadRequest(f"This report cannot be written as a PDF: {problem}") from None
    return attachment(content, form.content_type, f"{name}-report.{kind}")


def titles() -> list[tuple[str, str]]:
    return [(slug, title) for slug, (title, _make) in PARTS.items()]


def asked_for(request, selection: Selection, first) -> CampaignReport:
    """Return the report requested by an address. first: the parts if the address names none; all
    without any. Raise BadRequest for a part that does not exist."""
    wanted = request.GET.getlist(PART)
    unknown = set(wanted) - set(PARTS)
    if unknown:
        raise BadRequest(f"There is no part “{sorted(unknown)[0]}”. Parts: {', '.join(PARTS)}.")
    return narrowed(report_of(selection, wanted or first), request.GET.getlist(WITHOUT_COLUMN))
