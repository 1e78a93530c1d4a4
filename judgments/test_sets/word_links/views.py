"""Word links by an aligner: asked for with a button, watched until they are made."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from judgments.files.rows import Frozen
from judgments.models import AlignerRun, Judgment, LinkPurpose, OutputLinks, ShownHints
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.test_sets.word_links import asking, runs
from judgments.test_sets.word_links.aligner import word_aligner
from judgments.test_sets.word_links.forms import LinkRunForm
from judgments.web.audit.acting import acting

# The page of each purpose, which only campaigns have that may ask for it.
PAGES = {
    LinkPurpose.PROPOSAL: "proposed-links",
    LinkPurpose.READING: "shown-links",
    LinkPurpose.COMPARISON: "word-links",
}


@login_required
@require_POST
def links_make(request, campaign_id):
    """Have links made for one purpose."""
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
    """Return the part of a page that moves; once nothing moves any more, the whole page again."""
    campaign = access.managed_campaign(request.user, campaign_id)
    _page_of(campaign, purpose)
    context = run_context(campaign, purpose)
    response = render(request, "judgments/test_sets/_link_run.html", context)
    if context["run"] is None or not context["run"].is_on_its_way:
        response["HX-Refresh"] = "true"
    return response


@login_required
@require_GET
def shown_links(request, campaign_id):
    """Links and hints for those who judge: what there is, and how it came about."""
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
    """Return what the part of a page says of a run: how far it is, or with what form to ask for
    one."""
    run = AlignerRun.objects.filter(campaign=campaign, purpose=purpose).first()
    aligner = word_aligner()
    names = {**aligner.models, **aligner.methods} if aligner else {}
    has_begun = Judgment.objects.filter(campaign=campaign).exists()
    is_frozen = has_begun and (
        purpose == LinkPurpose.PROPOSAL
        or (purpose == LinkPurpose.READING and run is not None and run.state == "done")
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
        and not runs.is_busy(run),
        "run_form": LinkRunForm(initial={"purpose": purpose}),
    }


def _page_of(campaign, purpose: str) -> str:
    """Return the page on which links of a purpose are asked for. Raise Http404 where there is
    none."""
    page = PAGES.get(LinkPurpose(purpose)) if purpose in LinkPurpose.values else None
    if page is None or not protocol_of(campaign).has_page(page):
        raise Http404("This campaign shows no such links.")
    return page
