"""The pages of results as JSON: the lists of sections that the web pages and the files read."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments.models.moments import at_one_moment
from judgments.results.as_data import words_of
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.results.selection.selection import Selection
from judgments.web.api.views import CAMPAIGN, REFUSALS
from judgments.web.charts import Chart
from judgments.web.sections import Lazy, Section, pages_of, plain
from judgments.web.tables import Table

MOST_ROWS = 500  # of a table in its page
PAGE = OpenApiParameter("page", str, OpenApiParameter.PATH)


class NamedSerializer(serializers.Serializer):
    """A page, or a chart of a section; `slug` is its name in addresses."""

    slug = serializers.CharField()
    title = serializers.CharField()


class DrawnSerializer(NamedSerializer):
    """A chart, and where its specification is."""

    url = serializers.CharField()


class TableSerializer(NamedSerializer):
    """Rows as they stand in the CSV of the same name; null where a value is undefined. A page has
    the first rows of a long table: the address has them all, in parts."""

    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField())
    count = serializers.IntegerField(help_text="How many rows there are.")
    url = serializers.CharField()
    note = serializers.CharField(allow_blank=True)


class SectionSerializer(NamedSerializer):
    """What is found, in a sentence; how far to trust it, in notes; its charts and tables."""

    level = serializers.IntegerField()
    sentence = serializers.CharField(allow_blank=True)
    notes = serializers.ListField(child=serializers.CharField())
    remark = serializers.CharField(allow_blank=True)
    charts = DrawnSerializer(many=True)
    tables = TableSerializer(many=True)


class PagesSerializer(Selected):
    """The pages of results that a campaign has."""

    pages = NamedSerializer(many=True)


class PageSerializer(Selected):
    """A page of results, section by section."""

    slug = serializers.CharField()
    title = serializers.CharField()
    sections = SectionSerializer(many=True)


@extend_schema(
    operation_id="campaigns_pages_list",
    summary="All pages of results",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SelectionQuery],
    responses={200: PagesSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def pages(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    known = [{"slug": page.slug, "title": page.name} for page, _, _ in pages_of(selection)]
    return Response(PagesSerializer({"pages": known}, context={"selection": selection}).data)


@extend_schema(
    summary="One page of results, section by section",
    tags=["campaigns"],
    parameters=[CAMPAIGN, PAGE, SelectionQuery],
    responses={200: PageSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def page(request, campaign_id: int, page: str) -> Response:
    asked = selection_asked(request, campaign_id)
    for found, of, sections in pages_of(asked):
        if found.slug == page:
            made = [_section(section, request, asked) for section in sections if section.exists()]
            answer = {"slug": page, "title": found.name, "sections": made}
            return Response(PageSerializer(answer, context={"selection": of, "page": page}).data)
    raise Http404


def _section(section: Section, request, selection: Selection) -> dict[str, Any]:
    return words_of(section) | {
        "charts": [_chart(chart, request, selection) for chart in section.charts],
        "tables": [_table(table, request, selection) for table in section.files],
    }


def _chart(lazy: Lazy[Chart | None], request, selection: Selection) -> dict[str, Any]:
    url = _address("api-chart", lazy.slug, request, selection)
    return {"slug": lazy.slug, "title": lazy.title, "url": url}


def _table(lazy: Lazy[Table], request, selection: Selection) -> dict[str, Any]:
    table = lazy.make()
    named = {"slug": lazy.slug, "title": lazy.title, "note": table.note, "columns": table.keys}
    url = _address("api-table", lazy.slug, request, selection)
    rows = plain([list(row) for row in table.rows[:MOST_ROWS]])
    return named | {"count": len(table.rows), "rows": rows, "url": url}


def _address(name: str, slug: str, request, selection: Selection) -> str:
    """Return for a chart or a table of the same judgments."""
    address = reverse(name, args=[selection.campaign.pk, slug], request=request)
    return address + selection.query
