"""Many invitations at once: links for a list of people, cards to print, mails."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.files.csv_files import csv_file
from judgments.files.forms import sent
from judgments.models import MailState
from judgments.people import access
from judgments.people.invitations import links as invitations
from judgments.people.invitations.forms import MailForm, SheetForm
from judgments.people.invitations.tasks import mail_invitations
from judgments.web import limits
from judgments.web.audit.acting import acting

LONGEST_TIME = 60


@login_required
@require_http_methods(["GET", "POST"])
def invitations_many(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = SheetForm(*sent(request))
    if request.method == "POST" and form.is_valid():
        asked = {name: form.cleaned_data[name] for name in ("expires_at", "note")}
        try:
            with acting(request) as act:
                sheet = invitations.invite_many(campaign, form.guests, by=request.user, **asked)
                act.made(sheet=sheet)
        except invitations.AliasTaken as problem:
            form.add_error("guests_file", f"No links were created. {problem}")
        else:
            n = len(form.guests)
            messages.success(request, f"{n} link{pluralize(n)} created; each is for one person.")
            return redirect("invitation-sheet", campaign.pk, sheet)
    context = {"campaign": campaign, "tab": "people", "form": form}
    status = 422 if form.errors else 200
    return render(request, "judgments/people/invitations_many.html", context, status=status)


def sheet_of(request, campaign_id, sheet):
    """Return a campaign that the user runs, and the links of one of its sheets. Http404 without
    any."""
    campaign = access.managed_campaign(request.user, campaign_id)
    found = list(invitations.of_sheet(campaign, sheet)) if sheet < 2**31 else []
    if not found:
        raise Http404("There is no such sheet of links.")
    usable = set(campaign.invitations.usable().values_list("pk", flat=True))
    for invitation in found:
        invitation.is_usable = invitation.pk in usable
        invitation.link = request.build_absolute_uri(invitation.get_absolute_url())
    return campaign, found


def sheet_page(request, campaign_id, sheet, mail_form, status=200):
    campaign, found = sheet_of(request, campaign_id, sheet)
    context = {
        "campaign": campaign,
        "tab": "people",
        "sheet": sheet,
        "invitations": found,
        "n_usable": sum(invitation.is_usable for invitation in found),
        "n_to_mail": invitations.to_mail(campaign, sheet).count(),
        "mails": invitations.mail_counts(campaign, sheet),
        "can_mail": settings.CAN_MAIL,
        "mail_form": mail_form,
    }
    return render(request, "judgments/people/invitation_sheet.html", context, status=status)


@never_cache
@login_required
@require_GET
def invitation_sheet(request, campaign_id, sheet):
    return sheet_page(request, campaign_id, sheet, MailForm(prefix="mail"))


@login_required
@require_POST
def invitation_mail(request, campaign_id, sheet):
    """Have the worker mail the links that were not mailed yet."""
    campaign, _found = sheet_of(request, campaign_id, sheet)
    form = MailForm(request.POST, prefix="mail")
    if form.is_valid() and not settings.CAN_MAIL:
        form.add_error(None, "This site does not send email. Its operator can set EMAIL_URL.")
    if not form.is_valid():
        return sheet_page(request, campaign_id, sheet, form, status=422)
    waiting = invitations.to_mail(campaign, sheet)
    if n := waiting.count():
        limits.hit(limits.INVITATION_MAILS, f"account {request.user.pk}", n)
        site = request.build_absolute_uri("/")
        words = form.cleaned_data
        with acting(request):
            waiting.update(mail_state=MailState.WAITING, mail_problem="", mail_tries=0)
            mail_invitations.enqueue(campaign.pk, sheet, words["subject"], words["body"], site)
    messages.success(
        request, f"{n} email{pluralize(n)} queued. Reload the page to see the progress."
    )
    return redirect("invitation-sheet", campaign.pk, sheet)


@login_required
@require_POST
def invitation_sheet_close(request, campaign_id, sheet):
    campaign, _found = sheet_of(request, campaign_id, sheet)
    still = campaign.invitations.usable().filter(sheet=sheet)
    with acting(request):
        n = still.update(closed_at=timezone.now())
    messages.success(
        request, f"{n} link{pluralize(n)} closed. People who joined with these links stay."
    )
    return redirect("invitation-sheet", campaign.pk, sheet)


@never_cache
@login_required
@require_GET
def invitation_cards(request, campaign_id, sheet):
    """Return a page to print: a card for each link that nobody has used yet."""
    campaign, found = sheet_of(request, campaign_id, sheet)
    context = {
        "campaign": campaign,
        "sheet": sheet,
        "invitations": [invitation for invitation in found if invitation.is_usable],
        "takes": request.GET.get("takes", "")[:LONGEST_TIME],
        "longest": LONGEST_TIME,
    }
    return render(request, "judgments/people/invitation_cards.html", context)


@never_cache
@login_required
@require_GET
def invitation_file(request, campaign_id, sheet):
    """Return the links of a sheet as CSV."""
    _campaign, found = sheet_of(request, campaign_id, sheet)
    head = ["name", "e-mail", "alias", "link", "until", "used", "mail", "mailed"]
    rows = []
    for i in found:
        until, mailed = (moment and moment.isoformat() for moment in (i.expires_at, i.mailed_at))
        rows.append((i.name, i.email, i.alias, i.link, until, i.uses, i.mail_state, mailed))
    return csv_file(f"links-{sheet}.csv", head, rows)
