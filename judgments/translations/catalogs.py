"""The catalogs of `locale/`, as translators work with them."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation import to_locale

ENGLISH = settings.LANGUAGE_CODE
TRANSLATED, FUZZY, MISSING = STATES = ("translated", "fuzzy", "missing")


@dataclass(frozen=True)
class CatalogText:
    """One text of a catalog. forms: its translations, one for each form of the plural; files: the
    templates and programs it stands in."""

    key: str
    text: str
    plural: str
    forms: tuple[str, ...]
    state: str
    files: tuple[str, ...]


def key_of(text: str) -> str:
    """A name for a text in addresses and marks; the same in all catalogs and releases."""
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def languages() -> list[tuple[str, str]]:
    """Codes and names of the languages that have a catalog."""
    return [(code, name) for code, name in settings.LANGUAGES if code != ENGLISH]


def path_of(code: str) -> Path:
    return settings.LOCALE_PATHS[0] / to_locale(code) / "LC_MESSAGES" / "django.po"


def texts_of(code: str) -> dict[str, CatalogText]:
    """The texts of a language by their keys, in the order of its file."""
    path = path_of(code)
    return _texts_in(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _texts_in(path: Path, changed_at: int) -> dict[str, CatalogText]:
    with path.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    found = {}
    for message in messages:
        text, *plural = strings(message.id)
        forms = strings(message.string)
        state = MISSING if not all(forms) else FUZZY if message.fuzzy else TRANSLATED
        files = tuple(dict.fromkeys(file for file, _ in message.locations))
        found[key_of(text)] = CatalogText(key_of(text), text, "".join(plural), forms, state, files)
    return found


def strings(value: object) -> tuple[str, ...]:
    """A text, or those of the forms of a plural; what is missing is empty."""
    forms = value if isinstance(value, list | tuple) else (value,)
    return tuple(str(form or "") for form in forms)


def counts(texts: dict[str, CatalogText]) -> dict[str, int]:
    """How many texts are in each state."""
    states = [each.state for each in texts.values()]
    return {state: states.count(state) for state in STATES}
