"""How a person likes to read: their settings, and the language of the pages that annotators see."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from judgments.models import ReadingSettings

YEAR = 365 * 24 * 60 * 60


def reading_of(request: HttpRequest) -> ReadingSettings:
    """Return the stored settings of whoever is signed in, or the defaults, not stored."""
    if not request.user.is_authenticated:
        return ReadingSettings()
    stored = ReadingSettings.objects.filter(user=request.user).first()
    return stored or ReadingSettings(user=request.user)


def context(request: HttpRequest) -> dict[str, object]:
    """Return for templates: `reading`, which asks the database only where a page uses it."""
    return {"reading": SimpleLazyObject(lambda: reading_of(request))}


def remember_language(response: HttpResponse, language: str) -> HttpResponse:
    """Keep the language in this browser, so that no request has to look it up; empty: forget it."""
    name = settings.LANGUAGE_COOKIE_NAME
    if language:
        response.set_cookie(name, language, max_age=YEAR, samesite="Lax", secure=settings.HTTPS)
    else:
        response.delete_cookie(name)
    return response


def greet(response: HttpResponse, user) -> HttpResponse:
    """After a sign-in, perhaps on another device: the language that the person has chosen."""
    found = ReadingSettings.objects.filter(user=user).first()
    if found and found.language:
        remember_language(response, found.language)
    return response
