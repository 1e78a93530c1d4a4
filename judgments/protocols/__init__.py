"""The registry of protocols: a new one is a module and a line here."""

from types import ModuleType

from . import acceptability, alignment, pairwise, post_editing, questions, ranking, rating, spans
from .presets import PRESETS

PROTOCOLS: dict[str, ModuleType] = {
    module.SLUG: module
    for module in (
        rating,
        pairwise,
        ranking,
        spans,
        post_editing,
        questions,
        acceptability,
        alignment,
    )
}


def protocol_of(campaign) -> ModuleType:
    """The protocol module of a campaign."""
    return PROTOCOLS[campaign.protocol]


__all__ = ["PRESETS", "PROTOCOLS", "protocol_of"]
