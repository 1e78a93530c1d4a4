"""The segments of a campaign, with people's judgments, and the team's flags and comments."""

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from judgments.models import SegmentMark
from judgments.results.segments import one_segment
from judgments.results.segments import page as pages
from judgments.results.segments.figures import has_scores
from judgments.results.segments.forms import SegmentMarkForm, SegmentsForm
from judgments.results.segments.links import FIRST
from judgments.results.selection import from_address
from judgments.web.audit.acting import acting

ON_A_PAGE = 25
MOST_MARKS = 100
COMPARED = ("compare", "with")
PARAMETERS = (*SegmentsForm.base_fields, *COMPARED, FIRST, "page")


@login_required
@require_GET
def segments(request, campaign_id):
    selection = from_address.selected(request, campaign_id, PARAMETERS)
    found = pages.asked_page(selection, request.GET)
    page = Paginator(found.listing.at, ON_A_PAGE).get_page(request.GET.get("page"))
    start = page.start_index() - 1 if page.paginator.count else 0
    rows = pages.rows(found, start, start + len(page))
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "segments",
        "found": found,
        "form": found.form,
        "sentence": pages.sentence(found),
        "measure": pages.measure_words(selection),
        "has_scores": has_scores(selection),
        "disagrees": any(row.disagreement == row.disagreement for row in rows),
        "page": page,
        "query": found.query,
        "rows": pages.shown(found, rows),
        "n_flagged": found.n_flagged,
    }
    return render(request, "judgments/results/segments.html", context)


@login_required
@require_GET
def segment(request, campaign_id, segment_id):
    return segment_page(
        request, from_address.selected(request, campaign_id, PARAMETERS), segment_id
    )


def segment_page(request, selection, segment_id, *, form=None, status=200):
    found = one_segment.segment_of(selection, segment_id)
    if found is None:
        raise Http404("There is no such segment.")
    listing = pages.asked_page(selection, request.GET)
    ids = listing.listing.segment_ids
    place = ids.index(segment_id) if segment_id in ids else None
    detail = one_segment.detail(selection, found, listing.columns)
    detail = replace(detail, first=detail.of_system(request.GET.get(FIRST, "")))
    system = detail.first.system_id if detail.first else None
    marks = selection.campaign.segment_marks.filter(segment=found).select_related("marked_by")
    history = list(marks.order_by("-pk")[:MOST_MARKS])
    is_flagged = bool(history) and history[0].is_flagged
    chosen = [(name, request.GET.get(name, "")) for name in COMPARED]
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "segments",
        "found": listing,
        "detail": detail,
        "segment": found,
        "means": one_segment.mean_table(detail, listing.column),
        "outside": one_segment.outside_table(detail),
        "place": None if place is None else place + 1,
        "before": listing.address_of(ids[place - 1], system) if place else None,
        "after": listing.address_of(ids[place + 1], system)
        if place is not None and place + 1 < len(ids)
        else None,
        "compared": one_segment.compared(detail, *(value for _, value in chosen)),
        "chosen": dict(chosen),
        "comparable": [each for each in detail.own if each.text is not None],
        "history": history,
        "is_flagged": is_flagged,
        "form": form or SegmentMarkForm(initial={"is_flagged": is_flagged}),
        "query": listing.query,
        "parts": listing.parts,
    }
    return render(request, "judgments/results/segment.html", context, status=status)


@login_required
@require_POST
def segment_mark(request, campaign_id, segment_id):
    """Flag a segment for others, or take the flag back, for readers of the results."""
    selection = from_address.selected(request, campaign_id, PARAMETERS)
    found = one_segment.segment_of(selection, segment_id)
    if found is None:
        raise Http404("There is no such segment.")
    last = selection.campaign.segment_marks.filter(segment=found).order_by("-pk").first()
    form = SegmentMarkForm(request.POST, was_flagged=bool(last and last.is_flagged))
    if not form.is_valid():
        return segment_page(request, selection, segment_id, form=form, status=422)
    with acting(request):
        SegmentMark.objects.create(
            campaign=selection.campaign, segment=found, marked_by=request.user, **form.cleaned_data
        )
    messages.success(
        request, "Flagged." if form.cleaned_data["is_flagged"] else "Noted, without a flag."
    )
    listing = pages.asked_page(selection, request.GET)
    return redirect(listing.address_of(segment_id) + "#look")
