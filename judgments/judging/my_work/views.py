"""*My work*: the annotator's own items, with what they said, their time and their pay."""

from itertools import groupby
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from judgments.people import access
from judgments.people.staffing.pay import earned_so_far
from judgments.people.staffing.settings import entry_step, staffing_of
from judgments.people.states import may_work
from judgments.people.workload.work import work_of

from ..views import between, wants_json, whole_number
from .forms import OwnItemsForm, StarForm
from .rows import PER_PAGE, OwnItems, set_star


@never_cache
@login_required
@require_GET
def judge_items(request, campaign_id):
    """Return the annotator's own items, to find one and go back to it; `?number=` jumps to one."""
    membership = access.annotator(request.user, campaign_id)
    if not may_work(membership):
        return redirect("judge", campaign_id)
    work = work_of(membership)
    number = whole_number(request.GET.get("number"))
    if number is not None and work.place(number):
        return redirect("judge-item", campaign_id, number)
    own = OwnItems(membership, work)
    context = between(membership, work)
    recalls = own.recalls()
    form = OwnItemsForm(
        request.GET, searches=recalls, hides_progress=context["hides_progress"], label_suffix=""
    )
    asked = form.asked()
    items = own.found(asked.get("show", ""), asked.get("words", ""))
    n_items = items.count()
    n_pages = max(1, -(-n_items // PER_PAGE))
    page = min(n_pages, max(1, whole_number(request.GET.get("page")) or 1))
    start = (page - 1) * PER_PAGE
    rows = own.rows(items.select_related("segment")[start : start + PER_PAGE], recalls=recalls)
    context |= {
        "form": form,
        "items": rows,
        "documents": [list(each) for _, each in groupby(rows, lambda row: row.document)],
        "n_found": n_items,
        "is_filtered": bool(asked),
        "recalls": recalls,
        "query": urlencode(asked),
        "page": page,
        "pages": range(1, n_pages + 1),
        "asked": request.GET.get("number", ""),
        "stop": own.stop(),
        "rate": staffing_of(membership.campaign).pay,
        "earned": earned_so_far(membership, work),
    }
    return render(request, "judgments/judging/items.html", context)


@login_required
@require_POST
def judge_star(request, campaign_id, number):
    """Set the star of one's own item or take it back, and show the list as it was; a script, which
    asks from the judging screen, is told that it is done."""
    membership = access.annotator(request.user, campaign_id)
    if entry_step(membership) or not may_work(membership):
        return HttpResponse(status=409) if wants_json(request) else redirect("judge", campaign_id)
    place = work_of(membership).place(number)
    if place is None:
        raise Http404("No such item in your work.")
    task, position = place
    item = get_object_or_404(task.items, position=position)
    form = StarForm(request.POST)
    if form.is_valid():
        set_star(request.user.pk, item, is_starred=form.cleaned_data["star"] == "yes")
    if wants_json(request):
        return HttpResponse(status=204 if form.is_valid() else 422)
    shown = OwnItemsForm(request.GET, searches=True, hides_progress=False).asked()
    if page := whole_number(request.GET.get("page")):
        shown["page"] = str(page)
    query = f"?{urlencode(shown)}" if shown else ""
    return redirect(reverse("judge-items", args=[campaign_id]) + query + f"#item-{number}")
