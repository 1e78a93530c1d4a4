"""Tutorial items: annotators do them before their work, managers write them."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from judgments.judging.practice import practice as tutorial
from judgments.judging.practice.gate import answered, gate_of, has_tries_left
from judgments.people import access
from judgments.people.staffing.settings import entry_step
from judgments.people.states import may_work
from judgments.plans.campaigns.forms import NO_VERSION
from judgments.web.audit.acting import acting

from ..views import screen_context


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge_practice(request, campaign_id, number):
    """One tutorial item; an answer is checked here, shown with what was expected, and not kept."""
    membership = access.annotator(request.user, campaign_id)
    campaign = membership.campaign
    if not campaign.is_open or entry_step(membership) or not may_work(membership):
        return redirect("judge", campaign_id)
    practices = list(campaign.practices.all())
    if not 1 <= number <= len(practices):
        raise Http404("There is no such tutorial item.")
    if number > membership.n_practiced + 1:
        return redirect("judge", campaign_id)  # which leads to the first that was not done
    practice = practices[number - 1]
    screen = tutorial.practice_screen(campaign, practice, number, len(practices), timezone.now())
    is_answer = request.method == "POST"
    form = screen.form(request.POST if is_answer else None)
    if is_answer and form.is_valid():
        checked = tutorial.check(form, practice.expected)
        if gate := gate_of(campaign):
            answered(membership, number, len(practices), checked)
        else:
            tutorial.practiced(membership, number)
        context = {
            "campaign": campaign,
            "test_set": campaign.test_set,
            "screen": screen,
            "practice": practice,
            "checked": checked,
            "n_wrong": sum(not each.is_right for each in checked),
            "is_last": number == len(practices),
            "gate": gate,
            "membership": membership,
            "may_try_again": has_tries_left(membership),
        }
        return render(request, "judgments/judging/feedback.html", context)
    base = reverse("judge", args=[campaign_id]) + "practice/"
    context = screen_context(screen, form, base, problem="incomplete" if is_answer else "")
    context |= {"is_practice": True, "gate": gate_of(campaign) if number == 1 else None}
    status = 400 if is_answer else 200
    return render(request, "judgments/judging/item.html", context, status=status)


REPLACED = (
    "Somebody saved other tutorial items while you wrote. What you wrote is here and was not "
    "stored; what is stored stands above. Put into your text what you want to keep, then save."
)


class PracticeForm(forms.Form):
    items = forms.CharField(
        required=False,
        max_length=tutorial.LONGEST,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}),
        label="Tutorial items",
        help_text="One JSON object per line with source, reference, outputs (a list), expected "
        "and feedback (Markdown). Empty: no tutorial.",
    )

    version = forms.CharField(
        max_length=64,
        widget=forms.HiddenInput,
        error_messages={"required": NO_VERSION},
    )

    def __init__(self, campaign, data=None):
        known = {"items": tutorial.as_lines(campaign), "version": tutorial.version_of(campaign)}
        super().__init__(data, initial=known)
        self.campaign = campaign

    def beside(self):
        """The same text for the items that the campaign has now, with what has come of them."""
        known = {"items": self.data.get("items", "")}
        known["version"] = tutorial.version_of(self.campaign)
        form = PracticeForm(self.campaign, known)
        form.is_valid()
        form.add_error("items", REPLACED)
        return form

    def clean_items(self):
        try:
            return tutorial.parse(self.campaign, self.cleaned_data["items"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


@login_required
@require_http_methods(["GET", "POST"])
def campaign_practice(request, campaign_id):
    """The tutorial items of a campaign, all in one form."""
    campaign = access.managed_campaign(request.user, campaign_id)
    data = request.POST if request.method == "POST" else None
    form, status, stored = PracticeForm(campaign, data), 200, None
    if request.method == "POST" and form.is_valid():
        items, version = form.cleaned_data["items"], form.cleaned_data["version"]
        try:
            with acting(request):
                tutorial.replace(campaign, items, version=version)
        except tutorial.ReplacedMeanwhile:
            form, status, stored = form.beside(), 409, tutorial.as_lines(campaign)
        else:
            messages.success(request, f"The campaign now has {len(items)} tutorial items.")
            return redirect("campaign-practice", campaign.pk)
    elif form.errors:
        status = 422
    context = {"campaign": campaign, "tab": "overview", "form": form, "stored": stored}
    return render(request, "judgments/judging/practice.html", context, status=status)
