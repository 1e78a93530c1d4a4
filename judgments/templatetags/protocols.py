"""Tags about protocols, and filters for their templates."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from judgments import protocols
from judgments.files.sentences import sentence_starts
from judgments.judging.forms import ShownQuestion

register = template.Library()


@register.filter
def at(mapping, key):
    """Return the value of a key in a mapping, or None."""
    return mapping.get(key)


@register.simple_tag
def protocol_of(campaign):
    return protocols.protocol_of(campaign)


@register.filter
def sentences(text: str, language: str) -> SafeString:
    """Return the attribute with the sentence starts of a text, in Unicode code points: `
    data-sentences="0 57 131"`; "" for a single sentence."""
    starts = sentence_starts(text or "", language)
    if not starts:
        return mark_safe("")
    return mark_safe(f' data-sentences="{" ".join(map(str, starts))}"')  # noqa: S308 numbers alone


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


@register.simple_tag(takes_context=True)
def question_html(
    context, question: ShownQuestion, place: int | None = None, widget: str = ""
) -> SafeString:
    """Return a question with its answers as HTML. See judgments/protocols/question.html."""
    form = context["form"]
    # What was sent is drawn anew: whoever sends it must not fill the memory.
    draw = _question_html if form.is_bound else _kept_question_html
    return draw(
        question,
        place=place,
        widget=widget,
        shows_error=bool(context.get("problem")),
        is_compact=bool(getattr(form, "compact", False)),
        language=get_language(),
    )


def _question_html(question: ShownQuestion, **context: bool | str | int | None) -> SafeString:
    return render_to_string("judgments/protocols/question.html", {"question": question, **context})


# Once for all screens that ask the same: dozens of radio buttons took more than a third of the time
# of a screen.
_kept_question_html = lru_cache(maxsize=1024)(_question_html)
