"""Test sets: the list, a new one from files, and its texts."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.paginator import Paginator
from django.db.models import Count, OuterRef, Prefetch, Subquery
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from judgments.files.forms import sent
from judgments.models import (
    Output,
    Reference,
    Segment,
    System,
    TestSet,
    facts_of,
    reference_facts_of,
)
from judgments.people import access
from judgments.test_sets.corpus import add_texts
from judgments.test_sets.forms import AddedTextsForm, TestSetForm
from judgments.test_sets.reference_facts.words import reference_in_words
from judgments.test_sets.system_facts.forms import facts_in_words
from judgments.web.audit.acting import acting
from judgments.web.extension_points import registered

from .uploads import upload

TEST_SETS_ON_A_PAGE = 50
SEGMENTS_ON_A_PAGE = 20
MEDIA = ("media__file", "media__captions")


def _number_of(model):
    """Return a subquery that counts a test set's rows of `model`."""
    rows = model.objects.filter(test_set=OuterRef("pk")).order_by().values("test_set")
    return Subquery(rows.annotate(n=Count("pk")).values("n"))


@login_required
@require_GET
def test_sets(request):
    found = TestSet.objects.visible_to(request.user).annotate(
        n_segments=_number_of(Segment), n_systems=_number_of(System)
    )
    context = {
        "page": Paginator(found, TEST_SETS_ON_A_PAGE).get_page(request.GET.get("page")),
        "may_create": access.may_create(request.user),
    }
    return render(request, "judgments/test_sets/test_sets.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def test_set_new(request):
    access.require_creator(request.user)
    form = TestSetForm(*sent(request), instance=TestSet(owner=request.user))

    def import_them():
        with acting(request) as act:
            test_set, warnings = form.import_them()
            act.made(test_set_id=test_set.pk)
        return test_set, warnings

    if imported := form.imported(import_them):
        test_set, warnings = imported
        messages.success(request, "The test set was imported. Now create a campaign with it.")
        for warning in warnings:
            messages.warning(request, warning)
        return redirect("test-set", test_set.pk)
    context = {"form": form, "limit": settings.MAX_UPLOAD_BYTES}
    return render(
        request,
        "judgments/test_sets/test_set_new.html",
        context,
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def test_set(request, test_set_id):
    """Return the texts, a page at a time: every statement reads one page, however large the test
    set."""
    found = access.readable_test_set(request.user, test_set_id)
    documents = list(found.documents.annotate(n_segments=Count("segments")))
    chosen = next((d for d in documents if str(d.pk) == request.GET.get("document")), None)
    segments = found.segments.select_related("document", *MEDIA).prefetch_related(
        Prefetch("references", Reference.objects.select_related("donor")),
        Prefetch(
            "outputs", Output.objects.select_related("system").order_by("system__name", "system")
        ),
    )
    if chosen:
        segments = segments.filter(document=chosen)
    facts = facts_of(found)
    of_references = reference_facts_of(found)
    context = {
        "test_set": found,
        "systems": [(each, facts_in_words(facts.get(each.pk))) for each in found.systems.all()],
        "references": [
            (name, reference_in_words(of_references.get(name))) for name in found.reference_names
        ],
        "documents": documents,
        "chosen": chosen,
        "query": f"document={chosen.pk}" if chosen else "",
        "n_segments": sum(document.n_segments for document in documents),
        "page": Paginator(segments, SEGMENTS_ON_A_PAGE).get_page(request.GET.get("page")),
        "campaigns": found.campaigns.visible_to(request.user).of_people(),
        "formats": [
            choice
            for choices_of_texts in (registered("text_formats") if found.has_texts else [])
            for choice in choices_of_texts(found)
        ],
        "may_create": access.may_create(request.user),
        "may_manage": access.may_manage_test_set(request.user, found),
    }
    return render(request, "judgments/test_sets/test_set.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def test_set_texts(request, test_set_id):
    """Return texts for a test set of keys: what was judged can then be read, and scored by
    metrics."""
    found = access.managed_test_set(request.user, test_set_id)
    form = AddedTextsForm(*sent(request))

    def import_them() -> str:
        added = add_texts(found, form.segments())
        more = added.n_new_outputs and f" {intcomma(added.n_new_outputs)} outputs are new."
        others = added.n_left_out and (
            f" {intcomma(added.n_left_out)} segments of the files are not in the test set and were "
            "left out."
        )
        told = f"The texts of {intcomma(added.n_segments)} segments were added."
        return told + (more or "") + (others or "")

    context = {"test_set": found, "n_segments": found.segments.count()}
    then = found.get_absolute_url()
    return upload(
        request, form, import_them, "judgments/test_sets/test_set_texts.html", context, then=then
    )
