"""Presets of the protocol `alignment`."""

from ..base import Preset

PRESETS: tuple[Preset, ...] = ()
