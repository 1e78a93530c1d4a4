"""Recipients of a campaign's notices, and the state of each notice."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from judgments.models import Notice
from judgments.people import access
from judgments.quality.notices import notices as sending
from judgments.quality.notices.forms import NoticeRuleForm
from judgments.quality.notices.tasks import ask
from judgments.web.audit.acting import acting

MOST_RULES = 20
SHOWN = 100


def notices_page(request, campaign, *, form=None, status=200):
    aliases = sending.aliases_in(campaign)
    found = Notice.objects.filter(rule__campaign=campaign).select_related("rule__campaign")
    context = {
        "campaign": campaign,
        "tab": "watch",
        "rules": campaign.notice_rules.select_related("created_by"),
        "rows": [(notice, sending.in_words(notice, aliases)) for notice in found[:SHOWN]],
        "form": form or NoticeRuleForm(),
        "hosts": settings.WEBHOOK_HOSTS,
        "can_mail": settings.CAN_MAIL,
    }
    return render(request, "judgments/quality/notices.html", context, status=status)


@never_cache  # it shows the keys of webhooks
@login_required
@require_GET
def notices(request, campaign_id):
    return notices_page(request, access.managed_campaign(request.user, campaign_id))


@login_required
@require_POST
def notice_new(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = NoticeRuleForm(request.POST)
    if form.is_valid() and campaign.notice_rules.count() >= MOST_RULES:
        form.add_error(None, f"A campaign has at most {MOST_RULES} notices; remove one first.")
    if not form.is_valid():
        return notices_page(request, campaign, form=form, status=422)
    site = request.build_absolute_uri("/")[:200]
    with acting(request):
        campaign.notice_rules.create(**form.cleaned_data, created_by=request.user, site=site)
        ask(campaign)
    messages.success(
        request, "The notice is set up. If its event has already happened, it is sent now."
    )
    return redirect("notices", campaign.pk)


@login_required
@require_POST
def notice_delete(request, campaign_id, rule_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    rule = get_object_or_404(campaign.notice_rules, pk=rule_id)
    with acting(request):
        rule.delete()
    messages.success(request, "The notice is removed, with its log.")
    return redirect("notices", campaign.pk)
