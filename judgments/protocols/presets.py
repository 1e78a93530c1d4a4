"""The registered presets; each comes with its protocol."""

from .base import Preset

# Those with which a campaign can begin, and those of releases.
PRESETS: dict[str, Preset] = {}
RELEASED: dict[str, Preset] = {}


def preset_named(slug: str) -> Preset:
    """Return a preset with which a campaign can begin, or one of releases. Raise KeyError if it
    does not exist."""
    return RELEASED.get(slug) or PRESETS[slug]
