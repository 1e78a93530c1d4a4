"""The presets there are; each comes with its protocol when that is registered."""

from .base import Preset

# Those with which a campaign can begin, and those of releases beside them.
PRESETS: dict[str, Preset] = {}
RELEASED: dict[str, Preset] = {}


def preset_named(slug: str) -> Preset:
    """Return one with which a campaign can begin, or one of releases. Raise KeyError for none."""
    return RELEASED.get(slug) or PRESETS[slug]
