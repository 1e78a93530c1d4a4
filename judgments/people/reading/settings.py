"""Reading settings of a person, and the language of the pages that annotators see."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from judgments.models import ReadingSettings

YEAR = 365 * 24 * 60 * 60


def reading_of(request: HttpRequest) -> ReadingSettings:
    """Return the stored settings of the signed-in person, or unstored defaults."""
    if not request.user.is_authenticated:
        return ReadingSettings()
    stored = ReadingSettings.objects.filter(user=request.user).first()
    return stored or ReadingSettings(user=request.user)


def context(request: HttpRequest) -> dict[str, object]:
    """Return the context of templates: `reading`, which queries the database only if a page uses
    it."""
    return {"reading": SimpleLazyObject(lambda: reading_of(request))}


def remember_language(response: HttpResponse, language: str) -> HttpResponse:
    """Store the language in this browser, so that no request has to look it up; empty: delete
    it."""
    name = settings.LANGUAGE_COOKIE_NAME
    if language:
        response.set_cookie(name, language, max_age=YEAR, samesite="Lax", secure=settings.HTTPS)
    else:
        response.delete_cookie(name)
    return response


def greet(response: HttpResponse, user) -> HttpResponse:
    """Set the person's language after a sign-in, perhaps on another device."""
    found = ReadingSettings.objects.filter(user=user).first()
    if found and found.language:
        remember_language(response, found.language)
    return response
