"""Query parameters of the API: only those documented in the schema are accepted."""

import re
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import BasePermission

ROUTE_PARTS = re.compile(r"<(?:\w+:)?(\w+)>")


class AsksOnlyForWhatIsKnown(BasePermission):
    """Refuse (400) query parameters that the schema does not list for the address."""

    def has_permission(self, request, view) -> bool:
        if not request.GET:  # the usual case needs no schema
            return True
        path = ROUTE_PARTS.sub(r"{\1}", f"/{request.resolver_match.route}")
        known = documented().get((path, request.method.lower()))
        unknown = sorted(set(request.GET) - known) if known is not None else []
        if unknown:
            listed = ", ".join(sorted(known or ())) or _("none")
            words = _("There is no parameter %(name)s here. Known: %(known)s.")
            raise ValidationError(words % {"name": repr(unknown[0][:80]), "known": listed})
        return True


@cache
def documented() -> dict[tuple[str, str], set[str]]:
    """Return the names of the query parameters of each path and method of the schema."""
    # The schema imports views, whose permissions import this module.
    from drf_spectacular.generators import SchemaGenerator

    paths: dict[str, Any] = SchemaGenerator().get_schema(public=True)["paths"]
    return {
        (path, method): {each["name"] for each in parameters if each["in"] == "query"}
        for path, operations in paths.items()
        for method, operation in operations.items()
        for parameters in [operation.get("parameters", [])]
    }
