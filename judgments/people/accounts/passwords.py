"""A person's password: changing it, or choosing a new one by mail."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.password_validation import password_validators_help_texts
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from judgments.people.accounts import oidc
from judgments.people.accounts.backends import ModelBackend
from judgments.people.accounts.tasks import mail_new_password
from judgments.web import limits
from mteval_site.addresses import client_address

BY_FORM = method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
BACKEND = f"{ModelBackend.__module__}.{ModelBackend.__name__}"


@never_cache
@login_required
@require_GET
def account(request):
    context = {
        "has_password": request.user.has_usable_password(),
        "provider": settings.OIDC_NAME if settings.OIDC_ISSUER else "",
        "is_connected": bool(oidc.connected([request.user.pk])),
    }
    return render(request, "judgments/people/account.html", context)


class InOneSentence:
    """Rules for a new password in one sentence: Django's list would not fit into a hint."""

    def get_form(self, form_class=None):
        form = super().get_form(form_class)  # type: ignore[misc]
        form.fields["new_password1"].help_text = " ".join(password_validators_help_texts())
        return form


@BY_FORM
class PasswordChange(InOneSentence, views.PasswordChangeView):
    """Change of password. It ends all other sessions of the person: each holds a digest of the
    password it began with."""

    template_name = "registration/password_change.html"
    success_url = reverse_lazy("account")

    def dispatch(self, request, *args, **kwargs):
        if request.user.is_authenticated and not request.user.has_usable_password():
            return redirect("account")
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form):
        messages.success(
            self.request, _("Your password was changed. You were signed out everywhere else.")
        )
        return super().form_valid(form)


@BY_FORM
class PasswordReset(views.PasswordResetView):
    """Form for the address. The response and its time are the same whether or not an account has
    the address: a worker looks for the account and writes the mail."""

    template_name = "registration/password_reset.html"
    success_url = reverse_lazy("password-reset-sent")

    def get_context_data(self, **kwargs):
        known = {"can_mail": settings.CAN_MAIL, "contact": settings.OPERATOR_CONTACT}
        return super().get_context_data(**kwargs) | known

    def form_valid(self, form):
        if not settings.CAN_MAIL:
            return self.render_to_response(self.get_context_data(form=form))
        limits.hit(limits.RESETS, client_address(self.request))
        address = form.cleaned_data["email"]
        try:
            limits.hit(limits.RESET_MAILS, address.casefold())
        except limits.Exceeded:
            return redirect(self.success_url)  # three mails are on their way already
        site = self.request.build_absolute_uri("/")
        mail_new_password.enqueue(address, site, get_language())
        return redirect(self.success_url)


class PasswordResetSent(views.PasswordResetDoneView):
    template_name = "registration/password_reset_sent.html"


@BY_FORM
@method_decorator(never_cache, name="dispatch")
class PasswordResetConfirm(InOneSentence, views.PasswordResetConfirmView):
    """Page behind the link of the mail. It signs in, which also makes the device a known one: so
    people whose name is blocked for unknown devices get in by mail."""

    template_name = "registration/password_reset_confirm.html"
    success_url = reverse_lazy("home")
    post_reset_login = True
    post_reset_login_backend = BACKEND

    def form_valid(self, form):
        messages.success(self.request, _("Your password was changed, and you are signed in."))
        return super().form_valid(form)
