"""The references of a test set: their effect on systems, and what systems do with their words."""

from dataclasses import replace
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from judgments.files.attachments import CSV, JSON, attachment
from judgments.models import Campaign, TestSet
from judgments.people import access
from judgments.results import exports
from judgments.results.selection.selection import Selection
from judgments.web.heavy import heavy
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Table
from metrics.with_people.references import (
    ReferencePage,
    ReferencesAsked,
    ReferenceTexts,
    all_sections,
    of_references,
    of_several,
    of_words,
)
from metrics.with_people.references.forms import ReferencesForm

from ..diagnostic_views import tokenizer

LATER = ("several", "words")  # parts of the page that arrive when they are computed


@login_required
@require_GET
def references(request, test_set_id):
    """Show the page; with `campaign` in the URL, people's scores next to the metric's. The parts on
    several references and on words arrive a moment later if they have to be computed; with
    `several` and `words` in the URL at once."""
    test_set = access.readable_test_set(request.user, test_set_id)
    page, form = page_of(request, test_set)
    if page is None:
        context = {"test_set": test_set, "empty": True}
        return render(request, "metrics/references.html", context)
    is_fragment = request.headers.get("HX-Request") == "true"
    selection = page.asked.selection
    asked = [(name, value) for name, value in request.GET.items() if name not in LATER]
    sections = all_sections(page)
    context = {
        "test_set": test_set,
        "form": form,
        "judged": selection.campaign if selection else None,
        "asked": urlencode(asked),
        "sections": [] if is_fragment else of_references(page),
        "may_manage": access.may_manage_test_set(request.user, test_set),
        "several": of_several(page) if "several" in request.GET or page.has_choices else None,
        "words": of_words(page) if "words" in request.GET or page.has_words else None,
        "files": [lazy for section in sections if section.exists() for lazy in files_of(section)],
    }
    return render(request, "metrics/references.html", context)


@login_required
@require_GET
@heavy
def references_file(request, test_set_id, table):
    """Return a table of the page as CSV, with the settings of the URL."""
    test_set = access.readable_test_set(request.user, test_set_id)
    page, _form = page_of(request, test_set)
    sections = all_sections(page) if page else []
    known = {lazy.slug: lazy for section in sections for lazy in files_of(section)}
    if table not in known:
        raise Http404("No such table.")
    said = page.asked.selection.sentence if page and page.asked.selection else test_set.name
    text = exports.table_file(known[table].make(), said, address_of(request, test_set))
    return attachment(text, CSV, f"{table}.csv")


@login_required
@require_GET
@heavy
def references_json(request, test_set_id):
    """Return all figures of the page, with the settings of the URL."""
    test_set = access.readable_test_set(request.user, test_set_id)
    page, _form = page_of(request, test_set)
    if page is None:
        raise Http404("There is nothing to compare.")
    asked = page.asked
    said = {
        "test_set": {"id": test_set.pk, "name": test_set.name},
        "settings": {
            "metric": asked.metric,
            "system": asked.system.name if asked.system else None,
            "tokenize": asked.tokenize,
        },
        "selection": asked.selection.described if asked.selection else None,
    }
    sections = all_sections(page)
    address = address_of(request, test_set)
    found = exports.page_json("references", gettext("References"), sections, address, said)
    return attachment(found, JSON, "references.json")


def address_of(request: HttpRequest, test_set: TestSet) -> str:
    """Return the URL of the page that has a file's figures, with its settings; pages of test sets
    have no short links."""
    asked = {name: value for name, value in request.GET.items() if name not in LATER}
    page = reverse("metric-references", args=[test_set.pk], query=asked or None)
    return request.build_absolute_uri(page)


def files_of(section: Section) -> list[Lazy[Table]]:
    """Return the tables of a section, and the data of its charts."""
    drawn = [replace(chart, place=ASIDE) for chart in section.charts]
    return replace(section, charts=drawn).files


def page_of(
    request: HttpRequest, test_set: TestSet
) -> tuple[ReferencePage | None, ReferencesForm | None]:
    """Return the requested page, and its form; None for a test set without texts, systems or
    references."""
    texts = ReferenceTexts(test_set)
    if not texts.names or not test_set.has_texts or not texts.systems:
        return None, None
    visible = Campaign.objects.visible_to(request.user).of_people().filter(test_set=test_set)
    campaigns = {str(campaign.pk): campaign for campaign in visible.order_by("pk")}
    listed = list(campaigns.values())
    chosen = ReferencesForm(texts.systems, listed, request.GET).settings()
    systems = {str(system.pk): system for system in texts.systems}
    campaign = campaigns.get(chosen["campaign"])
    asked = ReferencesAsked(
        metric=chosen["metric"],
        system=systems.get(chosen["system"]),
        tokenize=tokenizer(request, test_set),
        selection=Selection.of(campaign) if campaign else None,
    )
    return ReferencePage(texts, asked), ReferencesForm(texts.systems, listed, chosen)
