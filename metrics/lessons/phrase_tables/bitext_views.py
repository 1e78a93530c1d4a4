"""A user's bitexts: the list, a new one from files, its phrase table, and deletion."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import IntegrityError
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.files import ImportProblem
from judgments.people import access
from judgments.web.audit.acting import acting
from judgments.web.heavy import heavy
from metrics.lessons.bitext_files import MAX_BITEXT_BYTES, bitexts_for, read_bitext
from metrics.lessons.phrase_tables.forms import BitextForm
from metrics.models import Bitext, LinkedTexts

from . import tasks as phrase_tables_tasks
from .page_views import PhraseSubject, moses_response, render_phrases, table_response


@login_required
@require_http_methods(["GET", "POST"])
def bitexts(request):
    access.require_creator(request.user)
    posted = request.method == "POST"
    form = BitextForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        instance=Bitext(owner=request.user),
    )
    if form.is_valid() and save(request, form):
        bitext = form.instance
        added = ngettext(
            "The bitext “%(name)s” was added: %(n)s pair of texts. Its words are being linked.",
            "The bitext “%(name)s” was added: %(n)s pairs of texts. Its words are being linked.",
            bitext.n_pairs,
        )
        messages.success(request, added % {"name": bitext.name, "n": intcomma(bitext.n_pairs)})
        return redirect("bitext", bitext.pk)
    context = {"form": form, "bitexts": bitexts_for(request.user), "limit": MAX_BITEXT_BYTES}
    return render(request, "metrics/bitexts.html", context, status=422 if form.errors else 200)


def save(request, form: BitextForm) -> bool:
    """Save the bitext of a valid form and have it linked; return False, with the reason in the
    form, if that is impossible."""
    try:
        read_bitext(form.instance, form.cleaned_data["source"], form.cleaned_data["target"])
        with acting(request) as act:
            form.instance.save()
            phrase_tables_tasks.enqueue_linking(form.instance)
            act.made(bitext_id=form.instance.pk)
    except ImportProblem as problem:
        form.add_problem(problem)
    except IntegrityError:  # the same form was sent twice at once
        form.add_error("name", _("You already have a bitext of this name."))
    return not form.errors


def own_bitext(request, bitext_id: int) -> Bitext:
    return get_object_or_404(bitexts_for(request.user), pk=bitext_id)


def subject_of(bitext: Bitext) -> PhraseSubject:
    return PhraseSubject(
        "bitext",
        bitext.pk,
        bitext.name,
        (bitext.source_language, bitext.target_language),
        True,
        [(None, str(number)) for number in range(1, bitext.n_pairs + 1)],
    )


@login_required
@require_GET
def bitext(request, bitext_id):
    found = own_bitext(request, bitext_id)
    extra = {"bitext": found, "may_be_linked": True, "is_stale": False}
    return render_phrases(request, "metrics/phrases.html", subject_of(found), extra)


@login_required
@require_POST
def bitext_link(request, bitext_id):
    found = own_bitext(request, bitext_id)
    with acting(request):
        is_asked = phrase_tables_tasks.enqueue_linking(found)
    if not is_asked:
        messages.warning(request, _("The words are already being linked."))
    return redirect("bitext", found.pk)


@login_required
@require_POST
def bitext_delete(request, bitext_id):
    found = own_bitext(request, bitext_id)
    with acting(request):
        found.delete()
    messages.success(request, _("The bitext “%(name)s” was deleted.") % {"name": found.name})
    return redirect("bitexts")


@login_required
@require_GET
@heavy
def bitext_file(request, bitext_id, table):
    return table_response(request, subject_of(own_bitext(request, bitext_id)), table)


@login_required
@require_GET
@heavy
def bitext_moses(request, bitext_id):
    found = own_bitext(request, bitext_id)
    moses = LinkedTexts.objects.filter(bitext=found).values_list("moses", flat=True).first()
    if not moses:
        raise Http404("No phrase table yet.")
    return moses_response(bytes(moses))
