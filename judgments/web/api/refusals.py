"""What a view of the API refuses, as problem details: the one handler of its exceptions."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import BadRequest
from django.forms import BaseForm
from rest_framework.exceptions import APIException, Throttled, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from judgments.web import limits
from judgments.web.request_limits import reason
from mteval_site.problems import CONTENT_TYPE, problem


class Conflict(APIException):
    status_code = 409
    default_code = "conflict"


class Refused(APIException):
    """With members that extend the problem, such as the faults of a file."""

    status_code = 400

    def __init__(self, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.more = more


def handled(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to what a view has raised; None for what is no answer, which becomes 500 or
    503 (`mteval_site.views.failure`)."""
    if isinstance(error, BadRequest):
        error = Refused(str(error))
    if isinstance(error, limits.Exceeded):
        error = Throttled(error.seconds, f"{reason(error)}.")
    response = exception_handler(error, context)
    if response is None:
        return None
    # A refusal is JSON, whatever form the answer would have had.
    context["request"].accepted_renderer = JSONRenderer()
    context["request"].accepted_media_type = CONTENT_TYPE
    detail, more = words_of(error, response.data)
    response.data = problem(context["request"], response.status_code, detail, **more)
    response.content_type = CONTENT_TYPE
    return response


def refuse(form: BaseForm) -> ValidationError:
    """Return what is wrong with a form that a page uses, too."""
    told = form.errors.items()
    errors = {name.replace("__all__", "detail"): list(map(str, each)) for name, each in told}
    return ValidationError(errors)


def words_of(error: Exception, data: Any) -> tuple[str, dict[str, Any]]:
    """Return what the answer says in words, and in members of its own: `errors` has the reasons by
    the name of the field, as the form or the query has them."""
    if isinstance(error, ValidationError):
        errors = data if isinstance(data, dict) else {"detail": data}
        words = list(sentences(errors))
        return " ".join(words), {} if set(errors) == {"detail"} else {"errors": errors}
    detail = data.get("detail", "") if isinstance(data, dict) else ""
    return str(detail), getattr(error, "more", {})


def sentences(errors: Any, field: str = "") -> Any:
    """Yield each reason with the field that it is about, however deep it lies."""
    if isinstance(errors, dict):
        for name, each in errors.items():
            plain = name in ("detail", "non_field_errors", "__all__")
            yield from sentences(each, field if plain else f"{field}.{name}".lstrip("."))
    elif isinstance(errors, list | tuple):
        for each in errors:
            yield from sentences(each, field)
    elif str(errors):
        yield f"{field}: {errors}" if field else str(errors)
