"""Single charts and tables of results: specifications and pictures, rows in parts."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results import exports
from judgments.results.figure_addresses import address_of_figure
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.results.selection.selection import Selection
from judgments.web.api.views import CAMPAIGN, REFUSALS, Pagination
from judgments.web.charts import blank
from judgments.web.sections import Lazy, charts_of, plain, tables_of
from judgments.web.tables import Table

PICTURES = {"svg": "image/svg+xml", "png": "image/png"}
SLUG = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}
NAME = OpenApiParameter("name", SLUG, OpenApiParameter.PATH, description="As its page shows it.")
KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=list(PICTURES))


class PartQuery(serializers.Serializer):
    """Which rows of a long table."""

    limit = serializers.IntegerField(
        required=False, help_text="Maximum number of rows: 100 by default, and never more than 500."
    )
    offset = serializers.IntegerField(required=False, help_text="The first row, from 0.")


class ColumnSerializer(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField(source="heading")
    kind = serializers.CharField(help_text="text, count, number or p.")


class RowsSerializer(Selected):
    """A part of the rows of a table; null where a value is undefined."""

    slug = serializers.CharField()
    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    columns = ColumnSerializer(many=True)
    count = serializers.IntegerField(help_text="Of all rows.")
    next = serializers.CharField(allow_null=True, help_text="The address of the rows after these.")
    previous = serializers.CharField(allow_null=True)
    rows = serializers.ListField(child=serializers.ListField())


def found_table(request, campaign_id: int, name: str) -> tuple[Lazy[Table], Selection]:
    """With the selection that it is of. Raise Http404 where there is none of that name."""
    for lazy, of in tables_of(selection_asked(request, campaign_id)):
        if lazy.slug == name:
            return lazy, of
    raise Http404("There is no such table.")


@extend_schema(
    summary="One table of results, in parts",
    tags=["campaigns"],
    parameters=[CAMPAIGN, NAME, PartQuery, SelectionQuery],
    responses={200: RowsSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def table(request, campaign_id: int, name: str) -> Response:
    lazy, of = found_table(request, campaign_id, name)
    made = lazy.make()
    pages = Pagination()
    rows = pages.paginate_queryset(made.rows, request) or []  # type: ignore[arg-type]
    found: dict[str, Any] = {
        "slug": lazy.slug,
        "title": lazy.title,
        "note": made.note,
        "columns": made.heads,
        "count": len(made.rows),
        "next": pages.get_next_link(),
        "previous": pages.get_previous_link(),
        "rows": plain([list(row) for row in rows]),
    }
    return Response(RowsSerializer(found, context={"selection": of, "slug": lazy.slug}).data)


def drawn(request, campaign_id: int, name: str, kind: str) -> bytes:
    """Return one chart as a file; no other is made for it. Raise Http404 where there is none of
    that name."""
    for lazy, of in charts_of(selection_asked(request, campaign_id)):
        if lazy.slug == name:
            made = replace(lazy.make() or blank(lazy.slug, lazy.title), title=lazy.title)
            return exports.chart_file(made, kind, of, address_of_figure(of, slug=name))
    raise Http404("There is no such chart.")


@extend_schema(
    summary="One chart of results, as a Vega-Lite specification with its data",
    tags=["campaigns"],
    parameters=[CAMPAIGN, NAME, SelectionQuery],
    responses={200: OpenApiTypes.OBJECT, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def chart(request, campaign_id: int, name: str):
    spec = drawn(request, campaign_id, name, "vl.json")
    return HttpResponse(spec, content_type="application/json")


@extend_schema(
    operation_id="campaigns_charts_picture",
    summary="One chart of results as a picture, svg or png",
    tags=["campaigns"],
    parameters=[CAMPAIGN, NAME, KIND, SelectionQuery],
    responses={
        (200, "image/svg+xml"): OpenApiTypes.STR,
        (200, "image/png"): OpenApiTypes.BINARY,
        400: dict,
        **REFUSALS,
    },
)
@api_view(["GET"])
@at_one_moment
def chart_picture(request, campaign_id: int, name: str, kind: str):
    if kind not in PICTURES:
        raise Http404("A chart is drawn as svg or png.")
    picture = drawn(request, campaign_id, name, kind)
    return HttpResponse(picture, content_type=PICTURES[kind])
