"""All tables of a campaign and of a project's pages, each as a file of CSV, JSON or Parquet: what
notebooks read."""

from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse as address_of
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.plans.projects.api import PROJECT
from judgments.results.exports import ADDRESS
from judgments.results.figures_api import NAME
from judgments.results.projects.figures import ProjectResults
from judgments.results.projects.pages import asked_of, project_pages
from judgments.results.projects.pages import tables_of as tables_of_project
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.results.selection.selection import Selection
from judgments.web.api.refusals import Refused
from judgments.web.api.views import CAMPAIGN, REFUSALS
from judgments.web.heavy import heavy, heavy_if_large
from judgments.web.sections import tables_of

from .row_tables import row_tables
from .table_files import WRITERS, FileOfRows, of_page_table, of_row_table, rows_of_table

KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=list(WRITERS))
CHOICES = [
    OpenApiParameter("protocol", str, description="For averages: which, as on the page."),
    OpenApiParameter("system", str, description="For the page of one system: its name."),
]
FILES: dict[Any, Any] = {
    (200, "text/csv"): OpenApiTypes.STR,
    (200, "application/json"): OpenApiTypes.OBJECT,
    (200, "application/vnd.apache.parquet"): OpenApiTypes.BINARY,
    400: dict,
    **REFUSALS,
}


class ListedTableSerializer(serializers.Serializer):
    """A table with the addresses of its files."""

    slug = serializers.CharField()
    title = serializers.CharField()
    url = serializers.CharField(
        allow_blank=True, help_text="Its rows in parts; empty for a table that no page shows."
    )
    csv = serializers.CharField()
    json = serializers.CharField()
    parquet = serializers.CharField()


class TablesSerializer(Selected):
    """The tables that a campaign has."""

    tables = ListedTableSerializer(many=True)


@extend_schema(
    operation_id="campaigns_tables_list",
    summary="All tables: observations, marked errors, scores, those of all pages",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SelectionQuery],
    responses={200: TablesSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def tables(request, campaign_id: int) -> Response:
    asked = selection_asked(request, campaign_id)

    def address(slug: str, *kind: str) -> str:
        name = "api-table-file" if kind else "api-table"
        found = reverse(name, args=[campaign_id, slug, *kind], request=request)
        return found + asked.query

    def listed(slug: str, title: Any, url: str) -> dict[str, Any]:
        files = {kind: address(slug, kind) for kind in WRITERS}
        return {"slug": slug, "title": title, "url": url} | files

    of_rows = [listed(each.slug, each.title, "") for each in row_tables(asked.campaign)]
    of_pages = {
        lazy.slug: listed(lazy.slug, lazy.title, address(lazy.slug)) for lazy, _ in tables_of(asked)
    }
    found = {"tables": [*of_rows, *of_pages.values()]}
    return Response(TablesSerializer(found, context={"selection": asked}).data)


@extend_schema(
    operation_id="campaigns_tables_file",
    summary="One table as csv, json or parquet, every row and every digit",
    tags=["campaigns"],
    parameters=[CAMPAIGN, NAME, KIND, SelectionQuery],
    responses=FILES,
)
@api_view(["GET"])
@heavy_if_large
@at_one_moment
def table_file(request, campaign_id: int, name: str, kind: str):
    return streamed(kind, file_of(name, selection_asked(request, campaign_id)))


def streamed(kind: str, file: FileOfRows) -> StreamingHttpResponse:
    if kind not in WRITERS:
        raise Http404("A table is a file of csv, json or parquet.")
    content_type, parts = WRITERS[kind]
    return StreamingHttpResponse(parts(file), content_type=content_type)


def file_of(name: str, selection: Selection) -> FileOfRows:
    """Raise Http404 where the campaign has no table of that name."""
    for table in row_tables(selection.campaign):
        if table.slug == name:
            return of_row_table(table, selection)
    for lazy, of in tables_of(selection):
        if lazy.slug == name:
            return of_page_table(name, lazy.make(), of)
    raise Http404("There is no such table.")


# ---- Of a project ------------------------------------------------------------------------------


class ProjectTableSerializer(ListedTableSerializer):
    """A table of a page with the addresses of its files."""

    url = None  # type: ignore[assignment]  # its rows come as files
    page = serializers.CharField()


class ProjectTablesSerializer(serializers.Serializer):
    """The tables that a project has, and which judgments they are of."""

    sentence = serializers.CharField()
    tables = ProjectTableSerializer(many=True)


def results_asked(request, project: str) -> ProjectResults:
    found = access.readable_project(request.user, project)
    return ProjectResults.of(request.user, found, request.build_absolute_uri("/"))


@extend_schema(
    operation_id="projects_tables_list",
    summary="The tables of a project's pages",
    tags=["projects"],
    parameters=[PROJECT],
    responses={200: ProjectTablesSerializer, **REFUSALS},
)
@api_view(["GET"])
@heavy
@at_one_moment
def project_tables(request, project: str) -> Response:
    results = results_asked(request, project)

    def address(*table: str) -> str:
        return reverse("api-project-table-file", args=[project, *table], request=request)

    listed = [
        {"slug": each.slug, "title": each.title, "page": page.slug}
        | {kind: address(each.slug, kind) for kind in WRITERS}
        for page, each in tables_of_project(results)
    ]
    found = {"sentence": results.sentence, "tables": listed}
    return Response(ProjectTablesSerializer(found).data)


@extend_schema(
    operation_id="projects_tables_file",
    summary="One table of a project as csv, json or parquet",
    tags=["projects"],
    parameters=[PROJECT, NAME, KIND, *CHOICES],
    responses=FILES,
)
@api_view(["GET"])
@heavy
@at_one_moment
def project_table_file(request, project: str, name: str, kind: str):
    return streamed(kind, file_of_project(name, results_asked(request, project), request))


def file_of_project(name: str, results: ProjectResults, request) -> FileOfRows:
    """Raise Http404 where the project has no table of that name."""
    slug = next((page.slug for page, each in tables_of_project(results) if each.slug == name), None)
    for page in project_pages():
        if page.slug != slug:
            continue
        try:
            _, found, sections = asked_of(page, results, request.GET.dict())
        except ValueError as problem:
            raise Refused(str(problem)) from None
        made = next(each.make() for s in sections for each in s.files if each.slug == name)
        link = address_of("project-page", args=[results.project.slug, page.slug])
        said = results.described | {"chosen": found, ADDRESS: request.build_absolute_uri(link)}
        return rows_of_table(name, made, said)
    raise Http404("There is no such table.")
