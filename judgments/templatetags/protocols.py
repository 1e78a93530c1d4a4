"""Tags about protocols, and filters for their templates."""

from collections.abc import Iterable
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from judgments import protocols
from judgments.files.sentences import sentence_starts
from judgments.judging.forms import ShownQuestion
from judgments.protocols.base import Dimension

register = template.Library()


@register.filter
def at(mapping, key):
    """Return the value of a key in a mapping, or None."""
    return mapping.get(key)


@register.simple_tag
def protocol_of(campaign):
    return protocols.protocol_of(campaign)


@register.simple_tag
def text_attributes(text: str, language: str, direction: str, linked=None) -> SafeString:
    """Return the attributes of an element that holds a text: ` lang="de" dir="ltr"
    data-sentences="0 57 131"`. Sentence starts, in Unicode code points, only of several sentences.
    linked: the word links of a translation."""
    found = {"lang": language, "dir": direction}
    if starts := sentence_starts(text or "", language):
        found["data-sentences"] = " ".join(map(str, starts))
    if linked:
        found |= {"data-word-links": linked.data, "data-hints": linked.hint_places}
    shown = (f' {name}="{escape(value)}"' for name, value in found.items() if value)
    return mark_safe("".join(shown))  # noqa: S308 every value is escaped


@register.filter
def marked(pieces) -> SafeString:
    """Return the pieces of a text as HTML, with those marked that differ from other texts."""
    shown = (
        f'<mark class="differs">{escape(piece)}</mark>' if differs else escape(piece)
        for piece, differs in pieces
    )
    return mark_safe("".join(shown))  # noqa: S308 every piece is escaped


@register.filter
def links_of(links, place: int):
    """Return the word links of the text at a place of a screen; None if none are shown."""
    return links.places.get(place) if links else None


@lru_cache(maxsize=1024)
def drawn_once(name: str, **context) -> SafeString:
    """Return a template as HTML, once for all screens with an equal context: dozens of radio
    buttons took more than a third of the time of a screen. context: nothing that was sent, which
    would fill the memory; what the template translates, in `language`."""
    return render_to_string(name, context)


@register.simple_tag(takes_context=True)
def asked_html(context, dimension: Dimension) -> SafeString:
    """Return what a dimension asks, with its labels where they are not at every answer."""
    labels = dimension.scale.ticks if len(context["places"]) > 1 else ()
    if getattr(context["form"], "anchors_once", False):
        labels = dimension.scale.anchors
    name = "judgments/protocols/asked.html"
    return drawn_once(name, dimension=dimension, labels=labels, language=get_language())


@register.simple_tag
def place_html(place: int) -> SafeString:
    """Return the heading of the translation at a place of a screen."""
    return drawn_once("judgments/protocols/place.html", place=place, language=get_language())


@register.simple_tag(takes_context=True)
def questions_html(
    context, questions: Iterable[ShownQuestion], place: int | None = None, widget: str = ""
) -> SafeString:
    """Return questions with their answers as HTML. See judgments/protocols/question.html."""
    form = context["form"]
    draw = drawn_once.__wrapped__ if form.is_bound else drawn_once
    drawn = (
        draw(
            "judgments/protocols/question.html",
            question=question,
            place=place,
            widget=widget,
            shows_error=bool(context.get("problem")),
            is_compact=bool(getattr(form, "compact", False)),
            language=get_language(),
        )
        for question in questions
    )
    return mark_safe("".join(drawn))  # noqa: S308 drawn by a template
