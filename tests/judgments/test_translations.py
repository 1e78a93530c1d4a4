"""What annotators read is there in every language, and says the same with the same placeholders."""

import ast
import functools
import gettext
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

ROOT = Path(settings.BASE_DIR)
# Marked for translation, and not translated yet: what `make messages` leaves out.
MAKEFILE = (ROOT / "Makefile").read_text()
LATER = re.search(r"^UNTRANSLATED := ((?:.*\\\n)*.*)\n", MAKEFILE, re.MULTILINE)[1]  # type: ignore[index]
LATER = LATER.replace("\\\n", " ").split()
APPS = ("judgments", "metrics", "mteval_site")
LOCALES = [to_locale(code) for code, _ in settings.LANGUAGES if code != "en"]
NAMES = {"_", "_n", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
# As a template is turned into a program: gettext(u'…'), ngettext(u'…', u'…', count).
IN_TEMPLATE = re.compile(r"gettext\(u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w+\}|#+")


def read_now(paths: Iterable[Path]) -> list[Path]:
    return [p for p in sorted(paths) if not is_for_later(p)]


def is_for_later(path: Path) -> bool:
    name = path.relative_to(ROOT).as_posix()
    return any(fnmatchcase(name, pattern) for pattern in LATER)


def in_templates() -> Iterator[tuple[str, str]]:
    for path in read_now((ROOT / "templates").rglob("*.html")):
        for text in IN_TEMPLATE.findall(templatize(path.read_text(), origin=str(path))):
            yield ast.literal_eval(text), path.name


def in_programs() -> Iterator[tuple[str, str]]:
    for path in read_now(p for app in APPS for p in (ROOT / app).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            first = node.args[0] if node.args else None
            if node.func.id in NAMES and isinstance(first, ast.Constant):
                yield first.value, path.name


@functools.cache
def wording() -> dict[str, str]:
    """Every text that is marked for translation, with a file in which it stands."""
    return {text: name for text, name in [*in_templates(), *in_programs()] if text}


def catalog(locale: str) -> gettext.GNUTranslations:
    with (ROOT / "locale" / locale / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def entries(locale: str) -> dict[str, list[str]]:
    """What is translated, each text with its forms; the first form of a plural is its key."""
    found: dict[str, list[str]] = {}
    for key, text in catalog(locale)._catalog.items():  # type: ignore[attr-defined]
        found.setdefault(key[0] if isinstance(key, tuple) else key, []).append(text)
    return found


def test_texts_are_found():
    """The tests below would be worth nothing if the reader of texts missed some."""
    found = wording()
    assert len(found) > 400
    for text in ("Submit and continue", "Adequacy", "A batch with %(n)s item is waiting."):
        assert text in found, text


@pytest.mark.parametrize("locale", LOCALES)
def test_every_text_is_translated(locale):
    translated = entries(locale)
    missing = [f"{text!r} of {name}" for text, name in wording().items() if text not in translated]
    assert not missing, "\n".join(["Run `make messages` and translate:", *missing])


@pytest.mark.parametrize("locale", LOCALES)
def test_placeholders_are_those_of_the_english_text(locale):
    for text, forms in entries(locale).items():
        if not text:
            continue  # the head of the catalog
        for form in forms:
            found = sorted(PLACEHOLDER.findall(form))
            wanted = sorted(PLACEHOLDER.findall(text))
            # “One item” may do without the number.
            assert found == wanted or (len(forms) > 1 and set(found) < set(wanted)), form
            assert not re.search(r"<(?!/?strong>)", form), form


@pytest.mark.parametrize("locale", LOCALES)
def test_the_compiled_catalog_is_that_of_the_source(locale):
    source = (ROOT / "locale" / locale / "LC_MESSAGES" / "django.po").read_text()
    assert "#, fuzzy" not in source
    stored = set(re.findall(r'^msgid "(.+)"$', source, re.MULTILINE))
    compiled = {text.replace("\\", "\\\\").replace('"', '\\"') for text in entries(locale) if text}
    assert {text for text in compiled if "\n" not in text} == stored
