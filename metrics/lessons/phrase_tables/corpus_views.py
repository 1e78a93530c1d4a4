"""A user's texts for language models: the list, a new one from a file, and deletion."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import IntegrityError
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from judgments.files import ImportProblem
from judgments.people import access
from judgments.web.audit.acting import acting
from metrics.lessons.phrase_tables.corpus_forms import CorpusForm
from metrics.models import MonolingualCorpus
from metrics.scoring.corpora import MAX_CORPUS_BYTES, corpora_for, read_corpus


@login_required
@require_http_methods(["GET", "POST"])
def corpora(request):
    access.require_creator(request.user)
    posted = request.method == "POST"
    form = CorpusForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        instance=MonolingualCorpus(owner=request.user),
    )
    if form.is_valid() and save(request, form):
        corpus = form.instance
        added = ngettext(
            "The corpus “%(name)s” was added: %(n)s line of text.",
            "The corpus “%(name)s” was added: %(n)s lines of text.",
            corpus.n_lines,
        )
        messages.success(request, added % {"name": corpus.name, "n": intcomma(corpus.n_lines)})
        return redirect("corpora")
    context = {"form": form, "corpora": corpora_for(request.user), "limit": MAX_CORPUS_BYTES}
    return render(request, "metrics/corpora.html", context, status=422 if form.errors else 200)


def save(request, form: CorpusForm) -> bool:
    """Save the corpus of a valid form; return False, with the reason in the form, if that is
    impossible."""
    try:
        read_corpus(form.instance, form.cleaned_data["file"])
        with acting(request):
            form.instance.save()
    except ImportProblem as problem:
        form.add_problem(problem)
    except IntegrityError:  # the same form was sent twice at once
        form.add_error("name", _("You already have a corpus of this name."))
    return not form.errors


@login_required
@require_POST
def corpus_delete(request, corpus_id):
    corpus = get_object_or_404(corpora_for(request.user), pk=corpus_id)
    with acting(request):
        corpus.delete()
    messages.success(
        request,
        _("The corpus “%(name)s” was deleted; its scores are kept.") % {"name": corpus.name},
    )
    return redirect("corpora")
