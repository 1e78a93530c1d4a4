"""Word links by an aligner: requested with a button, watched until they are made."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from judgments.files.rows import Frozen
from judgments.models import AlignerRun, JobStatus, Judgment, LinkPurpose, OutputLinks, ShownHints
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.test_sets.word_links import asking, runs
from judgments.test_sets.word_links.aligner import word_aligner
from judgments.test_sets.word_links.forms import LinkRunForm
from judgments.web.audit.acting import acting

# The page of each purpose; only campaigns that may request such links have it.
PAGES = {
    LinkPurpose.PROPOSAL: "proposed-links",
    LinkPurpose.READING: "shown-links",
    LinkPurpose.COMPARISON: "word-links",
}


@login_required
@require_POST
def links_make(request, campaign_id):
    """Request links for one purpose."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = LinkRunForm(request.POST)
    if not form.is_valid():
        raise Http404("The aligner makes no such links.")
    asked = form.cleaned_data
    page = _page_of(campaign, asked["purpose"])
    try:
        with acting(request):
            asking.ask(campaign, asked["purpose"], asked["model"], asked["method"])
    except Frozen as problem:
        messages.error(request, problem.reason.capitalize())
    except runs.NotAsked as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, "A worker makes the links in the background.")
    return redirect(page, campaign.pk)


@login_required
@require_GET
def links_progress(request, campaign_id, purpose):
    """Return the part of a page with the progress; at the end, reload the whole page."""
    campaign = access.managed_campaign(request.user, campaign_id)
    _page_of(campaign, purpose)
    context = run_context(campaign, purpose)
    response = render(request, "judgments/test_sets/_link_run.html", context)
    if context["run"] is None or not context["run"].is_active:
        response["HX-Refresh"] = "true"
    return response


@login_required
@require_GET
def shown_links(request, campaign_id):
    """Show which links and hints annotators see, and how they were made."""
    campaign = access.managed_campaign(request.user, campaign_id)
    _page_of(campaign, LinkPurpose.READING)
    made = OutputLinks.objects.filter(run__campaign=campaign, run__purpose=LinkPurpose.READING)
    hints = ShownHints.objects.filter(judgment__campaign=campaign)
    context = {
        "tab": "overview",
        "options": protocol_of(campaign).options,
        "counts": made.aggregate(
            n=Count("pk", filter=Q(altered=None)),
            n_altered=Count("pk", filter=Q(altered__isnull=False)),
            n_hinted=Count("pk", filter=~Q(hints="") & Q(altered=None)),
        ),
        "n_shown": hints.values("judgment").distinct().count(),
        **run_context(campaign, LinkPurpose.READING),
    }
    return render(request, "judgments/test_sets/shown_links.html", context)


def run_context(campaign, purpose: str) -> dict:
    """Return the context of a run: its progress, or the form to request one."""
    run = AlignerRun.objects.filter(campaign=campaign, purpose=purpose).first()
    aligner = word_aligner()
    names = {**aligner.models, **aligner.methods} if aligner else {}
    has_begun = Judgment.objects.filter(campaign=campaign).exists()
    is_frozen = has_begun and (
        purpose == LinkPurpose.PROPOSAL
        or (purpose == LinkPurpose.READING and run is not None and run.status == JobStatus.DONE)
    )
    return {
        "campaign": campaign,
        "purpose": purpose,
        "run": run,
        "run_model": names.get(run.model, run.model) if run else "",
        "run_method": names.get(run.method, run.method) if run else "",
        "is_frozen": is_frozen,
        "may_ask": aligner is not None
        and campaign.test_set.has_texts
        and not is_frozen
        and not (run and run.is_under_way),
        "run_form": LinkRunForm(initial={"purpose": purpose}),
    }


def _page_of(campaign, purpose: str) -> str:
    """Return the page on which links of a purpose are requested. Raise Http404 if there is none."""
    page = PAGES.get(LinkPurpose(purpose)) if purpose in LinkPurpose.values else None
    if page is None or not protocol_of(campaign).has_page(page):
        raise Http404("This campaign shows no such links.")
    return page
