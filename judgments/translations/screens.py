"""The screens on which translators see texts: those of *Try judging*, pages that belong to no
campaign, and the pages of annotators with made-up facts. Nothing of a campaign is read, and nothing
is stored."""

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.urls import resolve, reverse

from judgments.trial import presets

from .catalogs import ENGLISH
from .made_up import MADE_UP, WITH_PROVIDER, MadeUpPage
from .marks import MarkedPage, marking

SCRIPT = re.compile(r"<script\b[^>]*></script>")
PAGES = (
    ("start", "Start page", "home"),
    ("try", "Try judging", "trial"),
    ("accessibility", "Accessibility", "accessibility"),
    ("sign-in", "Signing in", "login"),
    ("new-password", "A new password", "password-reset"),
    ("new-password-sent", "A new password, the link is sent", "password-reset-sent"),
)


@dataclass(frozen=True)
class ShownScreen:
    """slug: its name in addresses. html: the page that answers a request like the given one."""

    slug: str
    name: str
    html: Callable[[HttpRequest], str]


@cache
def screens() -> dict[str, ShownScreen]:
    """All of them by their slugs, those of judging first."""
    found = []
    for number, preset in enumerate(presets(), 1):
        slug, name = preset.slug, str(preset.name)
        found += [
            ShownScreen(slug, name, page("trial-item", number)),
            ShownScreen(
                f"{slug}-unanswered", f"{name}, not answered", page("trial-item", number, sent="")
            ),
            ShownScreen(
                f"{slug}-instructions", f"{name}, instructions", page("trial-instructions", number)
            ),
        ]
    found += [ShownScreen(slug, name, page(address)) for slug, name, address in PAGES]
    rows = MADE_UP + (WITH_PROVIDER if settings.OIDC_ISSUER else ())
    found += [ShownScreen(each.slug, each.name, made_up(each)) for each in rows]
    return {each.slug: each for each in found}


def page(name: str, *args: object, sent: str | None = None) -> Callable[[HttpRequest], str]:
    """A page of the site as a visitor gets it. sent: what a form sends, as a query string."""

    def html(request: HttpRequest) -> str:
        path = reverse(name, args=args)
        view, found, keywords = resolve(path)
        response = view(visiting(request, path, sent), *found, **keywords)
        return (response.render() if hasattr(response, "render") else response).content.decode()

    return html


def made_up(drawn: MadeUpPage) -> Callable[[HttpRequest], str]:
    """Without its scripts, which would keep answers in the browser."""

    def html(request: HttpRequest) -> str:
        asked = visiting(request, reverse("home"))
        found = render_to_string(drawn.template, drawn.facts(), asked)
        if drawn.template.endswith(".txt"):
            return render_to_string("judgments/translations/letter.html", {"letter": found})
        return SCRIPT.sub("", found)

    return html


def visiting(request: HttpRequest, path: str, sent: str | None = None) -> HttpRequest:
    """The same request for another page, by somebody who is not signed in."""
    asked = copy.copy(request)
    asked.path = asked.path_info = path
    asked.method = "GET" if sent is None else "POST"
    asked.GET = QueryDict("")  # type: ignore[assignment]
    asked._post = QueryDict(sent or "")  # type: ignore[attr-defined]
    asked._files = {}  # type: ignore[attr-defined]
    asked.user = AnonymousUser()
    return asked


def drawn(request: HttpRequest, screen: ShownScreen, code: str, lit: str = "") -> MarkedPage:
    """The page in that language, with one text lit up."""
    with marking(code):
        html = screen.html(request)
    return MarkedPage(html, lit)


_found: dict[str, dict[str, set[str]]] = {}


def where_shown(request: HttpRequest) -> dict[str, dict[str, set[str]]]:
    """By the keys of texts: the slugs of the screens that have them, and how. Found once in each
    process, as templates are read once."""
    if not _found:
        seen: dict[str, dict[str, set[str]]] = {}
        for screen in screens().values():
            for key, ways in drawn(request, screen, ENGLISH).ways.items():
                seen.setdefault(key, {})[screen.slug] = ways
        _found.update(seen)
    return _found
