"""Segments and single translations excluded from the results of a campaign."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from judgments.files import ImportProblem, exclusions
from judgments.files.attachments import streamed
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.quality.decisions.decisions import AlreadyDecided, decide_item
from judgments.quality.decisions.exclusions import (
    ExclusionRow,
    NotExcluded,
    add_exclusions,
    exclusions_in_force,
)
from judgments.quality.decisions.forms import LEAVE_OUT, TAKE_IN, ExclusionsFileForm, ItemForm
from judgments.web.audit.acting import acted, acting

ITEMS_ON_A_PAGE = 50


@login_required
@require_GET
def quality_items(request, campaign_id):
    return items_page(request, access.readable_campaign(request.user, campaign_id))


@login_required
@require_POST
def quality_item_decide(request, campaign_id):
    """Exclude a segment, or a system's translation of it, or include it again."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = ItemForm(campaign, request.POST, prefix="item")
    if form.is_valid():
        data = form.cleaned_data
        chosen = (campaign, data["segment"], data["system"])
        try:
            with acting(request):
                decide_item(*chosen, removed=form.removes, reason=data["reason"], by=request.user)
        except AlreadyDecided as problem:
            form.add_error("action", _("This is %(problem)s.") % {"problem": problem})
        else:
            messages.success(request, _("The decision is recorded, with its reason."))
            return redirect("quality-items", campaign.pk)
    return items_page(request, campaign, item_form=form, status=422)


@login_required
@require_POST
def quality_exclusions(request, campaign_id):
    """Read exclusions from a table: all of them, or none, with the errors found."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = ExclusionsFileForm(request.POST, request.FILES)

    def import_them() -> tuple[int]:
        file = form.cleaned_data["file"]
        rows = (ExclusionRow(*row) for row in exclusions.from_table(file))
        try:
            return (add_exclusions(campaign, request.user, rows),)
        except NotExcluded as problem:
            more = _(" (%(n)d problems)") % {"n": problem.n} if problem.n > 1 else ""
            raise ImportProblem(file.name, None, "", problem.problems[0] + more) from None

    if added := form.imported(acted(request, import_them)):
        n = added[0]
        recorded = ngettext("Recorded %(n)s exclusion.", "Recorded %(n)s exclusions.", n)
        messages.success(request, recorded % {"n": intcomma(n)})
        return redirect("quality-items", campaign.pk)
    return items_page(request, campaign, file_form=form, status=422)


@login_required
@require_GET
@at_one_moment
def quality_exclusions_file(request, campaign_id):
    """Return the current exclusions, in the form in which they can be imported again."""
    campaign = access.readable_campaign(request.user, campaign_id)
    name = slugify(campaign.name) or f"campaign-{campaign.pk}"
    lines = exclusions.tsv_lines(exclusions_in_force(campaign))
    return streamed(lines, "text/tab-separated-values; charset=utf-8", f"{name}-exclusions.tsv")


def items_page(request, campaign, *, item_form=None, file_form=None, status=200):
    items = campaign.removed_items.latest_of_each().select_related("segment", "system")
    found = sorted((each for each in items if each.removed), key=lambda each: each.segment.position)
    aliases = dict(campaign.memberships.values_list("user", "alias"))
    asked = {"segment": request.GET.get("segment", ""), "system": request.GET.get("system", "")}
    asked["action"] = TAKE_IN if asked["segment"] else LEAVE_OUT
    page = Paginator(found, ITEMS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "tab": "quality",
        "page": page,
        "items": [
            (each, aliases.get(each.decided_by_id, f"user {each.decided_by_id}")) for each in page
        ],
        "may_manage": access.may_manage(request.user, campaign),
        "item_form": item_form or ItemForm(campaign, prefix="item", initial=asked),
        "file_form": file_form or ExclusionsFileForm(),
        "limit": settings.MAX_UPLOAD_BYTES,
    }
    return render(request, "judgments/quality/removed_items.html", context, status=status)
