"""What annotators are asked before their first item; what managers settle for that, and read."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from judgments.files.csv_files import csv_file
from judgments.models import Role
from judgments.models.corpus import direction
from judgments.people import access
from judgments.people.staffing.forms import CompletionForm, ConsentForm, QuestionnaireForm
from judgments.people.staffing.settings import (
    entry_step,
    record_answers,
    record_consent,
    set_staffing,
    staffing_of,
)
from judgments.people.staffing.terms import terms_of
from judgments.web.audit.acting import acting


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge_consent(request, campaign_id):
    """Ask for consent. A refusal leads to a page that says what follows; one can come back. If the
    text changed meanwhile, show the new text."""
    membership = access.annotator(request.user, campaign_id)
    staffing = staffing_of(membership.campaign)
    texts = staffing.consent
    if not texts:
        return redirect("judge", campaign_id)
    language = next(code for code in (get_language() or "en", "en", *texts) if texts.get(code))
    shown = f"{staffing.consent_version} {language}"
    is_refused, is_other = False, request.POST.get("shown", shown) != shown
    said = request.POST.get("consent")
    if said == "refuse" or (said == "accept" and not is_other):
        accepted = said == "accept"
        record_consent(membership, accepted=accepted, language=language, text=texts[language])
        if accepted:
            return redirect("judge", campaign_id)
        is_refused = True
    context = {
        "campaign": membership.campaign,
        "text": texts[language],
        "shown": shown,
        "text_language": language,
        "text_direction": direction(language),
        "is_refused": is_refused,
        "is_other": is_other,
        "terms": terms_of(membership.campaign),
        "is_accepted": membership.consent_version == staffing.consent_version,
    }
    return render(request, "judgments/judging/consent.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge_questionnaire(request, campaign_id):
    membership = access.annotator(request.user, campaign_id)
    if entry_step(membership) == "judge-consent":
        return redirect("judge-consent", campaign_id)
    questions = staffing_of(membership.campaign).questions
    if not questions:
        return redirect("judge", campaign_id)
    data = request.POST if request.method == "POST" else None
    initial = {f"about-{name}": value for name, value in (membership.about or {}).items()}
    form = QuestionnaireForm(questions, get_language() or "en", data, initial=initial)
    if form.is_valid():
        record_answers(membership, form.answers())
        return redirect("judge", campaign_id)
    context = {"campaign": membership.campaign, "form": form}
    status = 422 if form.errors else 200
    return render(request, "judgments/judging/questionnaire.html", context, status=status)


def settled(request, campaign, form, template, message, *, then=None, **shown):
    """Return a page of a form that sets a part of the staffing. then: called once it is set; shown:
    what else is on the page."""
    if request.method == "POST" and form.is_valid():
        with acting(request):
            set_staffing(campaign, form.part())
            if then:
                then()
        messages.success(request, message)
        return redirect(request.path)
    context = {"campaign": campaign, "tab": "people", "form": form} | shown
    return render(request, template, context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "POST"])
def campaign_consent(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    data = request.POST if request.method == "POST" else None
    form = ConsentForm(staffing_of(campaign), data)
    message = "Saved. Annotators will see this before their next item."
    return settled(request, campaign, form, "judgments/people/consent.html", message)


@login_required
@require_http_methods(["GET", "POST"])
def campaign_completion(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = CompletionForm(campaign, request.POST if request.method == "POST" else None)
    return settled(request, campaign, form, "judgments/people/completion.html", "Saved.")


@never_cache
@login_required
@require_GET
def questionnaire_file(request, campaign_id):
    """Return the answers to the questionnaire under pseudonyms, as CSV; for owners only."""
    campaign = access.managed_campaign(request.user, campaign_id)
    names = [question.name for question in staffing_of(campaign).questions]
    members = campaign.memberships.filter(role=Role.ANNOTATOR).exclude(about=None)
    rows = [
        (alias, *((about or {}).get(name, "") for name in names))
        for alias, about in members.order_by("alias").values_list("alias", "about")
    ]
    return csv_file("questionnaire.csv", ["annotator", *names], rows)
