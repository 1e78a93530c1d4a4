"""Data stored about the signed-in person: to read, to download, to have erased."""

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.people.accounts import oidc
from judgments.people.members import members as people
from judgments.people.my_data.answers import part, parts_of, projects_of, stored_about
from judgments.people.my_data.erasure import NotAnAnnotator, require_annotator
from judgments.web.audit.acting import acting

from ..members.views import managed_member

LONGEST_REASON = 500


class EraseForm(forms.Form):
    sure = forms.BooleanField(
        label=gettext_lazy("Erase my name and my data. I understand that this cannot be undone.")
    )


def my_data_page(request, form, status=200):
    user = request.user
    try:
        require_annotator(user)
        may_erase = True
    except NotAnAnnotator:
        may_erase = False
    context = {
        "parts": [(part(each), each) for each in parts_of(user)],
        "projects": projects_of(user),
        "n_judgments": user.judgments.count(),
        "n_tokens": user.api_tokens.count(),
        "is_connected": bool(oidc.connected([user.pk])),
        "may_erase": may_erase,
        "form": form,
    }
    return render(request, "judgments/people/my_data.html", context, status=status)


@never_cache
@login_required
@require_GET
def my_data(request):
    return my_data_page(request, EraseForm())


@never_cache
@login_required
@require_GET
def my_data_file(request):
    response = JsonResponse(
        stored_about(request.user), json_dumps_params={"ensure_ascii": False, "indent": 1}
    )
    response["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return response


@never_cache
@login_required
@require_POST
def my_data_erase(request):
    """Erase an annotator at their own request, which signs them out."""
    form = EraseForm(request.POST)
    if form.is_valid():
        by = f"account {request.user.pk}"
        try:
            with acting(request):
                people.erase_person(request.user, by=by, reason="They asked for it.")
        except NotAnAnnotator:
            form.add_error(None, _("Your account is used for more than judging. Ask the operator."))
    if form.errors:
        return my_data_page(request, form, status=422)
    logout(request)
    return render(request, "judgments/people/my_data_gone.html")


class MemberEraseForm(forms.Form):
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        label="Why",
        help_text="It is kept in a log that nobody can change, so leave out names and addresses.",
    )


@login_required
@require_http_methods(["GET", "POST"])
def member_erase(request, campaign_id, membership_id):
    """Erase a guest at their request; the owner does what the guest could do."""
    membership = managed_member(request, campaign_id, membership_id)
    form = MemberEraseForm(request.POST if request.method == "POST" else None)
    problem = people.why_not_erased(membership, request.user)
    if form.is_valid() and not problem:
        by, reason = request.user.get_username(), form.cleaned_data["reason"]
        with acting(request):
            people.erase_person(membership.user, by=by, reason=reason)
        messages.success(request, "Their name and data were erased. Their judgments stay.")
        return redirect("campaign-people", campaign_id)
    context = {
        "campaign": membership.campaign,
        "tab": "people",
        "membership": membership,
        "problem": problem,
        "form": form,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "judgments/people/member_erase.html", context, status=status)
