"""What readers understood, and the grading of their open answers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from judgments.models import Question, Reference
from judgments.people import access
from judgments.results.answers import grading
from judgments.results.answers.forms import GradingForm
from judgments.test_sets.questions.views import asks
from judgments.web.audit.acting import acting


@login_required
@require_GET
def grading_list(request, campaign_id):
    """Return the open questions, with how many answers are waiting for a grade."""
    campaign = asks(access.readable_campaign(request.user, campaign_id))
    rows = grading.open_questions(campaign, request.user)
    context = {
        "campaign": campaign,
        "tab": "answers",
        "rows": rows,
        "n_answers": sum(row.n for row in rows),
        "n_waiting": sum(row.n_waiting for row in rows),
    }
    return render(request, "judgments/results/grading_list.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def grading_question(request, campaign_id, question_id):
    """Return the answers to one open question, to be graded without knowing whose they are."""
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
        request,
        "judgments/results/grading_question.html",
        context,
        status=422 if form.errors else 200,
    )


def reference_of(question: Question) -> list[str]:
    """Return the document's reference, so that a grader can look up what is right."""
    rows = Reference.objects.filter(segment__document=question.document_id)
    texts: dict[int, str] = {}
    for position, text in rows.order_by("segment__position", "name").values_list(
        "segment__position", "text"
    ):
        texts.setdefault(position, text)
    return list(texts.values())
