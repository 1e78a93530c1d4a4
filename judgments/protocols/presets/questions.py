"""Presets of the protocol `questions`."""

from ..base import Preset

PRESETS: tuple[Preset, ...] = ()
