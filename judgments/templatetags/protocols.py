"""What templates ask of protocols, and filters for the templates of these."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from judgments import protocols
from judgments.files.sentences import sentence_starts

register = template.Library()


@register.filter
def at(mapping, key):
    """Return what a mapping has under a key; None when it has nothing there."""
    return mapping.get(key)


@register.simple_tag
def protocol_of(campaign):
    return protocols.protocol_of(campaign)


@register.filter
def sentences(text: str, language: str) -> SafeString:
    """Return the attribute of a text that says where its sentences begin, in Unicode code points: `
    data-sentences="0 57 131"`. Nothing where it is one sentence."""
    starts = sentence_starts(text or "", language)
    if not starts:
        return mark_safe("")
    return mark_safe(f' data-sentences="{" ".join(map(str, starts))}"')  # noqa: S308 numbers alone


@register.filter
def links_of(links, place: int):
    """Return the word links of the text at a place of a screen; None where none are shown."""
    return links.places.get(place) if links else None
