"""Pages of results that a campaign has, by its protocol."""

from __future__ import annotations

from collections.abc import Callable

from judgments.models import Campaign
from judgments.protocols import protocol_of


def with_page(address: str) -> Callable[[Campaign], bool]:
    """Return a test whether the protocol of a campaign has the page at a URL."""
    return lambda campaign: protocol_of(campaign).has_page(address)
