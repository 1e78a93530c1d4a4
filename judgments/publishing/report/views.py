"""A campaign's report, on the screen and as files."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from judgments.models import Campaign
from judgments.models.moments import at_one_moment
from judgments.publishing.report.blocks import CampaignReport, addressed, narrowed
from judgments.publishing.report.contents import PARTS, report_of
from judgments.publishing.report.findings import report_of_several
from judgments.publishing.report.forms import MOST_CAMPAIGNS, PART, WITH, WITHOUT_COLUMN, ReportForm
from judgments.publishing.report.writers import FORMATS, pdf
from judgments.publishing.report.writers.page import parts
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from judgments.web.heavy import heavy

# What the page opens with; the other parts are folded, and made when they are opened.
FIRST = ["design"]
FRAGMENT = "fragment"
PARAMETERS = (PART, WITH, WITHOUT_COLUMN, FRAGMENT)


@login_required
@require_GET
@at_one_moment
def report(request, campaign_id):
    """The whole report is long: without parts in the address most of them are folded."""
    selection = from_address.selected(request, campaign_id, PARAMETERS)
    is_whole = bool(request.GET.getlist(PART) or request.GET.getlist(WITH))
    made = asked_for(request, selection, FIRST)
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "parts": parts(made, is_file=False),
    }
    if request.GET.get(FRAGMENT):
        return render(request, "judgments/publishing/_report_parts.html", context)
    others = Campaign.objects.visible_to(request.user).exclude(pk=campaign_id)
    query = request.GET.urlencode()
    context |= {
        "tab": "report",
        "folded": [] if is_whole else [each for each in titles() if each[0] not in FIRST],
        "form": ReportForm(others[:MOST_CAMPAIGNS], request.GET),
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
    form = FORMATS.get(kind)
    if form is None:
        raise Http404("No such kind of file.")
    try:
        content = form.write(addressed(asked_for(request, selection, ())))
    except pdf.CannotSet as problem:
        raise BadRequest(f"This report cannot be written as a PDF: {problem}") from None
    response = HttpResponse(content, content_type=form.content_type)
    name = slugify(selection.campaign.name) or f"campaign-{campaign_id}"
    response["Content-Disposition"] = f'attachment; filename="{name}-report.{kind}"'
    return response


def titles() -> list[tuple[str, str]]:
    return [(slug, title) for slug, (title, _make) in PARTS.items()]


def asked_for(request, selection: Selection, first) -> CampaignReport:
    """The report that an address asks for: of this campaign, or of several. first: the parts where
    the address names none; all without any.

    Raises BadRequest for a part that there is not, and Http404 for a campaign that the user may
    not read.
    """
    wanted, others = request.GET.getlist(PART), request.GET.getlist(WITH)
    unknown = set(wanted) - set(PARTS)
    if unknown:
        raise BadRequest(f"There is no part “{sorted(unknown)[0]}”. Parts: {', '.join(PARTS)}.")
    made = several(request, selection, others) if others else report_of(selection, wanted or first)
    return narrowed(made, request.GET.getlist(WITHOUT_COLUMN))


def several(request, selection: Selection, others: list[str]) -> CampaignReport:
    """The same filters go for all of them, and each is checked by itself."""
    if not all(each.isascii() and each.isdigit() and len(each) < 10 for each in others):
        raise BadRequest("Other campaigns are given by their numbers: ?with=7.")
    if len(others) > MOST_CAMPAIGNS:
        raise BadRequest(f"A report is of {MOST_CAMPAIGNS} campaigns at most.")
    numbers = [n for n in dict.fromkeys(map(int, others)) if n != selection.campaign.pk]
    return report_of_several(
        [selection, *(from_address.selected_beside(request, n) for n in numbers)]
    )
