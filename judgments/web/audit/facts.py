"""What of a request the log keeps: short values, and never a secret."""

import json
import re
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict

SECRET = re.compile("pass|token|secret|csrf|mail|credential|otp|signature", re.IGNORECASE)
LONGEST = 100
MOST_FIELDS = 30
MOST_JSON = 64 * 1024
KEPT_BACK = "(not kept)"


def short(value: Any) -> str:
    """Return a value as it stands, or its length where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text.replace("\0", "")
    return text if len(text) <= LONGEST else f"({len(text):,} characters)"


def named(values: dict[str, Any]) -> dict[str, str]:
    """Return the values under their names, the first of them; secrets are told by their names."""
    pairs = [(name, value) for name, value in values.items() if name != "csrfmiddlewaretoken"]
    found = {
        short(name): KEPT_BACK if SECRET.search(name) else short(value)
        for name, value in pairs[:MOST_FIELDS]
    }
    if len(pairs) > MOST_FIELDS:
        found["…"] = f"{len(pairs) - MOST_FIELDS:,} more fields"
    return found


def read_json_first(request: HttpRequest) -> None:
    """Keep a short JSON body, which could not be read again after the view."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    is_json = request.content_type == "application/json"
    if is_json and length.isdecimal() and int(length) <= MOST_JSON:
        _ = request.body


def facts_of(request: HttpRequest) -> dict[str, str]:
    """Return the fields of the form or the JSON that the view has read."""
    form = vars(request).get("_post") or QueryDict()
    values: dict[str, Any] = {
        name: given[0] if len(given) == 1 else given for name, given in form.lists()
    }
    if not values and "_body" in vars(request) and request.content_type == "application/json":
        try:
            sent = json.loads(request.body)
        except (ValueError, RecursionError):
            sent = None
        values = sent if isinstance(sent, dict) else {}
    if not values and request.method == "GET":
        values = dict(request.GET.items())
    files: MultiValueDict = vars(request).get("_files") or MultiValueDict()
    values |= {
        name: ", ".join(f"{file.name} ({file.size:,} bytes)" for file in files.getlist(name))
        for name in files
    }
    return named(values)
