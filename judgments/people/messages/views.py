"""Messages: managers write them and see who has read them; annotators read and dismiss them."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from judgments.models import Delivery
from judgments.people import access
from judgments.people.messages.forms import MessageForm
from judgments.people.messages.messages import mark_read, send, unread_of
from judgments.people.messages.tasks import mail_message
from judgments.web import limits
from judgments.web.audit.acting import acting

SHOWN = 50


class ReadForm(forms.Form):
    """Marks a message as read. stays: the page holds an answer and must not be replaced."""

    message = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    stays = forms.BooleanField(required=False)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def campaign_messages(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    data = request.POST if request.method == "POST" else None
    form = MessageForm(campaign, data, can_mail=settings.CAN_MAIL)
    if form.is_valid():
        people, said = form.recipients(), form.cleaned_data
        by_mail = said.get("by_mail", False)
        if by_mail:
            limits.hit(limits.INVITATION_MAILS, f"account {request.user.pk}", len(people))
        own = campaign.memberships.filter(user=request.user).values_list("alias", flat=True)
        with acting(request):
            message = send(
                campaign,
                people,
                text=said["text"],
                sender=own.first() or request.user.get_username(),
                site=request.build_absolute_uri("/")[:200],
                by_mail=by_mail,
            )
            mail_message.enqueue(message.pk)
        n = len(people)
        messages.success(
            request, f"Sent to {n} annotator{pluralize(n)}. They see it on their next page."
        )
        return redirect("campaign-messages", campaign.pk)
    deliveries = Delivery.objects.select_related("membership").order_by("membership__alias")
    context = {
        "campaign": campaign,
        "tab": "people",
        "form": form,
        "sent": campaign.messages.prefetch_related(Prefetch("deliveries", deliveries))[:SHOWN],
    }
    status = 422 if form.errors else 200
    return render(request, "judgments/people/messages.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge_messages(request, campaign_id):
    """GET: show the annotator's unread messages on the judging screen. POST: mark one as read."""
    membership = access.annotator(request.user, campaign_id)
    if request.method == "GET":
        context = {"unread": unread_of(membership), "stays": True}
        return render(request, "judgments/judging/messages.html", context)
    form = ReadForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    mark_read(membership, form.cleaned_data["message"])
    if form.cleaned_data["stays"]:
        return HttpResponse(status=204)  # browsers stay where they are
    return redirect("home")
