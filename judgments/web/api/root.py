"""What stands at api/: a page for people, addresses for programs."""

import functools
from typing import NamedTuple

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes, renderer_classes
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer, TemplateHTMLRenderer
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments.web.cache import DRAWING, code_mark, get_or_compute

TAGS = {
    "campaigns": "Campaigns",
    "projects": "Projects",
    "test sets": "Test sets",
    "metrics": "Metrics",
}


class Operation(NamedTuple):
    method: str
    path: str
    summary: str


@functools.cache
def operations() -> dict[str, list[Operation]]:
    """Return what the schema names, under the titles of its tags. Kept: to make the schema, every
    view of the API is imported, which takes a process seconds."""
    return get_or_compute(f"api-operations-{code_mark()}", operations_of_schema, group=DRAWING)


def operations_of_schema() -> dict[str, list[Operation]]:
    from drf_spectacular.generators import SchemaGenerator

    found: dict[str, list[Operation]] = {title: [] for title in TAGS.values()}
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    for path, methods in paths.items():
        for method, operation in methods.items():
            title = TAGS.get(operation.get("tags", [""])[0])
            if title and (summary := operation.get("summary")):
                found[title].append(Operation(method.upper(), path, summary))
    return found


@extend_schema(exclude=True)
@api_view(["GET"])
@permission_classes([AllowAny])
@renderer_classes([JSONRenderer, TemplateHTMLRenderer])
def root(request) -> Response:
    keys = ("campaigns", "projects", "test_sets", "schema")
    links = {key: reverse(f"api-{key.replace('_', '-')}", request=request) for key in keys}
    links["guide"] = reverse("docs-page", args=["api.html"], request=request)
    links["tokens"] = reverse("tokens", request=request)
    if request.accepted_renderer.format != "html":
        return Response(links)
    example = request.build_absolute_uri(reverse("api-campaigns"))
    context = {"operations": operations(), "links": links, "example": example}
    return Response(context, template_name="judgments/web/api.html")
