"""Which pages of results a campaign has, by its protocol."""

from __future__ import annotations

from collections.abc import Callable

from judgments.models import Campaign
from judgments.protocols import protocol_of


def with_page(address: str) -> Callable[[Campaign], bool]:
    """Return whether the protocol of a campaign has the page at an address."""
    return lambda campaign: protocol_of(campaign).has_page(address)
