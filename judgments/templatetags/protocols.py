"""Tags about protocols, and filters for their templates."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from judgments import protocols
from judgments.files.sentences import sentence_starts

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
def links_of(links, place: int):
    """Return the word links of the text at a place of a screen; None if none are shown."""
    return links.places.get(place) if links else None
