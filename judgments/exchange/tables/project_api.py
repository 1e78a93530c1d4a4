"""The tables of a project's pages, each as a file of CSV, JSON or Parquet."""

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
from judgments.results.projects.pages import asked_of, project_pages, tables_of
from judgments.web.api.refusals import Refused
from judgments.web.api.views import REFUSALS
from judgments.web.heavy import heavy

from .api import KIND, ListedTableSerializer
from .table_files import WRITERS, FileOfRows, rows_of_table

CHOICES = [
    OpenApiParameter("protocol", str, description="Of averages: which, as the page has it."),
    OpenApiParameter("system", str, description="Of the page of one system: its name."),
]


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
def tables(request, project: str) -> Response:
    results = results_asked(request, project)

    def address(*table: str) -> str:
        return reverse("api-project-table-file", args=[project, *table], request=request)

    listed = [
        {"slug": each.slug, "title": each.title, "page": page.slug}
        | {kind: address(each.slug, kind) for kind in WRITERS}
        for page, each in tables_of(results)
    ]
    found = {"sentence": results.sentence, "tables": listed}
    return Response(ProjectTablesSerializer(found).data)


@extend_schema(
    operation_id="projects_tables_file",
    summary="One table of a project as csv, json or parquet",
    tags=["projects"],
    parameters=[PROJECT, NAME, KIND, *CHOICES],
    responses={
        (200, "text/csv"): OpenApiTypes.STR,
        (200, "application/json"): OpenApiTypes.OBJECT,
        (200, "application/vnd.apache.parquet"): OpenApiTypes.BINARY,
        400: dict,
        **REFUSALS,
    },
)
@api_view(["GET"])
@heavy
@at_one_moment
def table_file(request, project: str, name: str, kind: str):
    if kind not in WRITERS:
        raise Http404("A table is a file of csv, json or parquet.")
    content_type, parts = WRITERS[kind]
    file = file_of(name, results_asked(request, project), request)
    return StreamingHttpResponse(parts(file), content_type=content_type)


def file_of(name: str, results: ProjectResults, request) -> FileOfRows:
    """Raises Http404 where the project has no table of that name."""
    slug = next((page.slug for page, each in tables_of(results) if each.slug == name), None)
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
