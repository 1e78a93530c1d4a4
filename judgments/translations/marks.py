"""Pages whose texts say which texts they are.

While `marking` holds, every text that is looked up in a catalog comes with its key, between
characters of the private use area, which no page has otherwise. `unmarked` takes these marks out
of a page again, and lights one text up.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import translation
from django.utils.translation import trans_real

from .catalogs import key_of

BEGIN, MIDDLE, END = "\ue000", "\ue001", "\ue002"
# Also as JSON has them, where a page hands words to a script.
MARK = re.compile(r"(?:\ue000|\\ue000)([0-9a-f]{10})(?:\ue001|\\ue001)|(?:\ue002|\\ue002)")
PART = re.compile(r"""<!--.*?-->|<(?:[^<>"']|"[^"]*"|'[^']*')*>""", re.DOTALL)
ATTRIBUTE = re.compile(r"""\s([\w:-]+)=("[^"]*"|'[^']*')""")
TAG_NAME = re.compile(r"<(/?)([a-zA-Z0-9]+)")
# Elements in which nothing can be lit up.
PLAIN = {"title", "option", "script", "style", "textarea"}

# How a text stands on a page: seen; for screen readers or as a hint; said by a script at times; in
# a list to choose from; as the title of the page.
SEEN, HEARD, SCRIPTED, CHOSEN, TITLE = "seen", "heard", "scripted", "chosen", "title"

LIT, LIT_END = '<mark class="lit">', "</mark>"


class MarkedTranslation:
    """In the place of a language's translation. It has a language code of its own, so that nothing
    that is kept by language holds marks."""

    def __init__(self, code: str) -> None:
        self._inner = trans_real.translation(code)
        self._code = f"{code}-x-marked"

    def gettext(self, message: str) -> str:
        return marked(message, self._inner.gettext(message))

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return marked(singular, self._inner.ngettext(singular, plural, number))

    def to_language(self) -> str:
        return self._code


def marked(message: str, words: str) -> str:
    return f"{BEGIN}{key_of(message)}{MIDDLE}{words}{END}"


@contextmanager
def marking(code: str) -> Iterator[None]:
    """Within it this thread speaks the language, with marks.

    Django has no public way to look texts up elsewhere: `_active` is what `activate` sets.
    """
    with translation.override(code):
        trans_real._active.value = MarkedTranslation(code)  # type: ignore[attr-defined]
        yield


class MarkedPage:
    """A page that was made within `marking`.

    lit: the key of the text to show. Where it is read, `html` has it in a `mark`; where a script or
    a screen reader says it, its element has the attribute `data-lit`, and words for scripts keep
    their marks. ways: how each text stands on the page, by key.
    """

    def __init__(self, html: str, lit: str = "") -> None:
        self.ways: dict[str, set[str]] = {}
        self._lit = lit
        self._inside = ""  # the element in which nothing can be lit up
        # A text may begin before a tag and end behind it: the keys that wait for their end.
        self._open: list[str] = []
        self.html = "".join(self._parts(html))

    def _parts(self, html: str) -> Iterator[str]:
        place = 0
        for part in PART.finditer(html):
            yield MARK.sub(self._in_text, html[place : part.start()])
            tag, place = part.group(), part.end()
            name = TAG_NAME.match(tag)
            if name and name[2].lower() in PLAIN:
                self._inside = "" if name[1] else name[2].lower()
            yield self._tag(tag)
        yield MARK.sub(self._in_text, html[place:])

    def _in_text(self, mark: re.Match[str]) -> str:
        key = mark[1]
        if key:
            way = {"": SEEN, "title": TITLE, "option": CHOSEN}.get(self._inside, SCRIPTED)
            self.ways.setdefault(key, set()).add(way)
            self._open.append(key)
        else:
            key = self._open.pop() if self._open else ""
        if self._inside or not key or key != self._lit:
            return ""
        return LIT if mark[1] else LIT_END

    def _tag(self, tag: str) -> str:
        if not MARK.search(tag):
            return tag
        self._is_lit = False
        tag = ATTRIBUTE.sub(self._in_attribute, tag)
        if not self._is_lit:
            return tag
        end = "/>" if tag.endswith("/>") else ">"
        return f"{tag.removesuffix(end)} data-lit{end}"

    def _in_attribute(self, attribute: re.Match[str]) -> str:
        keys = [mark[1] for mark in MARK.finditer(attribute[2]) if mark[1]]
        is_for_script = attribute[1].startswith("data-")
        for key in keys:
            self.ways.setdefault(key, set()).add(SCRIPTED if is_for_script else HEARD)
        if self._lit in keys:
            self._is_lit = True
            if is_for_script:
                return MARK.sub(self._kept_in(), attribute[0])
        return MARK.sub("", attribute[0])

    def _kept_in(self):
        """Of the marks of a value only those of the text that is lit up."""
        waiting: list[str] = []

        def kept(mark: re.Match[str]) -> str:
            if mark[1]:
                waiting.append(mark[1])
                return mark[0] if mark[1] == self._lit else ""
            key = waiting.pop() if waiting else ""
            return mark[0] if key == self._lit else ""

        return kept
