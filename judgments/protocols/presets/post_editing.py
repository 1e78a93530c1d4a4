"""Presets of the protocol `post_editing`."""

from ..base import Preset

PRESETS: tuple[Preset, ...] = ()
