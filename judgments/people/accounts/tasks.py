"""Mails with links to choose a new password, sent in the background."""

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

from judgments.people.mail import send_or_later


@task(priority=50)
def mail_new_password(
    address: str, site: str, language: str, n_failed: int = 0, only: int | None = None
) -> None:
    """Mail a link to choose a new password to every account that has the address and a password.

    The link is made here, so that the queue holds nothing that opens an account. n_failed: tries
    before this one, which is then for the account `only`.
    """
    form = PasswordResetForm({"email": address})
    if not form.is_valid():
        return
    for user in form.get_users(form.cleaned_data["email"]):
        if only not in (None, user.pk):
            continue
        with translation.override(language):
            later = send_or_later(message_to(user, site), n_failed)
        if later:
            again = mail_new_password.using(run_after=later)
            again.enqueue(address, site, language, n_failed + 1, user.pk)


def message_to(user, site: str) -> EmailMessage:
    """Return the mail with the link. It goes to the address of the account, not to the address that
    was typed, which may only look like it."""
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
