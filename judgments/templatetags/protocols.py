"""What templates ask of protocols, and filters for the templates of these."""

from django import template

from judgments import protocols

register = template.Library()


@register.filter
def at(mapping, key):
    """What a mapping has under a key; None when it has nothing there."""
    return mapping.get(key)


@register.simple_tag
def protocol_of(campaign):
    return protocols.protocol_of(campaign)
