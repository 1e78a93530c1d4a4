"""Limits of requests, and the responses beyond them. In judging, only refusals count."""

import time

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from rest_framework.throttling import BaseThrottle

from judgments.models import DemoCopy
from judgments.web import limits
from judgments.web.audit.words import SAFE
from judgments.web.known_devices import remember_device
from mteval_site.addresses import client_address
from mteval_site.lazy_views import LazyView
from mteval_site.problems import is_for_programs, refusal

# Names of addresses.
COMING_IN = {"join", "project-join", "return", "oidc-start", "oidc-return"}
TRIALS = {"trial", "trial-item", "trial-instructions"}
PASSWORDS = {"password-change", "password_change"}  # ours; that of the operator's pages
UPLOADS = {
    *("test-set-new", "test-set-texts", "test-set-media", "systems-new", "reference-new"),
    *("import-judgments", "post-edits", "questions-import", "suggestions"),
    *("suggestions-from-program", "quality-exclusions", "invitations-many", "project-links"),
    *("proposed-links", "corpora", "bitexts", "bitext-link", "metric-phrases-link"),
    *("score-upload", "score-kit", "api-upload", "score-start", "baseline", "api-metrics"),
    *("import", "import-answer", "import-retry", "api-judgments"),
    *("campaign-from-file", "project-from-file", "api-campaign-from-file", "api-projects"),
}


class RequestLimits:
    """Middleware that counts requests that are costly or could guess secrets, and turns
    `limits.Exceeded` into the response 429."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.monotonic()
        response = self.get_response(request)
        if subject := getattr(request, "computes_for", ""):
            more = int((time.monotonic() - started) * limits.UNITS_PER_SECOND) - 1
            if more > 0:
                limits.charge(limits.COMPUTING, subject, more)
        elif response.status_code == 404 and is_guess(request):
            response = guessed(request, response)
        elif is_judging(request) and 400 <= response.status_code < 500:
            response = in_vain(request, response)
        remember_device(request, response)
        return response

    def process_view(self, request, view, args, kwargs):
        try:
            count(request, view)
        except limits.Exceeded as exceeded:
            return refused(request, exceeded)

    def process_exception(self, request, exception):
        if isinstance(exception, limits.Exceeded):
            return refused(request, exception)


def is_guess(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and match.url_name in COMING_IN


def guessed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Count and refuse only wrong links: people with a valid one get in, even at the same address
    as people who mistype theirs."""
    try:
        limits.hit(limits.GUESSES, client_address(request))
    except limits.Exceeded as exceeded:
        return refused(request, exceeded)
    return response


def is_judging(request: HttpRequest) -> bool:
    """Return whether the request is an answer, or anything else that annotators send while they
    judge."""
    match = request.resolver_match
    return request.method not in SAFE and match is not None and is_of_judging(match.url_name)


def is_of_judging(name: str | None) -> bool:
    return (name or "").startswith("judge")


def in_vain(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Count only refusals of judging: valid answers are stored, however many."""
    try:
        take_post(request, subject_of(request))
    except limits.Exceeded as exceeded:
        return refused(request, exceeded)
    return response


def take_post(request: HttpRequest, subject: str) -> None:
    """Raise limits.Exceeded if the subject has sent too much."""
    by_account = request.user.is_authenticated
    limits.hit(limits.POSTS if by_account else limits.POSTS_FROM_ADDRESS, subject)


def count(request: HttpRequest, view) -> None:
    """Raise limits.Exceeded if a limit has been reached."""
    assert request.resolver_match is not None
    name = request.resolver_match.url_name
    is_api = is_for_programs(request)  # Throttle counts these
    if request.method not in SAFE and not is_api and not is_of_judging(name):
        take_post(request, subject_of(request))
    if name in COMING_IN:
        limits.hit(limits.COMING_IN, client_address(request))
    if name in TRIALS:
        limits.hit(limits.TRIALS, client_address(request))
    if name in UPLOADS and request.method == "POST" and not is_api:
        take_upload(request, subject_of(request))
    if name in PASSWORDS and request.method == "POST":
        limits.hit(limits.OLD_PASSWORD, subject_of(request))
    if isinstance(view, LazyView) and not is_api and name not in COMING_IN:
        limits.hit(limits.COMPUTING, subject_of(request))
        request.computes_for = subject_of(request)  # type: ignore[attr-defined]


def take_upload(request, subject: str) -> None:
    """Raises limits.Exceeded for who has uploaded too often."""
    limits.hit(limits.UPLOADS, subject)
    if settings.PUBLIC_DEMO and request.user.is_authenticated and not request.user.is_staff:
        # Whoever a visitor invites into a copy shares what may be uploaded there.
        copy = DemoCopy.objects.worked_in_by(request.user).order_by("pk").first()
        limits.hit(limits.DEMO_UPLOADS, str(copy or subject))


def subject_of(request) -> str:
    """Return the counted subject: the account, or else the address."""
    if request.user.is_authenticated:
        return f"account {request.user.pk}"
    return client_address(request)


def reason(exceeded: limits.Exceeded) -> str:
    """Return the reason, for programs, as a sentence without its full stop."""
    if exceeded.limit == limits.HEAVY:
        return f"{limits.HEAVY.most_now} files are being made for this account already"
    return "Too many requests"


def refused(request: HttpRequest, exceeded: limits.Exceeded) -> HttpResponse:
    headers = {"Retry-After": str(exceeded.seconds), "Cache-Control": "no-store"}
    said = f"{reason(exceeded)}: try again in {exceeded.seconds} seconds."
    if is_for_programs(request):
        return refusal(request, 429, said, headers)
    if not request.accepts("text/html"):  # a script of a page
        return JsonResponse({"detail": said}, status=429, headers=headers)
    context = {
        "minutes": -(-exceeded.seconds // 60),
        "is_sign_in": exceeded.limit in (*limits.OF_STRANGERS, *limits.OF_KNOWN),
        "is_stranger": exceeded.limit in limits.OF_STRANGERS,
        "is_computing": exceeded.limit == limits.COMPUTING,
        "n_heavy": limits.HEAVY.most_now if exceeded.limit == limits.HEAVY else 0,
        "seconds": exceeded.seconds,
        "again": request.get_full_path() if request.method == "GET" else "",
    }
    response = render(request, "429.html", context, status=429)
    for name, value in headers.items():
        response[name] = value
    return response


class Throttle(BaseThrottle):
    """The same limits for the API, where the account is known only after the token was read."""

    seconds = 0

    def allow_request(self, request, view):
        subject = subject_of(request)
        name = request.resolver_match.url_name
        try:
            limits.hit(limits.COMPUTING, subject)
            if name in UPLOADS and request.method == "POST":
                take_upload(request, subject)
            if request.method not in SAFE:
                # Counted separately from pages, which must not wait for a program.
                take_post(request, f"API of {subject}")
        except limits.Exceeded as exceeded:
            self.seconds = exceeded.seconds
            return False
        request._request.computes_for = subject
        return True

    def wait(self):
        return self.seconds
