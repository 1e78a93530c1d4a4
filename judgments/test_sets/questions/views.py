"""The questions of a campaign: read, imported, written, taken back before the first judgment."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.files import questions as table
from judgments.files.rows import Frozen, import_rows
from judgments.models import Campaign, Judgment, Question
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.test_sets.questions.forms import QuestionForm, QuestionsFileForm
from judgments.test_sets.questions.importer import QuestionRows, delete_question, save_question
from judgments.web.audit.acting import acted, acting

FROZEN = "There are judgments, so the questions cannot be changed."


def asks(campaign: Campaign) -> Campaign:
    """Return the campaign if it asks questions. Raise Http404 for another."""
    if not protocol_of(campaign).has_page("questions"):
        raise Http404("This campaign asks no questions.")
    return campaign


@login_required
@require_GET
def questions(request, campaign_id):
    campaign = asks(access.readable_campaign(request.user, campaign_id))
    return questions_page(request, campaign)


def questions_page(request, campaign, *, file_form=None, question_form=None, status=200):
    documents: dict = {}
    for question in campaign.questions.select_related("document").order_by(
        "document__position", "position"
    ):
        documents.setdefault(question.document, []).append(question)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "documents": documents.items(),
        "n_questions": sum(map(len, documents.values())),
        "n_documents": campaign.test_set.documents.count(),
        "may_manage": access.may_manage(request.user, campaign),
        "frozen": Judgment.objects.filter(campaign=campaign).exists(),
        "file_form": file_form or QuestionsFileForm(),
        "question_form": question_form or QuestionForm(campaign, prefix="question"),
        "limit": settings.MAX_UPLOAD_BYTES,
    }
    return render(request, "judgments/test_sets/questions.html", context, status=status)


@login_required
@require_POST
def questions_import(request, campaign_id):
    campaign = asks(access.managed_campaign(request.user, campaign_id))
    form = QuestionsFileForm(request.POST, request.FILES)

    def import_them() -> int:
        data = form.cleaned_data
        rows = table.from_table(data["file"])
        return import_rows(QuestionRows, campaign, rows, replace=data["replace"]).rows

    if n := form.imported(acted(request, import_them)):
        messages.success(request, f"Imported {intcomma(n)} question{pluralize(n)}.")
        return redirect("questions", campaign.pk)
    return questions_page(request, campaign, file_form=form, status=422)


@login_required
@require_POST
def question_new(request, campaign_id):
    campaign = asks(access.managed_campaign(request.user, campaign_id))
    form = QuestionForm(campaign, request.POST, prefix="question")
    if form.is_valid() and saved(request, form):
        messages.success(request, "The question was added.")
        return redirect("questions", campaign.pk)
    return questions_page(request, campaign, question_form=form, status=422)


@login_required
@require_http_methods(["GET", "POST"])
def question_edit(request, campaign_id, question_id):
    campaign = asks(access.managed_campaign(request.user, campaign_id))
    question = get_object_or_404(Question, campaign=campaign, pk=question_id)
    data = request.POST if request.method == "POST" else None
    form = QuestionForm(campaign, data, instance=question)
    if data is not None and form.is_valid() and saved(request, form):
        messages.success(request, "The question was changed.")
        return redirect("questions", campaign.pk)
    context = {"campaign": campaign, "tab": "overview", "form": form, "question": question}
    return render(
        request,
        "judgments/test_sets/question_edit.html",
        context,
        status=422 if form.errors else 200,
    )


def saved(request, form: QuestionForm) -> bool:
    """Return whether the form's question could be stored; the form says why not."""
    try:
        with acting(request):
            save_question(form.instance)
    except Frozen:
        form.add_error(None, FROZEN)
        return False
    return True


@login_required
@require_POST
def question_delete(request, campaign_id, question_id):
    campaign = asks(access.managed_campaign(request.user, campaign_id))
    question = get_object_or_404(Question, campaign=campaign, pk=question_id)
    try:
        with acting(request):
            delete_question(question)
        messages.success(request, "The question was deleted.")
    except Frozen:
        messages.error(request, FROZEN)
    return redirect("questions", campaign.pk)
