"""English names of languages, from Django's table."""

from django.conf import global_settings

NAMES = {code.lower(): str(name) for code, name in global_settings.LANGUAGES}


def language_name(tag: str) -> str:
    """Return the English name of a language tag; the tag itself if Django has no name."""
    tag = tag.lower()
    return NAMES.get(tag) or NAMES.get(tag.split("-")[0]) or tag
