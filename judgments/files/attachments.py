"""Responses that a browser saves as files."""

from collections.abc import Iterable

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

CSV = "text/csv; charset=utf-8"
JSON = "application/json"


def attachment(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """Return a file of this name."""
    return HttpResponse(content, content_type=content_type, headers=headers_of(name))


def streamed(
    content: Iterable[str] | Iterable[bytes], content_type: str, name: str
) -> StreamingHttpResponse:
    """Return a file of this name that is sent piece by piece."""
    return StreamingHttpResponse(content, content_type=content_type, headers=headers_of(name))


def headers_of(name: str) -> dict[str, str]:
    return {"Content-Disposition": content_disposition_header(True, name)}
