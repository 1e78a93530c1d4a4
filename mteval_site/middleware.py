"""What every request passes."""

import codecs
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

Next = Callable[[HttpRequest], HttpResponse]


def only_utf8(get_response: Next) -> Next:
    """Refuse a body in another encoding: some of them decode to halves of characters, which no
    database stores. Browsers send forms as UTF-8 and name no encoding."""

    def middleware(request: HttpRequest) -> HttpResponse:
        named = (request.content_params or {}).get("charset", "utf-8")
        try:
            is_utf8 = codecs.lookup(named).name == "utf-8"
        except LookupError:
            is_utf8 = False
        if not is_utf8:
            return HttpResponseBadRequest("Send the text as UTF-8.", content_type="text/plain")
        return get_response(request)

    return middleware
