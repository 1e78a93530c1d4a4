"""Common parts of the pages of phrases of test sets and of bitexts."""

from dataclasses import dataclass
from io import BytesIO

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from judgments.files.attachments import CSV, attachment
from judgments.models.corpus import direction
from judgments.results import exports
from metrics.lessons.baselines.moses import write_moses
from metrics.lessons.phrase_tables.forms import ALL, VARIED
from metrics.lessons.phrase_tables.page import MOST_RENDERINGS, PhrasePage
from metrics.lessons.phrase_tables.tables import TABLES, consistency_table, sentence
from metrics.models import LinkedTexts

PER_PAGE = 25


@dataclass(frozen=True)
class PhraseSubject:
    """The owner of a page's phrases. ``of``: "metric-phrases" or "bitext", the prefix of its URL
    names, and ``pk`` its id."""

    of: str
    pk: int
    name: str
    languages: tuple[str, str]
    may_link: bool
    # In order (id in the database or None, name).
    segments: list[tuple[int | None, str]]

    @property
    def url(self) -> str:
        return reverse(self.of, args=[self.pk])

    @property
    def link_url(self) -> str:
        return reverse(f"{self.of}-link", args=[self.pk])

    @property
    def moses_url(self) -> str:
        return reverse(f"{self.of}-moses", args=[self.pk])

    @property
    def directions(self) -> tuple[str, str]:
        return direction(self.languages[0]), direction(self.languages[1])

    def file_url(self, table: str) -> str:
        return reverse(f"{self.of}-file", args=[self.pk, table])


def linked_texts(subject: PhraseSubject) -> LinkedTexts | None:
    """Return the linked texts without their data, which are read on demand."""
    which = Q(bitext=subject.pk) if subject.of == "bitext" else Q(test_set=subject.pk)
    found = LinkedTexts.objects.filter(which).select_related("test_set")
    return found.defer("data", "moses").first()


def page_of(request: HttpRequest, subject: PhraseSubject) -> PhrasePage | None:
    """Return the page; None as long as nothing is linked."""
    linked = linked_texts(subject)
    if linked is None or linked.linked_at is None:
        return None
    return PhrasePage(linked, subject.languages, request.GET)


def render_phrases(request: HttpRequest, template: str, subject: PhraseSubject, extra: dict):
    """Return the page, with the state of the linking and, if available, the findings."""
    linked = linked_texts(subject)
    is_fragment = request.headers.get("HX-Request") == "true"
    context = {"subject": subject, "linked": linked, "is_fragment": is_fragment, **extra}
    if is_fragment or linked is None or linked.linked_at is None:
        return render(request, template, context)
    page = PhrasePage(linked, subject.languages, request.GET)
    context |= {"page_of_phrases": page, "sides": list(enumerate(page.sides))}
    context["files"] = {name: subject.file_url(name) for name in TABLES}
    found = found_context(page, subject) if page.phrase else terms_context(request, page, subject)
    return render(request, template, context | found)


def found_context(page: PhrasePage, subject: PhraseSubject) -> dict:
    """Return the findings on the phrase that is searched."""
    own, over = (1, 0) if page.in_target else (0, 1)
    wanted = {"q": page.question["q"], "where": page.question["where"]}
    return {
        "found": page.found,
        "renderings": page.renderings[:MOST_RENDERINGS],
        "n_more": max(0, len(page.renderings) - MOST_RENDERINGS),
        "without": [row for row in page.without.values() if row.n],
        "found_query": PhrasePage(page.linked, page.languages, wanted).query(),
        "own": (subject.languages[own], subject.directions[own]),
        "over": (subject.languages[over], subject.directions[over]),
        "way": page.asked.get("way", ""),
        "examples": examples(page, subject),
        "n_examples": len(page.chosen),
    }


def examples(page: PhrasePage, subject: PhraseSubject) -> list[dict]:
    """Return examples with the URL of their segment, if the test set still has it."""
    first = next((side.id for side in page.sides if side.id), None)
    is_current = len(subject.segments) == page.linked.n_segments
    rows = []
    for example in page.examples():
        side = page.sides[example.side]
        pk, key = (
            subject.segments[example.segment] if is_current else (None, str(example.segment + 1))
        )
        system = side.id or first
        url = reverse("metric-diagnostic", args=[subject.pk, pk, system]) if pk and system else ""
        rows.append({"example": example, "side": side, "key": key, "url": url})
    return rows


def terms_context(request: HttpRequest, page: PhrasePage, subject: PhraseSubject) -> dict:
    """Return consistency, and one page of the terms."""
    paginator = Paginator(page.term_places, PER_PAGE)
    shown = paginator.get_page(request.GET.get("page"))
    asked = page.terms_asked
    return {
        "sentence": sentence(page),
        "consistency": consistency_table(page),
        "n_terms": len(page.term_texts),
        "page": shown,
        "terms": page.term_rows(list(shown)),
        "query": PhrasePage(page.linked, page.languages, asked).query(),
        "is_varied": asked["show"] != ALL,
        "is_filtered": asked["show"] != VARIED or asked["term"],
    }


def table_response(request: HttpRequest, subject: PhraseSubject, table: str) -> HttpResponse:
    """Return a table of the page as CSV, for the settings of the URL."""
    page = page_of(request, subject)
    if page is None or table not in TABLES:
        raise Http404("No such table.")
    address = request.build_absolute_uri(f"{subject.url}?{page.query()}".rstrip("?"))
    text = exports.table_file(TABLES[table](page), subject.name, address)
    return attachment(text, CSV, f"{table}.csv")


def moses_response(data: bytes) -> HttpResponse:
    return attachment(data, "application/gzip", "phrase-table.txt.gz")


def moses_of_side(page: PhrasePage, side: int) -> bytes:
    """Return the phrase table of one side of linked texts in Moses' format."""
    from metrics.lessons.baselines.phrases import phrase_table

    file = BytesIO()
    write_moses(phrase_table(*page.kept.sides.bitext_of(side)), file)
    return file.getvalue()
