"""Catalogs as translators see them: texts, their states and where they stand."""

import pytest
from django.conf import settings

from judgments.translations import catalogs
from judgments.translations.catalogs import key_of, texts_of

PO = """
msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#: templates/a.html judgments/b.py
msgid "Adequacy"
msgstr "Adäquatheit"

#: templates/a.html
#, fuzzy
msgid "Fluency"
msgstr "Flüssig"

#: templates/a.html
#, python-format
msgid "%(n)s item"
msgid_plural "%(n)s items"
msgstr[0] "%(n)s Aufgabe"
msgstr[1] ""

#: templates/a.html
msgid "Source"
msgstr ""

#~ msgid "Gone"
#~ msgstr "Weg"
"""


@pytest.fixture
def small(monkeypatch, tmp_path):
    path = tmp_path / "django.po"
    path.write_text(PO)
    monkeypatch.setattr(catalogs, "path_of", lambda code: path)
    return texts_of("de")


def test_texts_have_states_forms_and_files(small):
    assert [each.text for each in small.values()] == [
        "Adequacy",
        "Fluency",
        "%(n)s item",
        "Source",
    ]
    assert [each.state for each in small.values()] == ["translated", "fuzzy", "missing", "missing"]
    first, _, plural, _ = small.values()
    assert (first.forms, first.files) == (("Adäquatheit",), ("templates/a.html", "judgments/b.py"))
    assert (plural.plural, plural.forms) == ("%(n)s items", ("%(n)s Aufgabe", ""))
    assert catalogs.counts(small) == {"translated": 1, "fuzzy": 1, "missing": 2}


def test_a_text_has_the_same_key_in_every_catalog():
    german, arabic = texts_of("de"), texts_of("ar")
    assert list(german) == list(arabic)
    assert german[key_of("Adequacy")].text == arabic[key_of("Adequacy")].text == "Adequacy"


def test_a_changed_file_is_read_again(small, tmp_path):
    path = tmp_path / "django.po"
    path.write_text(PO.replace("Adäquatheit", "Angemessenheit"))
    import os

    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1_000_000))
    assert texts_of("de")[key_of("Adequacy")].forms == ("Angemessenheit",)


@pytest.mark.parametrize("code", [code for code, _ in settings.LANGUAGES if code != "en"])
def test_every_language_of_the_chooser_has_a_catalog(code):
    assert catalogs.path_of(code).is_file()
    assert len(texts_of(code)) > 600
