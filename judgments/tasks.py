"""What a worker does in the background for campaigns and accounts."""

import time
from urllib.parse import urljoin

from django.contrib.auth import get_user_model
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django_tasks import task

A_DAY = 86_400  # seconds


@task(priority=50)
def mail_new_password(address: str, site: str, language: str) -> None:
    """Mail a link to choose a new password to every account that has the address and a password.

    The link is made here, so that the queue holds nothing that opens an account.
    """
    form = PasswordResetForm({"email": address})
    if not form.is_valid():
        return
    for user in form.get_users(form.cleaned_data["email"]):
        with translation.override(language):
            message_to(user, site).send()


def message_to(user, site: str) -> EmailMessage:
    """The mail with the link; it goes to the address of the account, not to the one that was typed
    and may only look like it."""
    token = default_token_generator.make_token(user)
    arguments = [urlsafe_base64_encode(force_bytes(user.pk)), token]
    context = {
        "link": urljoin(site, reverse("password-reset-confirm", args=arguments)),
        "name": user.get_username(),
        "site": site,
    }
    text = render_to_string("registration/password_reset_email.txt", context)
    subject, _, body = text.strip().partition("\n")
    to = getattr(user, get_user_model().get_email_field_name())
    return EmailMessage(subject.strip(), body.strip() + "\n", to=[to])


@task(queue_name="slow")
def run_upload(upload_id: int) -> bool:
    """Look at files that somebody brought, or import them; False if nobody waits for it."""
    from judgments.exchange.releases import uploads

    return uploads.work(upload_id)


@task(priority=-50)
def forget_upload(upload_id: int) -> None:
    """Delete what somebody brought a day ago, whatever has become of it."""
    from judgments.models import Upload

    Upload.objects.filter(pk=upload_id).delete()


@task(queue_name="slow")
def make_download(download_id: int) -> bool:
    """Make a file that somebody waits for; False if nobody does. Those of small campaigns are asked
    for in the queue of short tasks."""
    from judgments.publishing.downloads import files as downloads

    return downloads.work(download_id)


@task(priority=-50)
def forget_download(download_id: int) -> None:
    """Delete a file a day after it was asked for, whatever has become of it."""
    from judgments.models import Download

    Download.objects.filter(pk=download_id).delete()


@task(priority=-50)
def sweep_media() -> int:
    """Remove files of media that no test set has for a day: an import was killed. How many."""
    from judgments.test_sets.media.store import sweep

    return sweep(time.time() - A_DAY)


@task(queue_name="slow")
def compute_latest(campaign_id: int, name: str) -> None:
    """Compute figures for a page that is watched, and see whether there is anything to tell."""
    from judgments.models import Campaign
    from judgments.quality.notices import notices
    from judgments.quality.watch import figures as latest

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is None:
        return
    try:
        latest.compute(campaign, name)
    finally:
        latest.done(campaign, name)
    notices.ask(campaign)


@task(priority=-10)
def look_for_notices(campaign_id: int) -> None:
    """See whether a campaign is complete or an annotator is flagged, and tell whom it concerns."""
    from judgments.models import Campaign
    from judgments.quality.notices import notices

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is not None:
        notices.look(campaign)


@task(priority=-10)
def send_notice(notice_id: int) -> None:
    """Send one notice, and again later if that fails."""
    from judgments.quality.notices import notices

    notices.send(notice_id)


@task(priority=20)
def mail_invitations(campaign_id: int, sheet: int, subject: str, body: str, site: str) -> int:
    """Mail the links of a sheet that wait for it; how many were sent. The queue holds no link."""
    from judgments.models import Campaign
    from judgments.people.invitations.links import send_waiting

    campaign = Campaign.objects.filter(pk=campaign_id).first()
    return send_waiting(campaign, sheet, subject, body, site) if campaign else 0


@task(queue_name="slow")
def link_words(run_id: int) -> bool:
    """Make the word links that a campaign asked for; False if nobody waits for them. Those of few
    texts are asked for in the queue of short tasks."""
    from judgments.test_sets.word_links import runs

    return runs.work(run_id)
