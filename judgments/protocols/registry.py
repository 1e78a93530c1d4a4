"""The protocols there are."""

from typing import TYPE_CHECKING

from .base import Preset
from .contract import Protocol, check
from .presets import PRESETS, RELEASED

if TYPE_CHECKING:
    from judgments.models import Campaign

PROTOCOLS: dict[str, type[Protocol]] = {}


def register(protocol: type[Protocol]) -> None:
    """Add a protocol with its presets. Raise TypeError unless it keeps the contract."""
    check(protocol)
    known = PRESETS.keys() | RELEASED.keys()
    slugs = [preset.slug for preset in (*protocol.presets, *protocol.released)]
    for slug in (s for s in slugs if s in known or slugs.count(s) > 1):
        raise TypeError(f"There are two presets {slug!r}.")
    if protocol.slug in PROTOCOLS:
        raise TypeError(f"There are two protocols {protocol.slug!r}.")
    PROTOCOLS[protocol.slug] = protocol
    PRESETS.update((preset.slug, preset) for preset in protocol.presets)
    RELEASED.update((preset.slug, preset) for preset in protocol.released)


def presets_by_protocol() -> list[tuple[type[Protocol], list[Preset]]]:
    """Return all presets under their protocols, in the order of pages."""
    return [
        (protocol, [preset for preset in PRESETS.values() if preset.protocol == slug])
        for slug, protocol in PROTOCOLS.items()
    ]


def protocol_of(campaign: "Campaign") -> Protocol:
    """Return the protocol of a campaign, with the campaign's options."""
    return PROTOCOLS[campaign.protocol](campaign)
