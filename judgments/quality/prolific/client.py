"""Prolific's API: a request and its answer, and what no answer means.

The token is sent in a header and to the operator's address alone; no message and no log has it.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Collection, Mapping
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from judgments.quality.notices.webhooks import WebhookRefused, connected, parsed, resolved

SECONDS = 10
LISTING_SECONDS = 20  # a person waits for the page
MOST_BYTES = 20_000_000
PAGE = 200
MOST_PAGES = 100
LONGEST_DETAIL = 300
API = "/api/v1"
IN_WORDS = {
    401: "it does not accept this site's token; its operator can set PROLIFIC_TOKEN",
    403: "the owner of this site's token may not do that",
    404: "it does not know this study or submission",
    429: "it asks to wait, after too many requests in a short time",
}
# What further requests would get, too.
FOR_ALL = (401, 403, 429)


class ProlificRefused(Exception):
    """Nothing was done. is_for_all: whether another request would be refused, too."""

    def __init__(self, words: str, *, is_for_all: bool = True) -> None:
        super().__init__(words)
        self.is_for_all = is_for_all


class ProlificSilent(Exception):
    """No answer came, or a failure of Prolific's own: it may have been done or not."""

    is_for_all = True


def call(method: str, path: str, data: Mapping[str, Any] | None = None) -> Any:
    """Return the answer of 2xx as JSON, {} for an empty one."""
    body = None if data is None else json.dumps(data).encode()
    headers = {
        "Host": urlsplit(settings.PROLIFIC_ADDRESS).netloc,
        "Authorization": f"Token {settings.PROLIFIC_TOKEN}",
        "Content-Type": "application/json",
        "Accept": "application/json",
        "User-Agent": "mteval",
    }
    try:
        target = parsed(settings.PROLIFIC_ADDRESS)
        connection = http.client.HTTPConnection(target.host, target.port, timeout=SECONDS)
        connection.sock = connected(target, resolved(target), SECONDS)
    except (OSError, WebhookRefused) as error:
        raise ProlificRefused(f"Prolific cannot be reached: {error}") from None
    try:
        connection.request(method, target.path.rstrip("/") + API + path, body, headers)
        answer = connection.getresponse()
        text = answer.read(MOST_BYTES)
    except (OSError, http.client.HTTPException) as error:
        raise ProlificSilent(f"Prolific did not answer: {error or 'nothing came'}.") from None
    finally:
        connection.close()
    return read(answer.status, text)


def read(status: int, text: bytes) -> Any:
    if status >= 500:
        raise ProlificSilent(f"Prolific failed with {status}.")
    if not 200 <= status < 300:
        words = IN_WORDS.get(status) or detail_of(text)
        raise ProlificRefused(
            f"Prolific refused with {status}: {words}.", is_for_all=status in FOR_ALL
        )
    try:
        return json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        raise ProlificSilent("Prolific's answer cannot be read.") from None


def detail_of(text: bytes) -> str:
    """Return what an answer gives as its reason, which is {"error": {"detail": …}}."""
    try:
        detail = json.loads(text)["error"]["detail"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return "it gives no reason"
    words = " ".join(str(detail).split()).rstrip(".")
    return words.replace(settings.PROLIFIC_TOKEN, "…")[:LONGEST_DETAIL]


def study(number: str) -> Mapping[str, Any]:
    return mapping(call("GET", f"/studies/{number}/"))


def submissions(number: str) -> list[Mapping[str, Any]]:
    """Return all submissions of a study, page by page."""
    found: dict[str, Mapping[str, Any]] = {}
    end = monotonic() + LISTING_SECONDS
    for _ in range(MOST_PAGES):
        if monotonic() > end:
            raise ProlificRefused("Prolific takes too long to list the submissions.")
        path = f"/studies/{number}/submissions/?limit={PAGE}&offset={len(found)}"
        page = mapping(call("GET", path))
        before, rows = len(found), page.get("results")
        if not isinstance(rows, list):
            raise ProlificRefused("Prolific's list of submissions cannot be read.")
        found |= {str(row.get("id")): row for row in map(mapping, rows)}
        count = mapping(page.get("meta") or {}).get("count")
        if len(found) == before or count == len(found):
            break
    return list(found.values())


def mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ProlificRefused("Prolific's answer cannot be read.")
    return value


def approve(submission: str) -> None:
    """Asked twice, Prolific ignores the second time."""
    call("POST", f"/submissions/{submission}/transition/", {"action": "APPROVE"})


def set_up_bonuses(number: str, lines: Collection[str]) -> str:
    """Return Prolific's number of these bonuses; none is paid yet. lines: submission,amount."""
    data = {"study_id": number, "csv_bonuses": "\n".join(lines)}
    return str(mapping(call("POST", "/submissions/bonus-payments/", data)).get("id", ""))


def pay_bonuses(bonuses: str) -> None:
    """Asked twice, Prolific pays twice."""
    call("POST", f"/bulk-bonus-payments/{bonuses}/pay/", {})
