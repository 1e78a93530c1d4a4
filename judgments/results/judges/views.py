"""The value of a judge, as a page, as files, and as JSON."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from judgments.files.attachments import JSON, attachment
from judgments.results import exports
from judgments.results.compare.views import file_of
from judgments.results.selection import from_address
from judgments.web.heavy import heavy, heavy_if_large

from . import page
from .forms import JudgeFamilyForm

PARAMETERS = ("family", "own")


@login_required
@require_GET
@heavy_if_large
def judge_worth(request, campaign_id, judge_id):
    """Return the judge's agreement with people next to people's own, leanings, and all judges side
    by side."""
    selection, judge, form, sections = _asked(request, campaign_id, judge_id)
    query = request.GET.urlencode()
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "overview",
        "judge": judge,
        "form": form,
        "sections": sections,
        "has_judged": judge.raw_answers.exclude(judgment=None).exists(),
        "and_query": f"?{query}" if query else "",
    }
    return render(request, "judgments/results/judge_worth.html", context)


@login_required
@require_GET
@heavy
def judge_worth_file(request, campaign_id, judge_id, name):
    """Return a table of the page as CSV."""
    selection, judge, _form, sections = _asked(request, campaign_id, judge_id)
    address = _address(request, judge)
    return file_of(sections, selection, name, "csv", lambda slug: f"{address}#section-{slug}")


@login_required
@require_GET
@heavy
def judge_worth_json(request, campaign_id, judge_id):
    """Return all figures of the page."""
    selection, judge, _form, sections = _asked(request, campaign_id, judge_id)
    said = {"selection": selection.described, "judge": judge.name, "prompt_hash": judge.prompt_hash}
    found = exports.page_json(
        "judge-worth", f"What {judge.name} is worth", sections, _address(request, judge), said
    )
    return attachment(found, JSON, f"judge-{judge.pk}-worth.json")


def _asked(request, campaign_id, judge_id):
    selection = from_address.selected(request, campaign_id, PARAMETERS)
    judges = selection.campaign.judges.select_related("answers__test_set")
    judge = get_object_or_404(judges, pk=judge_id)
    form = JudgeFamilyForm(judge, request.GET)
    try:
        family = form.chosen()
    except ValueError as problem:
        raise BadRequest(str(problem)) from None
    return selection, judge, form, page.sections(selection, judge, family)


def _address(request, judge) -> str:
    """Return the page with the same request."""
    path = reverse("campaign-judge-worth", args=[judge.campaign_id, judge.pk])
    query = request.GET.urlencode()
    return request.build_absolute_uri(f"{path}?{query}" if query else path)
