"""How carefully annotators judged, and whose judgments the results leave out."""

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments import access


@login_required
@require_GET
def quality(request, campaign_id):
    campaign = access.readable_campaign(request.user, campaign_id)
    return render(request, "judgments/quality.html", {"campaign": campaign, "tab": "quality"})
