"""Presets of the protocol `spans`."""

from ..base import Preset

PRESETS: tuple[Preset, ...] = ()
