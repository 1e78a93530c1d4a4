"""What readers understood, and the grading of their open answers."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.models import Question, Reference
from judgments.people import access
from judgments.quality.decisions.views import decided
from judgments.quality.rules.forms import DecisionForm
from judgments.results.answers import grading
from judgments.results.answers.figures import readers
from judgments.results.answers.forms import GradingForm
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from judgments.test_sets.questions.views import asks
from judgments.web.audit.acting import acting

from . import page


@login_required
@require_GET
def answers(request, campaign_id):
    selection = from_address.selected(request, campaign_id)
    asks(selection.campaign)
    return answers_page(request, selection)


@login_required
@require_POST
def answers_decide(request, campaign_id):
    """An annotator is left out of the results, or included again."""
    campaign = asks(access.managed_campaign(request.user, campaign_id))
    form = decision_form(campaign, request.POST)
    if decided(request, campaign, form):
        return redirect("answers", campaign.pk)
    return answers_page(request, Selection.of(campaign), form=form, status=422)


def decision_form(campaign, data=None) -> DecisionForm:
    everybody: Any = readers(Selection.of(campaign))  # has annotators as a report of quality does
    return DecisionForm(campaign, everybody, data, prefix="decision")


def answers_page(request, selection, *, form=None, status=200):
    campaign = selection.campaign
    context = {
        "campaign": campaign,
        "selection": selection,
        "tab": "answers",
        "sections": page.sections(selection),
        "empty": not readers(selection).annotators,
        "may_manage": access.may_manage(request.user, campaign),
        "decision_form": form or decision_form(campaign),
        "has_open": campaign.questions.filter(choices=[]).exists(),
    }
    return render(request, "judgments/answers.html", context, status=status)


@login_required
@require_GET
def grading_list(request, campaign_id):
    """The open questions, with how many answers are waiting for a grade."""
    campaign = asks(access.readable_campaign(request.user, campaign_id))
    rows = grading.open_questions(campaign, request.user)
    context = {
        "campaign": campaign,
        "tab": "answers",
        "rows": rows,
        "n_answers": sum(row.n for row in rows),
        "n_waiting": sum(row.n_waiting for row in rows),
    }
    return render(request, "judgments/grading_list.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def grading_question(request, campaign_id, question_id):
    """The answers to one open question, to be graded without knowing whose they are."""
    campaign = asks(access.readable_campaign(request.user, campaign_id))
    question = get_object_or_404(
        Question.objects.select_related("document", "campaign"),
        campaign=campaign,
        pk=question_id,
        choices=[],
    )
    groups = grading.answers_alike(question, request.user)
    form = GradingForm(groups, request.POST if request.method == "POST" else None)
    if form.is_valid():
        with acting(request):
            n = grading.grade(question, form.verdicts(), request.user)
        graded = ngettext("Graded %(n)s answer.", "Graded %(n)s answers.", n)
        messages.success(request, graded % {"n": intcomma(n)})
        return redirect("grading", campaign.pk)
    context = {
        "campaign": campaign,
        "tab": "answers",
        "question": question,
        "form": form,
        "accepted": [right for right in question.right if right],
        "reference": reference_of(question),
    }
    return render(
        request, "judgments/grading_question.html", context, status=422 if form.errors else 200
    )


def reference_of(question: Question) -> list[str]:
    """The document's reference, so that a grader can look up what is right."""
    rows = Reference.objects.filter(segment__document=question.document_id)
    texts: dict[int, str] = {}
    for position, text in rows.order_by("segment__position", "name").values_list(
        "segment__position", "text"
    ):
        texts.setdefault(position, text)
    return list(texts.values())
