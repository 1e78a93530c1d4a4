"""How a person likes to read: their settings, and the language of the pages that annotators see."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from judgments.models import ReadingSettings
from judgments.models.prepared_queries import Prepared

YEAR = 365 * 24 * 60 * 60

settings_of_user = Prepared(lambda user: ReadingSettings.objects.filter(user=user))


def reading_of(request: HttpRequest) -> ReadingSettings:
    """The stored settings of whoever is signed in, or the defaults, not stored."""
    if not request.user.is_authenticated:
        return ReadingSettings()
    known = request.user._state.fields_cache  # with what came with the account
    if "reading_settings" in known:
        return known["reading_settings"] or ReadingSettings(user=request.user)
    return settings_of_user.first(request.user.pk) or ReadingSettings(user=request.user)


def context(request: HttpRequest) -> dict[str, object]:
    """For templates: `reading`, which asks the database only where a page uses it."""
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
    found = settings_of_user.first(user.pk)
    if found and found.language:
        remember_language(response, found.language)
    return response
