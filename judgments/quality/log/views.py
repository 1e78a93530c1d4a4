"""The log of acts: of one campaign for its owners, of the site for its operators."""

from collections.abc import Iterable, Iterator
from itertools import islice

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from judgments.files.attachments import CSV, streamed
from judgments.files.csv_files import csv_text
from judgments.models import Act, Campaign, TestSet
from judgments.models.audit import ActQuerySet
from judgments.people import access
from judgments.quality.log.forms import LogForm
from judgments.quality.log.names import named
from judgments.web.audit.rows import COLUMNS, of_file
from judgments.web.audit.words import in_words
from mteval_site import operators

ACTS_ON_A_PAGE = 50
ROWS_AT_ONCE = 500


@never_cache
@login_required
@require_GET
def campaign_log(request: HttpRequest, campaign_id: int) -> HttpResponse:
    campaign = access.managed_campaign(request.user, campaign_id)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "file": reverse("campaign-log-file", args=[campaign.pk]),
    }
    return page(
        request, Act.objects.about(campaign), "judgments/quality/campaign_log.html", context
    )


@never_cache
@login_required
@require_GET
def campaign_log_file(request: HttpRequest, campaign_id: int) -> StreamingHttpResponse:
    campaign = access.managed_campaign(request.user, campaign_id)
    return file(request, Act.objects.about(campaign), f"campaign-{campaign.pk}-log.csv")


@never_cache
@login_required
@require_GET
def site_log(request: HttpRequest) -> HttpResponse:
    operators.require_operator(request.user)
    context = {"file": reverse("site-log-file"), "is_site": True}
    return page(request, Act.objects.all(), "judgments/quality/site_log.html", context)


@never_cache
@login_required
@require_GET
def site_log_file(request: HttpRequest) -> StreamingHttpResponse:
    operators.require_operator(request.user)
    return file(request, Act.objects.all(), "log.csv")


def page(
    request: HttpRequest, acts: ActQuerySet, template: str, context: dict[str, object]
) -> HttpResponse:
    form = LogForm(acts, request.GET)
    shown = Paginator(form.found().with_times(), ACTS_ON_A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    rows = [
        (act, who, in_words(act.act), what, facts)
        for act, who, what, facts in named(list(shown.object_list))
    ]
    acts_shown = [act for act, *_ in rows]
    context |= {
        "campaigns_there": there(Campaign, (act.campaign for act in acts_shown)),
        "test_sets_there": there(TestSet, (act.test_set for act in acts_shown)),
    }
    return render(
        request,
        template,
        context | {"form": form, "page": shown, "rows": rows, "query": query.urlencode()},
    )


def there(model: type[Model], numbers: Iterable[int | None]) -> set[int]:
    """Return which of these objects of acts still exist."""
    asked = {number for number in numbers if number is not None}
    found = model._default_manager.filter(pk__in=asked)
    return set(found.values_list("pk", flat=True)) if asked else set()


def file(request: HttpRequest, acts: ActQuerySet, name: str) -> StreamingHttpResponse:
    """Return the requested acts as CSV; no cell is taken for a formula."""
    found = LogForm(acts, request.GET).found().with_times()
    return streamed(csv_of(found), CSV, name)


def csv_of(acts: ActQuerySet) -> Iterator[str]:
    yield csv_text([COLUMNS])
    rows = acts.iterator(ROWS_AT_ONCE)
    while some := list(islice(rows, ROWS_AT_ONCE)):
        yield csv_text(of_file(*row) for row in named(some))
