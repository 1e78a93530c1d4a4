"""Marks that say which text is which, and how they are taken out of a page again."""

import json

import pytest
from django.utils.html import escape
from django.utils.translation import get_language, gettext, ngettext, override

from judgments.translations.catalogs import key_of
from judgments.translations.marks import (
    CHOSEN,
    HEARD,
    SCRIPTED,
    SEEN,
    TITLE,
    MarkedPage,
    marked,
    marking,
)

A, B = key_of("A"), key_of("B")


def words(text: str) -> str:
    return marked(text, text.lower())


def test_texts_are_looked_up_with_their_keys():
    with marking("de"):
        said = gettext("Adequacy")
        counted = ngettext("%(n)d error", "%(n)d errors", 2)
        language = get_language()
    assert MarkedPage(said).html == "Inhaltstreue"
    assert set(MarkedPage(said).ways) == {key_of("Adequacy")}
    assert MarkedPage(counted).html == "%(n)d Fehler"
    assert set(MarkedPage(counted).ways) == {key_of("%(n)d error")}
    # What is kept by language is never kept with marks under the language's own code.
    assert language == "de-x-marked"
    with override("de"):
        assert gettext("Adequacy") == "Inhaltstreue"


def test_marks_end_with_an_error():
    with override("de"):
        with pytest.raises(ZeroDivisionError), marking("cs"):
            raise ZeroDivisionError
        assert get_language() == "de" and gettext("Adequacy") == "Inhaltstreue"


@pytest.mark.parametrize(
    ("html", "shown", "way"),
    [
        (f"<p>{words('A')}</p>", '<p><mark class="lit">a</mark></p>', SEEN),
        # A text within a text, as a name within a sentence
        (
            "<p>" + marked("B", f"in {words('A')}!") + "</p>",
            '<p>in <mark class="lit">a</mark>!</p>',
            SEEN,
        ),
        # Tags within a text
        (
            marked("A", "<strong>1 of 2</strong> items"),
            '<mark class="lit"><strong>1 of 2</strong> items</mark>',
            SEEN,
        ),
        (f"<title>{words('A')}</title>", "<title>a</title>", TITLE),
        (f"<option>{words('A')}</option>", "<option>a</option>", CHOSEN),
        (f'<nav aria-label="{words("A")}">', '<nav aria-label="a" data-lit>', HEARD),
        (
            f"<input placeholder='{words('A')} > 1'/>",
            "<input placeholder='a > 1' data-lit/>",
            HEARD,
        ),
    ],
)
def test_one_text_is_lit_up(html, shown, way):
    page = MarkedPage(html, lit=A)
    assert page.html == shown
    assert page.ways[A] == {way}
    dark = MarkedPage(html, lit=key_of("another"))
    assert dark.html == shown.replace('<mark class="lit">', "").replace("</mark>", "").replace(
        " data-lit", ""
    )


def test_words_for_scripts_keep_the_marks_of_the_one_text():
    said = escape(json.dumps({"a": words("A"), "b": words("B")}))
    page = MarkedPage(f'<div data-words="{said}" data-other="{words("B")}">', lit=A)
    assert page.ways == {A: {SCRIPTED}, B: {SCRIPTED}}
    assert page.html.count("data-lit") == 1
    assert 'data-other="b"' in page.html
    assert f"\\ue000{A}\\ue001a\\ue002" in page.html
    assert B not in page.html


def test_half_a_mark_is_no_error():
    assert MarkedPage(f"<p>{words('A')[:-1]}</p>\ue002", lit=B).html == "<p>a</p>"
