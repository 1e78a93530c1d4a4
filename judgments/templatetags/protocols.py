"""Filters for the templates of protocols."""

from django import template

register = template.Library()


@register.filter
def at(mapping, key):
    """What a mapping has under a key; None when it has nothing there."""
    return mapping.get(key)
