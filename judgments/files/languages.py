"""Names of languages for people, from Django's own table."""

from django.conf import global_settings

NAMES = {code.lower(): str(name) for code, name in global_settings.LANGUAGES}


def language_name(tag: str) -> str:
    """Return the English name of a language tag; the tag itself where Django knows no name."""
    tag = tag.lower()
    return NAMES.get(tag) or NAMES.get(tag.split("-")[0]) or tag
