import pytest
from csp.constants import HEADER
from csp.decorators import csp_replace
from csp.utils import build_policy
from django.http import HttpResponse
from django.test import Client, RequestFactory

from mteval_site.middleware import PolicyMiddleware, only_utf8

BODY = b'--x\r\nContent-Disposition: form-data; name="username"\r\n\r\n\\ud800\r\n--x--\r\n'


@pytest.mark.parametrize("charset", ["raw_unicode_escape", "utf-7", "latin-1", "nonsense"])
def test_a_body_in_another_encoding_is_refused(charset: str) -> None:
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    answer = Client().generic("POST", "/sign-in/", BODY, content_type=kind)
    assert answer.status_code == 400
    assert answer.content == b"Send the text as UTF-8."


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded; charset=UTF-8",
        "application/json; charset=utf8",
        "",
    ],
)
def test_utf8_passes(kind: str) -> None:
    request = RequestFactory().generic("POST", "/", b"", content_type=kind)
    assert only_utf8(lambda request: HttpResponse("passed"))(request).content == b"passed"


def test_every_answer_has_the_policy_and_one_that_a_view_altered_has_its_own():
    @csp_replace({"frame-ancestors": ["'self'"]})
    def altered(request):
        return HttpResponse()

    request = RequestFactory().get("/")
    usual = PolicyMiddleware(lambda request: HttpResponse())(request)[HEADER]
    own = PolicyMiddleware(altered)(request)[HEADER]
    assert sorted(usual.split("; ")) == sorted(build_policy().split("; "))
    assert "frame-ancestors 'none'" in usual
    assert "frame-ancestors 'self'" in own
    assert "script-src 'self'" in own

    def given(request):
        return HttpResponse(headers={HEADER: "sandbox"})

    assert PolicyMiddleware(given)(request)[HEADER] == "sandbox"
